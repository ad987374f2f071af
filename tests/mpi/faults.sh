#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Faults over a real MPI: wrong data, late, hanging and dying ranks, signals, launches that are not what they seem. What must stay: one message that
# names the culprit, the agreed exit code, and files that parse with the rows measured before.

. tests/cli/lib.sh
cores=$(nproc)
few="-n 5 -w 1"
csv=$scratch/csv json=$scratch/json

# Ranks beyond the cores give their core away while they wait.
mpi() { # RANKS PRIMITIVE ARGUMENT...
	local ranks=$1 name=$2
	local -a variables=()

	shift 2
	[ "$ranks" -le "$cores" ] || variables=("LD_PRELOAD=$bin/tests/yield_shim.so")
	rm -f "$csv" "$json"
	run 90 mpiexec -n "$ranks" env "${variables[@]}" "$bin/${name}_perf" "$@"
}

good() { # WHAT; a condition was just evaluated
	verdict $(($? == 0)) "$1 (exit code $rc)" "$scratch/err" <(grep '^#' "$scratch/out" | tail -n 8)
}

said() { # TEXT: the only line on stderr that is ours
	[ "$(grep -c '_perf: ' "$scratch/err")" = 1 ] && grep -q -e "$1" "$scratch/err"
}

# How many rows each size of a fault's run left.
rows_of() { # BYTES
	csv_cells "$csv" bytes | grep -cx "$1"
}

# Wrong data
for type in int32 float; do
	for checks in 1 3; do
		mpi 2 all_reduce $few -d $type -c $checks -b 1K -e 1K --inject corrupt=1 --csv "$csv"
		[ $rc = 1 ] && [ "$(csv_cells "$csv" wrong | tr '\n' ' ')" = "1 1 " ] && grep -q '^# Out of bounds values : 2 FAILED' "$scratch/out" &&
			[ "$(grep -c '^# wrong data: all_reduce, 1024 bytes, .*: 1 elements, first on rank 1 at element 128$' "$scratch/out")" = 2 ]
		good "corrupt=1, $type, -c $checks: one wrong element a row, its rank and place are named"
	done
done
mpi 2 gather $few -r 1 -b 1K -e 4K -f 2 --inject corrupt=0@2K --csv "$csv"
[ $rc = 1 ] && [ "$(csv_cells "$csv" bytes wrong | tr '\n' ' ')" = "1024 0 1024 0 2048 1 2048 1 4096 0 4096 0 " ]
good "corrupt=0@2K: at that size alone, also on a rank that receives nothing"
mpi 2 all_reduce --timing loop -n 20 -b 1K -e 1K --inject corrupt=0 --csv "$csv"
[ $rc = 1 ] && [ "$(csv_cells "$csv" wrong | tr '\n' ' ')" = "1 1 " ]
good "corrupt=0 with --timing loop"

# A rank that comes late is named by its arrival. On a busy machine others may be late by chance as well: some of a few runs must show it.
named=0 wrongly=0 slow=1
for try in 1 2 3 4 5 6; do
	mpi 2 all_reduce -n 20 -w 1 -b 1K -e 1K --inject delay=1:5000 --csv "$csv"
	csv_cells "$csv" time_us | awk '$1 < 5000 { exit 1 }' || slow=0
	grep -q '^# late arriver: rank 1 came [0-9]* us' "$scratch/out" && named=$((named + 1))
	grep -q '^# late arriver: rank 0' "$scratch/out" && wrongly=$((wrongly + 1))
	[ $rc = 0 ] || slow=0
	[ $named = 0 ] || break
done
[ $slow = 1 ]
good "delay=1:5000 makes every call take 5000 us or more"
[ $named -gt 0 ] && [ $wrongly = 0 ]
good "delay=1:5000 names rank 1 as the late arriver, never rank 0"
mpi 2 all_reduce -n 20 -w 1 -b 1K -e 4K -f 2 --inject delay=0:5000@2K --csv "$csv"
[ $rc = 0 ] && csv_cells "$csv" bytes time_us | awk '($1 == 2048) && $2 < 5000 { exit 1 }'
good "delay=0:5000@2K at that size"
clean=0
for try in 1 2 3 4 5 6; do
	mpi 2 all_reduce -n 20 -w 1 -b 1K -e 1K
	grep -q 'late arriver' "$scratch/out" || clean=1
	[ $clean = 0 ] || break
