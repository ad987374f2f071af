#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# collperf baseline on simulated runs: a slow drift is seen, the last runs are kept, nothing is lost by what ends an update early, and two programs
# do not meet in the folder.

. tests/cli/lib.sh
driver=$bin/collperf
cd "$scratch" || exit 1

# A run in which everything takes PERCENT longer.
make_run() { # FOLDER SEED PERCENT [OPTION]...
	folder=$1 seed=$2
	bandwidth=$(awk -v p="$3" 'BEGIN { printf "%.4fG", 100 / (1 + p / 100) }') alpha=$(awk -v p="$3" 'BEGIN { printf "%.6fus", 5 * (1 + p / 100) }')
	shift 3
	"$driver" run --backend sim --np 4 --collectives all_reduce -b 8 -e 4M -f 8 -n 10 --repeat 5 --sim-noise 1%,2% --sim-alpha "$alpha" \
		--sim-bandwidth "$bandwidth" --seed "$seed" --quiet -o "$folder" "$@" >"$scratch/said" 2>&1
}
baseline() { # WORDS...
	run 60 "$driver" baseline "$@"
}
names() { # FOLDER
	ls -A "$1" | grep -c '^[0-9]'
}
name_of() { # RUN
	perl -MJSON::PP -e 'local $/; open my $f, "<", "$ARGV[0]/run.json" or exit 1; my $d = JSON::PP->new->utf8->decode(<$f>); print "$d->{stamp}-$d->{seed}"' "$1"
}

# --- a loss of 1 % a week
week=1
while [ $week -le 13 ]; do
	make_run "week$week" $((40 + week)) $((week - 1)) || break
	week=$((week + 1))
done
[ $week = 14 ]
verdict $((!$?)) "runs to keep" said

baseline update kept week1
[ $rc = 0 ] && grep -q "^kept: took week1 as .*; holds 1 run of at most 12$" out && cmp -s week1/run.json "kept/$(name_of week1)/run.json" &&
	cmp -s week1/all_reduce.csv "kept/$(name_of week1)/all_reduce.csv" && [ "$(ls -A "kept/$(name_of week1)" | wc -l)" = 2 ]
verdict $((!$?)) "the first run makes the folder: its rows and run.json are there" out err
alarms=0
for week in 2 3 4 5 6 7 8 9 10 11 12; do
	run 60 "$driver" compare "week$((week - 1))" "week$week"
	[ $rc = 0 ] || alarms=$((alarms + 1))
	baseline update kept "week$week"
	[ $rc = 0 ] || break
done
[ $alarms = 0 ] && [ "$(names kept)" = 12 ]
verdict $((!$?)) "no week differs from the one before by more than the threshold" out err
baseline check kept week13 --threshold 5%
[ $rc = 1 ] && grep -q 'oldest 4 of 12 runs' out && grep -q '12 runs' out && [ "$(grep -c 'Regression' out)" -ge 1 ]
verdict $((!$?)) "twelve weeks together do: 1, against all and against the oldest" out err
baseline check kept week13 --json j.json --junit j.xml --markdown m.md
[ $rc = 1 ] && json_is j.json 'ref $d' && grep -q '<testsuite' j.xml && grep -q kept m.md
verdict $((!$?)) "the options of compare are taken" out err
baseline check kept week13 --json -
[ $rc = 1 ] && json_is out 'ref $d'
verdict $((!$?)) "a document on stdout is alone there" out err
# The oldest see what the mean over all does not.
baseline check kept week13 --threshold 8% --json j.json
[ $rc = 1 ] && grep -q 'Each step was too small to see, their sum is not' out && grep -q '^No regression' out && grep -q '^Regression' out && grep -q 'oldest 4' j.json
verdict $((!$?)) "half of a drift is gone from the mean of all" out err
make_run same 99 5.5
baseline check kept same --threshold 5%
[ $rc = 0 ]
verdict $((!$?)) "a run as they were on average: 0" out err
baseline check kept week12
grep -q 'is in the baseline: compared with the others' err && grep -q '(.*11 runs)' out
verdict $((!$?)) "a run is not compared with itself" out err

