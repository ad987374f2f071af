#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# collperf run with fake binaries: what is started with which words, how ends are judged, and what the run directory holds. Each fake
# writes the files it is asked for and then behaves as the file "how" beside it says.

build=$(cd "${BUILD:-build}" && pwd) || exit 1
driver=$build/collperf
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir bin
number=0 status=0

verdict() { # RC WHAT
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		sed 's/^/# /' out err 2>/dev/null
		status=1
	fi
}

cat >bin/fake <<'END'
#!/bin/bash
here=${0%/*}
name=${0##*/}
[ "$1" != --list ] || { echo asked >>"$here/asked"; [ ! -e "$here/list" ] || echo "$(<"$here/list")"; exit "$(<"$here/list_rc")"; }
how=$(cat "$here/how.$name" 2>/dev/null)
wrong=0
[ "$how" = "${how%-wrong}" ] || { wrong=5 how=${how%-wrong}; }
printf '%s\0' "$@" >>"$here/words.$name"
for word; do
	case $previous in
	--csv) csv=$word ;;
	--facts) facts=$word ;;
	--run-id) run=$word ;;
	esac
	[ "$word" != --dry-run ] || dry=1
	[ "$word" != --refuse ] || { echo "$name: --refuse: never" >&2; exit 2; }
	previous=$word
done
[ -z "$dry" ] || { echo "a plan"; echo "a warning" >&2; exit 0; }
echo "$name" >>"$here/started"
echo "table of $name"
printf 'schema,point,points,run,note,wrong\n1,1,2,%s,"a\n""b""",%s\n' "$run" "$wrong" >"$csv"
echo '{"library": "fake"}' >"$facts"
[ "$how" != signal ] || kill -9 $$
[ "$how" != wait ] || { trap 'echo once >>"$here/signals"; exit 3' INT TERM; touch "$here/waiting"; for i in {1..100}; do sleep 0.1; done; }
[ "$how" != deaf ] || { trap '' INT TERM; touch "$here/waiting"; for i in {1..100}; do sleep 0.1; done; }
[ "$how" != short ] || exit 0
[ "$how" != leave ] || sleep 20 &
[ "$how" != cut ] || { printf '1,2,2,%s,cut' "$run" >>"$csv"; exit 0; }
[ "$how" != columns ] || printf 'other,point,points\n1,1,1\n' >"$csv"
[ "$how" != facts ] || echo '{"library": ' >"$facts"
[ "$how" != none ] || { rm "$csv" "$facts"; exit 0; }
[ "$how" != counted ] || echo '{"summary": {"wrong": 5}}' >"$facts"
[ "$how" != counted ] || exit 1
printf '1,2,2,%s,,0\n' "$run" >>"$csv"
case $how in exit*) exit "${how#exit}" ;; esac
exit 0
END
chmod +x bin/fake
for name in broadcast scatter gather reduce all_gather reduce_scatter all_reduce alltoall sendrecv; do
	ln -s fake bin/${name}_perf
done

lists() { # NCCL MPI [RC]: what the binaries say of their backends
	printf 'primitive: x (y)\nbackend: nccl (%s\nbackend: mpi (%s\nbackend: sim (a clock)\n' "$1" "$2" >bin/list
	echo "${3:-0}" >bin/list_rc
}

gpus() { # N
	lists "NCCL)
  NCCL headers 2.28.9, library 2.28.9; CUDA driver 13.0, runtime 13.0; GPUs: $1" "MPI)"
}

no_gpus="NCCL)
  NCCL headers 2.28.9; not usable here: no driver (none)"
no_nccl="built without NCCL (nccl.h was not found))"
no_mpi="built without MPI (mpicc was not found))"

how() { # [NAME=HOW ...]: the others do well
	rm -rf bin/how.* bin/words.* bin/started bin/waiting bin/signals bin/asked run
	lists "$no_nccl" "MPI)"
	for pair; do
		echo "${pair#*=}" >"bin/how.${pair%%=*}_perf"
	done
}

run() { # LIMIT_S of a run is its own: nothing here takes long
	timeout -k 5 60 "$driver" run --bin bin "$@" >out 2>err
}

fake_run() {
	run --launcher env "$@"
}

# Perl and its JSON::PP come with prove.
json() { # FILE EXPRESSION over $d (the document), @l (its launches), @status (of them)
	perl -MJSON::PP -0777 -e 'open my $f, "<", shift or die; our $d = decode_json(<$f>);
		our @l = @{$d->{launches}}; our @status = map { $_->{status} } @l;
		sub all_of(&@) { my $is = shift; for (@_) { return 0 unless $is->() } 1 }
		sub distinct { my %seen = map { $_ => 1 } @_; scalar keys %seen }
		my $holds = eval shift; die $@ if $@; exit($holds ? 0 : 1)' "$1" "$2"
}

