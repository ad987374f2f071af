#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The options of the NCCL backend over the fakes: each with every primitive, in turn over layouts and both timings; parallel groups; a library that is
# older than the headers; and the table as nccl-tests prints it.

. tests/nccl/lib.sh

rows_of() { # PRIMITIVE: of one size
	case $1 in
	alltoall | sendrecv) echo 1 ;;
	*) echo 2 ;;
	esac
}

# --- what changes the calls with every primitive, what does not with three of them in turn
layouts=(1x4 2x2 4x1)
timings=(sync loop)
turn=0
while read -r every options; do
	turn=$((turn + 1))
	for primitive in $primitives; do
		turn=$((turn + 1))
		[ "$every" = every ] || [ $((turn % 3)) = 0 ] || continue
		timing=${timings[$((turn % 2))]}
		case $options in
		*-z* | --hold*) timing=loop ;;
		esac
		layout=${layouts[$((turn / 2 % 3))]}
		on "$layout" $primitive -b 1K -e 4K -f 4 -n 3 -w 1 --timing $timing $options
		good "$primitive $options, $timing, $layout" $(($(rows_of $primitive) * 2)) 4
	done
done <<'END'
every -G 2
every -G 2 -m 3
every -m 3
every -R 1
every -R 2
every -R 2 -G 2 -u 1 --rotate
every --hold
every --rotate -m 3 -d int8 -u 1
every -z 1
some -m 3 -z 1
some -z 2
some -z 3
some -C 1
some -u 3 -d half
some -y 1
some -p 1
some -x 1 -p 1 -R 2
some -I 1 -K 1
some --hold -m 2 -y 1
some --rotate
some -c 3
END

# --- over several processes
for layout in env2x2x2 ${has_mpi:+mpi2x4}; do
	while read -r options; do
		on $layout reduce_scatter -b 1K -e 4K -f 4 -n 2 -w 1 --timing loop $options
		good "reduce_scatter $options, $layout" 4 8
	done <<-'END'
		-G 2 -m 2
		-z 1
		-z 3
		-R 2 -p 1
		--hold --rotate
	END
done

# --- what is counted and shown
on 1x4 all_reduce -b 1K -e 4K -f 4 -n 2 -N 3
good "-N: every cycle has its rows" 12 4
on 1x4 all_reduce -b 1K -e 1K -n 4 -I 1
grep -q ' i_min .* i_max .* i_p99 .* i_cv% ' "$scratch/out"
verdict $(($? == 0)) "-I: the columns of single calls" "$scratch/out"
on 1x4 all_reduce -b 1K -e 1K -n 4 -C 1
grep -q ' cputime .* cputime ' "$scratch/out"
verdict $(($? == 0)) "-C: the time column says what it is" "$scratch/out"
on 1x4 all_reduce -b 1K -e 1K -n 4 -M 1
grep -q '^# memory of GPU 0 \[0000:0f:00\]: communicators 0.2 MiB, buffers of rank 0 .* free ' "$scratch/out"
verdict $(($? == 0)) "-M: a line on memory, with what the communicator took" "$scratch/out"
on 1x4 all_reduce -b 1K -e 1K -n 2 -z 1
bad "-z without loop timing is refused" 2 "-z applies to --timing loop"
on 1x4 all_reduce -b 1K -e 1K -D 1
bad "-D is refused with a reason" 2 "-D: device-API kernels are not here yet"

# --- parallel groups
# One line a group: its ranks, its rows, the elements of its rows.
groups_are() { # WHAT TEXT
	local got

	got=$(csv_cells "$csv" group nranks wrong placement | sort | uniq -c | awk '{ printf "%s%s:%s:%s:%s:%s", (NR > 1 ? " " : ""), $2, $3, $1, $4, $5 }')
	[ "$rc" = 0 ] && [ "$got" = "$2" ]
	verdict $(($? == 0)) "$1" "$scratch/err" "$scratch/out"
	[ "$got" = "$2" ] || echo "# $got"
}
four="-b 4K -e 8K -f 2 -n 2 -w 0"
two_of_four="0:4:2:0:in-place 0:4:2:0:out-of-place 1:4:2:0:in-place 1:4:2:0:out-of-place"
for layout in 1x8 2x4 env2x2x2 ${has_mpi:+mpi2x4}; do
	on $layout all_gather $four --split "MOD 2"
	groups_are "--split 'MOD 2', $layout" "$two_of_four"
done
on 1x8 reduce $four --split "DIV 4" -r 3
groups_are "--split 'DIV 4', a root inside each group" "$two_of_four"
on 1x8 alltoall $four --split "& 1"
groups_are "--split '& 1'" "0:4:2:0:out-of-place 1:4:2:0:out-of-place"
on 1x3 all_gather $four --split "DIV 2"
groups_are "--split 'DIV 2' over 3 ranks: groups of 2 and 1" \
	"0:2:2:0:in-place 0:2:2:0:out-of-place 1:1:2:0:in-place 1:1:2:0:out-of-place"
