#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# collperf topo without a launcher: this machine, files of others, JSON, pictures, what is refused, and what cannot be written.

. tests/cli/lib.sh

data=$PWD/tests/data/topo
golden=$PWD/tests/cli/golden
for variable in $(env | sed -n 's/^\(PMI[A-Z0-9_]*\|OMPI_[A-Z_]*\|SLURM_[A-Z_]*\|RANK\|WORLD_SIZE\|LOCAL_RANK\)=.*/\1/p'); do
	unset "$variable"
done

good() { # WHAT; a condition was just evaluated
	verdict $(($? == 0)) "$1 (exit code $rc)" "$scratch/err" "$scratch/out"
}

topo() { # ARGUMENT...
	run 60 "$bin/collperf" topo "$@"
}

refused() { # WORDS-OF-THE-MESSAGE ARGUMENT...: a usage error of one line
	words=$1
	shift
	topo "$@"
	[ $rc = 2 ] && [ ! -s "$scratch/out" ] && [ "$(lines "$scratch/err")" = 1 ] && grep -qF -- "$words" "$scratch/err"
	good "refused: ${*:-nothing}"
}

failed() { # WORDS-OF-THE-MESSAGE ARGUMENT...: exit code 3 and one line
	words=$1
	shift
	topo "$@"
	[ $rc = 3 ] && [ "$(lines "$scratch/err")" = 1 ] && grep -q -- "$words" "$scratch/err"
	good "fails in one line: $*"
}

# --- this machine
topo
[ $rc = 0 ] && grep -q '^1 host, ' "$scratch/out" && grep -q "^host " "$scratch/out" && grep -q '^for a report: ' "$scratch/out"
good "this machine is shown"
topo --json
[ $rc = 0 ] && [ "$(lines "$scratch/out")" = 1 ] && json_is "$scratch/out" '@{$d->{hosts}} == 1 && ref $d->{hosts}[0]{numa} && ref $d->{hosts}[0]{gpus} && ref $d->{hosts}[0]{nics}
	&& ref $d->{hosts}[0]{links}'
good "--json: one host with numa, gpus, nics and links"
RANK=0 WORLD_SIZE=1 topo
[ $rc = 0 ] && grep -q '^1 host, ' "$scratch/out"
good "a launcher's job of one process is this machine"
RANK=1 WORLD_SIZE=3 topo --alone
[ $rc = 0 ] && grep -q '^1 host, ' "$scratch/out"
good "--alone: one of several processes by itself"

# --- files
topo --nccl "$data/show_small.xml"
sed -n '/^host/,/NIC0: mlx5_0$/p' "$scratch/out" | grep -v '^  note: ' >"$scratch/tree"
diff "$golden/topo_small.txt" "$scratch/tree" >"$scratch/diff"
verdict $(($? == 0 && rc == 0)) "tree and matrix of NCCL's file are the golden text" "$scratch/diff" "$scratch/err"
grep -q '^1 host, 2 GPUs, 1 NIC, 2 NUMA nodes' "$scratch/out" && sed -n '/^peak rates/,/^for a report/p' "$scratch/out" | grep -q 'PCIe 4.0 x16: 31.5 GB/s' &&
	grep -q -- '--link .* --gpus-per-node 2 DIR' "$scratch/out"
good "its rates and the numbers of a report"
sed -n 1p "$scratch/out" | grep -q ', 1 warning$' && tail -n 1 "$scratch/out" | grep -q '^warning: .*GPU1.* another socket' && [ $rc = 0 ]
good "a warning is counted first, told last, and no error"
topo --nccl "$data/show_dgx.xml"
[ $rc = 0 ] && grep -q 'NV12  12 x NVLink3: 300 GB/s' "$scratch/out" && grep -q 'all 28 pairs' "$scratch/out" && grep -q 'into a node: 8 NICs, 25 GB/s each, 200 GB/s together' "$scratch/out" &&
	grep -q 'rings over 8 GPUs: 300 GB/s' "$scratch/out"
