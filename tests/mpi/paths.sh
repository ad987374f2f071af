#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# --path and --algo over a real MPICH: every algorithm of the table gives right data and is in the rows, what the library cannot is skipped or refused
# before it starts, a forced algorithm is never replaced in silence, and what the user has set stays. More than two ranks only in shared memory.

. tests/cli/lib.sh
if ! command -v mpiexec >/dev/null || ! ldd "$bin/all_reduce_perf" 2>/dev/null | grep -q libucp; then
	echo "1..0 # SKIP this MPI is not over UCX"
	exit 0
fi
for variable in $(env | sed -n 's/^\(\(UCX\|MPIR_CVAR\)_[A-Z_]*\)=.*/\1/p'); do
	unset "$variable"
done
shim=$(cd "$BUILD" && pwd)/tests/yield_shim.so
csv=$scratch/csv

# RANKS [VARIABLE=value ...] -- PRIMITIVE OPTION...
ranks() {
	local n=$1 variables=()

	shift
	[ "$n" -le "$(nproc)" ] || variables+=("LD_PRELOAD=$shim")
	while [ "$1" != -- ]; do
		variables+=("$1")
		shift
	done
	shift
	local program=$bin/$1_perf
	shift
	rm -f "$csv"
	run 60 mpiexec -n "$n" env "${variables[@]}" "$program" --backend mpi --csv "$csv" "$@"
}

check() { # WHAT; a condition was just evaluated
	verdict $(($? == 0)) "$1" "$scratch/err" "$scratch/out"
}

# ALGORITHM: rows there are, as many as were planned, all of this algorithm and right.
is_right() {
	[ "$rc" = 0 ] && csv_cells "$csv" algo wrong points | awk -v want="$1 0" '
		$1 " " $2 != want { bad = 1 } { points = $3 } END { exit bad || NR == 0 || NR != points }'
}

# --- every entry of the table
for primitive in broadcast scatter gather reduce all_gather reduce_scatter all_reduce alltoall; do
	"$bin/${primitive}_perf" --list | sed -n 's/^algo: \([^ ]*\) (mpi\(; also \([^)]*\)\)\{0,1\}).*/\1 \3/p' >"$scratch/algos"
	while read -r algo also; do
		ranks 2 -- $primitive --algo "${also:-$algo}" -b 4 -e 256K -f 8 -n 2
		is_right "$algo"
		check "$primitive, $algo${also:+ as $also}, 2 ranks"
		ranks 4 -- $primitive --algo "$algo" -b 4 -e 64K -f 16 -n 2
		is_right "$algo"
		check "$primitive, $algo, 4 ranks"
	done <"$scratch/algos"
done
ranks 3 -- all_reduce --algo rabenseifner -b 4 -e 64K -f 16 -n 2 -d all -o all
is_right rabenseifner && ! csv_cells "$csv" type | grep -q 'half\|bfloat16' && grep -q 'half.*needs a type that the library itself can reduce' "$scratch/out" &&
	grep -q 'needs an element for each rank' "$scratch/out"
check "3 ranks: what the algorithm cannot is skipped"

