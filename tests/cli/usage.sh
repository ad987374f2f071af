#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# What the binaries answer to command lines, files and environments that people and attackers give them: exit codes, one line on stderr from one
# process, nothing on stdout beside it, nothing executed, nothing kept secret told.

. tests/cli/lib.sh
program=all_reduce_perf
perf=$bin/$program

# The last command ended with this code, said nothing on stdout, and on stderr one line that holds TEXT (and where to find help, for code 2).
refused() { # CODE TEXT WHAT
	local most=1

	[ "$1" = 2 ] && tail -n 1 "$scratch/err" | grep -q "^Try '$program --help'\.$" && most=2
	[ "$rc" = "$1" ] && [ ! -s "$scratch/out" ] && [ "$(lines "$scratch/err")" = $most ] &&
		head -n 1 "$scratch/err" | grep -q "^$program: " && head -n 1 "$scratch/err" | grep -qF -e "$2"
	verdict $(($? == 0)) "exit $1: $3" "$scratch/err" "$scratch/out"
}

usage() { # TEXT ARGUMENT...
	local text=$1

	shift
	run 20 "$perf" "$@"
	refused 2 "$text" "$(printf '%q ' "$@")"
}

simulated() { # PRIMITIVE ARGUMENT...
	local primitive=$1

	shift
	run 30 "$bin/${primitive}_perf" --backend sim "$@"
}

good() { # WHAT; a condition was just evaluated
	verdict $(($? == 0)) "$1" "$scratch/err" "$scratch/out"
}

# Sizes
usage "-b: 1M is above -e, which is 1K" -b 1M -e 1K
for size in 4Mxyz -5 -0 nan inf 0x10 '' 1e3 1,024 ' 8' '8 ' 0.5 1.5 16E 8192P 9223372036854775808 18446744073709551616 8BB KB '$(id)' $'8\n'; do
	usage "is not a size" -e 8K -b "$size"
done
usage "too small" -b 0 -e 1K -f 2
usage "too small" -b 8 -e 0K
usage "from no size to the next" -b 8 -e 1K -f 1 -i 0
usage "more than 1000000 sizes" -b 1 -e 1G -i 1
for factor in 1.5 -2 0 '' two 2x 99999999999999999999; do
	usage "-f: '$factor' is not a whole number of at least 1" -b 8 -e 1K -f "$factor"
done
simulated all_reduce --sim-ranks 4 -b 64m -e 70m -i 2M --dry-run
[ $rc = 0 ] && [ "$(awk '!/^#/ && /out-of-place/ { printf "%s ", $5 / 1048576 }' "$scratch/out")" = "64 66 68 70 " ]
good "-b 64m -e 70m -i 2M is 64, 66, 68 and 70 MiB"
for pair in 1KB=1024 8KiB=8192 1.5G=1610612736 1T=1099511627776 1P=1125899906842624 010=10; do
	simulated sendrecv --sim-ranks 2 -d int8 -b "${pair%=*}" -e "${pair%=*}" --dry-run
	[ $rc = 0 ] && [ "$(awk '!/^#/ { print $5, $6, $7; exit }' "$scratch/out")" = "${pair#*=} ${pair#*=} ${pair#*=}" ]
	good "-b ${pair%=*} is ${pair#*=} bytes"
done
simulated all_reduce --sim-ranks 4 -d int8 -b 8 -e 16 -f 9223372036854775807 --dry-run
[ $rc = 0 ] && [ "$(grep -vc '^#' "$scratch/out")" = 2 ]
good "a factor of 2^63 - 1 ends after the first size"

# Options
usage "unknown option --bogus" --bogus
usage "unknown option --memory_usage" --memory_usage 0
usage "unknown option -Q" -Q
usage "unknown option --min" --min 8
usage "extra argument 'foo'" foo
usage "extra argument 'foo'" -b 8 -e 8 foo
usage "extra argument '-b'" -- -b
usage "-b: needs an argument" -b
usage "--maxbytes: needs an argument" --maxbytes
usage "--list: takes no argument" --list=all
usage "calls cannot be timed" -n 0
for count in 10k '' abc 1.0 -1 99999999999999999999; do
	usage "is not a whole number" -n "$count"
