#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Which GPU each rank takes, and what is said where the libraries, the driver or the GPUs are not what is needed: over the fakes, in one process and in
# several.

build=${BUILD:-build}
fakes=$(cd "$build/fakes/lib" 2>/dev/null && pwd) || {
	echo "1..0 # SKIP the fakes are not built"
	exit 0
}
[ ! -x "$build/fakes/build/all_reduce_perf" ] || build=$build/fakes/build
all_reduce=$build/all_reduce_perf
alltoall=$build/alltoall_perf
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0 status=0
port=$((20000 + $$ % 20000))
unset CUDA_VISIBLE_DEVICES COLLPERF_FAKE NCCL_TESTS_DEVICE
one=(-b 1K -e 1K -n 2 -w 1 --backend nccl)

verdict() { # RC WHAT
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		cat "$work"/out* "$work"/err* 2>/dev/null | sed 's/^/# /'
		status=1
	fi
}

# COMMAND ...: one process; $rc, out, err.
alone() {
	rm -f "$work"/out* "$work"/err*
	LD_LIBRARY_PATH=$libraries:$fakes timeout -k 5 60 "$@" >"$work/out" 2>"$work/err"
	rc=$?
}

# N COMMAND ...: as many processes, each with SEES_<its number> as CUDA_VISIBLE_DEVICES where that is set; $rc the largest, out of the first, err of all.
together() {
	local n=$1 i sees
	shift
	rm -f "$work"/out* "$work"/err*
	port=$((port + 1)) rc=0
	local pids=()
	for ((i = 0; i < n; i++)); do
		sees=SEES_$i
		(
			[ -z "${!sees}" ] || export CUDA_VISIBLE_DEVICES=${!sees}
			export RANK=$i LOCAL_RANK=$i WORLD_SIZE=$n LOCAL_WORLD_SIZE=$n MASTER_ADDR=127.0.0.1 MASTER_PORT=$port
			export LD_LIBRARY_PATH=$libraries:$fakes
			exec timeout -k 5 60 "$@"
		) >"$work/out.$i" 2>"$work/err.$i" &
		pids+=($!)
	done
	for i in "${pids[@]}"; do
		wait "$i"
		i=$?
		[ $i -le $rc ] || rc=$i
	done
	cat "$work"/err.* >"$work/err"
	mv "$work/out.0" "$work/out"
	rm -f "$work"/out.* "$work"/err.*
}

# The devices and PCI addresses of the ranks as the table's head tells them: "0=0000:0f:00 1=...".
devices() {
	sed -n 's/^# *Rank .* device *\([0-9]*\) \[\([0-9a-f:]*\)\].*/\1=\2/p' "$work/out" | tr '\n' ' '
}

took() { # EXPECTED
	[ "$rc" = 0 ] && [ "$(devices)" = "$1" ]
}

# RC LINES TEXT: so many lines on stderr, of all processes together, one of which has the text.
said() {
	[ "$rc" = "$1" ] && [ "$(wc -l <"$work/err")" = "$2" ] && grep -qF -- "$3" "$work/err"
}

column() { # NAME FILE
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at[name] }' "$2"
}

# WORDS FILE: all rows end their flags so. A busy machine adds others before.
flagged() {
	[ -s "$2" ] && awk -F, -v words="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == "flags") at = i; next }
		(" " $at) !~ (" " words "$") { bad = 1 }
		END { exit bad || NR < 2 }' "$2"
}

libraries=
alone "$all_reduce" "${one[@]}" -g 3
took "0=0000:0f:00 1=0000:12:00 2=0000:15:00 "
verdict $? "one process takes the first GPUs"

alone env CUDA_VISIBLE_DEVICES=5,2 "$all_reduce" "${one[@]}" -g 2
took "0=0000:1e:00 1=0000:15:00 "
verdict $? "CUDA_VISIBLE_DEVICES orders them"

alone env NCCL_TESTS_DEVICE=6 "$all_reduce" "${one[@]}" -g 2
took "6=0000:21:00 7=0000:24:00 "
verdict $? "NCCL_TESTS_DEVICE names the first"

together 2 "$all_reduce" "${one[@]}" -t 2
took "0=0000:0f:00 1=0000:12:00 2=0000:15:00 3=0000:18:00 "
verdict $? "processes of a host take turns"