# --- what cannot be
for primitive in all_gather:recdbl reduce_scatter:noncommutative; do
	ranks 3 -- ${primitive%:*} --algo ${primitive#*:} -b 1K -e 1K
	[ $rc = 77 ] && [ "$(grep -c 'needs a power of two of ranks, there are 3' "$scratch/err")" = 1 ]
	check "3 ranks: ${primitive/:/, } cannot"
done
ranks 2 -- all_reduce --algo ring
[ $rc = 2 ] && [ "$(lines "$scratch/err")" = 1 ] && grep -q "no algorithm 'ring' with --backend mpi; there are: recdbl, rabenseifner" "$scratch/err"
check "an algorithm that the primitive lacks: one line"
ranks 2 -- sendrecv --algo recdbl
[ $rc = 2 ] && [ "$(lines "$scratch/err")" = 1 ]
check "a primitive without algorithms: one line"
ranks 2 -- all_reduce --path nvlink
[ $rc = 2 ] && [ "$(lines "$scratch/err")" = 1 ] && grep -q 'which has: auto shm ib tcp' "$scratch/err"
check "a path of another library: one line"
if [ -z "$(ls /sys/class/infiniband 2>/dev/null)" ]; then
	ranks 2 -- all_reduce --path ib
	[ $rc = 3 ] && [ "$(grep -c -- '--path ib: no InfiniBand or RoCE device here' "$scratch/err")" = 1 ]
	check "a path that this machine lacks: one line"
fi

# --- never in silence: a limit that is not minded ends the run
ranks 4 MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM=pairwise MPIR_CVAR_COLLECTIVE_FALLBACK=error -- alltoall -b 1K -e 1K
[ $rc = 3 ] && grep -q 'MPI_Alltoall: ' "$scratch/err"
check "MPICH refuses in-place calls that the forced algorithm cannot"
ranks 2 MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=cable -- all_reduce -b 1K -e 1K
[ $rc != 0 ] && grep -q 'MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM' "$scratch/err"
check "a value that MPICH does not know"

# --- what the user has set
ranks 2 UCX_TLS=tcp,self -- all_reduce --path shm -b 8 -e 8 -n 3 --facts "$scratch/facts"
[ $rc = 0 ] && [ "$(grep -c 'warning: UCX_TLS=tcp,self of the environment is kept; what was asked for would be shm,self' "$scratch/err")" = 1 ] &&
	grep -q '^# UCX_TLS=tcp,self of the environment is kept' "$scratch/out" && [ "$(csv_cells "$csv" path | sort -u)" = tcp ] &&
	json_is "$scratch/facts" '$d->{facts}{steer_kept} eq "UCX_TLS=tcp,self" && $d->{facts}{steer_path} eq "shm" && !exists $d->{facts}{steer_set}'
check "a variable of the user is kept and told"
ranks 2 MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=recursive_doubling -- all_reduce --algo rabenseifner -b 8 -e 1K -f 128 -n 3
[ $rc = 0 ] && is_right recdbl && grep -q 'warning: MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=recursive_doubling of the environment is kept' "$scratch/err"
check "the rows name what was taken, not what was asked for"
ranks 2 -- all_reduce --path tcp --algo recdbl -b 8 -e 8 -n 3 --facts "$scratch/facts"
[ $rc = 0 ] && [ "$(csv_cells "$csv" path algo | sort -u)" = "tcp recdbl" ] &&
	json_is "$scratch/facts" 'my $e = $d->{environment}; $d->{facts}{steer_set} eq "UCX_TLS=tcp,self MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=recursive_doubling " .
		"MPIR_CVAR_COLLECTIVE_FALLBACK=error MPIR_CVAR_DEVICE_COLLECTIVES=none" && $e->{UCX_TLS} eq "tcp,self" && !exists $e->{COLLPERF_STEERED}'
check "the variables are recorded"

# --- the program that starts itself again
ranks 2 COLLPERF_STEERED=1:UCX_TLS UCX_TLS=tcp,self -- all_reduce --path shm -b 8 -e 8 -n 3
[ $rc = 0 ] && grep -q 'UCX_TLS=tcp,self of the environment is kept' "$scratch/err"
check "a mark that somebody else left is not believed"
ranks 2 -- all_reduce -b 8 -e 8 -n 3 --label 'a= b "c"' --json "$scratch/json"
[ $rc = 0 ] && json_is "$scratch/json" '$d->{labels}{a} eq q( b "c")'
check "its words are those of the first start"
ranks 2 -- all_reduce -b 8 -e 8 -n 3 --inject corrupt=1
[ $rc = 1 ]
check "its exit code reaches the launcher"
run 30 /lib64/ld-linux-x86-64.so.2 "$bin/all_reduce_perf" --backend mpi -b 8 -e 8 -n 3
[ $rc = 0 ] && grep -q '^ *8 ' "$scratch/out"
check "under the name of the dynamic loader it does not start again"

# --- both in one run and one report
run 240 "$bin/collperf" run --np 2 --paths shm,tcp --collectives all_reduce,sendrecv -b 64K -e 1M -f 4 -n 20 -o "$scratch/run" --quiet
[ $rc = 0 ] && for primitive in all_reduce sendrecv; do
	[ "$(csv_cells "$scratch/run/$primitive.csv" path | uniq -c | tr -s ' ')" = " 6 shm
 6 tcp" ] || rc=1
done && [ $rc = 0 ]
check "collperf run --paths shm,tcp: each path was taken"
run 120 "$bin/collperf" report "$scratch/run" -o "$scratch/report"
[ $rc = 0 ] && [ "$(sed 1d "$scratch/report/compare.csv" | cut -d, -f 1-3 | sort -u | tr '\n' ';')" = "all_reduce,tcp in-place,shm in-place;\
all_reduce,tcp out-of-place,shm out-of-place;sendrecv,tcp in-place,shm in-place;sendrecv,tcp out-of-place,shm out-of-place;" ]
check "a report compares tcp with shm"
run 120 "$bin/collperf" run --np 2 --algos recdbl,rabenseifner,bruck --collectives all_reduce,all_gather -b 4K -e 4K -n 5 -o "$scratch/algos.run" --quiet
[ $rc = 0 ] && [ "$(csv_cells "$scratch/algos.run/all_reduce.csv" algo | uniq | tr '\n' ' ')" = "recdbl rabenseifner " ] &&
	[ "$(csv_cells "$scratch/algos.run/all_gather.csv" algo | uniq | tr '\n' ' ')" = "recdbl bruck " ] &&
	grep -q 'algorithm bruck: skipped for what lacks it: all_reduce$' "$scratch/err"
check "collperf run --algos"
finish
