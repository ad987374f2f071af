#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The path and algo columns from NCCL's log, from end to end over the fakes: transports by the environment and by --path, a topology that tells NVLink from
# PCIe, algorithms by size, what the user has set, and that nothing is written for each call unless it is asked for.

. tests/nccl/lib.sh
for variable in $(env | sed -n 's/^\(UCX_LOG[A-Z_]*\|COLLPERF_FAKE_NVML\)=.*/\1/p'); do
	unset "$variable"
done
mkdir "$scratch/tmp" "$scratch/logs"
export TMPDIR=$scratch/tmp

# WANTED: path, algo and of the flags those of this, each combination once.
check() { # WANTED WHAT
	[ "$rc" = 0 ] && [ "$(csv_cells "$csv" path algo flags | awk '
		{ line = ""; for (i = 1; i <= NF; i++) if ($i !~ /^(simulated|oversubscribed|noisy|short|late|host_bound)$/) line = line (line == "" ? "" : " ") $i; print line }' |
		sort -u | tr '\n' ';')" = "$1" ]
	verdict $(($? == 0)) "$2" "$scratch/err" "$csv"
}

said() { # FILE TEXT WHAT
	grep -qF -- "$2" "$scratch/$1"
	verdict $(($? == 0)) "$3" "$scratch/out" "$scratch/err"
}

