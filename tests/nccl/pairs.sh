#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# --pairs over the fakes: 8 GPUs of one process, of threads, and of two processes; one communicator, and no call of GPUs that take no part.

. tests/nccl/lib.sh
limit=100

check() { # WHAT; a condition was just evaluated
	verdict $(($? == 0)) "$1" "$scratch/err" "$scratch/out"
}

# Each pair and load of 8 ranks once a size, with right data.
whole() { # LOADS SIZES
	csv_cells "$csv" from to load bytes wrong nranks kernel_us | awk -v loads="$1" -v sizes="$2" '
		{ seen[$1, $2, $3, $4]++; if ($1 >= $2 || $2 > 7 || $5 != 0 || $6 != 2 || $7 == "") bad = 1 }
		END { for (key in seen) if (seen[key] != 1) bad = 1; exit bad || NR != 28 * loads * sizes }'
}

# Rows in which rank 5 takes part are those, and only those, whose COLUMN is at least this.
of_rank5() { # COLUMN LEAST
	csv_cells "$csv" from to "$1" | awk -v least="$2" '($1 == 5 || $2 == 5) != ($3 >= least) { bad = 1 } END { exit bad || NR != 28 }'
}

on 1x8 sendrecv --launch self --pairs=all -b 64 -e 64K -f 1024 -n 2
[ $rc = 0 ] && whole 2 2
check "8 GPUs of one thread, alone and all at once"
on 4x2 sendrecv --launch self --pairs -b 64K -e 64K -n 2
[ $rc = 0 ] && whole 1 1
check "8 GPUs of 4 threads"
on 1x8 sendrecv --launch self -R 1 --pairs -b 64K -e 64K -n 2 -c 0 -w 0
[ $rc = 0 ]
check "registered buffers"
on env2x4 sendrecv --launch env --pairs=all -b 64K -e 64K -n 2
[ $rc = 0 ] && whole 2 1
check "2 processes of 4 GPUs, alone and all at once"

on 1x8 sendrecv --launch self --pairs -b 64 -e 64 -n 2 --inject corrupt=5
[ $rc = 1 ] && of_rank5 wrong 1
check "wrong data on GPU 5 are seen in its pairs alone"
# Far more than a call takes, so that which calls waited is plain.
for shape in 1x8 4x2; do
	on $shape sendrecv --launch self --pairs -b 64 -e 64 -n 1 --inject delay=5:400000
	[ $rc = 0 ] && of_rank5 time_us 400000
	check "a late GPU 5 delays its pairs alone, threads x GPUs $shape"
done
refused() { # TEXT OPTION...
	local text=$1

	shift
	on 1x8 sendrecv --launch self --pairs -b 64 -e 64 "$@"
	bad "$* is refused" 2 "$text"
}
refused '--pairs: a graph (-G)' -G 2
refused '--pairs: -m 4 calls' -m 4
refused '-z' -z 1
finish