change() { # FROM TO STATEMENT over $d
	perl -MJSON::PP -0777 -e 'open my $f, "<", shift or die; our $d = decode_json(<$f>); my $to = shift; eval shift; die $@ if $@;
		open my $out, ">", $to or die; print $out encode_json($d)' "$1" "$2" "$3"
}

# --- the whole and its parts
how
fake_run -o run -b 8
[ $? = 0 ] && [ "$(wc -l <bin/started)" = 9 ] && [ "$(ls run | tr '\n' ' ')" = "all_gather.csv all_reduce.csv alltoall.csv broadcast.csv \
gather.csv reduce.csv reduce_scatter.csv run.json scatter.csv sendrecv.csv " ]
verdict $? "all nine run and leave one CSV each and run.json"
json run/run.json '$d->{schema} == 1 && @l == 9 && $d->{ended} && distinct(map { $_->{seed} } @l) == 9 && !defined $d->{np}
	&& "@{$d->{launcher}}" eq "env" && all_of { $_->{status} eq "ok" && $_->{exit} == 0 && !defined $_->{signal}
	&& $_->{facts}{library} eq "fake" && $_->{argv}[0] eq "env" && "@{$_->{argv}}[-2, -1]" eq "-b 8" } @l'
verdict $? "run.json tells of every launch and holds its facts"
grep -q '^== all_reduce (7/9) ==$' err && [ "$(grep -c '^table of' out)" = 9 ] && [ "$(tail -n 2 out | head -n 1)" = "run directory: run" ] &&
	grep -q 'collperf report run$' out && ! grep -q 'warning\|plan' out err
verdict $? "tables go through, headings to stderr, the directory is named at the end, the dry run stays unseen"
how
fake_run -o run --collectives reduce,gather --quiet
[ $? = 0 ] && [ "$(cat run/reduce.log)" = "table of reduce_perf" ] && ! grep -q table out && [ "$(cat bin/started)" = "reduce_perf
gather_perf" ]
verdict $? "--collectives keeps its order, --quiet keeps tables in files"
how
fake_run --collectives reduce && [ -f "$(sed -n 's/^run directory: //p' out)/run.json" ] && ls runs | grep -q '^20[0-9]*T[0-9.]*Z$'
verdict $? "without -o the directory is named by the time"

# --- ends
while read -r end code state; do
	how "all_reduce=$end"
	fake_run -o run --collectives reduce,all_reduce,gather
	[ $? = "$code" ] && [ "$(wc -l <bin/started)" = 3 ] && { [ "$state" = ok ] || grep -q 'collperf: run: all_reduce: ' err; } &&
		case $end in *-wrong | counted) said=1 ;; *) said=0 ;; esac && [ "$(grep -c 'wrong data: 5 elements$' err)" = $said ] &&
		json run/run.json "\"@status\" eq \"ok $state ok\""
	verdict $? "$end: exit code $code, $state, the rest still runs"
done <<'END'
exit1 3 failed
exit0-wrong 1 failed
exit1-wrong 1 failed
exit77-wrong 1 failed
exit137-wrong 1 failed
short-wrong 3 failed
cut-wrong 3 failed
signal-wrong 3 failed
counted 3 failed
exit2 2 failed
exit3 3 failed
exit4 3 failed
exit77 0 skipped
exit255 3 failed
exit137 3 failed
signal 3 failed
short 3 failed
cut 3 failed
none 3 failed
leave 0 ok
END
how gather=exit1-wrong reduce=exit3 all_reduce=exit77
fake_run -o run --collectives gather,reduce,all_reduce,scatter
[ $? = 3 ] && grep -q '1 ok, 2 failed, 1 skipped' err
verdict $? "the worst exit code is reported"
how gather=exit77 reduce=exit77
fake_run -o run --collectives gather,reduce
verdict $(($? != 77)) "77 when nothing ran"
how
run --launcher false -o run --collectives gather
[ $? = 3 ] && grep -q 'gather: failed: exit code 1$' err && ! grep -q wrong err && ! grep -q 'to see it' out && grep -q '^run directory: run$' out
verdict $? "a launcher that ends with 1 is no wrong data; without rows there is nothing to see"
how gather=exit1-wrong
fake_run -o run --collectives gather
change run/run.json run/run.json '$d->{launches}[0]{status} = "ok"'
fake_run --resume run
[ $? = 1 ] && [ "$(wc -l <bin/started)" = 2 ]
verdict $? "--resume repeats a launch whose rows hold wrong data"
how gather=signal
fake_run -o run --collectives gather
json run/run.json '$l[0]{signal} == 9 && !defined $l[0]{exit}' && [ "$(wc -l <run/gather.csv)" = 3 ]
verdict $? "a signal is recorded, rows written before it stay"
how gather=facts
fake_run -o run --collectives gather
[ $? = 0 ] && grep -q 'facts left out' err && json run/run.json '!defined $l[0]{facts}' && [ "$(ls -A run | wc -l)" = 2 ]
verdict $? "broken facts are said and left out"

