#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Does a test notice? MUTANTS=1/16 (or 1/1: all) takes every sixteenth line, from one that the number of commits chooses. Each line of tests/mutants/*.list, "file|sed expression|test", breaks one line of a source in a copy of the tree;
# the named test (unit/<room>/<name>, or <part>/<name>) is built there and must fail. It must have passed before. Several copies are worked
# on at a time, more than there are cores, as tests of time-outs mostly sleep.

BUILD=${BUILD:-build}
shards=$((2 * $(nproc)))
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# The whole tree, as a test that misses a file fails for another reason than the mutant. Timestamps are kept, so that only what a mutant touches is built
# anew.
copy_tree() { # DIRECTORY
	mkdir -p "$1/build"
	find . -mindepth 1 -maxdepth 1 ! -name build ! -name .git ! -name runs -exec cp -a {} "$1/" \;
	cp -a "$BUILD/obj" "$BUILD/unit" "$BUILD/config" "$1/build/"
	[ ! -d "$BUILD/fakes/lib" ] || { mkdir -p "$1/build/fakes" && cp -a "$BUILD/fakes/lib" "$1/build/fakes/"; }
	[ ! -d "$BUILD/tests" ] || cp -a "$BUILD/tests" "$1/build/"
	for file in "$BUILD"/*_perf "$BUILD"/collperf "$BUILD"/collperf-topo; do
		[ ! -f "$file" ] || cp -a "$file" "$1/build/"
	done
}

# What the same run of tests has just seen to pass need not be run again.
passed_before() {
	for rc in "$BUILD"/tap/*.rc; do
		[ "$(cat "$rc" 2>/dev/null)" = 0 ] || continue
		basename "$rc" .rc | sed -n 's,^unit-\([^-]*\)-,unit/\1/,p; s,^tests-\(cli\|mpi\|nccl\)-\(.*\)\.sh$,\1/\2,p'
	done
}

build() { # TEST
	case $1 in
	unit/*) make -s --no-print-directory "build/$1" ;;
	*) make -s --no-print-directory all ;;
	esac >said 2>&1
}

passes() { # TEST
	case $1 in
	unit/*) timeout -k 2 60 "build/$1" ;;
	*) timeout -k 2 150 "tests/$1.sh" ;;
	esac </dev/null >said 2>&1
}

survived() { # WHY
	echo "not ok - $file: $expression: $1"
	[ -z "$2" ] || tail -n 5 said | sed 's/^/# /'
}

# One line of the list, in a copy of the tree.
try() { # FILE EXPRESSION TEST
	file=$1 expression=$2
	object=build/obj/${file%.c}.o
	if ! grep -qx "$3" passed; then
		if build "$3" && passes "$3"; then
			echo "$3" >>passed
		else
			survived "$3 does not pass without it" show
			return
		fi
	fi
	cp -p "$file" kept.source
	[ ! -e "$object" ] || cp -p "$object" kept.object
	if ! sed "$expression" kept.source >"$file" 2>said; then
		survived "sed refuses it" show
	elif cmp -s kept.source "$file"; then
		survived "it changes nothing"
	elif ! build "$3"; then
		survived "it does not compile" show
	elif passes "$3"; then
		survived "$3 does not notice"
	else
		echo "ok - $3 notices $file: $(printf %s "$expression" | tr -d '#' | tr -c '[:print:]' ' ')"
	fi
	# The old object fits the old source again; what includes a header must be built again.
	case $file in
	*.c)
		cp -p kept.source "$file"
		[ ! -e kept.object ] || mv kept.object "$object"
		;;
	*) cp kept.source "$file" ;;
	esac
}

work_on() { # SHARD
	copy_tree "$scratch/$1"
	cd "$scratch/$1" || exit
	cp "$scratch/passed" passed
	unset BUILD
	awk -v shards=$shards -v shard="$1" 'NR % shards == shard' "$scratch/list" | while IFS= read -r line; do
		rest=${line#*|}
		try "${line%%|*}" "${rest%|*}" "${rest##*|}"
	done >"$scratch/said.$1" 2>&1
}

of=${MUTANTS:-1/1}
of=${of#1/}
commits=$(git rev-list --count HEAD 2>/dev/null || echo 0)
cat tests/mutants/*.list | grep -v '^#' | grep . | awk -v of="$of" -v first="$commits" '(NR + first) % of == 0' >"$scratch/list"
# What this build lacks cannot be broken.
without() { # PATTERN
	grep -v "$1" "$scratch/list" >"$scratch/rest"
	mv "$scratch/rest" "$scratch/list"
}
grep -q ' MPI=1' "$BUILD/config" || without '|mpi/'
grep -q ' NCCL=1' "$BUILD/config" || without '|nccl/\||unit/nccl/'
"$BUILD/bucket_perf" --list 2>/dev/null | grep -q '^steps: nccl: calls beside' || without '|nccl/bucket'
passed_before >"$scratch/passed"
shard=0
while [ $shard -lt $shards ]; do
	work_on $shard &
	shard=$((shard + 1))
done
wait
cat "$scratch"/said.* >"$scratch/said"
awk '/^ok -/ { sub(/^ok/, "ok " ++n) } /^not ok -/ { sub(/^not ok/, "not ok " ++n) } { print }' "$scratch/said"
echo "1..$(wc -l <"$scratch/list")"
! grep -aq '^not ok' "$scratch/said"
