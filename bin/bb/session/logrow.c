/* Lines of a trail as people read them. A trail may hold hostile names: all that comes out
 * of it goes to the screen through safe_put, never through a format. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bin/bb/session/log_int.h"
#include "libcommon/own.h"

/* --- time -------------------------------------------------------------------------------- */

/* n digits into *out; NULL when they are not there. */
static const char *
digits(const char *p, int n, int *out)
{
	if (p == NULL)
		return NULL;
	for (*out = 0; n > 0; n--, p++) {
		if (*p < '0' || *p > '9')
			return NULL;
		*out = *out * 10 + (*p - '0');
	}
	return p;
}

static const char *
after(const char *p, char c)
{
	return p != NULL && *p == c ? p + 1 : NULL;
}

/* HH:MM[:SS[.fraction]] */
static const char *
time_of_day(const char *p, struct tm *tm, int *ms)
{
	int scale = 100;

	p = digits(after(digits(p, 2, &tm->tm_hour), ':'), 2, &tm->tm_min);
	if (p == NULL || tm->tm_hour > 23 || tm->tm_min > 59)
		return NULL;
	if (*p != ':')
		return p;
	if ((p = digits(p + 1, 2, &tm->tm_sec)) == NULL || tm->tm_sec > 60)
		return NULL;
	if (*p != '.')
		return p;
	if (*++p < '0' || *p > '9')
		return NULL;
	for (; *p >= '0' && *p <= '9'; p++, scale /= 10)
		*ms += scale * (*p - '0');
	return p;
}

int
log_instant(const char *s, int64_t *ms)
{
	struct tm tm = {0};
	int part = 0, hour = 0, minute = 0;
	int64_t away = 0;
	bool local = false;
	const char *p;
	time_t t;

	if (digits(s, 4, &tm.tm_year) == NULL) { /* a time of today */
		time_t now = time(NULL);

		if (localtime_r(&now, &tm) == NULL)
			return E_BAD;
		tm.tm_sec = 0;
		p = time_of_day(s, &tm, &part);
		local = true;
	} else {
		p = after(digits(s, 4, &tm.tm_year), '-');
		p = digits(after(digits(p, 2, &tm.tm_mon), '-'), 2, &tm.tm_mday);
		if (p == NULL || tm.tm_mon < 1 || tm.tm_mon > 12 || tm.tm_mday < 1 ||
		    tm.tm_mday > 31)
			return E_BAD;
		tm.tm_year -= 1900;
		tm.tm_mon--;
		if (*p == '\0')
			local = true;
		else
			p = *p == 'T' || *p == 't' || *p == ' '
			    ? time_of_day(p + 1, &tm, &part)
			    : NULL;
	}
	if (p == NULL)
		return E_BAD;
	if (*p == '\0') {
		local = true;
	} else if (local) {
		return E_BAD;
	} else if ((*p == 'Z' || *p == 'z') && p[1] == '\0') {
		away = 0;
	} else {
		int sign = *p == '+' ? 1 : *p == '-' ? -1 : 0;
		const char *q = digits(after(digits(p + 1, 2, &hour), ':'), 2, &minute);

		if (sign == 0 || q == NULL || *q != '\0' || hour > 23 || minute > 59)
			return E_BAD;
		away = sign * (hour * 3600 + minute * 60);
	}
	tm.tm_isdst = -1;
	t = local ? mktime(&tm) : timegm(&tm);
	*ms = ((int64_t)t - away) * 1000 + part;
	return 0;
}

static bool
local_time(const json_t *instant, struct tm *tm, int *ms)
{
	const char *at = json_string_value(instant);
	int64_t whole;
	time_t t;

	if (at == NULL || log_instant(at, &whole) != 0 || whole < 0)
		return false;
	t = (time_t)(whole / 1000);
	*ms = (int)(whole % 1000);
	return localtime_r(&t, tm) != NULL;
}

void
log_clock(const json_t *at, char out[13])
{
	struct tm tm;
	int ms;

	if (!local_time(at, &tm, &ms) || strftime(out, 13, "%H:%M:%S", &tm) != 8)
		memcpy(out, "??:??:??.???", 13);
	else
		(void)snprintf(out + 8, 5, ".%03u", (unsigned)ms % 1000);
}

void
log_date(const json_t *at, char out[11])
{
	struct tm tm;
	int ms;

	if (!local_time(at, &tm, &ms) || strftime(out, 11, "%Y-%m-%d", &tm) != 10)
		memcpy(out, "(no date) ", 11);
}

/* --- words ------------------------------------------------------------------------------- */

void
log_name(const json_t *line, const char *key, size_t least, const struct look *look,
    struct buf *out)
{
	const json_t *s = json_object_get(line, key);
	size_t start = out->len;

	if (json_is_string(s))
		safe_put(json_string_value(s), json_string_length(s), SAFE_NAME, look,
		    out);
	while (out->len - start < least && buf_byte(out, ' ') == 0)
		;
}

/* What stands between two members of a line in its sentence, and the members. */
struct sentence {
	const json_t *line;
	const struct look *look;
	struct buf *out;
};

static void
name(const struct sentence *s, const char *before, const char *key)
{
	(void)buf_str(s->out, before);
	log_name(s->line, key, 0, s->look, s->out);
}

/* As name(), and nothing at all when the member is absent or empty. */
static void
perhaps(const struct sentence *s, const char *before, const char *key)
{
	if (json_string_length(json_object_get(s->line, key)) > 0)
		name(s, before, key);
}

