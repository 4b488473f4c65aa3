# For each layer, helpers built without it: bb refuses them before any request, names what
# is missing, and the session goes on. The helpers are real; only one line differs.
. "$BB_TOP/tests/lib.sh"
M=$T/m
mkdir -p "$M/bin" "$M/scripts" "$M/tests"
for f in Makefile libcommon policy; do cp -R "$BB_TOP/$f" "$M/$f"; done
cp "$BB_TOP"/scripts/mkpolicy*.[ch] "$BB_TOP"/scripts/*.mk "$M/scripts/"
for f in bb-read bb-list; do cp -R "$BB_TOP/bin/$f" "$M/bin/$f"; done
chmod -R u+w "$M"
printf 'hello\n' >"$WS/a.txt"
build() {
	(cd "$M" && make -s -j2 CI= EXTRA_CFLAGS=-O0 build/bin/bb-read build/bin/bb-list) >"$T/log" 2>&1 </dev/null
}
build
ok $? "the copy builds"
cp "$BIN/bb" "$M/build/bin/bb"
bb() { "$M/build/bin/bb" -C "$WS" --trust --approver none "$@" </dev/null 2>&1; }
has "$(bb call read_file path=a.txt)" hello "unchanged, it reads"
has "$(bb call list_files)" a.txt "and lists"

# without NAME TOOL SED WORD
without() {
	cp "$BB_TOP/libcommon/confine.c" "$T/was"
	sed "$3" "$T/was" >"$M/libcommon/confine.c"
	if cmp -s "$T/was" "$M/libcommon/confine.c"; then
		ok 1 "$1: the edit changed nothing"
		return
	fi
	build
	ok $? "$1: built without it"
	case $2 in read_file) set -- "$@" path=a.txt ;; *) set -- "$@" directory=. ;; esac
	out=$(bb call "$2" "$5")
	st=$?
	is $st 70 "$1: its status"
	has "$out" "was not confined as its page says, so it was given no request" "$1: refused"
	has "$out" "$4" "$1: what is missing is named"
	lacks "$out" hello "$1: nothing is shown"
	# The same session goes on: a second call is answered too.
	out=$(printf '{"id":1,"tool":"%s","args":{}}\n{"id":2,"hello":1}\n' list_files |
		"$M/build/bin/bb" -C "$WS" --trust --approver none drive 2>&1)
	has "$out" '"id":2,"status":"ok"' "$1: the session goes on"
}
C='if (fd_close_from(3 + (int)t->n_fds) == 0)'
without descriptors read_file "s/$C/if (false)/" descriptors
without dumpable read_file 's/if (dies \&\& prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0)/if (false \&\& dies)/' dumpable
without limits read_file 's/if (limits(t))/if (limits(t) \&\& false)/' limits
without no_new_privs read_file 's/if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)/if (false)/' no_new_privs
without landlock list_files 's/if (landlock(t, \&r->landlock_abi))/if (landlock(t, \&r->landlock_abi) \&\& false)/' landlock
without capabilities read_file 's/if (capabilities())/if (capabilities() \&\& false)/' capabilities
without seccomp read_file 's/if (seccomp(t))/if (seccomp(t) \&\& false)/' seccomp
done_testing
