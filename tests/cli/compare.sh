#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# collperf compare on simulated runs, which are the same each time: what it returns, what it says first, and that nothing from outside gets through.

. tests/cli/lib.sh
collperf=$bin/collperf
cd "$scratch" || exit 1

ok() { # RC WHAT
	verdict $(($1 == 0)) "$2" "$scratch/out" "$scratch/err"
}

sim() { # DIR SEED WORDS...
	dir=$1 seed=$2
	shift 2
	"$collperf" run --backend sim --np 4 --collectives all_reduce,reduce -b 8 -e 8M -f 4 -n 30 --sim-noise 3%,5% --repeat 5 \
		--seed "$seed" -o "$dir" --quiet "$@" >"$dir.log" 2>&1 || cat "$dir.log"
}

compare() { # WANTED-RC WHAT WORDS...
	wanted=$1 what=$2
	shift 2
	run 60 "$collperf" compare "$@"
	[ $rc = "$wanted" ] || echo "exit code $rc" >>err
	[ $rc = "$wanted" ] && [ "$(awk '{ if (length($0) > n) n = length($0) } END { print n + 0 }' out)" -le 100 ]
	ok $? "$what: $wanted, at most 100 columns"
}

first() { # WORDS WHAT: the first line has them
	head -n 1 out | grep -qF -- "$1"
	ok $? "$2"
}

says() { # WORDS WHAT
	tr '\n' ' ' <out | tr -s ' ' | grep -qF -- "$1"
	ok $? "$2"
}

lacks() { # WORDS WHAT
	! grep -qF -- "$1" out
	ok $? "$2"
}

refused() { # RC WHAT WORDS...: one line on stderr, nothing on stdout
	compare "$@"
	[ "$(lines err)" = 1 ] && [ ! -s out ] && grep -q '^collperf compare: ' err
	ok $? "$2: one line"
}

