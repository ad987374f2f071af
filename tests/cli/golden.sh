#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The whole output of the binaries over the simulated backend: each line of golden/list prints the same bytes as its file, twice, and what
# every primitive reports is what the cost models say, reckoned here anew. UPDATE=1 writes the files instead: look at the difference.

. tests/cli/lib.sh
version=$("$bin/all_reduce_perf" --version)
version=${version#collperf }

# PRIMITIVE ARGUMENT...: with a bare environment, by a name that no build directory is part of. Version numbers change.
simulate() {
	program=$1
	shift
	(cd "$bin" && timeout -k 5 20 env -i PATH="$PATH" ASAN_OPTIONS="$ASAN_OPTIONS" "./${program}_perf" --backend sim "$@" </dev/null) \
		2>"$scratch/err" >"$scratch/raw"
	rc=$?
	sed "s/version $version /version VERSION /; s/\"version\": \"$version\"/\"version\": \"VERSION\"/" "$scratch/raw"
}

grep -v '^#' tests/cli/golden/list | grep . >"$scratch/list"
while read -r file primitive arguments; do
	# Arguments hold no blanks.
	simulate "$primitive" $arguments >"$scratch/first"
	codes=$rc
	simulate "$primitive" $arguments >"$scratch/second"
	codes="$codes $rc"
	[ -z "$UPDATE" ] || cp "$scratch/first" "tests/cli/golden/$file"
	expected="0 0"
	[ "$file" != corrupt.txt ] || expected="1 1"
	diff -u "tests/cli/golden/$file" "$scratch/first" >"$scratch/diff" 2>&1 && cmp -s "$scratch/first" "$scratch/second" &&
		[ "$codes" = "$expected" ]
	verdict $(($? == 0)) "$file: $primitive $arguments" "$scratch/diff" "$scratch/err"
done <"$scratch/list"

# Every primitive against the models, at sizes that divide and sizes that do not.
for primitive in broadcast scatter gather reduce all_gather reduce_scatter all_reduce alltoall sendrecv; do
	: >"$scratch/said"
	good=1
	for case in "2 float 4 8 8" "3 double 8 100 7" "4 int8 1 77 5" "5 half 2 1000 3" "7 float 4 333 9" "16 uint8 1 256 16" "64 int64 8 2048 8"; do
		set -- $case
		simulate "$primitive" --sim-ranks "$1" -d "$2" -b "$4" -e 4M -f "$5" --sim-alpha 3us --sim-bandwidth 12.5G --sim-gamma 0.05ns \
			--csv - >"$scratch/csv"
		least=1
		case $primitive in all_gather | reduce_scatter | alltoall | gather | scatter) least=$((16 * $1)) ;; esac
		points=0 size=$4
		while [ $size -le 4194304 ]; do
			[ $size -lt $least ] || points=$((points + 2))
			size=$((size * $5))
		done
		[ $rc = 0 ] && awk -f tests/cli/golden/model.awk -v primitive="$primitive" -v p="$1" -v E="$3" -v a=3e-6 -v B=12.5e9 -v g=5e-11 \
			-v points=$points "$scratch/csv" >>"$scratch/said" || good=0
	done
	verdict $good "$primitive: sizes, counts, times and bandwidths are those of the model" "$scratch/said" "$scratch/err"
done

