#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# gate.sh [TRIALS]: what the gate sees on this machine with two MPICH ranks. Variants that are equal (nobody may be called slower), and a variant whose
# calls of 1 MiB are 30 % longer (to be found, or called inconclusive, never passed). Launches are interleaved. Needs a quiet machine.

BUILD=${BUILD:-build}
trials=${1:-20}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
sweep="--np 2 --collectives all_reduce -b 1K -e 4M -f 4 --repeat ${REPEAT:-6} --max-time ${MAX_TIME:-0.1} --quiet"

# Microseconds that make 30 % of a call of 1 MiB, and more than a delay of 1 us.
delay() {
	"$BUILD/collperf" run --np 2 --collectives all_reduce -b 1M -e 1M --repeat 3 --quiet -o "$work/look" >/dev/null 2>&1 || return 1
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { sum += $at["time_us"]; n++ } END { printf "%d\n", 0.3 * sum / n + 0.5 }' \
		"$work/look/all_reduce.csv"
}

# Exit codes of the trials, counted: "0:18 4:2".
trial() { # NAME SPEC-OF-B
	local i codes=
	for ((i = 1; i <= trials; i++)); do
		# shellcheck disable=SC2086
		"$BUILD/collperf" ab -A "" -B "$2" $sweep -o "$work/$1$i" >"$work/$1$i.said" 2>"$work/$1$i.err" </dev/null
		codes="$codes $?"
		head -n 1 "$work/$1$i.said"
		rm -rf "${work:?}/$1$i"
	done
	echo "$1: $(tr ' ' '\n' <<<"$codes" | grep . | sort | uniq -c | awk '{ printf "%s%d of exit code %d", n++ ? ", " : "", $1, $2 }')"
	[ "$1" = equal ] && ! grep -q 1 <<<"$codes" || [ "$1" = slower ] && ! grep -qw 0 <<<"$codes"
}

us=$(delay) || exit 1
echo "a call of 1 MiB and 30 % of it: $us us more"
status=0
trial equal "" || status=1
trial slower "--inject delay=1:$us@1M" || status=1
exit $status