done
usage "is not a whole number" -w -1
usage "is not a whole number" -c x
usage "is not one of int8, uint8, int32, uint32, int64, uint64, half, bfloat16, float, double, f8e4m3, f8e5m2, all" -d flaot
usage "is not one of" -d 0,1,2,3
usage "is not one of sum, prod, max, min, avg, mulsum, all" -o mul
usage "neither a rank nor all" -r x
usage "is not one of 0, 1, 2, 3" --timing loop -a 4
usage "-a applies to --timing loop" -a 1
usage "is not one of sync, loop" --timing fast
usage "is not one of auto, mpi, nccl, sim" --backend gloo
usage "is not one of nccl, wide" --format csv
usage "is neither 0 nor 1" -S 2
usage "is not a time" -T soon
usage "is not a time" --max-time nan
for ci in garbage '' 1e3 -1 nan 0 100%; do
	usage "is not a fraction" --ci "$ci"
done
usage "is not KEY=VALUE" --label foo
usage "is not KEY=VALUE" --label =foo
usage "--csv: '' is empty" --csv ''
usage "cannot both write to '-'" --csv - --json -
usage "cannot both write to 'x'" --csv x --facts x
usage "needs --backend nccl" -z 1
usage "needs --backend nccl" --backend mpi -t 2
usage "needs --backend nccl" --backend mpi -G 4
usage "needs --backend nccl" --backend mpi -p 1
usage "needs --backend nccl" --backend mpi -y 1
usage "needs --backend nccl" --backend mpi -M 1
usage "needs --backend sim" --sim-ranks 3
usage "needs --backend sim" -b 8 -e 8 --sim-noise 3%
usage "-x: 1 needs --backend nccl" --backend mpi -x 1
usage "--hold needs --backend nccl" --hold
usage "device-API kernels are not here yet" -D 1
usage "device-API kernels are not here yet" -V 17
usage "--split: 'MOD 0' divides by 0" --split 'MOD 0'
for split in '' MOD 'XOR 1' 'MOD -1' 8 'AND 0x' '$(id)'; do
	usage "is not AND, OR, MOD or DIV and a whole number" --split "$split"
done
usage "-K applies to -I 1" -K 3
usage "is no time at all" --connect-timeout 0
for each in "NCCL_TESTS_SPLIT=MOD 0" NCCL_TESTS_SPLIT=garbage NCCL_TESTS_SPLIT_MASK=xyz NCCL_TESTS_DEVICE=abc NCCL_TESTS_DEVICE=-1; do
	run 20 env "$each" "$perf" --backend sim -b 8 -e 8
	refused 2 "${each%%=*}: '${each#*=}' " "$each"
done
run 20 env NCCL_TESTS_SPLIT=garbage NCCL_TESTS_SPLIT_MASK= "$perf" --backend sim --split 'MOD 2' -b 8 -e 8 --dry-run
[ $rc = 0 ] && [ ! -s "$scratch/err" ]
good "--split wins over NCCL_TESTS_SPLIT"
for fault in corrupt corrupt= corrupt=x delay=1 delay=1: hang=1:5 abort=-1 explode=1 corrupt=1@ corrupt=1@0 clock=1 none=1 delay=1:nan 'corrupt=1;id'; do
	usage "is not corrupt=RANK" --inject "$fault"
