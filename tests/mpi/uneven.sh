#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# alltoallv_perf, barrier_perf and hypercube_perf over a real MPI: right data for every type, skew and matrix, ranks that send or receive nothing, wrong
# data seen, a bad matrix refused by all alike, numbers of ranks that are no power of two.

. tests/cli/lib.sh
csv=$scratch/csv
shim=$bin/tests/yield_shim.so

mpi() { # RANKS PRIMITIVE ARGUMENT...
	local ranks=$1 program=$bin/$2_perf

	shift 2
	rm -f "$csv"
	run 120 mpiexec -n "$ranks" env LD_PRELOAD="$shim" "$program" "$@"
}

good() { # WHAT; a condition was just evaluated
	verdict $(($? == 0)) "$1 (exit code $rc)" "$scratch/err" <(tail -n 8 "$scratch/out" 2>/dev/null)
}

right() { # ROWS; all of them without wrong data
	[ $rc = 0 ] && csv_is_whole "$csv" && [ "$(csv_cells "$csv" wrong | sort | uniq -c | tr -d '\n' | tr -s ' ')" = " $1 0" ]
}

for ranks in 1 2 3 4; do
	for skew in 0 0.5 1; do
		mpi $ranks alltoallv -b 1K -e 64K -f 4 -n 3 --skew $skew --csv "$csv"
		# The even exchange beside each that is uneven.
		right $((ranks > 1 && ${skew%.*}${skew#*.} > 0 ? 8 : 4))
		good "$ranks ranks, skew $skew"
	done
done
mpi 3 alltoallv -b 1000 -e 1000 -n 2 -d all --skew 0.3 --csv "$csv"
right 24
good "every type"
printf '0 1000 0\n500 0 0\n2000 4 0\n' >"$scratch/m"
mpi 3 alltoallv --matrix "$scratch/m" -n 3 -d int8 --csv "$csv"
right 2 && [ "$(csv_cells "$csv" bytes variant | tr '\n' ';')" = "2500 matrix m ef67db9e;1152 ;" ]
good "a rank that receives nothing, and one that sends little"
mpi 3 alltoallv --matrix "$scratch/m" -b 4K -e 256K -f 8 -n 3 -d half --csv "$csv"
right 6
good "a matrix that is scaled"
mpi 3 alltoallv --split "MOD 2" -b 1K -e 4K -f 4 -n 3 --skew 0.5 --csv "$csv"
right 8
good "groups of two and one"
mpi 3 alltoallv -b 4K -e 4K -n 3 --skew 0.5 --inject corrupt=2
[ $rc = 1 ]
good "wrong data on rank 2 are seen"
printf '0 1\n2 x\n' >"$scratch/bad"
mpi 2 alltoallv --matrix "$scratch/bad"
[ $rc = 2 ] && [ "$(grep -c "row 1, column 1: 'x' is not a size" "$scratch/err")" = 1 ]
good "a bad matrix is refused by all, and said once"
for ranks in 2 3; do
	mpi $ranks barrier -n 20 --csv "$csv"
	[ $rc = 0 ] && [ "$(csv_cells "$csv" bytes algbw_GBps wrong points)" = "0   1" ] && [ "$(csv_cells "$csv" time_us)" != "" ]
	good "$ranks ranks: a barrier"
done
for ranks in 2 4; do
	mpi $ranks hypercube -b 1K -e 64K -f 8 -n 3 -d double --csv "$csv"
	right 6
	good "$ranks ranks: a hypercube, in both placements"
done
mpi 3 hypercube -b 1K -e 1K
[ $rc = 77 ] && [ "$(grep -c "needs a power of two of ranks" "$scratch/err")" = 1 ]
good "none of 3 ranks"
finish
