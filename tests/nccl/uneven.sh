#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# alltoallv_perf, barrier_perf and hypercube_perf over the fakes: empty blocks left out by both sides, rounds of a hypercube one after the other, calls
# put together and recorded as graphs.

. tests/nccl/lib.sh

printf '0 1000 0\n500 0 0\n2000 4 0\n' >"$scratch/m"
limit=100
# Eight ranks on two cores take minutes under sanitizers.
case $bin in
*sanitize*) many='' ;;
*) many='1x8:8 8x1:8 env2x2x2:8' ;;
esac
for layout in 2x2:4 $many; do
	ranks=${layout#*:} layout=${layout%:*}
	for skew in 0 0.5 1; do
		on $layout alltoallv --skew $skew -d all -b 4K -e 4K -n 1 -w 0 --max-time 0.01
		# The even exchange beside each that is uneven.
		good "alltoallv, skew $skew, $layout" $((${skew%.*}${skew#*.} > 0 ? 24 : 12)) $ranks
	done
	on $layout hypercube -d all -b 4K -e 4K -n 1 -w 0 --max-time 0.01
	good "hypercube, $layout" 24 $ranks
	on $layout hypercube -b 1K -e 64K -f 8 --timing loop -n 4 -m 3
	good "hypercube, calls put together, $layout" 6 $ranks
	on $layout hypercube -b 1K -e 64K -f 8 --timing loop -n 4 -G 2
	good "hypercube, as a graph, $layout" 6 $ranks
	on $layout alltoallv -b 1K -e 64K -f 8 --skew 0.3 -n 4 -G 2
	good "alltoallv, as a graph beside that of the even exchange, $layout" 6 $ranks
	on $layout barrier -n 3
	[ $rc = 0 ] && [ "$(csv_cells "$csv" bytes wrong)" = "0 " ] && grep -q "NCCL has no barrier" "$scratch/out"
	verdict $(($? == 0)) "barrier, $layout" "$scratch/err"
done
on 1x3 alltoallv --matrix "$scratch/m" -d int8 -n 2
good "a matrix" 2 3
on 1x3 hypercube -b 1K -e 1K
verdict $((rc == 77)) "no hypercube of 3" "$scratch/err"
finish