SEES_0=6 SEES_1=3 together 2 "$all_reduce" "${one[@]}"
took "0=0000:21:00 0=0000:18:00 "
verdict $? "processes that see each their own count from 0"

SEES_0=0,1 SEES_1=4,5 together 2 "$all_reduce" "${one[@]}" -g 2
took "0=0000:0f:00 1=0000:12:00 0=0000:1b:00 1=0000:1e:00 "
verdict $? "the same with two each"

SEES_0=0,1 SEES_1=1,2 together 2 "$all_reduce" "${one[@]}" -g 2
said 3 1 "4 ranks need 4 GPUs, 3 are visible"
verdict $? "overlapping ones are too few"

SEES_0=0,1,2,3 SEES_1=3,4,5 together 2 "$all_reduce" "${one[@]}" -g 2
said 3 1 "a process needs devices 2 to 3 and sees 3"
verdict $? "enough in all, and not for each: what to show is said"

alone env COLLPERF_FAKE=gpus=1 "$all_reduce" "${one[@]}" -g 2
said 3 1 ": 2 ranks need 2 GPUs, 1 is visible" && [ ! -s "$work/out" ]
verdict $? "too few GPUs are said before anything starts"

together 3 "$all_reduce" "${one[@]}" -g 3
said 3 1 ": 9 ranks need 9 GPUs, 8 are visible"
verdict $? "and once for all processes"

alone env NCCL_TESTS_DEVICE=7 "$all_reduce" "${one[@]}" -g 2
said 3 1 ": 2 ranks need 9 GPUs, 8 are visible"
verdict $? "GPUs before the first are not for us"

alone env COLLPERF_FAKE=gpus=2 "$all_reduce" "${one[@]}" -g 3 --share-gpus
said 3 2 "NCCL_HOSTID"
verdict $? "what NCCL needs for ranks that share a GPU is said"

export COLLPERF_FAKE=gpus=1
together 2 sh -c 'NCCL_HOSTID=host$RANK exec "$0" "$@"' "$all_reduce" "${one[@]}" --share-gpus --csv "$work/shared.csv"
took "0=0000:0f:00 0=0000:0f:00 " && flagged "shared_gpu simulated" "$work/shared.csv"
verdict $? "with it they run, and every row is marked"
unset COLLPERF_FAKE

alone "$all_reduce" "${one[@]}" -g 2 --csv "$work/plain.csv"
[ "$rc" = 0 ] && flagged simulated "$work/plain.csv" && ! grep -q shared_gpu "$work/plain.csv" && [ "$(column library "$work/plain.csv")" = fake ] &&
	[ "$(column backend "$work/plain.csv")" = nccl ]
verdict $? "rows over a fake are marked, the library's name is fake"

# A library that is there and cannot be loaded; one that lacks a function; none.
libraries=$work/broken
mkdir "$libraries"
echo nothing >"$libraries/libcuda.so.1"
alone "$all_reduce" "${one[@]}"
said 3 1 "no NVIDIA driver on this machine ($libraries/libcuda.so.1: "
verdict $? "a driver that cannot be loaded is told with the loader's words"

rm "$libraries/libcuda.so.1"
echo nothing >"$libraries/libnccl.so.2"
alone "$all_reduce" "${one[@]}"
said 3 1 "NCCL is missing ($libraries/libnccl.so.2: "
verdict $? "so is NCCL"

cp "$fakes/libcuda.so.1" "$libraries/libnccl.so.2"
alone "$all_reduce" "${one[@]}"
said 3 1 "libnccl.so.2 is too old: it has no ncclGetVersion"
verdict $? "a missing function is named"
libraries=

for fault in gpus=0 driver=0 drivererror=999; do
	alone env COLLPERF_FAKE=$fault "$all_reduce" "${one[@]}"
	said 3 1 "no GPU is visible ("
	verdict $? "no GPU: $fault"
done

alone env COLLPERF_FAKE=gpus=0 "$all_reduce" "${one[@]}" --list
[ "$rc" = 0 ] && grep -q "not usable here: no GPU is visible" "$work/out"
verdict $? "--list says so too"

together 2 sh -c '[ $RANK = 0 ] || export COLLPERF_FAKE=nccl=22703; exec "$0" "$@"' "$all_reduce" "${one[@]}"
said 3 1 "NCCL 2.28.9 on host" && grep -q "2.27.3 on host" "$work/err"
verdict $? "processes with different NCCLs are told apart"

