#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# What samples and loops ask of CUDA and NCCL, over the fakes. Calls are counted by a fault: a function that is to fail at its call N + 1 does not fail
# when there are N calls. The fakes' streams take 1024 pieces of work, as the driver's do, and stop who queues more.

build=${BUILD:-build}
fakes=$(cd "$build/fakes/lib" 2>/dev/null && pwd) || {
	echo "1..0 # SKIP the fakes are not built"
	exit 0
}
[ ! -x "$build/fakes/build/all_reduce_perf" ] || build=$build/fakes/build
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0 status=0
port=$((40000 + $$ % 20000))
export LD_LIBRARY_PATH=$fakes${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
unset CUDA_VISIBLE_DEVICES COLLPERF_FAKE NCCL_TESTS_DEVICE
one=(--backend nccl --launch self -b 64 -e 64)
loop=("${one[@]}" -c 0 -w 1 --timing loop -n 5)

verdict() { # RC WHAT
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		tail -n 8 "$work/out" "$work/err" | cut -c -300 | sed 's/^/# /'
		status=1
	fi
}

run() { # FAULTS OPTIONS ...
	COLLPERF_FAKE=gpus=8${1:+,$1} timeout -k 5 60 "$build/all_reduce_perf" "${@:2}" >"$work/out" 2>"$work/err"
	rc=$?
}

# Exactly N calls of FUNCTION.
counts() { # FUNCTION N WHAT OPTIONS ...
	run "fail=$1:$2" "${@:4}"
	local fewer=$rc
	run "fail=$1:$(($2 + 1))" "${@:4}"
	[ "$fewer" = 3 ] && [ $rc = 0 ]
	verdict $? "$3: $2 calls of $1"
}

# Ends with exit code 3 and one line, which has TEXT.
fails() { # TEXT WHAT FAULTS OPTIONS ...
	run "$3" "${@:4}"
	[ $rc = 3 ] && [ "$(grep -c '^nccl: ' "$work/err")" = 1 ] && grep -q "^nccl: .*$1" "$work/err"
	verdict $? "$2"
}

# The column of the CSV, for each row.
cells() { # COLUMN
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at = $i == name ? i : at; next } { print $at }' "$work/csv"
}

ends() { # WHAT OPTIONS ...
	run "" "${@:2}"
	[ $rc = 0 ] && [ "$(grep -c '^nccl: ' "$work/err")" = 0 ]
	verdict $? "$1"
}

# --- how often; both placements, so everything is there twice
counts cudaEventRecord 4 "a loop is timed by one pair of events" "${loop[@]}"
counts cudaEventRecord 4 "waiting for each call adds none" "${loop[@]}" -z 2
counts cudaEventRecord 20 "without the barriers' time each call has a pair" "${loop[@]}" -z 3
counts cudaEventRecord 16 "single calls have one each, and one after the last" "${loop[@]}" -I 1
counts cudaEventRecord 8 "each GPU has its own" "${loop[@]}" -g 2
counts cudaStreamBeginCapture 2 "a loop is captured once" "${loop[@]}" -G 3
counts cudaGraphLaunch 6 "and started as often as -G says" "${loop[@]}" -G 3
counts cudaGraphLaunch 12 "on each GPU" "${loop[@]}" -G 3 -t 2
counts cudaStreamBeginCapture 2 "samples of one point are captured once" "${one[@]}" -c 0 -w 0 -n 5 -G 2
counts cuLaunchKernel 6 "600 calls are held in three pieces" "${loop[@]}" -n 600 --hold
counts cuLaunchKernel 10 "groups of 128 calls are held two at a time" "${loop[@]}" -n 9 -m 128 --hold
counts cuLaunchKernel 2 "a graph of few calls is held for all its starts" "${loop[@]}" -n 20 -G 3 --hold
counts cuLaunchKernel 6 "one of many for each" "${loop[@]}" -n 600 -G 3 --hold

