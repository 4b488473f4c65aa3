# One bb call under strace: what the helper opens after its filter is on, and which
# descriptors it has when it says READY.
. "${BB_TOP:?}/tests/lib.sh"
strace -f -o /dev/null true 2>/dev/null || {
	echo "1..0 # SKIP no strace, or ptrace is refused here"
	exit 0
}
echo SEEN >"$WS/f"
mkdir "$WS/dir"
echo x >"$WS/dir/inner"
run() {
	tool=$1
	shift
	rm -f "$T"/tr*
	strace -ff -y -v -s 64 -o "$T/tr" "$BIN/bb" -C "$WS" --trust call "$tool" "$@" >"$T/out" 2>"$T/err"
	# The helper is who puts a filter on. An ordinary user's strace may see its calls
	# and not its memory: then words and paths are missing.
	H=$(grep -lE '^(seccomp\(|prctl\(PR_SET_SECCOMP)' "$T"/tr.* | tail -n 1)
	seen=$([ -n "$H" ] && grep -qE '^execve(at)?\(.*(bb-read|bb-list)' "$H" && echo yes)
}
run read_file path=f
has "$(cat "$T/out")" SEEN "the call works under strace"
ok "$([ -n "$H" ]; echo $?)" "the helper is seen"
[ -n "$H" ] || {
	done_testing
	exit
}
sed -n '1,/^seccomp(SECCOMP_SET_MODE_FILTER\|^prctl(PR_SET_SECCOMP/p' "$H" >"$T/before"
sed '1,/^seccomp(SECCOMP_SET_MODE_FILTER\|^prctl(PR_SET_SECCOMP/d' "$H" >"$T/after"
ok "$([ -s "$T/after" ]; echo $?)" "it puts a filter on"
for c in open openat openat2 creat socket connect execve clone fork vfork mount ptrace dup fcntl; do
	grep -qE "^$c\(" "$T/after"
	ok "$([ $? -ne 0 ]; echo $?)" "no $c after the filter"
done
is "$(cut -d '(' -f 1 "$T/after" | sort -u | grep -vxE 'read|pread64|write|fstat|brk|mmap|munmap|mremap|mprotect|madvise|exit_group|\+\+\+.*|---.*' | tr '\n' ' ')" \
	"" "nothing but the calls of its page"
has "$(cat "$T/before")" "close_range(5" "every descriptor above its page's is closed"
# READY is the first write to its standard output.
grep -n '^write(1' "$T/after" | head -n 1 | grep -q .
ok $? "READY comes after the filter, none before it"
grep -q '^write(1' "$T/before"
ok "$([ $? -ne 0 ]; echo $?)" "and nothing was said before"
matches() {
	if [ -z "$seen" ]; then skip "$3" "strace may not look into the helper"; else
		printf '%s\n' "$1" | grep -qE "$2"
		ok $? "$3"
	fi
}
matches "$(cat "$T/after")" '^read\(3<.*/ws/f>' "descriptor 3 is the file"
matches "$(cat "$T/after")" '^write\(4<[^>]*memfd|^write\(4</memfd' "descriptor 4 is memory"
# Its environment and words.
matches "$(grep -hE '^execve(at)?\(' "$H")" '\[\](, AT_EMPTY_PATH|, 0x[0-9a-f]+ /\* 0 vars \*/)?' "its environment is empty"

# The descriptors themselves, of a helper that waits for its CALL: frame plays bb.
if [ -x "$BIN/frame" ] && [ -d /proc/self/fd ]; then
	mkfifo "$T/hold"
	(exec 8</etc/passwd 9<"$WS"; exec "$BIN/bb-read" <"$T/hold" 3<"$WS/f" 4>"$T/slot" >"$T/ready" 2>/dev/null) &
	pid=$!
	exec 7>"$T/hold"
	i=0
	while [ ! -s "$T/ready" ] && [ $i -lt 200 ]; do
		sleep 0.05
		i=$((i + 1))
	done
	fds=$(ls "/proc/$pid/fd" 2>/dev/null | sort -n | tr '\n' ' ')
	if [ -n "$fds" ]; then
		is "$fds" "0 1 2 3 4 " "at READY its descriptors are those of the page"
	else
		skip "at READY its descriptors are those of the page" "a process that is not dumpable hides them from its owner"
	fi
	exec 7>&-
	wait $pid
fi

run list_files
has "$(cat "$T/out")" dir/inner "a listing works under strace"
sed '1,/^seccomp(SECCOMP_SET_MODE_FILTER\|^prctl(PR_SET_SECCOMP/d' "$H" >"$T/after"
lacks "$(grep -E '^open' "$T/after" | grep -v 'O_RDONLY|O_NOFOLLOW|O_CLOEXEC|O_DIRECTORY')" "open" \
	"bb-list opens directories and nothing else"
if [ -n "$seen" ]; then
	lacks "$(grep -E '^openat\(' "$T/after" | grep -vE '^openat\([0-9]+<.*/ws[/>]')" open \
		"each of them beneath what it was given"
fi
for c in stat newfstatat statx readlink readlinkat openat2 socket; do
	grep -qE "^$c\(" "$T/after"
	ok "$([ $? -ne 0 ]; echo $?)" "bb-list makes no $c"
done
done_testing
