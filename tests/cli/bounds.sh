#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# collperf report with the network described: --link, --nic, --gpus-per-node, --nvls, --system, and their tables.

. tests/cli/lib.sh

rows=$scratch/ar.csv
# busbw of 235 GB/s at large sizes on 8 ranks, 35 us at small ones.
awk 'BEGIN {
	print "schema,point,points,run,collective,backend,path,nranks,nnodes,type,redop,placement,bytes,time_us,busbw_GBps,flags"
	for (i = 2; i <= 33; i++) {
		s = 2 ^ i; t = 35e-6 + 1.75 * s / 235e9
		printf "1,,,r1,all_reduce,nccl,,8,1,float,sum,out-of-place,%.0f,%.9g,%.2f,imported\n", s, t * 1e6, 1.75 * s / t / 1e9
	}
}' >"$rows"

report() { # WHAT WORDS...
	what=$1
	shift
	rm -rf "$scratch/o"
	run 60 "$bin/collperf" report "$rows" -o "$scratch/o" "$@"
	verdict $((rc == 0)) "$what" "$scratch/err"
}

says() { # FILE PATTERN WHAT
	grep -qE -- "$2" "$1"
	verdict $(($? == 0)) "$3" "$1"
}

cell() { # COLUMN: of the largest size
	csv_cells "$scratch/o/bounds.csv" "$1" | tail -n 1 | tr -d '\r'
}

report "a link's name is enough for bounds" --link nvlink3
says "$scratch/out" '^model +B 300 GB/s, the peak of nvlink3; bandwidth alone' "the model says where B is from, and that alpha is not known"
says "$scratch/out" '^link +all_reduce 78 % of 300 GB/s$' "the efficiency is busbw over the link"
says "$scratch/o/report.md" 'bounds are of bandwidth alone' "which is a finding"
[ -z "$(cell alpha_us)" ] && [ "$(cell bandwidth_GBps)" = 300 ] && [ "$(cell cap_busbw_GBps)" = 300 ]
verdict $(($? == 0)) "bounds.csv has the link's peak and no alpha"
awk "BEGIN { exit !($(cell efficiency_link) > .782 && $(cell efficiency_link) < .784 && $(cell ring_us) > 50100 && $(cell ring_us) < 50110) }"
verdict $(($? == 0)) "bounds.csv has the efficiency and the ring's time" "$scratch/o/bounds.csv"
[ -z "$(cell hier_us)" ] && [ -z "$(cell nic_lb_us)" ]
verdict $(($? == 0)) "one node has no second level"
! grep -qiE '(^|[^a-z])(nan|inf)([^a-z]|$)' "$scratch"/o/*.csv "$scratch"/o/*.dat "$scratch/o/report.md"
verdict $(($? == 0)) "no nan or inf"

report "a system that it is" --link nvlink3 --system a100x8
says "$scratch/out" '^system +all_reduce, .* 102 % of the 230 GB/s reported for 8 A100 .*: fine$' "is said to be fine"
! grep -q '\*\*\(warning\|error\)' "$scratch/o/report.md"
verdict $(($? == 0)) "and gives no warning"
report "a system that it is not" --system h100x8
says "$scratch/o/report.md" '\*\*error\*\* all.*too low' "is an error in words"
report "two nodes by --gpus-per-node" --link nvlink3 --nic ib-hdrx8 --gpus-per-node 4
[ -n "$(cell hier_us)" ] && [ -n "$(cell hier_sequential_us)" ] && [ -n "$(cell nic_lb_us)" ]
verdict $(($? == 0)) "have two levels"
report "more than the link" --link 200G
says "$scratch/o/report.md" 'above bound' "is above the bound"
report "more than the link where switches reduce" --link 200G --nvls
! grep -q 'above bound' "$scratch/o/report.md"
verdict $(($? == 0)) "is not"

run 10 "$bin/collperf" report --link list
verdict $((rc == 0)) "the table of links needs no rows"
says "$scratch/out" '^ +nvlink4 +450 GB/s +371 GB/s' "it has peak and what is reached"
says "$scratch/out" 'data sheets' "and sources"
run 10 "$bin/collperf" report --system list
verdict $((rc == 0)) "the table of systems needs none either"
says "$scratch/out" '^h100x8 .*475 GB/s to 482 GB/s.*nccl-tests #212$' "it has ranges and sources"

for words in "--link nvlink9" "--link nvlink3 --nic x5" "--nic ib-ndr" "--system h100" "--gpus-per-node none"; do
	# shellcheck disable=SC2086
	run 10 "$bin/collperf" report "$rows" -o "$scratch/none" $words
	[ $rc = 2 ] && [ "$(lines "$scratch/err")" = 1 ] && [ ! -e "$scratch/none" ]
	verdict $(($? == 0)) "'$words' is usage" "$scratch/err"
done
finish
