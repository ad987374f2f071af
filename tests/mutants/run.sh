#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Does a test notice? Each line of tests/mutants/*.list, "file|sed expression|test", breaks one line of a source in a copy of the tree;
# the named test (unit/<room>/<name>, or cli/<name>) is built there and must fail. It must have passed before.

BUILD=${BUILD:-build}
copy=$(mktemp -d) || exit 1
trap 'rm -rf "$copy"' EXIT
number=0 status=0

# Timestamps are kept, so that only what a mutant touches is built anew.
mkdir "$copy/build"
cp -a Makefile collectives report src tests ci "$copy/"
cp -a "$BUILD/obj" "$BUILD/unit" "$BUILD/config" "$copy/build/"
for file in "$BUILD"/*_perf "$BUILD/collperf"; do
	[ ! -f "$file" ] || cp -a "$file" "$copy/build/"
done
cat tests/mutants/*.list | grep -v '^#' | grep . >"$copy/list"
cd "$copy" || exit 1
unset BUILD

build() { # TEST
	case $1 in
	unit/*) make -s --no-print-directory "build/$1" ;;
	*) make -s --no-print-directory all ;;
	esac >said 2>&1
}

passes() { # TEST
	case $1 in
	unit/*) timeout -k 2 30 "build/$1" ;;
	*) timeout -k 2 60 "tests/$1.sh" ;;
	esac </dev/null >said 2>&1
}

survived() { # WHY
	echo "not ok $number - $file: $expression: $1"
	[ -z "$2" ] || tail -n 5 said | sed 's/^/# /'
	status=1
}

: >passed
while IFS= read -r line; do
	file=${line%%|*}
	test=${line##*|}
	expression=${line#*|}
	expression=${expression%|*}
	object=build/obj/${file%.c}.o
	number=$((number + 1))
	if ! grep -qx "$test" passed; then
		if build "$test" && passes "$test"; then
			echo "$test" >>passed
		else
			survived "$test does not pass without it" show
			continue
		fi
	fi
	cp -p "$file" kept.source
	[ ! -e "$object" ] || cp -p "$object" kept.object
	if ! sed "$expression" kept.source >"$file" 2>said; then
		survived "sed refuses it" show
	elif cmp -s kept.source "$file"; then
		survived "it changes nothing"
	elif ! build "$test"; then
		survived "it does not compile" show
	elif passes "$test"; then
		survived "$test does not notice"
	else
		echo "ok $number - $test notices $file: $(echo "$expression" | tr -d '#')"
	fi
	# The old object fits the old source again; what includes a header must be built again.
	case $file in
	*.c)
		cp -p kept.source "$file"
		[ ! -e kept.object ] || mv kept.object "$object"
		;;
	*) cp kept.source "$file" ;;
	esac
done <list
echo "1..$number"
exit $status
