#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# collperf plan: the worked values on the command line, rows of another number of ranks, what is missing, what is refused, and its files.

. tests/cli/lib.sh
plan="$bin/collperf plan"
seven="--params 7e9 --tokens 16384 --flops 4e14"
link="--bandwidth 400G $seven --np 8"

says() { # WHAT WORDS...: each of them on stdout
	what=$1
	shift
	ok=1
	[ "$rc" = 0 ] || ok=0
	for words; do
		grep -qF -- "$words" "$scratch/out" || { ok=0; echo "lacks: $words" >>"$scratch/err"; }
	done
	verdict $ok "$what" "$scratch/err"
}

refuses() { # WANTED-RC WORDS OPTION...: one line on stderr, nothing on stdout
	wanted=$1 words=$2
	shift 2
	run 20 $plan "$@"
	[ "$rc" = "$wanted" ] && [ "$(lines "$scratch/err")" = 1 ] && [ ! -s "$scratch/out" ] && grep -qF -- "$words" "$scratch/err"
	verdict $(($? == 0)) "refused with $wanted: $*" "$scratch/err" "$scratch/out"
}

# --- worked values
run 20 $plan $link
says "7e9 parameters over 400 GB/s" "61.25 ms" "3.560 %" "583.3" "1.720 s" "875" "not communication-bound"
run 20 $plan --bandwidth 400G $seven --np 1000000
says "and over very many ranks" "70.00 ms" "4.069 %" "666.7"
run 20 $plan --bandwidth 400G --params 7.5e9 --np 64
says "memory of ZeRO" "120.00 GB" "31.406 GB" "16.641 GB" "1.8750 GB"
run 20 $plan --bandwidth 50G --hidden 8192 --ffn 28672 --flops 4e14 --tokens 8192 --np 128
says "a feed-forward block, FSDP x TP" "78.23 x 3.2085" "250.99 ranks" "132.07" "842.09"
run 20 $plan --bandwidth 10G --alpha 20us $seven --np 128
says "buckets on a slow network" "Best are 15.03 buckets" "2.931 s" \
	"The default of 25 MiB makes 534.1 buckets: the last gradient is reduced 5.493 s after the backward pass began, 87.43 % later" \
	"with DDP's calls above, 534 and a smaller one, it is reduced after 5.498 s"
run 20 $plan $link
says "what the time of the default is, without latency" "buckets: the last gradient is reduced 1.147 s after the backward pass began."
run 20 $plan $link --alpha 1us --json "$scratch/t.json"
says "where many sizes do, the fewest calls" "Any buckets of 178.65 KB to 2.6217 GB do, within 1 % of the best" "with 5.340 buckets the last gradient is reduced 1.158 s"
json_is "$scratch/t.json" 'my $b = $d->{buckets}; $b->{advised}{bytes} == $b->{flat_most_bytes} && $b->{advised}{time_s} <= 1.01 * $b->{best}{time_s} &&
	$b->{advised}{number} < 6 && $b->{best}{number} > 77000'
verdict $(($? == 0)) "also in JSON" "$scratch/t.json"
run 20 $plan --bandwidth 1G $seven --np 8
says "communication-bound with its number" "DDP is communication-bound: communication takes 24.50 s, 14.24 times the 1.720 s of compute"

# --- what is missing has a name
run 20 $plan $link
says "TP without widths" "TP: not known without --layers, --hidden"
run 20 $plan --bandwidth 400G --params 7e9 --np 8
says "no compute" "DDP: communication takes 61.25 ms; whether that is much needs --tokens, --flops"
run 20 $plan --bandwidth 400G $seven --np 1
says "one rank" "DDP: one rank has nobody to talk to"

for word in DDP ZeRO-1 ZeRO-2 ZeRO-3/FSDP TP "FSDP x TP"; do
	says "one rank: $word" "  $word: one rank has nobody to talk to."
done

