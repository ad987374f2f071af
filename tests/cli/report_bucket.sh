#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# What a report makes of rows of training steps: written by no binary, so that their times are known. Columns are those that a binary writes.

. tests/cli/lib.sh
collperf=$bin/collperf

good() { # WHAT; a condition was just evaluated
	verdict $(($? == 0)) "$1" "$scratch/err" "$scratch/out"
}

"$bin/all_reduce_perf" --backend sim --sim-ranks 2 -b 8 -e 8 -n 2 --csv "$scratch/header.csv" >/dev/null
# Steps of 96 MiB in 300 tensors, backward 50 ms, a call of x bytes 100 us + x / 10 GB/s; what hides communication hides all that the model says.
steps() { # RUN PROGRESS [NAME=VALUE]... of: wrong flags factor path
	local word values=()

	for word in "${@:3}"; do values+=(-v "$word"); done
	awk -v run="$1" -v progress="$2" -v head="$(head -n 1 "$scratch/header.csv")" "${values[@]}" '
		BEGIN {
			CONVFMT = "%.12g"
			n = split(head, names, ","); sub(/\r/, "", names[n]); print head
			factor = factor ? factor : 1; bytes = 96 * 2^20; backward = 50e3; all = bytes / 1e4
			points = 10
			put("naive", "", 300); put("flat", "", 1)
			for (cap = 256 * 1024; cap <= 32 * 2^20; cap *= 2) { k = int(bytes / cap); put("bucketed", cap, k > 300 ? 300 : k) }
		}
		function put(strategy, cap, calls,   comm, step, first, second, i, line) {
			comm = calls * 100 + all
			first = backward + 100 + all / calls; second = backward / calls + calls * 100 + all
			step = strategy != "bucketed" || progress == "none" ? backward + comm : factor * (first > second ? first : second)
			split("", cell)
			cell["schema"] = 1; cell["point"] = ++point; cell["points"] = points; cell["run"] = run; cell["collective"] = "bucket"
			cell["backend"] = "mpi"; cell["path"] = path; cell["nranks"] = 2; cell["nnodes"] = 1; cell["type"] = "float"; cell["redop"] = "sum"
			cell["placement"] = "out-of-place"; cell["bytes"] = cell["bytes_requested"] = bytes; cell["count"] = bytes / 4
			cell["timing"] = "sync"; cell["sync"] = "clock"; cell["time_us"] = step; cell["wrong"] = point == 3 ? wrong + 0 : 0
			cell["flags"] = flags; cell["strategy"] = strategy; cell["bucket_cap"] = cap; cell["calls"] = calls; cell["tensors"] = 300
			cell["progress"] = strategy == "bucketed" ? progress : "none"; cell["compute_us"] = backward; cell["comm_us"] = comm; cell["exposed_us"] = step - backward
			cell["overlap"] = step - backward > comm ? 0 : 1 - (step - backward) / comm
			for (i = 1; i <= n; i++) line = line (i > 1 ? "," : "") cell[names[i]]
			print line
		}'
}

report() { # ARGUMENT...
	run 60 "$collperf" report "$@"
}

# One file
steps r1 polling >"$scratch/b.csv"
report "$scratch/b.csv" -o "$scratch/r"
[ $rc = 0 ] && grep -q '^measured  training steps, 10 points, 2 ranks' "$scratch/out" &&
	grep -q '^steps     bucketed, polling: 50.1 ms at 256 KiB, overlap 100 %; flat 60.2 ms; predicted optimum 256 KiB' "$scratch/out"
good "rows of steps alone have a report, and a line on the terminal"
grep -q '^findings  none' "$scratch/out"
good "nothing is found in steps as they should be"
[ "$(lines "$scratch/r/bounds.csv")" = 1 ] && [ "$(lines "$scratch/r/fit.csv")" = 1 ] && [ "$(lines "$scratch/r/steps.csv")" = 11 ]
good "no bound and no fit is of steps; their points are in steps.csv"
[ "$(grep -o 'The numbers behind.*' "$scratch/r/index.html")" = 'The numbers behind the figures, beside this page: <code>steps.csv</code>.</p>' ] &&
	! grep -q 'alpha + n / B' "$scratch/r/index.html" "$scratch/r/report.md"