# --- launchers
how
fake_run -o run --collectives gather --launcher "env 'A=a b' B=\"c  d\" C=e\\ f D='\$(touch x)'" &&
	json run/run.json 'join("|", @{$d->{launcher}}) eq q{env|A=a b|B=c  d|C=e f|D=$(touch x)}' && [ ! -e x ]
verdict $? "--launcher is split at blanks outside quotes, nothing is expanded"
for text in "env 'a" '' '  ' 'env \'; do
	run --launcher "$text" -o run
	[ $? = 2 ] && grep -q -- '--launcher' err
	verdict $? "--launcher '$text' is refused"
done
how
run --launcher "nowhere-$$ -n 2" -o run
[ $? = 3 ] && grep -q "nowhere-$$: cannot be started: No such file" err && [ ! -e run ]
verdict $? "a launcher that is not there: exit 3, nothing is made"
timeout 60 env PATH="$work" "$driver" run --bin bin -o run >out 2>err
[ $? = 3 ] && grep -q 'mpiexec: cannot be started' err && [ "$(wc -l <err)" = 1 ]
verdict $? "no mpiexec: one line, exit 3"
printf '#!/bin/bash\nprintf "%%s " "$@" >>starts\necho >>starts\nshift 2\nexec "$@"\n' >mpiexec
chmod +x mpiexec
PATH=$work:$PATH run --np 3 -o run --collectives gather &&
	[ "$(cut -d ' ' -f 1-3 starts | sort -u)" = "-n 3 $work/bin/gather_perf" ] && json run/run.json '$d->{np} == 3'
verdict $? "mpiexec -n NP starts the binary"
how
rm starts
PATH=$work:$PATH run --np auto -o run --collectives gather && json run/run.json 'my ($n, $c) = @$d{qw(np cores)};
	$n == ($c < 2 ? 2 : $c > 8 ? 8 : $c)'
verdict $? "--np auto: the cores, from 2 to 8"
how
rm starts
PATH=$work:$PATH run --backend sim --np 64 -o run --collectives gather && [ ! -e starts ] &&
	json run/run.json '@{$d->{launcher}} == 0 && "@{$l[0]{argv}}[9 .. 12]" eq "--backend sim --sim-ranks 64"'
verdict $? "--backend sim: no launcher, np simulated ranks"

# --- backends
unset NCCL_TESTS_DEVICE
chosen() { # LAUNCHER BACKEND GPUS WHY WORDS: of run.json, and the words after the seed
	json run/run.json 'join(" ", @{$d->{launcher}}) eq "'"$1"'" && ($d->{backend} // "-") eq "'"$2"'" && ($d->{gpus} // "-") eq "'"$3"'" &&
		($d->{backend_why} // "-") eq "'"$4"'" && "@{$l[0]{argv}}" =~ /--seed \d+ ?(.*)/ && $1 eq "'"$5"'"'
}
takes() { # WHAT RESULT... as above; OPTION... after --
	local result=() what=$1
	shift
	while [ "$1" != -- ]; do result+=("$1") && shift; done
	shift
	rm -rf run starts
	PATH=$work:$PATH run -o run --collectives gather "$@" && chosen "${result[@]}" && case ${result[3]} in
	-) ! grep -q -- --backend err ;;
	*) grep -qxF "collperf: run: --backend auto: ${result[1]}: ${result[3]}" err ;;
	esac
	verdict $? "$what"
}
how
PATH=$work:$PATH run -o run --collectives gather
auto="mpiexec -n $(json run/run.json 'print $d->{np}')"
rm bin/asked
gpus 8
takes "8 GPUs: one process takes them all" "" nccl 8 "8 usable GPUs" "--backend nccl -g 8 -b 8" -- -b 8
json run/run.json '!defined $d->{np}' && [ ! -e starts ] && [ "$(wc -l <bin/asked)" = 1 ]
verdict $? "no launcher, one question"
takes "... also by name, without a word" "" nccl 8 - "--backend nccl -g 8" -- --backend nccl
NCCL_TESTS_DEVICE=5 takes "NCCL_TESTS_DEVICE leaves some" "" nccl 3 "3 usable GPUs" "--backend nccl -g 3" --
NCCL_TESTS_DEVICE=8 takes "NCCL_TESTS_DEVICE that leaves none is the binaries' matter" "" nccl 8 "8 usable GPUs" "--backend nccl -g 8" --
for words in "-g 4" -g4 "--ngpus 4" --ngpus=4 "-t 2" -t2 "--nthreads 2" --nthreads=2 "-b 8 -g 4 -e 8" "--hold -t 2" "--label a=b -g 1"; do
	takes "a number of GPUs that is given: $words" "" nccl - "8 usable GPUs" "--backend nccl $words" -- $words
