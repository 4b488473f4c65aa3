/* The command line of bb, by the table. Options may stand before or after the command
 * word; `--` ends them; words with = after a tool's name are its arguments. */
#include "bin/bb/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libcommon/json.h"
#include "libcommon/log.h"
#include "libcommon/tool.h"

const struct option_row option_rows[] = {
    {"--workspace", 'C', "DIR", "work in DIR instead of the current directory"},
    {"--state", 0, "DIR", "keep trails and history in DIR"},
    {"--settings", 0, "FILE", "read these settings too, above your own"},
    {"--trust", 0, "[=PATH]",
        "trust the workspace, or PATH in it, as a yes at the opening question"},
    {"--add-dir", 0, "DIR", "open DIR too, and trust it, this session"},
    {"--file", 0, "PATH", "vouch for this one file by naming it"},
    {"--tools", 0, "LIST", "offer only these tools, separated by commas"},
    {"--read-only", 0, NULL, "offer no tool that changes anything"},
    {"--approver", 0, "HOW",
        "who answers questions: tty, none, fd:N, unix:PATH or exec:PROG"},
    {"--trail", 0, "WHERE", "write the audit trail to fd:N or a file"},
    {"--private", 0, NULL, "keep no record of this session"},
    {"--context", 0, "untrusted",
        "begin as a conversation that has met untrusted content"},
    {"--weaker", 0, "landlock", "go on where the kernel has no Landlock, and say so"},
    {"--stats", 0, NULL, "add times and counts to each answer"},
    {"--seed", 0, "N", "make what a planner sees reproducible"},
    {"--trace", 0, "frames", "print headers and sizes of frames on standard error"},
    {"--json", 0, NULL, "answer in JSON"},
    {"--select", 0, "PATH",
        "with --json, print only the value at this path, such as .data.total"},
    {"--color", 0, "WHEN", "auto, always or never"},
    {"--verbose", 'v', NULL, "say more on standard error; twice says most"},
    {"--version", 0, NULL, "print the version"},
    {"--help", 0, NULL, "print this"},
};
const size_t option_rows_len = sizeof(option_rows) / sizeof(*option_rows);

const struct command_row command_rows[] = {
    {"call", "TOOL [KEY=VALUE…]",
        "make one tool call and print what a planner would read", "--args"},
    {"drive", "", "speak the planner protocol on standard input and output", ""},
    {"approve", "[SESSION|SOCKET]", "answer a running bb's questions in this terminal",
        "--list"},
    {"power", "TOOL [KEY=VALUE…]", "print what a call would be given, without making it",
        "--by-hand"},
    {"log", "[SESSION]", "print calls and every gate they passed",
        "-n -f --refused --tool --since --verify"},
    {"sessions", "[prune]", "list recorded sessions, or remove old ones",
        "--older --dry-run"},
    {"status", "[SESSION]", "print everything that may happen unasked", ""},
    {"rules", "[list|add|remove|test …]",
        "permission rules: show, add, remove, or ask which one decides", ""},
    {"doctor", "", "check this machine and say what is missing", "--settings --require"},
    {"help", "", "print this", ""},
};
const size_t command_rows_len = sizeof(command_rows) / sizeof(*command_rows);

static const struct option_row own_rows[] = {
    {"--args", 0, "JSON", "arguments as one JSON object"},
    {"--list", 0, NULL, "list the running sessions"},
    {"--by-hand", 0, NULL, "print the shell line that starts the helper the same way"},
    {"-n", 'n', "N", "the last N calls"},
    {"-f", 'f', NULL, "go on as lines are added"},
    {"--refused", 0, NULL, "only calls that were refused"},
    {"--tool", 0, "TOOL", "only calls of TOOL"},
    {"--since", 0, "TIME", "only calls since TIME, RFC 3339"},
    {"--verify", 0, NULL, "check that the record is whole"},
    {"--older", 0, "AGE", "sessions older than AGE, such as 30d"},
    {"--dry-run", 0, NULL, "say what would be removed"},
    {"--settings", 0, NULL, "print every setting and where it comes from"},
    {"--require", 0, "LEVEL", "full, run or pure: fail below that level"},
};

