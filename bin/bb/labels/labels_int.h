/* Behind the door of labels/. */
#ifndef BB_LABELS_INT_H
#define BB_LABELS_INT_H

#include "bin/bb/labels/labels.h"

/* The key as it is compared where case does not count. Gives; NULL when memory ran out. */
char *fold_key(const char *key);

#endif
