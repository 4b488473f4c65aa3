/* Print the shell completions of bb or bb-audit from the tables it dumps: completions
 * bash|zsh|fish <help.json. Trusts the dump: it is ours, made a moment before. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static json_t *help;

static const char *
str(const json_t *o, const char *name)
{
	const char *s = json_string_value(json_object_get(o, name));

	return s != NULL ? s : "";
}

/* Our sentences inside single quotes, for a shell. In fish \' is the quote, else '\''. */
static void
quoted(const char *s, bool fish)
{
	putchar('\'');
	for (; *s != '\0'; s++) {
		if (*s == '\'')
			fputs(fish ? "\\'" : "'\\''", stdout);
		else
			putchar(*s);
	}
	putchar('\'');
}

/* What completes an option's value: dir, file, words or none. */
static const char *
value_of(const json_t *option, const char **words)
{
	const char *name = str(option, "name"), *arg = str(option, "arg");
	static char tools[1024];
	json_t *t;
	size_t i;

	*words = NULL;
	if (strcmp(name, "--color") == 0)
		*words = "auto always never";
	else if (strcmp(name, "--require") == 0)
		*words = "full run pure";
	else if (strcmp(name, "--approver") == 0)
		*words = "tty none fd: unix: exec:";
	else if (strcmp(name, "--tools") == 0 || strcmp(name, "--tool") == 0) {
		tools[0] = '\0';
		json_array_foreach(json_object_get(help, "tools"), i, t)
			(void)snprintf(tools + strlen(tools),
			    sizeof(tools) - strlen(tools), "%s%s", i > 0 ? " " : "",
			    str(t, "name"));
		*words = tools;
	} else if (arg[0] >= 'a' && arg[0] <= 'z')
		*words = arg; /* the one value there is */
	if (*words != NULL)
		return "words";
	if (strcmp(arg, "DIR") == 0)
		return "dir";
	if (strcmp(arg, "PATH") == 0 && strcmp(name, "--select") != 0)
		return "file";
	return "none";
}

static void
remark(void)
{
	json_t *e;
	size_t i;

	puts("# Made from the program's own tables; do not edit.\n# exit status:");
	json_array_foreach(json_object_get(help, "exit"), i, e)
		printf("#   %lld %s\n",
		    (long long)json_integer_value(json_object_get(e, "code")),
		    str(e, "says"));
}

/* fn for every option: of all commands (command "") and of each one. */
static void
each_option(void (*fn)(const char *command, const json_t *option))
{
	json_t *c, *o;
	size_t i, k;

	json_array_foreach(json_object_get(help, "options"), i, o)
		fn("", o);
	json_array_foreach(json_object_get(help, "commands"), i, c)
		json_array_foreach(json_object_get(c, "options"), k, o)
			fn(str(c, "name"), o);
}

/* --- bash ----------------------------------------------------------------------- */

static void
bash_value(const char *command, const json_t *o)
{
	const char *words, *kind = value_of(o, &words), *letter = str(o, "letter");

	(void)command;
	if (str(o, "arg")[0] == '\0' || str(o, "arg")[0] == '[')
		return;
	printf("\t%s", str(o, "name"));
	if (letter[0] != '\0' && strcmp(letter, str(o, "name")) != 0)
		printf(" | %s", letter);
	if (strcmp(kind, "words") == 0)
		printf(") COMPREPLY=($(compgen -W '%s' -- \"$cur\")) ;;\n", words);
	else if (strcmp(kind, "none") == 0)
		puts(") return ;;");
	else
		printf(") COMPREPLY=($(compgen %s -- \"$cur\")) ;;\n",
		    strcmp(kind, "dir") == 0 ? "-d" : "-f");
}

static void
options_words(const json_t *list)
{
	json_t *o;
	size_t i;

	json_array_foreach(list, i, o) {
		const char *letter = str(o, "letter");

		printf(" %s%s", str(o, "name"),
		    strcmp(str(o, "name"), "--trust") == 0 ? " --trust=" : "");
		if (letter[0] != '\0' && strcmp(letter, str(o, "name")) != 0)
			printf(" %s", letter);
	}
}

