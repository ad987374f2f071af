#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# bucket_perf over the simulated backend: steps take what the formula of buckets says, the table byte for byte, data are checked, and what is refused.

. tests/cli/lib.sh
perf=$bin/bucket_perf
csv=$scratch/csv
sizes=$scratch/sizes

sim() { # ARGUMENT...
	rm -f "$csv"
	run 60 "$perf" --backend sim "$@"
}

good() { # WHAT; a condition was just evaluated
	verdict $(($? == 0)) "$1" "$scratch/err" "$scratch/out"
}

refused() { # TEXT ARGUMENT...
	local text=$1

	shift
	run 20 "$perf" "$@"
	[ $rc = 2 ] && [ ! -s "$scratch/out" ] && head -n 1 "$scratch/err" | grep -qF -e "$text"
	good "exit 2: $text"
}

# 16 gradients of 15625 floats: 1 MB. Four ranks by a ring: a = 6 alpha, b = 1.5 / B.
for _ in $(seq 16); do echo 15625; done >"$sizes"
link="--sim-ranks 4 --sim-alpha 3us --sim-bandwidth 2G"
for ms in 0.2 1 5; do
	sim $link --gradients "$sizes" --strategy bucketed --bucket-cap 62500..1000000 --compute-ms $ms -n 4 --csv "$csv"
	[ $rc = 0 ] && csv_cells "$csv" calls time_us compute_us comm_us exposed_us overlap wrong | awk -v ms=$ms '
		function far(x, y) { return x - y > 1e-6 * y + 1e-6 || y - x > 1e-6 * y + 1e-6 }
		{
			k = $1; a = 18; g = 750; t = ms * 1000
			step = t + a + g / k; other = t / k + k * a + g
			if (other > step) step = other
			exposed = step - t; comm = k * a + g; overlap = 1 - exposed / comm
			if (far($2, step) || far($3, t) || far($4, comm) || far($5, exposed) || (k > 1 && (far($6, overlap) || $7 != 0)) || (k == 1 && (NF != 6 || $6 != 0))) bad = 1
		}
		END { exit bad || NR != 5 }'
	good "k = 16, 8, 4, 2, 1 buckets in $ms ms take T(k)"
done
sim $link --gradients "$sizes" --layers 1 --strategy bucketed,zero,fsdp --bucket-cap 500000,1000064 --compute-ms 1 -n 4 --csv "$csv"
[ $rc = 0 ] && [ "$(csv_cells "$csv" calls overlap | awk '{ print $1, NF }' | tr '\n' ' ')" = "2 2 1 1 4 2 2 1 2 1 " ]
good "one bucket or layer has no overlap"
sim $link --gradients "$sizes" --strategy naive,flat --compute-ms 1 -n 4 --csv "$csv"
[ $rc = 0 ] && [ "$(csv_cells "$csv" calls time_us exposed_us overlap progress | tr '\n' ' ')" = "16 2038 1038  none 1 1768 768  none " ]
good "naive and flat start after the backward pass, and have no overlap"
# 16 reduce-scatters of 15628 floats, 9 us + 23.442 us each, the last begun at 1000 us; then as many all-gathers of as long.
sim $link --gradients "$sizes" --strategy zero --bucket-cap 62500 --compute-ms 1 -n 4 --csv "$csv"
[ $rc = 0 ] && [ "$(csv_cells "$csv" calls time_us comm_us wrong)" = "32 1551.514 1038.144 0" ]
good "zero gathers after the last reduce-scatter"
sim $link --gradients "$sizes" --strategy fsdp --prefetch 2 --compute-ms 1 -n 4 --csv "$csv"
[ $rc = 0 ] && [ "$(csv_cells "$csv" calls prefetch bucket_cap wrong)" = "32 2  0" ] && ahead=$(csv_cells "$csv" time_us)
good "fsdp makes each gradient a layer"
sim $link --gradients "$sizes" --layers 4 --strategy fsdp --prefetch 0 --compute-ms 1 -n 4 --csv "$csv"
[ $rc = 0 ] && [ "$(csv_cells "$csv" calls)" = 8 ]
good "or --layers of them"
sim $link --gradients "$sizes" --strategy fsdp --prefetch 0 --compute-ms 1 -n 4 --csv "$csv"
[ $rc = 0 ] && csv_cells "$csv" time_us | awk -v ahead="$ahead" '{ exit !($1 > ahead + 100) }'
good "without prefetch every layer waits for its weights"
sim $link --gradients "$sizes" --strategy flat --compute-ratio 2.5 -n 4 --csv "$csv"
[ $rc = 0 ] && [ "$(csv_cells "$csv" compute_us comm_us)" = "1920 768" ]
good "--compute-ratio is of one all-reduce"

