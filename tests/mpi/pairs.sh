#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# --pairs over a real MPI: every pair once, right data, also with more ranks than cores and odd numbers of them; who sits out sleeps; wrong data, hanging
# ranks and signals end as ever.

. tests/cli/lib.sh
csv=$scratch/csv
shim=$bin/tests/yield_shim.so

mpi() { # RANKS ARGUMENT...
	local ranks=$1

	shift
	rm -f "$csv"
	run 120 mpiexec -n "$ranks" env LD_PRELOAD="$shim" "$bin/sendrecv_perf" "$@"
}

good() { # WHAT; a condition was just evaluated
	verdict $(($? == 0)) "$1 (exit code $rc)" "$scratch/err" <(grep "^#" "$scratch/out" 2>/dev/null | tail -n 8)
}

# Each pair and load once a size, nothing wrong, points counts the rows.
whole() { # RANKS LOADS SIZES
	csv_is_whole "$csv" && csv_cells "$csv" from to load bytes nranks nnodes points wrong slowest_rank | awk -v p="$1" -v loads="$2" -v sizes="$3" '
		{ seen[$1, $2, $3, $4]++; if ($1 >= $2 || $2 >= p || $5 != 2 || $6 != 1 || $8 != 0 || ($9 != $1 && $9 != $2)) bad = 1; points = $7 }
		END { for (key in seen) if (seen[key] != 1) bad = 1; n = p * (p - 1) / 2 * loads * sizes; exit bad || NR != n || points != n }'
}

mpi 4 --pairs -b 64K -e 64K --csv "$csv"
[ $rc = 0 ] && whole 4 1 1 && [ "$(grep -c '^ .* alone ' "$scratch/out")" = 6 ]
good "4 ranks: six pairs"
[ "$(grep -c '^#    [0-3]  ' "$scratch/out")" = 8 ]
good "two matrices of four lines"
for ranks in 3 5; do
	mpi $ranks --pairs=all -b 8 -e 64K -f 8192 -n 3 --csv "$csv"
	[ $rc = 0 ] && whole $ranks 2 2
	good "$ranks ranks, alone and all at once"
done
mpi 2 --pairs=all -b 4 -e 1M -f 512 -d int8 -n 3 --csv "$csv"
[ $rc = 0 ] && whole 2 2 3
good "2 ranks"
mpi 3 --pairs -b 64K -e 64K -n 3 -c 3 --inject corrupt=2 --csv "$csv"
[ $rc = 1 ] && [ "$(csv_cells "$csv" from to wrong | sort | tr '\n' ';')" = "0 1 0;0 2 1;1 2 1;" ]
good "wrong data on rank 2 are seen in its pairs"

# Three of five ranks have nothing to do for half a second in all: who sleeps needs no processor. Here all share two cores, so each spinning rank shows.
if [ "$(nproc)" -le 4 ]; then
	# Of ranks that take turns there would be three samples at most. Other programs may take turns with them, too, so a pair has a few runs.
	: >"$scratch/quick"
	for try in 1 2 3 4 5; do
		mpi 5 --pairs -b 8 -e 8 --max-time 100ms --csv "$csv"
		[ $rc = 0 ] && whole 5 1 1 || break
		csv_cells "$csv" from to iters | awk '$3 > 3 { print $1, $2 }' >>"$scratch/quick"
		[ "$(sort -u "$scratch/quick" | wc -l)" != 10 ] || break
	done
	[ $rc = 0 ] && whole 5 1 1 && [ "$(sort -u "$scratch/quick" | wc -l)" = 10 ]
	good "pairs alone need no more cores than they have"
fi
# The others wake now and then, so somebody may look slow.
if [ "$(nproc)" -lt 4 ]; then
	for load in alone all; do
		mpi 4 --pairs=$load -b 8 -e 64K -f 8192 --csv "$csv"
		[ $rc = 0 ] && [ "$(csv_cells "$csv" flags | grep -vc oversubscribed)" = 0 ] && ! grep -q ' is slow: ' "$scratch/out" &&
			grep -q '^# ranks take turns .* nobody is called slow' "$scratch/out"
		good "4 ranks on fewer cores, $load: nobody is named"
	done
fi

# A rank that hangs while others sleep is the one that is named.
mpi 4 --pairs -b 8 -e 8 -n 3 -T 5 --inject hang=2
[ $rc = 3 ] && [ "$(grep -c 'sendrecv_perf: no progress for 5 s' "$scratch/err")" = 1 ] && grep -q 'ranks\? .*2' "$scratch/err" &&
	grep -q 'ranks [0-9]* and [0-9]* alone' "$scratch/err"
good "a hanging rank: one line that says of which pair"
mpiexec -n 3 env LD_PRELOAD="$shim" "$bin/sendrecv_perf" --pairs -b 8 -e 8 -N 100000 --csv "$csv" >"$scratch/out" 2>"$scratch/err" </dev/null &
job=$!
for _ in $(seq 100); do
	[ "$(lines "$csv" 2>/dev/null)" -gt 5 ] 2>/dev/null && break
	sleep 0.1
done
kill -INT $job
wait $job
rc=$?
csv_is_whole "$csv" && [ "$(lines "$csv")" -gt 5 ] && grep -q 'interrupted: [0-9]* of [0-9]* points' "$scratch/err"
good "an interrupt leaves whole rows and says how many"
finish
