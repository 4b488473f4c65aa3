/* TAP for tests in C. TEST(name) { ok(cond, "what"); … } and TAP_MAIN at the end.
 * No framework: each file is a program, each TEST runs in order in one process;
 * what may die runs in a child (see ok_died_of). */
#ifndef BB_TESTS_TAP_H
#define BB_TESTS_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct tap_test {
	const char *name;
	void (*fn)(void);
	struct tap_test *next;
};
static struct tap_test *tap_first, **tap_tail = &tap_first;
static int tap_count, tap_failed;
static const char *tap_now = "";

#define TEST(id) \
	static void tap_fn_##id(void); \
	static struct tap_test tap_t_##id = {#id, tap_fn_##id, NULL}; \
	__attribute__((constructor)) static void tap_reg_##id(void) \
	{ \
		*tap_tail = &tap_t_##id; \
		tap_tail = &tap_t_##id.next; \
	} \
	static void tap_fn_##id(void)

__attribute__((format(printf, 2, 3))) static inline bool
tap_ok(bool cond, const char *fmt, ...)
{
	va_list ap;

	printf("%sok %d - %s: ", cond ? "" : "not ", ++tap_count, tap_now);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	tap_failed += !cond;
	return cond;
}
#define ok(cond, ...) tap_ok((cond), __VA_ARGS__)
#define ok_int(got, want, what) \
	do { \
		long long g_ = (long long)(got), w_ = (long long)(want); \
		if (!tap_ok(g_ == w_, "%s", (what))) \
			printf("# %s:%d got %lld, want %lld\n", __FILE__, __LINE__, g_, \
			    w_); \
	} while (0)
#define ok_str(got, want, what) \
	do { \
		const char *g_ = (got), *w_ = (want); \
		if (!tap_ok(g_ != NULL && strcmp(g_, w_) == 0, "%s", (what))) \
			printf("# %s:%d got [%s], want [%s]\n", __FILE__, __LINE__, \
			    g_ ? g_ : "(null)", w_); \
	} while (0)
#define skip(why) printf("ok %d - %s # SKIP %s\n", ++tap_count, tap_now, (why))

/* Run fn(arg) in a child and demand that it dies of that signal. */
static inline bool
tap_died_of(int sig, void (*fn)(void *), void *arg, const char *what)
{
	int st = 0;
	pid_t pid;

	fflush(stdout);
	if ((pid = fork()) == 0) {
		fn(arg);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &st, 0) < 0)
		return tap_ok(false, "%s: cannot run", what);
	if (!tap_ok(WIFSIGNALED(st) && WTERMSIG(st) == sig, "%s", what)) {
		printf("# status 0x%x, wanted signal %d\n", st, sig);
		return false;
	}
	return true;
}
#define ok_died_of(sig, fn, arg) tap_died_of((sig), (fn), (arg), #fn " dies of " #sig)

#define TAP_MAIN \
	int main(void) \
	{ \
		setvbuf(stdout, NULL, _IOLBF, 0); \
		for (struct tap_test *t = tap_first; t != NULL; t = t->next) { \
			tap_now = t->name; \
			t->fn(); \
		} \
		printf("1..%d\n", tap_count); \
		return tap_failed != 0; \
	}

#endif