done
usage "never seen with -c 0" --inject corrupt=1 -c 0
usage "unknown option --\\x1b[31m" $'--\e[31m'
usage "..." "$(printf 'x%.0s' $(seq 5000))"
program=reduce_perf
simulated reduce --sim-ranks 4 -b 8 -e 8 -r 4
refused 2 "-r: there is no rank 4 among 4" "reduce_perf -r 4 of 4 ranks"
program=all_reduce_perf
simulated all_reduce --sim-ranks 4 -b 8 -e 8 --inject corrupt=4
refused 2 "--inject: there is no rank 4 among 4" "--inject corrupt=4 of 4 ranks"
run 20 "$perf" --backend nccl
refused 3 "--backend nccl: " "--backend nccl where it was not built"

# Nothing that can be measured
program=all_gather_perf
simulated all_gather --sim-ranks 4 -b 8 -e 32 -f 2
refused 77 "16 bytes" "sizes that give no rank a block"
simulated all_gather --sim-ranks 3 -b 1K -e 1K --sim-model recdbl
refused 77 "does not hold for this number of ranks" "a model for powers of two on 3 ranks"
simulated all_gather --sim-ranks 3 -b 1K -e 1K --sim-model nonsense
refused 77 "names no cost model" "an unknown model"
program=all_reduce_perf
simulated all_reduce -b 4 -e 4 -d double
refused 77 "nothing can be measured" "a size below one element"

# Counts beyond 2^31; shares of 3, 5 and 7 ranks; no row without data
counts() { # WANTED PRIMITIVE ARGUMENT...: "bytes_requested bytes count" of the out-of-place points
	local wanted=$1

	shift
	simulated "$@" --dry-run
	[ $rc = 0 ] && [ "$(awk '!/^#/ && /out-of-place/ && !/skipped/ { printf "%s %s %s,", $5, $6, $7 }' "$scratch/out")" = "$wanted" ]
	good "$(printf '%s ' "$@"): $wanted"
}
counts "2147483648 2147483648 2147483648," all_reduce -d int8 -b 2147483648 -e 2147483648
counts "4294967312 4294967312 4294967312," broadcast -d int8 -b 4294967312 -e 4294967312
counts "4294967312 4294967312 1073741828," reduce -d int32 -b 4294967312 -e 4294967312
counts "1099511627776 1099511627776 137438953472," sendrecv -d double -b 1T -e 1T
counts "1099511627776 1099511627776 17179869184," alltoall -d double --sim-ranks 8 -b 1T -e 1T
counts "4294967312 4294967280 1431655760," all_gather -d int8 --sim-ranks 3 -b 4294967312 -e 4294967312
counts "4611686018427387904 4611686018427387904 1152921504606846976," all_reduce -d float -b 4096P -e 4096P
counts "64 48 16,128 96 32,256 240 80,512 480 160,1024 1008 336," all_gather -d int8 --sim-ranks 3 -b 8 -e 1K -f 2
counts "128 80 16,256 240 48,512 480 96,1024 960 192," gather -d int8 --sim-ranks 5 -b 8 -e 1K -f 2
counts "1000 896 56," scatter -d half --sim-ranks 8 -b 1000 -e 1000
counts "7 4 1,13 12 3," all_reduce -d float -b 7 -e 13 -i 6
simulated all_reduce -d int8 -b 4096P -e 4096P --csv - -c 0 -n 1 -w 0
[ $rc = 0 ] && [ "$(csv_cells "$scratch/out" bytes count time_us | head -n 1 | cut -d ' ' -f 1,2)" = "4611686018427387904 4611686018427387904" ]
good "2^62 bytes are simulated and stay exact in the CSV"
run 20 "$perf" -b 1P -e 1P
refused 3 "bytes a rank x 1 ranks on host" "1 PiB of memory"
grep -q 'bytes needed.* free' "$scratch/err"
good "the refusal names what is needed and what is free"

