# scripts/setup.sh: what is missing is named, asked for and installed, or refused with 75;
# nothing is asked of a package manager when nothing is missing. The repository's path
# holds a blank and a letter that is not ASCII; programs of the system are stood in for.
. "${BB_TOP:?}/tests/lib.sh"
R="$T/a b é/repo"
F=$T/fake
mkdir -p "$R/scripts" "$F"
cp "$BB_TOP/scripts/setup.sh" "$R/scripts/"
cat >"$R/scripts/debian-packages" <<'END'
# a comment
build  one    cmd:bb-test-one                 the first
build  two    inc:bb-test/two.h|cmd:sh        there by its second probe
check  three  file:/nonexistent/*.a           only for the check
END
fake() {
	printf '#!/bin/sh\n%s\n' "$2" >"$F/$1"
	chmod +x "$F/$1"
}
# go CLASS…: sets rc and out.
go() {
	out=$(PATH="$F:/usr/bin:/bin" sh -c 'top=$1 me=run yes=
		shift; . "$top/scripts/setup.sh"; setup_packages "$@"' sh "$R" "$@" 2>&1 </dev/null)
	rc=$?
}
unset CI
fake apt-get "echo \"\$*\" >>'$T/apt'; case \$* in *install*) printf '#!/bin/sh\n' >'$F/bb-test-one'; chmod +x '$F/bb-test-one';; esac"
fake id 'echo 0'
go build
is "$rc" 0 "as root what is missing is installed"
has "$out" "missing packages: one" "and named first"
lacks "$out" two "what any probe finds is there"
has "$(cat "$T/apt")" "install one" "only that"
rm -f "$T/apt"
go build
is "$rc" 0 "then nothing is missing"
is "$out" "" "nothing is said"
[ ! -e "$T/apt" ]
ok $? "and the package manager is left alone"

fake apt-get 'echo "no network" >&2; exit 100'
go build
is "$rc" 0 "an unreachable package manager does not matter when nothing is missing"
rm -f "$F/bb-test-one"
go build
is "$rc" 75 "it does when something is"
has "$out" "one" "the package is named"
has "$out" "no network" "and what the package manager said"

fake id 'echo 1000'
fake sudo "echo \"\$*\" >>'$T/sudo'; exit 1"
go build
is "$rc" 75 "a user whose sudo refuses"
has "$(cat "$T/sudo")" "apt-get" "sudo was tried, without a question"
has "$(cat "$T/sudo")" "-n" "and without a password prompt where nobody sits"
rm -f "$T/sudo"
go check
has "$out" "missing packages: three" "classes are told apart"
lacks "$out" "packages: one" "and only those named count"
rm -f "$F/sudo"
out=$(PATH="$F:$T/few" /bin/sh -c 'top=$1 me=run yes=
	. "$top/scripts/setup.sh"; setup_packages build' sh "$R" 2>&1 </dev/null)
is "$?" 75 "a user without sudo"
has "$out" "one" "is told the packages"
has "$out" "no sudo" "and why"

# A checkout that cannot be written.
if [ "$(id -u)" -eq 0 ]; then
	skip "a checkout of somebody else's is refused in words" "root can write everything"
else
	mkdir "$R/build"
	chmod 555 "$R/build"
	out=$(sh -c 'top=$1 me=run; . "$top/scripts/setup.sh"; setup_build all' sh "$R" 2>&1)
	is "$?" 75 "a checkout that cannot be written"
	has "$out" "cannot build" "is refused in words"
	chmod 755 "$R/build"
fi
for s in run check; do
	out=$("$BB_TOP/scripts/$s" --auto 2>&1)
	is "$?" 2 "$s --auto alone is wrong use"
done
done_testing
