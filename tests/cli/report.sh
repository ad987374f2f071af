#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# collperf report on run directories that are clean, hostile, cut, wrong and empty: what it writes, says and returns. Where gnuplot is
# missing, the tests of figures are skipped.

build=$(cd "${BUILD:-build}" && pwd) || exit 1
collperf=$build/collperf
data=$PWD/tests/data/report
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cp -R "$data/clean" "$data/hostile" "$work/" || exit 1
cd "$work" || exit 1
number=0 status=0

verdict() { # RC WHAT
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		sed 's/^/# /' out err 2>/dev/null | head -n 20
		status=1
	fi
}

holds() { # FILE WORDS WHAT
	grep -qF -- "$2" "$1"
	verdict $? "$3"
}

lacks() { # FILE WORDS WHAT
	[ -e "$1" ] && ! grep -qF -- "$2" "$1"
	verdict $? "$3"
}

report() { # WANTED-RC WHAT WORDS...
	wanted=$1 what=$2
	shift 2
	"$collperf" report "$@" >out 2>err </dev/null
	rc=$?
	[ $rc = "$wanted" ] || echo "exit code $rc" >>err
	[ $rc = "$wanted" ]
	verdict $? "$what"
}

refused() { # WANTED-RC WHAT WORDS...: one line on stderr, nothing on stdout, nothing written
	rm -rf o report collperf-report
	report "$@"
	[ "$(wc -l <err)" = 1 ] && [ ! -s out ] && [ ! -e o ] && [ ! -e report ] && [ ! -e collperf-report ]
	verdict $? "$2: one line, nothing written"
}

gnuplot=yes
command -v gnuplot >/dev/null || gnuplot=

# --- parallel groups: ranks keep their numbers among all
"$collperf" run --backend sim --np 5 --split "MOD 2" --collectives all_reduce,sendrecv -b 8 -e 4K -f 8 -o groups --quiet >out 2>err
report 0 "a run of parallel groups is reported" groups
grep -q '^simulated 2 primitives, 32 points' out
verdict $? "with the rows of every group"

# --- a clean run
report 0 "a clean run is reported" clean
[ "$(wc -l <out)" = 6 ] && [ "$(tail -n 1 out)" = clean/report/index.html ] && [ ! -s err ]
verdict $? "five lines and the page's path"
missing=
for file in index.html report.md bounds.csv fit.csv all_reduce.dat all_reduce_models.dat all_reduce_latency.gp sendrecv_busbw.gp style.gp; do
	[ -s clean/report/$file ] || missing="$missing $file"
