#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# bucket_perf over a real MPI: right data with every strategy, number of ranks, type and way of progress; a spoilt rank is named; a progress thread counts
# as one more that wants a core.

. tests/cli/lib.sh
csv=$scratch/csv
shim=$bin/tests/yield_shim.so
all=naive,flat,bucketed,zero,fsdp

mpi() { # RANKS ARGUMENT...
	local ranks=$1

	shift
	rm -f "$csv"
	run 120 mpiexec -n "$ranks" env LD_PRELOAD="$shim" "$bin/bucket_perf" --csv "$csv" "$@"
}

good() { # WHAT; a condition was just evaluated
	verdict $(($? == 0)) "$1 (exit code $rc)" "$scratch/err" <(grep "^#" "$scratch/out" 2>/dev/null | tail -n 8)
}

# So many rows, nothing wrong, and figures that hold together.
whole() { # ROWS
	csv_is_whole "$csv" && csv_cells "$csv" strategy wrong time_us compute_us comm_us exposed_us nranks iters overlap | awk -v rows="$1" -v over="$(csv_cells "$csv" flags | grep -c oversubscribed)" '
		function far(x, y) { return x - y > 1e-6 * $3 + 1e-3 || y - x > 1e-6 * $3 + 1e-3 }
		{ if ($2 != 0 || $3 <= 0 || $4 <= 0 || $5 < 0 || far($6, $3 - $4)) bad = 1 }
		$9 != "" { if (over || $8 < 6 || $1 == "naive" || $1 == "flat" || $7 == 1 || far((1 - $9) * $5, $6)) bad = 1 }
		END { exit bad || NR != rows }'
}

for ranks in 1 2 3 4; do
	mpi $ranks --params 300K --layers 5 --strategy $all --bucket-cap 64K..256K*4 -n 3
	[ $rc = 0 ] && whole 7
	good "$ranks ranks"
done
for how in polling none thread; do
	mpi 2 --params 300K --layers 3 --strategy bucketed,zero,fsdp --prefetch 2 --bucket-cap 64K --progress $how $([ $how != polling ] || echo --progress-us 5) -n 3
	[ $rc = 0 ] && whole 3 && [ "$(csv_cells "$csv" progress | sort -u)" = $how ]
	good "progress: $how"
done
cores=$(getconf _NPROCESSORS_ONLN)
csv_cells "$csv" flags | awk -v over=$((4 > cores)) '{ if (index($0, "oversubscribed") > 0 != over) bad = 1 } END { exit bad }'
good "a thread wants a core of its own"
mpi 2 --params 300K --layers 3 --strategy bucketed,fsdp --bucket-cap 64K --compute-ms 2 -n 8
[ $rc = 0 ] && whole 2 && csv_cells "$csv" overlap overlap_error | awk 'NF == 1 || (NF == 2 && !($2 > 0 && $2 <= 1)) { exit 1 }'
good "enough turns for an interval of the overlap"
mpi 2 --params 300K --layers 3 --strategy bucketed,fsdp --bucket-cap 64K --compute-ms 0 -n 8
[ $rc = 0 ] && [ "$(csv_cells "$csv" overlap iters | tr '\n' ' ')" = " 8  8 " ] && [ "$(csv_cells "$csv" overlap_error | tr -d '\n')" = "" ]
good "without compute there is no overlap"
if [ "$cores" -le 16 ]; then
	mpi $((cores + 1)) --params 60K --layers 3 --strategy flat,bucketed --bucket-cap 64K --compute-ms 2 -n 8
	[ $rc = 0 ] && whole 2 && [ "$(csv_cells "$csv" overlap | tr '\n' ' ')" = "  " ] && grep -q '^# Fastest step .*: ranks take turns, so none is told$' "$scratch/out"
	good "ranks that take turns have no overlap and no fastest step"
fi
for type in bfloat16 double int32; do
	mpi 3 --params 60K --layers 3 -d $type --strategy $all --bucket-cap 16K -n 2
	[ $rc = 0 ] && whole 5
	good "$type"
done
mpi 2 --params 60K --layers 3 --strategy bucketed,fsdp --sync barrier -n 2
[ $rc = 0 ] && [ "$(csv_cells "$csv" sync | sort -u)" = barrier ]
good "from a barrier"
mpi 3 --params 60K --layers 3 --strategy bucketed,zero -n 2 --inject corrupt=2
[ $rc = 1 ] && grep -q "first on rank 2" "$scratch/err" && [ "$(csv_cells "$csv" wrong | tr '\n' ' ')" = "1 1 " ]
good "a wrong element of rank 2 is found"
run 60 mpiexec -n 1 "$bin/bucket_perf" --params 60K --layers 3 -n 2 : -n 1 "$bin/bucket_perf" --params 60K --layers 4 -n 2
[ $rc = 3 ] && grep -q "other options than rank 0" "$scratch/err"
good "ranks with other gradients are refused"
# One gradient: all compute is in one piece. One rank: nobody waits for another whose core is taken.
echo 1000 >"$scratch/one"
mpi 1 --gradients "$scratch/one" --strategy flat --compute-ms 1600 -n 1 -w 0 -c 0 -T 1
[ $rc = 0 ] && [ "$(csv_cells "$csv" iters)" = 1 ]
good "compute that is longer than -T"
printf '10\n100000\n' >"$scratch/two"
mpi 1 --gradients "$scratch/two" --strategy bucketed --bucket-cap 1K --compute-ms 2400 -n 1 -w 0 -c 0 -T 1
[ $rc = 0 ] && [ "$(csv_cells "$csv" iters)" = 1 ]
good "... beside a call"
# A rank that tests slowly computes on while the other waits for it for longer than -T.
timeout -k 5 60 mpiexec -n 2 sh -c "[ \$PMI_RANK = 0 ] || export SHIM_TEST_US=400000
	LD_PRELOAD=$shim exec $bin/bucket_perf --params 20K --layers 4 --strategy bucketed --bucket-cap 8K --progress-us 5000 --compute-ms 600 -T 1 -n 9 -w 0" \
	>"$scratch/out" 2>"$scratch/err" </dev/null &