# Factors and units
for p in 2 3 4 8; do
	for each in broadcast=1 reduce=1 sendrecv=1 all_reduce=2*$((p - 1))/$p scatter=$((p - 1))/$p gather=$((p - 1))/$p \
		all_gather=$((p - 1))/$p reduce_scatter=$((p - 1))/$p alltoall=$((p - 1))/$p; do
		simulated "${each%%=*}" --sim-ranks $p -b 1M -e 1M --csv -
		csv_cells "$scratch/out" algbw_GBps busbw_GBps | awk -v factor="${each#*=}" '
			BEGIN { n = split(factor, part, /[*\/]/); want = n == 3 ? part[1] * part[2] / part[3] : n == 2 ? part[1] / part[2] : part[1] }
			{ rows++; if ($2 / $1 > want * (1 + 3e-9) || $2 / $1 < want * (1 - 3e-9)) exit 1 }
			END { exit rows != 2 }' || echo "# ${each%%=*} at $p ranks: not ${each#*=}"
	done
done >"$scratch/said"
verdict $((! $(wc -l <"$scratch/said"))) "busbw / algbw is nccl-tests' factor at 2, 3, 4 and 8 ranks" "$scratch/said"
simulated sendrecv --sim-ranks 2 -b 1M -e 1M --sim-alpha 0 --sim-bandwidth 1048576000 --csv -
[ "$(csv_cells "$scratch/out" time_us algbw_GBps bytes | head -n 1)" = "1000 1.048576 1048576" ]
good "1 MiB in 1 ms is 1.048576 GB/s"

# Instead of measuring
for option in --help -h --version --list --man; do
	run 20 "$perf" $option
	[ $rc = 0 ] && [ -s "$scratch/out" ] && [ ! -s "$scratch/err" ]
	good "$option prints and exits 0"
done
run 20 "$perf" --help
for option in $(grep -o '"[a-zA-Z_-]*", .*GROUP_' src/options_table.c | sed 's/^"\([^"]*\)".*/\1/'); do
	grep -q -e "--$option" "$scratch/out" || echo "# --$option"
done >"$scratch/said"
[ "$(awk 'length > 80' "$scratch/out" | wc -l)" = 0 ] && [ ! -s "$scratch/said" ]
verdict $(($? == 0)) "--help fits 80 columns and names every option" "$scratch/said"
run 20 "$perf" --man
if command -v man >/dev/null 2>&1 && command -v groff >/dev/null 2>&1; then
	groff -man -Tascii -ww "$scratch/out" >"$scratch/page" 2>"$scratch/said"
	[ -s "$scratch/page" ] && [ ! -s "$scratch/said" ]
	verdict $(($? == 0)) "the man page formats without a warning" "$scratch/said"
else
	verdict 1 "the man page formats without a warning # SKIP no groff"
fi
simulated scatter --list
[ $rc = 0 ] && grep -q '^primitive: scatter ' "$scratch/out" && grep -q '^ops: none' "$scratch/out" && grep -q '^backend: nccl (' "$scratch/out" &&
	grep -q '^types: int8 uint8 int32 uint32 int64 uint64 half bfloat16 float double f8e4m3 f8e5m2$' "$scratch/out" && [ "$(grep -c '^format: ' "$scratch/out")" = 4 ]
good "--list names the backends, also one that is missing and why, types, operations, formats"

# Output that cannot be written: one line, exit 3
for option in "--csv /nonexistent/x" "--json /nonexistent/x" "--facts /nonexistent/x" "--csv /dev/full" "--json /dev/full" "--csv /"; do
	simulated all_reduce -b 8 -e 64 -f 8 $option
	[ $rc = 3 ] && [ "$(lines "$scratch/err")" = 1 ] && grep -q "cannot write ${option#* }" "$scratch/err"
	good "exit 3: $option"