const struct exit_row exit_rows[] = {
    {0, "done"},
    {1, "the tool reported an error, or nothing was found"},
    {2, "wrong use"},
    {3, "refused by a rule, gate or person"},
    {4, "a question was needed and nobody could be asked"},
    {5, "partial"},
    {70, "a helper misbehaved"},
    {75, "the system said no; it may work later"},
};
const size_t exit_rows_len = sizeof(exit_rows) / sizeof(*exit_rows);

static int
wrong(const char *what, const char *word)
{
	complain("bb: %s '%s'; bb help lists commands and options\n", what, word);
	return 2;
}

static void
push(const char *const **list, size_t *n, const char *v)
{
	const char **p = reallocarray((void *)(uintptr_t)*list, *n + 1, sizeof(*p));

	if (p == NULL)
		bug("out of memory");
	p[(*n)++] = v;
	*list = p;
}

static bool
says(const char *v, const char *word)
{
	return v != NULL && strcmp(v, word) == 0;
}

/* One option with its value into the configuration. 0 or 2. */
static int
take(struct parsed *o, const char *name, const char *v)
{
	struct session_config *c = &o->c;

#define IS(s) (strcmp(name, (s)) == 0)
	if (IS("--workspace"))
		c->workspace = v;
	else if (IS("--state"))
		c->state = v;
	else if (IS("--trust"))
		push(&c->trust, &c->n_trust, v != NULL ? v : "");
	else if (IS("--add-dir"))
		push(&c->add_dirs, &c->n_add_dirs, v);
	else if (IS("--file"))
		push(&c->files, &c->n_files, v);
	else if (IS("--tools"))
		c->only = v;
	else if (IS("--read-only"))
		c->read_only = true;
	else if (IS("--approver"))
		c->approver = v;
	else if (IS("--trail"))
		c->trail = v;
	else if (IS("--private"))
		c->private_session = true;
	else if (IS("--context") && says(v, "untrusted"))
		c->context_untrusted = true;
	else if (IS("--weaker") && says(v, "landlock"))
		c->weaker_landlock = true;
	else if (IS("--stats"))
		c->stats = true;
	else if (IS("--seed"))
		c->seed = v;
	else if (IS("--trace") && says(v, "frames"))
		c->trace_frames = true;
	else if (IS("--json"))
		c->json = true;
	else if (IS("--select"))
		c->select = v;
	else if (IS("--color") && says(v, "auto"))
		c->colour = COLOUR_AUTO;
	else if (IS("--color") && says(v, "always"))
		c->colour = COLOUR_ALWAYS;
	else if (IS("--color") && says(v, "never"))
		c->colour = COLOUR_NEVER;
	else if (IS("--verbose"))
		o->verbose++;
	else if (IS("--version"))
		o->version = true;
	else if (IS("--help"))
		o->help = true;
	else if (IS("--args"))
		o->own.args = v;
	else if (IS("--list"))
		o->own.list = true;
	else if (IS("--by-hand"))
		o->own.by_hand = true;
	else if (IS("-n"))
		o->own.n = v;
	else if (IS("-f"))
		o->own.follow = true;
	else if (IS("--refused"))
		o->own.refused = true;
	else if (IS("--tool"))
		o->own.tool = v;
	else if (IS("--since"))
		o->own.since = v;
	else if (IS("--verify"))
		o->own.verify = true;
	else if (IS("--older"))
		o->own.older = v;
	else if (IS("--dry-run"))
		o->own.dry_run = true;
	else if (IS("--settings") && v != NULL)
		c->settings = v;
	else if (IS("--settings"))
		o->own.settings = true;
	else if (IS("--require"))
		o->own.require = v;
	else {
		complain("bb: %s does not take '%s'\n", name, v != NULL ? v : "");
		return 2;
	}
#undef IS
	return 0;
}

