#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# collperf run over the fakes: which backend it takes and how it starts it, that ends are judged and runs resumed as with any other, and that the report
# never calls such rows measured.

. tests/cli/lib.sh
fakes=$(cd "$BUILD/fakes/lib" 2>/dev/null && pwd) || {
	echo "1..0 # SKIP the fakes are not built"
	exit 0
}
shim=$bin/tests/yield_shim.so
has_mpi=
grep -q 'MPI=1' "$bin/config" 2>/dev/null && command -v mpiexec >/dev/null && has_mpi=yes
[ ! -x "$bin/fakes/build/collperf" ] || bin=$bin/fakes/build
for variable in $(env | sed -n 's/^\(\(RANK\|WORLD_SIZE\|LOCAL_[A-Z_]*\|MASTER_[A-Z]*\|SLURM_[A-Z_]*\|PMI[X_][A-Z_]*\|NCCL_[A-Z_]*\)\)=.*/\1/p'); do
	unset "$variable"
done
unset CUDA_VISIBLE_DEVICES COLLPERF_FAKE COLLPERF_TOKEN
sweep=(-b 1K -e 4K -f 2 -n 3 -w 1 -T 30 --quiet)
dir=$scratch/run
rows=$dir/all_reduce.csv

collperf() { # FAKE OPTION... of run, all but the sweep; $rc, out, err
	local fake=$1
	shift
	[ "$1" = --resume ] || {
		rm -rf "$dir"
		set -- -o "$dir" "${sweep[@]}" "$@"
	}
	run 60 env LD_LIBRARY_PATH="$fakes" COLLPERF_FAKE="$fake" "$bin/collperf" run "$@"
}

# All rows of a file have these cells.
cells() { # FILE "CELLS" COLUMN...
	local file=$1 want=$2
	shift 2
	[ -s "$file" ] && [ "$(csv_cells "$file" "$@" | sort -u)" = "$want" ]
}

recorded() { # EXPRESSION over $d
	json_is "$dir/run.json" "$1"
}

test_of() { # WHAT, after the command that decides
	[ $? = 0 ]
	verdict $(($? == 0)) "$1" "$scratch/err" "$scratch/out" "$dir/run.json"
}

collperf gpus=8 --collectives all_reduce,sendrecv
[ $rc = 0 ] && cells "$rows" "nccl fake 8 0 6" backend library nranks wrong points && [ "$(lines "$rows")" = 7 ] &&
	[ "$(head -n 1 "$scratch/err")" = "collperf: run: --backend auto: nccl: 8 usable GPUs" ]
test_of "8 GPUs: one process with all of them, by itself"
recorded '@{$d->{launcher}} == 0 && !defined $d->{np} && $d->{backend} eq "nccl" && $d->{gpus} == 8 && $d->{backend_why} eq "8 usable GPUs" &&
	$d->{launches}[0]{facts}{facts}{ranks_per_process} eq "8" && $d->{launches}[0]{facts}{facts}{library} eq "fake"'
test_of "what was taken is recorded beside the facts"

csv_cells "$rows" flags | grep -v simulated >"$scratch/unmarked"
[ ! -s "$scratch/unmarked" ]
test_of "every row is marked as simulated"
run 60 "$bin/collperf" report "$dir"
[ $rc = 0 ] && grep -q '^simulated 2 primitives' "$scratch/out" && ! grep -q '^measured' "$scratch/out" &&
	grep -q '<title>collperf report: simulated, not measured</title>' "$dir/report/index.html" && grep -q '<h1>.*: simulated, not measured</h1>' "$dir/report/index.html" &&
	grep -q '^# .*: simulated, not measured$' "$dir/report/report.md" && grep -q 'points are simulated, not measured' "$dir/report/report.md"
test_of "the report says so in its title, its head and its findings"
sed -i 's/simulated//' "$rows"
run 60 "$bin/collperf" report "$dir"
[ $rc = 0 ] && grep -q '^measured' "$scratch/out" && grep -q '<title>collperf report</title>' "$dir/report/index.html" &&
	grep -q '<h1>Collective performance</h1>' "$dir/report/index.html" && grep -q '^# Collective performance$' "$dir/report/report.md" &&
	grep -q '[1-9] of [0-9]* points are simulated, not measured' "$dir/report/report.md"
test_of "with rows that are not it says how many are"

collperf gpus=8 --collectives all_reduce -t 2 -g 2
[ $rc = 0 ] && cells "$rows" 4 nranks && recorded '!defined $d->{gpus}'
test_of "-t and -g are the user's"
collperf gpus=8 --collectives all_reduce --backend nccl --ngpus=3
[ $rc = 0 ] && cells "$rows" 3 nranks && ! grep -q -- --backend "$scratch/err"
test_of "so is --ngpus=3"
CUDA_VISIBLE_DEVICES=4,5 collperf gpus=8 --collectives all_reduce
[ $rc = 0 ] && cells "$rows" 2 nranks && recorded '$d->{gpus} == 2'
test_of "GPUs that are hidden are not counted"
NCCL_TESTS_DEVICE=5 collperf gpus=8 --collectives all_reduce
[ $rc = 0 ] && cells "$rows" 3 nranks
test_of "nor are those before NCCL_TESTS_DEVICE"
collperf gpus=1 --collectives all_reduce --backend nccl
[ $rc = 0 ] && cells "$rows" "nccl 1" backend nranks
test_of "one GPU, by name"
collperf gpus=0 --backend nccl
[ $rc = 3 ] && [ "$(lines "$scratch/err")" = 1 ] && grep -q -- '--backend nccl: no GPU is visible (' "$scratch/err" && [ ! -e "$dir" ]
test_of "no GPU, by name: one line, nothing is made"

