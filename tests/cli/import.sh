#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# collperf import from the command line: logs as they are in other people's archives, what it writes, says and returns, and that the report reads it.

build=$(cd "${BUILD:-build}" && pwd) || exit 1
collperf=$build/collperf
data=$PWD/tests/data/import
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
number=0 status=0

verdict() { # RC WHAT
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		sed 's/^/# /' out err 2>/dev/null | head -n 20
		status=1
	fi
}

import() { # WANTED-RC WHAT WORDS...: stdout in out, stderr in err
	wanted=$1 what=$2
	shift 2
	"$collperf" import "$@" >out 2>err </dev/null
	rc=$?
	[ $rc = "$wanted" ] || echo "exit code $rc" >>err
	[ $rc = "$wanted" ]
	verdict $? "$what"
}

holds() { # FILE WORDS WHAT
	grep -qF -- "$2" "$1"
	verdict $? "$3"
}

refused() { # WANTED-RC WHAT WORDS...: one line on stderr, nothing written
	rm -f o.csv
	import "$@"
	[ "$(wc -l <err)" = 1 ] && [ ! -s out ] && [ ! -e o.csv ]
	verdict $? "$2: one line, nothing written"
}

# One column of every row of a CSV on stdin.
column() { # NAME
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }'
}

# --- logs of three primitives as other programs keep them
import 0 "an old all_reduce log" "$data/nccl_allreduce.log" --nranks 8 -o ar.csv
[ "$(($(wc -l <ar.csv) - 1))" = 64 ] && [ ! -s out ]
verdict $? "64 rows of 32 lines"
holds err "nccl_allreduce.log:17-18: 2 lines: left out: size 0: nothing was moved" "the two lines of size 0 are told"
grep -q '^1,63,64,[^,]*/nccl_allreduce.log,all_reduce,nccl,.*,134.44,235.26,' ar.csv
verdict $? "the largest size has the log's bus bandwidth"
[ "$(column points <ar.csv | sort -u)" = 64 ] && [ "$(column point <ar.csv | sort -nu | wc -l)" = 64 ]
verdict $? "rows are numbered"
"$collperf" report ar.csv -o r >out 2>err
verdict $? "the report reads it"
holds out "235 GB/s: all_reduce, 8 GiB" "and shows its peak"

import 0 "an old alltoall log" "$data/nccl_alltoall.log"
holds err "those of alltoall alone" "its blank column of operations tells it"
[ "$(column redop <out | sort -u)" = "" ] && [ "$(column busbw_GBps <out | sed -n 57p)" = 224.31 ]
verdict $? "a blank operation shifts no column"
import 0 "an old all_gather log" "$data/nccl_allgather.log"
holds err "those of all_gather alone" "that it has no such column tells it"
[ "$(column collective <out | uniq)" = all_gather ]
verdict $? "and its name is in the rows"

# --- tables of jobs that were meant to be one
import 0 "singletons are imported" "$data/nccl_singletons.log" -o s.csv
holds err "4 rows repeat an earlier point, the first on line 19" "their repeated rows are counted"
! "$collperf" report s.csv -o rs >out 2>err && grep -q "several jobs" out
verdict $? "the report takes them for several jobs"

