#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# alltoallv_perf, barrier_perf and hypercube_perf over the simulated backend: skews and matrices against sums reckoned here, what is refused and where,
# what is skipped; the driver runs them by name alone, and the report takes their rows.

. tests/cli/lib.sh
collperf=$bin/collperf

good() { # WHAT; a condition was just evaluated
	verdict $(($? == 0)) "$1 (exit code $rc)" "$scratch/err" "$scratch/out"
}

sim() { # PRIMITIVE ARGUMENT...
	local program=$bin/$1_perf

	shift
	run 60 "$program" --backend sim "$@"
}

refused() { # CODE TEXT PRIMITIVE ARGUMENT...
	local code=$1 text=$2

	shift 2
	sim "$@"
	[ $rc = "$code" ] && [ ! -s "$scratch/out" ] && [ "$(grep -cF -e "$text" "$scratch/err")" = 1 ]
	good "exit $code: $text"
}

# A skew: S is what rank 0 receives, time is that of its port, imbalance 1 + (p - 1) skew but for blocks of 16 bytes.
for ranks in 2 3 8 33; do
	for skew in 0.25 1; do
		sim alltoallv --sim-ranks $ranks -b 256K -e 1M -f 4 --skew $skew --sim-alpha 5us --sim-bandwidth 100G --csv "$scratch/csv"
		[ $rc = 0 ] && csv_cells "$scratch/csv" bytes count time_us busbw_GBps imbalance wrong placement bytes_requested points variant | awk -v p=$ranks -v skew=$skew '
			function off(a, b) { return (a - b) * (a - b) > 1e-6 * b * b }
			{ s = $10 == "skew" ? skew : 0; if (NR % 2 ? $10 != "skew" || $1 < $8 - 16 * p : $10 != "" || $8 != asked || $1 * mean > $8) bad = 1
			  asked = $8; mean = $5; if ($9 != 4) bad = 1
			  port = $1 * (p - 1) / p; t = (p - 1) * 5 + port / 1e5
			  if ($1 != $2 * 4 * p || off($3, t) || off($4, port / $3 / 1e3) || ($5 - 1 - (p - 1) * s) ^ 2 > (0.02 * $5) ^ 2 || $6 + 0 || $7 != "out-of-place") bad = 1 }
			END { exit bad || NR != 4 }'
		good "$ranks ranks, skew $skew: size, time, bandwidth and imbalance of both rows"
		[ "$(grep -c "^# skew $skew, [0-9]* bytes: imbalance .* spread evenly" "$scratch/out")" = 2 ]
		good "$ranks ranks, skew $skew: each size beside the even exchange"
	done
done
sim alltoallv --sim-ranks 4 -b 4M -e 4M --skew 0.5 --sim-alpha 0 --sim-bandwidth 100G
grep -q 'imbalance 2.5, 31.46 us; as much spread evenly, 16776[0-9]* bytes a rank: 12.58 us; uneven takes 2.5 times as long (2.5 to 2.5)$' "$scratch/out"
good "without latency the skew costs what the imbalance is"
sim alltoallv --sim-ranks 4 -b 8K -e 8K --skew 0.01 --sim-alpha 5us --sim-bandwidth 100G
grep -q 'imbalance 1.03, .* us; uneven takes as long$' "$scratch/out"
good "what is no longer is not told as a factor"
sim alltoallv --sim-ranks 4 -b 1K -e 1K --skew 0
[ $rc = 0 ] && ! grep -q imbalance "$scratch/out"
good "a skew of 0 is the even exchange"
sim alltoallv --sim-ranks 4 -b 64 -e 512 -f 8 --skew 0.5 --dry-run
[ $rc = 0 ] && grep -q '^# alltoallv_perf: 3 points' "$scratch/out" && [ "$(grep -c 'out-of-place 64 0 0 skipped: spread evenly it is under a block' "$scratch/out")" = 1 ] &&
	[ "$(tail -n 1 "$scratch/out")" = "float none -1 out-of-place 512 128 8" ]
good "even exchanges are points of their own, if they have blocks"
sim alltoallv --sim-ranks 4 -b 64 -e 512 -f 8 --skew 0.5 --sim-alpha 0 --sim-bandwidth 1G
[ $rc = 0 ] && grep -q '^# skew 0.5, 64 bytes: imbalance 4, 0.05 us; no even exchange beside it: spread evenly it is under a block' "$scratch/out" &&
	grep -q '128 bytes a rank (of 176: blocks are multiples of 16 bytes): .* times as long' "$scratch/out" && grep -q '^ *128 .* -  *$' "$scratch/out"
good "what is rounded and what is left out is told"
sim alltoallv --sim-ranks 5 --split 'MOD 2' -b 4K -e 4K --skew 0.5
[ $rc = 0 ] && grep -q '^# skew 0.5, .*, group 0: imbalance 2' "$scratch/out" && grep -q '^# skew 0.5, .*, group 1: imbalance 1.5' "$scratch/out"
good "of every group"
sim alltoallv --sim-ranks 4 -b 4K -e 4K --skew 0.5 --timing loop -n 20
[ $rc = 0 ] && grep -q 'too few samples for an interval, so no ratio$' "$scratch/out"
good "a ratio without an interval is none"
sim alltoallv --sim-ranks 4 -b 4K -e 4K --skew 0.5 --sim-noise '1%,1%' -n 20
[ $rc = 0 ] && grep -q 'the two cannot be told apart (0.* to 1.* times)$' "$scratch/out"
good "a ratio whose interval includes 1 is none"
sim alltoallv --sim-ranks 4 -b 4K -e 4K --skew 0.5 --sim-noise '1%,50%' -n 9
[ $rc = 0 ] && grep -q 'too noisy for a ratio$' "$scratch/out"
good "nor one of wide intervals, where -n says how many samples"

# Matrices: as they are, and scaled.
printf '# from rows to columns\n 0 1000 0\n500 0 0 # none for rank 2\n\n2K 4 0\n' >"$scratch/m"
sim alltoallv --sim-ranks 3 --matrix "$scratch/m" --csv "$scratch/csv"
[ $rc = 0 ] && [ "$(csv_cells "$scratch/csv" bytes_requested bytes count wrong variant | tr '\n' ';')" = "2548 2548 512 0 matrix m d390564f;2548 1152 96 0 ;" ]
good "a matrix is a point of its own size, column 0 is the busiest, and one spread evenly"
sim alltoallv --sim-ranks 3 --matrix "$scratch/m" -b 25480 -e 254800 -f 10 --csv "$scratch/csv" -d int8
[ $rc = 0 ] && [ "$(csv_cells "$scratch/csv" bytes count wrong | tr '\n' ';')" = "25480 20480 0;11808 3936 0;254800 204800 0;118368 39456 0;" ]
good "with sizes it is scaled"
mkdir "$scratch/other"
sed 's/1000/999/' "$scratch/m" >"$scratch/other/m"
sim alltoallv --sim-ranks 3 --matrix "$scratch/other/m" --csv "$scratch/csv"
[ $rc = 0 ] && grep -q ',matrix m [0-9a-f]*,' "$scratch/csv" && ! grep -q d390564f "$scratch/csv" &&
	grep -qx "# 1 of the matrix's 9 sizes are no multiples of 4 bytes (float): rounded down, 0 of them to 0" "$scratch/out"
good "another file of that name has another variant, and what is rounded is told"
printf '16 1\n1 16\n' >"$scratch/kept"
sim alltoallv --sim-ranks 2 --matrix "$scratch/kept" --csv "$scratch/kept.csv"
[ $rc = 0 ] && grep -q "2 of the matrix's 4 sizes are .*, 2 of them to 0" "$scratch/out" && [ "$(csv_cells "$scratch/kept.csv" bytes busbw_GBps wrong)" = "16  0" ] &&
	! grep -q 'Peak bus' "$scratch/out"
good "where each rank keeps what it has there is no bus bandwidth"
run 60 "$collperf" report "$scratch/kept.csv" -o "$scratch/report"
[ $rc = 0 ] && ! grep -q 'several jobs' "$scratch/report/report.md"
good "and the report takes it for no other trouble"
sim alltoallv --sim-ranks 2 --matrix "$scratch/kept" -b 12 -e 12
[ $rc = 0 ] && grep -qx "# at 12 bytes 2 of the matrix's blocks are under one float: left out" "$scratch/out"
good "blocks that are scaled away are told"
printf '0 4K\n4K 0\n' >"$scratch/turn"
sim alltoallv --sim-ranks 2 --matrix "$scratch/turn"
[ $rc = 0 ] && grep -q 'imbalance 1, .*; all ranks are as busy as each other, so no ratio$' "$scratch/out"
good "ranks that are as busy as each other have no ratio"
printf '4K 4K\n4K 4K\n' >"$scratch/same"
sim alltoallv --sim-ranks 2 --matrix "$scratch/same"
[ $rc = 0 ] && grep -q 'imbalance 1, .*; its blocks are even$' "$scratch/out" && [ "$(grep -c '^ *[0-9]' "$scratch/out")" = 1 ]
good "even blocks are measured once"
sim alltoallv --sim-ranks 3 --matrix "$scratch/m" --inject corrupt=2
[ $rc = 1 ]
good "wrong data are seen, also where a rank receives nothing"
bad() { # TEXT MATRIX
	printf "$2" >"$scratch/bad"
	refused 2 "$1" alltoallv --sim-ranks 2 --matrix "$scratch/bad"
}
bad "line 2, row 1, column 0: 'x' is not a size" '1 2\nx 3\n'
bad "line 2, row 1, column 1: missing, row 0 has 2 columns" '1 2\n3\n'
bad "line 1, row 0, column 1: '-1' is not a size" '1 -1\n3 4\n'
bad "all sizes are 0" '0 0\n0 0\n'
bad "row 1, column 0: missing" '1 2\n'
refused 2 "3 rows and columns are for as many ranks, not for 4" alltoallv --sim-ranks 4 --matrix "$scratch/m"
refused 2 "No such file" alltoallv --sim-ranks 4 --matrix "$scratch/none"
refused 2 "is not a fraction from 0 to 1" alltoallv --skew 1.5
refused 2 "is not a fraction from 0 to 1" alltoallv --skew -0.5
refused 2 "--skew and --matrix both" alltoallv --skew 0.5 --matrix "$scratch/m"
refused 2 "only alltoallv_perf has uneven blocks" alltoall --skew 0.5
refused 77 "a hypercube needs a power of two of ranks" hypercube --sim-ranks 6
refused 77 "one rank has nobody to exchange with" hypercube --sim-ranks 1

# No data: one row, a time and no more, whatever sizes are asked for.
sim barrier --sim-ranks 5 -b 8 -e 1G -f 2 -d all --sim-alpha 7us --csv "$scratch/csv"
[ $rc = 0 ] && [ "$(csv_cells "$scratch/csv" bytes_requested bytes count time_us algbw_GBps busbw_GBps wrong flags point points)" = "0 0 0 21    simulated 1 1" ]
good "a barrier is one row of ceil(log2 5) messages"
[ "$(csv_cells "$scratch/csv" type redop root)" = "  " ] && [ "$(awk '!/^#/ && NF { print $3, $4, $5 }' "$scratch/out")" = "none none -1" ]
good "whose type, operation and root are none"
refused 2 "--inject: corrupt: there are no data here" barrier --sim-ranks 2 --inject corrupt=0
refused 2 "--inject: @SIZE: there are no sizes here" barrier --sim-ranks 2 --inject hang=1@32M
sim hypercube --sim-ranks 8 -b 8K -e 8K -d int8 --csv "$scratch/csv"
[ $rc = 0 ] && [ "$(csv_cells "$scratch/csv" bytes count wrong placement | tr '\n' ';')" = "7168 1024 0 out-of-place;7168 1024 0 in-place;" ]
good "a hypercube's size leaves the own block out"

# By name alone; rows into the report.
cd "$scratch" || exit 1
run 120 "$collperf" run --backend sim --np 4 -o nine -b 1K -e 1K --quiet
[ $rc = 0 ] && [ "$(ls nine/*.csv | wc -l)" = 9 ]
good "all are nine"
run 120 "$collperf" run --backend sim --np 4 --collectives sendrecv,alltoallv,barrier,hypercube -o named -b 1K -e 16M -f 4 --repeat 2 --quiet
[ $rc = 0 ] && [ "$(ls named/*.csv | wc -l)" = 4 ]
good "others come by name"
run 60 "$collperf" report named
[ $rc = 0 ] && grep -q 'barrier: 10 us of 4 ranks, the median of 2 launches from 10 us to 10 us; at least it needs ceil.(log2 4.) alpha = 10 us' named/report/report.md &&
	grep -q '^| barrier | plain | 4 | - | - | 10 us | - | - | - | ceil.(log2 4.) alpha = 10 us |' named/report/report.md &&
	grep -q '^barrier   10 us of 4 ranks' "$scratch/out" && grep -q '<a href="#barrier">barrier</a></td><td data-l="ranks">4</td>' named/report/index.html &&
	! grep -q 'usable size' named/report/report.md && grep -q '^| hypercube .*close to the bound' named/report/report.md
good "the report tells the barrier's time and judges the others"
# What unevenness costs: against the even rows of the same hosts, and of no others.
run 120 "$collperf" run --backend sim --np 4 --collectives alltoallv -o skewed -b 1K -e 16M -f 4 --skew 0.5 --repeat 2 --quiet
run 60 "$collperf" report named skewed -o costs
[ $rc = 0 ] && grep -q '^### What unevenness costs' costs/report.md && grep -q ' skew 0.5: even rows of the same file, skewed/alltoallv.csv, and of named/alltoallv.csv' costs/report.md &&
	grep -q '^| 16 MiB | 2.50 | 141 us .* | 2.16 | .* | 141 us | 1.00 | 1.00 to 1.00 |' costs/report.md &&
	grep -q '<h3>What unevenness costs</h3>' costs/index.html && grep -q '<td>16 MiB</td><td>2.50</td><td>141 us</td>' costs/index.html &&
	! grep -q 'imbalance explains at' costs/report.md
good "the report tells what unevenness costs"
sed -i 's/"host": *"[^"]*"/"host": "elsewhere"/g' skewed/run.json
run 60 "$collperf" report named skewed -o doubt
[ $rc = 0 ] && grep -q ' skew 0.5: even rows of the same file, skewed/alltoallv.csv$' doubt/report.md &&
	grep -q '^| 16 MiB | 2.50 | 141 us .* | 2.16 | 2.16 to 2.16 | - | - | - |' doubt/report.md
good "rows of another host are not compared"
mkdir older
cp skewed/run.json older
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "variant") at = i } NR == 1 || $at != ""' skewed/alltoallv.csv >older/alltoallv.csv
run 60 "$collperf" report named older -o doubt
[ $rc = 0 ] && grep -q 'of several files or of other or unknown hosts, so none is compared' doubt/report.md &&
	grep -q '^| 16 MiB | 2.50 | 141 us .* | - | - | - | - | - | - |' doubt/report.md
good "what is in doubt is told"
run 60 "$collperf" report older -o doubt
[ $rc = 0 ] && grep -q 'no even rows of the same setting' doubt/report.md
good "and what is missing"
run 60 "$collperf" report named
[ $rc = 0 ] && ! grep -q 'unevenness' named/report/report.md named/report/index.html
good "even rows alone have no such table"
run 60 "$collperf" compare named named
[ $rc = 0 ] && grep -q 'at 41 points of 4 series' "$scratch/out"
good "the gate takes such rows"
finish
