#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# --pairs over the fakes: 8 GPUs of one process, of threads, and of two processes; one communicator, and no call of GPUs that take no part.

build=${BUILD:-build}
fakes=$(cd "$build/fakes/lib" 2>/dev/null && pwd) || {
	echo "1..0 # SKIP the fakes are not built"
	exit 0
}
[ ! -x "$build/fakes/build/sendrecv_perf" ] || build=$build/fakes/build
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0 status=0
port=$((40000 + $$ % 20000))
export LD_LIBRARY_PATH=$fakes${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
unset CUDA_VISIBLE_DEVICES COLLPERF_FAKE NCCL_TESTS_DEVICE

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
	COLLPERF_FAKE=gpus=8${1:+,$1} timeout -k 5 100 "$build/sendrecv_perf" --backend nccl "${@:2}" >"$work/out" 2>"$work/err"
	rc=$?
}

# Each pair and load of 8 ranks once a size, with right data.
whole() { # LOADS SIZES
	awk -F, -v loads="$1" -v sizes="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ seen[$at["from"], $at["to"], $at["load"], $at["bytes"]]++
		  if ($at["from"] >= $at["to"] || $at["to"] > 7 || $at["wrong"] != 0 || $at["nranks"] != 2 || $at["kernel_us"] == "") bad = 1 }
		END { for (key in seen) if (seen[key] != 1) bad = 1; exit bad || NR - 1 != 28 * loads * sizes }' "$work/csv"
}

run "" --launch self -g 8 --pairs=all -b 64 -e 64K -f 1024 -n 2 --csv "$work/csv"
[ $rc = 0 ] && whole 2 2
verdict $? "8 GPUs of one thread, alone and all at once"
run "" --launch self -t 4 -g 2 --pairs -b 64K -e 64K -n 2 --csv "$work/csv"
[ $rc = 0 ] && whole 1 1
verdict $? "8 GPUs of 4 threads"
run "" --launch self -g 8 -R 1 --pairs -b 64K -e 64K -n 2 -c 0 -w 0 --csv "$work/csv"
[ $rc = 0 ]
verdict $? "registered buffers"
ranks=()
for rank in 0 1; do
	RANK=$rank WORLD_SIZE=2 LOCAL_RANK=$rank MASTER_ADDR=127.0.0.1 MASTER_PORT=$port COLLPERF_FAKE=gpus=8 timeout -k 5 100 \
		"$build/sendrecv_perf" --backend nccl --launch env -g 4 --pairs=all -b 64K -e 64K -n 2 --csv "$work/csv" >"$work/out.$rank" 2>"$work/err.$rank" &
	ranks+=($!)
done
wait "${ranks[0]}" && wait "${ranks[1]}" && whole 2 1
verdict $? "2 processes of 4 GPUs, alone and all at once"

run "" --launch self -g 8 --pairs -b 64 -e 64 -n 2 --inject corrupt=5 --csv "$work/csv"
[ $rc = 1 ] && awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } ($at["from"] == 5 || $at["to"] == 5) != ($at["wrong"] > 0) { bad = 1 } END { exit bad }' "$work/csv"
verdict $? "wrong data on GPU 5 are seen in its pairs alone"
# Far more than a call takes, so that which calls waited is plain.
for shape in "8 1" "2 4"; do
	read -r gpus threads <<<"$shape"
	run "" --launch self -t "$threads" -g "$gpus" --pairs -b 64 -e 64 -n 1 --inject delay=5:400000 --csv "$work/csv"
	[ $rc = 0 ] && awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } ($at["from"] == 5 || $at["to"] == 5) != ($at["time_us"] >= 400000) { bad = 1 } END { exit bad || NR != 29 }' "$work/csv"
	verdict $? "a late GPU 5 delays its pairs alone, $threads threads of $gpus GPUs"
done
run "" --launch self -g 8 --pairs -b 64 -e 64 -G 2
[ $rc = 2 ] && grep -q -- '--pairs: a graph (-G)' "$work/err"
verdict $? "-G is refused"
run "" --launch self -g 8 --pairs -b 64 -e 64 -m 4
[ $rc = 2 ] && grep -q -- '--pairs: -m 4 calls' "$work/err"
verdict $? "-m is refused"
run "" --launch self -g 8 --pairs -b 64 -e 64 -z 1
[ $rc = 2 ]
verdict $? "-z is refused"
echo "1..$number"
exit $status
