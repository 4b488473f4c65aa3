# scripts/count.awk: the last line of the check adds up, and nothing that did not end
# well counts as passed.
. "${BB_TOP:?}/tests/lib.sh"
count() { awk -f "$BB_TOP/scripts/count.awk" "$@"; }
file() {
	cat >"$T/$1.tap"
}
file good <<'END'
ok 1 - a
ok 2 - b # SKIP no such thing here
1..2
# exit 0
END
out=$(count "$T/good.tap")
is "$?" 0 "all well: 0"
is "$(printf '%s\n' "$out" | tail -n 1)" "1 passed, 0 failed, 1 skipped" "passed and skipped"
has "$out" "no such thing here" "a skip says why"
file bad <<'END'
ok 1 - a
not ok 2 - b
# got 1
1..2
# exit 1
END
out=$(count "$T/good.tap" "$T/bad.tap")
is "$?" 1 "a failure: 1"
is "$(printf '%s\n' "$out" | tail -n 1)" "2 passed, 1 failed, 1 skipped" "summed over files"
has "$out" "got 1" "its remarks are shown"
file short <<'END'
ok 1 - a
1..3
# exit 0
END
is "$(count "$T/short.tap" | tail -n 1)" "1 passed, 1 failed, 0 skipped" "fewer than planned is a failure"
file none <<'END'
ok 1 - a
# exit 0
END
is "$(count "$T/none.tap" | tail -n 1)" "1 passed, 1 failed, 0 skipped" "no plan is a failure"
file crash <<'END'
ok 1 - a
1..1
# exit 139
END
is "$(count "$T/crash.tap" | tail -n 1)" "1 passed, 1 failed, 0 skipped" "a bad end is a failure"
file bail <<'END'
ok 1 - a
Bail out! no room
# exit 1
END
is "$(count "$T/bail.tap" | tail -n 1)" "1 passed, 1 failed, 0 skipped" "bailing out is a failure"
file whole <<'END'
1..0 # SKIP no clang
# exit 0
END
is "$(count "$T/whole.tap" | tail -n 1)" "0 passed, 0 failed, 1 skipped" "a file skipped whole is one skip"
: >"$T/empty.tap"
is "$(count "$T/good.tap" "$T/empty.tap" "$T/good.tap" | tail -n 1)" "2 passed, 1 failed, 2 skipped" \
	"an empty file is a failure, wherever it stands"
done_testing
