# SPDX-License-Identifier: Apache-2.0
#
# Reckons every row of a CSV of the simulated backend anew, from alpha, bandwidth and gamma of the command line, without a line of the program's
# code: size, count, time of the ring-like model, algbw, busbw. Exits 1 with the rows that differ. Variables: primitive p a B g E (bytes of an element) points.

function floor(x) { return int(x) }

function differs(got, want, what) {
	if ((got - want) * (got - want) <= 1e-16 * want * want)
		return 0
	print what " is " got ", should be " want ": " $0
	return 1
}

# A chain of ranks that pass the message on in m pieces: the best whole m.
function pipe(S, b,    m, best, t) {
	if (p == 1)
		return 0
	best = -1
	for (m = 1; m <= S && m <= 4096; m++) {
		t = (p - 2 + m) * (a + S * b / m)
		if (best < 0 || t < best)
			best = t
	}
	return best
}

function time(S,    b, q) {
	b = 1 / B
	q = (p - 1) / p
	if (p == 1)
		return 0
	if (primitive == "all_reduce")
		return 2 * (p - 1) * a + 2 * q * S * b + q * S * g
	if (primitive == "reduce_scatter")
		return (p - 1) * a + q * S * (b + g)
	if (primitive == "sendrecv")
		return a + S * b
	if (primitive == "broadcast")
		return pipe(S, b)
	if (primitive == "reduce")
		return pipe(S, b + g)
	return (p - 1) * a + q * S * b
}

BEGIN {
	FS = ","
	split_up = primitive ~ /^(all_gather|reduce_scatter|alltoall|gather|scatter)$/
	factor = primitive == "all_reduce" ? 2 * (p - 1) / p : split_up ? (p - 1) / p : 1
}

NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }

{
	rows++
	S = $at["bytes_requested"]
	if (split_up) {
		block = floor(S / E / p)
		block -= block % (16 / E)
		S = block * E * p
		bad += differs($at["count"], block, "count")
		if (block == 0) { print "a row without data: " $0; bad++ }
	} else {
		S = floor(S / E) * E
		bad += differs($at["count"], S / E, "count")
	}
	bad += differs($at["bytes"], S, "bytes")
	t = time(S) * 1e6
	names = "time_us time_ci_low_us time_ci_high_us time_min_us time_mean_us time_p95_us time_p99_us time_max_us rank_time_min_us rank_time_avg_us rank_time_max_us"
	n = split(names, name, " ")
	for (i = 1; i <= n; i++)
		bad += differs($at[name[i]], t, name[i])
	if ($at["time_stddev_us"] > 1e-9 * t) { print "stddev without noise: " $0; bad++ }
	bad += differs($at["algbw_GBps"], S / t / 1e3, "algbw")
	bad += differs($at["busbw_GBps"], S / t / 1e3 * factor, "busbw")
	if ($at["nranks"] != p || $at["collective"] != primitive || $at["sync"] != "clock" || $at["flags"] !~ /simulated/) {
		print "who and how: " $0
		bad++
	}
	if (S <= 1048576 ? $at["wrong"] != "0" : $at["wrong"] != "" || $at["flags"] !~ /unchecked/) { print "wrong data: " $0; bad++ }
	if ($at["point"] != rows || $at["points"] != points) { print "point of points: " $0; bad++ }
}

END {
	if (rows == 0 || rows != points) { print rows + 0 " rows instead of " points; bad++ }
	exit bad > 0
}