# --- several files, and what each is
import 0 "several logs in one CSV" "$data/nccl_allreduce.log" "$data/nccl_modern.log" -o two.csv
[ "$(column run <two.csv | uniq | tr '\n' ' ')" = "$data/nccl_allreduce.log $data/nccl_modern.log " ]
verdict $? "each is a run of its path"
[ "$(column points <two.csv | uniq | tr '\n' ' ')" = "64 14 " ] && [ "$(column point <two.csv | tail -n 1)" = 14 ]
verdict $? "each is numbered by itself"
mkdir a b && cp "$data/nccl_modern.log" a/x.log && cp a/x.log b/x.log
import 0 "two of one name" a/x.log b/x.log
[ "$(column run <out | uniq | tr '\n' ' ')" = "a/x.log b/x.log " ]
verdict $? "are told apart by their folders"
import 0 "one of them alone" b/x.log
[ "$(column run <out | uniq)" = "b/x.log" ]
verdict $? "is named by its path too"
"$collperf" import a/x.log 2>err >/dev/full
[ $? = 3 ] && [ "$(grep -c 'No space left' err)" = 1 ]
verdict $? "a full stdout: exit 3 and one line says so"
import 0 "a name for the run" a/x.log --run '=cmd()|x'
[ "$(column run <out | uniq)" = "'=cmd()|x" ]
verdict $? "is no formula either"
"$collperf" import - <a/x.log >out 2>err && [ "$(column run <out | uniq)" = stdin ]
verdict $? "stdin"
sed 's/$/\r/' a/x.log >crlf.log && "$collperf" import --run x crlf.log >crlf.csv 2>err && "$collperf" import --run x a/x.log 2>err | cmp -s - crlf.csv
verdict $? "CR LF"
tr '\n' '\r' <a/x.log >cr.log
refused 3 "line ends of CR alone" cr.log -o o.csv
holds err "line ends are CR alone" "are named"
{ yes "some other line of a long job, 8 2 float" | head -c 3000000; echo; cat a/x.log; } >late.log
import 0 "a table behind 3 MB of other lines" late.log --run x
"$collperf" import --run x a/x.log 2>err | cmp -s - out
verdict $? "has the rows of the table"
{ printf '%s\n' "# OSU MPI Allreduce Latency Test v7.4" "# Size Avg Latency(us)" "4 1.0" >osu.log; yes "OSU lines" | head -c 1000000; echo; cat osu.log; } >late.log
import 0 "a table of OSU behind 1 MB" late.log --nranks 4
[ "$(wc -l <out)" = 2 ]
verdict $? "is read too"
yes "other lines" | head -c 70000000 >late.log && cat a/x.log >>late.log
refused 3 "a table behind 70 MB" late.log -o o.csv
holds err "by its first 64 MiB; say which with --from" "says how far was looked"
import 0 "with --from" late.log --from nccl-text --run x
"$collperf" import --run x a/x.log 2>err | cmp -s - out
verdict $? "it is read"
rm -f late.log
{ printf '\357\273\277' && tail -n +2 a/x.log; } >bom.log && "$collperf" import --run x bom.log 2>err | cmp -s - crlf.csv
verdict $? "a byte order mark"
import 3 "one that cannot be read" a/x.log nothing.log
[ "$(wc -l <out)" = 15 ] && grep -q "nothing.log: No such file" err
verdict $? "does not hide the other"

# --- what is wrong in a log
sed 's/  12\.29       0$/  12.29       4/' a/x.log >wrong.log
import 1 "wrong data in the log" wrong.log
holds err "WRONG DATA in the log" "are told"
[ "$(column wrong <out | sort -u | tr '\n' ' ')" = " 0 4 " ]
verdict $? "and in the row"
sed 's/ 8\.19 / 9.19 /' a/x.log >rates.log
import 1 "rates that do not agree" rates.log
holds err "in 1 rows algbw or busbw is not what size, time and ranks give" "are counted"
[ "$(grep -c 'imported rates' out)" = 1 ]
verdict $? "and flagged"

# --- hostile logs
sed 's/ float / =float /; s/ H100/ =H100/' a/x.log >formula.log
import 3 "a type that is a formula is none" formula.log
printf '%s\n' "# nccl-tests version 2.17.6 nccl-headers=1 nccl-library==1+1" "NCCL version @SUM(1)" | cat - a/x.log >formula.log
import 0 "a library that is a formula" formula.log
! grep -q ',[=+@-]' out && ! grep -q '"[=+@-]' out
verdict $? "is no cell"
# shellcheck disable=SC2016
sed 's/gpu-a1/$(touch${IFS}pwned)`touch${IFS}pwned`/' a/x.log >shell.log
import 0 "hosts that are commands" shell.log
[ ! -e pwned ]
verdict $? "are not run"
head -c 300000 /dev/urandom >random.log
refused 3 "random bytes" random.log -o o.csv
rm -f o.csv
import 3 "random bytes as a table" random.log --from nccl-text -o o.csv
[ ! -e o.csv ]
verdict $? "nothing is written where nothing was read"
head -c 1800 a/x.log >cut.log
import 0 "a log that ends in a row" cut.log
holds err "cut.log:21: left out: its columns are not those of the header" "the row is told"
holds err "has no footer: incomplete" "is told to be incomplete"
tr '\n' ' ' <a/x.log >one.log
import 3 "a log in one line" one.log --from nccl-text

# --- files that are no logs
: >empty.log
refused 3 "an empty file" empty.log -o o.csv
refused 3 "a folder" . -o o.csv
gzip -c a/x.log >x.log.gz
refused 3 "a packed log" x.log.gz -o o.csv
holds err "(gzip): unpack it first" "packed: what to do"
iconv -f UTF-8 -t UTF-16 a/x.log >wide.log
refused 3 "UTF-16" wide.log -o o.csv
truncate -s 1073741825 large.log
refused 3 "more than 1 GiB" large.log -o o.csv
holds err "is larger than 1 GiB" "large: why"
rm -f large.log
mkfifo pipe
timeout 20 sh -c 'cat a/x.log >pipe' >/dev/null 2>&1 &
import 0 "a pipe" pipe
import 3 "an output that cannot be written" a/x.log -o nowhere/o.csv
cp a/x.log keep.log
import 2 "a log is not written over" keep.log -o keep.log
cmp -s keep.log a/x.log
verdict $? "and stays as it was"