# --- the advice counts who waits at most as long as all communication takes
run 20 $plan $link --alpha 1us --bucket 1
says "an upper bound is the best that is known" "Least waiting: ZeRO-3/FSDP, at most 91.90 ms a step"
! grep -q 'waits longer than it computes' "$scratch/out"
verdict $(($? == 0)) "and not every strategy waits" "$scratch/out"
run 20 $plan $link
says "who may wait less is named" "Least waiting: ZeRO-2, 6.608 us" "ZeRO-3/FSDP waits at most 91.88 ms, and may wait less"
run 20 $plan --bandwidth 1G --params 7e9 --tokens 1024 --flops 4e14 --np 8
says "too slow for all" "Every strategy whose time is known waits longer than it computes"
run 20 $plan --bandwidth 10G $seven --tokens 2048 --np 8 --layers 32 --hidden 4096 --alpha 10ms
says "break-even of the split that was picked" "; with this split more tokens per rank would not change that" "any: at any number it takes less; never: at any number it takes longer"

# --- models, links
run 20 $plan --models
says "models with sources" "llama3-8b" "Grattafiori"
run 20 $plan --link list
says "links" "nvlink4"
run 20 $plan --link nvlink4 --model llama3-8b --batch 2 --sequence 8192 --peak 989T --mfu 40% --np 8
says "a public model, a link by name, a part of the peak" "llama3-8b" "450 GB/s" "371 GB/s" "FSDP x TP"
run 20 $plan --bandwidth 10G --alpha 20us --np 128 --tokens 16384 --flops 4e14 --model llama3-8b --json "$scratch/t.json"
json_is "$scratch/t.json" '$d->{buckets}{default_tensor_calls} > 100 && $d->{buckets}{default_tensor_calls} < $d->{buckets}{default}{number} &&
	$d->{buckets}{default_tensor_time_s} < $d->{buckets}{default}{time_s} && $d->{buckets}{best}{time_s} < $d->{buckets}{default_tensor_time_s} &&
	$d->{buckets}{flat_least_bytes} < $d->{buckets}{best}{bytes}'
verdict $(($? == 0)) "buckets of a model's own tensors, which are not cut" "$scratch/t.json"
printf '{"name":"mine","params":"7B","layers":32,"hidden":4096,"heads":32}\n' >"$scratch/m.json"
run 20 $plan --bandwidth 400G --model "$scratch/m.json" --tokens 16384 --flops 4e14 --np 8
says "a model from a file" "mine" "61.25 ms"

# --- JSON and Markdown
run 20 $plan $link --layers 32 --hidden 4096 --heads 32 --ffn 11008 --json "$scratch/p.json" --markdown "$scratch/p.md"
says "files beside the table" "61.25 ms"
json_is "$scratch/p.json" '$d->{schema} == 1 && abs($d->{strategies}[0]{communication_s} - 0.06125) < 1e-9 &&
	abs($d->{strategies}[0]{break_even_tokens} - 583.3333) < 1e-3 && @{$d->{strategies}} == 6 &&
	$d->{strategies}[4]{name} eq "TP" && $d->{strategies}[4]{calls}[0]{number} == 128 && @{$d->{splits}} == 4 &&
	!$d->{strategies}[0]{communication_bound} && $d->{job}{ranks} == 8'
verdict $(($? == 0)) "JSON has the figures" "$scratch/p.json"
grep -q '^| DDP | 24.500 GB | 61.25 ms |' "$scratch/p.md"
verdict $(($? == 0)) "Markdown has the table" "$scratch/p.md"
run 20 $plan $link --json -
cp "$scratch/out" "$scratch/j.json"
json_is "$scratch/j.json" '!defined $d->{strategies}[4]{communication_s} && $d->{strategies}[4]{missing}[1] eq "--hidden"'
verdict $(($? == 0)) "JSON alone on stdout, null where not known" "$scratch/out"
run 20 $plan --bandwidth 1000K --params 1e18 --tokens 1000000000000 --flops 1e24 --np 1048576 --layers 1000000000 --hidden 1000000000 --json "$scratch/h.json"
json_is "$scratch/h.json" '$d->{strategies}[0]{communication_s} > 0' && ! grep -qiwE 'nan|-?inf' "$scratch/out" "$scratch/h.json"
verdict $(($? == 0)) "huge numbers stay numbers" "$scratch/out"

