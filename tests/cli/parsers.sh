#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Two ways in which scripts out there read nccl-tests' table, on ours: columns by the names in the header line, and by their place counted
# from the right (as the redop column used to be blank). The table is tests/data/table.txt, which the console's unit test holds byte for byte;
# where all_reduce_perf is built, its own output is read too.

table=tests/data/table.txt
perf=${BUILD:-build}/all_reduce_perf
count=0

ok() { # description, expected, got
	count=$((count + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		printf '# expected: %s\n# got:      %s\n' "$2" "$3"
	fi
}

# Rows lie between the header and "Out of bounds values"; the two placements repeat the names, the first one counts as out-of-place.
by_name() { # column, placement (1 or 2)
	awk -v want="$1" -v nth="$2" '
		/Out of bounds values/ { exit }
		$1 == "#" && $2 == "size" { for (i = 2; i <= NF; i++) if ($i == want && ++seen == nth) at = i - 1; next }
		at && !/^#/ && NF { printf "%s%s", gap, $at; gap = " " }'
}

from_right() { # how many columns from the end
	awk -v back="$1" '
		/out-of-place/ { table = 1 }
		/Out of bounds values/ { exit }
		table && !/^#/ && NF { printf "%s%s", gap, $(NF - back); gap = " " }'
}

average() {
	awk -F: '/^# Avg bus bandwidth/ { print $2 + 0 }'
}

ok "sizes by name" "8 1048576 8589934592" "$(by_name size 1 <$table)"
ok "out-of-place time by name" "12.25 1000.00 64000.0" "$(by_name time 1 <$table)"
ok "in-place busbw by name" "0.00 0.15 12.18" "$(by_name busbw 2 <$table)"
ok "redop by name" "sum sum sum" "$(by_name redop 1 <$table)"
ok "wrong elements by name" "0 3 0" "$(by_name '#wrong' 2 <$table)"
ok "in-place time, 4th from the right" "11.50 12345.6 1234568" "$(from_right 3 <$table)"
ok "out-of-place busbw, 6th from the right" "0.00 1.84 234.88" "$(from_right 5 <$table)"
ok "out-of-place time, 8th from the right" "12.25 1000.00 64000.0" "$(from_right 7 <$table)"
ok "average" "41.5072" "$(average <$table)"
ok "every row has 13 words" "13 13 13" "$(awk '!/^#/ { printf "%s%s", gap, NF; gap = " " }' $table)"
ok "columns end under the ends of their names" "12 26 36 44 52 61 69 77 85 94 102 110 118" "$(awk '
	function ends(line,  i, out) {
		for (i = 1; i <= length(line); i++)
			if (substr(line, i, 1) != " " && (i == length(line) || substr(line, i + 1, 1) == " "))
				out = out (out ? " " : "") i
		return out
	}
	/^#       size/ { head = ends(" " substr($0, 2)) }
	!/^#/ { if (ends($0) != head) bad = 1 }
	END { print bad ? "a row differs from the header" : head }' $table)"

if [ -x "$perf" ]; then
	got=$("$perf" --backend sim --sim-ranks 4 -b 8 -e 1M -f 8 2>/dev/null)
	ok "sizes of a simulated run by name" "8 64 512 4096 32768 262144" "$(printf '%s\n' "$got" | by_name size 1)"
	ok "its wrong elements from the right" "0 0 0 0 0 0" "$(printf '%s\n' "$got" | from_right 0)"
else
	ok "a simulated run # SKIP $perf is not built" "" ""
fi
echo "1..$count"