sim --sim-ranks 1 --gradients "$sizes" --strategy bucketed --compute-ms 1 -n 4 --csv "$csv" --json "$scratch/json"
[ $rc = 0 ] && [ "$(csv_cells "$csv" compute_us exposed_us overlap)" = "1000 0 " ] && json_is "$scratch/json" '!defined $d->{rows}[0]{overlap} && defined $d->{rows}[0]{exposed_us}'
good "one rank has no overlap"
sim $link --gradients "$sizes" --strategy bucketed --bucket-cap 250000 --compute-ms 1 -n 8 --csv "$csv"
[ $rc = 0 ] && [ "$(csv_cells "$csv" overlap_error)" = 0 ] && grep -q '^  bucketed .* 0\.0 *device ' "$scratch/out"
good "simulated overlaps are exact"
sim $link --gradients "$sizes" --strategy naive,bucketed --compute-ms 1 --csv "$csv"
[ $rc = 0 ] && [ "$(csv_cells "$csv" iters flags | sort -u)" = "10 simulated" ] && grep -q '^ *naive .* N/A *- *none ' "$scratch/out" && ! grep -q 'did not reach' "$scratch/out"
good "what cannot overlap is N/A, and rows without a spread are precise"

sim $link --gradients "$sizes" --strategy bucketed,fsdp --compute-ms 0 -n 8 --csv "$csv" --json "$scratch/json"
[ $rc = 0 ] && [ "$(csv_cells "$csv" compute_asked_us overlap | tr '\n' ' ')" = "0  0  " ] && json_is "$scratch/json" '!defined $d->{rows}[0]{overlap}' && [ "$(csv_cells "$csv" overlap_error | tr -d '\n')" = "" ]
good "without compute there is no overlap"
sim $link --gradients "$sizes" --strategy bucketed --bucket-cap 1000000,2000000 --compute-ms 1 -n 8
[ $rc = 0 ] && grep -q '^# Fastest step .*; not clearly faster than others$' "$scratch/out"
good "of two that are alike none is called clearly faster"

# Rows and data
sim --sim-ranks 3 --params 60K --layers 3 --strategy naive,flat,bucketed,zero,fsdp --bucket-cap 16K,64K -n 3 --csv "$csv"
[ $rc = 0 ] && csv_is_whole "$csv" && [ "$(csv_cells "$csv" collective strategy wrong bytes busbw_GBps | sort | uniq -c | awk '{ print $1, $2, $3, $4, $5 }' | tr '\n' ' ')" = \
	"2 bucket bucketed 0 240000 1 bucket flat 0 240000 1 bucket fsdp 0 240000 1 bucket naive 0 240000 2 bucket zero 0 240000 " ]
good "a row a strategy and cap, nothing wrong, no busbw"
for strategy in naive flat bucketed zero fsdp; do
	sim --sim-ranks 3 --params 60K --layers 3 --strategy $strategy $(case $strategy in bucketed | zero) echo --bucket-cap 32K ;; esac) -n 3 --inject corrupt=1 --csv "$csv"
	[ $rc = 1 ] && [ "$(csv_cells "$csv" wrong)" = 1 ] && grep -q "first on rank 1" "$scratch/err"
	good "$strategy: a wrong element of rank 1 is found"
