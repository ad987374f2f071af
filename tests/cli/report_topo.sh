#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# collperf report on runs whose run.json has a topology: 8 A100 behind NVSwitches and 8 InfiniBand NICs a host, one host and two.

. tests/cli/lib.sh

data=$PWD/tests/data/report_topo

rows() { # BACKEND PATH NRANKS NNODES BUSBW: all_reduce at 64 KiB to 1 GiB
	awk -v backend="$1" -v path="$2" -v p="$3" -v nodes="$4" -v rate="$5" 'BEGIN {
		print "schema,point,points,run,collective,backend,path,nranks,nnodes,type,redop,placement,bytes,time_us,busbw_GBps"
		for (i = 16; i <= 30; i++) {
			s = 2 ^ i; t = 20e-6 + 2 * (p - 1) / p * s / (rate * 1e9)
			printf "1,,,r1,all_reduce,%s,%s,%d,%d,float,sum,out-of-place,%.0f,%.9g,%.4f\n", backend, path, p, nodes, s, t * 1e6, 2 * (p - 1) / p * s / t / 1e9
		}
	}'
}

make_run() { # NAME TOPOLOGY WORDS-OF-rows...: three launches share a topology
	mkdir -p "$scratch/$1"
	{
		printf '{"command": ["collperf", "run"], "launches": ['
		for launch in 1 2 3; do
			[ $launch = 1 ] || printf ', '
			printf '{"collective": "all_reduce", "status": "ok", "facts": {"facts": {"host": "node0", "topology": 0}}}'
		done
		printf '], "topologies": ['
		cat "$2"
		printf ']}\n'
	} >"$scratch/$1/run.json"
	name=$1
	shift 2
	rows "$@" >"$scratch/$name/all_reduce.csv"
}

report() { # WHAT WORDS...
	what=$1
	shift
	rm -rf "$scratch/o"
	run 60 "$bin/collperf" report -o "$scratch/o" "$@"
	verdict $((rc == 0)) "$what" "$scratch/err"
}

says() { # FILE PATTERN WHAT
	grep -qE -- "$2" "$1"
	verdict $(($? == 0)) "$3" "$1"
}

lacks() { # FILE PATTERN WHAT
	[ -s "$1" ] && ! grep -qE -- "$2" "$1"
	verdict $(($? == 0)) "$3" "$1"
}

make_run one "$data/a100x8.json" nccl nvlink 8 1 235
report "a run whose topology is known needs no --link" "$scratch/one"
says "$scratch/out" '^model +B 300 GB/s, link rate from the topology in run\.json: 12 x NVLink3: 300 GB/s.*; bandwidth alone' "the summary says where B is from"
says "$scratch/out" '^link +all_reduce 78 % of 300 GB/s$' "and what was reached of it"
says "$scratch/out" '^findings +1; note: ' "a clean topology is no finding"
says "$scratch/o/report.md" 'link rate from the topology in run.json: 12 x NVLink3: 300 GB/s' "report.md says it"
says "$scratch/o/report.md" '^- node0: 2 packages, 128 cores, .*; 8 x NVIDIA A100.*; 8 x InfiniBand, 25 GB/s' "report.md has the machine in a line"
says "$scratch/o/index.html" 'link rate from the topology in run\.json: 12 x NVLink3: 300 GB/s' "the page says it"
says "$scratch/o/index.html" '<h2 id="topology">Topology</h2>' "the page has a section"
says "$scratch/o/index.html" '<tr><td class="l">GPU0</td><td>X</td><td>NV12</td>.*<td>PIX</td>' "with the matrix of classes"
says "$scratch/o/index.html" 'run\.json: 10 facts' "facts are told without the topology"
lacks "$scratch/o/index.html" 'topologies\.0' "nor is any of it among them"
[ "$(csv_cells "$scratch/o/bounds.csv" bandwidth_GBps | tail -n 1 | tr -d '\r')" = 300 ]
verdict $(($? == 0)) "bounds.csv has the rate" "$scratch/o/bounds.csv"

