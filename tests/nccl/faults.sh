#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# What goes wrong on GPUs and what a user is told, over the fakes: errors of calls and of communicators, calls that never end, wrong data, memory. One
# line that names the call, the rank, the GPU and the host; the exit code of its kind; rows that were complete are kept.

. tests/nccl/lib.sh
host=$(hostname)
small="-b 1K -e 4K -f 2 -n 3 -w 1"

# --- errors of calls
COLLPERF_FAKE=fail=ncclAllReduce:rank3:call9 on 1x8 all_reduce $small
bad "a call fails" 3 "nccl: ncclAllReduce: unhandled cuda error (rank 3, GPU 3 [0000:18:00] on host $host): "
COLLPERF_FAKE=fail=ncclAllReduce:rank3:call9 on 8x1 all_reduce $small
bad "a call fails on a thread" 3 "nccl: ncclAllReduce: unhandled cuda error (rank 3, GPU 3 [0000:18:00] on host $host): "
COLLPERF_FAKE=fail=ncclAllReduce:rank5:call9 on env2x4 all_reduce $small
bad "a call fails in one of two processes" 3 "nccl: ncclAllReduce: unhandled cuda error (rank 5, GPU 5 [0000:1e:00] on host $host): "
if [ -n "$has_mpi" ]; then
	COLLPERF_FAKE=fail=ncclAllReduce:rank5:call9 on mpi2x4 all_reduce $small
	# The signal by which hydra ended the other process may be its own exit code.
	[ "$rc" != 9 ] || rc=3
	bad "a call fails in one of two processes of MPI" 3 "nccl: ncclAllReduce: unhandled cuda error (rank 5, GPU 5 [0000:1e:00] on host $host): "
fi
while read -r function layout primitive options; do
	COLLPERF_FAKE=fail=$function on $layout $primitive $small $options
	bad "$function fails" 3 "$(echo "$function" | sed 's/:.*//')" "on host $host"
done <<'END'
ncclGetUniqueId 1x4 all_reduce
ncclCommInitRank:rank2 2x2 all_reduce
ncclCommInitRank:rank5 env2x4 all_reduce
ncclCommInitRankConfig:rank2 1x4 all_reduce -x 1
ncclGroupEnd:5 1x4 all_reduce
ncclAllGather:rank1:7 1x4 all_gather
ncclBroadcast:rank1:7 1x4 broadcast
ncclReduce:rank1:7 1x4 reduce
ncclReduceScatter:rank1:7 1x4 reduce_scatter
ncclAlltoAll:rank1:7 1x4 alltoall
ncclGather:rank1:7 1x4 gather
ncclScatter:rank1:7 1x4 scatter
ncclSend:rank1:7 1x4 sendrecv
ncclRecv:rank1:7 1x4 sendrecv
ncclRedOpCreatePreMulSum:rank2 1x4 all_reduce -o mulsum
ncclMemAlloc:3 1x4 all_reduce -R 1
ncclCommRegister:rank2 1x4 all_reduce -R 1
ncclCommWindowRegister:rank2 1x4 all_reduce -R 2
cudaMalloc:device2 2x2 all_reduce
cudaSetDevice:device2:3 1x4 all_reduce
cudaStreamCreateWithFlags:device1 1x4 all_reduce
cudaEventCreateWithFlags:device1 1x4 all_reduce
cudaEventRecord:5 1x4 all_reduce
cudaStreamQuery:9 1x4 all_reduce
cudaStreamBeginCapture 1x4 all_reduce -G 2
cudaStreamEndCapture 1x4 all_reduce -G 2
cudaGraphInstantiateWithFlags 1x4 all_reduce -G 2
cudaGraphLaunch:2 1x4 all_reduce -G 2
END
COLLPERF_FAKE=fail=ncclCommDestroy:rank2 on 1x4 all_reduce $small
[ "$rc" = 3 ] || [ "$rc" = 0 ]
verdict $(($? == 0)) "an error at the very end does no harm to the rows: exit code $rc" "$scratch/err"
rc=0
[ -z "$(flaw 6 4)" ]
verdict $(($? == 0)) "and they are all there" "$csv"

