# Sum up TAP files: every subtest that is not ok, then the one line
# `N passed, N failed, N skipped`. A file without a plan, with another number of
# subtests than planned, or that ended badly without saying why is one failure more.
function close_file() {
	if (file == "")
		return
	if (bail != "")
		wrong("bailed out: " bail)
	else if (plan < 0)
		wrong("has no plan: it did not come to its end")
	else if (plan != seen)
		wrong("planned " plan " subtests, ran " seen)
	else if (status != 0 && bad == 0)
		wrong("ended with status " status)
}
function wrong(what) {
	failed++
	print "not ok   " name ": " what
}
function short(path) {
	sub(/^build\//, "", path)
	sub(/\.tap$/, "", path)
	return path
}
FNR == 1 {
	close_file()
	file = FILENAME
	opened[file] = 1
	name = short(file)
	plan = -1
	seen = bad = status = 0
	bail = ""
}
/^ok( |$)/ {
	seen++
	if ($0 ~ /# *[Ss][Kk][Ii][Pp]/) {
		skipped++
		line = $0
		sub(/^ok [0-9]* *-? */, "", line)
		print "skipped  " name ": " line
	} else {
		passed++
	}
	show = 0
}
/^not ok( |$)/ {
	seen++
	failed++
	bad++
	line = $0
	sub(/^not ok [0-9]* *-? */, "", line)
	print "not ok   " name ": " line
	show = 1
}
/^1\.\.[0-9]+/ {
	plan = substr($1, 4) + 0
	if (plan == 0) {
		skipped++
		line = $0
		sub(/^1\.\.0 */, "", line)
		print "skipped  " name ": " line
	}
}
/^Bail out!/ { bail = substr($0, 10) }
/^# exit [0-9]+$/ { status = $3; next }
/^#/ && show { print "         " $0 }
END {
	close_file()
	for (i = 1; i < ARGC; i++)
		if (!(ARGV[i] in opened)) {
			name = short(ARGV[i])
			wrong("printed nothing")
		}
	printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
	exit failed > 0
}