baseline show kept
[ $rc = 0 ] && [ "$(lines out)" = 14 ] && grep -q 'all_reduce' out && [ "$(sed -n '3,$p' out | cut -c -24)" = "$(sed -n '3,$p' out | cut -c -24 | sort)" ] &&
	sed -n 3p out | grep -q " 5 .* sim .* [0-9.]*$"
verdict $((!$?)) "show is a table, oldest first" out err

# --- the last N
baseline update kept week13
[ $rc = 0 ] && [ "$(names kept)" = 12 ] && [ ! -e "kept/$(name_of week1)" ] && [ -e "kept/$(name_of week13)" ]
verdict $((!$?)) "the thirteenth run lets the first go" out err
baseline update kept week13
[ $rc = 3 ] && grep -q 'in the baseline already' err && [ "$(names kept)" = 12 ]
verdict $((!$?)) "the same run twice: 3" out err
baseline update kept week1
[ $rc = 3 ] && grep -q 'older than all' err && [ "$(names kept)" = 12 ]
verdict $((!$?)) "a run older than all that are kept: 3" out err
baseline update kept same --keep 3
[ $rc = 0 ] && [ "$(names kept)" = 3 ] && [ -e "kept/$(name_of same)" ] && [ -e "kept/$(name_of week13)" ] && [ -e "kept/$(name_of week12)" ]
verdict $((!$?)) "--keep 3" out err

# --- what is no measure for others
edit() { # WHAT SAID FILE EXPRESSION
	rm -rf spoilt
	cp -r week2 spoilt
	perl -0pi -e "$4" "spoilt/$3"
	baseline update fresh spoilt
	[ $rc = 3 ] && grep -q -- "$2" err && grep -q -- '--force' err && [ "$(names fresh)" = 0 ]
	verdict $((!$?)) "$1: 3, not taken" out err
}
edit "wrong data" "wrong data in 1 row" all_reduce.csv 's/,0,simulated,/,7,simulated,/'
edit "ranks that shared cores" "shared cores" all_reduce.csv 's/simulated/simulated oversubscribed/'
edit "a launch that lacks rows" "rows of 14" all_reduce.csv 's/[^\n]*\n\z//'
edit "a launch that failed" "failed" run.json 's/"status": "ok"/"status": "failed"/'
edit "a run that has not ended" "has not ended" run.json 's/"ended": "[^"]*"/"ended": null/'
baseline update fresh spoilt --force
[ $rc = 0 ] && [ "$(names fresh)" = 1 ]
verdict $((!$?)) "--force takes it" out err

unusable() { # WHAT SAID RUN
	baseline update untouched "$3"
	[ $rc = 3 ] && grep -q -- "$2" err && [ "$(names untouched)" = 0 ]
	verdict $((!$?)) "$1: 3" out err
}
mkdir bare
unusable "a folder that is no run" "run.json" bare
unusable "none at all" "run.json" nowhere
rm -rf spoilt && cp -r week2 spoilt && rm spoilt/all_reduce.csv
unusable "a run without rows" "CSV" spoilt
for stamp in ../../../out-of-$$ .. '' 20251130T000000.000Z/x '20251130T000000.000Z-\u0000' "$(printf '%0200d' 0)"; do
	rm -rf spoilt && cp -r week2 spoilt
	STAMP=$stamp perl -0pi -e 's/"stamp": "[^"]*"/"stamp": "$ENV{STAMP}"/' spoilt/run.json
	baseline update untouched spoilt
	[ $rc = 3 ] || break
done
[ $rc = 3 ] && [ ! -e out-of-$$ ] && [ ! -e ../out-of-$$ ] && [ ! -e ../../out-of-$$ ] && [ "$(ls -A untouched)" = .lock ]
verdict $((!$?)) "a time in run.json that is none: 3, nothing is made" out err
echo '{' >spoilt/run.json
unusable "a run.json that is no JSON" "run.json" spoilt

# --- a gate before the update
baseline update gated week1 --check
[ $rc = 0 ] && grep -q 'holds no run yet' err && [ "$(names gated)" = 1 ]
verdict $((!$?)) "--check takes the first run" out err
baseline update gated week13 --check --threshold 5%
[ $rc = 1 ] && grep -q 'not taken' err && [ "$(names gated)" = 1 ]
verdict $((!$?)) "--check: a regression is not taken, 1" out err
baseline update gated week2 --check --threshold 5%
[ $rc = 0 ] && [ "$(names gated)" = 2 ]
verdict $((!$?)) "--check: what is no regression is taken" out err