good "the page names that file alone, and no model that nothing is held against"
tr -d '\r' <"$scratch/r/steps.csv" >"$scratch/steps.csv"
csv_cells "$scratch/steps.csv" strategy step_us model_us | awk '$1 == "bucketed" { n++; if ($2 / $3 > 1.0001 || $2 / $3 < 0.9999) exit 1 } END { exit n != 8 }'
good "the model says what was put in"
! command -v gnuplot >/dev/null || {
	[ -s "$scratch/r/steps_time.svg" ] && [ -s "$scratch/r/steps_time.png" ] && [ "$(grep -c '<svg' "$scratch/r/index.html")" = 1 ] &&
	grep -q 'predicted optimum' "$scratch/r/steps_time.svg" && grep -q 'measured optimum' "$scratch/r/steps_time.svg"
}
good "the figure has both optima"
for words in 'measured optimum: bucketed, polling at 256 KiB, 50.1 ms a step' 'a = 100 us and 1/b = 10 GB/s fitted from the steps' \
	'those of 16 MiB are not clearly slower than the best, those of 32 MiB cost 6.6 % more time a step' 'naive takes 90.1 ms'; do
	grep -qF "$words" "$scratch/r/index.html" && sed 's/\\//g' "$scratch/r/report.md" | grep -qF "$words"
	good "both pages say: $words"
done

# A run directory, with the same calls measured by themselves.
mkdir "$scratch/run"
steps r1 polling path=shm >"$scratch/run/bucket.csv"
"$bin/all_reduce_perf" --backend sim --sim-ranks 2 --sim-alpha 50us --sim-bandwidth 10G -b 1K -e 64M -f 4 -c 1 --csv - 2>/dev/null |
	sed '2,$s/,sim,\([^,]*\),[^,]*,/,mpi,\1,shm,/' >"$scratch/run/all_reduce.csv"
report "$scratch/run"
[ $rc = 0 ] && sed 's/\\//g' "$scratch/run/report/report.md" | grep -q 'a = 100 us and 1/b = 10 GB/s of the line through the all_reduce rows in '
good "bucket.csv of a run directory is read; all_reduce beside it tells a and b"
cp "$scratch/run/all_reduce.csv" "$scratch/good.csv"
"$bin/all_reduce_perf" --backend sim --sim-ranks 2 --sim-alpha 500us --sim-bandwidth 1G -b 1K -e 64M -f 4 -c 1 --csv - 2>/dev/null |
	sed '2,$s/,sim,\([^,]*\),[^,]*,/,mpi,\1,shm,/' >"$scratch/run/all_reduce.csv"
report "$scratch/run"
[ $rc = 0 ] && sed 's/\\//g' "$scratch/run/report/report.md" | grep -q 'a = 100 us and 1/b = 10 GB/s fitted from the steps.*all_reduce rows in .* says [0-9]* % more of it'
good "calls of another network do not, and it is said"
cp "$scratch/good.csv" "$scratch/run/all_reduce.csv"
report "$scratch/run"
cp "$scratch/run/report/bounds.csv" "$scratch/with.csv"
cp "$scratch/run/report/fit.csv" "$scratch/with.fit"
rm "$scratch/run/bucket.csv"
report "$scratch/run"
cmp -s "$scratch/run/report/bounds.csv" "$scratch/with.csv" && cmp -s "$scratch/run/report/fit.csv" "$scratch/with.fit" &&
	[ ! -e "$scratch/run/report/steps.csv" ] && [ ! -e "$scratch/run/report/steps_time.svg" ]
good "steps change no bound and no fit of a sweep; old figures do not stay"

# Progress
steps r2 none >"$scratch/none.csv"
report "$scratch/b.csv" "$scratch/none.csv" -o "$scratch/two"
[ $rc = 0 ] && grep -q '^- \*\*note\*\* .*none.csv: training steps: bucketed, none hides none of its communication' "$scratch/two/report.md" &&
	sed 's,\\,,g' "$scratch/two/report.md" | grep -q 'what progress costs: .* at most 2 % more with progress polling, 24 % to 25 % more with progress none'
good "steps of two kinds of progress stand side by side, and what each costs is said"

# Findings
steps r3 polling wrong=5 >"$scratch/wrong.csv"
report "$scratch/wrong.csv" -o "$scratch/w"
[ $rc = 1 ] && grep -q '^- \*\*error\*\* training steps: WRONG DATA in 1 of 10 rows' "$scratch/w/report.md"
good "wrong data in a step is an error, exit 1"
grep -q '^- measured optimum: bucketed, polling at 512 KiB, ' "$scratch/w/report.md" && grep -q '^- WRONG DATA in 1 of 10 rows: left out' "$scratch/w/report.md" &&
	[ "$(lines "$scratch/w/steps.csv")" = 10 ]
good "and such a row is no optimum"
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "wrong") w = i } NR > 1 { $w = 5 } 1' "$scratch/b.csv" >"$scratch/allwrong.csv"
report "$scratch/allwrong.csv" -o "$scratch/w"
[ $rc = 1 ] && grep -q '^- WRONG DATA in all rows' "$scratch/w/report.md" && ! grep -qE 'optimum:|than the best|what progress costs' "$scratch/w/report.md" &&
	! grep -q '^| strategy' "$scratch/w/report.md" && [ ! -e "$scratch/w/steps_time.svg" ] && grep -q '^steps     WRONG DATA in all rows' "$scratch/out"