collperf gpus=4 --collectives all_reduce,gather,reduce --repeat 3 --seed 7
order=$(perl -MJSON::PP -e 'local $/; print join " ", map { "$_->{collective}$_->{repeat}" } @{decode_json(<STDIN>)->{launches}}' <"$dir/run.json")
[ $rc = 0 ] && [ "$(csv_cells "$rows" run | sort -u | wc -l)" = 3 ] && [ "$(lines "$rows")" = 19 ] &&
	[ "$order" != "all_reduce1 gather1 reduce1 all_reduce2 gather2 reduce2 all_reduce3 gather3 reduce3" ] &&
	[ "$(tr ' ' '\n' <<<"$order" | sed 's/.$//' | sort | uniq -c | grep -c ' 3 ')" = 3 ] && [ "$(grep -c -- '--backend auto' "$scratch/err")" = 1 ]
test_of "launches are repeated, shuffled and joined; the question is asked once"

collperf gpus=4,flip --collectives all_reduce
[ $rc = 1 ] && grep -q 'all_reduce: failed: .*wrong data: [0-9]* elements' "$scratch/err"
test_of "wrong data: exit 1"
collperf gpus=4,fail=ncclAllReduce --collectives all_reduce,reduce
[ $rc = 3 ] && grep -q ncclAllReduce "$scratch/err" && [ "$(lines "$dir/reduce.csv")" = 7 ] &&
	recorded 'join(" ", map { $_->{status} } @{$d->{launches}}) eq "failed ok"'
test_of "a failed call: exit 3, the rest still runs"
collperf gpus=8 --resume "$dir"
[ $rc = 0 ] && cells "$rows" 4 nranks && recorded '$d->{gpus} == 4 && $d->{launches}[0]{status} eq "ok"' && ! grep -q -- --backend "$scratch/err" &&
	[ "$(grep -c '^== ' "$scratch/err")" = 1 ]
test_of "--resume repeats it on as many GPUs as before"

# Starts two processes that find each other by the environment.
cat >"$scratch/two" <<'END'
#!/bin/bash
export WORLD_SIZE=2 LOCAL_WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=$((31000 + $$ % 8000))
RANK=1 LOCAL_RANK=1 "$@" &
RANK=0 LOCAL_RANK=0 "$@"
rc=$?
wait $! && exit $rc
END
chmod +x "$scratch/two"
collperf gpus=8 --collectives all_reduce --backend nccl --launcher "$scratch/two"
[ $rc = 0 ] && cells "$rows" "nccl 2" backend nranks && recorded '@{$d->{launcher}} == 1 && !defined $d->{gpus}'
test_of "a launcher is used as given"
collperf gpus=8 --collectives all_reduce --launcher "$scratch/two" -g 3
[ $rc = 0 ] && cells "$rows" "nccl 6" backend nranks && ! grep -q -- --backend "$scratch/err"
test_of "... and each process has the GPUs that -g says"

[ -z "$has_mpi" ] || {
	[ ! -e "$shim" ] || export LD_PRELOAD="$shim"
	collperf gpus=8 --collectives all_reduce --backend nccl --np 2
	[ $rc = 0 ] && cells "$rows" "nccl 2" backend nranks && recorded '"@{$d->{launcher}}" eq "mpiexec -n 2"'
	test_of "--np: processes of one GPU each"
	collperf gpus=8 --collectives all_reduce --backend nccl --np 2 -g 4
	[ $rc = 0 ] && cells "$rows" "nccl 8" backend nranks
	test_of "... or of four"
	collperf gpus=2 --collectives all_reduce --np 2
	[ $rc = 0 ] && cells "$rows" "nccl 2" backend nranks && ! grep -q -- --backend "$scratch/err"
	test_of "two ranks, two GPUs: the binaries choose"
	collperf gpus=1 --collectives all_reduce --np 2
	[ $rc = 0 ] && cells "$rows" "mpi 2" backend nranks && grep -q -- '--backend auto: mpi: 1 usable GPU for 2 ranks$' "$scratch/err"
	test_of "two ranks, one GPU: MPI"
	collperf gpus=0 --collectives all_reduce --np 2
	[ $rc = 0 ] && cells "$rows" "mpi 2" backend nranks && ! grep -q -- --backend "$scratch/err"
	test_of "two ranks, no GPU: as before, without a word"
	collperf gpus=0 --collectives all_reduce
	[ $rc = 0 ] && cells "$rows" mpi backend && grep -q -- '--backend auto: mpi: nccl: no GPU is visible (' "$scratch/err" && recorded '$d->{np} >= 2'
	test_of "no GPU: MPI, and why"
	unset LD_PRELOAD
}
finish
