# SPDX-License-Identifier: Apache-2.0
#
# What the scripts over the fakes share; sourced, from the root of the tree, by bash. `on LAYOUT PRIMITIVE OPTION...` runs a binary as that layout has it:
# $rc is the largest exit code of its processes, out and err in $scratch are of all of them, rows are in $csv.
#   1x8    one process, one thread, 8 GPUs         env2x4    2 processes of 4 GPUs, by the environment
#   8x1    one process, 8 threads of a GPU each    mpi2x2x2  2 processes of 2 threads of 2 GPUs, by mpiexec
#   mpi2x4 2 processes of 4 GPUs, by mpiexec       env2x2x2  the same by the environment
# Others are AxB: one process, A threads with B GPUs each.

. tests/cli/lib.sh
fakes=$(cd "$BUILD/fakes/lib" 2>/dev/null && pwd) || {
	echo "1..0 # SKIP the fakes are not built"
	exit 0
}
older=$(cd "$BUILD/fakes/old" && pwd)
[ ! -x "$BUILD/fakes/build/all_reduce_perf" ] || bin=$(cd "$BUILD/fakes/build" && pwd)
for variable in $(env | sed -n 's/^\(\(RANK\|WORLD_SIZE\|LOCAL_[A-Z_]*\|MASTER_[A-Z]*\|SLURM_[A-Z_]*\|PMI[X_][A-Z_]*\|NCCL_[A-Z_]*\)\)=.*/\1/p'); do
	unset "$variable"
done
unset CUDA_VISIBLE_DEVICES COLLPERF_FAKE COLLPERF_TOKEN
primitives="all_reduce all_gather broadcast reduce_scatter reduce alltoall gather scatter sendrecv"
csv=$scratch/csv
libraries=$fakes
limit=60
port=$((30000 + $$ % 250 * 10))
has_mpi=
grep -q 'MPI=1' "$BUILD/config" 2>/dev/null && command -v mpiexec >/dev/null && has_mpi=yes
shim=$(cd "$BUILD" && pwd)/tests/yield_shim.so
[ -e "$shim" ] || shim=

# Two processes that the environment tells about each other.
by_environment() { # PROGRAM OPTION...
	local rank pids=()

	port=$((port + 1))
	for rank in 0 1; do
		timeout -k 5 "$limit" env LD_LIBRARY_PATH="$libraries:$fakes" RANK=$rank LOCAL_RANK=$rank WORLD_SIZE=2 LOCAL_WORLD_SIZE=2 \
			MASTER_ADDR=127.0.0.1 MASTER_PORT=$port "$@" </dev/null >"$scratch/out.$rank" 2>"$scratch/err.$rank" &
		pids+=($!)
	done
	rc=0
	for rank in 0 1; do
		wait "${pids[$rank]}"
		set -- $?
		[ "$1" -le $rc ] || rc=$1
	done
	cat "$scratch"/out.[01] >"$scratch/out"
	cat "$scratch"/err.[01] >"$scratch/err"
}

on() { # LAYOUT PRIMITIVE OPTION...
	local layout=$1 program=$bin/$2_perf

	shift 2
	set -- "$program" --backend nccl --csv "$csv" "$@"
	rm -f "$csv"
	case $layout in
	mpi2x4 | mpi2x2x2)
		[ $layout = mpi2x4 ] && set -- "$@" -g 4 || set -- "$@" -t 2 -g 2
		run "$limit" mpiexec -n 2 env LD_LIBRARY_PATH="$libraries:$fakes" ${shim:+LD_PRELOAD="$shim"} "$@"
		;;
	env2x4) by_environment "$@" -g 4 ;;
	env2x2x2) by_environment "$@" -t 2 -g 2 ;;
	*) run "$limit" env LD_LIBRARY_PATH="$libraries:$fakes" "$@" -t "${layout%x*}" -g "${layout#*x}" ;;
	esac
}

# Says what is not as it must be: exit code 0, as many rows as announced and as `want`, over a fake, all measured on as many ranks, nothing wrong.
flaw() { # ROWS RANKS
	[ "$rc" = 0 ] || {
		echo "exit code $rc"
		return
	}
	[ -s "$csv" ] || {
		echo "no rows"
		return
	}
	awk -F, -v want="$1" -v ranks="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; fields = NF; next }
		NF != fields { flaw = "a line of " NF " fields" }
		$at["library"] != "fake" || $at["backend"] != "nccl" { flaw = "library " $at["library"] }
		" " $at["flags"] " " !~ / simulated / { flaw = "flags " $at["flags"] }
		$at["nranks"] != ranks { flaw = $at["nranks"] " ranks" }
		$at["wrong"] != "0" { flaw = $at["wrong"] " wrong: " $at["type"] " " $at["redop"] " " $at["placement"] " root " $at["root"] }
		$at["time_us"] + 0 <= 0 { flaw = "no time" }
		$at["points"] != want { flaw = $at["points"] " points, not " want }
		END { if (NR - 1 != want) flaw = NR - 1 " rows, not " want; if (flaw) print flaw }' "$csv"
}

# One test: these rows, and nothing on stderr but a warning.
good() { # WHAT ROWS RANKS
	local what

	what=$(flaw "$2" "$3")
	[ -n "$what" ] || what=$(grep -v ': warning: ' "$scratch/err" | head -n 1)
	verdict $([ -z "$what" ] && echo 1 || echo 0) "$1${what:+: $what}" "$scratch/err"
}

# One test: this exit code, one line on stderr that is no warning (nor the hint after a wrong option) and has all of these texts.
bad() { # WHAT CODE TEXT...
	local what=$1 code=$2 text flaw=

	shift 2
	# mpiexec has a word to say too
	grep -v -e ': warning: ' -e "^Try '" -e '^Abort(' -e '^=* *\(BAD\|EXIT\|PID\|CLEAN\|YOUR\)' -e '^$' -e '^=*$' "$scratch/err" >"$scratch/said"
	[ "$rc" = "$code" ] || flaw="exit code $rc"
	[ -n "$flaw" ] || [ "$(lines "$scratch/said")" = 1 ] || flaw="$(lines "$scratch/said") lines"
	for text; do
		[ -n "$flaw" ] || grep -qF -- "$text" "$scratch/said" || flaw="no '$text'"
	done
	verdict $([ -z "$flaw" ] && echo 1 || echo 0) "$what${flaw:+: $flaw}" "$scratch/err"
}
