# Every command, option, tool, argument and exit code of bb's tables is in --help, in the
# manual page and in the three completions; and the manual names no option that is not
# in the tables.
. "${BB_TOP:?}/tests/lib.sh"
need() {
	command -v "$1" >/dev/null 2>&1 || {
		echo "1..0 # SKIP no $1"
		exit 0
	}
}
need jq
need mandoc

J=$T/help.json
"$BIN/bb" help --json >"$J"
ok $? "bb help --json"
"$BIN/bb" --help --json | cmp -s - "$J"
ok $? "bb --help --json is the same"
"$BIN/bb" --help >"$T/help"
ok $? "bb --help"
"$BIN/bb" help | cmp -s - "$T/help"
ok $? "bb help is the same"
mandoc -Tutf8 -O width=400 "$BB_TOP/bin/bb/bb.1" | sed 's/.\x08//g' >"$T/man"
for s in bash zsh fish; do
	cp "$BB_BUILD/completions/bb.$s" "$T/$s"
	ok $? "completions for $s were made"
done
bash -n "$T/bash" 2>"$T/err"
ok $? "bash takes its completions"

# in_all WHAT PATTERN…: an extended expression for each of: help, man, bash, zsh, fish.
in_all() {
	what=$1
	shift
	missing=
	for f in help man bash zsh fish; do
		grep -qE -e "$1" "$T/$f" || missing="$missing $f"
		[ $# -eq 1 ] || shift
	done
	is "$missing" "" "$what is in help, manual and completions"
}

jq -r '.commands[].name' "$J" >"$T/commands"
while read -r c; do
	in_all "command $c" "(^| )$c( |$)" "(^| )$c( |$)" "[ ']${c}[ ']" "'$c:" " -a $c "
done <"$T/commands"

jq -r '(.options[], .commands[].options[]) | [.name, (.letter // "")] | @tsv' "$J" |
	sort -u >"$T/options"
while IFS="$(printf '\t')" read -r name letter; do
	case $name in
	--*) in_all "option $name" "$name([ =,[]|$)" "$name([ =,[]|$)" "${name}[ '|)\"]" "\\*${name}[=[]" " -l ${name#--}( |$)" ;;
	esac
	[ -z "$letter" ] ||
		in_all "option $letter" "$letter([ ,]|$)" "$letter([ ,]|$)" "${letter}[ '|)\"]" "\\*$letter\\[" " -s ${letter#-}( |$)"
done <"$T/options"

jq -r '.tools[].name' "$J" >"$T/tools"
while read -r tool; do
	in_all "tool $tool" "(^| )$tool( |$)" "(^| )$tool( |$)" "[ ']${tool}[ ')]" "'$tool:" " -a $tool "
	for a in $(jq -r --arg t "$tool" '.tools[] | select(.name == $t) | .args[]' "$J"); do
		in_all "argument $tool $a" "$tool .*[ :]$a( |$)" "^ *$a( |$)" "$tool\\).*[ ']$a=" \
			"$tool\\).* $a=" "from $tool' -a '$a='"
	done
done <"$T/tools"

# A sentence of the exit table is the same everywhere.
jq -r '.exit[] | [.code, .says] | @tsv' "$J" >"$T/exit"
while IFS="$(printf '\t')" read -r code says; do
	in_all "exit code $code" "^ *$code +$says$" "^ *$code +$says$" "^# +$code $says$"
done <"$T/exit"
n_exit=$(wc -l <"$T/exit")
ok "$([ "$n_exit" -ge 8 ]; echo $?)" "the table has all exit codes"

jq -r '.typed[].name' "$J" >"$T/typed"
while read -r c; do
	grep -qE "^ *$c( |$)" "$T/man"
	ok $? "typed command $c is in the manual"
done <"$T/typed"

# The other way round.
unknown=
for o in $(grep -oE '(^| |,|\[)--[a-z][a-z-]+' "$T/man" | grep -oE -- '--[a-z-]+' | sort -u); do
	cut -f 1 "$T/options" | grep -qx -- "$o" || unknown="$unknown $o"
done
is "$unknown" "" "the manual names no option that is not there"

# Every option is taken or refused for its value, never unknown.
unknown=
cut -f 1 "$T/options" | while read -r o; do
	"$BIN/bb" "$o" 2>&1 </dev/null >/dev/null | grep 'unknown option'
done >"$T/err" 2>&1
is "$(cat "$T/err")" "" "every option of the table is known to the parser"
"$BIN/bb" --no-such-option 2>"$T/err"
is "$?" 2 "an unknown option is wrong use"
has "$(cat "$T/err")" "--no-such-option" "and is named"
"$BIN/bb" no-such-command 2>"$T/err"
is "$?" 2 "an unknown command is wrong use"
"$BIN/bb" drive --by-hand 2>"$T/err" </dev/null
is "$?" 2 "an option of another command is wrong use"
"$BIN/bb" --workspace 2>"$T/err"
is "$?" 2 "an option without its value is wrong use"
"$BIN/bb" --json=1 help 2>"$T/err"
is "$?" 2 "a value that does not belong is wrong use"
is "$("$BIN/bb" --version)" "bb $(jq -r .version "$J")" "--version and the table agree"
# Before or after the command.
printf 'one\n' >"$WS/a"
is "$("$BIN/bb" -C "$WS" --trust call read_file path=a --json --select .status)" '"ok"' \
	"options after the command"