alone env COLLPERF_FAKE=nccl=20900 "$all_reduce" "${one[@]}"
said 3 1 "NCCL 2.9.0 is too old, 2.10 is needed"
verdict $? "an NCCL that is too old"

alone env COLLPERF_FAKE=nccl=22100 "$all_reduce" "${one[@]}" -g 2
[ "$rc" = 0 ] && grep -q "warning: built with the headers of NCCL .*, running with NCCL 2.21.0" "$work/err" &&
	grep -q "^# built with the headers of NCCL .*, ran with NCCL 2.21.0" "$work/out"
verdict $? "other headers than library are warned about, beside the table too"

for words in "-R 2 needs NCCL 2.27" "-x 1 needs NCCL 2.27" "-R 1 needs NCCL 2.19"; do
	set -- $words
	alone env COLLPERF_FAKE=nccl=21800 "$all_reduce" "${one[@]}" "$1" "$2" -g 2
	said 3 1 "needs NCCL $5"
	verdict $? "$1 $2 is refused by an older NCCL"
done

alone env COLLPERF_FAKE=nccl=22100 "$alltoall" "${one[@]}" --list
[ "$rc" = 0 ] && grep -q "lacking: f8e4m3, f8e5m2" "$work/out" && grep -q "lacking: ncclAlltoAll" "$work/out" &&
	! grep -q "lacking: mulsum" "$work/out"
verdict $? "--list tells what an older NCCL lacks"

alone env COLLPERF_FAKE=cc=80 "$all_reduce" "${one[@]}" -g 2 -d f8e5m2
said 77 1 "compute capability 9.0"
verdict $? "8-bit floats need newer GPUs"

alone "$alltoall" "${one[@]}" -g 2
[ "$rc" = 0 ] && grep -q "alltoall in place is not a valid NCCL call" "$work/out"
verdict $? "alltoall in place is left out with the reason"

# What fails is named with call, rank, device and host.
host=$(cat /proc/sys/kernel/hostname)
alone env COLLPERF_FAKE=fail=cudaStreamCreateWithFlags:2 "$all_reduce" "${one[@]}" -g 4
said 3 1 "nccl: cudaStreamCreateWithFlags: " && grep -qF "(rank 1, GPU 1 [0000:12:00] on host $host)" "$work/err"
verdict $? "a failed CUDA call"

alone env COLLPERF_FAKE=fail=ncclCommWindowRegister:3 "$all_reduce" "${one[@]}" -g 4 -R 2
said 3 1 "nccl: ncclCommWindowRegister: " && grep -qF "(rank 1, GPU 1 [0000:12:00] on host $host)" "$work/err"
verdict $? "a failed NCCL call, with NCCL's own words"

alone env COLLPERF_FAKE=fail=ncclCommInitRank:rank2,limit=50 timeout 10 "$all_reduce" "${one[@]}" -g 2 -t 2 -p 1
grep -qF "nccl: ncclCommInitRank: " "$work/err" && grep -qF "(rank 2, GPU 2 [0000:15:00] on host $host)" "$work/err" && [ "$rc" = 3 ]
verdict $? "a thread whose communicators fail ends those that wait for it"

alone env COLLPERF_FAKE=fail=cudaMalloc:6 "$all_reduce" "${one[@]}" -g 4
grep -qE "nccl: cudaMalloc of [0-9]+ bytes: .*\(rank [0-9], GPU [0-9] \[.*\] on host $host\)" "$work/err" && [ "$rc" = 3 ]
verdict $? "memory that cannot be had is told in bytes"

alone env COLLPERF_FAKE=memory=1M "$all_reduce" "${one[@]}" -e 64M -f 2 -g 2
said 3 1 "GPU 0 [0000:0f:00] of host $host" && grep -q "bytes needed for sizes up to 67108864" "$work/err"
verdict $? "what does not fit into a GPU's free memory is refused before"

alone "$all_reduce" "${one[@]}" -g 2 -M 1
[ "$rc" = 0 ] && grep -qE "^# memory of GPU 0 \[0000:0f:00\]: communicators [0-9.]+ MiB, buffers of rank 0 [0-9.]+ MiB, free [0-9.]+ of 1024.0 MiB" "$work/out"
verdict $? "-M tells the first GPU's memory"

echo "1..$number"
exit $status