done
[ $clean = 1 ]
good "a run without a fault names no late arriver"

# A clock that is ahead or behind
quiet() { # ARGUMENT...: the least time of a few runs, so that a busy machine hides nothing
	local try

	for try in 1 2; do
		mpi 2 all_reduce -n 30 -w 2 -b 1K -e 1K -T 15 --csv "$csv" "$@"
		[ $rc = 0 ] || return
		csv_cells "$csv" time_min_us
	done | sort -g | head -n 1
}
plain=$(quiet)
for skew in 300 -300; do
	skewed=$(quiet --inject clock=1:$skew)
	echo "plain $plain us, skewed by $skew us: ${skewed:-no row}" >"$scratch/err"
	awk -v a="$plain" -v b="${skewed:-0}" 'BEGIN { exit !(b > 0 && b < 3 * a + 5 && a < 3 * b + 5) }'
	good "clock=1:$skew changes no time"
done

# A rank that hangs
mpi 2 all_reduce $few -b 256 -e 4K -f 2 --inject hang=1@1K -T 2 --csv "$csv" --json "$json"
[ $rc = 3 ] && said 'no progress for 2 s in [a-z ]* of all_reduce, 1024 bytes, float sum, out-of-place: rank 1 is missing'
good "hang=1@1K -T 2: primitive, size, phase and the missing rank in one line"
csv_is_whole "$csv" && [ "$(lines "$csv")" = 5 ] && [ "$(csv_cells "$csv" points | head -n 1)" = 10 ] && json_is "$json" '!$d->{complete}'
good "hang=1@1K: the rows before it are in the CSV, and the JSON says that it is incomplete"
for call in barrier "broadcast -b 1K -e 1K -c 0"; do
	mpi 2 $call $few --inject hang=0 -T 2
	said "no progress for 2 s in timing of ${call%% *}.*: rank 0 is missing (reached call [0-9]*, the others [0-9]*)\$"
	good "hang=0 -T 2, $call: rank 0 is named where nothing is checked before"
done
mpi 3 broadcast $few -b 256 -e 1K -f 2 --inject hang=0@512 -T 3 --csv "$csv"
sed -i '/warning: 3 ranks on/d' "$scratch/err"
[ $rc = 3 ] && said 'of broadcast, 512 bytes, .*: rank 0 is missing' && csv_is_whole "$csv" && [ "$(lines "$csv")" = 3 ]
good "hang=0@512 -T 3: rank 0 of three"

# A rank that dies, by itself or from outside. The place is rank 0's, and rank 1 may be gone before rank 0 has left the agreement that ends the point before.
place='\([a-z -]* of all_reduce, 1024 bytes, float sum, out-of-place\|output of all_reduce, 512 bytes, float sum, in-place\)$'
mpi 2 all_reduce $few -b 256 -e 4K -f 2 --inject abort=1@1K --csv "$csv" --json "$json"
[ $rc != 0 ] && [ $rc != 124 ] && said "rank 1 on host .* died in $place" && csv_is_whole "$csv" && [ "$(lines "$csv")" = 5 ] &&
	json_is "$json" '!$d->{complete}'
good "abort=1@1K: who died and where, the rows before it, files that parse"

# Leaves the exit code of each rank in $scratch/codes, as a launcher's own is not always theirs (hydra's may be 0 after a signal).
cat >"$scratch/rank" <<'END'
#!/bin/sh
trap : INT TERM HUP
"$@"
rc=$?
echo $rc >>"$(dirname "$0")/codes"
exit $rc
END
chmod +x "$scratch/rank"

# A run without an end [OPTION...]; returns once it has written rows. Its launcher is $launcher, rank 1 has pid $victim.
start_endless() {
	rm -f "$csv" "$json" "$scratch/codes"
	mpiexec -n 2 "$scratch/rank" "$bin/all_reduce_perf" -N 0 -n 20 -w 1 -b 1K -e 1K --csv "$csv" --json "$json" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null &
	launcher=$!
	for try in $(seq 300); do
		[ ! -s "$csv" ] || [ "$(lines "$csv")" -lt 4 ] || break
		sleep 0.1
	done
	victim=$(sed -n 's/^#  Rank  1 Group  0 Pid *\([0-9]*\) .*/\1/p' "$scratch/out")
}

