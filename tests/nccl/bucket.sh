#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# bucket_perf over the stand-ins: right data with every strategy and layout; what computes and what communicates run at once, each after what it needs,
# and the host stands between nowhere; a wait that does nothing is noticed; a spoilt element, a call that hangs, a GPU without kernels are told.

. tests/nccl/lib.sh
all=naive,flat,bucketed,zero,fsdp
run 20 env LD_LIBRARY_PATH="$fakes" "$bin/bucket_perf" --list
if ! grep -q '^steps: nccl: calls beside compute' "$scratch/out"; then
	grep -q '^steps: nccl: .*without nvcc' "$scratch/out"
	verdict $(($? == 0)) "--list says what is missing" "$scratch/out"
	on 1x1 bucket --params 60K --layers 3 -n 2
	[ $rc = 3 ] && grep -q 'steps compute by a kernel, and this was built without nvcc' "$scratch/err"
	verdict $(($? == 0)) "without kernels: refused, and why" "$scratch/err"
	finish
	exit
fi

ok() { # WHAT; a condition was just evaluated
	verdict $(($? == 0)) "$1 (exit code $rc)" "$scratch/err" <(grep "^#" "$scratch/out" 2>/dev/null | tail -n 8)
}

# So many rows of so many ranks, nothing wrong, and figures that hold together.
whole() { # ROWS RANKS
	csv_is_whole "$csv" && csv_cells "$csv" strategy wrong time_us compute_us comm_us exposed_us nranks progress iters overlap | awk -v rows="$1" -v ranks="$2" -v over="$(csv_cells "$csv" flags | grep -cE "oversubscribed|shared_gpu")" '
		function far(x, y) { return x - y > 1e-6 * $3 + 1e-3 || y - x > 1e-6 * $3 + 1e-3 }
		{ if ($2 != 0 || $3 <= 0 || $4 <= 0 || $5 < 0 || far($6, $3 - $4) || $7 != ranks) bad = 1 }
		$10 != "" { if (over || $9 < 6 || $1 == "naive" || $1 == "flat" || $7 == 1 || far((1 - $10) * $5, $6)) bad = 1 }
		{ if ($8 != ($1 == "naive" || $1 == "flat" ? "none" : "device")) bad = 1 }
		END { exit bad || NR != rows }'
}

# Eight ranks on two cores take minutes under sanitizers.
case $bin in
*sanitize*) many='' ;;
*) many=env2x4:8 ;;
esac
for layout in 1x1:1 1x2:2 1x3:3 2x1:2 2x2:4 $many; do
	ranks=${layout#*:} layout=${layout%:*}
	on $layout bucket --params 60K --layers 5 --strategy $all --bucket-cap 16K..64K*4 -n 2 -w 1
	[ $rc = 0 ] && whole 7 $ranks
	ok "$layout: every strategy, all right"
done
if [ -n "$has_mpi" ] && [ -n "$many" ]; then
	on mpi2x2x2 bucket --params 60K --layers 5 --strategy $all --bucket-cap 16K -n 2 -w 1
	[ $rc = 0 ] && whole 5 8
	ok "mpi2x2x2: every strategy, all right"
fi
for type in half double int8; do
	on 1x3 bucket --params 20K --layers 3 -d $type --strategy $all --bucket-cap 16K -n 2 -w 1
	[ $rc = 0 ] && whole 5 3
	ok "$type"
done
buckets_of() { # STRATEGY SIZE
	case $1 in
	*bucketed* | *zero*) echo --bucket-cap "$2" ;;
	esac
}
for strategy in naive bucketed zero fsdp; do
	on 1x3 bucket --params 20K --layers 3 --strategy $strategy $(buckets_of $strategy 16K) -n 2 -w 1 --inject corrupt=1
	[ $rc = 1 ] && [ "$(csv_cells "$csv" wrong)" = 1 ] && grep -q "first on rank 1" "$scratch/err"
	ok "$strategy: a wrong element of rank 1 is found"
