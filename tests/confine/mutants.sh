# bb-audit must notice: one-line edits of policy and confinement, each built into helpers
# of its own; the test fails if bb-audit stays green on one, or on none of them red.
. "$BB_TOP/tests/lib.sh"
case $BB_BUILD in */san*)
	skip "mutants" "they are built without sanitizers, in the plain suite"
	done_testing
	exit
	;;
esac
M=$T/m
mkdir -p "$M/bin" "$M/scripts" "$M/tests"
for f in Makefile libcommon policy; do cp -R "$BB_TOP/$f" "$M/$f"; done
cp "$BB_TOP"/scripts/mkpolicy*.[ch] "$BB_TOP/scripts/check.mk" "$M/scripts/"
for f in "$BB_TOP"/scripts/*.mk; do cp "$f" "$M/scripts/"; done
for f in bb-read bb-list bb-audit; do cp -R "$BB_TOP/bin/$f" "$M/bin/$f"; done
chmod -R u+w "$M"
chmod 755 "$T" "$M" "$M/bin"
cd "$M" || exit 1
build() {
	make -s -j2 CI= EXTRA_CFLAGS=-O0 build/bin/bb-read build/bin/bb-list build/bin/bb-audit \
		>"$T/make.log" 2>&1 </dev/null
}
build
ok $? "the copy builds"
chmod -R a+rX "$M/build" 2>/dev/null
out=$(build/bin/bb-audit 2>&1)
is $? 0 "unchanged, everything holds"
printf '%s\n' "$out" | tail -1 | sed 's/^/# /'

# mutant NAME FILE SED-EXPRESSION
mutant() {
	cp "$2" "$T/was"
	sed "$3" "$T/was" >"$2"
	if cmp -s "$T/was" "$2"; then
		ok 1 "$1: the edit changed nothing in $2"
		return
	fi
	if build; then
		build/bin/bb-audit >"$T/out" 2>&1
		st=$?
		ok "$([ "$st" -ne 0 ] && echo 0 || echo 1)" "$1: seen"
		grep -m1 -A1 '^  #' "$T/out" | sed 's/^/# /'
	else
		# refused before there is anything to audit
		grep -q 'policy/' "$T/make.log"
		ok $? "$1: refused when it is compiled"
		grep -m1 'policy/' "$T/make.log" | sed 's/^/# /'
	fi
	cp "$T/was" "$2"
	touch "$2"
}
C=libcommon/confine.c
mutant "write to the file it reads" policy/read_file.tool 's/^seccomp write .*/seccomp write arg0 in 1 2 3 4/'
mutant "open in bb-read" policy/read_file.tool '$a seccomp openat arg2 == O_RDONLY'
mutant "any flags with O_DIRECTORY" policy/list_files.tool 's/arg2 == O_DIRECTORY|O_NOFOLLOW|O_CLOEXEC/arg2 \& O_DIRECTORY == O_DIRECTORY/'
mutant "an error instead of death" scripts/mkpolicy_bpf.c 's/seccomp_init(SCMP_ACT_KILL_PROCESS)/seccomp_init(SCMP_ACT_ERRNO(1))/'
mutant "half of an argument compared" scripts/mkpolicy_bpf.c 's/SCMP_CMP_EQ, r->cond\[i\].value\[k\],/SCMP_CMP_MASKED_EQ, 0xffffffff,/; s/^\t\t\t          0)/\t\t\t          r->cond[i].value[k])/'
mutant "executable memory" policy/groups.seccomp 's/PROT_READ|PROT_WRITE/PROT_READ|PROT_WRITE|PROT_EXEC/'
mutant "one call more for all" policy/groups.seccomp 's/^madvise/madvise\ngetrandom/'
mutant "no new privileges left out" $C 's/prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0/true/'
mutant "Landlock handles next to nothing" $C 's/handled_access_fs = FS_ABI1/handled_access_fs = LANDLOCK_ACCESS_FS_EXECUTE/'
mutant "descriptors left open" $C 's/fd_close_from(3 + (int)t->n_fds) == 0/true/'
mutant "no limit of memory" $C 's/limit(RLIMIT_AS, t->limits.memory, 0)/true/'
mutant "processes allowed" $C 's/limit(RLIMIT_NPROC, 0, 0)/true/'
mutant "dumpable" $C 's/prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0/true/'
if [ "$(id -u)" -eq 0 ]; then
	mutant "capabilities kept" $C 's/(syscall(SYS_capset, &head, none) == 0)/true/'
else
	skip "capabilities kept" "an ordinary user has none to keep"
fi
done_testing