# --- rows
$bin/collperf run --backend sim --np 2 --sim-alpha 5us --sim-bandwidth 400G --collectives all_reduce,all_gather,reduce_scatter -b 1K -e 64M -f 4 \
	-o "$scratch/run" --quiet >"$scratch/out" 2>"$scratch/err"
run 20 $plan "$scratch/run" $seven --layers 32 --hidden 4096 --json "$scratch/r.json"
says "a run directory at its own number of ranks" "2 ranks"
json_is "$scratch/r.json" '$d->{job}{ranks} == 2 && !$d->{strategies}[0]{scaled} && $d->{network}{source} eq "rows" &&
	abs($d->{strategies}[0]{communication_s} / (14e9 / 400e9 + 535 * 10e-6) - 1) < 0.1'
verdict $(($? == 0)) "its times are the link's" "$scratch/r.json"
json_is "$scratch/r.json" 'my $n = $d->{strategies}[0]{most_ranks};
	abs((535 * 2 * ($n - 1) * 5e-6 + 2 * ($n - 1) / $n * 14e9 / 400e9) / (4 * 7e9 * 2 * 16384 / $n / 4e14) - 1) < 0.1'
verdict $(($? == 0)) "so are times of other numbers of ranks" "$scratch/r.json"
run 20 $plan "$scratch/run" $seven --np 8 --json "$scratch/r.json"
says "scaled to another number, and marked" "ms*" "* measured with another number of ranks"
json_is "$scratch/r.json" '$d->{strategies}[0]{scaled} && abs($d->{strategies}[0]{communication_s} / (0.06125 + 535 * 70e-6) - 1) < 0.1'
verdict $(($? == 0)) "scaled times are the link's too" "$scratch/r.json"
run 20 $plan "$scratch/run/all_reduce.csv" $seven
says "without rows of a primitive" "DDP is" \
	"ZeRO-1: how long its calls take is not known: reduce_scatter: no row that counts; all_gather: no row that counts."

# --- which rows
sweep() { # COLLECTIVE RANKS NODES ALPHA-US BYTES-PER-US [RUN [FLAGS]]: a ring's
	awk -v c="$1" -v n="$2" -v nodes="$3" -v a="$4" -v rate="$5" -v run="${6:-r1}" -v flags="$7" 'BEGIN {
		m = c == "all_reduce" ? 2 : 1
		for (s = 1024; s <= 67108864; s *= 4)
			printf "1,%s,%s,%d,%d,%d,%.9g,float,out-of-place,%s,%s\n", run, c, n, nodes, s, m * (n - 1) * (a + s / n / rate), flags,
				s < 65536 ? "tree/ll" : s < 4194304 ? "ring/ll128" : "ring/simple" }'
}
head="schema,run,collective,nranks,nnodes,bytes,time_us,type,placement,flags,algo"
two() { # what three primitives do: 4 ranks of one node, 8 of two
	echo "$head"
	for coll in all_reduce reduce_scatter all_gather; do
		sweep $coll 4 1 3 200000
		[ "$1" = one ] || sweep $coll 8 2 10 20000
	done
}
layers="--params 1e9 --layers 16 --hidden 2048 --ffn 8192 --tokens 512 --flops 1e14 --np 16"
two >"$scratch/two.csv"
run 20 $plan "$scratch/two.csv" $layers --json "$scratch/r.json"
says "shards across nodes take rows of several nodes" "4 such groups share the NICs of a node, which may take up to 4 times as long" \
	"8 ranks on 2 nodes, scaled, stand in" "! rows of other nodes stand in"
