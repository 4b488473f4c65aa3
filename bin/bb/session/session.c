/* A session from its options to its end: workspace, state, trail, trust by the
 * person's gestures on the command line, and the rooms it holds together. */
#include "bin/bb/session/session_int.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "bin/bb/session/state.h"
#include "libcommon/clock.h"
#include "libcommon/hash.h"
#include "libcommon/own.h"
#include "libcommon/path.h"

/* What --seed makes reproducible: session id and change-token key. */
static int
identity(struct session *s)
{
	unsigned char id[8];

	if (s->c.seed != NULL) {
		struct sha256 h;
		char hex[65];

		sha256_init(&h);
		sha256_add(&h, "bb seed ", 8);
		sha256_add(&h, s->c.seed, strlen(s->c.seed));
		sha256_hex(&h, hex);
		memcpy(s->id, hex, 12);
		sha256_of(hex, 64, hex);
		memcpy(s->token_key, hex, sizeof(s->token_key));
		return 0;
	}
	if (clock_random(id, 6) != 0 ||
	    clock_random(s->token_key, sizeof(s->token_key)) != 0)
		return E_SYS;
	for (size_t i = 0; i < 6; i++)
		(void)snprintf(s->id + 2 * i, 3, "%02x", id[i]);
	return 0;
}

/* --state DIR is the person's own choice; `bb` beneath XDG_STATE_HOME is ours. */
static bool
state_named(const struct session *s)
{
	return s->c.state != NULL && s->c.state[0] != '\0';
}

static int
open_trail(struct session *s, struct buf *why)
{
	auto_buf struct buf dir = BUF_INIT, path = BUF_INIT;
	const char *how = s->c.trail;
	int r;
	struct trail_start t = {.fd = -1,
	    .session = s->id,
	    .workspace = reach_path(s->reach, 0),
	    .front = s->c.front,
	    .mode = "default",
	    .seed = s->c.seed};

	if (how != NULL && strncmp(how, "fd:", 3) == 0) {
		char *end;
		long n = strtol(how + 3, &end, 10);

		if (*end != '\0' || end == how + 3 || n < 0 || n > 1 << 20 ||
		    fcntl((int)n, F_GETFL) < 0) {
			(void)buf_fmt(why, "--trail '%s': not an open descriptor", how);
			return E_BAD;
		}
		(void)fcntl((int)n, F_SETFD, FD_CLOEXEC);
		t.fd = (int)n;
	} else if (how != NULL) {
		t.path = how;
	} else if (!s->c.private_session) {
		if (s->state == NULL) {
			(void)buf_str(why,
			    "no home directory for the audit trail: give --state DIR, "
			    "--trail FILE, or --private to keep none");
			return E_BAD;
		}
		if (state_session_dir(s->state, reach_path(s->reach, 0), &dir) != 0)
			return E_NOMEM;
		r = path_private_dir(buf_cstr(&dir), state_named(s) ? 2 : 3, why);
		if (r == E_OUTSIDE) {
			(void)buf_str(why,
			    ": no record is kept there; give --state DIR, a directory of "
			    "yours");
			return E_SYS;
		}
		if (r != 0) {
			(void)buf_fmt(why,
			    "cannot make the state directory '%s': %s; give --state DIR",
			    s->state, err_errno(errno));
			return E_SYS;
		}
		/* A seeded session may come again: its trail gets a file of its own. */
		for (unsigned k = 1; k < 100000; k++) {
			buf_clear(&path);
			(void)buf_fmt(&path, "%s/%s", buf_cstr(&dir), s->id);
			if (k > 1)
				(void)buf_fmt(&path, ".%u", k);
			(void)buf_str(&path, ".audit.jsonl");
			if (s->c.seed == NULL || access(buf_cstr(&path), F_OK) != 0)
				break;
		}
		t.path = buf_cstr(&path);
	}
	if (trail_open(&t, &s->trail) != 0) {
		(void)buf_fmt(why, "cannot open the audit trail: %s%s", err_errno(errno),
		    errno == EINVAL ? "; --trail takes a regular file, or a pipe as fd:N"
		                    : "");
		return E_SYS;
	}
	return 0;
}

