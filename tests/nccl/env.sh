#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Several processes without MPI, over the fakes: as torchrun, Slurm and Kubernetes start them. One table, one exit code for all, and one line when a
# rank lacks what the others have, dies, hangs, or is not the only one of its number.

. tests/cli/lib.sh
fakes=$(cd "$BUILD/fakes/lib" 2>/dev/null && pwd) || {
	echo "1..0 # SKIP the fakes are not built"
	exit 0
}
[ ! -x "$BUILD/fakes/build/all_reduce_perf" ] || bin=$(cd "$BUILD/fakes/build" && pwd)
unset CUDA_VISIBLE_DEVICES COLLPERF_FAKE NCCL_TESTS_DEVICE COLLPERF_TOKEN
for variable in $(env | sed -n 's/^\(\(RANK\|WORLD_SIZE\|LOCAL_[A-Z_]*\|MASTER_[A-Z]*\|TORCHELASTIC_[A-Z_]*\|SLURM_[A-Z_]*\|PMI[X_][A-Z_]*\)\)=.*/\1/p'); do
	unset "$variable"
done
few="-b 1K -e 4K -f 2 -n 3 -w 1"
csv=$scratch/csv
port=$((28000 + $$ % 400 * 10))

# What launchers set for rank $1 of $2. A function of this name may be called by `job`.
torchrun() {
	echo RANK="$1" WORLD_SIZE="$2" LOCAL_RANK="$1" LOCAL_WORLD_SIZE="$2" MASTER_ADDR=localhost MASTER_PORT="$port"
}
agent() {
	echo "$(torchrun "$1" "$2")" TORCHELASTIC_USE_AGENT_STORE=True TORCHELASTIC_RUN_ID="$$" TORCHELASTIC_RESTART_COUNT=0
}
slurm() {
	echo SLURM_PROCID="$1" SLURM_LOCALID="$1" SLURM_STEP_NUM_TASKS="$2" SLURM_NTASKS=$(($2 + 3)) SLURM_JOB_ID="$$" SLURM_STEP_ID=0 \
		SLURM_STEP_NODELIST='localhost,other[1-3]'
}

# LAUNCHER RANKS PRIMITIVE ARGUMENT...: $codes of all ranks, out and err of all joined. ODD: variables of rank 1 alone.
job() {
	local launcher=$1 ranks=$2 primitive=$3 rank
	local -a pids=()

	shift 3
	rm -f "$csv" "$scratch"/out* "$scratch"/err*
	port=$((port + 10))
	for ((rank = 0; rank < ranks; rank++)); do
		# shellcheck disable=SC2046 # words without blanks
		timeout -k 5 60 env LD_LIBRARY_PATH="$fakes" $($launcher $rank "$ranks") $([ $rank != 1 ] || echo "$ODD") \
			"$bin/${primitive}_perf" --backend nccl "$@" </dev/null >"$scratch/out.$rank" 2>"$scratch/err.$rank" &
		pids+=($!)
	done
	codes=
	for rank in "${pids[@]}"; do
		wait "$rank" 2>/dev/null
		codes="$codes$? "
	done
	cat "$scratch"/out.* >"$scratch/out"
	cat "$scratch"/err.* >"$scratch/err"
}

good() { # WHAT; a condition was just evaluated
	verdict $(($? == 0)) "$1 (exit codes $codes)" "$scratch/err" "$scratch/out"
}

said_once() { # TEXT
	[ "$(grep -v '_perf: warning: ' "$scratch/err" | grep -c '_perf: \|^nccl: ')" = 1 ] && grep -qF -e "$1" "$scratch/err"
}

measured() { # RANKS ROWS
	[ "$(csv_cells "$csv" nranks library wrong | sort | uniq -c | tr -s ' ' | sed 's/^ //')" = "$2 $1 fake 0" ] &&
		[ "$(grep -c '^#  Rank ' "$scratch/out")" = "$1" ] && [ "$(grep -c '^# Collective test starting' "$scratch/out")" = 1 ]
}

ODD=
for launcher in torchrun agent slurm; do
	job $launcher 3 all_reduce $few --csv "$csv"
	[ "$codes" = "0 0 0 " ] && measured 3 6
	good "$launcher: 3 processes, one table"
done
job torchrun 2 alltoall $few -t 2 -g 2 --csv "$csv"
[ "$codes" = "0 0 " ] && measured 8 3
good "2 processes of 2 threads of 2 GPUs"
job torchrun 5 broadcast $few -r 3 --timing loop --csv "$csv"
[ "$codes" = "0 0 0 0 0 " ] && measured 5 6
good "5 processes, --timing loop"
job torchrun 2 all_reduce $few --inject corrupt=1
[ "$codes" = "1 1 " ] && [ ! -s "$scratch/out.1" ]
good "wrong data on one rank are every process's exit code"
job torchrun 2 all_reduce -b 8 -e 8 -r 1 -o nonsense
[ "$codes" = "2 2 " ] && [ ! -s "$scratch/err.1" ]
good "a usage error is said once"
job torchrun 2 broadcast -b 8 -e 8 -r 7
[ "$codes" = "2 2 " ] && said_once "-r: there is no rank 7 among 2"
good "so is one that all must be there for"

# Not all have what one has
ODD=LD_LIBRARY_PATH=/nowhere
job torchrun 3 all_reduce $few --connect-timeout 20
[ "$codes" = "3 3 3 " ] && said_once "all_reduce_perf: --backend nccl: no NVIDIA driver" && grep -q '(rank 1 on host ' "$scratch/err.0"
good "one rank without a driver: rank 0 says whose"
ODD=WORLD_SIZE=4
job torchrun 3 all_reduce $few --connect-timeout 2
[ "$codes" = "3 3 3 " ] && grep -q 'rank 0 refuses: rank 1 on host .* counts 4 ranks, rank 0 counts 3$' "$scratch/err.1" &&
	grep -q 'rank 1 of 3 did not come' "$scratch/err.0" && grep -q 'rank 0 gave up: rank 1 of 3 did not come' "$scratch/err.2" &&
	[ "$(cat "$scratch"/err.? | wc -l)" = 3 ]
good "one rank that miscounts"
ODD=COLLPERF_TOKEN=other
job torchrun 2 all_reduce $few --connect-timeout 2
[ "$codes" = "3 3 " ] && grep -q 'rank 1 of 2 did not come' "$scratch/err.0" && grep -q 'another job' "$scratch/err.1"
good "one rank of another job"
ODD=MASTER_ADDR=no.such.host.invalid
job torchrun 2 all_reduce $few --connect-timeout 2
[ "$codes" = "3 3 " ] && grep -q 'no rank 0 at no.such.host.invalid (MASTER_ADDR).*the name cannot be resolved' "$scratch/err.1"
good "one rank that is told a name that is none"
ODD=RANK=0
job torchrun 2 all_reduce $few --connect-timeout 2
[ "$codes" = "3 3 " ] && grep -q 'is there already: two jobs with the same MASTER_PORT?' "$scratch/err.0" "$scratch/err.1"
good "two ranks 0"
ODD=

# Ends
job torchrun 3 all_reduce $few --inject abort=1 --csv "$csv"
[ "$codes" = "3 137 3 " ] && said_once "rank 1 on host" && csv_is_whole "$csv"
good "a rank that dies ends all"
job torchrun 3 all_reduce $few -T 2 --inject hang=1 --csv "$csv"
[ "$codes" = "3 3 3 " ] && said_once "no progress for 2 s" && grep -q 'rank 1' "$scratch/err" && csv_is_whole "$csv"
good "a rank that hangs ends all in time"
finish