# Waits for the launcher for at most a minute.
end_endless() {
	for try in $(seq 600); do
		kill -0 "$launcher" 2>/dev/null || break
		sleep 0.1
	done
	kill -KILL "$launcher" 2>/dev/null && echo "# still there after a minute" >>"$scratch/err"
	wait "$launcher" 2>/dev/null
	rc=$?
}

start_endless
kill -KILL "$victim"
end_endless
[ $rc != 0 ] && said 'rank 1 on host .* died in' && csv_is_whole "$csv" && [ "$(lines "$csv")" -ge 4 ] && json_is "$json" '!$d->{complete}'
good "kill -9 of a rank: who died, files that parse"
for signal in INT TERM HUP; do
	for to in launcher rank; do
		# hydra itself dies of it.
		[ $to$signal != launcherHUP ] || continue
		start_endless
		[ $to = launcher ] && kill -$signal "$launcher" || kill -$signal "$victim"
		end_endless
		[ "$(tr '\n' ' ' <"$scratch/codes")" = "3 3 " ] && said interrupted && csv_is_whole "$csv" && [ "$(lines "$csv")" -ge 4 ] &&
			json_is "$json" "!\$d->{complete} && \$d->{why} eq 'interrupted' && @{\$d->{rows}} == $(($(lines "$csv") - 1))" &&
			grep -q '^# Incomplete .*: interrupted' "$scratch/out"
		good "SIG$signal to the $to: every rank exits 3, every row is in CSV and JSON, the table says interrupted"
	done
done
awk '/interrupted: [0-9]* of [0-9]* points/ { for (i = 1; i < NF; i++) if ($i == "of" && $(i - 1) > $(i + 1)) exit 1 }' "$scratch/err"
good "an endless run does not count more points than it has"
start_endless
kill -STOP "$victim"
kill -TERM "$launcher"
end_endless
kill -KILL "$victim" 2>/dev/null
# Of our ranks, not of hydra: told to end itself, it now and then returns 0 whatever they return.
[ "$(tr '\n' ' ' <"$scratch/codes")" = "3 3 " ] && grep -q 'interrupted in .*: rank 0 did not finish within 5 s of the signal$' "$scratch/err" &&
	csv_is_whole "$csv" && json_is "$json" '!$d->{complete}'
good "SIGTERM while a rank is stopped: every rank exits 3, it too, and files that parse"

# A stopped rank is woken, so that no rank is left for the launcher to kill.
for who in 0 1; do
	start_endless -T 3
	kill -STOP "$(sed -n "s/^#  Rank  $who Group  0 Pid *\([0-9]*\) .*/\1/p" "$scratch/out")"
	end_endless
	[ $rc = 3 ] && said "no progress for 3 s in [a-z ]* of all_reduce, 1024 bytes, .*: rank $who is missing (no answer)" && csv_is_whole "$csv" &&
		[ "$(tr '\n' ' ' <"$scratch/codes")" = "3 3 " ] && ! grep -q 'EXIT STRING' "$scratch/out"
	good "a stopped rank $who with -T: who is missing, and every rank exits 3, as does the launcher"
done

# Ranks that would call other types or sizes
for other in "-d int32" "-e 1K" "-n 3" "-c 0"; do
	run 30 mpiexec -n 1 "$bin/all_reduce_perf" $few -b 8 -e 8 : -n 1 "$bin/all_reduce_perf" $few -b 8 -e 8 $other
	[ $rc != 0 ] && said "rank 1 on host .* was started as another program or with other options than rank 0"
	good "a rank with $other alone is refused"
done

# A launcher of another MPI library: four processes that each believe to be alone
for variable in PMI_SIZE OMPI_COMM_WORLD_SIZE WORLD_SIZE SLURM_NTASKS; do
	rm -f "$csv"
	run 30 env $variable=4 "$bin/all_reduce_perf" --backend mpi $few -b 8 -e 8 --csv "$csv"
	[ $rc = 3 ] && said "environment promises 4 ranks ($variable), MPI sees 1" && [ ! -s "$scratch/out" ] && [ ! -e "$csv" ]
	good "$variable=4 without a launcher is refused"