done
# Units of 4 and 4 elements, filled up to 6 and 6: rank 1's own block of the last begins at 8, which is element 4 + 2.
printf '4\n4\n' >"$scratch/few"
for where in '1 at element 6' '2 in what fills a call up behind element 7'; do
	sim --sim-ranks 3 --gradients "$scratch/few" --strategy zero --bucket-cap 16 -n 2 --inject corrupt=${where%% *}
	[ $rc = 1 ] && grep -q "first on rank $where\$" "$scratch/err"
	good "the wrong element is one of the gradients: rank $where"
done
sim --sim-ranks 3 --params 60K --layers 3 --strategy flat,bucketed --bucket-cap 16K,32K -n 3 --inject corrupt=1@32K --csv "$csv"
[ $rc = 1 ] && [ "$(csv_cells "$csv" wrong | tr '\n' ' ')" = "0 0 1 " ]
good "@SIZE is of a bucket"
sim --sim-ranks 2 --params 1M --layers 4 --strategy flat -n 2 --csv "$csv"
grep -q '^# Out of bounds values : N/A not checked$' "$scratch/out"
good "where nothing is checked nothing is called right"
sim --sim-ranks 2 --params 1M --layers 4 --strategy flat -n 2 --csv "$csv"
[ $rc = 0 ] && [ "$(csv_cells "$csv" wrong flags)" = " unchecked simulated" ]
good "what does not fit the simulation is not called right"
for type in half bfloat16 double int8; do
	sim --sim-ranks 5 --params 60K --layers 3 -d $type -n 2
	[ $rc = 0 ]
	good "$type"
done

# What is printed
sim $link --gradients "$sizes" --strategy flat,bucketed --bucket-cap 250000 --compute-ms 1 -n 8
grep -v '^# collperf version\|^# Using\|^#  Rank' "$scratch/out" | cmp -s - tests/cli/golden/bucket.txt
good "the table is the golden one"
sim --params 1M --layers 4 --strategy bucketed,fsdp --bucket-cap 1M..4M --dry-run
[ $rc = 0 ] && [ "$(grep -v '^#' "$scratch/out" | tr '\n' ' ')" = "bucketed 1048576 4 bucketed 2097152 2 bucketed 4194304 1 fsdp 0 8 " ]
good "--dry-run lists rows and calls"
run 20 "$perf" --list
[ $rc = 0 ] && grep -q '^steps: sim: calls beside compute' "$scratch/out" && grep -q '^steps: nccl: ' "$scratch/out" && grep -q '^models: .*llama' "$scratch/out"
good "--list says which backend can, and names models"
run 20 "$perf" --help
[ $rc = 0 ] && grep -q -e '--bucket-cap SIZES' "$scratch/out" && tr -s ' \n' ' ' <"$scratch/out" | grep -qF 'a reduce-scatter behind [naive,flat,bucketed]' && ! grep -q -e '--minbytes' "$scratch/out"
good "--help has its own options and not those that mean nothing"
tr -s ' \n' ' ' <"$scratch/out" >"$scratch/help"
grep -qF 'a row without -n [1]' "$scratch/help" && grep -qF 'f8e4m3 or f8e5m2 [float]' "$scratch/help" && ! grep -q 'delay=' "$scratch/help"
good "... with the defaults and words that steps have"
run 20 "$perf" --man
[ $rc = 0 ] && head -n 1 "$scratch/out" | grep -q '^\.TH BUCKET_PERF'
good "--man"
sim --params 60K --layers 2 --strategy flat -n 2 --json "$scratch/json"
[ $rc = 0 ] && grep -q '"strategy": "flat"' "$scratch/json" && grep -q '"step_compute_ms"' "$scratch/json"
good "--json has steps and their compute"
for target in "$scratch" /dev/full; do
	sim --params 60K --layers 2 --strategy flat -n 2 --json "$target"
	[ $rc = 3 ] && ! grep -q flat "$scratch/out" && grep -q "cannot write $target: " "$scratch/err"
	good "--json that cannot be written is told before the run: ${target##*/tmp*}"
