#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The ways of sendrecv over a real MPI with 2, 3 and 4 ranks: right data, rows of the placements that there are, who sits out, wrong data where they are put.

. tests/cli/lib.sh
csv=$scratch/csv
shim=$bin/tests/yield_shim.so

mpi() { # RANKS ARGUMENT...
	local ranks=$1

	shift
	rm -f "$csv"
	run 120 mpiexec -n "$ranks" env LD_PRELOAD="$shim" "$bin/sendrecv_perf" --backend mpi -b 60 -e 256K -f 16 -n 3 -w 1 -d half --csv "$csv" "$@"
}

good() { # WHAT; a condition was just evaluated
	verdict $(($? == 0)) "$1 (exit code $rc)" "$scratch/err" <(grep "^#" "$scratch/out" 2>/dev/null | tail -n 8)
}

# Four sizes of each variant and placement, nothing wrong.
rows() { # RANKS VARIANT/PLACEMENT...
	local ranks=$1

	shift
	csv_is_whole "$csv" && csv_cells "$csv" variant placement wrong nranks | sed 's, \(out-of-place\|in-place\) ,/\1\t,' |
		awk -F'\t' -v p="$ranks" -v expected="$(printf '%s\n' "$@")" '
		{ count[$1]++; rows++; if ($2 != "0 " p) bad = 1 }
		END { n = split(expected, want, "\n"); for (i = 1; i <= n; i++) if (count[want[i]] != 4) bad = 1; exit bad || rows != 4 * n }'
}

for ranks in 2 3 4; do
	mpi $ranks --mode oneway
	[ $rc = 0 ] && rows $ranks oneway/out-of-place
	good "$ranks ranks, oneway"
	mpi $ranks --mode bidirectional
	[ $rc = 0 ] && rows $ranks bidirectional/out-of-place bidirectional/in-place
	good "$ranks ranks, bidirectional"
	mpi $ranks --mode pingpong --timing loop
	[ $rc = 0 ] && rows $ranks pingpong/out-of-place
	good "$ranks ranks, pingpong, in a loop"
	mpi $ranks --pipeline 3
	[ $rc = 0 ] && rows $ranks "pipeline 1/out-of-place" "pipeline 3/out-of-place"
	good "$ranks ranks, a pipeline"
done
mpi 3 --stride 2
[ $rc = 0 ] && rows 3 "shift stride 2/out-of-place" "shift stride 2/in-place"
good "3 ranks, shift by 2"
mpi 4 --mode oneway --stride 2 --pipeline 2 -u 1 --rotate
[ $rc = 0 ] && rows 4 "oneway stride 2 pipeline 1/out-of-place" "oneway stride 2 pipeline 2/out-of-place"
good "4 ranks, oneway by 2, a pipeline, buffers that rotate"
grep -q '^# oneway stride 2 pipeline 2, up to 4K: one piece, nothing to overlap$' "$scratch/out" &&
	grep -q "^# oneway stride 2 pipeline 2.*: $([ "$(nproc)" -lt 4 ] && echo 'ranks take turns, so no ratio to one buffer' || echo 'too few samples for an interval, so no ratio')$" \
		"$scratch/out" && ! grep -q 'as fast' "$scratch/out"
good "no gain of one piece, and none of ranks that take turns or of three samples"
mpi 4 --split 'DIV 2' --mode pingpong
[ $rc = 0 ] && csv_cells "$csv" wrong nranks | awk '$0 != "0 2" { bad = 1 } END { exit bad || NR != 8 }'
good "two groups of two, pingpong"
mpi 3 --mode pingpong --stride 2
[ $rc = 0 ] && grep -q '^# rank 1 has no partner and sits out' "$scratch/out"
good "rank 1 of 3 sits out"
for way in "--mode oneway" "--mode bidirectional" "--mode pingpong" "--pipeline 2"; do
	mpi 2 $way --inject corrupt=1
	[ $rc = 1 ] && csv_cells "$csv" wrong | awk '$1 != 1 { bad = 1 } END { exit bad || NR == 0 }'
	good "$way: one wrong element on rank 1 is seen"
done
for buffers in 1 2; do
	grep -q "^sendrecv_perf: wrong data: sendrecv, pipeline $buffers, 960 bytes, out-of-place: 1 elements, first on rank 1" "$scratch/err"
	good "it is told for the pipeline with $buffers"
done
mpi 2 --mode oneway --stride 2
[ $rc = 2 ] && grep -q -e '--stride: no two of 2 ranks are 2 apart' "$scratch/err" && [ "$(lines "$scratch/err")" = 1 ]
good "a stride that pairs nobody"
mpi 2 --stride 4
[ $rc = 2 ] && grep -q -e '--stride: a shift by 4 of 2 ranks' "$scratch/err"
good "a shift that leads to itself"
mpi 2 --stride 5
[ $rc = 2 ] && grep -q -e '--stride: a shift by 5 of 2 ranks is one by 1: give that' "$scratch/err" && [ "$(lines "$scratch/err")" = 1 ]
good "a shift that is another one"
finish
