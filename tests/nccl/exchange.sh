#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The ways of sendrecv over the fakes: 8 GPUs of one process, of threads, of two processes; there and back as two groups, also inside a graph.

. tests/nccl/lib.sh
limit=100

check() { # WHAT; a condition was just evaluated
	verdict $(($? == 0)) "$1" "$scratch/err" "$scratch/out"
}

# Rows of one variant, right data, and a time by the device.
whole() { # VARIANT ROWS
	csv_cells "$csv" wrong placement nranks kernel_us variant | awk -v variant="$1" -v rows="$2" '
		{ if ($1 != 0 || $2 != "out-of-place" || $3 != 8 || $4 == "" || substr($0, length($1 $2 $3 $4) + 5) != variant) bad = 1 }
		END { exit bad || NR != rows }'
}

for mode in oneway bidirectional pingpong; do
	for layout in 1x8 4x2; do
		on $layout sendrecv --launch self --mode $mode -b 64 -e 64K -f 32 -n 2
		[ $rc = 0 ] && whole $mode 3
		check "$mode, threads x GPUs $layout"
	done
	on env2x4 sendrecv --launch env --mode $mode --stride 2 -b 64 -e 64K -f 32 -n 2 --timing loop
	[ $rc = 0 ] && whole "$mode stride 2" 3
	check "$mode by 2, 2 processes of 4 GPUs, in a loop"
	on 1x8 sendrecv --launch self --mode $mode -b 64 -e 64K -f 32 -n 2 -G 2
	[ $rc = 0 ] && whole $mode 3
	check "$mode inside a graph"
done
on 1x8 sendrecv --launch self --stride 3 -b 64 -e 64K -f 32 -n 2
[ $rc = 0 ] && whole "shift stride 3" 3
check "shift by 3"
on 1x8 sendrecv --launch self --mode pingpong --stride 3 -b 64 -e 64 -n 2
[ $rc = 0 ] && whole "pingpong stride 3" 1 && grep -q '^# ranks 6, 7 have no partner and sit out' "$scratch/out"
check "who has no partner makes no call"
on 1x8 sendrecv --launch self --mode pingpong -b 64 -e 64 -n 2 --inject corrupt=4
[ $rc = 1 ] && [ "$(csv_cells "$csv" wrong)" = 1 ]
check "wrong data of the way back are seen"
on 1x8 sendrecv --launch self --pipeline 2 -b 64 -e 64 -n 2
bad "a pipeline" 77 "packing on a GPU needs a kernel"
on 1x8 sendrecv --launch self --mode pingpong -m 4 -b 64 -e 64
bad "there and back many times in one group" 2 "-m: 4 calls cannot be one group with --mode pingpong"
finish