json_is "$scratch/r.json" 'my ($s) = grep { $_->{fsdp} == 4 } @{$d->{splits}}; my $c = $d->{strategies}[5]{calls}[0];
	abs($s->{communication_s} / 0.0629 - 1) < 0.1 && $s->{stand_in} && $s->{ratio} > 2 && $c->{rows_nodes} == 2 && $c->{rows_ranks} == 8 &&
	!grep { /other than asked for/ } @{$d->{remarks}}'
verdict $(($? == 0)) "and their time is that of the NICs" "$scratch/r.json"
# What follows from marked times has their marks, and no mark is explained that no figure has.
run 20 $plan "$scratch/two.csv" $layers --np 8 --tokens 32768 --json "$scratch/m.json" --markdown "$scratch/m.md"
says "conclusions have marks" "Best: 8 x 1~ with overlap, 4 x 2~*! without. Rows stand in for those of 4 x 2 (!), which may take longer: 8 x 1 (265.9 ms~) may be better without overlap." \
	"*! ranks, as 34.03 x 4.0000" "at 4431~ tokens per rank" "35.24*"
# The backward pass has compute left at that number, so all communication together takes less than all compute.
says "and what most ranks are is told with its pass" "tokens keep each pass at least as long as its communication; with more, communication takes longer in the forward pass." \
	"that of the forward or of the backward pass, whichever is short first"
json_is "$scratch/m.json" '$d->{strategies}[5]{most_pass} eq "forward" && $d->{strategies}[0]{most_pass} eq "backward" && $d->{strategies}[3]{most_pass} eq "both"'
verdict $(($? == 0)) "in JSON too" "$scratch/m.json"
awk -F, -v OFS=, '$3 == "reduce_scatter" { $7 *= 20 } 1' "$scratch/two.csv" >"$scratch/slow.csv"
run 20 $plan "$scratch/slow.csv" $layers --np 8 --tokens 32768
says "a slow reduce-scatter is short of the backward pass" "takes longer in the backward pass."
grep -q 'Best: 8 x 1.* with overlap, 4 x 2.*! without' "$scratch/m.md" && grep -q '^| ZeRO-3/FSDP .*| 4431.* |' "$scratch/m.md"
verdict $(($? == 0)) "also in Markdown" "$scratch/m.md"
json_is "$scratch/m.json" 'my ($ddp, $fsdp, $tp, $both) = @{$d->{strategies}}[0, 3, 4, 5];
	!$ddp->{scaled} && !$ddp->{break_even_marks}{scaled} && $ddp->{most_marks}{scaled} && !$ddp->{most_marks}{stand_in} &&
	$fsdp->{break_even_marks}{extrapolated} && $both->{most_marks}{stand_in} && $d->{splits}[$d->{least_split}]{stand_in}'
verdict $(($? == 0)) "and in JSON" "$scratch/m.json"
grep -vE '^1,r1,reduce_scatter|^1,r1,all_reduce,4' "$scratch/two.csv" >"$scratch/lacks.csv"
run 20 $plan "$scratch/lacks.csv" $layers --tokens 8192 --flops 1e13
says "without rows of a primitive splits have no times" "4 x 4  " "stand in, so the time"
! grep -q '^  ! ' "$scratch/out"
verdict $(($? == 0)) "nor is there a mark to explain" "$scratch/out"
two one >"$scratch/one.csv"
run 20 $plan "$scratch/one.csv" $layers --gpus-per-node 4
says "one node for several is marked" "on 4 nodes was not measured: rows of 4 ranks on one node stand in, so the time may be far too short" "them: see the remarks"
run 20 $plan "$scratch/one.csv" $layers
says "nor is it hidden that nodes are not known" "rows of one node do not tell how many ranks a node has" \
	"where calls of more than 4 ranks (!) leave a node, rows of one node stand in, so their time may be far too short" \
	"! rows of one node stand in for more ranks than any of them has: between nodes it may take far longer"
