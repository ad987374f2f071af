#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Seeding and checking by kernels over the stand-ins: what a GPU machine runs passes here; runs with kernels and through the host find the same; a kernel
# that cannot be loaded is a note, one that cannot be started ends the run.

BUILD=${BUILD:-build}
[ -d "$BUILD/fakes/lib" ] || {
	echo "1..0 # SKIP the fakes are not built"
	exit 0
}
export LD_LIBRARY_PATH=$BUILD/fakes/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
[ ! -x "$BUILD/fakes/build/all_reduce_perf" ] || BUILD=$BUILD/fakes/build
unset CUDA_VISIBLE_DEVICES COLLPERF_FAKE
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
n=0

ok() { # DESCRIPTION; after the command that decides
	local rc=$?
	n=$((n + 1))
	[ $rc = 0 ] && echo "ok $n - $1" && return
	echo "not ok $n - $1"
	tail -n 25 "$scratch/said" | sed 's/^/# /'
}

echo 1..10

# Without nvcc there are no kernels, and nothing to compare.
timeout 60 "$BUILD/gpu/check_rate" --short >"$scratch/said" 2>&1
rc=$?
if grep -q 'built without nvcc' "$scratch/said"; then
	while [ $n -lt 10 ]; do
		n=$((n + 1))
		echo "ok $n # SKIP built without nvcc"
	done
	exit 0
fi
[ $rc = 0 ] && grep -q '^150 trials, 0 miscounted$' "$scratch/said"
ok "check_rate --short: every planted error is counted"

timeout 100 "$BUILD/gpu/check_rate" 4 >"$scratch/said" 2>&1 &&
	tail -n 1 "$scratch/said" | grep -Eq '^check_GBps [0-9.]+ copy_GBps [0-9.]+ ratio [0-9.]+$'
ok "check_rate: its last line tells the rates"

COLLPERF_FAKE=gpus=0 timeout 60 "$BUILD/gpu/check_rate" >"$scratch/said" 2>&1
[ $? = 3 ] && [ "$(wc -l <"$scratch/said")" = 1 ]
ok "check_rate without a GPU: one line, exit 3"

# WRONG WORDS OPTION...: a run of alltoall on 4 GPUs exits with 1 when WRONG is not 0, and says so many wrong elements per row.
run_of() {
	local wrong=$1 words=$2
	shift 2
	COLLPERF_FAKE=gpus=4${words:+,$words} timeout 60 "$BUILD/alltoall_perf" --backend nccl -g 4 -b 64K -e 64K -n 2 -w 1 "$@" \
		--csv "$scratch/csv" >"$scratch/said" 2>&1
	[ $? = $((wrong > 0)) ] && awk -F, -v wrong="$wrong" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == "wrong") column = i }
		NR > 1 { rows++; bad += $column != wrong }
		END { exit !(rows > 0 && bad == 0) }' "$scratch/csv"
}

through_host() {
	grep -q '^# Data were checked through the host, not on the GPU: cuModule' "$scratch/said"
}

run_of 0 "" && ! through_host
ok "by kernels: nothing is wrong"

run_of 0 fail=cuModuleLoadData && through_host
ok "kernels that cannot be loaded: through the host, nothing is wrong, a note says why"

run_of 1 "" --inject corrupt=2 && ! through_host
ok "by kernels: one wrong element is one"

run_of 1 fail=cuModuleGetFunction --inject corrupt=2 && through_host
ok "through the host: one wrong element is one"

run_of 0 "" -d all -u 1
ok "by kernels: all types, from odd elements on"

run_of 0 fail=cuModuleLoadData -d all -u 1 && through_host
ok "through the host: all types, from odd elements on"

COLLPERF_FAKE=gpus=4,fail=cuLaunchKernel:5 timeout 60 "$BUILD/alltoall_perf" --backend nccl -g 4 -b 64K -e 64K -n 2 >"$scratch/said" 2>&1
[ $? = 3 ] && [ "$(grep -c '^nccl: cuLaunchKernel: .* (rank [0-3], GPU [0-3] \[.*\] on host .*)$' "$scratch/said")" = 1 ]
ok "a kernel that cannot be started: call, rank, device and host in one line, exit 3"
