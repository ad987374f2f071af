#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# --pairs over the simulated backend: the table byte for byte, one row a pair, load and size, who is named when a rank is slow, what is refused; and
# what the report makes of such rows.

. tests/cli/lib.sh
perf=$bin/sendrecv_perf
collperf=$bin/collperf

pairs() { # ARGUMENT...
	run 60 "$perf" --backend sim "$@"
}

good() { # WHAT; a condition was just evaluated
	verdict $(($? == 0)) "$1" "$scratch/err" "$scratch/out"
}

refused() { # TEXT ARGUMENT...
	local text=$1

	shift
	run 20 "$@"
	[ $rc = 2 ] && [ ! -s "$scratch/out" ] && head -n 1 "$scratch/err" | grep -qF -e "$text"
	good "exit 2: $text"
}

# Rows
for ranks in 2 3 4 5 8 33; do
	for load in alone all; do
		pairs --sim-ranks $ranks --pairs=$load -b 8 -e 4K -f 512 -n 3 --csv "$scratch/csv"
		[ $rc = 0 ] && csv_cells "$scratch/csv" from to load bytes nranks nnodes points wrong placement | awk -v p=$ranks -v load=$load '
			{ seen[$1, $2, $3, $4]++; if ($1 >= $2 || $2 >= p || $5 != 2 || $6 != 1 || $8 != 0 || $9 != "out-of-place") bad = 1; points = $7 }
			END { n = p * (p - 1); if (load == "all") n *= 2; for (key in seen) if (seen[key] != 1) bad = 1; exit bad || NR != n || points != n }'
		good "$ranks ranks, $load: each pair, load and size once, and points counts them"
	done
done
pairs --sim-ranks 3 --pairs --csv - -b 8 -e 8
[ $rc = 0 ] && ! grep -q '^#' "$scratch/out" && [ "$(lines "$scratch/out")" = 4 ]
good "--csv - leaves the table out"
pairs --sim-ranks 4 --pairs=all -b 8 -e 1K -f 128 -n 2 --dry-run
[ $rc = 0 ] && [ "$(grep -vc '^#' "$scratch/out")" = 2 ]
good "--dry-run lists the sizes"
pairs --sim-ranks 4 --pairs -b 1K -e 1K -n 2 --inject corrupt=2 --csv "$scratch/csv"
[ $rc = 1 ] && [ "$(csv_cells "$scratch/csv" from to wrong | awk '($1 == 2 || $2 == 2) != ($3 > 0)')" = "" ] &&
	[ "$(csv_cells "$scratch/csv" wrong | awk '$1 > 0' | wc -l)" = 3 ]
good "wrong data on a rank are seen in its pairs alone"
# A message of 8 bytes takes alpha and 8 / B, whatever the number of ranks.
pairs --sim-ranks 6 --pairs --sim-alpha 3us --sim-bandwidth 1G -b 1000 -e 1000 -d int8 -n 4 --csv "$scratch/csv"
[ "$(csv_cells "$scratch/csv" time_us algbw_GBps | sort -u)" = "4 0.25" ]
good "an exchange takes as long as one message"

# Names
named() { # RANKS NOISE ARGUMENT...: in how many of 20 seeds exactly this rank was named; anything else spoils it
	local ranks=$1 noise=$2 seed

	shift 2
	hits=0 others=0
	for seed in $(seq 20); do
		pairs --sim-ranks "$ranks" --pairs -b 64K -e 64K --sim-noise "$noise" --seed "$seed" "$@"
		hits=$((hits + $(grep -c '^# rank 1 (host sim) is slow: its' "$scratch/out")))
		others=$((others + $(grep ' is slow: ' "$scratch/out" | grep -vc '^# rank 1 ')))
	done
}
# 5.66 us at 64 KiB: 1.14 us are a fifth.
named 8 3%,3% --inject delay=1:1.14
[ $hits = 20 ] && [ $others = 0 ]
good "a rank that comes a fifth of the time late is named in 20 of 20 ($hits, and $others others)"
named 8 3%,3%
[ $hits = 0 ] && [ $others = 0 ]
good "with nobody late nobody is named in 20 of 20 ($hits and $others)"
for ranks in 3 4; do
	named $ranks 1%,1% --inject delay=1:1.3
	[ $hits = 20 ] && [ $others = 0 ]
	good "$ranks ranks: the one that is late is named ($hits, and $others others)"
done
pairs --sim-ranks 2 --pairs -b 64K -e 64K --inject delay=1:5
[ $rc = 0 ] && ! grep -q ' is slow: ' "$scratch/out" && grep -q '^# two ranks are one pair: .* nobody can be called slow' "$scratch/out"
good "2 ranks: nobody is named, and why is said"
for ranks in 2 3; do
	pairs --sim-ranks $ranks --pairs=all -b 8 -e 8
	[ $rc = 0 ] && grep -q ' once more at 8 B' "$scratch/out" && ! grep -q 'others exchange\|at a time\|at once at' "$scratch/out"
	good "$ranks ranks: there are no others that exchange"
done
pairs --sim-ranks 4 --pairs=all -b 8 -e 8
grep -q '^# while others exchange too a pair takes 1 times' "$scratch/out" && grep -q '^# then 2 at a time, in 3 rounds' "$scratch/out"
good "4 ranks: there are"
pairs --sim-ranks 17 --pairs -b 8 -e 8 -n 2
[ $rc = 0 ] && ! grep -q '^# rank  ' "$scratch/out"
good "matrices of more than 16 ranks are left to the CSV"