/* bb's own directories and the trail are no files of the workspace (flow 12.2). Where
 * the state directory holds the workspace, only its own parts are hidden. */
static int
hide(struct session *s)
{
	static const char *const parts[] = {"sessions", "history", "run", "notes"};
	auto_buf struct buf config = BUF_INIT, cache = BUF_INIT;
	auto_free char *state = s->state != NULL ? realpath(s->state, NULL) : NULL;
	int r = 0;

	if (state != NULL && path_covers(state, reach_path(s->reach, 0), NULL) &&
	    strcmp(state, reach_path(s->reach, 0)) != 0) {
		for (size_t i = 0; i < 4 && r == 0; i++) {
			auto_buf struct buf part = BUF_INIT;

			(void)buf_fmt(&part, "%s/%s", state, parts[i]);
			r = reach_hide(s->reach, buf_cstr(&part));
		}
	} else if (s->state != NULL) {
		r = reach_hide(s->reach, s->state);
	}
	if (r == 0 && s->runtime != NULL)
		r = reach_hide(s->reach, s->runtime);
	if (r == 0 && path_config(&config) == 0)
		r = reach_hide(s->reach, buf_cstr(&config));
	if (r == 0 && path_cache(&cache) == 0)
		r = reach_hide(s->reach, buf_cstr(&cache));
	if (r == 0 && trail_path(s->trail) != NULL)
		r = reach_hide(s->reach, trail_path(s->trail));
	if (r == 0 && trail_fd(s->trail) >= 0)
		r = reach_hide_fd(s->reach, trail_fd(s->trail));
	return r;
}

static int
rule(struct session *s, const char *key, enum trust_word w, enum trust_by by,
    const char *act, struct buf *why)
{
	trail_act(s->trail, act, key, NULL);
	if (trust_set(s->trust, key, w, by) == 0)
		return 0;
	(void)buf_str(why, "out of memory");
	return E_SYS;
}

/* A directory that cannot be opened: its name is wrong use; a machine at its limits may
 * do it later. */
static int
wrong_name(int errnum)
{
	return errnum == EMFILE || errnum == ENFILE || errnum == ENOMEM ? E_SYS : E_BAD;
}

static int
gestures(struct session *s, struct buf *why)
{
	const struct session_config *c = &s->c;
	int r = 0;

	for (size_t i = 0; i < c->n_add_dirs && r == 0; i++) {
		/* SAFE: a place inside what is open is a matter of --trust; adding it would
		 * trust another directory than the one named. */
		if ((r = reach_add(s->reach, c->add_dirs[i])) != 0) {
			int e = r == E_SYS ? errno : r == E_NOMEM ? ENOMEM : 0;

			(void)buf_fmt(why, "--add-dir '%s': %s", c->add_dirs[i],
			    e != 0 ? err_errno(e)
			        : r == E_DUP
			        ? "it is open already, or lies in a directory that "
			          "is; --trust=PATH trusts a part"
			        : "it holds the workspace or cannot be added");
			r = wrong_name(e);
		} else
			r = rule(s, reach_path(s->reach, reach_count(s->reach) - 1),
			    TRUST_T, TRUST_BY_ADD_DIR, "option --add-dir", why);
	}
	for (size_t i = 0; i < c->n_trust && r == 0; i++) {
		auto_buf struct buf row = BUF_INIT;

		if (c->trust[i][0] == '\0')
			r = rule(s, reach_path(s->reach, 0), TRUST_T, TRUST_BY_OPENING,
			    "option --trust", why);
		else if ((r = command_trust(s, c->trust[i], true, &row)) != 0)
			(void)buf_fmt(why, "--trust=%s: %.*s", c->trust[i],
			    (int)strcspn(buf_cstr(&row), "\n"), buf_cstr(&row));
	}
	for (size_t i = 0; i < c->n_files && r == 0; i++) {
		struct grant g = GRANT_INIT;

		if (grant_resolve(s->reach, c->files[i], strlen(c->files[i]), GRANT_FILE,
		        &g) != GRANT_FINE) {
			(void)buf_fmt(why, "--file '%s': not a file in the workspace",
			    c->files[i]);
			r = E_BAD;
		} else {
			r = rule(s, g.spelled, TRUST_T, TRUST_BY_NAMED, "option --file",
			    why);
			if (r == 0 && g.linked)
				r = rule(s, g.landed, TRUST_T, TRUST_BY_NAMED,
				    "option --file", why);
		}
		grant_release(&g);
	}
	return r == 0 || r == E_SYS ? r : E_BAD;
}