done
COLLPERF_FAKE=gpus=4,flip=rank2 on 1x4 bucket --params 20K --layers 3 --strategy bucketed --bucket-cap 16K -n 2 -w 1
[ $rc = 1 ] && grep -q 'wrong data: bucketed' "$scratch/err"
ok "a bit that a collective turns is found"

# Four gradients, one a bucket. A call takes 20 ms, computing 20 ms each.
printf '4000\n4000\n4000\n4000\n' >"$scratch/sizes"
four="--gradients $scratch/sizes --compute-ms 80 -n 1 -w 0"

# What the trace of the last step says, which is the last that COUNT calls are of; its first flaw, or nothing.
#   calls      call k begins after kernel k has ended (those of NAME)
#   computes   kernel k begins after the gathering of its weights has ended
#   host       all was queued before the first kernel had ended
#   beside     some call runs while a kernel does
order() { # CALLS-OF-A-STEP CHECK [NAME]
	awk -v calls="$1" -v check="$2" -v name="${3:-nccl}" '
		/^fake: ran: / { for (i = 4; i <= NF; i++) at[$i] = $(i + 1) }
		/^fake: ran: collperf_compute / { k++; kq[k] = at["queued"]; kb[k] = at["began"]; ke[k] = at["ended"] }
		/^fake: ran: nccl/ { c++; cn[c] = $3; cq[c] = at["queued"]; cb[c] = at["began"]; ce[c] = at["ended"] }
		END {
			if (k < 4 || c < calls) { print "no step in the trace"; exit }
			k0 = k - 4
			for (i = c - calls + 1; i <= c; i++) {
				if (cn[i] ~ "^" name) { n++; b[n] = cb[i]; e[n] = ce[i] }
				for (j = 1; j <= 4; j++)
					if (cb[i] < ke[k0 + j] && kb[k0 + j] < ce[i]) beside++
				if (cq[i] > ke[k0 + 1]) late = "call " i " was queued after the first kernel"
			}
			for (j = 1; j <= 4; j++) {
				if (kq[k0 + j] > ke[k0 + 1]) late = "kernel " j " was queued after the first"
				if (check == "calls" && b[j] < ke[k0 + j]) flaw = "call " j " began before its gradient was there"
				if (check == "computes" && kb[k0 + j] < e[j]) flaw = "kernel " j " began before its weights were there"
			}
			if (check == "host") flaw = late
			if (check == "beside" && !beside) flaw = "nothing ran beside compute"
			if ((check == "calls" || check == "computes") && n < 4) flaw = n + 0 " calls of " name
			if (flaw) print flaw
		}' "$scratch/err"
}

traced() { # FAKE STRATEGY OPTION...
	local fake=$1 strategy=$2

	shift 2
	COLLPERF_FAKE=gpus=1,wire=20000,trace=1$fake on 1x1 bucket $four --strategy $strategy $(buckets_of $strategy 16000) "$@"
}

in_order() { # WHAT CALLS CHECK [NAME]
	local flaw

	flaw=$(order "$2" "$3" ${4:+"$4"})
	[ $rc = 0 ] && [ -z "$flaw" ]
	ok "$1${flaw:+: $flaw}"
}

out_of_order() { # WHAT CALLS CHECK [NAME]
	[ $rc = 0 ] && order "$2" "$3" ${4:+"$4"} | grep -q ' began before '
	ok "$1"
}