done
for option in "" "--csv -" "--json -" "--facts -" "--format wide" --dry-run --help --version --list --man; do
	timeout 20 "$perf" --backend sim -b 8 -e 64 -f 8 $option >/dev/full 2>"$scratch/err" </dev/null
	rc=$?
	: >"$scratch/out"
	[ $rc = 3 ] && [ "$(lines "$scratch/err")" = 1 ] && grep -q 'cannot write' "$scratch/err"
	good "exit 3: ${option:-the table} to a full device"
	perl -e 'pipe my $reader, my $writer; close $reader; open STDOUT, ">&", $writer; exec @ARGV' \
		timeout 20 "$perf" --backend sim -b 8 -e 64 -f 8 $option 2>"$scratch/err" </dev/null
	rc=$?
	[ "$rc" = 3 ] && [ "$(lines "$scratch/err")" = 1 ] && grep -q 'cannot write' "$scratch/err"
	good "exit 3: ${option:-the table} to a pipe that nobody reads"
done
timeout 20 "$perf" --backend sim -b 8 -e 64 -f 8 --csv "$scratch/csv" >&- 2>"$scratch/err" </dev/null
[ $? = 3 ] && [ "$(lines "$scratch/err")" = 1 ] && csv_is_whole "$scratch/csv"
good "exit 3: stdout is closed"

# Texts that a shell, a terminal or a parser would act on
label='k"x,=$(touch '$scratch/owned')`touch '$scratch/owned'`;<script>'$'\n\t\e[31m\xff'"'"'#'
simulated all_reduce -b 8 -e 8 --label "$label" --run-id "$label" --csv "$scratch/csv" --json "$scratch/json"
LABEL=${label#*=} json_is "$scratch/json" '(my $want = $ENV{LABEL}) =~ s/\xff/\x{fffd}/; $d->{labels}{"k\"x,"} eq $want'
good "a hostile label stands in the JSON as it was given"
perl -e 'local $/; open my $file, "<", $ARGV[0]; my $text = <$file>; $text =~ s/^([^\n]*)\n//; my $names = split /,/, $1; my $n = 0;
	while ($text =~ /\G(?:("(?:[^"]|"")*"|[^,"\r\n]*)(,|\n))/gc) { my ($cell, $end) = ($1, $2); $n++;
		if ($n % $names == 4) { $cell =~ s/^"|"$//g; $cell =~ s/""/"/g; exit 1 if substr($ARGV[1], 0, length $cell) ne $cell || length $cell < 60 } }
	exit !(pos($text) == length $text && $n == 2 * $names)' "$scratch/csv" "$label"
good "a hostile run id is one quoted field of the CSV"
[ ! -e "$scratch/owned" ] && ! grep -q $'\e' "$scratch/out"
good "nothing is executed, and no control byte reaches the terminal"
many=$(for i in $(seq 64); do printf -- '--label k%d=v ' "$i"; done)
simulated all_reduce -b 8 -e 8 $many --json -
json_is "$scratch/out" 'keys %{$d->{labels}} == 64'
good "64 labels"
usage "one label too many" $many --label k65=v

# The environment: what the libraries read is recorded, nothing else is
run 20 env SECRET_TOKEN=hunter2secret HOME=/secret/home NCCL_X=seen-1 UCX_TLS=seen-2 MPIR_CVAR_X=seen-3 FI_X=seen-4 MALLOC_X=seen-5 \
	OMP_NUM_THREADS=seen-6 CUDA_VISIBLE_DEVICES=seen-7 MPICH_X=seen-8 XNCCL_Y=hidden OMP_NUM_THREADS_X=hidden \
	"$perf" --backend sim -b 8 -e 8 --csv "$scratch/csv" --json "$scratch/json" --facts "$scratch/facts"
cat "$scratch/out" "$scratch/err" "$scratch/csv" "$scratch/json" "$scratch/facts" >"$scratch/all"
[ $rc = 0 ] && [ "$(grep -o 'seen-[1-8]' "$scratch/json" | sort -u | wc -l)" = 8 ]
good "the variables that change a measurement are recorded"
! grep -q -e hunter2secret -e SECRET_TOKEN -e /secret/home -e '"HOME"' -e hidden "$scratch/all"
good "no other variable is"
finish
