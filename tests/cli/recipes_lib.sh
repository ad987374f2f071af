# SPDX-License-Identifier: Apache-2.0
#
# What the tests of ci/recipes share; sourced, from the root of the tree, by bash.

. tests/cli/lib.sh
recipes=$PWD/ci/recipes checker=$PWD/tests/cli/recipes.pl
export COLLPERF=$bin/collperf
rc=0 here=$scratch
mkdir -p "$scratch/help" "$scratch/json"

to_json() { # FILE: all documents of a YAML file as one JSON list
	python3 -c 'import json, sys, yaml; json.dump(list(yaml.safe_load_all(open(sys.argv[1]))), sys.stdout)' "$1" 2>/dev/null ||
		perl -MYAML::PP -MJSON::PP -e 'print encode_json([ YAML::PP->new->load_file($ARGV[0]) ])' "$1" 2>/dev/null
}

echo 'a: [b]' >"$scratch/probe.yml"
yaml=$(to_json "$scratch/probe.yml")

for command in run report topo import compare baseline ab; do
	"$COLLPERF" "$command" --help >"$scratch/help/$command" 2>/dev/null || rm "$scratch/help/$command"
done
"$bin/all_reduce_perf" --help >"$scratch/help/perf"

# Every fault that can be seen in the recipes of a folder, in $scratch/faults; their shell in $scratch/blocks. FILE: the only one that is not as it was.
look_at() { # FOLDER [FILE]
	local file shell

	rm -rf "$scratch/blocks"
	mkdir "$scratch/blocks"
	for file in "$1"/${2:-*}; do
		[[ $file != *.yml ]] || [ -z "$yaml" ] || to_json "$file" >"$scratch/json/${file##*/}.json"
	done
	perl "$checker" "$1" "$scratch/json" "$scratch/help" "$scratch/blocks" >"$scratch/faults" 2>&1
	cp "$1/slurm.sh" "$scratch/blocks/"
	for file in "$scratch/blocks/${2-}"*; do
		[ -e "$file" ] || continue
		shell=$(sed -n '1s,#!/bin/,,p' "$file")
		"$shell" -n "$file" 2>>"$scratch/faults" || echo "${file##*/}: no $shell" >>"$scratch/faults"
	done
	! command -v shellcheck >/dev/null || shellcheck -f gcc "$scratch/blocks/${2-}"* >>"$scratch/faults" 2>&1
	[ ! -s "$scratch/faults" ]
}

good() { # WHAT; a condition was just evaluated
	verdict $(($? == 0)) "$1 (exit code $rc)" "$scratch/faults" "$scratch/err" "$scratch/out" "$here/gate.md"
}

planted() { # FILE SED-EXPRESSION: a copy of all with one fault
	faulty=$scratch/faulty
	rm -rf "$faulty" "$scratch/json"
	cp -r "$recipes" "$faulty"
	cp -r "$scratch/json.good" "$scratch/json"
	sed -i -E "$2" "$faulty/$1"
	! cmp -s "$recipes/$1" "$faulty/$1"
}