static void
bash(void)
{
	json_t *c, *t, *a;
	size_t i, k;

	remark();
	puts(
	    "# shellcheck shell=bash disable=SC2207\n"
	    "_bb() {\n"
	    "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
	    "\tlocal command='' tool='' key='' i w\n"
	    "\tCOMPREPLY=()\n"
	    "\tif [[ $cur == = ]]; then cur=''; key=$prev; fi\n"
	    "\tif [[ $prev == = ]]; then key=${COMP_WORDS[COMP_CWORD - 2]}; prev=''; fi\n"
	    "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	    "\t\tw=${COMP_WORDS[i]}\n"
	    "\t\tcase $w in");
	fputs("\t\t", stdout);
	for (i = 0; i < 2; i++)
		json_array_foreach(json_object_get(help, "options"), k, a) {
			const char *arg = str(a, "arg"), *letter = str(a, "letter");

			if (i == 0 && arg[0] != '\0' && arg[0] != '[')
				printf("%s%s%s%s", k == 0 ? "" : " | ", str(a, "name"),
				    letter[0] != '\0' ? " | " : "", letter);
		}
	puts(") i=$((i + 1)) ;;\n"
	     "\t\t-*) ;;\n"
	     "\t\t*) if [[ -z $command ]]; then command=$w; elif [[ -z $tool ]]; then "
	     "tool=$w; fi ;;\n"
	     "\t\tesac\n"
	     "\tdone\n"
	     "\tcase $key in\n"
	     "\tpath | directory) COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n"
	     "\tesac\n"
	     "\tcase $prev in");
	each_option(bash_value);
	puts("\tesac\n"
	     "\t[[ ${#COMPREPLY[@]} -eq 0 ]] || return\n"
	     "\tif [[ $cur == -* ]]; then\n"
	     "\t\tcase $command in");
	json_array_foreach(json_object_get(help, "commands"), i, c) {
		printf("\t\t%s) w='", str(c, "name"));
		options_words(json_object_get(c, "options"));
		puts("' ;;");
	}
	fputs("\t\t*) w='' ;;\n\t\tesac\n\t\tCOMPREPLY=($(compgen -W \"$w", stdout);
	options_words(json_object_get(help, "options"));
	puts("\" -- \"$cur\"))\n"
	     "\telif [[ -z $command ]]; then");
	fputs("\t\tCOMPREPLY=($(compgen -W '", stdout);
	json_array_foreach(json_object_get(help, "commands"), i, c)
		printf("%s%s", i > 0 ? " " : "", str(c, "name"));
	puts("' -- \"$cur\"))\n"
	     "\telif [[ $command == call || $command == power ]]; then\n"
	     "\t\tcase $tool in");
	fputs("\t\t'') w='", stdout);
	json_array_foreach(json_object_get(help, "tools"), i, t)
		printf("%s%s", i > 0 ? " " : "", str(t, "name"));
	puts("' ;;");
	json_array_foreach(json_object_get(help, "tools"), i, t) {
		printf("\t\t%s) w='", str(t, "name"));
		json_array_foreach(json_object_get(t, "args"), k, a)
			printf("%s%s=", k > 0 ? " " : "", json_string_value(a));
		puts("'; compopt -o nospace ;;");
	}
	puts("\t\t*) w='' ;;\n"
	     "\t\tesac\n"
	     "\t\tCOMPREPLY=($(compgen -W \"$w\" -- \"$cur\"))\n"
	     "\tfi\n"
	     "}\n"
	     "complete -F _bb bb");
}

/* --- zsh ------------------------------------------------------------------------ */

/* A spec of _arguments: brackets and colons of our sentences are escaped. */
static void
zsh_says(const char *s)
{
	for (; *s != '\0'; s++) {
		if (*s == '\'')
			fputs("'\\''", stdout);
		else if (*s == '[' || *s == ']' || *s == ':')
			printf("\\%c", *s);
		else
			putchar(*s);
	}
}

static void
zsh_one(const char *name, const json_t *o)
{
	const char *words, *kind = value_of(o, &words), *arg = str(o, "arg");

	printf("\t\t'*%s", name);
	if (arg[0] == '[')
		fputs("=-", stdout);
	else if (arg[0] != '\0' && name[1] == '-')
		putchar('=');
	putchar('[');
	zsh_says(str(o, "says"));
	putchar(']');
	if (arg[0] == '[')
		fputs("::path:_files", stdout);
	else if (arg[0] != '\0') {
		putchar(':');
		zsh_says(arg);
		putchar(':');
		if (strcmp(kind, "words") == 0)
			printf("(%s)", words);
		else if (strcmp(kind, "none") != 0)
			fputs(strcmp(kind, "dir") == 0 ? "_files -/" : "_files", stdout);
	}
	puts("'");
}

static void
zsh_option(const char *command, const json_t *o)
{
	const char *letter = str(o, "letter");

	(void)command;
	zsh_one(str(o, "name"), o);
	if (letter[0] != '\0' && strcmp(letter, str(o, "name")) != 0)
		zsh_one(letter, o);
}

