#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# --path and --algo, and collperf run --paths and --algos, without a library to steer: what --list tells, what is refused, and launches of simulated ranks
# by several algorithms, with their files, ids, resumption and report.

. tests/cli/lib.sh
for variable in $(env | sed -n 's/^\(\(PMI[X_][A-Z_]*\|UCX_[A-Z_]*\|MPIR_CVAR_[A-Z_]*\|NCCL_[A-Z_]*\|RANK\|WORLD_SIZE\)\)=.*/\1/p'); do
	unset "$variable"
done
dir=$scratch/run

check() { # WHAT; a condition was just evaluated
	verdict $(($? == 0)) "$1" "$scratch/err" "$scratch/out"
}

# --- one binary
run 20 "$bin/all_reduce_perf" --list
[ $rc = 0 ] && grep -qx 'path: tcp (mpi): UCX_TLS=tcp,self' "$scratch/out" && grep -qx 'algo: ring/ll128 (nccl): NCCL_ALGO=Ring NCCL_PROTO=LL128' "$scratch/out" &&
	grep -q '^algo: recdbl (mpi; also recursive_doubling): MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=recursive_doubling MPIR_CVAR_COLLECTIVE_FALLBACK=error ' "$scratch/out"
check "--list has paths and algorithms with their variables"
run 20 "$bin/sendrecv_perf" --list
[ $rc = 0 ] && ! grep -q '^algo: ' "$scratch/out" && grep -q '^path: ' "$scratch/out"
check "a primitive without algorithms"
sim="--backend sim -b 1K -e 1K"
for algo in recdbl recursive_doubling; do
	run 20 "$bin/all_reduce_perf" $sim --algo $algo --csv "$scratch/csv.$algo"
	[ $rc = 0 ] && [ "$(csv_cells "$scratch/csv.$algo" algo | sort -u)" = recdbl ]
	check "simulated ranks: --algo $algo is the cost model recdbl"
done
run 20 "$bin/all_reduce_perf" $sim --sim-model recdbl --csv "$scratch/csv"
[ $rc = 0 ] && [ "$(csv_cells "$scratch/csv" time_us)" = "$(csv_cells "$scratch/csv.recdbl" time_us)" ]
check "as --sim-model has it"
run 20 "$bin/all_reduce_perf" $sim --algo auto --csv "$scratch/csv"
[ $rc = 0 ] && [ "$(csv_cells "$scratch/csv" algo | sort -u)" = "" ]
check "--algo auto is no algorithm"
while read -r text options; do
	# shellcheck disable=SC2086 # words without blanks
	run 20 "$bin/all_reduce_perf" $sim $options
	[ $rc = 2 ] && grep -qF -- "$(echo "$text" | tr _ ' ')" "$scratch/err"
	check "refused: $options"
done <<'END'
simulated_ranks_have_no_paths --path shm
no_cost_model_'pairwise';_there_are:_ring --algo pairwise
both_name_the_cost_model --algo ring --sim-model ring
END

# --- collperf run: what is refused, with nothing made
driver() { # OPTION...
	rm -rf "$dir"
	run 60 "$bin/collperf" run --bin "$bin" --backend sim --np 4 -o "$dir" --quiet "$@"
}
while read -r text options; do
	# shellcheck disable=SC2086 # words without blanks
	driver $options
	[ $rc = 2 ] && [ ! -e "$dir" ] && grep -qF -- "$(echo "$text" | tr _ ' ')" "$scratch/err"
	check "refused: collperf run $options"
done <<'END'
'cable'_is_not_a_path;_there_are:_auto_nvlink --paths shm,cable
shm_is_named_twice --paths shm,tcp,shm
''_is_not_a_path --paths shm,
needs_a_value --paths
cannot_be_the_name_of_an_algorithm --algos ring,../x
cannot_be_the_name_of_an_algorithm --algos ring/
ring_is_named_twice --algos ring,ring
shm':_not_with_--backend_sim,_which_has:_auto --paths shm
tcp':_not_with_--backend_sim --paths auto,tcp
none_of_these_collectives_has_an_algorithm_'rabenseifner' --algos ring,rabenseifner --collectives reduce,gather
--path:_not_with_--paths --paths shm --path tcp
--algo:_not_with_--algos --algos ring --algo=ring
--resume_keeps_the_options --algos ring --resume x
END

# --- launches
driver --algos ring,recdbl --collectives all_reduce,broadcast -b 1K -e 4K -f 2
[ $rc = 0 ] && grep -qx '== all_reduce, algo ring (1/3) ==' "$scratch/err" && grep -qx '== all_reduce, algo recdbl (2/3) ==' "$scratch/err" &&
	grep -qx '== broadcast, algo ring (3/3) ==' "$scratch/err" && grep -qx 'collperf: run: algorithm recdbl: skipped for what lacks it: broadcast' "$scratch/err"