good "eight GPUs: one line for all pairs, NICs of management do not count"
cp "$scratch/out" "$scratch/dgx"
# The matrix is that of nvidia-smi: it can be read as such.
topo --smi "$scratch/dgx"
[ $rc = 0 ] && diff <(sed -n '/^\tGPU0/,/^$/p' "$scratch/dgx") <(sed -n '/^\tGPU0/,/^$/p' "$scratch/out") >"$scratch/diff" && grep -q 'NIC Legend' "$scratch/out"
good "a matrix that was printed is read by --smi and printed alike"
topo --nccl - <"$data/show_small.xml" && run 60 bash -c '"$1" topo --nccl - <"$2"' - "$bin/collperf" "$data/show_small.xml"
[ $rc = 0 ] && grep -q '2 GPUs, 1 NIC' "$scratch/out"
good "- is stdin"
topo --nccl "$data/show_small.xml" --nccl "$data/show_dgx.xml" --nccl "$data/show_small.xml" --json
[ $rc = 0 ] && json_is "$scratch/out" '@{$d->{hosts}} == 3 && @{$d->{hosts}[1]{gpus}} == 8 && @{$d->{hosts}[1]{nics}} == 10'
good "several files are several hosts"
json_is "$scratch/out" 'my ($l) = grep { $_->{from} eq "GPU0" && $_->{to} eq "GPU7" } @{$d->{hosts}[1]{links}}; $l->{class} =~ /^NV/ && $l->{rate} == 300e9 && $l->{words} =~ /NVLink3/'
good "links in JSON have class, rate in bytes per second and words"
topo --nccl "$data/show_small.xml" --nccl "$data/show_dgx.xml" --nccl "$data/show_small.xml"
[ $rc = 0 ] && grep -q '^3 hosts, 2 kinds of hosts, 12 GPUs, 12 NICs' "$scratch/out" && grep -q 'just like: ' "$scratch/out" && [ "$(grep -c '^Legend' "$scratch/out")" = 2 ]
good "hosts that are alike are told once"

topo --nccl "$data/show_small.xml" --nccl "$data/show_small.xml"
[ $rc = 0 ] && grep -qx '  just like:  host 1 (ranks 0-1)' "$scratch/out"
good "a host without a name is called by its number"
topo --nccl "$data/show_small.xml" --nccl "$data/show_small.xml" --json
[ $rc = 0 ] && json_is "$scratch/out" '$d->{hosts}[0]{name} eq "host 0" && $d->{hosts}[1]{name} eq "host 1" && $d->{hosts}[1]{alike} == 0'
good "in JSON as well"
topo --nccl "$data/rccl.xml"
[ $rc = 0 ] && grep -q '2 x xGMI to GPU1: rate unknown' "$scratch/out" && ! grep -q 'NVLink' "$scratch/out" && ! grep -q '^warning' "$scratch/out"
good "links of AMD are no NVLinks, and none of them is missing"
topo --nccl "$data/cloud_8ib.xml" --nccl "$data/cloud_4efa.xml"
[ $rc = 0 ] && grep -qx '  into a node: rate unknown: 8 x InfiniBand, speed not given; other hosts: 4 x EFA, speed not given' "$scratch/out"
good "of NICs whose rates are not known all are told"
# GPU1's only link leads to itself; numbers of the file are 1 and 2.
sed 's/dev="1"/dev="2"/; s/dev="0" sm/dev="1" sm/; /target="0000:01:00.0"/d' "$data/bridged_a6000.xml" >"$scratch/itself.xml"
topo --nccl "$scratch/itself.xml"
[ $rc = 0 ] && grep -q '^  note: GPU1: a link to "0000:21:00.0": that is this GPU itself' "$scratch/out" && grep -q 'GPU1 0000:21:00.0, number 2 there' "$scratch/out" &&
	! grep -q '^warning' "$scratch/out"
good "a GPU whose link leads to itself is called as in the listing, and its links are not counted"

