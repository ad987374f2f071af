#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# overhead.sh [LAUNCHES]: what the harness adds to a time. Ours and the bare loop (and OSU's and Intel's programs where OSU_DIR or
# IMB_DIR names their directories) measure the same calls on two ranks in interleaved launches, A B B A; a launch is the unit, so a
# line shows the median of the ratios of neighbouring launches, its nonparametric 95 % interval, and the spread between launches.

BUILD=${BUILD:-build}
launches=${1:-10}
[ "$launches" -ge 10 ] || { echo "overhead.sh: at least ten launches" >&2; exit 2; }
data=$BUILD/bench/overhead.txt
csv=$BUILD/bench/overhead.csv
: >"$data"

two_ranks() {
	timeout -k 5 120 mpiexec -n 2 "$@" </dev/null
}

ours() { # COLLECTIVE BYTES CALLS TIMING
	two_ranks "$BUILD/$1_perf" -b "$2" -e "$2" -n "$3" -w 5 -c 0 --timing "$4" --csv "$csv" >/dev/null &&
		awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			$at["placement"] == "out-of-place" { print $at["time_us"] }' "$csv"
}

raw() { # COLLECTIVE BYTES CALLS TIMING
	two_ranks "$BUILD/bench/rawloop" "$1" "$2" "$3" "$4" 5 | awk '{ print $4 }'
}

# Both count an all-to-all's bytes per peer.
peer_bytes() { # COLLECTIVE BYTES
	[ "$1" = alltoall ] && echo $(($2 / 2)) || echo "$2"
}

osu() { # COLLECTIVE BYTES CALLS
	case $1 in
	all_reduce) program=osu_allreduce ;;
	broadcast) program=osu_bcast ;;
	*) program=osu_alltoall ;;
	esac
	bytes=$(peer_bytes "$1" "$2")
	two_ranks "$OSU_DIR/$program" -m "$bytes:$bytes" -i "$3" -x 5 | awk -v bytes="$bytes" '$1 == bytes { print $2 }'
}

imb() { # COLLECTIVE BYTES CALLS
	case $1 in
	all_reduce) program=Allreduce ;;
	broadcast) program=Bcast ;;
	*) program=Alltoall ;;
	esac
	bytes=$(peer_bytes "$1" "$2")
	echo "$bytes" >"$BUILD/bench/imb-lengths"
	two_ranks "$IMB_DIR/IMB-MPI1" $program -npmin 2 -iter "$3" -iter_policy off -msglen "$BUILD/bench/imb-lengths" |
		awk -v bytes="$bytes" '$1 == bytes && NF >= 5 { print $5 }'
}

note() { # COLLECTIVE BYTES VARIANT TIME
	[ -n "$4" ] || { echo "overhead.sh: $3, $1, $2 bytes: no time" >&2; exit 1; }
	echo "$@" >>"$data"
}

launch() { # VARIANT COLLECTIVE BYTES CALLS
	case $1 in
	ours-*) note "$2" "$3" "$1" "$(ours "$2" "$3" "$4" "${1#*-}")" ;;
	raw-*) note "$2" "$3" "$1" "$(raw "$2" "$3" "$4" "${1#*-}")" ;;
	osu) note "$2" "$3" osu "$(osu "$2" "$3" "$4")" ;;
	imb) note "$2" "$3" imb "$(imb "$2" "$3" "$4")" ;;
	esac
}

there="ours-sync raw-sync raw-loop ours-loop${OSU_DIR:+ osu}${IMB_DIR:+ imb}"
back=
for variant in $there; do
	back="$variant $back"
done

round=0
while [ $round -lt "$launches" ]; do
	[ $((round % 2)) = 0 ] && order=$there || order=$back
	for size in 8:20000 65536:2000 4194304:300; do
		for collective in all_reduce broadcast alltoall; do
			bytes=${size%:*}
			# 16 bytes per peer is the least that an all-to-all is measured with.
			[ "$collective$bytes" != alltoall8 ] || bytes=32
			for variant in $order; do
				launch "$variant" "$collective" "$bytes" "${size#*:}"
			done
		done
	done
	round=$((round + 1))
done

echo "# $launches interleaved launches of each; median of ours / theirs with its 95 % interval; CoV between launches"
awk '
	function sorted(values, n, out,   i, j, v) {
		for (i = 1; i <= n; i++) {
			v = values[i]
			for (j = i - 1; j >= 1 && out[j] > v; j--)
				out[j + 1] = out[j]
			out[j + 1] = v
		}
	}
	function median(values, n,   s) { sorted(values, n, s); return (s[int((n + 1) / 2)] + s[int(n / 2) + 1]) / 2 }
	function cov(values, n,   i, mean, square) {
		for (i = 1; i <= n; i++)
			mean += values[i] / n
		for (i = 1; i <= n; i++)
			square += (values[i] - mean) ^ 2 / (n - 1)
		return 100 * sqrt(square) / mean
	}
	# The rank k so that [k, n + 1 - k] covers the median with at least 95 %.
	function low_rank(n,   k, tail, term) {
		term = 0.5 ^ n
		for (k = 0; tail + term <= 0.025; k++) {
			tail += term
			term *= (n - k) / (k + 1)
		}
		return k
	}
	function compare(point, mine, other, name,   i, n, a, b, ratio, s, k, word) {
		n = count[point, mine]
		if (n == 0 || count[point, other] != n)
			return
		for (i = 1; i <= n; i++) {
			a[i] = time[point, mine, i]
			b[i] = time[point, other, i]
			ratio[i] = a[i] / b[i]
		}
		sorted(ratio, n, s)
		k = low_rank(n)
		split(point, word, SUBSEP)
		printf "%-10s %8s  %-14s %10.2f %10.2f  %6.3f [%.3f, %.3f] %7.1f %% %7.1f %%\n", word[1], word[2], name, \
			median(a, n), median(b, n), median(ratio, n), s[k], s[n + 1 - k], cov(a, n), cov(b, n)
	}
	{
		point = $1 SUBSEP $2
		if (!(point in seen)) {
			seen[point] = 1
			points[++npoints] = point
		}
		time[point, $3, ++count[point, $3]] = $4
	}
	END {
		printf "%-10s %8s  %-14s %10s %10s  %-22s %9s %9s\n", "collective", "bytes", "ours/theirs", "ours us", "theirs us", \
			" ratio", "ours CoV", "theirs"
		for (p = 1; p <= npoints; p++) {
			compare(points[p], "ours-sync", "raw-sync", "sync/sync")
			compare(points[p], "ours-loop", "raw-loop", "loop/loop")
			compare(points[p], "ours-sync", "raw-loop", "sync/loop")
			compare(points[p], "ours-loop", "osu", "loop/osu")
			compare(points[p], "ours-loop", "imb", "loop/imb")
		}
	}' "$data"
