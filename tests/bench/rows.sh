#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Many rows: a report takes time and memory in proportion to them, whatever they differ in. Processor time of the report itself, figures left out, is
# compared, as others use the machine at the same time; the better of two tries counts.

. tests/cli/lib.sh

# Seconds that the report of FILE took on a processor, and in $kib its largest size.
took() { # FILE
	local best=
	for try in 1 2; do
		PATH=/nowhere /usr/bin/env -i LC_ALL=C "$perl" -e '
			my $pid = fork // die; if ($pid == 0) { open STDOUT, ">", "/dev/null"; open STDERR, ">", "/dev/null"; exec @ARGV or exit 127 }
			waitpid $pid, 0; my ($user, $system, $cuser, $csystem) = times; printf "%d %.3f\n", $? >> 8, $cuser + $csystem' \
			"$bin/collperf" report "$1" -o "$scratch/o" >"$scratch/took"
		read -r code seconds <"$scratch/took"
		[ "$code" = 0 ] || return 1
		best=$(awk -v a="$seconds" -v b="${best:-1e9}" 'BEGIN { print a < b ? a : b }')
	done
	echo "$best"
}

perl=$(command -v perl)
for shape in sizes runs launches series machines; do
	awk -v rows=25000 -v shape=$shape -f tests/bench/rows.awk >"$scratch/half.csv"
	awk -v rows=50000 -v shape=$shape -f tests/bench/rows.awk >"$scratch/all.csv"
	half=$(took "$scratch/half.csv")
	all=$(took "$scratch/all.csv")
	awk -v half="$half" -v all="$all" 'BEGIN { exit !(half > 0 && all > 0 && all < 2.6 * half) }'
	verdict $((! $?)) "$shape: twice the rows take about twice as long (${half:-failed} s, ${all:-failed} s)"
done
finish