is "$("$BIN/bb" --json --select=.status -C "$WS" --trust call read_file path=a)" '"ok"' \
	"options before the command"

# Completion in bash, as bash calls it.
complete_bash() {
	bash --norc -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		compopt() { :; }; _bb; printf "%s\n" "${COMPREPLY[@]}"' bash "$T/bash" "$@" | tr '\n' ' '
}
has " $(complete_bash bb '')" " call " "bash: commands"
is "$(complete_bash bb call read)" "read_file read_output " "bash: tools"
has "$(complete_bash bb call read_file '')" "path_ref= " "bash: arguments of a tool"
has "$(complete_bash bb --trust call read_file o)" "offset= " "bash: after an option"
has "$(complete_bash bb -C / call list_files '')" "pattern= " "bash: after an option with a value"
is "$(complete_bash bb --color '')" "auto always never " "bash: values"
has "$(complete_bash bb log --)" "--verify " "bash: options of the command"
lacks "$(complete_bash bb call --)" "--verify " "bash: not those of another one"
if command -v zsh >/dev/null 2>&1; then
	zsh -n "$T/zsh"
	ok $? "zsh takes its completions"
else
	skip "zsh takes its completions" "no zsh"
fi
if command -v fish >/dev/null 2>&1; then
	fish -n "$T/fish"
	ok $? "fish takes its completions"
	complete_fish() {
		fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$T/fish" "$1" | cut -f 1 | tr '\n' ' '
	}
	is "$(complete_fish 'bb call read')" "read_file read_output " "fish: tools"
	is "$(complete_fish 'bb call read_file p')" "path= path_ref= " "fish: arguments of a tool"
	is "$(complete_fish 'bb log --veri')" "--verify " "fish: options of the command"
	is "$(complete_fish 'bb --color ')" "always auto never " "fish: values"
else
	skip "fish takes its completions" "no fish"
fi

# bb-audit, the other program people type.
"$BIN/bb-audit" --help --json >"$T/audit.json"
ok $? "bb-audit --help --json"
"$BIN/bb-audit" --help >"$T/help"
ok $? "bb-audit --help"
mandoc -Tutf8 -O width=400 "$BB_TOP/bin/bb-audit/bb-audit.8" | sed 's/.\x08//g' >"$T/man"
for s in bash zsh fish; do
	cp "$BB_BUILD/completions/bb-audit.$s" "$T/$s"
	ok $? "bb-audit's completions for $s were made"
done
bash -n "$T/bash" 2>"$T/err"
ok $? "bash takes bb-audit's completions"
jq -r '.options[].name' "$T/audit.json" >"$T/options"
while read -r o; do
	in_all "bb-audit $o" "^ *$o " "^ *$o( |$)" "[ ']${o}[ ')]" "'${o}\\[" " -l ${o#--} "
	"$BIN/bb-audit" --no-such "$o" 2>"$T/err" >/dev/null
	is "$?" 2 "bb-audit $o with an unknown option is wrong use"
done <"$T/options"
jq -r '.helpers[]' "$T/audit.json" >"$T/helpers"
is "$(cat "$T/helpers")" "$(jq -r '.tools[].helper' "$J" | grep -v null |
	awk '!seen[$0]++')" "bb-audit knows every helper of bb's table"
while read -r h; do
	in_all "bb-audit's $h" "" "$h" "[ ']${h}[ ']" "[( ]${h}[ )]" "[' ]${h}[ ']"
done <"$T/helpers"
jq -r '.exit[] | [.code, .says] | @tsv' "$T/audit.json" >"$T/exit"
while IFS="$(printf '\t')" read -r code says; do
	in_all "bb-audit's exit code $code" "^ *$code +$says$" "^ *$code +$says$" "^# +$code $says$"
done <"$T/exit"
unknown=
for o in $(grep -oE '(^| |,|\[)--[a-z][a-z-]+' "$T/man" | grep -oE -- '--[a-z-]+' | sort -u); do
	grep -qx -- "$o" "$T/options" || unknown="$unknown $o"
done
is "$unknown" "" "bb-audit's manual names no option that is not there"
complete_audit() {
	bash --norc -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_bb_audit; printf "%s\n" "${COMPREPLY[@]}"' bash "$T/bash" "$@" | tr '\n' ' '
}
is "$(complete_audit bb-audit bb-r)" "bb-read " "bash: a helper"
is "$(complete_audit bb-audit --show bb-l)" "bb-list " "bash: a helper as a value"
is "$(complete_audit bb-audit --trace read)" "read_file " "bash: a tool as a value"
is "$(complete_audit bb-audit --str)" "--strict " "bash: an option of bb-audit"
if command -v zsh >/dev/null 2>&1; then
	zsh -n "$T/zsh"
	ok $? "zsh takes bb-audit's completions"
else
	skip "zsh takes bb-audit's completions" "no zsh"
fi
if command -v fish >/dev/null 2>&1; then
	is "$(complete_fish 'bb-audit --show bb-r')" "bb-read " "fish: a helper as a value"
else
	skip "fish: a helper as a value" "no fish"
fi
done_testing