static void
label(const struct sentence *s, const char *before, const char *key)
{
	const json_t *l = json_object_get(s->line, key);

	(void)buf_str(s->out, before);
	log_name(l, "integrity", 0, s->look, s->out);
	(void)buf_str(s->out, ", ");
	log_name(l, "confidentiality", 0, s->look, s->out);
}

/* The word column. What belongs to no call has its time in front. */
static void
word(const struct sentence *s, const char *w)
{
	char at[13] = "";

	if (json_integer_value(json_object_get(s->line, "call")) == 0)
		log_clock(json_object_get(s->line, "at"), at);
	(void)buf_fmt(s->out, "%-15s%-7s ", at, w);
}

static void
call_row(const struct sentence *s)
{
	char at[13];

	log_clock(json_object_get(s->line, "at"), at);
	(void)buf_fmt(s->out, "%s %3" JSON_INTEGER_FORMAT "  ", at,
	    json_integer_value(json_object_get(s->line, "call")));
	if (json_string_length(json_object_get(s->line, "object")) == 0 &&
	    json_string_length(json_object_get(s->line, "power")) == 0) {
		name(s, "", "tool");
		return;
	}
	log_name(s->line, "tool", 11, s->look, s->out);
	(void)buf_byte(s->out, ' ');
	if (json_string_length(json_object_get(s->line, "power")) > 0) {
		log_name(s->line, "object", 35, s->look, s->out);
		name(s, " power ", "power");
	} else {
		name(s, "", "object");
	}
}

void
log_row(const json_t *line, const char *kind, const struct look *look, struct buf *out)
{
	const struct sentence s = {line, look, out};
	bool refusal = !json_is_false(json_object_get(line, "refusal"));

	if (strcmp(kind, "call") == 0) {
		call_row(&s);
	} else if (strcmp(kind, "gate_passed") == 0) {
		word(&s, "ok");
		name(&s, "", "gate");
		perhaps(&s, ": ", "detail");
	} else if (strcmp(kind, "gate_blocked") == 0) {
		word(&s, "BLOCK");
		name(&s, "", "gate");
		name(&s, ": ", "reason");
	} else if (strcmp(kind, "action_field") == 0) {
		word(&s, refusal ? "BLOCK" : "ok");
		name(&s, "", "tool");
		name(&s, ".", "field");
		name(&s, " [", "role");
		label(&s, "] ", "label");
	} else if (strcmp(kind, "observed") == 0) {
		word(&s, "observe");
		name(&s, "", "capability");
		label(&s, " produced ", "label");
	} else if (strcmp(kind, "slot_written") == 0) {
		word(&s, "slot");
		name(&s, "", "slot");
		label(&s, ", ", "label");
	} else if (strcmp(kind, "slot_deferred") == 0) {
		word(&s, "slot");
		name(&s, "", "slot");
		name(&s, " holds ", "origin");
		label(&s, ", unread, ", "label");
	} else if (strcmp(kind, "declassified") == 0) {
		word(&s, "release");
		name(&s, "", "slot");
		label(&s, " ", "from");
		label(&s, " -> ", "to");
		perhaps(&s, ": ", "reason");
	} else if (strcmp(kind, "asked") == 0) {
		word(&s, "asked");
		name(&s, "", "who");
		name(&s, ": ", "answer");
		name(&s, " (", "question");
		perhaps(&s, " ", "object");
		(void)buf_byte(out, ')');
	} else if (strcmp(kind, "done") == 0) {
		word(&s, "done");
		name(&s, "", "status");
		perhaps(&s, ", ", "code");
		label(&s, ", ", "label");
	} else if (strcmp(kind, "session_end") == 0) {
		word(&s, "end");
		(void)buf_fmt(out, "of the session, calls: %" JSON_INTEGER_FORMAT,
		    json_integer_value(json_object_get(line, "calls")));
	} else if (strcmp(kind, "act") == 0) {
		word(&s, "person");
		name(&s, "", "what");
		perhaps(&s, " ", "object");
		perhaps(&s, ", by ", "by");
	} else {
		return;
	}
	(void)buf_byte(out, '\n');
}

void
log_head(const json_t *line, int64_t calls, int64_t entries, const struct look *look,
    struct buf *out)
{
	char date[11];

	log_date(json_object_get(line, "at"), date);
	log_name(line, "session", 0, look, out);
	(void)buf_fmt(out, "  %s  ", date);
	log_name(line, "workspace", calls >= 0 ? 30 : 0, look, out);
	if (calls >= 0)
		(void)buf_fmt(out, "  %lld call%s, %lld entr%s", (long long)calls,
		    calls == 1 ? "" : "s", (long long)entries,
		    entries == 1 ? "y" : "ies");
	(void)buf_byte(out, '\n');
}

/* --- counting ------------------------------------------------------------------------------ */

bool
log_is(const char *line, const char *kind)
{
	const char *p = strstr(line, ",\"kind\":\"");
	size_t n = strlen(kind);

	return p != NULL && strncmp(p + 9, kind, n) == 0 && p[9 + n] == '"';
}

void
log_count(FILE *f, struct log_counts *out)
{
	auto_free char *line = NULL;
	size_t room = 0;

	*out = (struct log_counts){0};
	while (getline(&line, &room, f) > 0) {
		if (log_is(line, "session"))
			break;
		out->entries += line[0] != '\n';
		out->calls += log_is(line, "call");
		out->refused +=
		    log_is(line, "done") && strstr(line, "\"refusal\":true") != NULL;
	}
}
