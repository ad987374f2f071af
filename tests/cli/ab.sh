#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# collperf ab: two variants by turns on simulated ranks, one real job over MPI, texts that a shell would not leave alone, and what ends it early.

. tests/cli/lib.sh
driver=$bin/collperf
cd "$scratch" || exit 1
sim="--backend sim --np 4 --collectives all_reduce,broadcast -b 8 -e 1M -f 16 -n 10 --seed 7"
# shellcheck disable=SC2086 # words
ab() { # WORDS...
	run 100 "$driver" ab "$@"
}

# The variants in the order of their launches, of one primitive.
turns() { # FILE PRIMITIVE
	perl -MJSON::PP -e 'local $/; open my $f, "<", $ARGV[0] or exit 1; my $d = JSON::PP->new->utf8->decode(<$f>);
		print map { $_->{variant} } grep { $_->{collective} eq $ARGV[1] } @{$d->{order}}' "$1" "$2"
}

# Another build: it writes down what it is given and how it was started, then is the real one, or does what the file "how" says.
other() { # FOLDER
	mkdir -p "$1"
	for name in all_reduce broadcast; do
		cat >"$1/${name}_perf" <<END
#!/bin/bash
here=\${0%/*}
case " \$* " in *" --dry-run "*) exec '$bin/${name}_perf' "\$@" ;; esac
printf '%s\n' "X=\${X-unset} Y=\${Y-unset}" >>"\$here/seen"
case \$(cat "\$here/how" 2>/dev/null) in
fail) echo "broken build" >&2; exit 3 ;;
wait) trap 'exit 3' INT; touch "\$here/waiting"; for i in {1..200}; do sleep 0.1; done ;;
esac
exec '$bin/${name}_perf' "\$@"
END
		chmod +x "$1/${name}_perf"
	done
}

ab --help
[ $rc = 0 ] && grep -q -- '-A *SPEC' out && grep -q -- '--threshold' out
verdict $((!$?)) "help" out err

# --- the same twice, and one that is slower
ab -A "" -B "" $sim -o aa --sim-noise 1%,2%
[ $rc = 0 ] && grep -q '^collperf: ab: A and B are the same' err && grep -q '^No regression' out && grep -q 'A: as it is (10 launches)' out
verdict $((!$?)) "A/A: 0, and it is said that they are the same" out err

ab -A "" -B "--sim-bandwidth 50G" $sim -o slow --sim-noise 1%,2% --repeat 6 --junit j.xml --markdown m.md --json j.json
[ $rc = 1 ] && grep -q 'slower than A' out && grep -q all_reduce out && grep -q 'B: --sim-bandwidth 50G (6 launches)' out
verdict $((!$?)) "a slower B: 1, and the sentence says so" out err
grep -q '<testsuite' j.xml && grep -q 'sim-bandwidth 50G' m.md && json_is j.json 'ref $d'
verdict $((!$?)) "options of compare are passed on" j.xml m.md

[ "$(turns slow/ab.json all_reduce)" = ABBAABBAABBA ] && [ "$(turns slow/ab.json broadcast)" = ABBAABBAABBA ]
verdict $((!$?)) "launches are A B B A" slow/ab.json
json_is slow/ab.json '@{$d->{pairs}} == 12 && @{$d->{order}} == 24 && !grep({ !$_->{complete} } @{$d->{pairs}})
	&& $d->{B}{options}[1] eq "50G" && $d->{seed} == 7 && $d->{repeat} == 6 && $d->{ended}
	&& $d->{pairs}[0]{A} =~ /-A-.*-1$/ && $d->{pairs}[0]{B} =~ /-B-.*-1$/'
verdict $((!$?)) "ab.json has the variants, the seed and whole pairs" slow/ab.json
perl -e 'my ($a, $b) = map { local $/; open my $f, "<", "slow/$_/run.json"; <$f> } "A", "B"; my @a = $a =~ /"seed": (\d+)/g; my @b = $b =~ /"seed": (\d+)/g;
	my %seen; exit !(@a == 13 && @b == 13 && shift(@a) == 7 && shift(@b) == 7 && !grep { $seen{$_}++ } @a, @b)'
verdict $((!$?)) "one seed orders both, each launch has its own"
json_is slow/B/run.json '$d->{ab}{variant} eq "B" && $d->{ab}{spec} eq "--sim-bandwidth 50G" && $d->{ab}{other} eq "" && $d->{ended}
	&& !grep({ $_->{status} ne "ok" } @{$d->{launches}}) && grep({ $_ eq "50G" } @{$d->{sweep}})' &&
	json_is slow/A/run.json '$d->{ab}{variant} eq "A" && !grep({ $_ eq "50G" } @{$d->{sweep}})' && [ "$(lines slow/A/all_reduce.csv)" = "$(lines slow/B/all_reduce.csv)" ]
verdict $((!$?)) "both are run directories, and say which variant they are"
run 60 "$driver" compare slow/A slow/B --quiet
[ $rc = 1 ] && grep -q 'B is .* slower than A' out && run 60 "$driver" compare slow/B slow/A && [ $rc = 0 ] && grep -q 'A is .* faster than B' out
verdict $((!$?)) "they can be compared again, as pairs" out err
run 60 "$driver" run --resume slow/A
[ $rc = 3 ] && grep -q 'one variant of collperf ab' err
verdict $((!$?)) "one variant alone is not resumed" out err

ab -A "--sim-bandwidth 50G" -B "" $sim -o fast --sim-noise 1%,2% --repeat 4 --json - --threshold 3%
[ $rc = 0 ] && json_is out '1' && grep -q 'run directories' err
verdict $((!$?)) "a faster B is no regression; a document on stdout is alone there" out err
ab -A "--algo ring" -B "--algo binomial" --backend sim --np 4 --collectives all_reduce -b 8 -e 1K -f 2 -n 10 --repeat 4 -o algo
[ $rc = 0 ] && grep -q faster out
verdict $((!$?)) "points of two algorithms are compared" out err
run 60 "$driver" compare algo/A algo/B
[ $rc = 0 ] && grep -q faster out
verdict $((!$?)) "and again, as they are known to be variants" out err

# --- what is no command line
refused() { # WHAT SAID WORDS...
	what=$1 said=$2
	shift 2
	ab "$@" $sim -o never
	[ $rc = 2 ] && grep -q -- "$said" err && [ ! -e never ] && [ ! -s out ]
	verdict $((!$?)) "$what: 2, nothing is made" out err
}
refused "no -B" "needs -A and -B" -A ""
refused "-A twice" "given twice" -A "" -A "" -B ""
refused "a quote left open" "not closed" -A "" -B "X='1"
refused "a word that is nothing" "neither NAME=VALUE" -A "" -B "NCCL_ALGO Ring"
refused "a name that is none" "neither NAME=VALUE" -A "" -B "1X=2"
refused "a variable twice" "X is set twice" -A "" -B "X=1 X=2"
refused "what both share" "same ranks" -A "" -B "--np 8"
refused "an option the binaries lack" "bogus" -A "" -B "--bogus"
refused "a path of simulated ranks" "no paths" -A "" -B "--path tcp"
refused "--resume" "not resumed" -A "" -B "" --resume x
refused "a gate of garbage, before a launch" "gate" -A "" -B "" --gate garbage
refused "a threshold of garbage, before a launch" "threshold" -A "" -B "" --threshold -1
refused "text that is not UTF-8" "UTF-8" -A "" -B $'X=\xff'
mkdir full && touch full/file
ab -A "" -B "" $sim -o full
[ $rc = 2 ] && grep -q 'not empty' err
verdict $((!$?)) "a directory that is not empty: 2" err
mkdir empty
ab -A "" -B "$scratch/empty" $sim -o never
[ $rc = 3 ] && grep -q 'B: the variant cannot be launched' err && grep -q 'all_reduce_perf' err && [ ! -e never ]
verdict $((!$?)) "a folder without binaries: 3, with its reason" err

# --- no shell
odd='oth er;touch x;$(touch x)'
other "$odd"
ab -A "'$odd'" -B "X='\$(touch x);touch x' Y=\`id\` '$odd'" --backend sim --np 2 --collectives all_reduce -b 8 -e 8 -n 5 --repeat 2 -o 'a $(touch x)'
[ $rc != 2 ] && [ $rc != 3 ] && [ ! -e x ] && [ "$(sort "$odd/seen" | uniq -c | tr -s ' ')" = ' 2 X=$(touch x);touch x Y=`id`
 2 X=unset Y=unset' ]
verdict $((!$?)) "texts stay texts, and variables are those of their variant alone" out err "$odd/seen"
json_is 'a $(touch x)/ab.json' '$d->{B}{variables}{X} eq q{$(touch x);touch x} && $d->{B}{variables}{Y} eq q{`id`} && !%{$d->{A}{variables}}' &&
	json_is 'a $(touch x)/B/run.json' '$d->{ab}{variables}{Y} eq q{`id`}'
verdict $((!$?)) "variables are recorded with the variant"
X=outer ab -A "" -B "X= '$odd'" --bin "$odd" --backend sim --np 2 --collectives all_reduce -b 8 -e 8 -n 5 --repeat 1 --dry-run -o never
[ $rc = 0 ] && [ "$(lines out)" = 2 ] && [ ! -e never ] && sed -n 2p out | grep -q "^X='' .*# B, pair 1 of 1$" && sed -n 1p out | grep -q "^'.*# A, pair 1 of 1$" && sh -n out
verdict $((!$?)) "a dry run shows commands to paste, and makes nothing" out err
ab -A "" -B "X=1" $sim --repeat 4 --dry-run
[ $rc = 0 ] && [ "$(grep all_reduce_perf out | sed 's/.*# \(.\),.*/\1/' | tr -d '\n')" = ABBAABBA ] && [ ! -e runs ]
verdict $((!$?)) "a dry run has the order" out err

# --- early ends
other broken
echo fail >broken/how
ab -A "" -B broken --backend sim --np 2 --collectives all_reduce -b 8 -e 8 -n 5 --repeat 3 -o broke
[ $rc = 3 ] && grep -q 'broken build' err && grep -q 'B: all_reduce failed in pair 1' err && grep -q 'nothing is judged' err && ! grep -qi 'regression' out &&
	[ "$(lines broken/seen)" = 1 ] && csv_is_whole broke/A/all_reduce.csv && json_is broke/ab.json '$d->{pairs}[0]{complete} == 0 && $d->{order}[1]{status} eq "failed"'
verdict $((!$?)) "a launch that fails is the last one: 3, nothing is judged, what there is stays" out err

other slowly
echo wait >slowly/how
ab_start() {
	timeout -k 5 60 "$driver" ab -A "" -B slowly --backend sim --np 2 --collectives all_reduce -b 8 -e 8 -n 5 --repeat 3 -o cut >out 2>err &
	job=$!
	for _ in {1..300}; do
		[ ! -e slowly/waiting ] || break
		sleep 0.1
	done
}
ab_start
kill -INT "$(pgrep -P "$job" | head -n 1)"
wait "$job"
rc=$?
[ $rc = 3 ] && grep -q 'nothing is judged: interrupted' err && ! grep -qi regression out && csv_is_whole cut/A/all_reduce.csv &&
	json_is cut/ab.json '$d->{order}[0]{status} eq "ok" && $d->{order}[1]{status} eq "interrupted" && $d->{order}[2]{status} eq "pending"'
verdict $((!$?)) "interrupted: 3, what there is stays, nothing is judged" out err

# --- a real job: variables reach the ranks as the launcher passes them on
if "$bin/all_reduce_perf" --list | grep -q '^backend: mpi (MPI' && command -v mpiexec >/dev/null; then
	other ranks
	ab -A "'$scratch/ranks'" -B "X=2 '$scratch/ranks'" --backend mpi --np 2 --collectives all_reduce -b 8 -e 64 -f 8 -n 20 --repeat 2 -o mpi
	case $rc in 0 | 1 | 4) ok=1 ;; *) ok=0 ;; esac
	[ $ok = 1 ] && [ "$(sort ranks/seen | uniq -c | tr -s ' ')" = ' 4 X=2 Y=unset
 4 X=unset Y=unset' ] && [ "$(turns mpi/ab.json all_reduce)" = ABBA ] && [ "$(lines mpi/A/all_reduce.csv)" = 9 ] && [ "$(lines mpi/B/all_reduce.csv)" = 9 ]
	verdict $((!$?)) "two ranks over MPI" out err ranks/seen
fi

finish
