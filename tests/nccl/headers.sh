#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The NCCL backend compiles without a warning against the machine's own CUDA and NCCL headers and against those of releases from 2.13 on, and its
# kernels for three generations of GPUs. Compiled, not run. Old headers come from wheels, which are fetched once and kept in build/headers; what
# cannot be had here (headers, pip, a network, nvcc) is skipped with the reason.

unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES SANITIZE
case ${BUILD:-build} in
*sanitize*)
	echo "1..0 # SKIP compiled once, without sanitizers"
	exit 0
	;;
esac

CC=${CC:-gcc}
kept=build/headers
fetched=$kept/wheel
number=0 status=0
mkdir -p $kept || exit 1
log=$kept/log

# PACKAGE VERSION: the oldest wheel; before ncclMemAlloc; before 8-bit types; before windows; newer than this was written against.
releases='nvidia-nccl-cu11 2.13.4
nvidia-nccl-cu12 2.18.3
nvidia-nccl-cu12 2.21.5
nvidia-nccl-cu12 2.26.2
nvidia-nccl-cu13 2.32.3'

verdict() { # RC WHAT
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		grep -E 'error|warning|Error' $log | head -n 12 | cut -c -300 | sed 's/^/# /'
		status=1
	fi
}

skip() { # WHAT WHY
	number=$((number + 1))
	echo "ok $number - $1 # SKIP $2"
}

# A variable of the Makefile, as make has it for this machine.
of_make() { # VARIABLE
	printf 'include Makefile\nsay:\n\t@printf "%%s\\n" "$(%s)"\n' "$1" | make -s --no-print-directory -f - say 2>/dev/null
}

cuda_flags=$(of_make NCCL_FLAGS)
[ -n "$cuda_flags" ] && [ "$(of_make HAVE_NCCL)" = 1 ] || cuda_flags=
own_flags=$cuda_flags
# Where the machine has no CUDA headers, the declarations of the fakes do for its part.
[ -n "$cuda_flags" ] || cuda_flags='-isystem tests/fakes/include'

# The version that the preprocessor sees, so that no other nccl.h is compiled by mistake.
version_of() { # FLAGS
	printf '#include <nccl.h>\nNCCL_MAJOR.NCCL_MINOR.NCCL_PATCH\n' | $CC -E -P $1 -x c - 2>/dev/null | tail -n 1 | tr -d ' '
}

objects() { # DIRECTORY
	for file in src/backend/nccl*.c; do
		echo "$1/obj/${file%.c}.o"
	done
}

compiles() { # DIRECTORY FLAGS
	rm -rf "$1/obj"
	make -s -k -j2 --no-print-directory BUILD="$1" CC="$CC" NCCL=1 WERROR=1 NCCL_FLAGS="$2" $(objects "$1") >$log 2>&1
}

# Only the header is kept of a wheel.
fetch() { # PACKAGE VERSION DIRECTORY
	[ -s "$3/nccl.h" ] && return 0
	rm -rf $fetched
	timeout -k 5 60 python3 -m pip download -q --no-deps --no-cache-dir --disable-pip-version-check --timeout 10 --retries 1 \
		--only-binary :all: -d $fetched "$1==$2" >$log 2>&1 || return 1
	mkdir -p "$3"
	python3 -c 'import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel, open(sys.argv[2], "wb") as out:
	out.write(wheel.read("nvidia/nccl/include/nccl.h"))' $fetched/*.whl "$3/nccl.h" >>$log 2>&1
	rc=$?
	rm -rf $fetched
	return $rc
}

what="against this machine's NCCL $(version_of "$own_flags")"
if [ -n "$own_flags" ]; then
	compiles $kept/own "$own_flags"
	verdict $? "$what"
else
	skip "$what" "no headers of CUDA and NCCL here"
fi

compiles $kept/fakes '-isystem tests/fakes/include'
verdict $? "against the declarations of the fakes"

unreachable=
while read -r package version; do
	what="against NCCL $version"
	directory=$kept/$version
	flags="-isystem $directory $cuda_flags"
	if ! command -v python3 >/dev/null || ! python3 -m pip --version >/dev/null 2>&1; then
		skip "$what" "no pip here"
	elif [ -n "$unreachable" ] && [ ! -s "$directory/nccl.h" ]; then
		skip "$what" "$unreachable"
	elif ! fetch "$package" "$version" "$directory"; then
		unreachable="$package $version cannot be fetched"
		skip "$what" "$unreachable"
	elif [ "$(version_of "$flags")" != "$version" ]; then
		echo "error: the compiler finds NCCL $(version_of "$flags")" >$log
		verdict 1 "$what"
	else
		compiles $directory "$flags"
		verdict $? "$what"
	fi
done <<END
$releases
END

# No wheel is older than 2.13: its header less what came since 2.10.
what="against NCCL 2.10, made from 2.13.4"
old=$kept/2.13.4/nccl.h
if [ -s $old ]; then
	mkdir -p $kept/2.10.3
	sed '/ncclRedOpCreatePreMulSum(/d; /ncclRedOpDestroy(/d; /ncclGetLastError(/d; /ncclRemoteError/d; /^typedef enum {$/,/ncclScalarResidence_t;/d
		s/NCCL_MINOR 13/NCCL_MINOR 10/; s/NCCL_PATCH 4/NCCL_PATCH 3/; s/VERSION_CODE 21304/VERSION_CODE 21003/' $old >$kept/2.10.3/nccl.h
	compiles $kept/2.10.3 "-isystem $kept/2.10.3 $cuda_flags"
	verdict $? "$what"
else
	skip "$what" "without that header"
fi

nvcc=$(of_make NVCC)
for arch in 80 90 100; do
	what="verify.cu for sm_$arch"
	if [ -z "$nvcc" ]; then
		skip "$what" "no nvcc here"
	elif ! "$nvcc" --list-gpu-code 2>/dev/null | grep -qx "sm_$arch"; then
		skip "$what" "this nvcc cannot"
	else
		"$nvcc" -cubin -arch=sm_$arch -O3 -Werror all-warnings -o $kept/verify_$arch.cubin src/backend/verify.cu >$log 2>&1 &&
			[ -s $kept/verify_$arch.cubin ]
		verdict $? "$what"
	fi
done
echo "1..$number"
exit $status