for primitive in broadcast reduce_scatter scatter sendrecv gather all_reduce; do
	on 2x2 $primitive $four --split "OR 2" --timing loop -m 2 -G 2 -R 2
	got=$(csv_cells "$csv" group nranks wrong | sort -u | tr '\n' ' ')
	[ "$rc" = 0 ] && [ "$got" = "0 2 0 1 2 0 " ]
	verdict $(($? == 0)) "$primitive in groups, aggregated, as a graph, in windows" "$scratch/err" "$scratch/out"
done
NCCL_TESTS_SPLIT="AND 0x1" on 1x8 all_gather $four
groups_are "NCCL_TESTS_SPLIT" "$two_of_four"
NCCL_TESTS_SPLIT_MASK=0x1 on 1x8 all_gather $four
groups_are "NCCL_TESTS_SPLIT_MASK" "$two_of_four"
NCCL_TESTS_SPLIT="MOD 4" on 1x8 all_gather $four --split "MOD 2"
groups_are "--split has the last word" "$two_of_four"
on 1x8 all_gather $four --split "MOD 0"
bad "MOD 0 is a usage error" 2 "--split: 'MOD 0'"
NCCL_TESTS_SPLIT="MODULO 2" on 1x8 all_gather $four
bad "so is an unknown word" 2 "NCCL_TESTS_SPLIT: 'MODULO 2'"

# --- a library of another version than the headers
libraries=$older
for primitive in alltoall gather scatter sendrecv all_reduce; do
	on 2x2 $primitive -b 1K -e 4K -f 4 -n 2 -w 1 -r 3
	good "$primitive, library of NCCL 2.10" $(($(rows_of $primitive) * 2)) 4
done
for primitive in alltoall gather scatter; do
	on 1x4 $primitive -b 1K -e 4K -f 4 -n 2 -w 1 -m 3 -G 2 --timing loop -r 3 --split "MOD 2" -r 1
	got=$(csv_cells "$csv" group nranks wrong | sort -u | tr '\n' ' ')
	[ "$rc" = 0 ] && [ "$got" = "0 2 0 1 2 0 " ]
	verdict $(($? == 0)) "$primitive, library of NCCL 2.10, groups, aggregated, as a graph" "$scratch/err" "$scratch/out"
done
on env2x4 alltoall -b 300000 -e 300000 -n 2 -w 1
good "alltoall, library of NCCL 2.10, 2 processes, large" 1 8
grep -q 'warning: built with the headers of NCCL .*, running with NCCL 2.10.5' "$scratch/err" &&
	grep -q '^# built with the headers of NCCL .*, ran with NCCL 2.10.5' "$scratch/out"
verdict $(($? == 0)) "the difference of versions is said" "$scratch/err" "$scratch/out"
on 1x4 all_reduce -b 1K -e 1K -n 1 -d f8e4m3
bad "no f8e4m3 there" 77 "f8e4m3 and f8e5m2 need NCCL 2.24"
on 1x4 all_reduce -b 1K -e 1K -n 1 -o mulsum
bad "no mulsum there" 77 "mulsum needs NCCL 2.11"
on 1x4 all_reduce -b 1K -e 1K -n 1 -R 1
bad "no registration there" 3 "-R 1 needs NCCL 2.19"
libraries=$fakes
COLLPERF_FAKE=nccl=22703 on 1x4 alltoall -b 1K -e 1K -n 2
good "alltoall, library of NCCL 2.27" 1 4
COLLPERF_FAKE=cc=80 on 1x4 all_reduce -b 1K -e 1K -n 2 -d all
good "no f8 reductions on a GPU of compute capability 8.0" 20 4

# --- the table
on 1x8 all_reduce -b 8 -e 128 -f 2 -n 2
grep -A 8 '^# Using devices$' "$scratch/out" |
	awk 'NR > 1 && !/^#  Rank +[0-9]+ Group +0 Pid +[0-9]+ on +[^ ]+ device +[0-9]+ \[0000:[0-9a-f]+:00\] / { bad = 1 }
		NR > 1 && ($3 != NR - 2 || $11 != NR - 2) { bad = 1 }
		END { exit bad || NR != 9 }'
verdict $(($? == 0)) "8 lines of devices" "$scratch/out"
awk '/^#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong/ { head = 1 }
	/^ / { rows++; if (NF != 13 || $4 != "sum" || $5 != -1 || $9 != 0 || $13 != 0) bad = 1 }
	END { exit bad || !head || rows != 5 }' "$scratch/out"
verdict $(($? == 0)) "the rows of nccl-tests' table" "$scratch/out"
grep -q '^# nThread 1 nGpus 8 ' "$scratch/out" && grep -q 'library=fake' "$scratch/out"
verdict $(($? == 0)) "what runs is said: threads, GPUs, a fake" "$scratch/out"
on env2x2x2 all_reduce -b 8 -e 8 -n 2
[ "$(grep -c '^#  Rank ' "$scratch/out")" = 8 ] && [ "$(grep '^#  Rank ' "$scratch/out" | awk '{ print $7 }' | sort -u | wc -l)" = 2 ]
verdict $(($? == 0)) "8 lines of devices of 2 processes, printed once" "$scratch/out"
finish
