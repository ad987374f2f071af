#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Outputs of compare, ab and baseline: none of them takes the place of an input or of another one, and none of an earlier comparison is left where there
# is none.

. tests/cli/lib.sh
collperf=$bin/collperf
cd "$scratch" || exit 1

ok() { # RC WHAT
	verdict $(($1 == 0)) "$2" "$scratch/out" "$scratch/err"
}

sums() {
	find a b gates.txt accepted -type f ! -name .lock ! -name verdict.json -exec md5sum {} + 2>/dev/null | sort
}

refused() { # WHAT WORDS...: exit 2, one line, all is as it was
	what=$1
	shift
	run 60 "$collperf" "$@"
	[ $rc = 2 ] && [ ! -s out ] && [ "$(lines err)" = 1 ] && grep -q 'would overwrite' err && [ "$(sums)" = "$before" ]
	ok $? "$what: refused"
}

took() { # RC WHAT WORDS...
	wanted=$1 what=$2
	shift 2
	run 60 "$collperf" "$@"
	[ $rc = "$wanted" ] && [ "$(sums)" = "$before" ]
	ok $? "$what: $wanted"
}

for side in a b; do
	"$collperf" run --backend sim --np 2 --collectives all_reduce -b 8 -e 2K -f 4 -n 5 --repeat 3 -o $side --quiet >run.log 2>&1 || cat run.log
done
echo 'all_reduce time <= 1 s at 8' >gates.txt
"$collperf" baseline update --force accepted a >run.log 2>&1 || cat run.log
ln -s a/all_reduce.csv link.csv
ln -s new.json dangling
ln -s a folder
ln a/all_reduce.csv hard
before=$(sums)

refused "rows of BASE" compare a b --json a/all_reduce.csv
refused "rows of NEW" compare a b --junit b/all_reduce.csv
refused "a file that is an input" compare a/all_reduce.csv b --markdown ./a/../a/all_reduce.csv
refused "its run.json" compare a/all_reduce.csv b --json a/run.json
refused "through a link" compare a b --json link.csv
refused "through a linked folder" compare a b --json folder/all_reduce.csv
refused "through a hard link" compare a b --json hard
refused "a file that is an input by another name" compare hard b --json a/all_reduce.csv
refused "rows that are not there yet" compare a b --json a/reduce.csv
refused "the rows of a launch" compare a b --json a/launches/all_reduce-1.csv
refused "a log" compare a b --json a/all_reduce.log
refused "a file of gates" compare a b --gates gates.txt --json gates.txt
refused "one file twice" compare a b --junit x --json x
refused "one file twice by two names" compare a b --junit x --json ./x
refused "one file twice through a link to what is not there" compare a b --junit dangling --json new.json
refused "rows of a baseline" baseline check accepted b --json "$(echo accepted/*/all_reduce.csv)"
refused "rows of the run" baseline check accepted b --json b/all_reduce.csv
refused "rows to be" ab -A "" -B "" --backend sim --np 2 --collectives all_reduce -b 8 -e 8 -o pairs --json pairs/A/all_reduce.csv
[ ! -e pairs ] && [ ! -e x ] && [ ! -e new.json ]
ok $? "nothing was made"
took 0 "a document beside the rows" compare a a/all_reduce.csv --json b/verdict.json
took_again=$(md5sum <b/verdict.json)
rm b/verdict.json
[ -n "$took_again" ]
ok $? "was written"
took 0 "devices" compare a a/all_reduce.csv --json /dev/null --junit /dev/null

# --- what is left of an earlier one
stale() { # RC WHAT WORDS...: all three files say that there is no comparison
	wanted=$1 what=$2
	shift 2
	for file in j.xml m.md j.json; do
		echo '<testsuites failures="0"/>' >$file
	done
	run 60 "$collperf" "$@" --junit j.xml --markdown m.md --json j.json
	[ $rc = "$wanted" ] && grep -q '<error message="no comparison: ' j.xml && grep -q 'errors="1"' j.xml && head -n 1 m.md | grep -q '^### No comparison: ' &&
		json_is j.json '$d->{exit_code} == 3 && $d->{verdict} eq "no comparison"'
	ok $? "$what: the files say that there is no comparison"
}
stale 3 "no such input" compare a missing
stale 3 "no such file of gates" compare a b --gates missing
stale 3 "no such run" baseline check accepted missing
stale 3 "no such baseline" baseline check missing b
mkdir broken
printf '#!/bin/sh\ncase "$*" in *--run-id*) exit 3 ;; esac\nexec %s/all_reduce_perf "$@"\n' "$bin" >broken/all_reduce_perf
chmod +x broken/all_reduce_perf
stale 3 "a launch that fails" ab -A "" -B broken --backend sim --np 2 --collectives all_reduce -b 8 -e 8 -n 5 --repeat 2 -o failed
grep -q 'nothing is judged; there is no pair that could be' err && ! grep -q '^collperf compare' err
ok $? "without a pair no comparison is advised"

mkdir empty
run 60 "$collperf" baseline show empty
[ $rc = 3 ] && grep -q 'is no baseline' err
ok $? "a folder that is no baseline is not shown"

finish
