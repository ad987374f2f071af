#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# ci/rules passes on the tree and sees each kind of breach planted into a copy of it.

copy=$(mktemp -d) || exit 1
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/ci" "$copy/topo" "$copy/src/unknown"
cp ci/rules "$copy/ci/"
cp -R collectives report src "$copy/"
[ ! -d topo ] || cp -R topo "$copy/"
cd "$copy" || exit 1
number=0 status=0

verdict() { # OK WHAT
	number=$((number + 1))
	if [ "$1" = 1 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		status=1
	fi
}

ci/rules >said
verdict $(($? == 0)) "the tree keeps the rules"
sed 's/^/# /' said
mv said before

# What is nobody else's is still its owner's.
mkdir kept.backend
cp -p src/backend/verify.cu src/backend/nccl* kept.backend/
printf '#include <cuda.h>\n#include <nccl.h>\n#include "nccl_api.h"\n#include "../groups.h"\n' >src/backend/nccl_planted.c
printf '#include <cuda_fp16.h>\n#include "verify_planted.h"\n' >>src/backend/verify.cu
ci/rules >said
verdict $(($? == 0)) "the NCCL backend may include its vendor and its own"
sed 's/^/# /' said
rm src/backend/nccl_planted.c
mv kept.backend/* src/backend/

while read -r file included; do
	case $file in
	'' | '#'*) continue ;;
	esac
	# A file of that name may be planted whole.
	[ ! -e "$file" ] || cp "$file" kept
	echo "#include $included" >>"$file"
	seen=0
	ci/rules >all || { grep -vxFf before all >said && grep -q "^$file:" said && [ "$(wc -l <said)" = 1 ] && seen=1; }
	verdict $seen "$file must not include $included"
	[ $seen = 1 ] || sed 's/^/# /' said
	rm "$file"
	[ ! -e kept ] || mv kept "$file"
done <<'END'
collectives/all_reduce.c "../src/backend.h"
collectives/cost.h "../report/result.h"
collectives/cost.c <mpi.h>
collectives/table.c <jansson.h>
topo/planted.c "../report/result.h"
topo/planted.h "../src/size.h"
report/csv.c "../src/dtype.h"
report/planted.h "../src/driver/args.h"
report/result.h "../collectives/cost.h"
report/reader.c <mpi.h>
src/backend/mpi_calls.c "sim.h"
src/backend/sim.c <mpi.h>
src/backend/mpi.c "../../report/result.h"
src/backend/mpi.c "../stats.h"
src/backend/mpi.c "nccl_api.h"
src/backend/mpi_calls.c <nccl.h>
src/backend/mpi_types.c "verify_array.h"
src/backend/sim.c <cuda.h>
src/backend/nccl_calls.c <mpi.h>
src/backend/nccl_comm.c "mpi.h"
src/backend/nccl_state.h "../../report/result.h"
src/backend/nccl_verify.c "../check.h"
src/backend/verify.cu "nccl_api.h"
src/backend/verify.cu "../pattern.h"
src/backend/verify_array.h <cuda_fp16.h>
src/backend/sim.c "../launch/planted.h"
src/launch/mpi.c "../backend.h"
src/launch/self.c <mpi.h>
src/launch/mpi.c "../options.h"
src/launch/env.c <nccl.h>
src/launch/env_planted.c "../watch.h"
src/stats.c <mpi.h>
src/stats.c <jansson.h>
src/pattern.c <cuda_runtime.h>
src/point.c "../report/csv.h"
src/check.c "backend/nccl_state.h"
src/measure.c "backend/verify_kernels.h"
src/size.h "../report/report.h"
src/options.h "driver/args.h"
src/memory.c "backend/mpi.h"
src/stats.c "../collectives/primitives.h"
src/driver/planted.c <mpi.h>
src/driver/planted.c "../backend.h"
src/driver/planted.c "../../report/reader.h"
src/collperf.c "options.h"
src/unknown/planted.c "../size.h"
src/stats.c <../report/csv.h>
src/stats.c OPTIONS_HEADER
END
echo "1..$number"
exit $status