done

# A public model has the parameters whose gradients are reduced. One of them has an embedding that no call takes.
"$bin/collperf" plan --models | awk 'NR > 1 { print $1, $2 }' >"$scratch/models"
while read -r model params; do
	run 20 "$bin/collperf" plan --bandwidth 400G --model "$model" --np 8 --json "$scratch/plan.json" &&
		json_is "$scratch/plan.json" '$d->{model}{params} == '"$params" && run 20 "$perf" --backend sim --model "$model" --dry-run && {
		grep -q " gradients of $params elements," "$scratch/out" ||
			{ [ "$model" = bloom-176b ] && [ $rc = 77 ] && grep -q "a call of over 2^31 - 1 elements" "$scratch/err"; }
	}
	good "$model: plan and bucket_perf agree on $params parameters"
done <"$scratch/models"
[ "$(lines "$scratch/models")" -ge 11 ]
good "all public models were looked at"

# What is refused
plain="--backend sim --params 1M --layers 4"
refused "which gradients?" --backend sim
refused "give one of" $plain --model gpt2
refused "-n: 1000001 is over 1000000 steps a row" $plain -n 1000001
refused "--params: needs --layers" --backend sim --params 1M
refused "--params: 'ten' is not a number" --params ten
refused "--params: too few parameters" --backend sim --params 10 --layers 4
refused "--model: 'nothing' is not one of " --model nothing
refused "--gradients: nowhere: No such file" --gradients nowhere
printf '5\nfive\n' >"$scratch/bad"
refused "line 2: not a number of elements" --gradients "$scratch/bad"
refused "--strategy: 'flat,quick' is not a list" $plain --strategy flat,quick
refused "names flat twice" $plain --strategy flat,flat
for caps in '' 0 1M.. ..1M 1M..x '1M*2' '1M..2M*1' 1M,,2M 2M..1M 1M..2M..4M; do
	refused "--bucket-cap: '$caps' " $plain --bucket-cap "$caps"
done
refused "makes more than 64 sizes" $plain --bucket-cap 1..1P,3..1P
refused "--progress: 'fast' is not one of polling, thread, none" $plain --progress fast
refused "--progress: this backend moves data by itself" $plain --progress none
refused "--progress-us: '0' is not a number from 1" $plain --progress-us 0
refused "give one" $plain --compute-ms 1 --compute-ratio 1
refused "--compute-ms: '-1' is not a number" $plain --compute-ms -1
refused "--prefetch: needs an argument" $plain --prefetch
refused "-b has no meaning for steps" $plain -b 8
refused "--pairs has no meaning for steps" $plain --pairs
refused "-d: steps are of one type" $plain -d all
refused "steps know only corrupt" $plain --inject delay=0:5
refused "there is no --bucket-cap of 1K" $plain --inject corrupt=0@1K
refused "there is no --bucket-cap of 25M" $plain --strategy flat --inject corrupt=0@25M
refused "corrupt data are never seen where nothing is checked" $plain --inject corrupt=0
refused "--bucket-cap: only the strategies bucketed and zero" $plain --strategy flat,fsdp --bucket-cap 1M
refused "names 2K twice" $plain --bucket-cap 1K..4K,2K
refused "--prefetch: only the strategy fsdp" $plain --prefetch 2
refused "--layers: of --gradients only" --gradients "$sizes" --layers 3
refused "--progress-us: this backend moves data by itself" $plain --progress-us 20
refused "--progress-us: only polling" --params 1M --layers 4 --progress-us 20 --strategy flat
refused "--progress-us: only polling" --params 1M --layers 4 --progress-us 20 --progress none
refused "unknown option --buckets" $plain --buckets 1M
refused "extra argument 'more'" $plain more
run 20 "$perf" --params 1M --layers 4 --csv "$scratch/--params" --backend sim -n 1
[ $rc = 0 ] && [ -s "$scratch/--params" ]
good "an argument that looks like an option is the argument of the one before"
finish
