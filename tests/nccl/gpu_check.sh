#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# ci/gpu-check over the fakes, with one GPU and with several: its steps pass, and each kind of step fails when what it looks at is broken. What
# it finds on a GPU cannot be known here, only that the script would say it.

case ${BUILD:-build} in
*sanitize*)
	echo "1..0 # SKIP a script's logic, once, without sanitizers"
	exit 0
	;;
esac
. tests/cli/lib.sh

binaries=$bin
[ -x "$bin/fakes/build/all_reduce_perf" ] && binaries=$bin/fakes/build
unset OUT GPU_CHECK_ONLY GPU_CHECK_SECONDS

gpu_check() { # FAKE [VARIABLE=VALUE]...
	fake=$1
	shift
	run 200 env LD_LIBRARY_PATH="$bin/fakes/lib" COLLPERF_FAKE="$fake" GPU_CHECK_QUICK=1 GPU_CHECK_BIN="$binaries" GPU_CHECK_DIR="$scratch/dir" "$@" ci/gpu-check
}

said() { # PATTERN
	grep -Eq "$1" "$scratch/out"
}

good() { # WHAT ; the verdict is the exit code before it
	[ $? = 0 ]
	verdict $(($? == 0)) "$1" "$scratch/err" "$scratch/dir/results/steps.txt" "$scratch/out"
}

gpu_check gpus=1 OUT="$scratch/returned"
[ $rc = 0 ] && said '^one GPU, all types and ops +ok .* 9 primitives, [0-9]+ rows, 0 wrong' && said '^2 ranks on the GPU +ok .* all shared_gpu' &&
	said '^3 ranks on the GPU +ok .* all shared_gpu' && said '^a hang ends in time +ok .*exit code 3' && said '^[1-9] passed, 0 failed$'
good "one GPU: all types, ranks that share it, a hang"
[ "$(ls "$scratch/returned" | tr '\n' ' ')" = "gpu-check.tar.gz gpu-check.txt " ] && grep -q 'passed, 0 failed' "$scratch/returned/gpu-check.txt" &&
	tar -tzf "$scratch/returned/gpu-check.tar.gz" | grep -q 'results/types-1/all_reduce.csv'
good "one GPU: what comes back in OUT"

gpu_check gpus=8 GPU_CHECK_ONLY='suite|8 GPUs|processes|hang'
[ $rc = 0 ] && said '^the suite over 8 GPUs +ok .* 0 wrong; report' && said '^8 GPUs, all types and ops +ok ' && said '^8 processes, a GPU each +ok ' &&
	said '^a hang ends in time +ok ' && [ -s "$scratch/dir/results/suite/report/index.html" ]
good "eight GPUs: the suite with its report, types, processes"

gpu_check gpus=2 GPU_CHECK_ONLY='steps of training'
[ $rc = 0 ] && said '^steps of training +(ok .* 0 wrong, overlap of buckets|skipped .*no kernels)'
good "steps of training, with all of the GPU and half of it"
gpu_check gpus=2,flip GPU_CHECK_ONLY='steps of training'
said '^steps of training +(failed .*exit code 1|skipped .*no kernels)'
good "wrong data of steps fail"

gpu_check gpus=0
[ $rc = 77 ] && said '^gpu-check: no GPU can be used: .' && said '^0 passed, 0 failed$'
good "no GPU: said, exit code 77"

gpu_check gpus=1,flip GPU_CHECK_ONLY=types
[ $rc = 1 ] && said '^one GPU, all types and ops +failed .*exit code 1' && said '^0 passed, 1 failed$'
good "wrong data fail"

gpu_check gpus=1,fail=ncclReduce GPU_CHECK_ONLY='2 ranks'
[ $rc = 1 ] && said '^2 ranks on the GPU +failed .*reduce: exit code 3' && grep -q ncclReduce "$scratch/err"
good "an error in one primitive fails, and is shown"

gpu_check gpus=2,fail=ncclAllReduce GPU_CHECK_ONLY='suite|hang'
[ $rc = 1 ] && said '^the suite over 2 GPUs +failed ' && said '^a hang ends in time +failed ' && said '^0 passed, 2 failed$'
good "the suite and the hang fail with their primitive"

gpu_check gpus=1 GPU_CHECK_SECONDS=10 GPU_CHECK_ONLY=types
[ $rc = 77 ] && said '^one GPU, all types and ops +skipped .*no time left'
good "a step for which no time is left is skipped"

# Binaries that drop what the script wants to see: a flag, a row, a word.
mkdir "$scratch/bad"
for file in "$binaries"/*_perf; do
	cat >"$scratch/bad/${file##*/}" <<END
#!/bin/bash
"$file" "\$@"
rc=\$?
while [ \$# -gt 1 ]; do
	[ "\$1" != --csv ] || [ ! -f "\$2" ] || sed -i "\$SPOIL" "\$2"
	shift
done
exit \$rc
END
	chmod +x "$scratch/bad/${file##*/}"
done
while IFS='|' read -r spoil step pattern what; do
	gpu_check gpus=1 SPOIL="$spoil" GPU_CHECK_BIN="$scratch/bad" GPU_CHECK_ONLY="$step"
	[ $rc = 1 ] && said "$pattern"
	good "$what"
done <<'END'
s/shared_gpu//|2 ranks|failed .*: a row without the flag shared_gpu|rows that are not marked shared_gpu fail
$d|types|failed .*: rows are missing|a table that is cut short fails
1!s/,/ /3|types|failed .*: a broken line|a broken line fails
END

# The tool itself cannot run here.
mkdir "$scratch/tools"
printf '#!/bin/sh\nshift 4\n"$@"\necho "========= $SAYS"\nexit $ENDS\n' >"$scratch/tools/compute-sanitizer"
chmod +x "$scratch/tools/compute-sanitizer"
while IFS='|' read -r ends says expected pattern what; do
	gpu_check gpus=1 PATH="$scratch/tools:$PATH" ENDS="$ends" SAYS="$says" GPU_CHECK_ONLY=memcheck
	[ $rc = "$expected" ] && said "^memcheck of the check kernels +$pattern"
	good "$what"
done <<'END'
0|ERROR SUMMARY: 0 errors|0|ok .*ERROR SUMMARY: 0 errors|memcheck passes
9|ERROR SUMMARY: 1 error|1|failed .*ERROR SUMMARY: 1 error|memcheck's errors fail
1|Error: Device not supported|77|skipped .*refuses|memcheck that cannot use the device is skipped
END
finish
