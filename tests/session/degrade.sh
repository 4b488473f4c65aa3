# What is missing in older kernels and in containers, one call at a time, by a filter
# around all of bb (confinement-notes 6): what goes on as before, what is refused, in
# which words, and that nothing is then shown.
. "${BB_TOP:?}/tests/lib.sh"
MASK=${BB_MASK:-$BB_BUILD/tests/session/degrade-mask}
if ! [ -x "$MASK" ] || ! "$MASK" -- /bin/true; then
	echo "1..0 # SKIP no filter can be put around a program here"
	exit 0
fi
mkdir -p "$WS/dir" "$T/out"
echo SEEN >"$WS/f"
echo SEEN >"$WS/dir/inner"
echo S3CRET >"$T/out/s"
ln -s "$T/out/s" "$WS/lout"
ln -s "$T/out" "$WS/ldout"
ln -s f "$WS/lin"
ln -s loop "$WS/loop"
# M RULE... -- PROGRAM WORD..., bb RULES WORD...
M() { "$MASK" "$@" 2>"$T/err"; }
bb() {
	rules=$1
	shift
	# shellcheck disable=SC2086
	M $rules -- "$BIN/bb" -C "$WS" --trust "$@"
}
works() {
	has "$(bb "$1" call read_file path=f)" SEEN "$1: read_file works"
	has "$(bb "$1" call list_files)" dir/inner "$1: list_files works"
}

# Nothing that a pure helper needs.
for r in close_range=ENOSYS close_range=EPERM pidfd_open=ENOSYS pidfd_send_signal=ENOSYS \
	clone3=ENOSYS 'memfd_create/1&0x18=EINVAL' statx=ENOSYS \
	"close_range=ENOSYS pidfd_open=ENOSYS openat2=ENOSYS memfd_create/1&0x18=EINVAL"; do
	works "$r"
done

# openat2: the walk by hand keeps the same walls.
for r in openat2=ENOSYS openat2=EPERM; do
	works "$r"
	has "$(bb $r call read_file path=lin)" SEEN "$r: a link inside"
	has "$(bb $r call read_file path=dir/../f)" "refused: " "$r: climbing is refused"
	for p in lout ldout/s loop ../out/s "$T/out/s" /etc/passwd; do
		out=$(bb $r call read_file "path=$p")
		has "$out" "refused: '$p' is outside the workspace" "$r: $p"
		lacks "$out" S3CRET "$r: $p shows nothing"
	done
	has "$(bb $r call list_files directory=ldout)" "refused: " "$r: a linked directory out"
done

# No Landlock: bb-read opens nothing and loses nothing; bb-list could open any directory.
for e in ENOSYS EOPNOTSUPP EPERM; do
	r=landlock_create_ruleset=$e
	has "$(bb $r call read_file path=f)" SEEN "no Landlock ($e): read_file loses nothing"
	lacks "$(bb $r call read_file path=lout)" S3CRET "no Landlock ($e): and keeps its walls"
	out=$(bb $r call list_files)
	rc=$?
	lacks "$out" inner "no Landlock ($e): list_files shows nothing"
	has "$out" "Landlock is not enabled" "no Landlock ($e): and says why"
	has "$out" "--weaker=landlock" "no Landlock ($e): and what would allow it"
	ok "$([ $rc -ne 0 ]; echo $?)" "no Landlock ($e): not a success"
	has "$(bb "$r" --weaker=landlock call list_files)" dir/inner "no Landlock ($e): --weaker=landlock lists"
	has "$(printf '{"id":0,"hello":1}\n' | bb $r --weaker=landlock drive)" '"files":"weaker"' \
		"no Landlock ($e): and bb says that it is weaker"
	# A tree trusted in parts rests on Landlock alone: its label cannot.
	out=$("$MASK" $r -- "$BIN/bb" -C "$WS" --trust=dir --weaker=landlock call list_files 2>&1)
	lacks "$out" lout "no Landlock ($e): weaker, split: no distrusted name"
done

# No seccomp: no helper gets a request, nothing allows it.
for r in seccomp=EINVAL seccomp=EPERM seccomp=ENOSYS; do
	for w in "" --weaker=landlock; do
		# shellcheck disable=SC2086
		out=$(bb "$r" $w call read_file path=f)
		rc=$?
		lacks "$out" SEEN "no seccomp ($r $w): read_file shows nothing"
		has "$out" "it was given no request" "no seccomp ($r $w): it is refused before CALL"
		has "$out" "seccomp" "no seccomp ($r $w): and named"
		ok "$([ $rc -ne 0 ]; echo $?)" "no seccomp ($r $w): not a success"
		# shellcheck disable=SC2086
		out=$(bb "$r" $w call list_files)
		lacks "$out" inner "no seccomp ($r $w): list_files shows nothing"
		has "$out" "it was given no request" "no seccomp ($r $w): refused before CALL"
	done
	M $r -- "$BIN/bb" -C "$WS" --trust --trace frames call read_file path=f >"$T/out1"
	has "$(cat "$T/err")" "type 1 " "no seccomp ($r): READY came"
	lacks "$(cat "$T/err")" "type 2 " "no seccomp ($r): no CALL was sent"
done
# Limits and capabilities.
out=$(bb prlimit64=EPERM call read_file path=f)
lacks "$out" SEEN "limits refused: nothing is shown"
has "$out" limits "limits refused: the layer is named"
done_testing
