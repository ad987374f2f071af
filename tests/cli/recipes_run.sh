#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The shell of ci/recipes, run as its readers would: the pieces of a CI server's job in their order, the Slurm script with sbatch, srun, scontrol and mail that
# stand in, the pods of a Kubernetes job as two processes. The programs are the real ones; launchers put simulated ranks in the place of a machine.

. tests/cli/recipes_lib.sh
fakes=$(cd "$BUILD/fakes/lib" 2>/dev/null && pwd)
unset RANK WORLD_SIZE LOCAL_RANK MASTER_ADDR MASTER_PORT ACCEPT COLLPERF_TOKEN
for variable in $(env | sed -n 's/^\(SLURM_[A-Z_]*\|PMI[X_][A-Z_]*\)=.*/\1/p'); do
	unset "$variable"
done

# --- what stands in

mkdir "$scratch/bin"
# A launcher: its own options are dropped, $MACHINE is what the ranks run on, and no two launches are alike.
cat >"$scratch/bin/mpiexec" <<'END'
#!/bin/bash
echo "${0##*/} $*" >>"$STAND_IN.launchers"
while [[ $1 == -* ]]; do
	[[ $1 == *=* ]] && shift || shift 2
done
exec "$@" --backend sim --sim-ranks 4 $MACHINE
END
# Only one primitive, and their seeds from the start; --launcher because there need not be an MPI library.
cat >"$scratch/bin/collperf" <<'END'
#!/bin/bash
echo "$*" >>"$STAND_IN.commands"
[ "$1" = run ] || exec "$COLLPERF" "$@"
shift
[[ " $* " == *" --launcher "* ]] || set -- --launcher "mpiexec -n 4" "$@"
count=$(cat "$STAND_IN.runs" 2>/dev/null)
echo $((count + 1)) >"$STAND_IN.runs"
exec "$COLLPERF" run --collectives all_reduce --seed $((count * 7 + 11)) "$@" >/dev/null
END
cat >"$scratch/bin/make" <<'END'
#!/bin/sh
:
END
# Jobs run at once, except on node $DOWN. They see what the submitter's environment had.
cat >"$scratch/bin/sbatch" <<'END'
#!/bin/bash
echo "$*" >>"$STAND_IN.sbatch"
nodes=1 node=
while [[ $1 == -* ]]; do
	case $1 in
	--parsable | --exclusive) shift; continue ;;
	--nodes) nodes=$2 ;;
	--nodelist) node=$2 ;;
	--output) output=$2 ;;
	--partition | --deadline | --ntasks | --dependency) ;;
	*) echo "sbatch: unrecognized option '$1'" >&2; exit 1 ;;
	esac
	shift 2
