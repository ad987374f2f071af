#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# What collperf report finds in runs as they are made: nothing in simulated ones without noise and with a little, and each oddity that is put
# into their rows.

. tests/cli/lib.sh
collperf=$bin/collperf

# $scratch/out: the levels and texts, without what is true of every simulation. Nothing is drawn.
report() { # DIR...
	PATH=$scratch/nowhere "$collperf" report "$@" -o "$scratch/report" >"$scratch/out" 2>"$scratch/err"
	rc=$?
	[ $rc = 0 ] || return
	sed -n 's/^- \*\*\(error\|warning\|note\)\*\* /\1 /p' "$scratch/report/report.md" |
		grep -vE 'are simulated, not measured|without a data check' | tr -d '\\' | sed "s/&#39;/'/g" >"$scratch/out"
}

simulate() { # DIR WORDS...
	dir=$1
	shift
	"$collperf" run --backend sim --np 8 -o "$dir" --quiet -b 8 -e 32M -f 2 -n 10 "$@" >"$scratch/said" 2>&1
}

found() { # WORDS WHAT
	grep -qF -- "$1" "$scratch/out"
	verdict $((!$?)) "$2" "$scratch/out" "$scratch/err"
}

nothing() { # LEVELS WHAT
	[ $rc = 0 ] && ! grep -E "^($1) " "$scratch/out" >"$scratch/bad"
	verdict $((!$?)) "$2" "$scratch/bad" "$scratch/err"
}

# A copy of the clean run whose FILE is what awk makes of it; c["time_us"] is the column's number.
change() { # DIR PRIMITIVE AWK
	cp -R "$scratch/clean" "$scratch/$1"
	awk -F, -v OFS=, "NR == 1 { for (i = 1; i <= NF; i++) c[\$i] = i; print; next }
		function slower(by) { for (i = c[\"time_us\"]; i <= c[\"rank_time_max_us\"]; i++) if (i != c[\"time_stddev_us\"]) \$i *= by
			\$c[\"busbw_GBps\"] /= by; \$c[\"algbw_GBps\"] /= by }
		$3 { print }" "$scratch/clean/$2.csv" >"$scratch/$1/$2.csv"
	report "$scratch/$1"
}

simulate "$scratch/clean" --seed 1
verdict $((!$?)) "a simulated run of all primitives" "$scratch/said"
report "$scratch/clean"
nothing 'error|warning|note' "nothing is found in it"
for seed in 2 3 4 5; do
	simulate "$scratch/noisy$seed" --sim-noise 2%,2% --seed "$seed"
	report "$scratch/noisy$seed"
	nothing 'error|warning' "nor any warning with 2 % of noise, seed $seed"
done

change cliff all_gather '$c["bytes"] == 65536 { slower(2) }'
found "warning all_gather (out-of-place, 8 ranks, float): a cliff at 64 KiB: " "a cliff"
found "cliff/all_gather.csv, point " "with its file and point"
change step alltoall '$c["bytes"] >= 65536 { slower(3) }'
found "a step from 32 KiB to 64 KiB that lasts" "a step"
change start sendrecv '$c["bytes"] <= 32 { slower(2) }'
found "3 of 23 sizes are slower than a larger one" "small sizes slower than larger ones"
change apart gather '$c["placement"] == "in-place" { slower(1.28) }'
found "in-place and out-of-place are over 20 % apart at 14 of 14 sizes" "placements apart"
change slow reduce '{ slower(4) }'
found "is slower than all_reduce at " "a guideline"
change meet reduce_scatter '{ slower(2) }'
found "all_reduce and reduce_scatter (out-of-place, 8 ranks, float sum) do not meet" "all_reduce and reduce_scatter apart"
change rank all_reduce '{ $c["slowest_rank"] = 5; $c["rank_time_avg_us"] /= 1.3 }'
found "note rank 5 (host sim) of 8 is the slowest in 20 of 20 rows of all_reduce from 64 KiB on, by 30 %" "a slow rank in one primitive alone"
for file in all_gather alltoall reduce_scatter sendrecv all_reduce; do
	change rank2 $file '{ $c["slowest_rank"] = 5; $c["rank_time_avg_us"] /= 1.3 }' >/dev/null
	cp "$scratch/rank2/$file.csv" "$scratch/rank/"
	rm -r "$scratch/rank2"
done
report "$scratch/rank"
found "note rank 5 (host sim) of 8 is the slowest in 100 of 100 rows from 64 KiB on, by 30 %" "one rank that is always the slowest, with its host"
[ "$(grep -c 'is the slowest in' "$scratch/out")" = 1 ]
verdict $((!$?)) "which is said once" "$scratch/out"
change imported gather '{ $c["flags"] = "imported rates" }'
found "have rates that do not agree" "rates that disagree"
found "are from another tool's log" "imported rows"
change wrong gather 'NR == 5 { $c["wrong"] = 3 } 1'
verdict $((rc == 1)) "wrong data is the exit code"
report "$scratch/clean" "$scratch/noisy2"
found "comparisons rest on one launch of a side" "comparisons of one launch"

# Facts of many launches are more than are shown.
mkdir "$scratch/long"
cp "$scratch/clean/gather.csv" "$scratch/long/"
perl -e 'print "{\"launches\": [", join(", ", map { "{\"collective\": \"gather\", " . join("", map { "\"k$_\": 1, " } 1 .. 20) .
	"\"status\": \"" . ($_ == 150 ? "killed" : "ok") . "\"}" } 1 .. 160), "]}\n"' >"$scratch/long/run.json"
report "$scratch/long"
found "error 1 of 160 launches did not end well (first: gather, killed)" "a launch that failed behind a thousand facts"
finish