# Lateness is of a pair, and of a group.
pairs --sim-ranks 8 --pairs=all -b 8 -e 4M -f 524288 --sim-noise 3%,1% --inject delay=3:20 --csv "$scratch/late.csv"
[ "$(csv_cells "$scratch/late.csv" from to flags | awk '$0 ~ / late/ { n++; if ($1 != 3 && $2 != 3) bad = 1 } END { print n + 0, bad + 0 }')" = "28 0" ]
good "who exchanges beside a late rank is not late"
run 20 "$perf" --backend sim --sim-ranks 4 --split 'MOD 2' -b 8 -e 8 --inject delay=3:20 --csv "$scratch/late.csv"
[ "$(csv_cells "$scratch/late.csv" group flags | awk '$0 ~ / late/ { print $1 }' | sort -u)" = 1 ]
good "nor is another group"

# Refusals
refused "--pairs: only sendrecv_perf has pairs of ranks" "$bin/all_reduce_perf" --backend sim --pairs
refused "--pairs: 'some' is not one of alone, all" "$perf" --backend sim --pairs=some
refused "extra argument 'all'" "$perf" --backend sim --pairs all
refused "--pairs: with --split" "$perf" --backend sim --pairs --split 'MOD 2'
refused "--pairs: every exchange is timed alone" "$perf" --backend sim --pairs --timing loop
refused "--pairs: a barrier" "$perf" --backend sim --pairs --sync barrier
refused "--pairs has a table of its own" "$perf" --backend sim --pairs --format wide
refused "--pairs: the table has no columns for -I" "$perf" --backend sim --pairs -I 1
pairs --sim-ranks 1 --pairs -b 8 -e 8
[ $rc = 77 ] && grep -q -- '--pairs: one rank makes no pair' "$scratch/err"
good "exit 77: one rank"
run 20 "$perf" --help
grep -q -- '--pairs\[=WHICH\]' "$scratch/out"
good "--help shows that the argument may be left out"

# The report
mkdir "$scratch/run"
pairs --sim-ranks 6 --pairs=all -b 8 -e 64K -f 8192 --sim-noise 0,1% --inject delay=4:2 --csv "$scratch/run/pairs.csv" --facts "$scratch/run/run.json"
run 60 "$collperf" report "$scratch/run"
[ $rc = 0 ] && grep -q '^pairs     latency of 15 pairs alone at 8 B' "$scratch/out"
good "a directory with pairs alone has a report"
out=$scratch/run/report
grep '^- \*\*' "$out/report.md" | head -n 1 | grep -q '^- \*\*warning\*\* pairs: rank 4 .* is slow: ' &&
	[ "$(grep -c '^- .*20 of 60 points have a rank that kept coming late' "$out/report.md")" = 1 ]
good "the slow rank is the first finding"
[ "$(lines "$out/pairs_latency.csv")" = 13 ] && [ "$(lines "$out/pairs_bandwidth.csv")" = 13 ] &&
	csv_cells "$out/pairs_latency.csv" load bytes rank time_us_0 time_us_4 | tr -d '\r' | awk '$1 == "alone" && $3 == 0 { exit !($2 == 8 && NF == 4 && $4 > 6.5) }'
good "matrices as CSV: a line a rank and load"
grep -q 'pairs: rank 4 (host sim) is slow: its 5 pairs take 1.[34]' "$out/index.html" && grep -q 'rank 4 .*is slow' "$out/report.md" &&
	[ "$(grep -c '<svg' "$out/index.html")" = 4 ] && ! grep -q '<image' "$out/index.html"
good "the page names the rank and has four maps"
for name in pairs_latency pairs_bandwidth pairs_all_latency pairs_all_bandwidth; do
	[ -s "$out/$name.svg" ] && [ -s "$out/$name.png" ] && [ "$(grep -vc '^#' "$out/$name.dat")" = 30 ]
	good "$name is drawn, a place a pair and direction"
done
[ "$(lines "$out/bounds.csv")" = 1 ] && [ "$(lines "$out/fit.csv")" = 1 ]
good "no bound and no fit is of pairs"
# Beside a sweep they change nothing of it.
run 30 "$perf" --backend sim --sim-ranks 6 -b 8 -e 64K -f 2 --csv "$scratch/run/sendrecv.csv"
run 60 "$collperf" report "$scratch/run"
cp "$out/bounds.csv" "$scratch/with.csv"
cp "$out/fit.csv" "$scratch/with.fit"
rm "$scratch/run/pairs.csv"
run 60 "$collperf" report "$scratch/run"
cmp -s "$out/bounds.csv" "$scratch/with.csv" && cmp -s "$out/fit.csv" "$scratch/with.fit" && [ ! -e "$out/pairs_latency.svg" ] && [ ! -e "$out/pairs_latency.csv" ]
good "pairs change no bound and no fit of a sweep; old maps do not stay"
# Rows that are no pairs, though they say so.
head -n 2 "$scratch/csv" >"$scratch/bad.csv"
for change in 's/,alone,/,some,/' 's/,0,5,alone,/,5,0,alone,/' 's/,0,5,alone,/,,5,alone,/' 's/,0,5,alone,/,0,70000,alone,/'; do
	sed "2$change" "$scratch/bad.csv" >"$scratch/worse.csv"
	run 20 "$collperf" report "$scratch/worse.csv" -o "$scratch/worse"
	[ $rc = 3 ] && grep -qE 'column (load|from|to): ' "$scratch/err"
	good "no pair: $change"
done
finish