# Every column COLUMN of DIR's files becomes VALUE where the awk condition holds.
change() { # DIR COLUMN VALUE [CONDITION]
	for file in "$1"/*.csv; do
		awk -F, -v OFS=, -v name="$2" -v value="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
			NR > 1 && ('"${4:-1}"') { $at[name] = value } 1' "$file" >new && mv new "$file"
	done
}

sim a 11
sim b 12
sim one_size 13 --inject delay=1:40@512K
sim bandwidth 14 --sim-bandwidth 70G
sim wide 15 --sim-noise 30%,5%
sim single 16 --repeat 1
sim slow_single 17 --repeat 1 --sim-alpha 20us --sim-bandwidth 20G

# Ten times as long in place and seven times out of place: both are slower, and neither is faster.
cp -r a apart && rm -rf apart/launches
for file in apart/*.csv; do
	awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at["bytes"] == 524288 {
			by = $at["placement"] == "in-place" ? 10 : 7
			for (name in at) if (name ~ /_us$/ && $at[name] != "") $at[name] *= by
			$at["algbw_GBps"] /= by; $at["busbw_GBps"] /= by
		} 1' "$file" >new && mv new "$file"
done
compare 1 "one size much slower, less so in one placement" a apart
first "times as long at 512 KiB" "the size"
[ "$(sed -n '1s/.* takes \([0-9.]*\) times as long.*/\1/p' out | cut -d. -f1)" -ge 7 ]
ok $? "by the ratio of the size, not by that of its placements"
lacks "Faster:" "what is less slow is not faster"

# --- equals
compare 0 "equals" a b
first "No regression: losses over 6.4 % would have been seen at 44 points of 2 series" "said first, with what would have been"
says "BASE a (5 launches)" "with what was compared"
lacks "Slower" "nothing is slower"
says "Benjamini-Hochberg" "the correction is named"
says "Would have been seen four times in five: a loss of" "and what could have been seen"
compare 0 "a run and itself" a a
cp out before
compare 0 "again" a a
cmp -s before out
ok $? "is the same byte for byte"
compare 0 "quiet" a b --quiet
[ "$(lines out)" = 1 ]
ok $? "is one line"
compare 0 "several BASE" a b a
says "BASE a, b (10 launches)" "are one side"
compare 0 "more of them" b --base a --base a

# --- losses
compare 1 "a delay at one size" a one_size --junit j.xml --markdown m.md --json j.json
first "at 512 KiB" "is found at that size"
says "all_reduce at 512 KiB" "of all_reduce"
says "reduce at 512 KiB" "and reduce"
says "look at where the library changes algorithm or protocol" "with what to look at"
grep -q '<failure ' j.xml && grep -q 'at 512 KiB' j.xml
ok $? "JUnit has it"
head -n 1 m.md | grep -q '^### Regression: .*at 512 KiB' && grep -q '^| all\\_reduce | at 512 KiB' m.md
ok $? "Markdown has it"
json_is j.json '$d->{verdict} eq "regression" && $d->{exit_code} == 1 && @{$d->{series}} == 2 && @{$d->{series}[0]{points}} == 22 &&
	(grep { $_->{slower} && $_->{first_bytes} == 524288 && $_->{name} eq "reduce" } @{$d->{findings}}) > 0 &&
	$d->{base}{name} eq "a" && $d->{base}{most_launches} == 5'
ok $? "JSON has it"
compare 1 "less bandwidth" a bandwidth
first "Regression: " "is a regression"
says "from 512 KiB on" "from a size on"
says "look at bandwidth: links and NICs" "with where to look"
compare 0 "the other way round" bandwidth a
says "Faster:" "faster is told, not failed"
lacks "Slower" "and nothing is slower"
compare 0 "a larger threshold" a bandwidth --threshold 60%

# --- too little to tell
compare 4 "launches that differ" a wide
first "Inconclusive: launches spread too widely to see a loss of 5 %; about " "cannot tell"
says "launches of each side would be conclusive (--repeat " "and the number that would do is said"
says "Undecided: 44: interval wider than the threshold" "points and reasons are counted"
compare 4 "one launch on a side" single a --threshold 2%
says "but one launch on a side cannot tell a loss from chance; use --repeat 5" "decides little"
says "No statistics stand behind this" "and says so"
compare 1 "one launch of twice the time" a slow_single
first "Regression: " "is a loss all the same"
compare 0 "one launch and itself" single single
says "with one launch on a side no statistics stand behind it" "is the same without statistics"

# --- what is no measurement, wrong, or missing
cp -R b turns && change turns flags "oversubscribed simulated"
compare 4 "oversubscribed" a turns
first "Inconclusive: ranks shared cores: none of 44 points can be judged." "cannot be judged"
cp -R b part && change part flags "oversubscribed simulated" '$at["collective"] == "reduce"'
compare 4 "one primitive oversubscribed" a part
first "Inconclusive: ranks shared cores: no point of reduce can be judged." "is named"
cp -R b wrong && change wrong wrong 3 '$at["bytes"] == 2048 && $at["collective"] == "reduce" && $at["placement"] == "in-place"'
compare 1 "wrong data in NEW" a wrong --junit j.xml
first "Regression: wrong data in NEW (15 elements)" "fail"
says "reduce at 2 KiB, in-place: 15 elements" "with their place"
grep -q 'name="data of NEW" time="0">' j.xml
ok $? "JUnit has it"
compare 1 "wrong data in NEW that nothing is held against" a/all_reduce.csv wrong/reduce.csv
first "Regression: wrong data in NEW (15 elements); no point is on both sides." "fail, too"
says "wrong data at points that are not compared: 15 elements, such as reduce at 2 KiB, in-place" "with a place"
compare 0 "wrong data in BASE" wrong a
says "wrong data in BASE" "are told"
cp -R b less && rm less/reduce.csv
compare 0 "what NEW lacks" a less
says "of 1 series; NEW lacks 22 points of BASE." "is said first"
says "In BASE alone (22 points)" "and listed"
compare 0 "what BASE lacks" less a
says "In NEW alone (22 points)" "is listed"
cp -R b lost && for file in lost/*.csv; do grep -v -e '-5,' "$file" >new && mv new "$file"; done
compare 0 "launches without rows" a lost
says "NEW is incomplete: 2 launches of run.json have no rows" "are told"
cp -R b cut && awk -F, '!/-5,/ || $2 < 19' b/all_reduce.csv >cut/all_reduce.csv
perl -0pi -e 's/("collective": "all_reduce",\s+"repeat": 5,.*?"status": )"ok"/$1"interrupted"/s' cut/run.json
compare 4 "a launch that was cut" a cut
says "NEW was cut, all_reduce 5 interrupted, \`collperf run --resume cut\`: 4 of 22 points of all_reduce cannot be judged." "with the remedy"
says "NEW: 1 launches did not end well (first: interrupted, all_reduce 5); \`collperf run --resume cut\` makes up for them" "and once more"
lacks "(--repeat" "and no advice of launches"
[ "$(head -n 1 out | cut -c -32)" = "Inconclusive: NEW was cut, all_r" ]
ok $? "is said first"
run 60 "$collperf" compare a cut --junit -
[ -z "$(grep -o 'classname="[^"]*" name="[^"]*"' out | sort | uniq -d)" ] && grep -q 'part 2' out
ok $? "names of cases are unique"
cp -R b later && change later timestamp 1970-01-01T09:00:00.000Z
compare 0 "nine hours later" a later
says "Taken 9 hours apart: drift of the machine cannot be excluded; \`collperf ab\` interleaves." "drift is not excluded"

# --- inputs
refused 3 "an input that is not there" a nowhere
refused 3 "the other" nowhere a
mkdir empty
refused 3 "an empty directory" a empty
cp -R b broken && echo '1,"' >>broken/reduce.csv && printf '\0\0' >>broken/reduce.csv
sed -i '3s/.*/2,x,x/' broken/reduce.csv
compare 3 "a file that cannot be read to its end" a broken
[ ! -s out ] && grep -q 'NEW cannot be read to its end' err
ok $? "nothing is judged"
cp -R b other && change other nranks 8
compare 3 "nothing in common" a other
grep -q 'no point is on both sides' err && grep -q 'in BASE: ' err && grep -q 'in NEW: ' err
ok $? "what each side has is said"
refused 2 "no input" --quiet
refused 2 "one input" a
for words in "--threshold 5" "--threshold 5%x" "--threshold -5%" "--threshold 0%" "--threshold nan%" "--false-alarms 60%" "--false-alarms x" \
	"--seed -1" "--seed 1x" "--foo" "-o x" "--junit" "--json - --junit -"; do
	# shellcheck disable=SC2086
	refused 2 "$words" a b $words
done
refused 2 "an empty threshold" a b --threshold ""
refused 2 "an empty name" a b --junit ""
compare 3 "a file that cannot be written" a b --json /nonexistent/j.json --quiet
grep -qF 'collperf compare: cannot write /nonexistent/j.json: ' err
ok $? "is named"
compare 0 "help" --help
[ -s out ] && [ ! -s err ]
ok $? "is on stdout"

# --- outputs
compare 0 "every point" a b --list-points
[ "$(grep -c '^  all_reduce  *[0-9.]* [KM]*i*B  *\(in-place\|out-of-place\)' out)" = 22 ]
ok $? "is listed"
run 60 "$collperf" compare a bandwidth --markdown -
[ $rc = 1 ] && head -n 1 out | grep -q '^### Regression: ' && ! grep -q '^  BASE' out
ok $? "Markdown on stdout is alone there"
run 60 "$collperf" compare a bandwidth --json -
cp out j.json
[ $rc = 1 ] && json_is j.json '$d->{schema} == 1'
ok $? "JSON on stdout is alone there"
! grep -qiE '[:, ](nan|inf)' j.json
ok $? "no nan or inf in it"

# One of each kind of character that some format treats as its own.
hostile='<script>alert(1)</script>`$(id)`|&'"'"'*_[x](y)'$'\033[31m\x01\xff'
for dir in a bandwidth; do
	cp -R "$dir" "x_$dir" && change "x_$dir" algo "$hostile" '$at["collective"] == "reduce"'
done
mkdir "$hostile" 2>/dev/null || { hostile=$(printf '%s' "$hostile" | tr -d /) && mkdir "$hostile"; }
cp x_bandwidth/* "$hostile/" 2>/dev/null
run 60 "$collperf" compare x_a "$hostile" --junit j.xml --markdown m.md --json j.json
[ $rc = 1 ] && ! LC_ALL=C grep -q "$(printf '[\001-\011\013-\037]')" out m.md j.xml j.json
ok $? "hostile names: no control character in any output"
[ "$(awk '{ if (length($0) > n) n = length($0) } END { print n + 0 }' out)" -le 100 ]
ok $? "the text stays narrow"
! grep -q '<script' m.md j.xml && grep -q '&lt;script&gt;' m.md && grep -q '&lt;script&gt;' j.xml && ! grep -qF '`$(' m.md j.xml
ok $? "they are escaped"
json_is j.json '(grep { $_->{key}{algo} =~ /<script>/ } @{$d->{series}}) == 1'
ok $? "JSON is JSON"

# A test of its own for what CI servers read: well-formed, suites and cases as they want them, counts that are right.
check_junit() { # FILE
	perl -e 'local $/; open my $f, "<", $ARGV[0] or exit 1; $_ = <$f>; s/^<\?xml[^>]*\?>\n// or exit 1;
		my (@open, %n, @suite); my $text = "";
		while (/\G(?:([^<]+)|<(\/?)(\w+)((?: \w+="[^"<]*")*)(\/?)>)/gc) {
			if (defined $1) { exit 2 if $1 =~ /&(?!(?:lt|gt|amp|quot|#\d+);)/; next }
			my ($end, $name, $attributes, $empty) = ($2, $3, $4, $5);
			if ($end) { exit 3 if !@open || pop @open ne $name; next }
			my $in = $open[-1] // ""; my %a = $attributes =~ / (\w+)="([^"]*)"/g;
			my %within = (testsuites => "", testsuite => "testsuites", testcase => "testsuite", failure => "testcase", skipped => "testcase");
			exit 4 if !exists $within{$name} || $within{$name} ne $in;
			$n{$name}++;
			exit 5 if $name eq "testcase" && !($a{name} && $a{classname} && defined $a{time});
			exit 6 if $name =~ /failure|skipped/ && !defined $a{message};
			if ($name eq "testsuites") { %total = %a }
			if ($name eq "testsuite") { exit 7 if !$a{name}; $sum{$_} += $a{$_} for qw(tests failures skipped) }
			push @open, $name if !$empty;
		}
		exit 8 if (pos() // 0) != length || @open;
		exit 9 if $total{tests} != $n{testcase} || $sum{tests} != $n{testcase};
		exit 10 if $total{failures} != ($n{failure} // 0) || $sum{failures} != ($n{failure} // 0);
		exit 11 if $total{skipped} != ($n{skipped} // 0) || $sum{skipped} != ($n{skipped} // 0);' "$1"
}
check_junit j.xml
ok $? "JUnit is as CI servers read it"
if command -v xmllint >/dev/null; then
	xmllint --noout j.xml >err 2>&1
	ok $? "and well-formed"
fi
run 60 "$collperf" compare a b --junit -
cp out j.xml
check_junit j.xml && ! grep -q '<failure' j.xml
ok $? "no case fails where nothing is slower"
run 60 "$collperf" compare a wide --junit -
cp out j.xml
check_junit j.xml && ! grep -q '<failure' j.xml && grep -q 'name="conclusive" time="0">' j.xml
ok $? "what is undecided is skipped"

# --- gates
compare 1 "a gate for what nothing was measured for" a b --gate "gather time <= 3 us at 8"
first "Gate not measured: gather time at 8: nothing was measured: there is no row of gather" "is missed"
says "not measured: gather time" "which is said"
compare 4 "a gate of simulated rows, twice" a b --gate "all_reduce time <= 1 us at 8" --gate "all_reduce time <= 1 us at 8" --json j.json
first "Inconclusive: gate open: all_reduce time at 8: " "is open"
says "is not judged: it is simulated" "with the reason"
says "(and 1 more of 2 gates). But for gates: No" "and the comparison beside it"
json_is j.json '$d->{gates}[0]{unit} eq "us" && $d->{gates}[0]{limit} == 1 && $d->{gates}[0]{value} > 1 && $d->{gates}[0]{value} < 1000'
ok $? "JSON has its value and limit in its unit"
run 60 "$collperf" compare a b --gate "all_reduce time <= 1 us at 8" --gate "all_reduce time <= 1 us at 8" --junit -
[ -z "$(grep -o 'classname="[^"]*" name="[^"]*"' out | sort | uniq -d)" ]
ok $? "the same gate twice has two names"
compare 0 "a run and itself" a a
first "No regression: NEW is one of BASE; " "is said to be that"
refused 2 "a garbled gate" a a --gate garbage
refused 2 "an empty gate" a a --gate ""
printf '# a remark\n\nall_reduce busbw >= 350 GB/s at 2M\nnonsense\n' >gates
refused 2 "a garbled line in a file of gates" a b --gates gates
grep -q 'gates:4\|line 4' err
ok $? "with its number"
refused 3 "a file of gates that is not there" a b --gates nowhere

"$collperf" compare --help | grep -q 'in-place or out-of-place, path WORD, algo WORD, type WORD, nranks N'
ok $? "the help has the words that choose rows"

# --- inputs that nobody can read to an end, or that say less than they should
mkfifo pipe
for name in pipe /dev/zero; do
	refused 3 "no regular file: $name" a $name
	grep -q 'is no regular file' err
	ok $? "which is said: $name"
done
refused 3 "a pipe as a file of gates" a b --gates pipe
rm -rf piped && cp -r a piped && rm piped/run.json && mkfifo piped/run.json
run 20 "$collperf" compare piped a
[ $rc != 124 ] && cat out err | tr '\n' ' ' | tr -s ' ' | grep -q 'piped/run.json cannot be read: is no regular file'
ok $? "a pipe as run.json is not waited for"
mkdir -p locked && ln -sf all_reduce.csv locked/all_reduce.csv
refused 3 "a folder that cannot be looked into" locked a
grep -q 'locked/all_reduce.csv: Too many levels' err && ! grep -q 'no primitive' err
ok $? "is not called one without rows"
rm -rf plain && cp -r a plain
for file in plain/*.csv; do
	awk -F, 'BEGIN { OFS = "," } NR == 1 { for (i = 1; i <= NF; i++) if ($i == "points") at = i } { line = ""; for (i = 1; i <= NF; i++) if (i != at) line = line (line == "" ? "" : ",") $i; print line }' "$file" >plain.csv
	mv plain.csv "$file"
done
run 60 "$collperf" compare a plain
tr '\n' ' ' <out | tr -s ' ' | grep -q 'rows do not say which point of how many they are (columns point, points)' && [ $rc = 0 ]
ok $? "rows without their number of points are told"
run 60 "$collperf" compare a a
! grep -q 'do not say which point' out
ok $? "others are not"

# --- beside the figures of a report
run 120 "$collperf" report a bandwidth -o both
[ $rc = 0 ] && grep -q 'id="verdict"' both/index.html && grep -q '<li class="error"><b>verdict</b>Regression: ' both/index.html
ok $? "a report of two runs has the verdict"
grep -q '^## Did it become slower?' both/report.md && grep -q '^### Regression: ' both/report.md
ok $? "report.md too"
run 120 "$collperf" report a bandwidth --baseline bandwidth -o both
grep -q '^### No regression: ' both/report.md && grep -q '^- BASE: bandwidth' both/report.md
ok $? "--baseline chooses the base"
run 120 "$collperf" report a -o one
[ $rc = 0 ] && ! grep -q 'id="verdict"' one/index.html
ok $? "one run alone has none"
run 120 "$collperf" report a other -o none
[ $rc = 0 ] && ! grep -q 'id="verdict"' none/index.html && [ ! -s err ]
ok $? "nor have two with nothing in common"

finish
