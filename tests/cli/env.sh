#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# How a run finds its ranks: which way of launch is taken or refused, what the environment promises and does not keep, which backend --backend auto
# takes and what it says of those that it passes over. One process each; several are in tests/nccl/env.sh.

. tests/cli/lib.sh
perf=$bin/all_reduce_perf
port=$((21000 + $$ % 300 * 20))
for variable in $(env | sed -n 's/^\(\(RANK\|WORLD_SIZE\|LOCAL_[A-Z_]*\|MASTER_[A-Z]*\|TORCHELASTIC_[A-Z_]*\|SLURM_[A-Z_]*\|PMI[X_][A-Z_]*\|COLLPERF_TOKEN\)\)=.*/\1/p'); do
	unset "$variable"
done

good() { # WHAT; a condition was just evaluated
	verdict $(($? == 0)) "$1" "$scratch/err" "$scratch/out"
}

# The last command ended with this code and said this alone, on stderr (a usage error also where to find help).
refused() { # CODE TEXT WHAT
	[ "$rc" = "$1" ] && [ ! -s "$scratch/out" ] && head -n 1 "$scratch/err" | grep -qF -e "$2" &&
		[ "$(grep -vc "^Try 'all_reduce_perf --help'\.$" "$scratch/err")" = 1 ]
	good "$3"
}

built() { # BACKEND
	! printf '%s\n' "$list" | grep -q "^backend: $1 (built without"
}

list=$("$perf" --list)
[ "$(printf '%s\n' "$list" | grep -c '^launch: \(mpi\|env\|self\) (..*)$')" = 3 ]
good "--list names the ways of launch"

run 20 "$perf" --backend sim --launch env
refused 2 "--launch: the sim backend is launched by 'self' only" "sim is not launched by env"
run 20 "$perf" --backend sim --launch mpi
refused 2 "--launch: the sim backend is launched by 'self' only" "sim is not launched by mpi"
run 20 "$perf" --backend sim --launch self --sim-ranks 2 -b 8 -e 8
[ $rc = 0 ]
good "sim is launched by self"
run 20 env WORLD_SIZE=2 RANK=0 "$perf" --backend sim -b 8 -e 8
refused 3 "the environment promises 2 ranks (WORLD_SIZE), self sees 1" "two simulations of one job are refused"
run 20 env WORLD_SIZE=2 RANK=1 "$perf" --backend sim -b 8 -e 8
[ $rc = 3 ] && [ ! -s "$scratch/err" ]
good "the second leaves the message to the first"

if built mpi; then
	run 20 "$perf" --backend mpi --launch env
	refused 2 "--launch: the mpi backend is launched by 'mpi' only" "mpi is not launched by env"
	run 20 env RANK=0 WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=29511 "$perf" --backend mpi
	refused 3 "the environment promises 2 ranks (WORLD_SIZE), MPI sees 1" "torchrun cannot start MPI's ranks"
	run 20 env SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2 "$perf" --backend mpi
	refused 3 "the environment promises 2 ranks (SLURM_STEP_NUM_TASKS), MPI sees 1" "srun without MPI cannot either"
else
	run 20 "$perf" --backend mpi
	refused 3 "--backend mpi: built without MPI" "a build without MPI says so"
fi

if ! built nccl; then
	run 20 "$perf" --backend nccl -b 8 -e 8
	refused 3 "--backend nccl: built without NCCL" "a build without NCCL says so"
	finish
fi
if ! printf '%s\n' "$list" | grep -q '^  .*not usable here: '; then
	verdict 1 "no GPU # SKIP there is one"
	finish
fi
why=$(printf '%s\n' "$list" | sed -n 's/^  .*not usable here: //p')
run 20 "$perf" --backend nccl -b 8 -e 8
refused 3 "all_reduce_perf: --backend nccl: $why" "--backend nccl without a GPU is one line"
run 20 "$perf" --backend nccl --launch env
refused 3 "launch by the environment: neither RANK, WORLD_SIZE" "--launch env without variables"
run 20 env RANK=0 WORLD_SIZE=1 "$perf" --backend nccl -b 8 -e 8
refused 3 "all_reduce_perf: --backend nccl: $why" "one rank of one needs nobody"
run 20 env RANK=x WORLD_SIZE=2 "$perf" --backend nccl
refused 3 "RANK='x' is not a whole number from 0 to 1" "a rank that is no number"
run 20 env RANK=2 WORLD_SIZE=2 "$perf" --backend nccl
refused 3 "RANK='2' is not a whole number from 0 to 1" "a rank that there is not"
run 20 env RANK=0 WORLD_SIZE=2 "$perf" --backend nccl
refused 3 "MASTER_ADDR is not set" "half of the variables"
run 20 env RANK=0 WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=$port "$perf" --backend nccl --connect-timeout 1
refused 3 "launch: rank 0: rank 1 of 2 did not come to port $port" "a rank that never comes"
run 20 env RANK=1 WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=$((port + 10)) "$perf" --backend nccl --connect-timeout 1
refused 3 "launch: rank 1: no rank 0 at 127.0.0.1 (MASTER_ADDR), ports $((port + 10)) to $((port + 17)) (MASTER_PORT), within 1 s" "a rank 0 that never comes"
run 20 env SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2 SLURM_JOB_ID=7 SLURM_STEP_NODELIST='n[1' "$perf" --backend nccl
refused 3 "SLURM_STEP_NODELIST='n[1' is not a list of nodes" "a list of nodes that is none"

if built mpi; then
	run 60 "$perf" --backend auto -b 8 -e 8 -n 2
	[ $rc = 0 ] && grep -qF "# --backend auto: nccl: $why; taking mpi" "$scratch/out"
	good "auto takes mpi and says why"
	run 20 env RANK=0 WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=29511 "$perf" -b 8 -e 8
	refused 3 "MPI sees 1" "auto under torchrun, without a GPU"
	grep -qF "nccl: $why; taking mpi" "$scratch/err"
	good "... says why it took MPI"
else
	run 20 "$perf" --backend auto -b 8 -e 8
	refused 3 "nccl: $why; no other backend was built but sim" "auto without any"
fi
finish
