#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# collperf explain: known answers on the terminal, what fits in 100 columns, the page, JSON, and what is refused.

. tests/cli/lib.sh
cd "$scratch" || exit 1

# $? of what went before: 0 is well.
told() { # WHAT
	verdict $(($? == 0)) "$1" out err
}

explain() { # WANTED-RC WHAT WORDS...
	local wanted=$1 what=$2
	shift 2
	run 60 "$bin/collperf" explain "$@"
	[ "$rc" = "$wanted" ]
	told "$what"
}

holds() { # WORDS WHAT
	grep -qF -- "$1" out
	told "$2"
}

refused() { # WORDS-OF-THE-LINE WHAT WORDS...
	local line=$1 what=$2
	shift 2
	explain 2 "$what" "$@"
	[ "$(lines err)" = 1 ] && [ ! -s out ] && grep -qF -- "$line" err
	told "$what: one line that says so"
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
explain 0 "recursive doubling" all_gather --algo recdbl && holds "for p = 2^k      L alpha" "its cost, for powers of two"
explain 0 "one rank" all_gather --np 1 && holds "nothing to send" "has nothing to send"
explain 0 "64 ranks" all_reduce --np 64 && holds "rounds like these are left out" "are not all shown" && [ "$(wc -l <out)" -lt 250 ]
told "and stay readable"

# --- what is asked for by name
explain 0 "alltoallv" alltoallv
holds "rank 1          3       2       0       1        6" "how large its blocks are"
holds "rank 3   30 31 32 | 33 | 34 35 | -   - | 15 | 24 25 | -" "its buffers, with empty blocks"
holds "rank 1       -         -                             3      13 14          -         33" "an empty block is not sent"
holds "rank 0               3       12      1/4         2          9       36      3/4         3" "what the busiest rank moves"
holds "Rank 0 is the busiest: it gets 9 numbers" "that it bounds the time" && holds "4.5 numbers each; this is 2" "by how much"
explain 0 "alltoallv, skewed" alltoallv --skew 0.5 --np 8
holds "for even blocks  (p-1) alpha + (p-1)/p S beta" "what even blocks would cost"
holds "rank 7          9       1       1" "has large blocks for rank 0" && holds "counted, p = 8   7 alpha + 7/8 S beta" "its cost"
explain 0 "alltoallv, all to rank 0" alltoallv --skew 1 --np 3
holds "in all               4       16      2/3         2" "sends nothing else"
explain 0 "alltoallv, one number each" alltoallv --np 3 --data "1|2|;3||;|4|5" && holds "it would be 1 number each; this is 2" "and so it says"
explain 0 "alltoallv with numbers" alltoallv --np 3 --data "1 2 3|4|;5||6 7;|8 9 10|"
holds "counted, p = 3   2 alpha + 5/4 S beta" "its cost, counted" && holds "for even blocks  (p-1) alpha" "what it were for even blocks"
holds "As each round waits for its largest block, it is 5/4 S beta" "what rounds in step cost"
explain 0 "barrier" barrier --np 6
holds "Round 3 of 3" "has ceil(log2 p) rounds" && holds "empty message from 5: 4-5      *0-1,4-5" "who has heard of whom"
holds "*[0-5]" "who may leave" && holds "in all               0        0        0        18" "moves no bytes"
holds "counted, p = 6   3 alpha" "costs latency alone"
explain 0 "hypercube" hypercube --np 8
holds "Round 3 of 3" "has log2 p rounds" && holds "blocks 0-3 to 4" "swaps all that it has" && holds "3 alpha + S beta" "its cost"

wide=0
for what in "all_reduce" "all_reduce --np 64" "alltoall --algo bruck --np 16" "gather --algo ring --np 33" "reduce --algo rs_gather --np 5" \
	"alltoallv --np 64" "alltoallv --skew 0.5 --np 9" "alltoallv --skew 0.9 --np 64" "barrier --np 33" "hypercube --np 16" \
	"broadcast --data 1000000,2000000,3000000,4000000,5000000,6000000,7000000,8000000 --algo binomial"; do
	# shellcheck disable=SC2086
	"$bin/collperf" explain $what >out 2>err || wide=1
	[ "$(wc -L <out)" -le 100 ] || wide=1
done
[ $wide = 0 ]
told "all fits in 100 columns"

# --- page and JSON
explain 0 "a page and JSON" all_reduce --html page.html --json page.json
[ ! -s out ] && [ "$(grep -c 'type="radio"' page.html)" = 7 ] && [ "$(grep -c 'class="panel p' page.html)" = 7 ]
told "a step for the start and each round"
! grep -qE '<script|https?://|src=|<link|url\(' page.html
told "nothing is loaded, no script"
grep -qF '4 + 9 = <b>13</b>' page.html
told "sums are written out"
json_is page.json '$d->{cost}{holds} eq "for every p" && $d->{cost}{letters}{p} == 4 && keys %{$d->{cost}{letters}} == 1'
told "and for which p"
grep -q '"counted": "6 alpha + 3/2 S beta + 3/4 S gamma"' page.json && grep -q '"exact": true' page.json
told "JSON says the cost"
explain 0 "JSON of two trees" broadcast --algo two_tree --np 12 --segments 3 --json trees.json
json_is trees.json '$d->{segments} == 6 && $d->{items} == 6 && $d->{cost}{letters}{m} == 3 && $d->{cost}{letters}{d} == 1 && $d->{cost}{rounds} == 11'
told "one meaning of segments" && json_is trees.json '$d->{cost}{exact} && $d->{cost}{holds} eq "for p > 2"'
told "its formula is exact"
explain 0 "JSON of recursive doubling" all_gather --algo recdbl --np 8 --json recdbl.json
json_is recdbl.json '$d->{cost}{exact} && $d->{cost}{holds} eq "for p = 2^k" && $d->{cost}{letters}{L} == 3'
told "says that p is a power of two"
explain 0 "JSON of one rank" broadcast --algo two_tree --np 1 --json one.json
json_is one.json '$d->{cost}{rounds} == 0 && !exists $d->{cost}{formula} && !exists $d->{cost}{exact}'
told "has no formula"
explain 0 "JSON of whole numbers" reduce --np 2 --op prod --data "94906265;94906265" --json whole.json
grep -q 9007199136250225 whole.json
told "has all of their digits"
explain 0 "a page of uneven blocks" alltoallv --html uneven.html --json uneven.json
[ "$(grep -c 'class="panel p' uneven.html)" = 4 ] && grep -qF 'How large blocks are' uneven.html && grep -qF 'Rank 0 is the busiest' uneven.html
told "shows them, and the busiest rank"
json_is uneven.json '$d->{blocks}[1][2] == 0 && $d->{busiest}{rank} == 0 && $d->{busiest}{numbers} == 9 && @{$d->{messages}} == 9'
told "so does JSON"
explain 0 "a page of a barrier" barrier --html barrier.html --json barrier.json
grep -qF 'rank 0 sends an empty message (has heard of 0,3) to rank 2' barrier.html && ! grep -qE 'nan|inf|Infinity' barrier.html barrier.json
told "says what its messages tell"
json_is barrier.json '$d->{cost}{wire_share} == 0 && $d->{cost}{exact} && @{$d->{messages}} == 8 && !grep { @{$_->{items}} || $_->{reduces} } @{$d->{messages}}'
told "its messages carry nothing"
explain 0 "a page of a hypercube" hypercube --html cube.html
[ "$(grep -c 'class="panel p' cube.html)" = 3 ] && ! grep -qE '<script|https?://|src=|<link|url\(' cube.html uneven.html barrier.html
told "has a step for each round, and no script"
# Labels of arrows, whose letters are about 6 wide and 10 high, against circles, each other and the edge.
labels_are_clear() { # PAGE
	perl -0777 -ne 'sub far { my ($d, $half) = @_; $d = abs $d; $d > $half ? $d - $half : 0 }
		while (m|<svg viewBox="0 0 (\d+) (\d+)"(.*?)</svg>|gs) {
			my ($side, $svg, @circles, @labels) = ($1, $3);
			push @circles, [$1, $2, $3] while $svg =~ /<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"/g;
			push @labels, [$1, $2 - 4, 3 * length $3] while $svg =~ /class="label" x="([-\d.]+)" y="([-\d.]+)">([^<]*)</g;
			for my $l (@labels) {
				$count++;
				$bad++ if $l->[0] < $l->[2] || $l->[0] + $l->[2] > $side;
				for (@circles) { $bad++ if far($_->[0] - $l->[0], $l->[2])**2 + far($_->[1] - $l->[1], 5)**2 < $_->[2]**2 }
				for (@labels) { $bad++ if $_ != $l && far($_->[0] - $l->[0], $l->[2] + $_->[2]) == 0 && far($_->[1] - $l->[1], 10) == 0 }
			}
		}
		END { exit($bad || !$count) }' "$1"
}
clear=1
for what in "reduce --algo rs_gather --np 8" "alltoall --algo bruck --np 5" "hypercube --np 8" "all_reduce --algo rabenseifner --np 7" \
	"alltoallv --np 7 --skew 0.8" "broadcast --algo two_tree --np 8 --segments 3"; do
	# shellcheck disable=SC2086
	"$bin/collperf" explain $what --html label.html 2>err && labels_are_clear label.html || { clear=0 && echo "$what" >err; }
done
[ $clear = 1 ]
told "labels lie beside circles and each other"
explain 0 "many segments" reduce --algo two_tree --np 33 --segments 300
holds "Round 8 of 609; of 600 segments those that move" "columns are those that move" && holds "*1794" "and what changed is marked"
holds "then holds of segment" "a head of narrow columns is of all"
explain 0 "a page of many segments" reduce --algo two_tree --np 33 --segments 300 --html segments.html
[ "$(grep -c 'those that move in this round are shown' segments.html)" -ge 30 ] && grep -qF '<th>segment 593</th>' segments.html
told "shows those that move"
explain 0 "many columns of one" alltoallv --np 33 --skew 0.9 && holds "the first 3 that move" "large blocks are cut, so that some fit"
explain 0 "a page of many ranks" alltoall --np 64 --html many.html
[ "$(wc -c <many.html)" -lt 2000000 ] && grep -q "rounds 34 are shown" many.html
told "says what it left out"
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
refused "for 5 ranks, only for 1, 2, 4, 8, 16, 32, 64" "an algorithm for powers of two" all_gather --algo recdbl --np 5
refused "come too near to 0" "a product that vanishes" reduce --op prod --np 64 --data "$(printf '1e-15;%.0s' {1..64})"

refused "needs a power of two of ranks" "a hypercube of six" hypercube --np 6
refused "nobody to exchange with" "a hypercube of one" hypercube --np 1
refused "is not a number from 0 to 1" "a skew beyond 1" alltoallv --skew 1.01
refused "is not a number from 0 to 1" "a skew that is none" alltoallv --skew 0x1
refused "all_reduce has even blocks" "a skew of even blocks" all_reduce --skew 0.5
refused "give one" "a skew and numbers" alltoallv --skew 0.5 --data "1|2;3|4"
refused "carries no data" "numbers of a barrier" barrier --np 2 --data "1;2"
refused "reduces nothing" "an operation of a barrier" barrier --op sum
refused "rank 1 has more blocks than 2" "too many blocks" alltoallv --np 2 --data "1|2;3|4|5"
refused "all blocks are empty" "blocks of nothing" alltoallv --np 2 --data "|;|"

finish