# --- loops that are longer than any queue end
ends "5000 calls, held" "${one[@]}" --timing loop -n 5000 --hold -c 0
ends "5000 calls, held, on 4 GPUs of 2 threads" "${one[@]}" --timing loop -n 5000 --hold -c 0 -t 2 -g 2
ends "5000 calls, not held" "${one[@]}" --timing loop -n 5000 -c 0 -g 2
ends "calls in groups larger than a hold takes" "${one[@]}" --timing loop -n 3 -m 300 --hold -c 0
for z in 1 2 3; do
	ends "-z $z over 2 threads of 2 GPUs" "${one[@]}" --timing loop -n 20 -z $z -t 2 -g 2
done
ends "all in graphs" "${one[@]}" -n 5 -G 3 -m 2 -t 2 -g 2
ranks=()
for rank in 0 1; do
	RANK=$rank WORLD_SIZE=2 LOCAL_RANK=$rank MASTER_ADDR=127.0.0.1 MASTER_PORT=$port COLLPERF_FAKE=gpus=8 timeout -k 5 60 \
		"$build/all_reduce_perf" "${loop[@]}" --launch env -n 600 --hold -g 2 >"$work/out.$rank" 2>"$work/err.$rank" &
	ranks+=($!)
done
wait "${ranks[0]}" && wait "${ranks[1]}"
verdict $? "600 calls, held, in 2 processes of 2 GPUs"

# --- what the columns say: a call takes the fake 40 ms on the device, queueing it next to nothing
run slow=40000 "${one[@]}" -c 0 -w 0 -n 3 --csv "$work/csv"
cells kernel_us | awk '$1 < 40000 { bad = 1 } END { exit bad || NR != 2 }'
verdict $? "the device's time has the call"
paste <(cells enqueue_us) <(cells time_us) | awk '$1 == "" || 2 * $1 > $2 { bad = 1 } END { exit bad || NR != 2 }'
verdict $? "queueing is not waiting"
paste <(cells kernel_us) <(cells time_us) | awk '$1 > $2 { bad = 1 } END { exit bad || NR != 2 }'
verdict $? "a caller waits longer than the device works"

# --- what fails says so once, and ends
fails "ncclAllReduce: .*rank [0-3], GPU [0-3] \[.*\] on host " "a call that fails in one thread ends the others" \
	"fail=ncclAllReduce:rank2:call30" "${one[@]}" -t 2 -g 2 -n 100
fails "ncclAllReduce: .*rank 1, " "and behind a hold" "fail=ncclAllReduce:rank1:call400" "${one[@]}" --timing loop -n 100000 --hold -g 2 -c 0
fails "ncclGroupEnd: " "a group that fails" fail=ncclGroupEnd:30 "${one[@]}" -g 2 -n 100
fails "cudaStreamQuery: .*rank 0, " "a wait that fails" fail=cudaStreamQuery:50 "${one[@]}" -n 100
fails "cudaEventRecord: " "an event that fails, between barriers" fail=cudaEventRecord:9 "${one[@]}" --timing loop -n 5 -z 3 -t 3
fails "cudaStreamBeginCapture: " "a capture that fails" fail=cudaStreamBeginCapture:2 "${one[@]}" -n 5 -G 2 -g 2
fails "cudaGraphInstantiateWithFlags: " "a graph that fails" fail=cudaGraphInstantiateWithFlags:2 "${one[@]}" -n 5 -G 2 -g 2
fails "cuLaunchKernel: .*rank 1, " "a hold that fails" fail=cuLaunchKernel:2 "${loop[@]}" -g 2 --hold
fails "--hold: queueing took [0-9.]* s, longer than a stream is held" "what would be held for ever by the driver's full queue" "" "${loop[@]}" -m 2000 --hold
fails "cudaGraphLaunch: " "a start that fails" fail=cudaGraphLaunch:3 "${one[@]}" -n 5 -G 2 -t 2
fails "asynchronous error: .*rank 1, " "an error that comes while a call is waited for" async=5:rank1 "${one[@]}" -n 5 -t 2

echo "1..$number"
exit $status
