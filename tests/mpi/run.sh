#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs each line of tests/mpi/testlist under mpiexec; with more ranks than cores the yield shim is preloaded. The verdict is the
# exit code and the CSV.

BUILD=${BUILD:-build}
list=tests/mpi/testlist
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cores=$(nproc)
shim=$(pwd)/$BUILD/tests/yield_shim.so
# The shim comes before a sanitizer's run time; the MPI library keeps memory until the end.
export ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
number=0 status=0

verdict_on() { # CSV
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["wrong"] != "0" { print "# wrong data: " $0; bad = 1 }
		$at["time_us"] + 0 <= 0 { print "# no time: " $0; bad = 1 }
		{ points = $at["points"]; rows++ }
		END {
			if (rows == 0 || rows != points) { print "# " rows + 0 " rows of " points + 0; bad = 1 }
			exit bad
		}' "$1"
}

grep -v '^#' $list | grep . >"$scratch/list"
echo "1..$(wc -l <"$scratch/list")"
while read -r name ranks rest; do
	number=$((number + 1))
	set --
	[ "$ranks" -le "$cores" ] || set -- "LD_PRELOAD=$shim"
	# Variables and arguments hold no blanks.
	timeout -k 5 120 mpiexec -n "$ranks" env "$@" $(for word in $rest; do
		case $word in
		[A-Z]*=*) printf '%s\n' "$word" ;;
		esac
	done) "$BUILD/${name}_perf" $(for word in $rest; do
		case $word in
		[A-Z]*=*) ;;
		*) printf '%s\n' "$word" ;;
		esac
	done) --csv "$scratch/csv" </dev/null >"$scratch/out" 2>&1
	rc=$?
	if [ $rc = 0 ] && verdict_on "$scratch/csv" >"$scratch/verdict"; then
		echo "ok $number - $name, $ranks ranks, $rest"
	else
		echo "not ok $number - $name, $ranks ranks, $rest"
		[ $rc = 0 ] || echo "# exit code $rc"
		head -n 5 "$scratch/verdict" 2>/dev/null
		tail -n 8 "$scratch/out" | sed 's/^/# /'
		status=1
	fi
	rm -f "$scratch/csv" "$scratch/verdict"
done <"$scratch/list"
exit $status