static void
zsh_described(const char *list, const char *says)
{
	json_t *v;
	size_t i;

	json_array_foreach(json_object_get(help, list), i, v) {
		printf("\t\t\t'%s:", str(v, "name"));
		zsh_says(str(v, says));
		puts("'");
	}
}

static void
zsh(void)
{
	json_t *c, *o, *t, *a;
	size_t i, k;

	puts("#compdef bb");
	remark();
	puts("_bb() {\n"
	     "\tlocal -a options commands tools\n"
	     "\tlocal curcontext=$curcontext state line command tool w\n"
	     "\tlocal -A opt_args\n"
	     "\tlocal -i at\n"
	     "\toptions=(");
	json_array_foreach(json_object_get(help, "options"), i, o)
		zsh_option("", o);
	puts("\t)\n"
	     "\tfor ((at = 2; at < CURRENT; at++)); do\n"
	     "\t\tw=${words[at]}\n"
	     "\t\tcase $w in");
	json_array_foreach(json_object_get(help, "options"), i, o) {
		const char *arg = str(o, "arg"), *letter = str(o, "letter");

		if (arg[0] != '\0' && arg[0] != '[')
			printf("\t\t%s%s%s) at+=1 ;;\n", str(o, "name"),
			    letter[0] != '\0' ? "|" : "", letter);
	}
	puts("\t\t-*) ;;\n"
	     "\t\t*) if [[ -z $command ]]; then command=$w; elif [[ -z $tool ]]; then "
	     "tool=$w; fi ;;\n"
	     "\t\tesac\n"
	     "\tdone\n"
	     "\tcase $command in");
	json_array_foreach(json_object_get(help, "commands"), i, c) {
		if (json_array_size(json_object_get(c, "options")) == 0)
			continue;
		printf("\t%s) options+=(\n", str(c, "name"));
		json_array_foreach(json_object_get(c, "options"), k, o)
			zsh_option("", o);
		puts("\t\t) ;;");
	}
	puts("\tesac\n"
	     "\t_arguments -C -S \"$options[@]\" '*: :->word' && return\n"
	     "\t[[ $state == word ]] || return\n"
	     "\tif [[ -z $command ]]; then\n"
	     "\t\tcommands=(");
	zsh_described("commands", "says");
	puts("\t\t)\n"
	     "\t\t_describe command commands\n"
	     "\telif [[ $command == (call|power) && -z $tool ]]; then\n"
	     "\t\ttools=(");
	zsh_described("tools", "title");
	puts("\t\t)\n"
	     "\t\t_describe tool tools\n"
	     "\telif [[ $command == (call|power) && $PREFIX == (path|directory)=* ]]; "
	     "then\n"
	     "\t\tcompset -P '*='\n"
	     "\t\t_files\n"
	     "\telif [[ $command == (call|power) ]]; then\n"
	     "\t\tcase $tool in");
	json_array_foreach(json_object_get(help, "tools"), i, t) {
		printf("\t\t%s) compadd -S '' --", str(t, "name"));
		json_array_foreach(json_object_get(t, "args"), k, a)
			printf(" %s=", json_string_value(a));
		puts(" ;;");
	}
	puts("\t\tesac\n"
	     "\tfi\n"
	     "}\n"
	     "_bb \"$@\"");
}

/* --- fish ----------------------------------------------------------------------- */

static void
fish_option(const char *command, const json_t *o)
{
	const char *words, *kind = value_of(o, &words), *arg = str(o, "arg"),
	                   *name = str(o, "name"), *letter = str(o, "letter");

	fputs("complete -c bb", stdout);
	if (command[0] != '\0')
		printf(" -n '__fish_seen_subcommand_from %s'", command);
	if (name[1] == '-')
		printf(" -l %s", name + 2);
	if (letter[0] != '\0')
		printf(" -s %c", letter[1]);
	if (arg[0] != '\0' && arg[0] != '[') {
		fputs(strcmp(kind, "file") == 0 ? " -r -F" : " -x", stdout);
		if (strcmp(kind, "words") == 0)
			printf(" -a '%s'", words);
		else if (strcmp(kind, "dir") == 0)
			fputs(" -a '(__fish_complete_directories)'", stdout);
	}
	fputs(" -d ", stdout);
	quoted(str(o, "says"), true);
	putchar('\n');
}