run 20 $plan "$scratch/one.csv" $layers --np 4 --gpus-per-node 4
says "a mark of most ranks alone is explained in the legend" "! rows of other nodes stand in: so many ranks lie on more or fewer nodes than those"
! grep -qE 'see the remarks|^Remarks' "$scratch/out"
verdict $(($? == 0)) "which points at no remark that is not there" "$scratch/out"
run 20 $plan "$scratch/one.csv" $layers --np 4 --json "$scratch/r.json"
json_is "$scratch/r.json" '!grep({ /do not tell/ } @{$d->{remarks}}) && !grep { $_->{stand_in} } @{$d->{strategies}}, @{$d->{splits}}'
verdict $(($? == 0)) "ranks that a node was seen to have need no mark" "$scratch/r.json"
{ two && for coll in all_reduce reduce_scatter all_gather; do sweep $coll 16 16 10 5000; done; } >"$scratch/each.csv"
run 20 $plan "$scratch/each.csv" $layers --np 64 --gpus-per-node 4 --json "$scratch/r.json"
json_is "$scratch/r.json" 'my $d0 = $d->{strategies}[0]; $d0->{calls}[0]{rows_ranks} == 8 && !$d0->{stand_in} && $d0->{scaled}'
verdict $(($? == 0)) "rows of as many ranks a node come before as many nodes" "$scratch/r.json"
{ echo "$head"; sweep all_reduce 8 1 3 50000 a; } >"$scratch/a.csv"
{ echo "$head"; sweep all_reduce 8 1 9 50000 b noisy; sweep all_reduce 8 1 99 50000 d "late noisy"; } >"$scratch/b.csv"
{ echo "$head"; sweep all_reduce 8 1 6 50000 c; } >"$scratch/c.csv"
run 20 $plan "$scratch/a.csv" "$scratch/b.csv" "$scratch/c.csv" $seven --bucket 1024 --json "$scratch/r.json"
says "launches in several files are one curve, whatever algorithm a size has" "times are read off 27 rows" "algorithm tree/ll, then ring/ll128, then ring/simple" \
	"9 sizes, 4 launches, $scratch/a.csv and 2 more"
says "flags are counted once" "of the 27 rows that times are read off, flags say: 9 noisy" "9 rows late, host_bound, traced or other_path gave way"
json_is "$scratch/r.json" 'abs($d->{strategies}[0]{calls}[0]{time_s} * 1e6 / (14 * (6 + 128 / 50000)) - 1) < 1e-6'
verdict $(($? == 0)) "which is their median" "$scratch/r.json"
sed "s/tree.ll/nvls/" "$scratch/a.csv" >"$scratch/nvls.csv"
refuses 3 "is known of the algorithm nvls" "$scratch/nvls.csv" $seven --np 16
refuses 3 "more than 65536 ranks" "$scratch/a.csv" $seven --np 262144
refuses 2 "8 ranks are no multiple of --gpus-per-node" "$scratch/a.csv" $seven --gpus-per-node 3
awk -F, -v OFS=, '$6 == 67108864 { $7 *= 5 } 1' "$scratch/a.csv" >"$scratch/far.csv"
run 20 $plan "$scratch/far.csv" $seven --bucket 134217728 --json "$scratch/r.json"
json_is "$scratch/r.json" 'my $c = $d->{strategies}[0]{calls}[0];
	$c->{guess} && $c->{read_off} eq "above" && abs($c->{time_s} * 1e6 / (2 * 5 * 14 * (3 + 67108864 / 8 / 50000)) - 1) < 1e-4'
verdict $(($? == 0)) "beyond the last size no less time than at it" "$scratch/r.json"