# --- asynchronous errors
for layout in 1x8 8x1 env2x2x2; do
	COLLPERF_FAKE=async=rank6:call9 on $layout all_reduce $small
	bad "an asynchronous error, $layout" 3 "nccl: asynchronous error: " "(rank 6, GPU 6 [0000:21:00] on host $host)"
	csv_is_whole "$csv"
	verdict $(($? == 0)) "the CSV is whole, $layout" "$csv"
done
COLLPERF_FAKE=async=rank6:call9 on 1x8 all_reduce $small --timing loop -G 2
bad "an asynchronous error in a graph" 3 "nccl: asynchronous error: " "rank 6, GPU 6"

# --- calls that never end. They take long enough here that the warm-up is over after a few.
hangs() { # WHAT ROWS TEXT...
	local what=$1 rows=$2

	shift 2
	bad "$what" 3 "no progress for 2 s" "$@"
	csv_is_whole "$csv" && [ "$(($(lines "$csv") - 1))" -ge "$rows" ]
	verdict $(($? == 0)) "rows before it are kept" "$csv"
}
many="-b 1K -e 1M -f 2 -n 2 -w 1 -T 2"
slowly=slow=5000
COLLPERF_FAKE=$slowly,hang=rank2:call45 on 1x4 sendrecv $many
hangs "a hang that some ranks outlive: who had not finished" 1 "ranks 1-3 had not finished"
COLLPERF_FAKE=$slowly,hang=rank2:call45 on 1x4 sendrecv $many --timing loop
hangs "the same in a loop" 1 "had not finished"
COLLPERF_FAKE=$slowly,hang=rank5:call45 on env2x4 sendrecv $many
hangs "two processes: the one that is behind, or its ranks that had not finished" 1 "ranks 4-"
for layout in 8x1 env2x2x2 ${has_mpi:+mpi2x4}; do
	COLLPERF_FAKE=$slowly,hang=rank6:call45 on $layout all_reduce $many
	hangs "a hang of all ranks, $layout" 1 "(call "
done
COLLPERF_FAKE=$slowly,hang=rank1:call9 on 1x4 all_reduce $many --timing loop -G 2
hangs "a hang in a graph" 0
COLLPERF_FAKE=hang=rank1:call2000 on 1x4 all_reduce -b 1K -e 1K -n 100 -w 1 -N 0 -T 2 --timing loop --hold
hangs "a hang behind a hold" 0
COLLPERF_FAKE=$slowly,hang=rank6:call45,tell=ncclCommAbort on env2x2x2 all_reduce $many
[ "$rc" = 3 ] && [ "$(sed -n 's/^fake: called: ncclCommAbort, rank \([0-9]*\),.*/\1/p' "$scratch/err" | sort | tr '\n' ' ')" = "0 1 2 3 4 5 6 7 " ]
verdict $(($? == 0)) "the communicators of all ranks are aborted" "$scratch/err"
on env2x4 all_reduce $many --inject hang=1@2048
hangs "a process that does not call" 2 "rank"

# --- wrong data
for layout in 1x4 4x1 env2x4; do
	COLLPERF_FAKE=flip=rank2 on $layout all_reduce $small
	[ "$rc" = 1 ] && [ -z "$(csv_cells "$csv" wrong | grep -v '^1$')" ] &&
		grep -q 'wrong data: all_reduce, 1024 bytes, out-of-place: 1 elements, first on rank 2 at element 128' "$scratch/err"
	verdict $(($? == 0)) "one wrong element, $layout: where it is" "$scratch/err" "$csv"
done
for primitive in $primitives; do
	COLLPERF_FAKE=flip=rank0 on 2x2 $primitive $small -d bfloat16
	[ "$rc" = 1 ] && [ -z "$(csv_cells "$csv" wrong | grep -v '^1$')" ] && grep -q 'first on rank 0 at element' "$scratch/err"
	verdict $(($? == 0)) "$primitive: a wrong element of rank 0 at every size" "$scratch/err" "$csv"