done
takes "a label is no number of GPUs" "" nccl 8 "8 usable GPUs" "--backend nccl -g 8 --label -g=1" -- --label -g=1
takes "nor is what begins alike" "" nccl 8 "8 usable GPUs" "--backend nccl -g 8 --ngpuss 4" -- --ngpuss 4
rm bin/asked
takes "nothing is asked where all is said" "" nccl - - "--backend nccl -g 4" -- --backend nccl -g 4
takes "... nor for one rank" "" nccl - - "--backend nccl" -- --backend nccl --np 1
takes "... nor of mpi" "mpiexec -n 2" mpi - - "--backend mpi" -- --backend mpi --np 2
takes "... nor with a launcher" "env" - - - "" -- --launcher env
takes "... of nccl neither" "env" nccl - - "--backend nccl" -- --launcher env --backend nccl
[ ! -e bin/asked ]
verdict $? "not a question in all of these"
takes "processes of nccl" "mpiexec -n 4" nccl - - "--backend nccl" -- --backend nccl --np 4
takes "as many ranks as GPUs: the binaries choose" "mpiexec -n 8" - - - "" -- --np 8
takes "more ranks than GPUs are for MPI" "mpiexec -n 9" mpi - "8 usable GPUs for 9 ranks" "--backend mpi" -- --np 9
takes "... unless GPUs are counted out" "mpiexec -n 9" - - - "-g 1" -- --np 9 -g 1
takes "... or shared" "mpiexec -n 9" - - - "--share-gpus" -- --np 9 --share-gpus
gpus 1
takes "1 GPU and two ranks: MPI" "mpiexec -n 2" mpi - "1 usable GPU for 2 ranks" "--backend mpi" -- --np 2
takes "1 GPU: MPI" "$auto" mpi - "1 usable GPU" "--backend mpi" --
takes "1 GPU by name" "" nccl 1 - "--backend nccl -g 1" -- --backend nccl
lists "$no_gpus" "MPI)"
takes "no GPU: MPI, and why" "$auto" mpi - "nccl: no driver (none)" "--backend mpi" -- --backend auto
takes "no GPU and two ranks: the binaries choose" "mpiexec -n 2" - - - "" -- --np 2
lists "$no_nccl" "MPI)"
takes "without NCCL nothing is chosen" "$auto" - - - "" --
lists "NCCL)
  GPUs of any number; GPUs: 1x" "MPI)"
takes "a number that is none counts as none" "$auto" mpi - "nccl: no GPU is visible" "--backend mpi" --
lists "NCCL)
  not usable here: $(printf '\xff\t')" "MPI)"
takes "a reason may hold anything" "$auto" mpi - "nccl: ??" "--backend mpi" --
cannot() { # RC TEXT OPTION...: one line, nothing is made
	local rc=$1 text=$2
	shift 2
	rm -rf run bin/started
	PATH=$work:$PATH run -o run --collectives gather "$@"
	[ $? = "$rc" ] && [ "$(wc -l <err)" = 1 ] && grep -qF -- "$text" err && [ ! -e run ] && [ ! -e bin/started ]
	verdict $? "exit $rc: $text"
}
lists "$no_gpus" "MPI)"
cannot 3 "--backend nccl: no driver (none)" --backend nccl
lists "$no_nccl" "MPI)"
cannot 3 "--backend nccl: the binaries were built without NCCL" --backend nccl
lists "NCCL)
  x; GPUs: 4" "$no_mpi"
cannot 2 "--np 2: the binaries were built without MPI" --backend nccl --np 2
cannot 2 'torchrun --no-python --nproc-per-node 4' --np 4
takes "without MPI one GPU is better than nothing" "" nccl 4 "4 usable GPUs" "--backend nccl -g 4" --
echo 'nothing' >bin/list
cannot 3 "gather_perf --list: does not tell its backends"
lists "NCCL)" "MPI)" 3
cannot 3 "gather_perf --list: does not tell its backends"