launcher=$!
slow=
for try in $(seq 200); do
	slow=$(sed -n 's/^#  Rank  1 Group  0 Pid *\([0-9]*\) .*/\1/p' "$scratch/out")
	[ -z "$slow" ] || break
	sleep 0.1
done
sleep 6
kill -KILL "$slow"
wait $launcher
rc=$?
[ -n "$slow" ] && [ "$(lines "$scratch/err")" = 1 ] && grep -q 'rank 1 on host .* died in' "$scratch/err"
good "-T is no limit of one rank that waits for another"
printf '1000\n2000\n' >"$scratch/sizes"
for file in sizes /dev/stdin; do
	rm -f "$csv"
	(cd "$scratch" && exec timeout -k 5 60 mpiexec -n 2 sh -c "[ \$PMI_RANK = 0 ] || cd /; exec $bin/bucket_perf --gradients $file --strategy flat -n 2 --csv $csv" \
		<sizes >out 2>err)
	rc=$?
	[ $rc = 0 ] && [ "$(csv_cells "$csv" tensors count wrong)" = "2 3000 0" ]
	good "rank 0 alone reads $file"
done
run 60 mpiexec -n 2 "$bin/bucket_perf" --gradients "$scratch/nowhere" -n 2
[ $rc = 2 ] && [ "$(lines "$scratch/err")" = 1 ] && grep -q 'nowhere: No such file' "$scratch/err"
good "a file that is not there is told once"
# The time of a row is used up at once, however late ranks are: by others on their cores.
busy=
for core in $(seq $((2 * $(nproc)))); do
	while :; do :; done &
	busy="$busy $!"
done
mpi 2 --params 60K --layers 3 --compute-ms 1 --max-time 1ns -n 3
dropped=$(csv_cells "$csv" dropped | awk '{ if ($1 > 9) bad = 1; n += $1 } END { print bad ? "too many" : n }')
[ $rc = 0 ] && [ "$(csv_cells "$csv" iters | sort -u)" = 3 ] && [ "$(sed -n 's/^# left out as late: \([0-9]*\) timed calls or steps$/\1/p' "$scratch/out")" = "${dropped#0}" ]
good "late steps end after thrice the time of those asked for, and are told ($dropped)"
mpi 2 --params 60K --layers 3 --ci 0.001 --max-time 1ns
kill $busy
[ $rc = 0 ] && [ "$(csv_cells "$csv" iters dropped | sort -u)" = "6 0" ] &&
	grep -q 'did not reach a half interval of 0.1 % within 1e-09 s; left out as late: 0 timed calls or steps$' "$scratch/out"
good "no step is dropped once thrice the time of a row is used up"
# Twenty seconds of warm-up, which a signal to one rank does not wait for.
mpiexec -n 2 "$bin/bucket_perf" --params 60K --layers 3 --strategy zero --compute-ms 250 -c 0 -w 80 -n 10 -T 60 --csv "$csv" --json "$scratch/json" >"$scratch/out" 2>"$scratch/err" </dev/null &
launcher=$!
for try in $(seq 300); do
	victim=$(sed -n 's/^#  Rank  1 Group  0 Pid *\([0-9]*\) .*/\1/p' "$scratch/out")
	[ -z "$victim" ] || break
	sleep 0.1
done
sleep 1
kill -INT "$victim"
wait "$launcher"
rc=$?
grep -q 'interrupted: 0 of 1 points were measured$' "$scratch/err" && csv_is_whole "$csv" && json_is "$scratch/json" "!\$d->{complete} && \$d->{why} eq 'interrupted'"
good "a signal to one rank ends the warm-up of all"
export MPIR_CVAR_ASYNC_PROGRESS=1
mpi 2 --params 60K --layers 3 --strategy bucketed -n 2
[ $rc = 0 ] && [ "$(csv_cells "$csv" progress)" = thread ]
good "a thread that the environment starts is told"
mpi 2 --params 60K --layers 3 --strategy bucketed -n 2 --progress none
[ $rc = 2 ] && grep -q "starts MPICH's thread all the same" "$scratch/err"
good "and not denied"
finish