# --- refused
refuses 2 "name a run directory" $seven
refuses 2 "needs a model" --bandwidth 400G --np 8
refuses 2 "--np" --bandwidth 400G $seven
refuses 2 "--np: '0'" --bandwidth 400G $seven --np 0
refuses 2 "--params: '1e308'" --bandwidth 400G --params 1e308 --np 8
refuses 2 "--params: '-1'" --bandwidth 400G --params -1 --np 8
refuses 2 "--tokens: '0'" --bandwidth 400G --params 7e9 --tokens 0 --np 8
refuses 2 "--bandwidth: '400'" --bandwidth 400 $seven --np 8
refuses 2 "give one or the other" --bandwidth 400G $seven --np 8 "$scratch/run"
refuses 2 "is neither" --bandwidth 400G --model nosuch --np 8
refuses 2 "unknown option" --bandwidth 400G $seven --np 8 --fast
refuses 2 "unknown option '-z'" --bandwidth 400G $seven --np 8 -zh
refuses 2 "unknown option '--help=x'" --bandwidth 400G $seven --np 8 --help=x
refuses 2 "--tokens is no multiple of --batch" --bandwidth 400G $seven --np 8 --batch 3
refuses 2 "--tokens is no multiple of --sequence" --bandwidth 400G $seven --np 8 --sequence 32768
refuses 2 "belong together" --bandwidth 400G --params 7e9 --peak 989T --np 8
refuses 2 "no multiple" --bandwidth 400G $seven --np 12 --gpus-per-node 8
refuses 2 "would overwrite" "$scratch/run" $seven --json "$scratch/run/run.json"
head -n 1 "$scratch/run/all_reduce.csv" >"$scratch/few.csv"
sed -n 2p "$scratch/run/all_reduce.csv" >>"$scratch/few.csv"
refuses 3 "the rows tell the time of no call" "$scratch/few.csv" $seven --np 8
run 20 "$bin/broadcast_perf" --backend sim --sim-ranks 2 -b 8 -e 1M --csv "$scratch/broadcast.csv"
refuses 3 "of no call: all_reduce: no row that counts; all_gather: no row that counts; reduce_scatter: no row that counts" "$scratch/broadcast.csv" $seven
# Other rows than those of calls have no times of calls, whatever --np says.
"$bin/bucket_perf" --backend sim --sim-ranks 4 --params 1M --layers 4 --strategy flat --csv "$scratch/steps.csv" >/dev/null 2>"$scratch/err"
"$bin/sendrecv_perf" --backend sim --sim-ranks 4 --pairs -b 1M -e 1M --csv "$scratch/pairs.csv" >/dev/null
"$bin/sendrecv_perf" --backend sim --sim-ranks 4 -b 1M -e 1M --csv "$scratch/other.csv" >/dev/null
sed 's/sendrecv/foo/' "$scratch/other.csv" >"$scratch/foo.csv"
for np in "" "--np 4"; do
	refuses 3 "of no call: rows of training steps tell no call's time; give rows of all_reduce, all_gather and reduce_scatter" "$scratch/steps.csv" $seven $np
	refuses 3 "of no call: rows of single pairs tell no collective's time" "$scratch/pairs.csv" $seven $np
	refuses 3 "of no call: they name no collective that is known; give rows of" "$scratch/foo.csv" $seven $np