# --- pictures
topo --nccl "$data/show_dgx.xml" --dot "$scratch/graph"
[ $rc = 0 ] && grep -q '^graph topology {' "$scratch/graph" && [ "$(grep -c ' -- h0_hub ' "$scratch/graph")" = 8 ] && grep -q '^1 host' "$scratch/out"
good "--dot: the graph in a file, the text on stdout"
topo --nccl "$data/show_dgx.xml" --dot -
[ $rc = 0 ] && cmp -s "$scratch/graph" "$scratch/out"
good "--dot -: the graph alone on stdout"
if command -v dot >/dev/null; then
	sed 's/name="mlx5_0"/name="a\&quot;]; \&lt;script>\&amp;amp;\\"/' "$data/show_dgx.xml" >"$scratch/evil.xml"
	topo --nccl "$scratch/evil.xml" --svg "$scratch/picture.svg" --json
	[ $rc = 0 ] && [ ! -s "$scratch/err" ] && grep -q '</svg>' "$scratch/picture.svg" && grep -q 'GPU7' "$scratch/picture.svg" && ! grep -q '<script' "$scratch/picture.svg" &&
		json_is "$scratch/out" '@{$d->{hosts}} == 1'
	good "--svg draws, also where a name would like to be more"
	mkdir "$scratch/bin"
	printf '#!/bin/sh\ncat >/dev/null\necho "no  such font" >&2\nexit 5\n' >"$scratch/bin/dot"
	chmod +x "$scratch/bin/dot"
	PATH=$scratch/bin:$PATH failed 'dot: it failed: no  such font' --nccl "$data/show_dgx.xml" --svg "$scratch/none.svg" --json
	[ ! -e "$scratch/none.svg" ]
	good "a dot that fails leaves no picture"
else
	number=$((number + 1))
	echo "ok $number - --svg draws # SKIP no dot"
fi
run 60 env PATH=/nonexistent "$bin/collperf" topo --nccl "$data/show_dgx.xml" --svg "$scratch/later.svg"
[ $rc = 0 ] && [ "$(lines "$scratch/err")" = 1 ] && grep -q 'later.svg.dot' "$scratch/err" && cmp -s "$scratch/graph" "$scratch/later.svg.dot" && [ ! -e "$scratch/later.svg" ]
good "without dot the graph is written and that is said"
run 60 env PATH=:. "$bin/collperf" topo --nccl "$data/show_dgx.xml" --svg -
[ $rc = 3 ] && grep -q "needs Graphviz's dot" "$scratch/err" && [ ! -s "$scratch/out" ]
good "--svg - without dot fails"

# --- refused
refused "unknown option '--what'" --what
refused "unknown option '-z'" --json -zh
refused "say what a file is" "$data/show_small.xml"
refused "needs a value" --nccl
refused "an empty name" --svg ""
refused "stdin can be read once" --nccl - --smi -
refused "can have stdout" --json --dot -
failed 'cannot read .*nothing.xml: No such file' --nccl "$scratch/nothing.xml"
failed 'cannot read .*: Is a directory' --nccl "$scratch"
printf 'no xml' >"$scratch/text"
failed 'text' --nccl "$scratch/text"
failed 'text' --hwloc "$scratch/text"
failed 'text' --smi "$scratch/text"
failed 'text' --nccl "$data/show_small.xml" --nccl "$scratch/text"
failed 'cannot write .*/none/x' --nccl "$data/show_small.xml" --dot "$scratch/none/x"
name=$(printf 'a\033[31mb')
failed 'cannot read a?\[31mb: ' --nccl "$name"
truncate -s 70M "$scratch/large"
failed 'larger than 64 MiB' --smi "$scratch/large"

# --- what cannot be written
if [ -w /dev/full ]; then
	for arguments in "" --json "--dot -"; do
		"$bin/collperf" topo --nccl "$data/show_dgx.xml" $arguments >/dev/full 2>"$scratch/err"
		rc=$?
		[ $rc = 3 ] && [ "$(lines "$scratch/err")" = 1 ] && grep -q 'cannot write stdout: No space' "$scratch/err"
		good "a full disk is an error: ${arguments:-text}"
	done
	failed 'cannot write /dev/full: No space' --nccl "$data/show_dgx.xml" --dot /dev/full
fi
{ "$bin/collperf" topo --nccl "$data/show_dgx.xml" 2>"$scratch/err"; echo $? >"$scratch/rc"; } | :
# The reader may be slower than we are: then all was written.
rc=$(cat "$scratch/rc")
[ "$rc" = 0 ] || { [ "$rc" = 3 ] && grep -q 'cannot write stdout: Broken pipe' "$scratch/err"; }
good "a closed pipe is an error, not a death"