static const struct option_row *
find(const struct option_row *rows, size_t n_rows, const char *word, size_t n)
{
	for (size_t i = 0; i < n_rows; i++)
		if ((strncmp(rows[i].name, word, n) == 0 && rows[i].name[n] == '\0') ||
		    (rows[i].letter != 0 && n == 2 && word[0] == '-' &&
		        word[1] == rows[i].letter))
			return &rows[i];
	return NULL;
}

/* Does the command have this option of its own? */
static bool
owns(const char *command, const char *option)
{
	for (size_t i = 0; command != NULL && i < command_rows_len; i++) {
		const char *p = command_rows[i].options;
		size_t n = strlen(option);

		if (strcmp(command_rows[i].name, command) != 0)
			continue;
		while ((p = strstr(p, option)) != NULL) {
			if ((p == command_rows[i].options || p[-1] == ' ') &&
			    (p[n] == ' ' || p[n] == '\0'))
				return true;
			p += n;
		}
	}
	return false;
}

int
options_parse(int argc, char **argv, struct parsed *o)
{
	const char *own[32]; /* options of one command, as met */
	size_t n_own = 0;
	bool words_only = false;

	memset(o, 0, sizeof(*o));
	o->c.workspace = ".";
	if ((o->words = calloc((size_t)argc + 1, sizeof(char *))) == NULL)
		bug("out of memory");
	for (int i = 1; i < argc; i++) {
		char *word = argv[i];
		size_t n = strcspn(word, "=");
		const struct option_row *row;
		const char *v = NULL;
		bool is_own = false;

		if (words_only || word[0] != '-' || word[1] == '\0') {
			if (o->command == NULL)
				o->command = word;
			else
				o->words[o->n_words++] = word;
			continue;
		}
		if (strcmp(word, "--") == 0) {
			words_only = true;
			continue;
		}
		row = find(option_rows, option_rows_len, word, n);
		/* A command's own option of that name, unless a value is tied to it. */
		if (row != NULL && word[n] == '\0' && o->command != NULL &&
		    owns(o->command, row->name))
			row = NULL;
		if (row == NULL) {
			row =
			    find(own_rows, sizeof(own_rows) / sizeof(*own_rows), word, n);
			is_own = true;
		}
		if (row == NULL)
			return wrong("unknown option", word);
		if (row->arg != NULL && row->arg[0] == '[') {
			v = word[n] == '=' ? word + n + 1 : NULL;
			/* `--trust="$DIR"` with DIR unset must not mean everything. */
			if (v != NULL && *v == '\0')
				return wrong("a value is missing after", word);
		} else if (row->arg != NULL) {
			v = word[n] == '=' ? word + n + 1
			    : i + 1 < argc ? argv[++i]
			                   : NULL;
			if (v == NULL || *v == '\0')
				return wrong("a value is missing after", row->name);
		} else if (word[n] == '=') {
			return wrong("no value goes with", row->name);
		}
		if (is_own) {
			if (n_own == sizeof(own) / sizeof(*own))
				return wrong("too many options at", word);
			own[n_own++] = row->name;
		}
		if (take(o, row->name, v) != 0)
			return 2;
	}
	for (size_t i = 0; i < n_own; i++)
		if (!owns(o->command, own[i]) && !o->help)
			return wrong("this command has no option", own[i]);
	return 0;
}

static void
rows_json(json_t *list, const struct option_row *rows, size_t n, const char *only)
{
	for (size_t i = 0; i < n; i++) {
		const struct option_row *r = &rows[i];
		char letter[3] = {'-', r->letter, '\0'};

		if (only != NULL && !owns(only, r->name))
			continue;
		json_array_append_new(list,
		    json_pack("{s:s,s:s?,s:s?,s:s}", "name", r->name, "letter",
		        r->letter != 0 ? letter : NULL, "arg", r->arg, "says", r->says));
	}
}