done
refuses 3 "nowhere" nowhere $seven
refuses 3 "no.json" --bandwidth 400G --model no.json --np 8
refuses 3 "cannot write" $link --json "$scratch/no/where.json"
# All-reduce alone tells TP; splits that need all-gather are not known, and none of them is the best.
"$bin/all_reduce_perf" --backend sim --sim-ranks 8 -b 8 -e 64M -f 4 --csv "$scratch/alone.csv" >/dev/null
run 60 "$bin/collperf" plan "$scratch/alone.csv" --model llama2-7b --tokens 16384 --flops 4e14 --np 8
[ $rc = 0 ] && grep -q 'Best: 1 x 8~ with overlap, 1 x 8~ without' "$scratch/out"
verdict $(($? == 0)) "the best split is one whose time is known" "$scratch/out" "$scratch/err"
says "and why its most ranks are not" "(-): splits over other numbers of ranks need the times of all_reduce, all_gather and reduce_scatter"
! grep -q 'their fit does not tell' "$scratch/out"
verdict $(($? == 0)) "which is no matter of the fit" "$scratch/out"
# Marks that only splits have are explained.
{ echo "$head"; for coll in all_reduce reduce_scatter all_gather; do sweep $coll 8 1 3 200000; done; } >"$scratch/eight.csv"
run 20 $plan "$scratch/eight.csv" --params 1e9 --layers 64 --hidden 1024 --tokens 65536 --json "$scratch/s.json" --markdown "$scratch/s.md"
says "marks of splits in the legend" "* measured with another number of ranks"
grep -qF '* measured with another number of ranks' "$scratch/s.md" && json_is "$scratch/s.json" '!grep { $_->{scaled} } @{$d->{strategies}}'
verdict $(($? == 0)) "also where strategies have none, and in Markdown" "$scratch/s.json"
# Buckets: the best one is among the measured sizes, what lies beyond them is told as such.
"$bin/all_reduce_perf" --backend sim --sim-ranks 8 --sim-alpha 5us --sim-bandwidth 400G -b 1K -e 64K -f 2 --csv "$scratch/small.csv" >/dev/null
run 20 $plan "$scratch/small.csv" $seven --bucket 32M --json "$scratch/s.json"
says "best among the measured sizes" "Best among the measured sizes" "(the largest measured)" "outside of the measured sizes (~)"
json_is "$scratch/s.json" '$d->{buckets}{best}{bytes} == 65536 && !$d->{buckets}{best}{extrapolated} && $d->{buckets}{asked}{extrapolated} &&
	$d->{buckets}{measured_most_bytes} == 65536 && $d->{buckets}{flat_most_bytes} <= 65536 &&
	$d->{strategies}[0]{sentence} =~ /outside of the measured sizes/'
verdict $(($? == 0)) "and so in JSON" "$scratch/s.json"
run 20 $plan "$scratch/small.csv" $seven --layers 2 --json "$scratch/s.json"
json_is "$scratch/s.json" '$d->{buckets}{default_tensor_marks}{extrapolated} && !$d->{buckets}{default_tensor_marks}{scaled} &&
	$d->{buckets}{default_tensor_time_s} > $d->{buckets}{backward_s}' && grep -qE "this model's own it makes [0-9]+ calls, and .* after [0-9.]+ s~" "$scratch/out"
verdict $(($? == 0)) "calls of a model's own tensors are read off, with marks" "$scratch/s.json" "$scratch/out"
"$bin/all_reduce_perf" --backend sim --sim-ranks 8 -b 1M -e 1M --csv "$scratch/one.csv" >/dev/null
run 20 $plan "$scratch/one.csv" $seven --bucket 1M --json "$scratch/s.json"
says "one size tells no best one" "The best bucket size is not known"
json_is "$scratch/s.json" '!defined $d->{buckets}{best} && !defined $d->{strategies}[0]{most_ranks} && $d->{strategies}[0]{most_why}'
verdict $(($? == 0)) "nor how many ranks there may be" "$scratch/s.json" "$scratch/out"
run 20 $plan "$scratch/run" $seven --np 8 --layers 32 --hidden 4096
says "sentences have the marks" "FSDP x TP" "scaled from another number of ranks (*)"
# Latency that is known is in the most ranks: there communication takes as long as the backward pass.
run 20 $plan --bandwidth 400G --alpha 5us --model llama2-7b --tokens 16384 --flops 4e14 --np 8
says "most ranks with latency" "35.96"
run 20 $plan --bandwidth 400G --alpha 5us --model llama2-7b --tokens 3646 --flops 4e14 --np 36 --json "$scratch/s.json"
json_is "$scratch/s.json" 'abs($d->{strategies}[0]{communication_s} / ($d->{job}{compute_s} * 2 / 3) - 1) < 0.01'
verdict $(($? == 0)) "as long as the backward pass" "$scratch/s.json"
run 20 $plan $link --layers 32 --hidden 4096 --gpus-per-node 4
says "splits inside nodes" "8 x 1" "2 x 4" "its group does not fit a node of 4"
! grep -q '1 x 8' "$scratch/out"
verdict $(($? == 0)) "and none beyond them" "$scratch/out"
run 20 $plan --bandwidth 400G --model gpt2 --tokens 1024 --flops 4e12 --np 4
says "a block as the model has it" "768 x 3072, two matrices"

