#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# collperf topo under a real process manager: hosts are discovered once, ranks are told with their threads, everything is printed once.

. tests/cli/lib.sh
cores=$(nproc)
data=$PWD/tests/data/topo

good() { # WHAT; a condition was just evaluated
	verdict $(($? == 0)) "$1 (exit code $rc)" "$scratch/err" "$scratch/out"
}

mpi() { # RANKS ARGUMENT...
	local ranks=$1
	local -a variables=()

	shift
	[ "$ranks" -le "$cores" ] || variables=("LD_PRELOAD=$bin/tests/yield_shim.so")
	run 90 mpiexec -n "$ranks" env "${variables[@]}" "$bin/collperf" topo "$@"
}

for ranks in 1 2 3; do
	mpi $ranks
	[ $rc = 0 ] && [ "$(grep -c '^host ' "$scratch/out")" = 1 ] && grep -q '^1 host, ' "$scratch/out" && [ "$(grep -c '^for a report' "$scratch/out")" = 1 ]
	good "$ranks ranks: one host, printed once"
	mpi $ranks --json
	[ $rc = 0 ] && [ "$(lines "$scratch/out")" = 1 ]
	good "$ranks ranks: one JSON document"
	want=$([ $ranks = 1 ] || echo $ranks)
	json_is "$scratch/out" '@{$d->{hosts}} == 1 && @{$d->{hosts}[0]{ranks} || []} == '"${want:-0}"' && !grep { $d->{hosts}[0]{ranks}[$_]{rank} != $_ } 0 .. '"${want:-0}"' - 1'
	good "$ranks ranks: each is there with its number"
done
mpi 2
grep -qE '^  ranks? 0(-1)?: .*hardware threads [0-9]' "$scratch/out"
good "ranks are told with their threads"

# What is bound shows.
if command -v taskset >/dev/null && [ "$cores" -ge 2 ]; then
	first=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')
	run 90 mpiexec -n 1 taskset -c "$first" "$bin/collperf-topo" --json : -n 1 "$bin/collperf-topo" --json
	[ $rc = 0 ] && json_is "$scratch/out" '$d->{hosts}[0]{ranks}[0]{cpus} eq "'"$first"'" && $d->{hosts}[0]{ranks}[1]{cpus} ne "'"$first"'"'
	good "a rank's threads are those that it may run on"
fi

# Processes that each see a host name of their own are hosts.
cat >"$scratch/as" <<'END'
#!/bin/sh
hostname "n$PMI_RANK" && exec "$@"
END
chmod +x "$scratch/as"
if unshare -u true 2>/dev/null; then
	variables=()
	[ "$cores" -ge 3 ] || variables=("LD_PRELOAD=$bin/tests/yield_shim.so")
	run 90 mpiexec -n 3 env "${variables[@]}" unshare -u "$scratch/as" "$bin/collperf" topo
	[ $rc = 0 ] && grep -q '^3 hosts, 1 kind of host' "$scratch/out" && grep -q '^  just like:  n1 (rank 1), n2 (rank 2)$' "$scratch/out" &&
		[ "$(grep -c '^host n0 (from' "$scratch/out")" = 1 ] && grep -q 'two levels\|nothing, as there is no GPU' "$scratch/out"
	good "three hosts that are alike are told once, each with its rank"
	run 90 mpiexec -n 3 env "${variables[@]}" unshare -u "$scratch/as" "$bin/collperf" topo --json
	[ $rc = 0 ] && json_is "$scratch/out" 'join(" ", map { "$_->{name}:$_->{ranks}[0]{rank}" } @{$d->{hosts}}) eq "n0:0 n1:1 n2:2"'
	good "and are three in JSON"
fi

mpi 2 --nccl "$data/show_dgx.xml"
[ $rc = 0 ] && [ "$(grep -c '^1 host, 8 GPUs' "$scratch/out")" = 1 ]
good "a file is read and printed by rank 0 alone"
mpi 2 --nccl "$data/show_dgx.xml" --dot "$scratch/graph" --svg "$scratch/svg" --json
[ $rc = 0 ] && grep -q '^graph topology' "$scratch/graph" && { [ -s "$scratch/svg" ] || [ -s "$scratch/svg.dot" ]; }
good "pictures are written once"
mpi 2 --help
[ $rc = 0 ] && [ "$(grep -c '^Usage: ' "$scratch/out")" = 1 ]
good "--help is printed once"
mpi 2 --what
[ $rc != 0 ] && [ "$(grep -c "collperf topo: unknown option '--what'" "$scratch/err")" = 1 ]
good "an unknown option is said once"
mpi 2 --nccl "$scratch/nothing"
[ $rc != 0 ] && [ $rc != 124 ] && [ "$(grep -c 'collperf topo: cannot read' "$scratch/err")" = 1 ]
good "what cannot be read is said once"
if [ -w /dev/full ]; then
	mpi 2 --json --dot /dev/full
	[ $rc != 0 ] && [ $rc != 124 ] && [ "$(grep -c 'cannot write /dev/full' "$scratch/err")" = 1 ]
	good "a full disk ends the job"
fi

# A rank that dies takes the others along.
cat >"$scratch/rank" <<'END'
#!/bin/sh
[ "$PMI_RANK" != 1 ] || kill -9 $$
exec "$@"
END
chmod +x "$scratch/rank"
run 90 mpiexec -n 2 "$scratch/rank" "$bin/collperf" topo
[ $rc != 0 ] && [ $rc != 124 ] && ! grep -q '^host' "$scratch/out"
good "a rank that dies ends the job"

# A launcher of another library: each would believe to be alone.
run 60 env PMI_SIZE=2 PMI_RANK=0 "$bin/collperf" topo
[ $rc = 3 ] && [ ! -s "$scratch/out" ] && grep -q 'promises 2 processes (PMI_SIZE)' "$scratch/err"
good "variables of a launcher without the launcher are refused"
finish