done
id=$(wc -l <"$STAND_IN.sbatch")
echo "$id;cluster"
[ -z "$node" ] || [ "$node" != "$DOWN" ] || exit 0
cp "$1" "$STAND_IN.job" # sbatch keeps a copy, elsewhere
shift
[ -z "$node" ] || [ "$node" != "$SLOW" ] || export MACHINE="$MACHINE --sim-alpha 7us"
SLURM_JOB_NUM_NODES=$nodes bash "$STAND_IN.job" "$@" >"$output" 2>&1
echo "$id $* $?" >>"$STAND_IN.jobs"
END
cat >"$scratch/bin/scontrol" <<'END'
#!/bin/sh
case "$*" in
"-o show partition night") echo "PartitionName=night AllowGroups=ALL Nodes=n[1-2] State=UP TotalNodes=2" ;;
"show hostnames n[1-2]") printf 'n1\nn2\n' ;;
*) echo "scontrol: $*" >&2; exit 1 ;;
esac
END
cat >"$scratch/bin/mail" <<'END'
#!/bin/sh
[ "$1" = -s ] && [ $# = 3 ] || exit 1
{ echo "To: $3"; echo "Subject: $2"; cat; } >"$STAND_IN.mail"
END
chmod +x "$scratch"/bin/*
ln -s mpiexec "$scratch/bin/srun"
quiet="--sim-noise 1%,1%" slow="--sim-noise 1%,1% --sim-alpha 7us" noisy="--sim-noise 40%,1%"

# --- running

# In a folder of its own, with the programs where the recipe has them.
place() { # NAME
	here=$scratch/$1
	rm -rf "$here"
	mkdir -p "$here/build" "$here/agent"
	ln -s "$scratch/bin/collperf" "$here/build/collperf"
	export STAND_IN=$here/seen
}

# The shell of a CI server's job, in order, until one fails; the environment of such a job is in the variables given.
job() { # RECIPE BLOCKS SHELL VARIABLE=VALUE...
	local recipe=$1 blocks=$2 shell=$3 block

	shift 3
	rm -rf "$here/runs/new" "$here"/gate.*
	for block in $blocks; do
		# shellcheck disable=SC2086 # SHELL has options
		(cd "$here" && timeout 120 env PATH="$scratch/bin:$PATH" HOME="$here/agent" "$@" $shell "$scratch/blocks/$recipe.$block") >"$scratch/out" 2>"$scratch/err"
		rc=$?
		[ $rc = 0 ] || return 0
	done
}

github() { # VARIABLE=VALUE...
	: >"$here/output"
	rm -f "$here/summary"
	job github.yml "1 2 3" "bash -eo pipefail" GITHUB_STEP_SUMMARY=summary GITHUB_OUTPUT=output "$@"
}
gitlab() { job gitlab.yml 1 "bash -eo pipefail" "$@"; }
# shellcheck disable=SC2317 # by name, as the others
jenkins() { job Jenkinsfile "2 3 4 1" "sh -xe" "$@"; }
mpijob() { job kubernetes-mpi.yml 1 bash RESULTS="$here" RANKS=16 "$@"; }

kept() { # FOLDER: what a baseline holds, to be compared
	(cd "$1" 2>/dev/null && find . -type f | sort | xargs cksum | cksum)
}

# A job on main accepts the first run and another that is as fast, says when it cannot see, finds a slower one, and accepts what it is told to.
server() { # FUNCTION WHERE ITS-MAIN ITS-BRANCH CODE-OF-INCONCLUSIVE
	local how=$1 store=$2 main=$3 branch=$4 blind=$5 before

	place "$how"
	store=${store/HERE/$here}
	"$how" "$main" MACHINE="$quiet"
	[ $rc = 0 ] && [ -d "$store" ]
	good "$how: the first run is accepted"
	before=$(kept "$store")
	"$how" "$branch" MACHINE="$quiet"
	[ $rc = 0 ] && [ "$(kept "$store")" = "$before" ]
	good "$how: a branch that is as fast passes, and moves nothing"
	"$how" "$main" MACHINE="$noisy"
	[ $rc = "$blind" ] && [ "$(kept "$store")" = "$before" ] && { [ "$how" != github ] || grep -q '^::warning ' "$scratch/out"; }
	good "$how: what differs too much is inconclusive: no failure, and not accepted"
	"$how" "$main" MACHINE="$quiet"
	[ $rc = 0 ] && [ "$(kept "$store")" != "$before" ]
	good "$how: so does main, which is accepted"
	before=$(kept "$store")
	"$how" "$main" MACHINE="$slow"
	[ $rc = 1 ] && [ "$(kept "$store")" = "$before" ] && grep -q 'all.*_reduce' "$here/gate.md" && grep -q '<failure' "$here/gate.xml"
	good "$how: a slower machine fails, with JUnit and Markdown that say what"
	"$how" "$main" MACHINE="$slow" ACCEPT=true
	[ $rc = 0 ] && [ "$(kept "$store")" != "$before" ]
	good "$how: what is meant can be accepted"
	"$how" "$main" MACHINE="$slow"
	[ $rc = 0 ]
	good "$how: and is then what others are held against"
}

# A night of the Slurm script; the code of its last job, which mails.
night() { # DATE VARIABLE=VALUE...
	local date=$1

	shift
	rm -f "$STAND_IN".{mail,jobs,sbatch,launchers}
	timeout 150 env PATH="$scratch/bin:$PATH" PARTITION=night STORE="$here/store" MAIL_TO=me@example.org DATE="$date" TASKS=4 \
		SWEEP="--repeat 5 -b 8 -e 4M -f 2" "$@" bash "$slurm" </dev/null >"$scratch/out" 2>"$scratch/err"
	rc=$?
	ended=$(tail -n 1 "$STAND_IN.jobs" 2>/dev/null)
	ended=${ended##* }
}

ends() { # NAME=WORD...: the table of the night, in any order
	local row

	for row; do
		grep -qxF "| ${row%%=*} | ${row#*=} |" "$STAND_IN.mail" || return 1
	done
	[ "$(grep -c '^| [^|]* | [^|]* |$' "$STAND_IN.mail")" = $(($# + 1)) ]
}

# Two pods of the indexed job, as the kubelet starts them.
pods() { # VARIABLE=VALUE...
	local index pids=()

	port=$((port + 20))
	for index in 0 1; do
		mkdir -p "$here/$index"
		(cd "$here/$index" && timeout -k 5 100 env PATH="$bin:$PATH" LD_LIBRARY_PATH="$fakes" JOB_COMPLETION_INDEX=$index WORLD_SIZE=2 MASTER_ADDR=localhost \
			MASTER_PORT=$port OPTIONS="-e 1K -n 3 -w 1 --connect-timeout 20" PRIMITIVES="all_reduce broadcast" "$@" \
			bash "$scratch/blocks/kubernetes-env.yml.1" >"$here/out.$index" 2>"$here/err.$index" </dev/null) &
		pids+=($!)
	done
	codes=
	for index in "${pids[@]}"; do
		wait "$index"
		codes="$codes$? "
	done
	rc=$codes
	cat "$here"/out.? >"$scratch/out"
	cat "$here"/err.? >"$scratch/err"
}

# --- the recipes as they are

look_at "$recipes"
cp -r "$scratch/json" "$scratch/json.good"
# Whatever has no YAML reader has no pieces of YAML to run.
if [ -n "$yaml" ]; then
	server github HERE/baseline GITHUB_REF=refs/heads/main GITHUB_REF=refs/pull/1/merge 0
	server gitlab HERE/baseline POLICY=pull-push POLICY=pull 4
	place mpijob
	mpijob MACHINE="$quiet"
	sleep 1 # folders are named by the second
	mpijob MACHINE="$quiet"
	[ $rc = 0 ] && grep -q 'mpiexec -n 16' "$STAND_IN.launchers"
	good "mpijob: the second run is as fast"
	sleep 1
	mpijob MACHINE="$slow"
	[ $rc = 1 ] && grep -q 'all.*_reduce' "$here"/*.md
	good "mpijob: a slower one fails"
else
	for what in github gitlab mpijob pods; do
		number=$((number + 1))
		echo "ok $number - $what # SKIP no reader of YAML (python3-yaml or YAML::PP)"
	done
fi
server jenkins HERE/agent/collperf-baseline BRANCH_NAME=main BRANCH_NAME=other 4

slurm=$recipes/slurm.sh
place slurm
night first MACHINE="$quiet"
[ "$rc$ended" = 00 ] && ends all=first n1=first n2=first && grep -q '^Subject: collperf on night: 3 first$' "$STAND_IN.mail" &&
	grep -qF 'srun --nodes 2 --ntasks-per-node 4' "$STAND_IN.launchers" && grep -q -e '--dependency afterany:1:2:3 ' "$STAND_IN.sbatch" && [ -d "$here/store/runs/latest/n1" ]
good "slurm: the first night is accepted: a job for each node, one over all, one that mails"
night noisy MACHINE="$noisy"
[ "$rc$ended" = 04 ] && ends all=inconclusive n1=inconclusive n2=inconclusive
good "slurm: a noisy night is inconclusive"
night second MACHINE="$quiet"
[ "$rc$ended" = 00 ] && ends all=ok n1=ok n2=ok
good "slurm: the second is as fast"
before=$(kept "$here/store/baseline/n2")
night third MACHINE="$quiet" SLOW=n2 DOWN=n1
[ "$rc$ended" = 01 ] && ends n2=regression "n1=not measured" all=ok && [ "$(grep -m 1 '^| [an]' "$STAND_IN.mail")" = "| n2 | regression |" ] &&
	grep -q '^## n2$' "$STAND_IN.mail" && grep -q 'all.*_reduce' "$STAND_IN.mail" && grep -q '^2 n2 1$' "$STAND_IN.jobs" && [ "$(kept "$here/store/baseline/n2")" = "$before" ] &&
	grep -q '<failure' "$here/store/runs/third/n2.xml" && cmp -s <(tail -n +3 "$STAND_IN.mail") "$here/store/runs/third/mail.md"
good "slurm: a slow node comes first, a node that is down is told, nothing of them is accepted"
night fourth MACHINE="$quiet --inject corrupt=1"
[ "$rc$ended" = 01 ] && ends all=failed n1=failed n2=failed
good "slurm: wrong data are failures"

port=$((23000 + $$ % 400 * 10))
if [ -n "$yaml" ] && [ -n "$fakes" ]; then
	[ ! -x "$BUILD/fakes/build/all_reduce_perf" ] || bin=$(cd "$BUILD/fakes/build" && pwd)
	place pods
	pods
	[ "$codes" = "0 0 " ] && [ ! -s "$here/out.1" ] && [ "$(grep -c '^schema,' "$here/out.0")" = 10 ] &&
		[ "$(csv_cells "$here/out.0" library nranks wrong | sort -u | tr '\n' ';')" = "fake 2 0;library nranks wrong;" ]
	good "pods: two processes, five launches of each primitive, rows alone on pod 0's output"
	"$COLLPERF" compare "$here/out.0" "$here/out.0" --threshold 5% --markdown "$here/gate.md" >"$scratch/out" 2>"$scratch/err"
	rc=$?
	[ $rc = 0 ] || [ $rc = 4 ]
	good "pods: which can be compared"
	pods LD_LIBRARY_PATH=/nowhere
	[ "$codes" = "3 3 " ] && [ ! -s "$here/out.0" ] && grep -q '^all_reduce, launch 1: exit code 3$' "$here/err.0" && grep -q 'no NVIDIA driver' "$here/err.0"
	good "pods: a failure says why"
elif [ -n "$yaml" ]; then
	number=$((number + 1))
	echo "ok $number - pods # SKIP the fakes are not built"
fi

# --- planted faults that only running shows

if [ -n "$yaml" ]; then
	planted gitlab.yml 's/threshold 5%/threshold 50%/' && look_at "$faulty" gitlab.yml
	place gitlab
	gitlab POLICY=pull-push MACHINE="$quiet" && gitlab POLICY=pull-push MACHINE="$slow"
	[ "$rc" != 1 ]
	good "planted: a threshold that hides everything"
	planted github.yml 's/\|\| rc=\$\?/|| true/' && look_at "$faulty" github.yml
	place github
	github GITHUB_REF=refs/heads/main MACHINE="$quiet" && github GITHUB_REF=refs/heads/main MACHINE="$slow"
	[ "$rc" != 1 ]
	good "planted: an exit code that is lost"
fi
planted slurm.sh 's/1\) state=regression/1) state=ok/'
slurm=$faulty/slurm.sh
place slurm
night first MACHINE="$quiet" && night second MACHINE="$quiet" SLOW=n2
! ends n2=regression n1=ok all=ok
good "planted: a regression that is told as none"
finish