# --- logs of NCCL itself: a summary, no rows
cat >rank0.log <<-'end'
	h1:10:20 [0] NCCL INFO NCCL version 2.28.9+cuda13.0
	h1:10:20 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.0.1<0>
	h1:10:20 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM/read
	h1:10:20 [0] NCCL INFO Channel 01/0 : 0[0] -> 1[1] via P2P/CUMEM/read
	h1:10:20 [0] NCCL INFO Channel 00/0 : 3[1] -> 0[0] [receive] via NET/IB/0/GDRDMA
	h1:10:20 [0] NCCL INFO Connected all rings, use ring PXN 0 GDR 1
	h1:10:20 [0] NCCL INFO AllReduce: 8 Bytes -> Algo TREE proto LL channel{Lo..Hi}={0..0}
	h1:10:20 [0] NCCL INFO AllReduce: 1048576 Bytes -> Algo RING proto LL128 channel{Lo..Hi}={0..1}
end
cat >rank1.log <<-'end'
	[1,1]<stdout>:h1:11:21 [1] NCCL INFO Channel 00/0 : 1[1] -> 2[0] [send] via NET/IB/1/GDRDMA
	garbage
end
import 0 "NCCL's log" --nccl-log rank0.log rank1.log
holds out "library: NCCL 2.28.9+cuda13.0" "its version"
holds out "lines: 10, 9 of them understood" "both files' lines"
holds out "path: p2p+roce" "P2P over what is not known, a network that is"
holds out "P2P/CUMEM/read               1 pair, such as 0 -> 1; 2 channels" "pairs by transport"
grep -q "all_reduce  *1048576 .. 1048576  *ring/ll128  *2 " out
verdict $? "algorithm and protocol by size"
[ ! -s err ]
verdict $? "and nothing on stderr"
import 0 "a summary goes to a file" --nccl-log rank0.log -o summary.txt
holds summary.txt "path: p2p+roce" "which has it"
printf 'h1:10:20 [%s\n' "0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/IPC" "1] NCCL INFO Channel 00/0 : 1[1] -> 0[0] via SHM/direct/direct" \
	"1] NCCL INFO Channel 05/0 : 1[1] -> 0[0] via P2P/CUMEM" "0] NCCL INFO NVLS multicast support is available on dev 0" \
	"1] NCCL INFO Channel 06/0 : 1[1] -> 0[0] via P2P/CU" >pair.log
import 0 "a pair through several transports" --nccl-log pair.log
sed 1,2d out | diff - <(printf '%s\n' "path: p2p+shm" "  P2P/IPC                      1 pair, such as 0 -> 1; 1 channel" \
	"  SHM/direct/direct            1 pair, such as 1 -> 0; 1 channel" "  P2P/CUMEM                    1 pair, such as 1 -> 0; 1 channel" \
	"channels: 2, the most between two ranks" "NVLS: available; CollNet: no sign of it") >diff.txt
verdict $? "each with its own channels, and nothing of a line that was cut" diff.txt
printf 'garbage\n' >other.log
import 3 "one file that is no such log" --nccl-log rank0.log other.log
holds err "other.log: no line of it is known from logs of NCCL" "is named"
holds out "path: p2p+roce" "the other is told"
refused 3 "no line of such a log" --nccl-log other.log -o o.csv
refused 2 "options of rows" --nccl-log rank0.log --nranks 8
import 2 "a log is not written over" --nccl-log rank0.log -o rank0.log
import 0 "random bytes beside a log" --nccl-log rank1.log rank0.log

# --- usage
for words in "" "--from" "--from nothing a/x.log" "--nranks 0 a/x.log" "--nranks 8x a/x.log" "--nranks -1 a/x.log" "--nnodes 99999999999 a/x.log" \
	"--nranks 2 --nnodes 3 a/x.log" "--collective allreduce a/x.log" "--bogus a/x.log" "-o"; do
	# shellcheck disable=SC2086
	refused 2 "usage: '$words'" $words
done
refused 2 "usage: an empty output" a/x.log -o ""
import 0 "help" --help
for format in nccl-text nccl-json; do
	holds out " $format " "help names $format"
done
"$collperf" --help >out && "$collperf" --man >>out && [ "$(grep -c import out)" -ge 3 ]
verdict $? "help and man page of collperf name import"

echo "1..$number"
exit $status
