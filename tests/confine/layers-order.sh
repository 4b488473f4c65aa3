# The order of the layers, as strace sees it: the filter is the last thing put on, and
# nothing of the request is read before it.
. "$BB_TOP/tests/lib.sh"
if ! command -v strace >/dev/null 2>&1; then
	skip 'the order of the layers' 'no strace'
	done_testing
	exit
fi
if ! strace -o "$T/try" true 2>/dev/null || [ ! -s "$T/try" ]; then
	skip 'the order of the layers' 'nothing may be traced here'
	done_testing
	exit
fi
touch "$WS/file" "$T/scope"
mkdir "$WS/dir"
"$BIN/frame" call >"$T/call"
"$BIN/frame" call list_files >"$T/call-list"
strace -f -o "$T/read" "$BIN/bb-read" <"$T/call" 3<"$WS/file" 4>"$T/slot" >"$T/out" 2>"$T/err" 9>"$T/leak"
is $? 0 'bb-read under strace'
strace -f -o "$T/list" "$BIN/bb-list" <"$T/call-list" 3<"$WS" 4>"$T/slot" 5<"$T/scope" >"$T/out" 2>"$T/err"
is $? 0 'bb-list under strace'

for h in read list; do
	# the calls, in order, without the number of the process
	sed 's/^[0-9]* *//; s/(.*//' "$T/$h" >"$T/$h.calls"
	sed 's/^[0-9]* *//' "$T/$h" | awk '/^seccomp\(SECCOMP_SET_MODE_FILTER/ { on = 1; next } on' >"$T/$h.after"
	sed 's/^[0-9]* *//' "$T/$h" | awk '/^seccomp\(SECCOMP_SET_MODE_FILTER/ { exit } 1' >"$T/$h.before"
	is "$(sed 's/(.*//' "$T/$h.after" | grep -vxE 'read|write|fstat|openat|getdents64|close|mmap|munmap|mremap|mprotect|madvise|brk|exit_group|\+\+\+ exited with 0 \+\+\+')" \
		'' "bb-$h: no set-up after the filter"
	is "$(grep -c '^read(0' "$T/$h.before")" 0 "bb-$h: no byte of the request before it"
	is "$(grep -cE '^(read|pread64)\((3|5)' "$T/$h.before")" 0 "bb-$h: nor of what it was given"
	is "$(grep -vE "^(mmap|munmap|mprotect|brk|madvise)" "$T/$h.after" | head -1 | cut -c1-8)" 'write(1,' "bb-$h: READY is the first thing after it"
	order=$(awk '
	/^close_range\(/ { print "close" }
	/^prctl\(PR_SET_PDEATHSIG, SIGKILL/ { print "death" }
	/^prctl\(PR_SET_DUMPABLE, SUID_DUMP_DISABLE|^prctl\(PR_SET_DUMPABLE, 0/ { print "dump" }
	/RLIMIT_(CORE|FSIZE|AS|CPU|MEMLOCK|MSGQUEUE|NPROC), [^N]/ { if (!l++) print "limits" }
	/^prctl\(PR_SET_NO_NEW_PRIVS/ { print "nnp" }
	/^landlock_restrict_self|^syscall_0x1be/ { print "landlock" }
	/RLIMIT_NOFILE, [^N]/ { print "nofile" }
	/^capset/ { print "caps" }' "$T/$h.before" | tr '\n' ' ')
	case $order in
	*landlock*) want='close death dump limits nnp landlock nofile caps ' ;;
	*) want='close death dump limits nnp nofile caps ' ;;
	esac
	is "$order" "$want" "bb-$h: the order"
done
is "$(sed 's/(.*//' "$T/read.after" | grep -cE '^(openat|getdents64|close)$')" 0 'bb-read opens nothing'
is "$(grep '^openat' "$T/list.after" | grep -cv 'O_RDONLY|O_NOFOLLOW|O_CLOEXEC|O_DIRECTORY')" 0 \
	'bb-list opens directories only'
done_testing
