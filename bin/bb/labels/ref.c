/* References: the planner's handles. Numbers come from a counter, never from content;
 * a name behind one is read only when the reference is used as an address. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bin/bb/labels/labels.h"
#include "libcommon/path.h"

struct refs {
	struct ref **at;
	size_t n, room;
};

int
refs_new(struct refs **out)
{
	return (*out = calloc(1, sizeof(**out))) != NULL ? 0 : E_NOMEM;
}

void
refs_free(struct refs *r)
{
	if (r == NULL)
		return;
	for (size_t i = 0; i < r->n; i++) {
		struct ref *p = r->at[i];

		free(p->origin);
		free(p->path);
		free(p->from_command);
		free(p->listing_base);
		free(p->listing_shown);
		slot_free(p->slot);
		slot_free(p->listing);
		free(p);
	}
	free(r->at);
	free(r);
}

int
refs_mint(struct refs *r, const struct ref *init, struct ref **out)
{
	struct ref *p;

	*out = NULL;
	if (r->n == REFS_MAX)
		return E_FULL;
	if (r->n == r->room) {
		size_t room = r->room == 0 ? 16 : 2 * r->room;
		struct ref **at = reallocarray(r->at, room, sizeof(*at));

		if (at == NULL)
			return E_NOMEM;
		r->at = at;
		r->room = room;
	}
	if ((p = malloc(sizeof(*p))) == NULL)
		return E_NOMEM;
	*p = *init;
	p->n = (unsigned)r->n;
	r->at[r->n++] = p;
	*out = p;
	return 0;
}

size_t
refs_count(const struct refs *r)
{
	return r->n;
}

size_t
refs_room(const struct refs *r)
{
	return REFS_MAX - r->n;
}

struct ref *
refs_at(struct refs *r, size_t n)
{
	return n < r->n ? r->at[n] : NULL;
}

int
refs_find(struct refs *r, const char *name, struct ref **out)
{
	uint64_t n = 0;
	const char *p = name;

	*out = NULL;
	if (strncmp(p, "ref:", 4) != 0)
		return E_BAD;
	p += 4;
	if (*p < '0' || *p > '9' || (*p == '0' && p[1] != '\0'))
		return E_BAD;
	for (; *p != '\0'; p++) {
		if (*p < '0' || *p > '9')
			return E_BAD;
		if (n <= UINT32_MAX)
			n = n * 10 + (uint64_t)(*p - '0');
	}
	if (n >= r->n)
		return E_MISSING;
	*out = r->at[n];
	return 0;
}

static void
sizes(const struct ref *r, struct buf *out)
{
	(void)buf_str(out, "(");
	if (r->media != NULL)
		(void)buf_fmt(out, "%s, ", r->media);
	if (r->lines >= 0)
		(void)buf_fmt(out, "%" PRId64 " line%s, ", r->lines,
		    r->lines == 1 ? "" : "s");
	if (r->bytes >= 0)
		(void)buf_fmt(out, "%" PRId64 " byte%s, ", r->bytes,
		    r->bytes == 1 ? "" : "s");
	(void)buf_fmt(out, "%s)", label_text(r->label));
}

void
ref_describe(const struct ref *r, struct buf *out)
{
	(void)buf_fmt(out, "[ref:%u] ", r->n);
	if (r->listing != NULL)
		(void)buf_fmt(out, "%s %s",
		    r->kind == REF_DIRECTORY ? "directory" : "file",
		    label_text(r->label));
	else {
		(void)buf_fmt(out, "%s ", r->origin != NULL ? r->origin : "content");
		sizes(r, out);
	}
}

void
ref_advise(const struct ref *r, bool (*offered)(const char *tool), struct buf *out)
{
	bool processor = offered("spawn_processor"), vet = offered("vet_content"),
	     write = offered("write_file"), edit = offered("edit_file");

	switch (r->kind) {
	case REF_FILE:
		(void)buf_str(out,
		    "nobody has vouched for this file, so its text is held back: ");
		if (processor || write)
			(void)buf_str(out, "path_ref or contents_ref use it unread, ");
		else if (edit || offered("read_file"))
			(void)buf_str(out, "path_ref names it, ");
		if (processor)
			(void)buf_str(out, "spawn_processor works on it, ");
		(void)buf_str(out,
		    vet ? "vet_content asks the person to show it"
		        : "and the person can vouch for it");
		break;
	case REF_CONTENT:
		(void)buf_str(out, "its content is held back");
		if (r->media != NULL)
			(void)buf_str(out,
			    r->media[0] == 'i' ? ": a picture" : ": a PDF");
		if (processor)
			(void)buf_str(out, "; spawn_processor works on it");
		if (write)
			(void)buf_str(out, "; contents_ref writes it");
		if (r->from_command != NULL && offered("read_output"))
			(void)buf_str(out, "; read_output asks the person to show it");
		else if (vet)
			(void)buf_str(out, "; vet_content asks the person to show it");
		break;
	case REF_DIRECTORY:
		(void)buf_str(out,
		    "there is nothing to read behind a directory; list the same "
		    "directory "
		    "with a greater depth");
		break;
	case REF_KEPT:
		(void)buf_str(out,
		    offered("read_output")
		        ? "you may read it: read_output with offset gives the rest"
		        : "you may read it: the whole of it is kept");
		break;
	}
}

json_t *
ref_json(const struct ref *r)
{
	static const char *const kinds[] = {"file", "content", "directory", "kept"};
	json_t *o = json_object();
	char name[24];

	(void)snprintf(name, sizeof(name), "ref:%u", r->n);
	json_object_set_new(o, "ref", json_string(name));
	if (r->origin != NULL)
		json_object_set_new(o, "origin", json_string(r->origin));
	if (r->lines >= 0)
		json_object_set_new(o, "lines", json_integer(r->lines));
	if (r->bytes >= 0)
		json_object_set_new(o, "bytes", json_integer(r->bytes));
	if (r->media != NULL)
		json_object_set_new(o, "media", json_string(r->media));
	json_object_set_new(o, "label", json_string(label_text(r->label)));
	json_object_set_new(o, "kind", json_string(kinds[r->kind]));
	return o;
}

/* SAFE: the name is a helper's word; it may lead nowhere but beneath the directory. */
static int
beneath(const struct ref *r, const char *record, size_t n, struct buf *out)
{
	const char *name = record + 1;
	struct buf whole = BUF_INIT;
	int e = E_BAD;

	if (n > 1 && name[0] != '/' && path_check(name, n - 1, true) == PATH_FINE &&
	    (record[0] == 'd') == (r->kind == REF_DIRECTORY) &&
	    (e = path_join(r->listing_base, name, &whole)) == 0)
		e = strcmp(buf_cstr(&whole), r->listing_base) == 0
		    ? E_BAD /* "." */
		    : buf_append(out, whole.p, whole.len);
	buf_release(&whole);
	return e;
}

int
ref_entry_path(const struct ref *r, struct buf *out)
{
	struct buf b = BUF_INIT;
	size_t at = 0;
	int e = E_BAD;

	if (r->listing == NULL || slot_display(r->listing, &b) != 0)
		goto out;
	for (unsigned k = 0; at < b.len; k++) {
		size_t n = strnlen(b.p + at, b.len - at);

		if (at + n == b.len)
			break; /* a record without its end */
		if (k == r->entry) {
			e = beneath(r, b.p + at, n, out);
			break;
		}
		at += n + 1;
	}
out:
	buf_release(&b);
	return e;
}
