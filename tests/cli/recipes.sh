#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# ci/recipes without running them: what their files say is held against what their readers know, and commands against the programs' help (recipes.pl); all
# shell is parsed. Then faults are planted into copies, and each must be found.

. tests/cli/recipes_lib.sh

look_at "$recipes"
[ ! -s "$scratch/faults" ]
good "recipes: schemas, options, shell"
skipped() { # WHAT WHY
	number=$((number + 1))
	echo "ok $number - $1 # SKIP $2"
}
[ -n "$yaml" ] || skipped "the recipes in YAML" "no reader of YAML (python3-yaml or YAML::PP)"
command -v shellcheck >/dev/null || skipped "shellcheck of their shell" "no shellcheck"
cp -r "$scratch/json" "$scratch/json.good"

# A fault at a time.
while IFS='|' read -r file expression words; do
	case $file in *.yml) [ -n "$yaml" ] || continue ;; esac
	planted "$file" "$expression" && { ! look_at "$faulty" "$file"; } && grep -q -e "$words" "$scratch/faults"
	verdict $(($? == 0)) "planted: $file: $expression" "$scratch/faults"
done <<'END'
github.yml|/runs-on/d|no runs-on
github.yml|s/@[0-9a-f]{40} # v4.2.2/@v4/|is not pinned
github.yml|s/ # v4.6.2//|of which version
github.yml|s/--repeat 5/--repeats 5/|no option --repeats
github.yml|s/collperf baseline check/collperf baselines check/|no collperf baselines
github.yml|s/--threshold 5%/--treshold 5%/|no option --treshold
github.yml|s/^          fi$//|github.yml
github.yml|s/run: make/runs: make/|either uses or run
github.yml|s/cat gate.md/cat ${{ github.head_ref }}/|within shell text
github.yml|s/^    if: github.*//|forks
github.yml|s/echo "accepted=/echo "accept=/|no step gives
github.yml|s/^  gate:/gate:/|github.yml
gitlab.yml|s/stage: measure/stage: measures/|none of stages
gitlab.yml|s/exit_codes: 4/exit_codes: 1/|exit code 4
gitlab.yml|s/junit: gate.xml/junit: gates.xml/|no JUnit
gitlab.yml|s/script:/scripts:/|no script
gitlab.yml|s/elif \[ -d/elif [ -d (/|gitlab.yml
Jenkinsfile|0,/^    \}$/{s/^    \}$//}|is not closed
Jenkinsfile|s/unstable\(/echo(/|not unstable
Jenkinsfile|s/agent \{/agents {/|no agent
Jenkinsfile|s/ -T 120/ --timeouts 120/|no option --timeouts
Jenkinsfile|s/-d "\$baseline"/-d "$baseline/|Jenkinsfile
slurm.sh|s/--ntasks-per-node \$TASKS"/--ntasks-per-node $TASKS/|slurm.sh
slurm.sh|s/--markdown/--markdowns/|no option --markdowns
kubernetes-mpi.yml|s/v2beta1/v1/|not of this apiVersion
kubernetes-mpi.yml|s/command: \[.*\]/args: []/|no command
kubernetes-mpi.yml|s/value: "16"/value: 16/|is no text
kubernetes-mpi.yml|s/value: "16"/value: "8"/|not all slots
kubernetes-mpi.yml|s/claimName: collperf/claimName: other/|no claim
kubernetes-mpi.yml|s/-o "\$new"/-o "$new/|kubernetes-mpi.yml
kubernetes-env.yml|s/^  name: collperf/  names: collperf/|no metadata.name
kubernetes-env.yml|s/value: collperf-0.collperf/value: collperf-1.collperf/|not pod 0
kubernetes-env.yml|s/name: WORLD_SIZE, value: "2"/name: WORLD_SIZE, value: "3"/|WORLD_SIZE
kubernetes-env.yml|s/--launch env/--launcher env/|no option --launcher
kubernetes-env.yml|s/completionMode: Indexed/completionMode: NonIndexed/|no index
kubernetes-env.yml|s/clusterIP: None/clusterIP: Any/|no headless service
Containerfile|s/^USER .*//|its user is root
Containerfile|s/\$\(nproc\)"/$(nproc)/|Containerfile
Containerfile|s/^WORKDIR .src/WORKDIRS src/|WORKDIRS
Containerfile|s/libhwloc-dev //|a build needs libhwloc-dev
kubernetes-mpi.yml|s/collperf:0[0-9.]+/collperf:0.0.9/|version 0.0.9
Containerfile|s/^ARG NCCL=auto/ARG NPM_TOKEN=abc/|a secret
END

finish
