#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Every run stores the topology of its hosts: in the documents of a perf binary, once in run.json, and in the report.

. tests/cli/lib.sh

run 120 mpiexec -n 2 "$bin/all_reduce_perf" --backend mpi -b 8 -e 8 -n 2 --facts "$scratch/facts.json" --csv "$scratch/with.csv"
json_is "$scratch/facts.json" '@{$d->{facts}{topology}{hosts}} == 1 && $d->{facts}{topology}{hosts}[0]{name} eq $d->{facts}{host}'
verdict $((rc == 0 && $? == 0)) "the facts of a run have its host" "$scratch/err"
json_is "$scratch/facts.json" 'my $r = $d->{facts}{topology}{hosts}[0]{ranks}; @$r == 2 && $r->[1]{rank} == 1 && $r->[1]{cpus} =~ /^\d/ && !exists $r->[1]{gpu}'
verdict $(($? == 0)) "with both ranks and the hardware threads they may run on"
run 120 mpiexec -n 2 "$bin/all_reduce_perf" --backend mpi -b 8 -e 8 -n 2 --csv "$scratch/without.csv"
[ $rc = 0 ] && [ "$(head -n 1 "$scratch/with.csv")" = "$(head -n 1 "$scratch/without.csv")" ]
verdict $(($? == 0)) "rows are the same with and without" "$scratch/err"

run 200 "$bin/collperf" run --backend mpi --np 2 --collectives all_reduce,broadcast --repeat 2 -b 8 -e 64K -f 64 --max-time 0.02 -o "$scratch/run" --quiet
json_is "$scratch/run/run.json" '@{$d->{topologies}} == 1 && @{$d->{topologies}[0]{hosts}} == 1'
verdict $((rc == 0 && $? == 0)) "run.json has the topology of four launches once" "$scratch/err"
json_is "$scratch/run/run.json" '@{$d->{launches}} == 4 && !grep { my $t = $_->{facts}{facts}{topology}; ref $t || $t != 0 } @{$d->{launches}}'
verdict $(($? == 0)) "and each launch names it by number"
run 60 "$bin/collperf" report "$scratch/run"
grep -q '<h2 id="topology">Topology</h2>' "$scratch/run/report/index.html" && grep -q '^## Topology' "$scratch/run/report/report.md"
verdict $((rc == 0 && $? == 0)) "the report has a section on it" "$scratch/err"
! grep -q 'link rate from the topology' "$scratch/run/report/report.md"
verdict $(($? == 0)) "and no link of GPUs for rows of hosts"
finish