# The same numbers in every format; what goes to a file is what goes to stdout, and a machine format on stdout stands there alone.
common="--sim-ranks 6 -b 96 -e 1M -f 16 -d all --sim-noise 5%,1% --seed 3 --run-id r"
simulate scatter $common --csv - >"$scratch/csv"
verdict $((rc == 0 && $(grep -vc '^1,' "$scratch/csv") == 1)) "--csv - leaves the table out" "$scratch/csv"
simulate scatter $common --json - >"$scratch/json"
json_is "$scratch/json" '$d->{complete} && $d->{schema} == 1 && @{$d->{rows}} == 96'
verdict $(($? == 0)) "--json - leaves the table out and is JSON" "$scratch/json"
simulate scatter $common --csv "$scratch/file.csv" --json "$scratch/file.json" >"$scratch/table"
cmp "$scratch/csv" "$scratch/file.csv" >"$scratch/said" 2>&1
verdict $(($? == 0)) "--csv FILE writes what --csv - prints" "$scratch/said"
tail -n +2 "$scratch/json" | grep -v -e '"-' -e file >"$scratch/json.rest"
sed "s/\"version\": \"$version\"/\"version\": \"VERSION\"/" "$scratch/file.json" | tail -n +2 | grep -v -e '"-' -e file >"$scratch/file.rest"
diff "$scratch/json.rest" "$scratch/file.rest" >"$scratch/said"
verdict $(($? == 0)) "--json FILE writes what --json - prints" "$scratch/said"
perl -MJSON::PP -e 'local $/; open my $json, "<", $ARGV[0]; my $d = decode_json(<$json>); $/ = "\n"; open my $csv, "<", $ARGV[1];
	chomp(my $head = <$csv>); my @names = split /,/, $head; my $n = 0;
	for my $row (@{$d->{rows}}) { chomp(my $line = <$csv>); my @cells = split /,/, $line, -1; die "fields" if @cells != @names;
		for (0 .. $#names) { my $value = $row->{$names[$_]} // ""; my $number = $value =~ /^[-+.e0-9]+$/;
			die "$names[$_]: $value, $cells[$_]\n" unless $number ? $value == $cells[$_] : $value eq $cells[$_]; $n++ } }
	die "rows\n" if defined <$csv> || $n != 96 * @names' "$scratch/json" "$scratch/csv" 2>"$scratch/said"
verdict $(($? == 0)) "JSON and CSV hold the same cells" "$scratch/said"
awk '$1 + 0 > 0 { print $1, $2, $3, $6, $10 }' "$scratch/table" >"$scratch/table.cells"
csv_cells "$scratch/csv" bytes count type time_us | awk 'NR % 2 { left = $0; next } { printf "%s %s %s %.2f %.2f\n", $1, $2, $3, substr(left, length($1 $2 $3) + 4), $4 }' >"$scratch/csv.cells"
diff "$scratch/csv.cells" "$scratch/table.cells" >"$scratch/said"
verdict $(($? == 0)) "the table holds the cells of the CSV, both placements in a line" "$scratch/said"

# Noise: a seed is one launch; its samples scatter by the second number, launches by the first.
: >"$scratch/medians"
for seed in $(seq 1 40); do
	simulate all_reduce --sim-ranks 8 -b 8 -e 8 -n 400 --sim-noise 10%,3% --seed "$seed" --csv - >"$scratch/csv"
	csv_cells "$scratch/csv" time_us time_stddev_us | head -n 1 >>"$scratch/medians"
	[ "$seed" != 1 ] || cp "$scratch/csv" "$scratch/seed1"
done
verdict $(($(sort -u "$scratch/medians" | wc -l) == 40)) "every seed gives other times" "$scratch/medians"
awk '{ x[NR] = log($1 / 70.0001); sum += x[NR]; share = $2 / $1; if (share < 0.024 || share > 0.036) bad = 1 }
	END { mean = sum / NR; for (i = 1; i <= NR; i++) squares += (x[i] - mean) ^ 2; sd = sqrt(squares / (NR - 1))
		exit bad || sd < 0.06 || sd > 0.15 || mean < -0.06 || mean > 0.06 }' "$scratch/medians"
verdict $(($? == 0)) "launches scatter by 10 %, samples of one by 3 %" "$scratch/medians"
simulate all_reduce --sim-ranks 8 -b 8 -e 8 -n 400 --sim-noise 10%,3% --csv - >"$scratch/csv"
cmp -s "$scratch/csv" "$scratch/seed1"
verdict $(($? == 0)) "without --seed it is seed 1"
finish
