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
run 60 "$bin/collperf" report "$scratch/pipeline.csv" -o "$scratch/report"
csv_cells "$scratch/report/fit.csv" part variant | grep '^series' >"$scratch/said"
printf 'series pipeline 1\nseries pipeline 2\n' | cmp -s - "$scratch/said"
verdict $((rc == 0 && $? == 0)) "both pipelines of one file are curves" "$scratch/said" "$scratch/err"
grep 'rows repeat an earlier one' "$scratch/out" "$scratch/err" "$scratch/report/report.md" >"$scratch/said"
verdict $(($? == 1)) "neither is taken for the other's repetition" "$scratch/said"
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
