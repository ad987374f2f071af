#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# collperf explain: known answers on the terminal, what fits in 100 columns, the page, JSON, and what is refused.

collperf=$(cd "${BUILD:-build}" && pwd)/collperf || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
number=0 status=0

verdict() { # RC WHAT
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		sed 's/^/# /' out err 2>/dev/null | head -n 20
		status=1
	fi
}

explain() { # WANTED-RC WHAT WORDS...
	local wanted=$1 what=$2 rc
	shift 2
	"$collperf" explain "$@" >out 2>err </dev/null
	rc=$?
	[ $rc = "$wanted" ]
	verdict $? "$what"
}

holds() { # WORDS WHAT
	grep -qF -- "$1" out
	verdict $? "$2"
}

refused() { # WORDS-OF-THE-LINE WHAT WORDS...
	local line=$1 what=$2
	shift 2
	explain 2 "$what" "$@"
	[ "$(wc -l <err)" = 1 ] && [ ! -s out ] && grep -qF -- "$line" err
	verdict $? "$what: one line that says so"
}

# --- the terminal
explain 0 "a list" && holds "ring* binomial" "it names algorithms and the default"
explain 0 "all_reduce" all_reduce --algo ring --np 4
holds "rank 0   0 1 2 3    6 10 14 18" "its buffers"
holds "rank 0 has block 1 = 10, rank 1 has block 2 = 14, rank 2 has block 3 =" "what its first half leaves where"
holds "Round 6 of 6: all-gather" "its rounds"
holds "every rank           6       24      3/2         6          6       24      3/2         6" "what each rank moves"
holds "counted, p = 4   6 alpha + 3/2 S beta + 3/4 S gamma" "its cost, counted"
holds "for every p      2(p-1) alpha + 2(p-1)/p S beta + (p-1)/p S gamma" "its cost, for every p"
explain 0 "reduce_scatter" reduce-scatter --data "1 2 3 4;10 20 30 40;100 200 300 400;1000 2000 3000 4000"
holds "1111" "its first block" && holds "4444" "its last block"
explain 0 "a plain name" allreduce --algo recursive_doubling --op max && holds "all_reduce by recdbl on p = 4 ranks, max" "is understood"
explain 0 "a root" broadcast --root 2 --algo ring_pipe --segments 3 && holds "Round 5 of 5" "a pipeline of three segments"
explain 0 "one rank" all_gather --np 1 && holds "nothing to send" "has nothing to send"
explain 0 "64 ranks" all_reduce --np 64 && holds "rounds like these are left out" "are not all shown" && [ "$(wc -l <out)" -lt 250 ]
verdict $? "and stay readable"

wide=0
for what in "all_reduce" "all_reduce --np 64" "alltoall --algo bruck --np 16" "gather --algo ring --np 33" "reduce --algo rs_gather --np 5" \
	"broadcast --data 1000000,2000000,3000000,4000000,5000000,6000000,7000000,8000000 --algo binomial"; do
	# shellcheck disable=SC2086
	"$collperf" explain $what >out 2>err || wide=1
	[ "$(wc -L <out)" -le 100 ] || wide=1
done
verdict $wide "all fits in 100 columns"

# --- page and JSON
explain 0 "a page and JSON" all_reduce --html page.html --json page.json
[ ! -s out ] && [ "$(grep -c 'type="radio"' page.html)" = 7 ] && [ "$(grep -c 'class="panel p' page.html)" = 7 ]
verdict $? "a step for the start and each round"
! grep -qE '<script|https?://|src=|<link|url\(' page.html
verdict $? "nothing is loaded, no script"
grep -qF '4 + 9 = <b>13</b>' page.html
verdict $? "sums are written out"
grep -q '"counted": "6 alpha + 3/2 S beta + 3/4 S gamma"' page.json && grep -q '"exact": true' page.json
verdict $? "JSON says the cost"
explain 0 "a page of many ranks" alltoall --np 64 --html many.html
[ "$(wc -c <many.html)" -lt 2000000 ] && grep -q "rounds 34 are shown" many.html
verdict $? "says what it left out"
explain 3 "a page that cannot be written" all_reduce --html none/page.html

# --- refused
refused "there are: linear ring" "an unknown algorithm" broadcast --algo butterfly
refused "there are: broadcast scatter" "an unknown primitive" all_reduction
refused "rank 1 has 3 numbers" "a short row" all_reduce --np 2 --data "1 2;3 4 5"
refused "all_gather has no root" "a root where there is none" all_gather --root 1
refused "reduces nothing" "an operation where there is none" all_gather --op sum
refused "there is no such rank" "a root that is no rank" broadcast --root 4
refused "from 1 to 64" "too many ranks" broadcast --np 65
refused "no pipeline" "segments of no pipeline" all_reduce --segments 2
refused "unknown option" "an unknown option" all_reduce --nope
refused "one primitive at a time" "two primitives" all_reduce reduce
refused "needs a primitive" "no primitive" --np 3
refused "none of sum, prod, max, min" "an unknown operation" reduce --op avg
refused "recdbl" "an algorithm for powers of two" all_gather --algo recdbl --np 3

echo "1..$number"
exit $status
