# The tables that were built are those the pages give now, and carry the pages' digests.
. "$BB_TOP/tests/lib.sh"
MK=$BB_BUILD/host/mkpolicy
sed 's/#.*//' "$BB_TOP/policy/tools.list" | while read -r tool _; do
	[ -n "$tool" ] || continue
	echo "$tool"
done >"$T/tools"
while read -r tool; do
	"$MK" tool "$BB_TOP/policy" "$tool" >"$T/$tool.c"
	cmp -s "$T/$tool.c" "$BB_BUILD/gen/tool_$tool.c"
	ok $? "$tool: the filter built is the filter of its page"
	if command -v sha256sum >/dev/null 2>&1; then
		has "$(cat "$T/$tool.c")" "$(sha256sum <"$BB_TOP/policy/$tool.tool" | cut -c1-64)" \
			"$tool: the digest of its page"
	else
		skip "$tool: the digest of its page" 'no sha256sum'
	fi
done <"$T/tools"
"$MK" table "$BB_TOP/policy" | cmp -s - "$BB_BUILD/gen/tools.c"
ok $? 'the table is that of tools.list'
# A page that gains a call gains another digest and another filter.
cp -r "$BB_TOP/policy" "$T/policy"
echo 'seccomp getpid # why: a test' >>"$T/policy/read_file.tool"
"$MK" tool "$T/policy" read_file >"$T/more.c"
cmp -s "$T/more.c" "$T/read_file.c"
is $? 1 'another page is another table'
a=$(sed -n 's/.*filter_digest = "\(.*\)",/\1/p' "$T/more.c")
b=$(sed -n 's/.*filter_digest = "\(.*\)",/\1/p' "$T/read_file.c")
is "$([ "$a" != "$b" ] && echo differ)" differ 'another filter digest'
done_testing
