# SPDX-License-Identifier: Apache-2.0
#
# Sourced: runs a perf binary on the simulated cluster. The caller sets $rows, a folder of its own.

dir=build/cluster

# The simulator lets go of small sends before they are through (detached): a root's sends then share its link, which no model of blocking
# sends describes; so none is detached. It takes 10 ns to read its clock, unless told otherwise, and every time has two readings in it.
# COLLECTIVE ALGORITHM MODEL NRANKS MIN MAX FACTOR; ALGORITHM as the simulator's setting, or - for none.
measure() {
	setting=
	[ "$2" = - ] || setting=--cfg=smpi/$2
	timeout 600 smpirun -np "$4" -platform tests/cluster/cluster.xml -hostfile $dir/hosts --log=root.thres:error \
		--cfg=smpi/simulate-computation:no --cfg=network/TCP-gamma:0 --cfg=smpi/bw-factor:0:1 --cfg=smpi/lat-factor:0:1 \
		--cfg=network/crosstraffic:0 --cfg=smpi/send-is-detached-thresh:0 --cfg=smpi/wtime:2e-9 --cfg=smpi/barrier:ompi_doublering $setting \
		"$dir/$1_perf" -b "$5" -e "$6" -f "$7" -n 2 -w 1 --sync "${sync:-clock}" --csv "$rows/csv" </dev/null >"$rows/out" 2>&1
}

# The rings need an element for each rank, the split collectives 16 bytes; smaller sizes would measure another algorithm or nothing.
smallest() { # COLLECTIVE ALGORITHM NRANKS
	case $1:$2 in
	all_reduce:allreduce:rdb | broadcast:* | reduce:* | sendrecv:*) echo 8 ;;
	all_reduce:*) echo $((8 * $3)) ;;
	*) echo $((16 * $3)) ;;
	esac
}