# --- two runs that cannot tell how much runs differ do not stay two for ever
week() { # NAME SEED ALPHA BANDWIDTH
	"$bin/collperf" run --backend sim --np 4 --quiet -b 8 -e 1M -f 4 --sim-noise 1%,1% --collectives all_reduce --repeat 5 --seed "$2" --sim-alpha "$3" --sim-bandwidth "$4" -o "$1" >out 2>err
}
week slow0 90 5us 100G && week slow1 91 5.015us 99.7009G && week slow2 92 5.03us 99.4027G && week slow3 999 6us 83.3G
baseline update slow slow0 --check && baseline update slow slow1 --check
baseline update slow slow2 --check
[ $rc = 4 ] && grep -q 'taken though inconclusive' err && [ "$(names slow)" = 3 ]
verdict $((!$?)) "--check: an inconclusive third run is taken, 4" out err
baseline update slow slow3 --check
[ $rc = 1 ] && grep -q 'not taken' err && [ "$(names slow)" = 3 ]
verdict $((!$?)) "--check: a loss of a fifth after it is not, 1" out err

# --- what ends early leaves what was there
size=$(wc -c <week3/run.json)
(bash -c "ulimit -c 0; ulimit -f $((size / 2048)); exec timeout 60 '$driver' baseline update gated week3" >out 2>err; exit $?) 2>/dev/null
rc=$?
[ $rc != 0 ] && [ "$(names gated)" = 2 ] && [ -e gated/.making ]
verdict $((!$?)) "an update that is killed while it copies: the runs are those of before" out err
baseline show gated
[ $rc = 0 ] && [ "$(lines out)" = 4 ]
verdict $((!$?)) "and they are still shown" out err
mkdir gated/.removing && echo x >gated/.removing/run.json
baseline update gated week3
[ $rc = 0 ] && [ "$(names gated)" = 3 ] && [ ! -e gated/.making ] && [ ! -e gated/.removing ] && cmp -s week3/all_reduce.csv "gated/$(name_of week3)/all_reduce.csv"
verdict $((!$?)) "the next one clears up" out err

# --- two at a time
(flock 9 && touch held && sleep 4) 9>>gated/.lock &
holder=$!
for _ in {1..100}; do
	[ ! -e held ] || break
	sleep 0.05
done
baseline update gated week4 --wait 0
[ $rc = 3 ] && grep -q 'at work there' err && [ "$(names gated)" = 3 ]
verdict $((!$?)) "while another has the folder: 3" out err
baseline check gated week4 --wait 0
[ $rc = 3 ] && grep -q 'at work there' err
verdict $((!$?)) "a check does not read what is being changed" out err
baseline update gated week4 --wait 50
[ $rc = 0 ] && [ "$(names gated)" = 4 ]
verdict $((!$?)) "who waits has it afterwards" out err
wait $holder
timeout 60 "$driver" baseline update gated week5 >one 2>&1 &
first=$!
timeout 60 "$driver" baseline update gated week6 >two 2>&1
two=$?
wait $first && [ $two = 0 ] && [ "$(names gated)" = 6 ]
verdict $((!$?)) "two updates at once: both are there" one two

# --- names
odd=$'b $(touch x);\n"\'* -'
baseline update "$odd" week1 && baseline update "$odd" ./week2 && baseline check "$odd" week3
{ [ $rc = 0 ] || [ $rc = 4 ]; } && [ "$(names "$odd")" = 2 ] && [ ! -e x ] && [ "$(wc -l <err)" = 0 ]
verdict $((!$?)) "a folder with an odd name" out err
cp -r week7 -- -week
baseline update "$odd" -- -week
[ $rc = 0 ] && [ "$(names "$odd")" = 3 ]
verdict $((!$?)) "a run with an odd name" out err
mkdir elsewhere && echo precious >elsewhere/run.json
ln -s ../elsewhere "gated/20000101T000000.000Z-1"
touch "gated/20000101T000000.000Z-2" && mkdir "gated/20000101T000000.000" gated/other
baseline update gated week7 --keep 2
[ $rc = 0 ] && [ "$(cat elsewhere/run.json)" = precious ] && [ -L "gated/20000101T000000.000Z-1" ] && [ -e "gated/20000101T000000.000Z-2" ] && [ -d gated/other ] &&
	[ -d "gated/20000101T000000.000" ]