done
[ -z "$missing" ]
verdict $? "every file is there${missing:+, but$missing}"
[ "$(wc -l <clean/report/bounds.csv)" = 41 ]
verdict $? "bounds.csv has a line a row"
# PART PLACEMENT: the first such line of clean/report/fit.csv, as "verdict model alpha B n".
fitted() {
	awk -F, -v part="$1" -v placement="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["part"] == part && $at["placement"] == placement {
			print $at["verdict"], $at["model"] ".", $at["alpha_us"], $at["bandwidth_GBps"], $at["n"]
			exit
		}' clean/report/fit.csv
}
fitted machine "" | awk '{ exit !($1 == "good" && $3 > 1.9 && $3 < 2.1 && $4 > 3.9 && $4 < 4.1 && $5 == 10) }'
verdict $? "fit.csv has the alpha and B that the data was made from"
fitted series in-place | awk '{ exit !($1 == "good" && $2 == "ring." && $3 > 1.8 && $3 < 2.2 && $4 > 3 && $4 < 3.4 && $5 == 10) }'
verdict $? "and those that a ring would need for its all_reduce"
[ "$(awk -F, '{ print NF }' clean/report/fit.csv | sort -u | wc -l)" = 1 ] && [ "$(wc -l <clean/report/fit.csv)" = 6 ]
verdict $? "fit.csv has a line for each machine and series, of as many fields"
holds clean/report/report.md 'if the algorithm is "ring", alpha = ' "the report says so with the algorithm's name"
! grep -qiE '(^|[^a-z])(nan|inf)([^a-z]|$)' clean/report/*.csv clean/report/*.dat clean/report/report.md
verdict $? "no nan or inf"
holds out "findings  none" "nothing is found in it"
lacks clean/report/index.html "<script" "the page has no script"
! grep -E 'src=|@import|<link|url\(h' clean/report/index.html | grep -q .
verdict $? "the page loads nothing"
holds clean/report/index.html "node7" "the page names the host"
if [ -n "$gnuplot" ]; then
	missing=
	for figure in all_reduce_latency all_reduce_busbw sendrecv_latency sendrecv_busbw; do
		[ -s clean/report/$figure.svg ] && [ -s clean/report/$figure.png ] || missing="$missing $figure"
	done
	[ -z "$missing" ]
	verdict $? "every figure is drawn${missing:+, but$missing}"
	[ "$(grep -c '^<svg' clean/report/index.html)" = 4 ]
	verdict $? "the page holds every figure"
	[ -z "$(grep -oE "\bid=['\"][^'\"]*['\"]" clean/report/index.html | sort | uniq -d)" ]
	verdict $? "no id stands twice in the page"
	lacks clean/report/index.html "<?xml" "no prolog is left in the page"
fi
cp -R clean/report first
report 0 "a second report over the first" clean
diff -r first clean/report >diff 2>&1
verdict $? "is the same"

# --- two paths beside each other
mkdir tcp
for file in all_reduce sendrecv; do
	awk -F, -v OFS=, 'NR > 1 { $8 = "tcp"; for (i = 24; i <= 26; i++) $i *= 10; $27 /= 10; $28 /= 10 } 1' clean/$file.csv >tcp/$file.csv
done
report 0 "two run directories" clean tcp -o two
[ "$(grep -c '^machine,' two/fit.csv)" = 2 ]
verdict $? "each path has its own fit"
holds two/index.html "Compared with sm out-of-place" "the page compares them size by size"
holds clean/report/index.html "beside this page: <code>bounds.csv</code>, <code>fit.csv</code>.</p>" "the page names the tables beside it"
holds two/index.html "beside this page: <code>bounds.csv</code>, <code>fit.csv</code>, <code>compare.csv</code>.</p>" "and those of comparisons"
holds two/index.html "tcp out-of-place takes 10.0 times as long as sm out-of-place: slower at 10 of 10 sizes, faster at 0." "and says so in words"
awk -F, 'NR > 1 && ($7 < 9.99 || $7 > 10.01 || $8 >= $7 || $9 <= $7) { bad = 1 } END { exit bad || NR != 41 }' two/compare.csv
verdict $? "compare.csv has a ratio a size, inside its interval"
[ ! -e clean/report/compare.csv ] && [ ! -e clean/report/scaling.csv ]
verdict $? "which one run alone does not have"
if [ -n "$gnuplot" ]; then
	[ -s two/all_reduce_ratio.svg ] && [ -s two/all_reduce_ratio.png ] && [ "$(grep -c '^<svg' two/index.html)" = 6 ]
	verdict $? "the ratio is drawn"
	grep -q '>time / time of sm out-of-place<' two/all_reduce_ratio.svg
	verdict $? "against the first run"
fi
report 0 "a baseline" clean tcp --baseline tcp -o based
holds based/index.html "Compared with tcp out-of-place" "is what others are compared with"
refused 2 "a baseline that is nowhere" clean tcp --baseline ib -o o

# --- numbers of ranks
for n in 2 3 4 8; do
	mkdir -p scale/$n
	for file in all_reduce sendrecv; do
		awk -F, -v OFS=, -v n=$n 'NR > 1 { $11 = n; $4 = "n" n } 1' clean/$file.csv >scale/$n/$file.csv
	done
done
report 0 "four numbers of ranks" scale/? -o scaled
[ "$(wc -l <scaled/scaling.csv)" = 161 ]
verdict $? "scaling.csv has a line a size and number of ranks"
[ -s scaled/all_reduce_scaling.dat ] && [ -s scaled/all_reduce_scaling_time.gp ]
verdict $? "data and script are there"
if [ -n "$gnuplot" ]; then
	missing=
	for figure in all_reduce_scaling_time all_reduce_scaling_busbw sendrecv_scaling_time sendrecv_scaling_busbw; do
		[ -s scaled/$figure.svg ] && [ -s scaled/$figure.png ] || missing="$missing $figure"
	done
	[ -z "$missing" ] && [ ! -s err ]
	verdict $? "the scaling is drawn${missing:+, but$missing}"
	grep -q '>ranks<' scaled/all_reduce_scaling_time.svg && grep -q '>tree bound<' scaled/all_reduce_scaling_time.svg
	verdict $? "with its axis and the models"
fi
holds scaled/index.html "Scaling, 4 numbers of ranks" "the page has a part for it"
report 0 "less of it" scale/2 -o scaled
[ -z "$(find scaled -name '*scaling*.svg' -o -name '*ratio*.svg' -o -name 'scaling.csv' -o -name 'compare.csv' -o -name '*scaling.dat')" ]
verdict $? "leaves nothing of an earlier report"
report 0 "single files" clean/all_reduce.csv
[ -s collperf-report/index.html ] && [ ! -e report ] && grep -q "no -o given, writing to ./collperf-report" err
verdict $? "without -o they go to ./collperf-report, which is said"
holds out "model     none" "without sendrecv there are no bounds"
awk -v rows=50000 -v shape=machines -f "$data/../../bench/rows.awk" >big.csv
report 0 "many rows" big.csv -o big
[ "$(wc -c <big/index.html)" -lt 3000000 ]
verdict $? "the page does not grow with the rows"
report 0 "alpha and B from the command line" clean/all_reduce.csv --alpha 2us --bandwidth 4GB/s -o given
holds given/fit.csv ",command line," "are said to be from there"

# --- files side by side
mkdir pool
for each in fast:1 slow:10; do
	awk -F, -v OFS=, -v by="${each#*:}" 'FNR == 1 && NR > 1 { next } NR > 1 { $4 = "by" by; for (i = 24; i <= 26; i++) $i *= by; $27 /= by; $28 /= by } 1' \
		clean/all_reduce.csv clean/sendrecv.csv >"pool/${each%:*}.csv"
done
report 0 "two files of one directory" pool/fast.csv pool/slow.csv -o beside
[ "$(awk -F, '/^machine,/ { n++ } /^machine,.*pool\/slow.csv/ { slow++ } END { print n, slow }' beside/fit.csv)" = "2 1" ]
verdict $? "are machines of their own"
lacks beside/report.md "launches of" "and not taken for launches of one"
report 0 "two files of a run directory" clean/all_reduce.csv clean/sendrecv.csv -o together
[ "$(grep -c '^machine,' together/fit.csv)" = 1 ]
verdict $? "are one machine"
lacks together/report.md "no bounds for" "so that each has bounds"
echo '{}' >pool/run.json
report 0 "files beside a run.json" pool/fast.csv pool/slow.csv -o pooled
[ "$(grep -c '^machine,' pooled/fit.csv)" = 1 ] && grep -q 'launches of sendrecv that one alpha and B are fitted to' pooled/report.md
verdict $? "are one machine too, and it is said that they differ"

mkdir twenty
for n in $(seq 20); do
	awk -F, -v OFS=, -v n="$n" 'NR > 1 { $4 = "run" n; for (i = 24; i <= 26; i++) $i *= 1 + n / 100; $27 = $28 = "" } 1' clean/sendrecv.csv >twenty/host$n.csv
done
report 0 "twenty files" twenty/*.csv -o crowd
holds crowd/index.html "14 more series are not listed, at most 6 of a primitive are; of 14 of the 20 files none is: all are in bounds.csv." "the summary says how many it does not list"
holds crowd/report.md "of 14 of the 20 files none is" "so does report.md"
holds out "; 14 of 20 files are not in the lines below" "and the terminal"
lacks together/index.html "are not listed" "and nothing where all are"

# --- several runs
report 0 "several runs without -o" clean tcp
[ -s collperf-report/index.html ] && [ ! -e report ] && [ ! -e clean/collperf-report ]
verdict $? "go to ./collperf-report too"
mkdir noisy quiet
awk -F, -v OFS=, 'NR > 1 && NR < 5 { $30 = "noisy" } NR > 1 { $2 = ""; $3 = "" } 1' clean/all_reduce.csv >noisy/all_reduce.csv
awk -F, -v OFS=, 'NR > 1 { $4 = "q" NR; $2 = ""; $3 = "" } 1' clean/all_reduce.csv >quiet/all_reduce.csv
report 0 "a noisy run and a quiet one" noisy/ quiet -o several
holds several/index.html "noisy: 3 of 20 points stayed noisy" "a finding names its run"
[ "$(grep -c 'no bounds for' several/index.html)" = 1 ] && grep -q 'noisy, quiet: no bounds for' several/index.html
verdict $? "what is found in both is said once"
holds several/index.html "40 points" "both runs count"
report 0 "one run three times" noisy noisy/ noisy -o thrice
holds thrice/report.md "3 of 20 points stayed noisy" "counts once"
holds thrice/report.md "20 rows repeat an earlier one" "which is said"
mkdir many
for n in 1 2 3 4 5 6 7 8; do
	mkdir many/$n
	cp noisy/all_reduce.csv many/$n
	echo "{\"command\": [\"run\", \"number$n\"], \"launches\": [{\"collective\": \"gather\", \"status\": \"killed\"}]}" >many/$n/run.json
done
report 0 "eight runs" many/? -o eight
[ "$(grep -c 'class="soft">command of many/' eight/index.html)" = 6 ] && grep -q 'and 2 more</p>' eight/index.html
verdict $? "six commands are in the header"
holds eight/index.html "many/6 and 2 more: 1 of 1 launches did not end well" "a failed launch is named by its run"
mkdir ranks
awk -F, -v OFS=, 'NR > 1 { $11 = NR; $2 = ""; $3 = "" } 1' clean/all_reduce.csv >ranks/all_reduce.csv
report 0 "twenty numbers of ranks" ranks
[ "$(grep -c 'no bounds for' ranks/report/report.md)" = 1 ] && grep -q 'and 8 more numbers of ranks' ranks/report/report.md
verdict $? "without bounds are one line"

# --- a poor fit
mkdir poor
awk -F, -v OFS=, 'NR > 1 && int(NR / 2) % 2 { for (i = 24; i <= 26; i++) $i *= 1.8 } 1' clean/sendrecv.csv >poor/sendrecv.csv
awk -F, -v OFS=, 'NR > 12 { for (i = 24; i <= 26; i++) $i /= 1.6 } 1' clean/all_reduce.csv >poor/all_reduce.csv
report 0 "a poor fit" poor
holds poor/report/index.html "alpha and B are rough here, so bounds are rough: " "makes rough bounds"
lacks poor/report/index.html "none beats the lower bound" "which nothing is said to be safe from"
grep -qE 'note.*[1-9][0-9]* points faster than the rough lower bound' poor/report/report.md
verdict $? "the points above them are counted"
holds clean/report/index.html "none beats the lower bound" "a good fit has safe bounds"
! grep -q 'ring = "p2p"' clean/report/index.html && grep -qF 'Model: alpha + S/B' clean/report/index.html
verdict $? "sendrecv has no ring"

# --- many rows
mkdir long
awk -F, -v OFS=, 'NR == 1 { print } NR == 2 { $2 = $3 = ""; for (n = 1; n <= 20000; n++) { $17 = $18 = 4 * n; print } }' \
	clean/all_reduce.csv >long/all_reduce.csv
report 0 "20000 rows" long
[ "$(wc -c <long/report/index.html)" -lt 1000000 ]
verdict $? "make a page that a browser can open"
holds long/report/index.html "19500 more are in bounds.csv" "it says what it leaves out"
holds long/report/report.md "19900 more are in bounds.csv" "so does report.md"

# --- hostile texts
mkdir home elsewhere
echo 'system("touch canary")' | tee home/.gnuplot >elsewhere/.gnuplot
printf '#!/bin/sh\ntouch canary\n' >elsewhere/gnuplot
chmod +x elsewhere/gnuplot
touch elsewhere/index.html elsewhere/bounds.csv # as of an earlier report
HOME=$work/home PATH=.:elsewhere:$PATH GNUPLOT_LIB=$work/home report 0 "hostile texts are reported" hostile -o elsewhere
[ -z "$(find . -name 'canary*')" ]
verdict $? "nothing in them is executed"
! grep -iE '<script|<img|onerror=[^a]|javascript:1"' elsewhere/index.html elsewhere/report.md | grep -q .
verdict $? "nothing in them is rendered"
holds elsewhere/index.html '&lt;script&gt;alert(1)&lt;/script&gt;' "they are shown as they are"
! cat elsewhere/{all_reduce,sendrecv}_*.gp | grep -vE '^(#.*|load "[a-z]+\.gp"|array [a-z_]+\[[0-9]+\]|)$' |
	grep -vqE '^[a-z_]+(\[[0-9]+\])? = ([0-9.e+-]+|"[A-Za-z0-9 ._/+?-]*")$'
verdict $? "gnuplot sees none of them"
[ -z "$(find . -name '*script*')" ]
verdict $? "no file is named by them"
[ -z "$gnuplot" ] || [ -s elsewhere/all_reduce_latency.svg ]
verdict $? "their figures are drawn all the same"
LC_ALL=C grep -q '[[:cntrl:]]' <<<"$(tr -d '\n' <out)"
[ $? = 1 ]
verdict $? "no control character reaches the terminal"

# --- without gnuplot
PATH=$work/nowhere report 0 "without gnuplot" clean
holds err "gnuplot is not on the PATH" "a notice says so"
[ -s clean/report/all_reduce.dat ] && [ -s clean/report/all_reduce_latency.gp ]
verdict $? "data and scripts are written"
[ -z "$(find clean/report -name '*.svg' -o -name '*.png')" ]
verdict $? "figures of an earlier report do not stay"
holds clean/report/index.html "No figures: gnuplot" "the page says so"
mkdir fake
printf '#!/bin/sh\necho "it broke" >&2\nexit 1\n' >fake/gnuplot
chmod +x fake/gnuplot
PATH=$work/fake:$PATH report 0 "with a gnuplot that fails" clean
holds err "gnuplot all_reduce_latency.gp failed: it broke" "its own words are passed on"

# --- what is wrong with a run
bad() { # NAME AWK: a copy of the clean run with its all_reduce.csv changed
	rm -rf "$1"
	cp -R clean "$1"
	rm -rf "$1/report"
	awk -F, -v OFS=, "$2" clean/all_reduce.csv >"$1/all_reduce.csv"
}
bad wrong 'NR == 4 { $29 = 3 } 1'
report 1 "wrong data ends with 1" wrong
holds out "WRONG DATA in 1 of 20 points" "and is the first finding"
bad above 'NR > 15 { for (i = 24; i <= 26; i++) $i /= 20 } 1'
report 0 "times below the bound" above
holds above/report/report.md "above bound" "are a finding"
bad cut 'NR < 20'
report 0 "a sweep that was cut" cut
holds cut/report/index.html "incomplete" "is a finding"
bad over 'NR > 1 { $30 = "oversubscribed" } 1'
report 0 "oversubscribed rows" over
awk -F, '/all_reduce/ && !/sendrecv,r1/ { n++; if ($(NF - 1) != "" || $NF != "\r") bad = 1 } END { exit bad || n != 20 }' over/report/bounds.csv
verdict $? "have no efficiency"
bad alone 'NR > 1 { $11 = 1; $28 = "" } 1'
report 0 "rows of one rank" alone
holds alone/report/report.md "rows of one rank" "are said to have no bounds"
bad single 'NR > 1 { $27 = 212.41; $28 = 0; $2 = ""; $3 = "" } 1; NR > 1'
report 3 "several jobs of one rank end with 3" single
[ ! -e single/report/all_reduce_latency.gp ] && [ ! -e single/report/all_reduce_latency.svg ]
verdict $? "and are not plotted"
holds single/report/index.html "several jobs of one rank" "which the page says"
bad broken 'NR == 8 { $24 = "fast" } 1'
report 3 "a file with a bad row ends with 3" broken
[ -s broken/report/index.html ] && grep -q "column time_us" err
verdict $? "after the rows before it are reported"

# --- small and no input
mkdir one
head -n 2 clean/all_reduce.csv >one/all_reduce.csv
report 0 "one row" one
[ -s one/report/index.html ]
verdict $? "makes a page"
: >empty.csv
head -n 1 clean/all_reduce.csv >header.csv
mkdir nothing
refused 3 "an empty file" empty.csv -o o
refused 3 "a file with a header only" header.csv -o o
refused 3 "a directory without files" nothing -o o
refused 3 "a directory that is not there" gone -o o
refused 3 "an output that cannot be made" clean -o /proc/none/o
refused 3 "an output that is a file" clean -o empty.csv
mkdir mine
echo mine >mine/index.html
refused 3 "an output that holds something else" clean -o mine
[ "$(ls mine)" = index.html ] && [ "$(cat mine/index.html)" = mine ]
verdict $? "which stays"
refused 3 "a run directory as output" clean -o clean
mkfifo pipe
refused 3 "a pipe" pipe
mkdir loop
ln -s all_reduce.csv loop/all_reduce.csv
refused 3 "a folder that cannot be looked into" loop
grep -q 'Too many levels' err
verdict $? "which is said"
refused 2 "no input"
refused 2 "an unknown option" clean --bogus
refused 2 "alpha without bandwidth" clean --alpha 5us
refused 2 "a wrong duration" clean --alpha 5x --bandwidth 1G
report 0 "help" --help

echo "1..$number"
exit $status