done
for options in "-m 3 --timing loop" "-G 2 --timing loop" "-R 2 -u 1" "-d int8 -c 2" "-o mulsum -d double" "-o avg" "--split MOD:2"; do
	# shellcheck disable=SC2086 # words
	COLLPERF_FAKE=flip=rank1 on 1x4 all_reduce $small $(echo "$options" | sed 's/ MOD:2/=MOD2/')
	[ "$rc" = 1 ] && [ -z "$(csv_cells "$csv" wrong | grep -v '^1$')" ]
	verdict $(($? == 0)) "a wrong element is seen with $options" "$scratch/err" "$csv"
done
COLLPERF_FAKE=flip=rank1 on 1x4 all_reduce $small -c 0
[ "$rc" = 0 ] && [ -z "$(csv_cells "$csv" wrong | grep .)" ]
verdict $(($? == 0)) "and not without a check" "$scratch/err" "$csv"

# --- memory and GPUs
COLLPERF_FAKE=memory=64M on 1x4 all_reduce -b 1K -e 64M -f 2 -n 1
bad "too little memory" 3 "memory: " "bytes needed for sizes up to 67108864" "GPU 0 [0000:0f:00] of host $host"
COLLPERF_FAKE=oom=device2:call3 on 1x4 all_reduce $small
bad "no memory on one GPU" 3 "cudaMalloc of " "out of memory (rank 2, GPU 2 [0000:15:00] on host $host)"
COLLPERF_FAKE=gpus=4 on 1x8 all_reduce $small
bad "too few GPUs" 3 "host $host: 8 ranks need 8 GPUs, 4 are visible"
COLLPERF_FAKE=gpus=6 on env2x4 all_reduce $small
bad "too few GPUs for two processes, said once" 3 "host $host: 8 ranks need 8 GPUs, 6 are visible"
CUDA_VISIBLE_DEVICES=0,2,5 on 2x2 all_reduce $small
bad "too few that are visible" 3 "host $host: 4 ranks need 4 GPUs, 3 are visible"
for none in gpus=0 driver=0 drivererror=999; do
	COLLPERF_FAKE=$none on 1x1 all_reduce $small
	bad "--backend nccl, $none" 3 "--backend nccl: "
	COLLPERF_FAKE=$none run 60 env LD_LIBRARY_PATH="$fakes" "$bin/all_reduce_perf" -b 8 -e 8 -n 1 -w 0
	if grep -q 'MPI=1' "$BUILD/config"; then
		[ "$rc" = 0 ] && grep -q -- '--backend auto: nccl: no GPU .*; taking mpi' "$scratch/out"
	else
		[ "$rc" = 3 ] && grep -q -- '--backend auto: nccl: no GPU .*; no other backend' "$scratch/err"
	fi
	verdict $(($? == 0)) "auto says what it takes instead, $none" "$scratch/err" "$scratch/out"
done

# --- ranks that share a GPU: each process says that it is a host of its own
COLLPERF_FAKE=gpus=1 on env2x4 all_reduce $small --share-gpus
[ "$rc" = 3 ] && grep -q 'ncclCommInitRank: .* Duplicate GPU' "$scratch/err" && grep -q 'NCCL_HOSTID' "$scratch/err"
verdict $(($? == 0)) "NCCL refuses two ranks on a GPU" "$scratch/err"
shared() {
	COLLPERF_FAKE=gpus=1 by_environment bash -c 'NCCL_HOSTID=$RANK exec "$@"' - "$bin/$1_perf" --backend nccl --csv "$csv" $small --share-gpus
	[ -z "$(flaw "$2" 2)" ] && [ -z "$(csv_cells "$csv" flags | grep -v shared_gpu)" ]
	verdict $(($? == 0)) "$1, two ranks on one GPU: their rows are marked" "$scratch/err" "$csv"
}
shared all_reduce 6
shared alltoall 3
finish