check "each collective by each algorithm that it has, the rest is said"
[ "$(csv_cells "$dir/all_reduce.csv" algo | uniq -c | tr -s ' ')" = " 6 ring
 6 recdbl" ] && [ "$(csv_cells "$dir/all_reduce.csv" run | sort -u | wc -l)" = 2 ] && [ "$(ls "$dir/launches" | tr '\n' ' ')" = \
	"all_reduce-recdbl-1.csv all_reduce-ring-1.csv broadcast-ring-1.csv " ] && csv_is_whole "$dir/all_reduce.csv"
check "rows of all in one file, each launch with a file and an id of its own"
json_is "$dir/run.json" '"@{$d->{algos}}" eq "ring recdbl" && $d->{algos_of} eq "sim" && !$d->{paths} && @{$d->{launches}} == 3 &&
	"$d->{launches}[1]{collective} $d->{launches}[1]{algo}" eq "all_reduce recdbl" && $d->{launches}[1]{run} =~ /-all_reduce-recdbl-1$/ &&
	join(" ", @{$d->{launches}[1]{argv}}) =~ / --algo recdbl / && $d->{launches}[1]{facts}{facts}{steer_algo} eq "recdbl"'
check "run.json tells which"
run 60 "$bin/collperf" report "$dir" -o "$scratch/report"
[ $rc = 0 ] && [ "$(sed 1d "$scratch/report/compare.csv" | cut -d, -f 1-3 | sort -u)" = "all_reduce,recdbl in-place,ring in-place
all_reduce,recdbl out-of-place,ring out-of-place" ]
check "a report compares them under their names"

# --- some of it again
cp -R "$dir" "$scratch/kept"
sed -i '$d' "$dir/launches/all_reduce-recdbl-1.csv"
run 60 "$bin/collperf" run --bin "$bin" --resume "$dir" --quiet
[ $rc = 0 ] && [ "$(grep -c '^== ' "$scratch/err")" = 1 ] && grep -q '^== all_reduce, algo recdbl ' "$scratch/err" &&
	[ "$(csv_cells "$dir/all_reduce.csv" algo | uniq -c | tr -s ' ')" = " 6 ring
 6 recdbl" ]
check "--resume repeats the launch that is not whole"
for change in 's/"algo": "recdbl"/"algo": "ring"/' 's/"recdbl"/"a,b"/' 's/"algos": \[/"algos": 5, "x": [/' 's/"algos"/"paths"/' \
	's/"algos_of": "sim"/"algos_of": "nccl"/' 's/"algo": "ring",//'; do
	rm -rf "$dir"
	cp -R "$scratch/kept" "$dir"
	sed -i -e "$change" "$dir/run.json"
	run 60 "$bin/collperf" run --bin "$bin" --resume "$dir" --quiet
	[ $rc != 0 ] && ! grep -q '^== ' "$scratch/err" && grep -q 'collperf: run: ' "$scratch/err"
	check "a run.json that does not fit: $change"
done

# --- repetitions, shuffled
driver --algos auto,ring,recdbl --collectives all_reduce,all_gather -b 1K -e 1K --repeat 3 --seed 5 --sim-noise 5%
[ $rc = 0 ] && json_is "$dir/run.json" 'my @l = @{$d->{launches}}; my %s; my @names = map { "$_->{collective} $_->{algo}" } @l;
	@l == 18 && (grep { my $r = $_; my %n; $n{$_}++ for @names[6 * $r .. 6 * $r + 5]; keys %n == 6 } 0 .. 2) == 3 &&
	(grep { $s{$_->{seed}}++ } @l) == 0 && "@names[0 .. 5]" ne "@names[6 .. 11]"'
check "--repeat: every round has everything once, in an order of its own"
[ "$(csv_cells "$dir/all_reduce.csv" run | uniq | sed 's/^.*Z-//' | tr '\n' ' ')" = "all_reduce-auto-1 all_reduce-ring-1 all_reduce-recdbl-1 \
all_reduce-auto-2 all_reduce-ring-2 all_reduce-recdbl-2 all_reduce-auto-3 all_reduce-ring-3 all_reduce-recdbl-3 " ]
check "rows by repetition, then as they were asked for"
grep -q '^== all_gather, algo auto, launch 2 of 3 ' "$scratch/err"
check "a heading says which"

# --- a path that the machine lacks: which, the binaries alone know
mkdir "$scratch/machine"
for name in all_reduce reduce; do
	cat >"$scratch/machine/${name}_perf" <<END
#!/bin/bash
words=()
while [ \$# -gt 0 ]; do
	case \$1 in
	--path) [ "\$2" != ib ] || { echo "no InfiniBand device here" >&2; exit 3; }; shift ;;
	*) words+=("\$1") ;;
	esac
	shift
done
exec '$bin/${name}_perf' --backend sim --sim-ranks 4 "\${words[@]}"
END
	chmod +x "$scratch/machine/${name}_perf"
done
rm -rf "$dir"
run 60 "$bin/collperf" run --bin "$scratch/machine" --launcher env --paths auto,ib --collectives all_reduce,reduce -b 1K -e 1K -o "$dir" --quiet
[ $rc = 3 ] && [ "$(csv_cells "$dir/all_reduce.csv" wrong | wc -l)" = 2 ] && grep -q 'all_reduce, path ib: failed: exit code 3' "$scratch/err" &&
	grep -qx 'collperf: run: path ib: nothing could be measured by it (2 launches)' "$scratch/err" &&
	json_is "$dir/run.json" 'join(" ", map { "$_->{path} $_->{status}" } @{$d->{launches}}) eq "auto ok ib failed auto ok ib failed"'
check "a path that the machine lacks: the others go on, and it is said at the end"

# --- sizes
driver --algos ring --collectives reduce
[ $rc = 0 ] && [ "$(csv_cells "$dir/reduce.csv" bytes | sort -nu | sed -n '1p;$p' | tr '\n' ' ')" = "8 4194304 " ] &&
	json_is "$dir/run.json" '"@{$d->{sweep}}" eq "-b 8 -e 4M -f 2"'
check "without sizes: a sweep"
for words in "-b 1K -e 1K" "--maxbytes=1K --minbytes 1K" "-e1K -b1K"; do
	# shellcheck disable=SC2086
	driver --algos ring --collectives reduce $words
	[ $rc = 0 ] && [ "$(csv_cells "$dir/reduce.csv" bytes | sort -nu)" = 1024 ]
	check "with sizes: those: $words"
done
finish