done
run 30 env SLURM_NTASKS=4 SLURM_PROCID=2 "$bin/all_reduce_perf" $few -b 8 -e 8
[ $rc = 3 ] && [ ! -s "$scratch/err" ]
good "the third of four such processes leaves the message to the first"
run 60 env SLURM_NTASKS=4 SLURM_PROCID=0 mpiexec -n 2 "$bin/all_reduce_perf" $few -b 8 -e 8
[ $rc = 0 ]
good "two ranks started inside an allocation of four tasks run"

# Refusals are printed once, whatever the number of ranks
mpi 2 reduce $few -b 8 -e 8 -r 5
[ $rc = 2 ] && said 'no rank 5 among 2' && [ ! -s "$scratch/out" ]
good "-r 5 of 2 ranks"
mpi 4 all_reduce --bogus
[ $rc = 2 ] && said 'unknown option --bogus' && [ "$(lines "$scratch/err")" = 2 ] && [ ! -s "$scratch/out" ]
good "a usage error of 4 ranks"
for wrong in 0 1; do
	run 60 mpiexec -n 2 sh -c "[ \$PMI_RANK != $wrong ] || set -- --bogus; exec $bin/all_reduce_perf -b 8 -e 8 -n 1 \"\$@\"" sh
	[ $rc = 2 ] && said 'unknown option --bogus' && [ "$(lines "$scratch/err")" = 2 ] && [ ! -s "$scratch/out" ] &&
		{ [ $wrong = 0 ] || said '(rank 1 on host '; }
	good "a usage error of rank $wrong alone ends all"
done
run 60 mpiexec -n 2 sh -c "[ \$PMI_RANK = 0 ] || set -- --pairs; exec $bin/all_reduce_perf -b 8 -e 8 -n 1 \"\$@\"" sh
[ $rc = 2 ] && said 'only sendrecv_perf has pairs of ranks (rank 1' && [ "$(lines "$scratch/err")" = 2 ]
good "... one that is found later, too"
mpi 2 all_reduce -b 1P -e 1P
[ $rc = 3 ] && said 'bytes a rank x 2 ranks on host .* bytes needed .* free' && [ ! -s "$scratch/out" ]
good "more memory than there is"
mpi 2 all_gather $few -b 8 -e 16
[ $rc = 77 ] && said 'nothing can be measured' && [ ! -s "$scratch/out" ]
good "nothing to measure"
mpi 2 all_reduce $few -b 8 -e 64 -f 8 --csv /dev/full
[ $rc = 3 ] && said 'cannot write /dev/full'
good "a full device"
timeout -k 5 60 mpiexec -n 2 "$bin/all_reduce_perf" $few -b 8 -e 64 -f 8 >/dev/full 2>"$scratch/err" </dev/null
rc=$?
[ $rc != 0 ] && [ $rc != 124 ]
good "a launcher whose own stdout is full"

# More ranks than cores
mpi $((cores + 1)) all_reduce $few -b 64 -e 64 --csv "$csv"
[ $rc = 0 ] && [ "$(csv_cells "$csv" flags | grep -c oversubscribed)" = 2 ] && said "$((cores + 1)) ranks on $cores cores of a host: oversubscribed"
good "more ranks than cores: a warning, and a flag in every row"
mpi 2 all_reduce $few -b 64 -e 64 --csv "$csv"
[ $rc = 0 ] && { [ "$cores" -lt 2 ] || ! grep -q oversubscribed "$csv"; }
good "as many ranks as cores: none"

# Another path through the library, and what was chosen is recorded
run 90 env UCX_TLS=tcp,self mpiexec -n 2 "$bin/all_reduce_perf" $few -b 64 -e 64 --json "$json"
[ $rc = 0 ] && json_is "$json" '$d->{complete} && $d->{environment}{UCX_TLS} eq "tcp,self"'
good "UCX_TLS=tcp,self"
finish
