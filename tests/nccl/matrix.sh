#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Every primitive over the fakes: all types, all operations, both placements, a root that is not the first, on 8 ranks in one process and in several. The
# data check finds nothing wrong, and every row is there.

. tests/nccl/lib.sh

# Rows of one size: types times operations times placements.
rows_of() { # PRIMITIVE
	case $1 in
	all_reduce | reduce_scatter | reduce) echo $((12 * 6 * 2)) ;;
	alltoall | sendrecv) echo 12 ;;
	*) echo 24 ;;
	esac
}

for layout in 1x8 8x1 env2x4 env2x2x2; do
	for primitive in $primitives; do
		on $layout $primitive -d all -o all -r 5 -b 1000 -e 1000 -n 1 -w 0 --max-time 0.01
		good "$primitive, all types and operations, $layout" "$(rows_of $primitive)" 8
	done
done

# Processes of MPI cost ten times as much: every type, and every operation.
for layout in ${has_mpi:+mpi2x4 mpi2x2x2}; do
	for primitive in $primitives; do
		rows=$(rows_of $primitive)
		[ "$rows" -le 24 ] || rows=24
		on $layout $primitive -d all -r 5 -b 1000 -e 1000 -n 1 -w 0 --max-time 0.01
		good "$primitive, all types, $layout" "$rows" 8
	done
	for primitive in all_reduce reduce reduce_scatter; do
		on $layout $primitive -d half -o all -r 5 -b 1000 -e 1000 -n 1 -w 0 --max-time 0.01
		good "$primitive, all operations, $layout" 12 8
	done
done

# Sizes: nothing but one element, odd counts, more than a step or a letter of the fakes; numbers of ranks that are no power of two.
for layout in 1x3 5x1 1x7 1x1; do
	ranks=$((${layout%x*} * ${layout#*x}))
	for primitive in $primitives; do
		sizes=3
		case $primitive in
		all_reduce | broadcast | reduce | sendrecv) ;;
		*) sizes=2 ;; # one element a rank is less than the least block
		esac
		case $primitive in
		alltoall | sendrecv) placements=1 ;;
		*) placements=2 ;;
		esac
		on $layout $primitive -d int32 -o sum -b 4 -e 300004 -i 150000 -n 1 -w 0
		good "$primitive, sizes, $layout" $((sizes * placements)) $ranks
	done
done

# Every root.
for primitive in broadcast reduce gather scatter; do
	on 2x2 $primitive -d half -r all -b 1000 -e 1000 -n 1 -w 0
	good "$primitive, every root" 8 4
done

# What averages of floats are where a rank's part is no power of two: within the bound.
for primitive in all_reduce reduce reduce_scatter; do
	on 1x7 $primitive -d all -o avg -b 3000 -e 3000 -n 1 -w 0
	good "$primitive, averages over 7 ranks" 24 7
	on 1x3 $primitive -d all -o mulsum -b 3000 -e 3000 -n 1 -w 0
	good "$primitive, mulsum over 3 ranks" 24 3
done
finish
