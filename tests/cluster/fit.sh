#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The fit of sweeps on the simulated cluster gives back what its links have, 2 us and 12.5 GB/s, within 1 %, through the named algorithm of
# each collective. Without --all with half of the sizes.

. tests/cluster/lib.sh
collperf=${BUILD:-build}/collperf
rows=$(mktemp -d) || exit 1
trap 'rm -rf "$rows"' EXIT
number=0 status=0
factor=4
[ "$1" != --all ] || factor=2

verdict() { # RC WORDS
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		status=1
	fi
}

# Every series of fit.csv is one good line of that model, alpha and B (and the machine's, of sendrecv) near the links'.
near() { # MODEL ALPHA_US BANDWIDTH_GBPS <fit.csv
	awk -F, -v model="$1" -v alpha="$2" -v bandwidth="$3" '
		function off(x, y) { return x == "" || x / y > 1.01 || x / y < 0.99 }
		{ sub(/\r$/, "") }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["part"] == "segment" { print "# split:", $0; bad = 1 }
		$at["part"] == "machine" && $at["origin"] != "sendrecv" { next }
		$at["part"] == "series" && $at["model"] != model { print "# model:", $0; bad = 1 }
		{
			n += $at["part"] == "series"
			wrong = off($at["alpha_us"], alpha) || off($at["bandwidth_GBps"], bandwidth) || $at["verdict"] != "good"
			bad = bad || wrong
			printf "# %s %s: alpha %s us, B %s GB/s, %s%s\n", $at["part"], $at["placement"], $at["alpha_us"], $at["bandwidth_GBps"], $at["verdict"], wrong ? " OFF" : ""
		}
		END { exit bad || n == 0 }'
}

fit() { # COLLECTIVE ALGORITHM MODEL NRANKS
	rm -rf "${rows:?}"/*
	if measure "$1" "$2" "$3" "$4" "$(smallest "$1" "$2" "$4")" 16M $factor; then
		"$collperf" report "$rows/csv" -o "$rows/report" >"$rows/out" 2>&1 && near "$3" 2 12.5 <"$rows/report/fit.csv"
	else
		sed 's/^/# /' "$rows/out" | tail -n 20
		false
	fi
	verdict $? "$1 $2 is $3 of 2 us and 12.5 GB/s, $4 ranks"
}

for nranks in 2 8 32; do
	while read -r collective algorithm model; do
		fit "$collective" "$algorithm" "$model" $nranks
	done <<-END
		sendrecv - p2p
		all_reduce allreduce:lr ring
		all_gather allgather:ring ring
		alltoall alltoall:pair pairwise
	END
done
# The last one's figures are not those of another link: what passes here would pass anything.
! near pairwise 2.1 12.5 <"$rows/report/fit.csv" >"$rows/out" && ! near pairwise 2 12.0 <"$rows/report/fit.csv" >"$rows/out"
verdict $? "another alpha or another B is noticed"
echo "1..$number"
exit $status