report "a rate that is given wins" "$scratch/one" --link 200G --nvls
says "$scratch/out" '^model +B 200 GB/s, the peak of 200G' "and is said to be the one"
says "$scratch/o/index.html" '<h2 id="topology">' "the section stays"

make_run pcie "$data/a100x8.json" nccl pcie 8 1 20
report "rows over PCIe" "$scratch/pcie"
says "$scratch/out" '^model +B 31\.5 GB/s, link rate from the topology in run\.json: .*PCIe 4\.0 x16' "have the rate of PCIe"
make_run shm "$data/a100x8.json" nccl shm 8 1 8
report "rows over shared memory" "$scratch/shm"
says "$scratch/out" '^model +none' "have no link's rate"
make_run host "$data/a100x8.json" mpi "" 8 1 8
report "rows of hosts" "$scratch/host"
says "$scratch/out" '^model +none' "have none of GPUs"

make_run two "$data/a100x16.json" nccl nvlink+ib 16 2 190
report "a run on two nodes" "$scratch/two"
says "$scratch/out" '^model +B 300 GB/s, link rate from the topology .*; NICs of a node: .*25 GB/s' "has two levels"
[ -n "$(csv_cells "$scratch/o/bounds.csv" hier_us | tail -n 1 | tr -d '\r')" ]
verdict $(($? == 0)) "and their bounds" "$scratch/o/bounds.csv"
says "$scratch/o/index.html" '<h3>node0, node1, alike</h3>' "hosts that are alike are told once"
report "runs of equal machines" "$scratch/one" "$scratch/two"
lacks "$scratch/o/report.md" 'the machines are not those of' "are not said to differ"

sed 's/A100-SXM4-40GB/H100 80GB HBM3/' "$data/a100x8.json" >"$scratch/h100.json"
make_run other "$scratch/h100.json" nccl nvlink 8 1 235
report "runs of other machines" "$scratch/one" "$scratch/other"
says "$scratch/o/report.md" '\*\*note\*\* .*other: .*the machines are not those of .*one' "are said to differ"

sed 's/"name": "mlx5_3", \(.*\)"state": "up"/"name": "mlx5_3", \1"state": "down"/' "$data/a100x16.json" >"$scratch/down.json"
! cmp -s "$scratch/down.json" "$data/a100x16.json"
verdict $(($? == 0)) "(a topology with a port that is down)"
make_run down "$scratch/down.json" nccl nvlink+ib 16 2 190
report "a port that is down" "$scratch/down"
says "$scratch/o/report.md" '\*\*warning\*\* topology: .*mlx5.*down' "is a finding"

printf '{"hosts": [{"name": "x", "gpus": 7}]}' >"$scratch/broken.json"
make_run broken "$scratch/broken.json" nccl nvlink 8 1 235
report "a topology that is none" "$scratch/broken"
says "$scratch/o/report.md" '\*\*warning\*\* the topology in run\.json cannot be used: ' "is said"
says "$scratch/out" '^model +none' "and not used"
sed 's/"name": "node0"/"name": "<script>alert(1)<\/script>"/; s/AMD EPYC[^"]*/`$(touch here)` <img src=x>/' "$data/a100x8.json" >"$scratch/hostile.json"
make_run hostile "$scratch/hostile.json" nccl nvlink 8 1 235
report "texts of a topology" "$scratch/hostile"
lacks "$scratch/o/index.html" '<script|<img' "are no part of the page"
lacks "$scratch/o/report.md" '<script|<img' "nor of report.md"
says "$scratch/o/index.html" '&lt;script&gt;alert' "but stand in it"

# A simulated run has no machine.
run 60 "$bin/all_reduce_perf" --backend sim --sim-ranks 2 -b 8 -e 8 --facts "$scratch/facts.json" --json "$scratch/rows.json"
json_is "$scratch/facts.json" '!exists $d->{facts}{topology}' && json_is "$scratch/rows.json" '!exists $d->{facts}{topology}'
verdict $(($? == 0)) "a simulated run has no topology" "$scratch/err"
finish