# [VARIABLE=value ...] -- LAYOUT PRIMITIVE OPTION...
with() {
	local variables=()

	while [ "$1" != -- ]; do
		variables+=("$1")
		shift
	done
	shift
	[ ${#variables[@]} = 0 ] || export "${variables[@]?}"
	on "$@" -n 2 -w 1
	for variable in "${variables[@]%%=*}"; do
		unset "$variable"
	done
}

# --- transports
with -- 1x4 all_reduce -b 8 -e 8
check "p2p;" "one process: P2P over what is not known"
with NCCL_P2P_DISABLE=1 -- 1x4 all_reduce -b 8 -e 8
check "shm;" "no P2P: shared memory"
with NCCL_P2P_DISABLE=1 NCCL_SHM_DISABLE=1 -- 8x1 all_reduce -b 8 -e 8
check "socket;" "neither: sockets"
with NCCL_P2P_DISABLE=1 NCCL_SHM_DISABLE=1 NCCL_NET=IB -- 1x4 all_reduce -b 8 -e 8
check "ib;" "NCCL_NET"
with -- env2x4 sendrecv -b 8 -e 8
check "p2p;" "two processes"
with NCCL_P2P_DISABLE=1 -- env2x4 all_gather -b 1K -e 1K
check "shm;" "two processes without P2P"

# --- what the machine is
with COLLPERF_FAKE_NVML=switch -- 1x4 all_reduce -b 8 -e 8
check "nvlink;" "between GPUs on switches P2P is NVLink"
with COLLPERF_FAKE_NVML=switch -- 1x4 all_reduce -b 8 -e 8 --path nvlink
check "nvlink;" "--path nvlink"
with COLLPERF_FAKE_NVML=switch NCCL_P2P_DISABLE=1 -- 1x4 all_reduce -b 8 -e 8 --path nvlink
# What is left once shared memory is off as well.
check "socket other_path;" "a variable of the user against --path"
said out "# the path taken is socket, not nvlink as asked for (--path)" "the reader is told"
said err "warning: the path taken is socket, not nvlink" "and warned"

# --- as asked for
for path in shm socket; do
	with -- 1x4 all_reduce -b 8 -e 8 --path $path
	check "$path;" "--path $path"
	! grep -q 'path taken' "$scratch/out" "$scratch/err"
	verdict $(($? == 0)) "--path $path: nothing to say" "$scratch/out"
done
with -- env2x4 all_reduce -b 8 -e 8 --path socket
check "socket;" "--path socket between two processes"
with -- 1x4 all_reduce -b 8 -e 8 --path socket --readback off
check "socket?;" "--readback off: not confirmed"
with -- 1x4 all_reduce -b 8 -e 8 --readback off
check ";" "--readback off: nothing known"

# --- the user's own log
with NCCL_DEBUG=INFO NCCL_DEBUG_FILE="$scratch/logs/%h.%p" -- 1x4 all_reduce -b 8 -e 8
check "p2p;" "a file of the user is read"
grep -q 'via P2P/direct pointer' "$scratch"/logs/*
verdict $(($? == 0)) "and stays"
with NCCL_DEBUG=WARN -- 1x4 all_reduce -b 8 -e 8 --path shm
check "shm?;" "NCCL_DEBUG of the user is left alone"
with NCCL_DEBUG=WARN NCCL_P2P_DISABLE=0 -- 1x4 all_reduce -b 8 -e 8 --path shm
check ";" "nor is it suggested where a variable of the user is against it"
[ "$(grep -c 'warning: NCCL_P2P_DISABLE=0 of the environment is kept' "$scratch/err")" = 1 ] && [ "$(grep -c 'warning: .*path' "$scratch/err")" = 0 ]
verdict $(($? == 0)) "and one warning says which" "$scratch/err"
with -- 1x4 all_reduce -b 8 -e 8 --json "$scratch/json"
json_is "$scratch/json" 'my ($e, $f) = @$d{qw(environment facts)}; !(grep { /^NCCL_(DEBUG|RUNTIME)/ } keys %$e) &&
	$f->{readback_set} =~ m,^NCCL_DEBUG_FILE=/proc/self/fd/\d+ NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT\,ENV NCCL_RUNTIME_CONNECT=0$,'
verdict $(($? == 0)) "what is set for the log is recorded apart from the environment" "$scratch/json"
rm -f "$scratch"/logs/*
with NCCL_DEBUG=WARN NCCL_DEBUG_FILE="$scratch/logs/%p" -- 1x4 all_reduce -b 8 -e 8
check ";" "nothing in it, nothing read"

# --- algorithms
with -- 1x4 all_reduce -b 64 -e 64K -f 1024 --readback all
check "p2p ring/simple traced;p2p tree/ll traced;" "--readback all: algorithm and protocol by size"
[ "$(csv_cells "$csv" bytes algo | sort -u | tr '\n' ';')" = "64 tree/ll;65536 ring/simple;" ]
verdict $(($? == 0)) "of each row's own size" "$csv"
with -- env2x4 reduce_scatter -b 64K -e 64K --readback all
check "p2p ring/simple traced;" "two processes"
with -- 1x4 all_gather -b 1K -e 1K --readback all --timing loop
check "p2p ring/ll traced;" "calls back to back"
with NCCL_DEBUG=INFO NCCL_DEBUG_FILE="$scratch/logs/%h.%p" -- 1x4 all_reduce -b 8 -e 8 --readback all
check "p2p;" "a log of the user is not traced"
with -- 1x4 alltoall -b 4K -e 4K --readback all
check "p2p traced;" "what NCCL says nothing of"

# --- nothing more in the time, and nothing left
for n in 2 200; do
	rm -f "$scratch"/logs/*
	NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,ENV NCCL_DEBUG_FILE="$scratch/logs/%h.%p" on 1x2 all_reduce -b 8 -e 8 -n $n
	lines=$(cat "$scratch"/logs/* | wc -l)
	[ $n = 2 ] && few=$lines
done
[ "$few" -gt 0 ] && [ "$few" = "$lines" ]
verdict $(($? == 0)) "with what is switched on by default: $few lines for few calls, $lines for many"
COLLPERF_FAKE=fail=ncclAllReduce:3 on 1x2 all_reduce -b 8 -e 8 -n 2
[ "$rc" = 3 ] && [ -z "$(ls -A "$TMPDIR")" ]
verdict $(($? == 0)) "nothing is left, also after an error" "$scratch/err"

# --- the report
csv=$scratch/other.csv
with NCCL_P2P_DISABLE=1 COLLPERF_FAKE_NVML=switch -- 1x4 all_reduce -b 1K -e 16K -f 2 --path nvlink
"$bin/collperf" report "$csv" -o "$scratch/report" >"$scratch/out" 2>"$scratch/err"
said out "took another path than --path asked for" "a report finds it"
finish
