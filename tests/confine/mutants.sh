# bb-audit must notice: one-line edits of policy and confinement, each built into helpers
# of its own. The test fails if bb-audit stays green on one, and if one makes it wait: each
# audit is given a bound that an unchanged one needs a small part of.
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
cp "$BB_TOP"/scripts/mkpolicy*.[ch] "$M/scripts/"
for f in "$BB_TOP"/scripts/*.mk; do cp "$f" "$M/scripts/"; done
for f in bb-read bb-list bb-search bb-write bb-audit; do cp -R "$BB_TOP/bin/$f" "$M/bin/$f"; done
chmod -R u+w "$M"
chmod 755 "$T" "$M" "$M/bin"
cd "$M" || exit 1
build() {
	make -s -j2 CI= EXTRA_CFLAGS=-O0 build/bin/bb-read build/bin/bb-list build/bin/bb-search build/bin/bb-write build/bin/bb-audit \
		>"$T/make.log" 2>&1 </dev/null
}
build
ok $? "the copy builds"
chmod -R a+rX "$M/build" 2>/dev/null
out=$(timeout 300 build/bin/bb-audit 2>&1)
is $? 0 "unchanged, everything holds"
printf '%s\n' "$out" | grep -A1 '^  #' | sed 's/^/# /'
printf '%s\n' "$out" | tail -1 | sed 's/^/# /'

# mutant NAME HELPER FILE SED-EXPRESSION
mutant() {
	cp "$3" "$T/was"
	sed "$4" "$T/was" >"$3"
	if cmp -s "$T/was" "$3"; then
		ok 1 "$1: the edit changed nothing in $3"
		return
	fi
	if build; then
		timeout 300 build/bin/bb-audit "$2" >"$T/out" 2>&1
		is $? 1 "$1: seen"
		grep -m1 -A1 '^  #' "$T/out" | sed 's/^/# /'
	else
		# refused before there is anything to audit
		grep -q 'policy/' "$T/make.log"
		ok $? "$1: refused when it is compiled"
		grep -m1 'policy/' "$T/make.log" | sed 's/^/# /'
	fi
	cp "$T/was" "$3"
	touch "$3"
}
C=libcommon/confine.c
mutant "write to the file it reads" bb-read policy/read_file.tool 's/^seccomp write .*/seccomp write arg0 in 1 2 3 4/'
mutant "open in bb-read" bb-read policy/read_file.tool '$a seccomp openat arg2 == O_RDONLY'
mutant "any flags with O_DIRECTORY" bb-list policy/list_files.tool 's/arg2 == O_DIRECTORY|O_NOFOLLOW|O_CLOEXEC/arg2 \& O_DIRECTORY == O_DIRECTORY/'
mutant "files opened for writing" bb-search policy/search.tool 's/ O_RDONLY|O_NOFOLLOW|O_NONBLOCK|O_NOCTTY|O_CLOEXEC/& 0xa0901/'
mutant "files opened through links" bb-search policy/search.tool 's/O_RDONLY|O_NOFOLLOW|O_NONBLOCK/O_RDONLY|O_NONBLOCK/'
mutant "threads without the filter" bb-search $C 's/SECCOMP_FILTER_FLAG_TSYNC/0/'
mutant "an error instead of death" bb-read scripts/mkpolicy_bpf.c 's/seccomp_init(SCMP_ACT_KILL_PROCESS)/seccomp_init(SCMP_ACT_ERRNO(1))/'
mutant "half of an argument compared" bb-read scripts/mkpolicy_bpf.c 's/SCMP_CMP_EQ, r->cond\[i\].value\[k\],/SCMP_CMP_MASKED_EQ, 0xffffffff,/; s/^\t\t\t          0)/\t\t\t          r->cond[i].value[k])/'
mutant "executable memory" bb-read policy/groups.seccomp 's/PROT_READ|PROT_WRITE/PROT_READ|PROT_WRITE|PROT_EXEC/'
mutant "one call more for all" bb-read policy/groups.seccomp 's/^madvise/madvise\ngetrandom/'
mutant "no new privileges left out" bb-read $C 's/prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0/true/'
mutant "Landlock handles next to nothing" bb-list $C 's/handled_access_fs = FS_ABI1/handled_access_fs = LANDLOCK_ACCESS_FS_EXECUTE/'
mutant "descriptors left open" bb-read $C 's/fd_close_from(3 + (int)t->n_fds) == 0/true/'
mutant "no limit of memory" bb-read $C 's/limit(RLIMIT_AS, t->limits.memory, 0)/true/'
mutant "processes allowed" bb-read $C 's/limit(RLIMIT_NPROC, 0, 0)/true/'
mutant "dumpable" bb-read $C 's/prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0/true/'
mutant "it outlives its parent" bb-read $C 's/dies = prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0/dies = true/'
mutant "no filter" bb-read $C 's/if (seccomp(t))/if (t != NULL)/'
mutant "no READY" bb-read libcommon/helper.c 's/if (ready(t, &c) != 0)/if (t == NULL)/'
if [ "$(id -u)" -eq 0 ]; then
	mutant "capabilities kept" bb-read $C 's/(syscall(SYS_capset, &head, none) == 0)/true/'
else
	skip "capabilities kept" "an ordinary user has none to keep"
fi
done_testing