# what was chosen is kept
how gather=exit3
gpus 8
PATH=$work:$PATH run -o run --collectives gather,reduce --seed 3 --repeat 2
how_many=$(wc -l <bin/asked)
rm -f bin/how.* bin/started
cp run/run.json first.json
lists "$no_gpus" "MPI)"
PATH=$work:$PATH run --resume run
[ $? = 0 ] && [ "$(cat bin/started)" = "gather_perf
gather_perf" ] && [ "$how_many" = 1 ] && [ "$(wc -l <bin/asked)" = 1 ] && chosen "" nccl 8 "8 usable GPUs" "--backend nccl -g 8" && ! grep -q -- --backend err
verdict $? "--resume keeps the backend and the GPUs, and asks nobody"
for statement in '$d->{gpus} = 0' '$d->{gpus} = 2000' '$d->{gpus} = "8"' '$d->{backend} = "mpi"' '$d->{backend_why} = 5' '$d->{backend_why} = "x" x 9999' \
	'$d->{np} = 4'; do
	change first.json run/run.json "$statement"
	rm -f bin/started
	PATH=$work:$PATH run --resume run
	[ $? = 3 ] && grep -q 'collperf: run: ' err && [ ! -e bin/started ]
	verdict $? "--resume of a broken choice: $statement"
done
change first.json run/run.json 'delete $d->{gpus}; delete $d->{backend_why}; delete $d->{backend}; $d->{backend} = undef; $d->{np} = 2;
	$d->{launcher} = ["mpiexec", "-n", "2"]'
rm -f bin/started
PATH=$work:$PATH run --resume run && chosen "mpiexec -n 2" - - - "" && [ "$(wc -l <bin/started)" = 2 ]
verdict $? "--resume of a run from before there was a choice"

# --- words from anybody
how
hostile=('a b' "it's" '$(touch x)' '`touch x`' '; touch x' '*' '"' '' $'two\nlines' '--np=x y' -- --np 5)
fake_run -o run --collectives gather --label "${hostile[@]:0:9}" -- "${hostile[@]:9}"
[ $? = 0 ] && [ ! -e x ] && printf '%s\0' --label "${hostile[@]:0:9}" "${hostile[@]:9}" | cmp -s - <(tail -z -n 14 bin/words.gather_perf) &&
	json run/run.json 'join("|", @{$l[0]{argv}}[-6 .. -1]) eq "|two\nlines|--np=x y|--|--np|5"'
verdict $? "words reach the binary one by one and unchanged, nothing is executed"
how
fake_run -o "run/\$(touch x) '\"<b>" --collectives gather && [ -f "run/\$(touch x) '\"<b>/gather.csv" ] && [ ! -e x ]
verdict $? "a directory may have any name"
hint() { # PROGRAM DIRECTORY: what a shell makes of the hint
	said=$(sed -n '/^to see it: /,$s/^to see it: //p' out)
	(eval "set -- \"\$@\" $said" && [ $# = 5 ] && [ "$1|report|$2" = "$3|$4|$5" ])
}
ln -s "$driver" "an odd'name"
odd=("a'b \$(touch x)" '~' '#a' '-n' '--' 'é;touch x' '*' "'")
for dir in "${odd[@]}" plain/a_b.c+d-e; do
	how
	rm -rf ./"$dir"
	timeout -k 5 60 "./an odd'name" run --bin bin --launcher env -o "$dir" --collectives gather >out 2>err
	case $dir in -*) dir=./$dir ;; esac
	hint "./an odd'name" "$dir" && [ ! -e x ]
	verdict $? "the hint can be pasted: $dir"
done
grep -q " report plain/a_b\.c+d-e$" out
verdict $? "a plain name is not quoted"
rm -rf -- "${odd[@]}" plain
not_utf8() { # WORDS: refused once
	how
	rm -rf runs
	fake_run "$@"
	[ $? = 2 ] && [ "$(grep -c 'not UTF-8' err)" = 1 ] && [ "$(wc -l <err)" = 1 ] && [ ! -s out ] && [ ! -e bin/started ] &&
		[ ! -e bin/words.gather_perf ] && [ ! -e run ] && [ ! -e runs ]
	verdict $? "what run.json cannot hold is refused: $(printf '%q ' "$@")"
}
not_utf8 -o run --collectives gather --label $'\xff'
not_utf8 --collectives gather -o run/$'a\xe9'
not_utf8 --collectives $'g\xc3' -o run
not_utf8 -o run -- $'\xed\xa0\x80'
not_utf8 --resume $'\xc0\xaf'
cp -R bin $'odd\xff' && ln -s $'odd\xff' link
not_utf8 --bin link -o run --collectives gather
rm -r link $'odd\xff'

# --- refusals
refuse() { # WORDS: exit 2, nothing started
	how
	fake_run -o run "$@"
	[ $? = 2 ] && [ -s err ] && [ ! -e bin/started ] && [ ! -e run ]
	verdict $? "refused: $*"
}
refuse --csv x
refuse --cs=x
refuse --json x
refuse -J x
refuse --facts x
refuse --run-id x
refuse --list
refuse --version
refuse --dry-run
refuse --sim-ranks 4
refuse --back sim
refuse -- : touch x
refuse --np 2
refuse --np 0
refuse --repeat 2x
refuse --seed -1
refuse --collectives nothing
refuse --collectives gather,gather
refuse --collectives ''
refuse --backend sim
refuse --quiet=1
refuse --repeat
refuse --refuse
grep -q -- 'gather_perf: --refuse: never\|broadcast_perf: --refuse: never' err
verdict $? "the binary's own message is shown"
"$driver" judge >out 2>err
[ $? = 2 ] && grep -q "unknown command 'judge'; there are: run report" err
verdict $? "an unknown command: the list, exit 2"
"$driver" >out 2>err
verdict $(($? != 2)) "no command: exit 2"
"$driver" --help >out 2>err && grep -q '^  report ' out && [ ! -s err ] && "$driver" --version | grep -q '^collperf [0-9.]*$' &&
	"$driver" run --help | grep -q -- '--launcher TEXT'
verdict $? "--help and --version"
"$driver" --man >out 2>err && grep -q '^\.TH COLLPERF 1' out && [ "$("$driver" run --help | sed -n 's/^  [-oh, ]*--\([a-z]*\) .*/\1/p')" = \
	"$(sed -n '/OPTIONS OF RUN/,/^\.PP/s/.*fB\\-\\-\([a-z]*\)\\fR.*/\1/p' out | grep .)" ]
verdict $? "the man page names every option of run"

# --- run directories
how
fake_run -o run --collectives gather
fake_run -o run --collectives gather
[ $? = 2 ] && grep -q 'holds a run already' err
verdict $? "a run is not overwritten"
mkdir other && touch other/file
fake_run -o other --collectives gather
[ $? = 2 ] && [ "$(ls other)" = file ]
verdict $? "a directory with something else in it is left alone"
fake_run -o other/file/run --collectives gather
[ $? = 3 ] && grep -q 'Not a directory' err
verdict $? "a directory that cannot be made: exit 3"
if [ "$(id -u)" = 0 ]; then
	fake_run -o /proc/collperf --collectives gather
else
	mkdir closed && chmod 500 closed
	fake_run -o closed --collectives gather
fi
[ $? = 3 ] && [ -s err ]
verdict $? "a directory that cannot be written: exit 3"

# --- repeat
how
fake_run -o run --collectives gather,reduce,scatter --repeat 3 --seed 7 -b 4
[ $? = 0 ] && [ "$(grep -c '^schema,' run/gather.csv)" = 1 ] && [ "$(grep -c '^1,1,2,' run/gather.csv)" = 3 ] &&
	[ "$(grep -c '^1,2,2,' run/gather.csv)" = 3 ] && [ "$(sed -n 's/^1,2,2,\([^,]*\),.*/\1/p' run/gather.csv | sed 's/.*-//' | tr -d '\n')" = 123 ]
verdict $? "--repeat joins the rows of all launches under one header"
order=$(cat bin/started)
json run/run.json '@l == 9 && distinct(map { $_->{seed} } @l) == 9 && distinct(map { $_->{run} } @l) == 9
	&& all_of { distinct(map { $_->{collective} } @l[$_ .. $_ + 2]) == 3 } 0, 3, 6'
verdict $? "each round has every collective once, each launch its seed and id"
seeds() { json run/run.json 'print join(" ", map { $_->{seed} } @l), "\n"'; }
seeds >seven
how
fake_run -o run --collectives gather,reduce,scatter --repeat 3 --seed 7
[ "$(cat bin/started)" = "$order" ] && seeds | cmp -s - seven
verdict $? "the same seed gives the same order and seeds"
how
fake_run -o run --collectives gather,reduce,scatter --repeat 3 --seed 8
[ "$(cat bin/started)" != "$order" ] && ! seeds | cmp -s - seven
verdict $? "another seed gives others"
how
fake_run -o run --collectives gather --repeat 2
sed -i 's/^schema/scheme/' run/launches/gather-1.csv
change run/run.json run/run.json '$d->{launches}[1]{status} = "failed"'
fake_run --resume run
grep -q 'header is not that of the other' err && [ "$(grep -c '^1,' run/gather.csv)" = 2 ]
verdict $? "rows under another header are not mixed in"

# --- options of one primitive
how sendrecv=exit3
fake_run -o run --collectives gather,sendrecv --mode oneway -b 8 --label --stride
[ $? = 3 ] && printf '%s\0' -b 8 --label --stride | cmp -s - <(tail -z -n 4 bin/words.gather_perf) && ! grep -qz -x -e --mode bin/words.gather_perf &&
	printf '%s\0' --mode oneway -b 8 --label --stride | cmp -s - <(tail -z -n 6 bin/words.sendrecv_perf)
verdict $? "an option of one primitive goes to it alone, a label that looks like one to all"
json run/run.json '"@{$d->{sweep}}" eq "--mode oneway -b 8 --label --stride" && "@{$l[0]{argv}}[-5 .. -1]" =~ /^\d+ -b 8 --label --stride$/
	&& "@{$l[1]{argv}}[-6 .. -1]" eq "--mode oneway -b 8 --label --stride"'
verdict $? "run.json has what was asked for and what each was given"
rm bin/how.* bin/words.*
fake_run --resume run && [ "$(tr '\n' ' ' <bin/started)" = "gather_perf sendrecv_perf sendrecv_perf " ] && printf '%s\0' --mode oneway -b 8 --label --stride | cmp -s - <(tail -z -n 6 bin/words.sendrecv_perf)
verdict $? "--resume gives it again"
how
fake_run -o run --collectives gather,sendrecv --mode --refuse
[ $? = 2 ] && [ ! -e bin/started ] && [ ! -e run ] && [ "$(cat err)" = "sendrecv_perf: --refuse: never" ]
verdict $? "what its binary refuses is refused before any launch"
fake_run -o run --collectives gather,reduce --mode oneway
[ $? = 2 ] && [ ! -e bin/started ] && [ ! -e run ] &&
	[ "$(cat err)" = "collperf: run: --mode: none of these collectives has it: it is an option of sendrecv" ]
verdict $? "and at once where none of the collectives has it"

# --- resume
how reduce=exit3 gather=short
fake_run -o run --collectives scatter,reduce,gather --seed 5 -b 4 --label "a 'b"
seeds >before
rm bin/started bin/how.* bin/words.*
fake_run --resume run
[ $? = 0 ] && [ "$(cat bin/started)" = "reduce_perf
gather_perf" ] && json run/run.json '"@status" eq "ok ok ok"' && seeds | cmp -s - before &&
	printf '%s\0' -b 4 --label "a 'b" | cmp -s - <(tail -z -n 4 bin/words.gather_perf) && [ -f run/gather.csv.previous ]
verdict $? "--resume repeats what failed, with the options and seeds of the run"
rm bin/started
fake_run --resume run
[ $? = 0 ] && [ ! -e bin/started ]
verdict $? "--resume of a complete run starts nothing"
sed -i '$d' run/scatter.csv
fake_run --resume run
[ $? = 0 ] && [ "$(cat bin/started)" = scatter_perf ] && [ "$(grep -c '^1,' run/scatter.csv)" = 2 ]
verdict $? "--resume repeats a launch whose rows are not all there"
fake_run --resume run -b 8
[ $? = 2 ] && fake_run --resume run --repeat 2
[ $? = 2 ] && fake_run --resume other
verdict $(($? != 3)) "--resume: other options are refused, and a directory without a run"
sed -i '$d' run/scatter.csv
rm bin/started
run --resume run
[ $? = 3 ] && grep -q "'env'" err && [ ! -e bin/started ]
verdict $? "a launcher that only run.json names is not started"
cp run/run.json good.json
breach() { # STATEMENT over $d
	change good.json run/run.json "$1"
	fake_run --resume run
	[ $? = 3 ] && grep -q 'collperf: run: ' err && [ ! -e bin/started ] && [ ! -e x ]
	verdict $? "--resume of a broken run.json: $1"
}
breach '$d->{schema} = 2'
breach 'delete $d->{stamp}'
breach '$d->{stamp} = "../../x"'
breach '$d->{seed} = "1"'
breach '$d->{repeat} = 10 ** 12'
breach '$d->{np} = -1'
breach '$d->{backend} = 5'
breach '$d->{collectives} = ["../gather"]'
breach '$d->{collectives} = [("gather") x 500]'
breach '$d->{sweep} = [":", "touch", "x"]'
breach '$d->{sweep} = ["--csv", "x"]'
breach '$d->{sweep} = {}'
breach '$d->{launcher} = ["touch", "x"]'
breach 'shift @{$d->{launches}}'
breach '$d->{launches}[0] = 7'
breach '$d->{launches}[0]{collective} = "reduce"'
breach '$d = []'
for text in '' '{' '[[[[' '{"schema": 1, "schema": 1}' '{"schema": 1e999}' $'\xff\xfe'; do
	printf '%s' "$text" >run/run.json
	fake_run --resume run
	[ $? = 3 ] && grep -q 'cannot be read' err
	verdict $? "--resume of a run.json that is no JSON: $(printf %q "$text")"
done

# --- files among the options
ln -s fake bin/alltoallv_perf
here=$(pwd -P)
mkdir elsewhere
again() { # FROM: what failed is repeated from that folder
	rm -f bin/how.* bin/words.* bin/started
	(cd "$1" && timeout -k 5 60 "$driver" run --bin "$work/bin" --launcher env --resume "$work/run") >out 2>err
}
printf '1 2\n3 4\n' >mx
how alltoallv=exit3
fake_run -o run --collectives gather,alltoallv --matrix mx -b 8
[ $? = 3 ] && json run/run.json '"@{$d->{sweep}}" eq "--matrix '"$here"'/mx -b 8" && "@{$d->{command}}[-4 .. -1]" eq "--matrix mx -b 8" && keys %{$d->{inputs}} == 1'
verdict $? "a file's name becomes absolute, its contents are known by a digest"
again elsewhere
[ $? = 0 ] && [ "$(cat bin/started)" = alltoallv_perf ] && printf '%s\0' --matrix "$here/mx" -b 8 | cmp -s - <(tail -z -n 4 bin/words.alltoallv_perf)
verdict $? "--resume from another folder finds it"
echo '# 5' >>mx
again .
[ $? = 0 ] && [ ! -e bin/started ]
verdict $? "a complete run does not ask for it"
change run/run.json run/run.json '$d->{launches}[1]{status} = "failed"'
again .
[ $? = 3 ] && [ ! -e bin/started ] && [ "$(cat err)" = "collperf: run: --matrix $here/mx: changed since the run was started, and its other launches read what it was: start a new run" ]
verdict $? "--resume with another file is refused"
rm mx
again .
[ $? = 3 ] && [ ! -e bin/started ] && [ "$(cat err)" = "collperf: run: --matrix $here/mx: No such file or directory" ]
verdict $? "and without it"
mkfifo mx
again .
[ $? = 3 ] && [ ! -e bin/started ] && [ "$(cat err)" = "collperf: run: --matrix $here/mx: no regular file: a run reads it more than once" ]
verdict $? "and with a pipe, which nobody waits for"
rm mx
printf '1 2\n3 4\n' >mx
again elsewhere
[ $? = 0 ] && [ "$(cat bin/started)" = alltoallv_perf ]
verdict $? "the same contents are the same file"
change run/run.json run/run.json '$d->{launches}[1]{status} = "failed"; $d->{inputs} = 5'
again .
[ $? = 3 ] && [ ! -e bin/started ] && grep -q "'inputs'" err
verdict $? "digests that are none are refused"
how
fake_run -o run --collectives alltoallv --matrix=mx
[ $? = 0 ] && json run/run.json '"@{$d->{sweep}}" eq "--matrix='"$here"'/mx" && $d->{inputs}{"'"$here"'/mx"} =~ /^[0-9a-f]{16}$/'
verdict $? "also where it is attached to its option"
how
fake_run -o run --collectives alltoallv --matr mx
[ $? = 2 ] && [ ! -e run ] && [ "$(cat err)" = "collperf: run: --matr: not with run: give it in full" ]
verdict $? "an option that is cut short is refused"
for kind in folder pipe; do
	[ $kind = folder ] && mkdir odd || mkfifo odd
	how
	fake_run -o run --collectives alltoallv --matrix odd
	[ $? = 2 ] && [ ! -e run ] && [ "$(cat err)" = "collperf: run: --matrix odd: no regular file: a run reads it more than once" ]
	verdict $? "a $kind is refused"
	rm -r odd
done

# --- signals
signalled() { # SIGNAL TIMES
	rm -f bin/waiting
	"$driver" run --bin bin --launcher env -o run --collectives scatter,reduce,gather >out 2>err &
	pid=$!
	for _ in {1..200}; do [ ! -e bin/waiting ] || break; sleep 0.05; done
	for _ in $(seq "$2"); do kill -"$1" $pid; sleep 0.3; done
	wait $pid
}
for signal in INT TERM HUP; do
	[ $signal = HUP ] && how reduce=deaf || how reduce=wait
	[ $signal = HUP ] && sed -i "s/trap '' INT TERM/true/" bin/fake
	signalled $signal 1
	[ $? = 3 ] && [ "$(wc -l <bin/started)" = 2 ] && { [ $signal = HUP ] || [ "$(cat bin/signals)" = once ]; } &&
		json run/run.json '"@status" eq "ok interrupted pending" && $d->{ended}' &&
		[ "$(grep -c '^1,1,2' run/reduce.csv)" = 1 ] && grep -q '1 interrupted, 1 not started' err
	verdict $? "SIG$signal: passed on once, exit 3, run.json is whole, the rest is pending"
done
sed -i "s/|| { true; touch/|| { trap '' INT TERM; touch/" bin/fake
rm bin/how.*
fake_run --resume run && [ "$(tail -n 2 bin/started | tr '\n' ' ')" = "reduce_perf gather_perf " ]
verdict $? "--resume goes on after an interruption"
how reduce=deaf
signalled INT 2
[ $? = 3 ] && json run/run.json '$l[1]{signal} == 9'
verdict $? "a second signal kills a launch that does not listen"
how reduce=wait
"$driver" run --bin bin --launcher env -o run --collectives reduce >out.first 2>&1 &
pid=$!
for _ in {1..200}; do [ ! -e bin/waiting ] || break; sleep 0.05; done
fake_run --resume run
[ $? = 3 ] && grep -q 'another collperf run is at work' err
verdict $? "two drivers do not share a directory"
kill -INT $pid
wait $pid

echo "1..$number"
exit $status