# --- small
for zero in 0 0us 0s 0.0; do
	run 20 $plan --alpha $zero $link
	says "no latency: $zero" "61.25 ms"
done
refuses 2 "--alpha: '5'" --alpha 5 $link
refuses 2 "has no meaning beside a list" --models extra
refuses 2 "--kv-heads: must divide heads" $link --heads 32 --kv-heads 3
run 20 $plan $link --layers 2 --hidden 128
says "parameters that the widths do not make" "7e9 parameters do not fit the widths"
printf '{"layers":32,"hidden":4096,"ffn":11008,"vocab":32000}\n' >"$scratch/w.json"
run 20 $plan --bandwidth 400G --model "$scratch/w.json" --np 8
says "a file of widths is what options of widths are" "6.738e9 parameters"
printf '{"model_type":"gemma","num_hidden_layers":28,"hidden_size":3072,"intermediate_size":24576,"num_attention_heads":16,"num_key_value_heads":16,"head_dim":256,"vocab_size":256000}\n' >"$scratch/w.json"
run 20 $plan --bandwidth 400G --model "$scratch/w.json" --batch 1 --sequence 1024 --flops 4e14 --np 8 --json "$scratch/s.json"
json_is "$scratch/s.json" '$d->{model}{params} == 8537680896 && $d->{model}{head_dim} == 256 && !defined $d->{model}{positions} &&
	$d->{job}{activations_flash_bytes} == 28 * 1024 * (26 * 3072 + 8 * 4096) && $d->{job}{activations_bytes} == 28 * 1024 * (26 * 3072 + 8 * 4096 + 5 * 16 * 1024) &&
	$d->{strategies}[4]{calls}[0]{bytes} == 1024 * 8 * 3072 * 2'
verdict $(($? == 0)) "wide heads are in the parameters and in what attention keeps, not in what ranks of TP exchange" "$scratch/s.json" "$scratch/err"
run 20 $plan --bandwidth 400G --layers 32 --hidden 4096 --ffn 11008 --vocab 32000 --np 8
says "these options" "6.738e9 parameters"
if [ -w /dev/full ]; then
	run 20 $plan $link --layers 32 --hidden 4096 --json /dev/full
	[ "$rc" = 3 ] && grep -q '^collperf plan: cannot write /dev/full: No space' "$scratch/err"
	verdict $(($? == 0)) "a full disk is called that" "$scratch/err"
	$plan $link >/dev/full 2>"$scratch/err"
	[ $? = 3 ] && grep -q '^collperf plan: cannot write to stdout: No space' "$scratch/err" && [ "$(lines "$scratch/err")" = 1 ]
	verdict $(($? == 0)) "a full stdout too" "$scratch/err"
	for words in "plan --models" "plan --help" "explain all_reduce" "compare --help"; do
		"$bin/collperf" $words >/dev/full 2>"$scratch/err"
		[ $? = 3 ] && grep -q "^collperf ${words%% *}: cannot write to stdout: No space" "$scratch/err" && [ "$(lines "$scratch/err")" = 1 ]
		verdict $(($? == 0)) "and so of $words" "$scratch/err"
	done
	"$bin/collperf" --help >/dev/full 2>"$scratch/err"
	grep -q '^collperf: cannot write to stdout: No space' "$scratch/err"
	verdict $(($? == 0)) "and of no command" "$scratch/err"
fi
json_is "$scratch/run/run.json" 'ref $d'
verdict $(($? == 0)) "what was read is as it was"
finish
