#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A nightly sweep of a Slurm partition, from cron on a login node:
#     30 2 * * * PARTITION=gpu STORE=/shared/collperf MAIL_TO=hpc@example.org /shared/collperf/slurm.sh
# It submits a job for each node, which measures inside of it, one job over all nodes, and one that tells what the others found. In STORE, which all nodes see:
#   runs/DATE/NAME            results of a node or of "all"; NAME.md, NAME.xml, NAME.log beside them
#   runs/DATE/mail.md         all of it, the worst first; runs/latest is the newest DATE
#   baseline/NAME             what was accepted; to accept a slowdown that is meant:
#                                 collperf baseline update STORE/baseline/NAME STORE/runs/DATE/NAME --keep 1
#SBATCH --job-name=collperf
#SBATCH --time=2:00:00

: "${PARTITION:?}" "${STORE:?}"
TASKS=${TASKS:-8}                                # ranks of a node
SRUN=${SRUN:-srun}                               # "srun --mpi=pmi2" where an MPI library asks for it
SWEEP=${SWEEP:---repeat 5 -b 8 -e 1G -f 2 -T 120} # of each job
THRESHOLD=${THRESHOLD:-5%}
export DATE=${DATE:-$(date -u +%Y-%m-%d_%H%M)} PARTITION STORE TASKS SRUN SWEEP THRESHOLD MAIL_TO
night=$STORE/runs/$DATE

submit() {
	local nodes node jobs=

	nodes=$(scontrol -o show partition "$PARTITION" | sed -n 's/.* Nodes=\([^ ]*\).*/\1/p')
	mapfile -t nodes < <(scontrol show hostnames "$nodes")
	[ ${#nodes[@]} != 0 ] || { echo "slurm.sh: no nodes in partition $PARTITION" >&2; exit 3; }
	mkdir -p "$night" && printf '%s\n' all "${nodes[@]}" >"$night/names" || exit 3
	ln -sfn "$DATE" "$STORE/runs/latest"
	for node in "${nodes[@]}"; do
		jobs=$jobs:$(job "$node" --nodes 1 --nodelist "$node" --exclusive) || exit 3
	done
	# TOGETHER: where some node is always down, a number that is there every night; other numbers of ranks are other points.
	jobs=$jobs:$(job all --nodes "${TOGETHER:-${#nodes[@]}}" --exclusive) || exit 3
	job mail --nodes 1 --ntasks 1 --dependency "afterany$jobs" >/dev/null
}

# NAME OPTION...: its id. What waits for a node that is down is removed, so that the mail comes and says so.
job() {
	local name=$1 id

	shift
	id=$(sbatch --parsable --partition "$PARTITION" --deadline now+8hours --output "$night/$name.log" "$@" "$0" "$name") && echo "${id%%;*}"
}

# NAME: measures within this job and compares with what was accepted. One word of how it ended goes to NAME.state.
sweep() {
	local out=$night/$1 baseline=$STORE/baseline/$1 rc=0 state

	# shellcheck disable=SC2086 # SWEEP is several words
	collperf run --launcher "$SRUN --nodes ${SLURM_JOB_NUM_NODES:-1} --ntasks-per-node $TASKS" $SWEEP --quiet -o "$out" || {
		rc=$?
		echo failed >"$out.state"
		exit $rc
	}
	[ -d "$baseline" ] && state=ok || state=first
	collperf baseline update "$baseline" "$out" --check --threshold "$THRESHOLD" --markdown "$out.md" --junit "$out.xml" || rc=$?
	case $rc in 0) ;; 1) state=regression ;; 4) state=inconclusive ;; *) state=failed ;; esac
	echo $state >"$out.state"
	exit $rc
}

mail_all() {
	local state name count rc=0 subject=

	while read -r name; do
		[ -s "$night/$name.state" ] || echo "not measured" >"$night/$name.state"
	done <"$night/names"
	for state in regression failed "not measured" inconclusive first ok; do
		count=0
		while read -r name; do
			[ "$(cat "$night/$name.state")" = "$state" ] || continue
			count=$((count + 1))
			echo "| $name | $state |" >>"$night/table.md"
			[ "$state" = ok ] || [ ! -s "$night/$name.md" ] || { printf '\n## %s\n\n' "$name"; cat "$night/$name.md"; } >>"$night/details.md"
		done <"$night/names"
		[ $count != 0 ] || continue
		subject="$subject, $count $state"
		case $state in ok | first) ;; inconclusive) rc=$((rc == 0 ? 4 : rc)) ;; *) rc=1 ;; esac
	done
	{
		printf '# collperf on %s, %s\n\n| sweep | result |\n|---|---|\n' "$PARTITION" "$DATE"
		cat "$night/table.md"
		[ ! -e "$night/details.md" ] || cat "$night/details.md"
		printf '\nLogs and results: %s\n' "$night"
	} >"$night/mail.md"
	[ -z "$MAIL_TO" ] || mail -s "collperf on $PARTITION: ${subject#, }" "$MAIL_TO" <"$night/mail.md"
	exit $rc
}

case ${1-} in
'') submit ;;
mail) mail_all ;;
*) sweep "$1" ;;
esac