static void
fish(void)
{
	json_t *c, *t, *a;
	size_t i, k;

	remark();
	puts("complete -c bb -f");
	each_option(fish_option);
	json_array_foreach(json_object_get(help, "commands"), i, c) {
		printf("complete -c bb -n __fish_use_subcommand -a %s -d ",
		    str(c, "name"));
		quoted(str(c, "says"), true);
		putchar('\n');
	}
	json_array_foreach(json_object_get(help, "tools"), i, t) {
		fputs(
		    "complete -c bb -n '__fish_seen_subcommand_from call power; and not "
		    "__fish_seen_subcommand_from",
		    stdout);
		json_array_foreach(json_object_get(help, "tools"), k, a)
			printf(" %s", str(a, "name"));
		printf("' -a %s -d ", str(t, "name"));
		quoted(str(t, "title"), true);
		putchar('\n');
		json_array_foreach(json_object_get(t, "args"), k, a)
			printf("complete -c bb -n '__fish_seen_subcommand_from %s' -a "
			       "'%s='\n",
			    str(t, "name"), json_string_value(a));
	}
}

/* --- bb-audit: options and helpers, no commands --------------------------------- */

/* The words of a list of strings. */
static void
names(const char *list)
{
	json_t *v;
	size_t i;

	json_array_foreach(json_object_get(help, list), i, v)
		printf("%s%s", i > 0 ? " " : "", json_string_value(v));
}

/* What an option's value is: "helpers", "tools", or NULL for a file. */
static const char *
audit_list(const char *arg)
{
	if (strcmp(arg, "HELPER") == 0)
		return "helpers";
	return strcmp(arg, "TOOL") == 0 ? "tools" : NULL;
}

static void
audit_bash(void)
{
	json_t *o;
	size_t i;

	remark();
	puts(
	    "# shellcheck shell=bash disable=SC2207\n"
	    "_bb_audit() {\n"
	    "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} w\n"
	    "\tcase $prev in");
	json_array_foreach(json_object_get(help, "options"), i, o) {
		const char *arg = str(o, "arg"), *list = audit_list(arg);

		if (arg[0] == '\0')
			continue;
		printf("\t%s) ", str(o, "name"));
		if (list != NULL) {
			fputs("w='", stdout);
			names(list);
			puts("' ;;");
		} else
			puts("COMPREPLY=($(compgen -f -- \"$cur\")); return ;;");
	}
	fputs("\t*) if [[ $cur == -* ]]; then w='", stdout);
	options_words(json_object_get(help, "options"));
	fputs("'; else w='", stdout);
	names("helpers");
	puts("'; fi ;;\n"
	     "\tesac\n"
	     "\tCOMPREPLY=($(compgen -W \"$w\" -- \"$cur\"))\n"
	     "}\n"
	     "complete -F _bb_audit bb-audit");
}

static void
audit_zsh(void)
{
	json_t *o;
	size_t i;

	puts("#compdef bb-audit");
	remark();
	fputs("_arguments -S", stdout);
	json_array_foreach(json_object_get(help, "options"), i, o) {
		const char *arg = str(o, "arg"), *list = audit_list(arg);

		printf(" \\\n\t'%s[", str(o, "name"));
		zsh_says(str(o, "says"));
		putchar(']');
		if (arg[0] != '\0') {
			printf(":%s:", arg);
			if (list != NULL) {
				putchar('(');
				names(list);
				putchar(')');
			} else
				fputs("_files", stdout);
		}
		putchar('\'');
	}
	fputs(" \\\n\t'*:helper:(", stdout);
	names("helpers");
	puts(")'");
}

static void
audit_fish(void)
{
	json_t *o;
	size_t i;

	remark();
	fputs("complete -c bb-audit -f -a '", stdout);
	names("helpers");
	puts("'");
	json_array_foreach(json_object_get(help, "options"), i, o) {
		const char *arg = str(o, "arg"), *list = audit_list(arg),
		           *name = str(o, "name");

		printf("complete -c bb-audit -l %s", name[0] == '-' ? name + 2 : name);
		if (list != NULL) {
			fputs(" -x -a '", stdout);
			names(list);
			putchar('\'');
		} else if (arg[0] != '\0')
			fputs(" -r -F", stdout);
		fputs(" -d ", stdout);
		quoted(str(o, "says"), true);
		putchar('\n');
	}
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*of_bb)(void), (*of_audit)(void);
	} shells[] = {{"bash", bash, audit_bash}, {"zsh", zsh, audit_zsh},
	    {"fish", fish, audit_fish}};

	if (argc == 2 && (help = json_loadf(stdin, 0, NULL)) != NULL) {
		for (size_t i = 0; i < sizeof(shells) / sizeof(*shells); i++)
			if (strcmp(argv[1], shells[i].name) == 0) {
				if (strcmp(str(help, "program"), "bb-audit") == 0)
					shells[i].of_audit();
				else
					shells[i].of_bb();
				json_decref(help);
				return ferror(stdout) != 0;
			}
	}
	fputs("usage: completions bash|zsh|fish <help.json\n", stderr);
	return 2;
}