traced "" naive
in_order "naive: no call before the last gradient" 4 calls
order 4 beside | grep -q 'nothing ran beside'
ok "naive: nothing beside compute"
traced "" bucketed
in_order "bucketed: each call after its gradient" 4 calls
in_order "bucketed: the host does not wait in between" 4 host
in_order "bucketed: calls run beside compute" 4 beside
traced "" zero
in_order "zero: each reduce-scatter after its gradient" 8 calls ncclReduceScatter
in_order "zero: the host does not wait in between" 8 host
traced "" fsdp
in_order "fsdp: no compute before its weights" 8 computes ncclAllGather
in_order "fsdp: each reduce-scatter after its gradient" 8 calls ncclReduceScatter
in_order "fsdp: the host does not wait in between" 8 host
in_order "fsdp: calls run beside compute" 8 beside
traced ,deaf bucketed
out_of_order "bucketed: waits that do nothing are noticed" 4 calls
traced ,deaf zero
out_of_order "zero: likewise" 8 calls ncclReduceScatter
# Kernels of 80 ms: by the end of the first, two gatherings would be over.
traced ,deaf fsdp --compute-ms 320
out_of_order "fsdp: likewise, of weights" 8 computes ncclAllGather
out_of_order "fsdp: likewise, of gradients" 8 calls ncclReduceScatter

# A ratio of times that sanitizers stretch each in its way.
if [ -n "$many" ]; then
	COLLPERF_FAKE=gpus=2,wire=20000 on 1x2 bucket $four --strategy flat,bucketed --bucket-cap 16000 -n 6
	[ $rc = 0 ] && [ "$(csv_cells "$csv" strategy overlap | awk '{ print $1, ($2 == "" ? "none" : $2 > 0.3 ? "much" : $2) }' | tr '\n' ' ')" = "flat none bucketed much " ]
	ok "buckets overlap, the flat call does not"
fi

# Four multiprocessors, each full with four blocks of 512.
for percent in 100:16 50:8 1:4; do
	COLLPERF_FAKE=gpus=1,trace=1 on 1x1 bucket --params 20K --layers 3 --strategy flat -n 1 -w 0 --occupancy ${percent%:*}
	[ $rc = 0 ] && [ "$(sed -n 's/^fake: launched: collperf_compute, //p' "$scratch/err" | sort -u)" = "${percent#*:} blocks of 512" ] &&
		[ "$(csv_cells "$csv" variant)" = "$([ $percent = 100:16 ] || echo "occupancy ${percent%:*}")" ]
	ok "--occupancy ${percent%:*}"
done
COLLPERF_FAKE=gpus=2,tell=cudaStreamCreateWithPriority on 1x2 bucket --params 20K --layers 3 --strategy flat -n 1 -w 0
[ $rc = 0 ] && [ "$(grep -c 'cudaStreamCreateWithPriority' "$scratch/err")" = 2 ]
ok "calls have a stream of high priority on each GPU"

# What cannot be
COLLPERF_FAKE=gpus=8,fail=cuModuleLoadData on env2x4 bucket --params 20K --layers 3 -n 1
bad "kernels that cannot be loaded: refused, once" 3 "steps compute by a kernel, and there is none: cuModuleLoadData: "
COLLPERF_FAKE=gpus=1,fail=cudaStreamWaitEvent on 1x1 bucket --params 20K --layers 3 --strategy bucketed -n 1
bad "an error names its call" 3 "nccl: cudaStreamWaitEvent: "
COLLPERF_FAKE=gpus=2,hang=rank1:call9 on 1x2 bucket --params 20K --layers 3 --strategy bucketed -n 4 -T 2
[ $rc = 3 ] && grep -q 'no progress for 2 s' "$scratch/err"
ok "a call that hangs ends in time"
for wrong in 0 101 half; do
	on 1x1 bucket --params 20K --layers 3 --occupancy $wrong
	bad "--occupancy $wrong" 2 "--occupancy: '$wrong' is not a whole number from 1 to 100"
done
run 20 "$bin/bucket_perf" --backend sim --params 20K --layers 3 --occupancy 50
bad "--occupancy without a GPU" 2 "--occupancy needs --backend nccl"
run 20 "$bin/bucket_perf" --backend sim --params 20K --layers 3 -g 2
bad "-g without a GPU" 2 "-g: 2 needs --backend nccl"
on 1x1 bucket --params 20K --layers 3 --progress none
bad "--progress none" 2 "--progress: this backend moves data by itself"
finish