static int
along(void *arg, const char *key, struct same_way *w)
{
	return reach_walk(arg, key, w);
}

static void
on_event(void *arg, const char *what, const char *detail)
{
	struct session *s = arg;

	trail_act(s->trail, what, detail, NULL);
	/* A broken trail is met by the next call; nothing here is an effect. */
	(void)!trail_flush(s->trail);
}

static void
on_command(void *arg, const char *line, const char *by, struct buf *out)
{
	struct session *s = arg;

	s->acting = by;
	if (!command_run(s, line, out))
		(void)buf_fmt(out, "no such command; /help lists them\n");
	s->acting = NULL;
}

int
session_new(const struct session_config *c, struct session **out, struct buf *why)
{
	struct session *s = calloc(1, sizeof(*s));
	auto_buf struct buf state = BUF_INIT, runtime = BUF_INIT, helpers = BUF_INIT;
	bool listens = strcmp(c->front, "drive") == 0;
	const char *bad;
	size_t bad_len;
	int r;

	*out = NULL;
	if (s == NULL)
		return E_SYS;
	s->c = *c;
	s->started_ms = clock_wall_ms();
	s->context.i = c->context_untrusted ? UNTRUSTED : TRUSTED;
	s->offer = (struct offer){c->only, c->read_only};
	s->acts = json_array();
	call_offer(s);
	if (permit_check(&s->offer, &bad, &bad_len) != 0) {
		(void)buf_fmt(why, "--tools: unknown tool '%.*s'", (int)bad_len, bad);
		r = E_BAD;
		goto fail;
	}
	if (path_state(c->state, &state) == 0)
		s->state = buf_take(&state);
	if (path_runtime(s->state, &runtime) == 0)
		s->runtime = buf_take(&runtime);
	if (path_helpers(&helpers) != 0) {
		(void)buf_str(why,
		    access("/proc/self/exe", F_OK) != 0
		        ? "/proc is not mounted, and bb finds its helpers and opens "
		          "their "
		          "memory by it"
		        : "the helpers are not found beside bb or in libexec/bb");
		r = E_SYS;
		goto fail;
	}
	s->helpers = buf_take(&helpers);
	if (loop_new(&s->loop) != 0 || identity(s) != 0) {
		(void)buf_fmt(why, "cannot start: %s", err_errno(errno));
		r = E_SYS;
		goto fail;
	}
	if (reach_new(c->workspace, &s->reach) != 0) {
		r = wrong_name(errno);
		(void)buf_fmt(why, "cannot open workspace '%s': %s", c->workspace,
		    err_errno(errno));
		goto fail;
	}
	if (trust_new(trust_probe(reach_path(s->reach, 0)), &s->trust) != 0 ||
	    refs_new(&s->refs) != 0) {
		(void)buf_str(why, "out of memory");
		r = E_SYS;
		goto fail;
	}
	trust_identify(s->trust, along, s->reach);
	if ((r = settings_load(c, reach_path(s->reach, 0),
	         trust_probe(reach_path(s->reach, 0)), &s->settings, why)) != 0) {
		if (r != E_BAD)
			(void)buf_str(why, "out of memory");
		r = r == E_BAD ? E_BAD : E_SYS;
		goto fail;
	}
	if ((r = open_trail(s, why)) != 0)
		goto fail;
	if (hide(s) != 0) {
		(void)buf_str(why, "out of memory");
		r = E_SYS;
		goto fail;
	}
	/* What a killed session left beside a file of the person's. */
	if (s->state != NULL) {
		auto_buf struct buf notes = BUF_INIT;

		if (state_notes_dir(s->state, &notes) == 0)
			put_sweep(buf_cstr(&notes));
	}
	const struct spawn_config sc = {.loop = s->loop,
	    .helpers = s->helpers,
	    .weaker_landlock = c->weaker_landlock,
	    .trace = c->trace_frames};
	if (spawner_new(&sc, &s->spawner) != 0) {
		(void)buf_fmt(why, "cannot start helpers: %s", err_errno(errno));
		r = E_SYS;
		goto fail;
	}
	if (c->weaker_landlock)
		trail_act(s->trail, "option --weaker=landlock", "", NULL);
	if ((r = gestures(s, why)) != 0)
		goto fail;
	/* SAFE: whoever owns the directory of the socket could answer in our place. */
	if (listens && c->approver == NULL && s->runtime != NULL &&
	    path_private_dir(s->runtime, 1, why) == E_OUTSIDE) {
		(void)buf_str(why,
		    ": no session listens there; set XDG_RUNTIME_DIR to a directory of "
		    "yours, or give --approver");
		r = E_SYS;
		goto fail;
	}
	const struct asker_config ac = {.loop = s->loop,
	    .how = c->approver,
	    .listen = listens,
	    .runtime = s->runtime,
	    .session = s->id,
	    .workspace = reach_path(s->reach, 0),
	    .front = c->front,
	    .colour = c->colour,
	    .max_declined =
	        (unsigned)settings_number(s->settings, SETTING_ASK_MAX_DECLINED),
	    .event = on_event,
	    .command = on_command,
	    .arg = s};
	if ((r = asker_new(&ac, &s->asker)) != 0) {
		(void)buf_fmt(why, "--approver '%s': %s",
		    c->approver != NULL ? c->approver : "tty",
		    r == E_SYS       ? err_errno(errno)
		        : r == E_DUP ? "standard input, output and error are the "
		                       "planner's: it would answer for itself"
		        : r == E_OUTSIDE
		        ? "another user listens there; only you or root may"
		        : "not tty, none, fd:N, unix:PATH or exec:PROG");
		r = r == E_SYS || r == E_OUTSIDE ? E_SYS : E_BAD;
		goto fail;
	}
	*out = s;
	return 0;
fail:
	session_free(s);
	return r;
}

