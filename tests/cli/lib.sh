# SPDX-License-Identifier: Apache-2.0
#
# What the scripts that run the binaries share; sourced, from the root of the tree. A script ends with `finish`.
# `run LIMIT COMMAND...` leaves the exit code in $rc and what was printed in $scratch/out and $scratch/err.

BUILD=${BUILD:-build}
bin=$(cd "$BUILD" && pwd) || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
LC_ALL=C TZ=UTC
export LC_ALL TZ
number=0 status=0
# The shim comes before a sanitizer's run time; the MPI library keeps memory until the end.
export ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"

verdict() { # 1 or anything else for a failure, WHAT [FILE that says why]...
	number=$((number + 1))
	if [ "$1" = 1 ]; then
		echo "ok $number - $2"
		return
	fi
	echo "not ok $number - $2"
	status=1
	shift 2
	for file; do
		[ ! -s "$file" ] || head -n 12 "$file" | cut -c -400 | sed 's/^/# /'
	done
}

finish() {
	echo "1..$number"
	exit $status
}

run() { # LIMIT COMMAND...
	limit=$1
	shift
	timeout -k 5 "$limit" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
	rc=$?
}

lines() { # FILE
	wc -l <"$1" | tr -d ' '
}

# One cell a row of a CSV that has no quoted commas, by name: several columns are joined by one blank.
csv_cells() { # FILE COLUMN...
	file=$1
	shift
	awk -F, -v names="$*" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(names, name, " "); next }
		{ for (i = 1; i <= n; i++) printf "%s%s", (i > 1 ? " " : ""), $at[name[i]]; print "" }' "$file"
}

# Every line has as many fields as the header: what a killed run leaves is a table.
csv_is_whole() { # FILE
	[ -s "$1" ] && awk -F, 'NR == 1 { fields = NF } NF != fields { bad = 1 } END { exit bad }' "$1" && [ -z "$(tail -c 1 "$1" | tr -d '\n')" ]
}

# The document must be JSON (no NaN, no infinity), and a Perl expression on it, $d, true. JSON::PP comes with Perl, as does prove.
json_is() { # FILE EXPRESSION
	perl -MJSON::PP -e 'local $/; open my $file, "<", $ARGV[0] or exit 1;
		my $d = JSON::PP->new->utf8->decode(<$file>); exit(eval($ARGV[1]) ? 0 : 1)' "$1" "$2" 2>/dev/null
}