# --- told about
run 20 "$bin/collperf" topo --help
[ $rc = 0 ] && [ "$(grep -cE '^ {2}(-h,| {3}) --(hwloc|nccl|smi|json|svg|dot|alone|help)' "$scratch/out")" = 8 ]
good "--help has a row for every option"
run 20 "$bin/collperf" --man
[ $rc = 0 ] && grep -q '^.SH OPTIONS OF TOPO' "$scratch/out" && grep -q '\\-\\-hwloc' "$scratch/out"
good "so does the man page"
run 20 "$bin/collperf" --help
grep -q '^  topo ' "$scratch/out"
good "the driver names the command"

# --- one of several processes, without the program for it
mkdir "$scratch/lonely"
cp "$bin/collperf" "$scratch/lonely/"
run 20 env RANK=0 WORLD_SIZE=2 "$scratch/lonely/collperf" topo
[ $rc = 3 ] && [ ! -s "$scratch/out" ] && [ "$(lines "$scratch/err")" = 1 ] && grep -q 'needs collperf-topo beside collperf' "$scratch/err"
good "without collperf-topo rank 0 says so"
run 20 env RANK=1 WORLD_SIZE=2 "$scratch/lonely/collperf" topo
[ $rc = 3 ] && [ ! -s "$scratch/out" ] && [ ! -s "$scratch/err" ]
good "and the others say nothing"

run 20 env RANK=0 WORLD_SIZE=1 "$scratch/lonely/collperf" topo
[ $rc = 0 ] && grep -q '^1 host, ' "$scratch/out"
good "a job of one process does not need it"

# --- several processes by torchrun's variables, without MPI
two() { # ARGUMENT...: ranks 0 and 1; the first one's output
	port=$((20000 + RANDOM % 20000))
	env RANK=1 WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=$port timeout 60 "$bin/collperf" topo "$@" >"$scratch/out1" 2>"$scratch/err1" </dev/null &
	other=$!
	run 60 env RANK=0 WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=$port "$bin/collperf" topo "$@"
	wait $other
	rc1=$?
}
two --json
[ $rc = 0 ] && [ $rc1 = 0 ] && [ ! -s "$scratch/out1" ] && [ ! -s "$scratch/err1" ] && json_is "$scratch/out" '@{$d->{hosts}} == 1 && @{$d->{hosts}[0]{ranks}} == 2'
good "two ranks by torchrun's variables: one host, two ranks, told once"
two --nccl "$scratch/nothing.xml"
[ $rc = 3 ] && [ "$rc1" = 0 ] && [ "$(lines "$scratch/err")" = 1 ] && [ ! -s "$scratch/err1" ]
good "what rank 0 cannot read is said once"
# Nobody meets for a file: not even an address is needed.
for program in collperf collperf-topo; do
	words=$([ "$program" = collperf ] && echo topo)
	run 20 env RANK=0 WORLD_SIZE=4 "$bin/$program" $words --nccl "$data/show_small.xml"
	[ $rc = 0 ] && [ ! -s "$scratch/err" ] && grep -q '^1 host, 2 GPUs' "$scratch/out"
	good "$program: rank 0 of four shows a file by itself"
	run 20 env RANK=3 WORLD_SIZE=4 "$bin/$program" $words --nccl "$data/show_small.xml"
	[ $rc = 0 ] && [ ! -s "$scratch/err" ] && [ ! -s "$scratch/out" ]
	good "$program: rank 3 leaves it to rank 0"
	run 20 env RANK=3 WORLD_SIZE=4 "$bin/$program" $words --what
	[ $rc = 2 ] && [ ! -s "$scratch/err" ] && [ ! -s "$scratch/out" ]
	good "$program: rank 3 leaves the words about an unknown option to rank 0"
done
two --what
[ $rc = 2 ] && [ "$rc1" = 2 ] && [ "$(lines "$scratch/err")" = 1 ] && [ ! -s "$scratch/err1" ]
good "an unknown option is said once"
finish
