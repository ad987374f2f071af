#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The path column over a real MPI: what UCX's log says was taken, what the user has set himself stays as it is, and nothing is left behind.

. tests/cli/lib.sh
if ! command -v mpiexec >/dev/null || ! ldd "$bin/all_reduce_perf" 2>/dev/null | grep -q libucp; then
	echo "1..0 # SKIP this MPI is not over UCX"
	exit 0
fi
for variable in $(env | sed -n 's/^\(UCX_[A-Z_]*\)=.*/\1/p'); do
	unset "$variable"
done
csv=$scratch/csv
mkdir "$scratch/tmp" "$scratch/logs"
export TMPDIR=$scratch/tmp

# [VARIABLE=value ...] -- OPTION...: two ranks, two sizes.
two() {
	local variables=()

	while [ "$1" != -- ]; do
		variables+=("$1")
		shift
	done
	shift
	rm -f "$csv"
	run 60 mpiexec -n 2 env "${variables[@]}" "$bin/all_reduce_perf" --backend mpi -b 8 -e 64K -f 8192 -n 3 -w 1 --csv "$csv" "$@"
}

# WANTED: path and flag of every row: "shm", "tcp other_path"
takes() {
	[ "$rc" = 0 ] || return
	csv_cells "$csv" path flags | awk -v want="$1" '
		{ other = / other_path( |$)/ ? " other_path" : ""; if ($0 ~ /^ /) $0 = "- " $0; if ($1 == "-") $1 = ""; if ($1 other != want) bad = 1; rows++ }
		END { exit bad || rows != 4 }'
}

check() { # WANTED WHAT
	takes "$1"
	verdict $(($? == 0)) "$2" "$scratch/err" "$csv"
}

said() { # FILE TEXT WHAT
	grep -qF -- "$2" "$scratch/$1"
	verdict $(($? == 0)) "$3" "$scratch/out" "$scratch/err"
}

quiet() { # WHAT
	! grep -q -e UCX -e 'ep_cfg' "$scratch/out" && ! grep -v ': warning: ' "$scratch/err" | grep -q .
	verdict $(($? == 0)) "$1" "$scratch/out" "$scratch/err"
}

two --
check shm "two ranks of one host take shared memory"
quiet "nothing of the log is seen"
two UCX_TLS=posix,self --
check shm "posix is shared memory"
two UCX_TLS=tcp,self UCX_NET_DEVICES=lo --
check tcp "UCX_TLS=tcp,self takes sockets"
quiet "and nothing is seen"
two -- --path tcp
check tcp "--path tcp"
two -- --path shm
check shm "--path shm"
quiet "and nothing is said"

# --- not what was asked for
two UCX_TLS=tcp,self -- --path shm
check "tcp other_path" "variables of the user win, and the rows are marked"
said out "# the path taken is tcp, not shm as asked for (--path)" "a line after the table"
said err "warning: the path taken is tcp, not shm" "and a warning"

# --- what the user wants of the log himself
two UCX_LOG_LEVEL=warn --
check "" "UCX_LOG_LEVEL of the user: nothing is read back"
two UCX_LOG_LEVEL=warn -- --path shm
check "shm?" "what was asked for is not confirmed"
said out "--path shm: no log says which path was taken" "a line says so"
two UCX_LOG_LEVEL=warn UCX_TLS=tcp,self -- --path shm
check "" "nor is it suggested where a variable of the user is against it"
[ "$(grep -c 'warning: UCX_TLS=tcp,self of the environment is kept' "$scratch/err")" = 1 ] && [ "$(grep -c 'warning: .*path' "$scratch/err")" = 0 ]
verdict $(($? == 0)) "and one warning says which" "$scratch/err"
two UCX_NET_DEVICES=all -- --path tcp --json "$scratch/json"
json_is "$scratch/json" 'my ($e, $f) = @$d{qw(environment facts)}; !(grep { /^UCX_LOG/ } keys %$e) && $e->{UCX_TLS} eq "tcp,self" && $e->{UCX_NET_DEVICES} eq "all" &&
	$f->{readback_set} =~ m,^UCX_LOG_FILE=/proc/self/fd/\d+ UCX_LOG_LEVEL=info$, && $f->{steer_set} eq "UCX_TLS=tcp,self"'
verdict $(($? == 0)) "what is set for the log is recorded apart from the environment" "$scratch/json"
two UCX_LOG_LEVEL=info --
check "" "a log without a file"
[ "$(grep -c 'ep_cfg' "$scratch/out")" -ge 4 ]
verdict $(($? == 0)) "goes where it would go" "$scratch/out"
two UCX_LOG_LEVEL=info UCX_LOG_FILE="$scratch/logs/%h.%p" --
check shm "files of the user are read"
set -- "$scratch"/logs/*
[ $# = 2 ] && grep -q ep_cfg "$1" && grep -q ep_cfg "$2"
verdict $(($? == 0)) "and stay"
two -- --readback off
check "" "--readback off"
two UCX_OF_NOBODY=1 --
said err "unused env variable: UCX_OF_NOBODY" "UCX's warnings are seen"

# --- nothing is written for each call
for n in 3 3000; do
	rm -f "$scratch"/logs/*
	two UCX_LOG_LEVEL=info UCX_LOG_FILE="$scratch/logs/%p" -- -n $n
	lines=$(cat "$scratch"/logs/* | wc -l)
	[ $n = 3 ] && few=$lines
done
[ "$few" -gt 0 ] && [ "$few" = "$lines" ]
verdict $(($? == 0)) "$few lines of log for few calls, $lines for many"

# --- other shapes
rm -f "$csv"
run 60 mpiexec -n 1 "$bin/all_reduce_perf" --backend mpi -b 8 -e 64K -f 8192 -n 3 --csv "$csv"
check "" "one rank takes no path"

# --- nothing is left
[ -z "$(ls -A "$TMPDIR" | grep -v -e '^hydra' -e '^mpich')" ]
verdict $(($? == 0)) "no file is left"
rm -rf "${TMPDIR:?}"/*
for signal in TERM KILL; do
	timeout -k 5 60 mpiexec -n 2 "$bin/all_reduce_perf" --backend mpi -b 8 -e 8 -N 0 -n 100 --csv "$scratch/kill.$signal" </dev/null >"$scratch/out" 2>"$scratch/err" &
	job=$!
	for _ in $(seq 100); do
		[ "$(cat "$scratch/kill.$signal" 2>/dev/null | wc -l)" -lt 3 ] || break
		sleep 0.1
	done
	pids=$(pgrep -f -- "^$bin/all_reduce_perf .*--csv $scratch/kill.$signal")
	# shellcheck disable=SC2086
	[ -z "$pids" ] || kill -$signal $pids
	wait $job
	[ -n "$pids" ] && [ -z "$(find "$TMPDIR" -name '*collperf*')" ] && [ -z "$(ls -A "$TMPDIR" | grep -v -e '^hydra' -e '^mpich')" ]
	verdict $(($? == 0)) "nothing by ranks that get SIG$signal" "$scratch/err"
done
finish