good "of wrong data alone nothing is compared"
steps r4 polling factor=1.4 >"$scratch/slow.csv"
report "$scratch/slow.csv" -o "$scratch/s"
[ $rc = 0 ] && grep -q '^- \*\*warning\*\* training steps: bucketed, polling takes 70.* more than flat' "$scratch/s/report.md"
good "buckets that do not pay are found"
steps r5 polling factor=1.4 flags=oversubscribed >"$scratch/turns.csv"
report "$scratch/turns.csv" -o "$scratch/t"
[ $rc = 0 ] && grep -q 'training steps: in 10 of 10 rows ranks took turns' "$scratch/t/report.md" && ! grep -q 'more than flat, which' "$scratch/t/report.md"
good "steps of ranks that take turns are shown, not judged"

# Launches of other compute: all of a simulation have one name, and no step of one is a repeat of another's.
for ms in 1 10; do
	"$bin/bucket_perf" --backend sim --sim-ranks 8 --params 10M --layers 12 --strategy naive,flat,bucketed --bucket-cap 256K..32M --compute-ms $ms \
		--csv "$scratch/ms$ms.csv" >/dev/null
done
report "$scratch/ms1.csv" "$scratch/ms10.csv" -o "$scratch/ms"
[ $rc = 0 ] && ! grep -q 'repeat an earlier' "$scratch/ms/report.md" && [ "$(lines "$scratch/ms/steps.csv")" = 21 ] &&
	[ "$(tr -d '\r' <"$scratch/ms/steps.csv" | csv_cells - compute_asked_us | sort -u | tr '\n' ' ')" = "1000 10000 " ]
good "steps of two computes are all there"
grep -q 'steps are of different compute \\\?(1 ms to 10 ms' "$scratch/ms/report.md" && ! grep -qE 'compute alone takes|[0-9]{3} % more with' "$scratch/ms/report.md"
good "and are not taken for a cost of anything"

# More settings than there are figures for: the measured one keeps its own.
for ranks in 2 3 4; do
	"$bin/bucket_perf" --backend sim --sim-ranks $ranks --params 10M --layers 12 --strategy bucketed --bucket-cap 1M,4M --csv "$scratch/of$ranks.csv" >/dev/null
done
"$bin/bucket_perf" --backend sim --sim-ranks 2 --params 10M --layers 12 --strategy bucketed --bucket-cap 1M --csv - 2>/dev/null | sed 's/,sim,sim,/,mpi,Other 1.0,/' >"$scratch/other.csv"
report "$scratch/of2.csv" "$scratch/other.csv" -o "$scratch/libraries"
grep -q ', sim, Other 1.0' "$scratch/out" && grep -q ', sim, Other 1.0' "$scratch/libraries/report.md" && grep -q 'sim, Other 1.0' "$scratch/libraries/index.html"
good "all libraries are named"
report "$scratch/of2.csv" "$scratch/of3.csv" "$scratch/of4.csv" "$scratch/b.csv" -o "$scratch/four"
[ $rc = 0 ] && grep -q '^### 2 ranks, 96 MiB in 300 tensors' "$scratch/four/report.md" && grep -q '1 more setting is in steps.csv alone' "$scratch/four/report.md" &&
	grep -q '1 more setting is in steps.csv alone' "$scratch/four/index.html" && ! grep -q '^### 4 ranks' "$scratch/four/report.md" &&
	grep -q ',4,40000000,' "$scratch/four/steps.csv"
good "of four settings the measured one is told, and where the one left out is"
grep -q '^measured .*; 6 of the 16 rows are simulated' "$scratch/out"
good "the terminal says that some rows are simulated"

# A row that contradicts itself
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "time_us") t = i } NR == 6 { $t = 1 } 1' "$scratch/b.csv" >"$scratch/contra.csv"
report "$scratch/contra.csv" -o "$scratch/c"
[ $rc = 0 ] && grep -q '^- \*\*warning\*\* 1 row of training steps contradicts itself and is left out' "$scratch/c/report.md" &&
	grep -q 'measured optimum: bucketed, polling at 256 KiB, 50.1 ms' "$scratch/c/report.md"
good "a row that contradicts itself is told and left out"

# The gate
run 60 "$collperf" compare "$scratch/b.csv" "$scratch/b.csv"
cat "$scratch/out" "$scratch/err" | grep -q '10 rows of training steps are not compared' && ! cat "$scratch/out" "$scratch/err" | grep -q 'no known primitive'
good "compare says that it leaves steps out"

# Rows that are no steps, though they say so.
for change in 's/,bucket,mpi/,all_reduce,mpi/' 's/,naive,/,,/' 's/,naive,,300,300/,naive,,300,0/'; do
	sed "2$change" "$scratch/b.csv" >"$scratch/bad.csv"
	report "$scratch/bad.csv" -o "$scratch/bad"
	[ $rc = 3 ] && grep -qE 'column (strategy|tensors): ' "$scratch/err"
	good "no step: $change"
done
finish