static void
forget_turn(struct session *s)
{
	while (s->offered != NULL) {
		struct offered *p = s->offered;

		s->offered = p->next;
		free(p->key);
		free(p);
	}
}

void
session_turn_end(struct session *s)
{
	forget_turn(s);
	s->stopped = false;
	asker_turn(s->asker);
}

void
session_free(struct session *s)
{
	if (s == NULL)
		return;
	for (struct call *c = s->open; c != NULL; c = c->next)
		session_cancel(c);
	for (int i = 0; i < 2000 && s->open != NULL && s->loop != NULL; i++)
		if (loop_once(s->loop, 10) != 0)
			break;
	asker_free(s->asker);
	spawner_free(s->spawner);
	trail_close(s->trail);
	refs_free(s->refs);
	trust_free(s->trust);
	reach_free(s->reach);
	settings_free(s->settings);
	forget_turn(s);
	while (s->seen != NULL) {
		struct seen *p = s->seen;

		s->seen = p->next;
		free(p->key);
		free(p);
	}
	json_decref(s->acts);
	loop_free(s->loop);
	free(s->state);
	free(s->runtime);
	json_decref(s->todos);
	json_decref(s->answered);
	free(s->helpers);
	free(s);
}

struct loop *
session_loop(struct session *s)
{
	return s->loop;
}
