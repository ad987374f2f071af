#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# --path and --algo over the fakes of NCCL: the variables reach the library in every process and before it is started, what this machine or this library
# cannot is refused with the reason, what the user has set stays, and the rows name an algorithm only where NCCL would refuse rather than take another.

. tests/nccl/lib.sh
unset COLLPERF_FAKE_NVML
mkdir "$scratch/logs"

check() { # WHAT; a condition was just evaluated
	verdict $(($? == 0)) "$1" "$scratch/err" "$scratch/out"
}

columns() { # WANTED: path and algo, of all rows
	[ "$rc" = 0 ] && [ "$(csv_cells "$csv" path algo | sort -u)" = "$1" ]
}

# --- variables
for layout in 1x4 8x1 env2x4 env2x2x2; do
	on $layout all_reduce -b 8 -e 8 -n 2 --path socket --algo tree/ll128
	columns "socket tree/ll128"
	check "$layout: --path socket --algo tree/ll128"
done
if [ -n "$has_mpi" ]; then
	on mpi2x4 all_reduce -b 8 -e 8 -n 2 --path shm --algo two_tree
	columns "shm tree"
	check "mpi2x4: --path shm --algo two_tree"
fi
on 1x4 all_reduce -b 8 -e 8 -n 2 --path socket --algo ring/simple --json "$scratch/json"
json_is "$scratch/json" 'my ($e, $f) = @$d{qw(environment facts)}; $f->{steer_path} eq "socket" && $f->{steer_algo} eq "ring/simple" && $f->{steer_set} eq
	"NCCL_P2P_DISABLE=1 NCCL_SHM_DISABLE=1 NCCL_NVLS_ENABLE=0 NCCL_NET=Socket NCCL_IB_DISABLE=1 NCCL_ALGO=Ring NCCL_PROTO=Simple" &&
	$e->{NCCL_NET} eq "Socket" && $e->{NCCL_ALGO} eq "Ring" && !exists $e->{UCX_TLS}'
check "all of them are recorded"
for primitive in all_gather reduce_scatter broadcast reduce; do
	on 1x4 $primitive -b 1K -e 1K -n 2 --algo ring
	columns "p2p ring"
	check "$primitive --algo ring"
done
on 1x4 all_gather -b 1K -e 1K -n 2 --algo pat
columns "p2p pat"
check "all_gather --algo pat"

# --- the user's own
NCCL_P2P_DISABLE=0 NCCL_ALGO='broadcast:ring;allreduce:tree' on 1x4 all_reduce -b 8 -e 8 -n 2 --path shm --algo ring
columns "p2p tree" && [ "$(grep -c ': warning: NCCL_[A-Z0-9_]*=.* of the environment is kept' "$scratch/err")" = 2 ] &&
	grep -q 'NCCL_P2P_DISABLE=0 of the environment is kept; what was asked for would be 1' "$scratch/err" &&
	grep -q '^# NCCL_ALGO=broadcast:ring;allreduce:tree of the environment is kept; what was asked for would be Ring' "$scratch/out"
check "variables that are set already are kept, told, and win"
NCCL_ALGO=Tree NCCL_PROTO=^LL,LL128 on 1x4 all_reduce -b 8 -e 8 -n 2
columns "p2p tree/simple"
check "without --algo what they force is in the rows"
NCCL_ALGO=Tree,Ring on 1x4 all_reduce -b 8 -e 8 -n 2
columns "p2p "
check "and nothing where they leave a choice"

# --- only what is certain
libraries=$older on 1x4 all_reduce -b 8 -e 8 -n 2 --algo ring
[ $rc = 0 ] && [ "$(csv_cells "$csv" algo | sort -u)" = "" ]
check "NCCL before 2.24 may take another: the column stays empty"

# --- refused, by one line
refused() { # CODE TEXT PRIMITIVE OPTION...
	local code=$1 text=$2

	shift 2
	on 1x4 "$@" -b 8 -e 8 -n 2
	bad "refused: $*" "$code" "$text"
}
refused 2 "--path tcp: not with --backend nccl, which has: auto nvlink pcie shm ib roce socket" all_reduce --path tcp
refused 2 "broadcast has no algorithm 'tree' with --backend nccl; there are: ring[/ll|/ll128|/simple]" broadcast --algo tree
refused 2 "nothing chooses an algorithm of alltoall" alltoall --algo ring
refused 2 "has no algorithm 'ring/ll64'" all_reduce --algo ring/ll64
COLLPERF_FAKE_NVML="no bridge" refused 3 "--path nvlink: no NVLink between GPU0 and GPU1" all_reduce --path nvlink
COLLPERF_FAKE_NVML=switch refused 3 "are joined by NVLink, as all GPUs here are, and NCCL has no variable that keeps peer-to-peer off it" all_reduce --path pcie
if [ -z "$(ls /sys/class/infiniband 2>/dev/null)" ]; then
	refused 3 "--path ib: no InfiniBand device here" all_reduce --path ib
	refused 3 "--path roce: no RoCE device here" all_reduce --path roce
fi
COLLPERF_FAKE_NVML=pairs on 1x4 all_reduce -b 8 -e 8 -n 2 --path nvlink
[ $rc = 0 ]
check "GPUs of which some are joined may be those that are used"
on env2x4 all_reduce -b 8 -e 8 --path tcp
bad "two processes: one line" 2 "--path tcp: not with --backend nccl"

# --- sweeps
run 120 env LD_LIBRARY_PATH="$fakes" "$bin/collperf" run --backend nccl --paths shm,socket,ib --algos ring,tree --collectives all_reduce,broadcast -g 4 \
	-b 1K -e 1K -n 2 -o "$scratch/run" --quiet
[ "$(csv_cells "$scratch/run/all_reduce.csv" path algo | uniq | tr '\n' ';')" = "shm ring;shm tree;socket ring;socket tree;" ] &&
	[ "$(csv_cells "$scratch/run/broadcast.csv" path algo | uniq | tr '\n' ';')" = "shm ring;socket ring;" ] || [ -n "$(ls /sys/class/infiniband 2>/dev/null)" ]
check "collperf run --paths --algos: each that can be, in one file"
[ $rc = 3 ] && grep -qx 'collperf: run: path ib: nothing could be measured by it (3 launches)' "$scratch/err" &&
	grep -q 'algorithm tree: skipped for what lacks it: broadcast' "$scratch/err" || [ -n "$(ls /sys/class/infiniband 2>/dev/null)" ]
check "what could not is said at the end"
finish
