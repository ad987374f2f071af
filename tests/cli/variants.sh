#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Rows that differ in their variant alone: curves of their own in a report, never duplicates, never the same point of a comparison.

. tests/cli/lib.sh

ways() { # FILE OPTION...
	file=$1
	shift
	run 20 "$bin/sendrecv_perf" --backend sim --sim-ranks 4 --sim-gamma 0.1ns -b 1K -e 1M -f 4 --run-id same --csv "$scratch/$file" "$@"
}

ways pipeline.csv --pipeline 2
ways oneway.csv --mode oneway
ways shift.csv
run 20 "$bin/sendrecv_perf" --backend sim --sim-ranks 4 -b 1K -e 1M -f 4 --pipeline 2 --sim-gamma 0.1ns
sed -n 's/^# \(pipeline 2,.*\)/\1/p' "$scratch/out" >"$scratch/said"
printf 'pipeline 2, %s\n' 'up to 4K: one piece, nothing to overlap' '16K: 20.57 us, one buffer 21.80 us: 1.06 times as fast (1.06 to 1.06)' \
	'64K: 81.06 us, one buffer 87.21 us: 1.08 times as fast (1.08 to 1.08)' '256K: 84.26 us, one buffer 108.84 us: 1.29 times as fast (1.29 to 1.29)' \
	'1M: 110.51 us, one buffer 195.34 us: 1.77 times as fast (1.77 to 1.77)' | cmp -s - "$scratch/said"
verdict $((rc == 0 && $? == 0)) "gains are told with their intervals, of one piece there is none" "$scratch/said"
run 20 "$bin/sendrecv_perf" --backend sim --sim-ranks 4 -b 1K -e 1M -f 4 --pipeline 2 --sim-gamma 0.0001ns --sim-noise 5%,5%
verdict $((rc == 0 && $(grep -c '^# pipeline 2, .*: cannot be told apart (0.9[0-9] to 1.0[0-9] times as fast)$' "$scratch/out") == 4)) "an interval that includes 1 is no gain" "$scratch/out"
run 20 "$bin/sendrecv_perf" --backend sim --sim-ranks 4 -b 1M -e 1M -n 9 --pipeline 2 --sim-gamma 0.1ns --sim-noise '1%,60%'
grep -q '^# pipeline 2, 1M: .*: too noisy for a ratio$' "$scratch/out"
verdict $((rc == 0 && $? == 0)) "a gain that noise hides is none" "$scratch/out"
run 20 "$bin/sendrecv_perf" --backend sim --sim-ranks 4 -b 256K -e 256K --pipeline 2
grep -q '^# pipeline: .*; packing takes no time without --sim-gamma, so nothing is gained$' "$scratch/out" && ! grep -q 'as fast\|in the time' "$scratch/out"
verdict $((rc == 0 && $? == 0)) "a simulation that knows no packing says so" "$scratch/out"
run 60 "$bin/collperf" report "$scratch/pipeline.csv" -o "$scratch/report"
csv_cells "$scratch/report/fit.csv" part variant | grep '^series' >"$scratch/said"
printf 'series pipeline 1\nseries pipeline 2\n' | cmp -s - "$scratch/said"
verdict $((rc == 0 && $? == 0)) "both pipelines of one file are curves" "$scratch/said" "$scratch/err"
grep 'rows repeat an earlier one' "$scratch/out" "$scratch/err" "$scratch/report/report.md" >"$scratch/said"
verdict $(($? == 1)) "neither is taken for the other's repetition" "$scratch/said"
# As after the table: no gain of rows to which a rank came late.
sed 's/simulated/simulated late/' "$scratch/pipeline.csv" >"$scratch/late.csv"
run 60 "$bin/collperf" report "$scratch/late.csv" -o "$scratch/late"
grep -q 'pipeline 2 has no ratio to pipeline 1 at any of 6 sizes, late at 6\.' "$scratch/late/index.html" && [ -z "$(csv_cells "$scratch/late/compare.csv" ratio | tr -d '\n')" ] &&
	[ "$(grep -c ',late' "$scratch/late/compare.csv")" = 6 ]
verdict $((rc == 0 && $? == 0)) "rows that came late have no ratio" "$scratch/late/compare.csv" "$scratch/err"
[ "$(csv_cells "$scratch/report/compare.csv" ratio | tail -n 1)" = 0.565736967 ]
verdict $(($? == 0)) "others have one" "$scratch/report/compare.csv"
grep -q '^| sendrecv | pipeline 2 |' "$scratch/report/report.md"
verdict $(($? == 0)) "the report names them" "$scratch/report/report.md"
run 60 "$bin/collperf" report "$scratch/shift.csv" "$scratch/oneway.csv" -o "$scratch/both"
verdict $((rc == 0 && $(grep -c 'oneway out-of-place' "$scratch/both/report.md") > 0 && $(grep -c 'plain out-of-place' "$scratch/both/report.md") > 0)) \
	"beside a variant the plain calls are named" "$scratch/both/report.md"
run 60 "$bin/collperf" compare "$scratch/shift.csv" "$scratch/oneway.csv"
[ $rc = 3 ] && grep -q 'no point is on both sides' "$scratch/err" && grep -q 'variant oneway: sendrecv' "$scratch/err" "$scratch/out"
verdict $(($? == 0)) "a comparison does not hold one variant against another" "$scratch/err" "$scratch/out"
run 60 "$bin/collperf" compare "$scratch/oneway.csv" "$scratch/oneway.csv"
[ $rc = 0 ] && grep -q 'at 6 points of 1 series' "$scratch/out"
verdict $(($? == 0)) "but against itself" "$scratch/err" "$scratch/out"
finish