static void
help_json(void)
{
	json_t *cmds = json_array(), *opts = json_array(), *tls = json_array(),
	       *exits = json_array(), *typed = json_array();
	auto_buf struct buf b = BUF_INIT;
	auto_json json_t *o = NULL;

	for (size_t i = 0; i < command_rows_len; i++) {
		json_t *mine = json_array();

		rows_json(mine, own_rows, sizeof(own_rows) / sizeof(*own_rows),
		    command_rows[i].name);
		json_array_append_new(cmds,
		    json_pack("{s:s,s:s,s:s,s:o}", "name", command_rows[i].name, "arg",
		        command_rows[i].arg, "says", command_rows[i].says, "options",
		        mine));
	}
	rows_json(opts, option_rows, option_rows_len, NULL);
	for (size_t i = 0; i < tools_len; i++) {
		json_t *args = json_array();

		for (size_t k = 0; k < tools[i]->n_args; k++)
			json_array_append_new(args, json_string(tools[i]->args[k].name));
		json_array_append_new(tls,
		    json_pack("{s:s,s:s,s:s?,s:o}", "name", tools[i]->name, "title",
		        tools[i]->title, "helper", tools[i]->helper, "args", args));
	}
	for (size_t i = 0; i < exit_rows_len; i++)
		json_array_append_new(exits,
		    json_pack("{s:i,s:s}", "code", exit_rows[i].code, "says",
		        exit_rows[i].says));
	for (size_t i = 0; i < commands_len; i++)
		json_array_append_new(typed,
		    json_pack("{s:s,s:s,s:s}", "name", commands[i].name, "arg",
		        commands[i].arg, "says", commands[i].says));
	o = json_pack("{s:i,s:s,s:o,s:o,s:o,s:o,s:o}", "schema", 1, "version", BB_VERSION,
	    "commands", cmds, "options", opts, "tools", tls, "typed", typed, "exit",
	    exits);
	(void)json_print(o, &b);
	puts(buf_cstr(&b));
}

static void
print_row(const struct option_row *r)
{
	char left[64];

	(void)snprintf(left, sizeof(left), "%s%c%s%s%s%s",
	    r->letter != 0 && r->name[1] == '-' ? "-" : "",
	    r->letter != 0 && r->name[1] == '-' ? r->letter : ' ',
	    r->letter != 0 && r->name[1] == '-' ? ", " : "", r->name,
	    r->arg != NULL && r->arg[0] != '[' ? " " : "", r->arg != NULL ? r->arg : "");
	printf("  %-26s %s\n", left, r->says);
}

void
options_help(bool json)
{
	if (json) {
		help_json();
		return;
	}
	puts("usage: bb [OPTION…] [COMMAND …]\n"
	     "without a command: an interactive session in this directory\n\ncommands:");
	for (size_t i = 0; i < command_rows_len; i++) {
		char left[64];

		(void)snprintf(left, sizeof(left), "%s %s", command_rows[i].name,
		    command_rows[i].arg);
		printf("  %-26s %s\n", left, command_rows[i].says);
		for (size_t k = 0; k < sizeof(own_rows) / sizeof(*own_rows); k++)
			if (owns(command_rows[i].name, own_rows[k].name)) {
				printf("  ");
				print_row(&own_rows[k]);
			}
	}
	puts("\noptions, before or after the command:");
	for (size_t i = 0; i < option_rows_len; i++)
		print_row(&option_rows[i]);
	puts("\ntools:");
	for (size_t i = 0; i < tools_len; i++) {
		printf("  %-14s %s:", tools[i]->name, tools[i]->title);
		for (size_t k = 0; k < tools[i]->n_args; k++)
			printf(" %s", tools[i]->args[k].name);
		putchar('\n');
	}
	puts("\nexit status:");
	for (size_t i = 0; i < exit_rows_len; i++)
		printf("  %-4d %s\n", exit_rows[i].code, exit_rows[i].says);
	puts("  128+n killed by signal n");
}
