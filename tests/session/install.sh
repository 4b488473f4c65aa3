# make install puts everything where it belongs, what is installed runs from there, and
# make uninstall takes exactly that away. The prefix holds a blank and a letter that is
# not ASCII.
. "${BB_TOP:?}/tests/lib.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL
variant=${BB_BUILD#"$BB_TOP/build"}
case $variant in
/san*)
	echo "1..0 # SKIP a sanitizer build is never installed"
	exit 0
	;;
esac
D="$T/a b é"
make_() { make -s -C "$BB_TOP" BVARIANT="$variant" PREFIX=/opt/bb "DESTDIR=$D" "$@" >"$T/log" 2>&1; }
make_ install
rc=$?
ok "$rc" "make install"
[ "$rc" -eq 0 ] || sed 's/^/# /' "$T/log"
P="$D/opt/bb"
for f in bin/bb bin/bb-audit libexec/bb/bb-read libexec/bb/bb-list libexec/bb/bb-search libexec/bb/bb-audit libexec/bb/frame; do
	[ -x "$P/$f" ]
	ok $? "$f can be run"
done
for f in share/man/man1/bb.1 share/man/man5/tool.5 share/man/man7/frame.7 share/man/man8/frame.8 \
	share/man/man8/bb-read.8 share/man/man8/bb-list.8 share/man/man8/bb-search.8 share/man/man8/bb-audit.8 \
	share/bash-completion/completions/bb share/zsh/site-functions/_bb \
	share/fish/vendor_completions.d/bb.fish share/bash-completion/completions/bb-audit \
	share/zsh/site-functions/_bb-audit share/fish/vendor_completions.d/bb-audit.fish; do
	[ -s "$P/$f" ]
	ok $? "$f is there"
done
is "$(find "$P" -perm /022 ! -type l)" "" "nothing others could write"
is "$(find "$P" -perm /6000)" "" "nothing set-id"

printf 'one\ntwo\n' >"$WS/notes.txt"
out=$(cd "$WS" && "$P/bin/bb" call --trust read_file path=notes.txt 2>"$T/err")
is "$?" 0 "the installed bb makes a call"
has "$out" "two" "with its installed helper"
out=$(cd "$WS" && "$P/bin/bb" doctor --json)
has "$out" '"digest_ok":true' "the installed helpers are those that were built"
has "$out" "$D/opt/bb/libexec/bb" "and are found beside bb"
"$P/libexec/bb/bb-read" "$WS/notes.txt" >"$T/page" 2>/dev/null
is "$?" 0 "the installed helper by hand"
"$P/bin/bb-audit" --show bb-read >"$T/show" 2>&1
is "$?" 0 "the linked bb-audit finds the helpers"

make_ uninstall
ok $? "make uninstall"
is "$(find "$D" ! -type d)" "" "leaves no file"
make_ uninstall
ok $? "make uninstall once more"
done_testing