verdict $((!$?)) "what is no run of the baseline is left alone" out err
rm -rf spoilt && cp -r week8 spoilt
perl -0pi -e 's/"host": "[^"]*"/"host": "\\u001b[31mred\\nline"/' spoilt/run.json
baseline update gated spoilt && baseline show gated
[ $rc = 0 ] && grep -q '?\[31mred?line' out && [ "$(lines out)" = 5 ]
verdict $((!$?)) "control characters of a host's name are not shown" out err

# --- a stored run whose run.json is none: told in one way by show and by check, and no more than that
rm -rf torn && cp -r kept torn && echo '{"sch' >"torn/$(name_of week12)/run.json"
baseline show torn
[ $rc = 0 ] && [ "$(lines out)" = $(($(names torn) + 2)) ] && [ "$(lines err)" = 1 ] && grep -q "$(name_of week12)/run.json: " err && grep -q "^$(name_of week12 | cut -c -20) .* -  " out
verdict $((!$?)) "show tells a garbled run.json and shows what is left" out err
baseline check torn week13
[ $rc != 3 ] && cat out err | tr '\n' ' ' | tr -s ' ' | grep -q 'run.json cannot be read' && ! cat out err | tr '\n' ' ' | tr -s ' ' | grep -q 'no run.json'
verdict $((!$?)) "check notes it and goes on" out err
rm -rf sole && mkdir sole && cp -r "torn/$(name_of week12)" sole
baseline check sole week13
cat out err | tr '\n' ' ' | tr -s ' ' | grep -q 'run.json cannot be read' && ! cat out err | tr '\n' ' ' | tr -s ' ' | grep -q 'no run.json'
verdict $((!$?)) "a run.json that cannot be read is not said to be missing" out err
rm -rf spoilt && cp -r week8 spoilt
perl -MJSON::PP -e 'local $/; open my $f, "<", "spoilt/run.json"; my $d = JSON::PP->new->decode(<$f>); $d->{launches}[2]{status} = "failed"; $d->{launches}[2]{repeat} = 7; open $f, ">", "spoilt/run.json"; print $f JSON::PP->new->encode($d)'
baseline update gated spoilt --keep 12
grep -q 'all_reduce: launch 7: failed' err
good=$?
run 60 "$driver" compare week9 spoilt
[ $good = 0 ] && cat out err | tr '\n' ' ' | tr -s ' ' | grep -q 'first: failed, all_reduce 7'
verdict $((!$?)) "update and compare number launches alike" out err

# --- command lines
refused() { # SAID WORDS...
	said=$1
	shift
	baseline "$@"
	[ $rc = 2 ] && grep -q -- "$said" err && [ ! -s out ]
	verdict $((!$?)) "baseline $*: 2" out err
}
refused 'needs update' && refused 'none of update' frob kept && refused 'name the folder' update && refused 'name the folder' check kept
refused 'name the folder' show && refused 'name the folder' show kept week1 && refused "keep: '0'" update kept week1 --keep 0
refused "keep: 'x'" update kept week1 --keep=x && refused 'go with update' check kept week1 --force && refused 'one of them' update kept week1 --force --check
refused 'go with --check' update kept week1 --threshold 5% && refused 'threshold' check kept week1 --threshold x && refused 'gate' check kept week1 --gate garbage
refused 'is a run directory' update week1 week2
mkdir -p mine && echo precious >mine/thesis.tex
refused 'is not empty and holds no run' update mine week1 && [ "$(ls -A mine)" = thesis.tex ]
verdict $((!$?)) "a folder of other things is left as it is" err
mkdir -p unused/lost+found && touch unused/.gitkeep
baseline update unused week1
[ $rc = 0 ] && [ "$(names unused)" = 1 ]
verdict $((!$?)) "hidden files and what a file system makes are no other things" out err
baseline check nowhere2 week1
[ $rc = 3 ] && [ ! -e nowhere2 ]
verdict $((!$?)) "a baseline that is not there: 3" err
baseline --help
[ $rc = 0 ] && grep -q -- --keep out
verdict $((!$?)) "help" out

finish
