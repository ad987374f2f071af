# SPDX-License-Identifier: Apache-2.0
#
# make            build what this machine allows (MPI where mpicc is found)
# make demo       install what is missing, build, sweep all primitives on this machine, write a report
# make test       install what is missing, build, run every test, and a sixteenth of the tests of tests (check-mutants: all of them)
# make check-unit check-fuzz check-cli check-mpi check-nccl check-cluster check-mutants     one part of the tests; no installing
# make bench      what the harness costs (needs a quiet machine); bench-cluster: the whole table of models; never part of make test
# make lint rules format fuzz man install clean
#
# V=1  MPI=auto|0|1  NCCL=auto|0|1  HWLOC=auto|0|1  CUDA_HOME=  NCCL_HOME=  NVCC=nvcc  CUDA_ARCHS="80 90 100"  SANITIZE=address,undefined  PREFIX=/usr/local  DESTDIR=  WERROR=1  BUILD=build  FUZZ_SECONDS=60

ifeq ($(origin CC),default)
CC        := gcc
endif
MPICC     ?= mpicc
SMPICC    ?= smpicc
CLANG     ?= clang
PREFIX    ?= /usr/local
MPI       ?= auto
NCCL      ?= auto
SANITIZE  ?=
WERROR    ?=
V         ?= 0
Q         := $(if $(filter 1,$(V)),,@)
FUZZ_SECONDS ?= 60

BUILD     := build
ifneq ($(SANITIZE),)
BUILD     := build/sanitize
endif

VERSION   := 0.1.0
STD       := -std=c11 -D_GNU_SOURCE
WARN      := -Wall -Wextra -Wpedantic -Wshadow -Wconversion $(if $(WERROR),-Werror)
CFLAGS    ?= -O2 -g
ALLFLAGS  := $(STD) $(WARN) $(CFLAGS) -MMD -MP -DCOLLPERF_VERSION='"$(VERSION)"' -pthread
ifneq ($(SANITIZE),)
ALLFLAGS  += -fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=all
LDSAN     := -fsanitize=$(SANITIZE)
endif

ifeq ($(MPI),auto)
HAVE_MPI  := $(if $(shell command -v $(MPICC) 2>/dev/null),1,0)
else
HAVE_MPI  := $(MPI)
endif

# NCCL and CUDA are found at run time; a build needs their headers alone, and nvcc for the kernels that check data.
NVCC       ?= $(firstword $(shell command -v nvcc 2>/dev/null) $(wildcard /usr/local/cuda/bin/nvcc))
CUDA_HOME  ?= $(firstword $(wildcard /usr/local/cuda))
NCCL_HOME  ?=
# of 80, 90 and 100 what this nvcc knows
ifeq ($(origin CUDA_ARCHS),undefined)
CUDA_ARCHS := $(or $(filter 80 90 100,$(patsubst compute_%,%,$(if $(NVCC),$(shell $(NVCC) --list-gpu-arch 2>/dev/null)))),80)
endif
NCCL_FLAGS := $(addprefix -isystem ,$(wildcard $(NCCL_HOME:%=%/include) $(CUDA_HOME:%=%/include)))
# Where dlopen looks after LD_LIBRARY_PATH.
NCCL_DIRS  := $(wildcard $(NCCL_HOME:%=%/lib) $(CUDA_HOME:%=%/lib64) $(CUDA_HOME:%=%/lib))
comma      := ,
NCCL_LINK  := -Wl,--enable-new-dtags $(addprefix -Wl$(comma)-rpath$(comma),$(NCCL_DIRS))
NCCL_LIBS   = $(if $(filter 1,$(HAVE_NCCL)),$(NCCL_LINK))
NCCL_FOUND := $(if $(filter 0,$(NCCL)),0,$(shell printf '\043include <nccl.h>\n\043include <cuda.h>\n\043include <cuda_runtime_api.h>\n' | \
                $(CC) -E $(NCCL_FLAGS) -x c - >/dev/null 2>&1 && echo 1 || echo 0))
HAVE_NCCL  := $(if $(filter auto,$(NCCL)),$(NCCL_FOUND),$(NCCL))
ifeq ($(filter 0 1,$(HAVE_NCCL)),)
$(error NCCL=$(NCCL): auto, 0 or 1)
endif
ifneq ($(filter-out $(NCCL_FOUND),$(HAVE_NCCL)),)
$(error NCCL=1: nccl.h, cuda.h or cuda_runtime_api.h was not found: set CUDA_HOME and NCCL_HOME)
endif

# hwloc tells cores, caches and the PCI tree; without it the system's own files do, less of it.
HWLOC       ?= auto
HWLOC_FOUND := $(if $(filter 0,$(HWLOC)),0,$(shell printf '\043include <hwloc.h>\n' | $(CC) -E -x c - >/dev/null 2>&1 && echo 1 || echo 0))
HAVE_HWLOC  := $(if $(filter auto,$(HWLOC)),$(HWLOC_FOUND),$(HWLOC))
HWLOC_LIBS  := $(if $(filter 1,$(HAVE_HWLOC)),-lhwloc)

# A build of many files uses all cores, unless make was told how many.
JOBS      := $(shell nproc 2>/dev/null || echo 1)
SUBMAKE    = $(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$(JOBS))

# --- sources by room -------------------------------------------------------------------------------------------------
COLL_SRC    := $(sort $(wildcard collectives/*.c))
# what is no primitive there: formulas and look-ups
PRIMITIVES  := $(filter-out cost% layout table schedule% training%,$(notdir $(COLL_SRC:.c=)))
REPORT_SRC  := $(sort $(wildcard report/*.c report/import/*.c report/gate/*.c report/plan/*.c report/explain/*.c))
# what a perf binary needs of report/: rows, writers, ratios
ROW_SRC     := $(addprefix report/,result.c ratio.c columns.c text.c output.c context.c console.c wide.c csv.c document.c json.c bucket_console.c step_fastest.c \
               pair_judge.c pair_fit.c pair_set.c pair_words.c pair_console.c)
# what reads other machines' files and prints: collperf alone
TOPO_FILES  := $(sort $(wildcard topo/read*.c topo/show*.c topo/command*.c))
TOPO_SRC    := $(filter-out $(TOPO_FILES) $(if $(filter 1,$(HAVE_HWLOC)),topo/by_hwloc_none.c,topo/by_hwloc.c topo/by_hwloc_pci.c topo/by_hwloc_links.c),$(sort $(wildcard topo/*.c)))
MPI_SRC     := src/backend/mpi.c src/launch/mpi.c $(wildcard src/backend/mpi_*.c)
DRIVER_SRC  := $(sort $(wildcard src/driver/*.c)) src/collperf.c
CORE_SRC    := $(filter-out src/perf_main.c src/step_main.c src/collperf.c src/topo_main.c,$(sort $(wildcard src/*.c))) \
               src/backend/table.c $(sort $(wildcard src/backend/sim*.c)) src/launch/table.c src/launch/self.c \
               src/launch/parts.c $(sort $(wildcard src/launch/env*.c))
NCCL_SRC    := $(sort $(wildcard src/backend/nccl*.c))
PERF_SRC    := $(CORE_SRC) $(if $(filter 1,$(HAVE_MPI)),$(MPI_SRC)) $(if $(filter 1,$(HAVE_NCCL)),$(NCCL_SRC))

obj          = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
KERNELS     := $(BUILD)/obj/src/backend/verify.o
PERF_OBJ    := $(call obj,$(PERF_SRC) $(COLL_SRC) $(ROW_SRC) $(TOPO_SRC)) $(if $(filter 1,$(HAVE_NCCL)),$(KERNELS))
PERF_BIN    := $(PRIMITIVES:%=$(BUILD)/%_perf)
BUCKET_BIN  := $(BUILD)/bucket_perf
GPU_CHECK   := $(if $(filter 1,$(HAVE_NCCL)),$(BUILD)/gpu/check_rate)
OBJFLAGS    :=
LINK        := $(if $(filter 1,$(HAVE_MPI)),$(MPICC) -cc=$(CC),$(CC))
# for fits: collperf alone, never a perf binary
GSL_LIBS    := -lgsl -lgslcblas

.PHONY: all clean force
.SECONDARY:
.SUFFIXES:
all: $(PERF_BIN) $(BUCKET_BIN) $(BUILD)/collperf $(BUILD)/collperf-topo $(GPU_CHECK)

# A build with other settings starts anew: every object has the settings as a prerequisite, which changes only when they do.
$(BUILD)/config: export SETTINGS := $(CC) $(ALLFLAGS) MPI=$(HAVE_MPI) $(MPICC) NCCL=$(HAVE_NCCL) HWLOC=$(HAVE_HWLOC) $(NCCL_FLAGS) $(NVCC) $(CUDA_ARCHS)
$(BUILD)/config: force
	@mkdir -p $(@D)
	@printf '%s\n' "$$SETTINGS" | cmp -s - $@ || printf '%s\n' "$$SETTINGS" >$@

$(PERF_BIN): $(BUILD)/%_perf: $(BUILD)/obj/perf/%.o $(PERF_OBJ)
	$(if $(Q),@echo "  LD    $@")
	$(Q)$(LINK) $(LDSAN) $(NCCL_LIBS) -pthread -o $@ $^ -ljansson $(HWLOC_LIBS) -lm -ldl $(LDLIBS)

$(BUCKET_BIN): $(call obj,src/step_main.c) $(PERF_OBJ)
	$(if $(Q),@echo "  LD    $@")
	$(Q)$(LINK) $(LDSAN) $(NCCL_LIBS) -pthread -o $@ $^ -ljansson $(HWLOC_LIBS) -lm -ldl $(LDLIBS)

$(BUILD)/obj/perf/%.o: src/perf_main.c $(BUILD)/config
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALLFLAGS) -DCOLLPERF_PRIMITIVE=$* -c -o $@ $<

$(BUILD)/collperf: $(call obj,$(DRIVER_SRC) src/size.c src/own.c src/launch/env_asked.c $(COLL_SRC) $(REPORT_SRC) $(TOPO_SRC) $(TOPO_FILES))
	$(if $(Q),@echo "  LD    $@")
	$(Q)$(CC) $(LDSAN) -pthread -o $@ $^ -ljansson -lcsv $(GSL_LIBS) $(HWLOC_LIBS) -lexpat -lm -ldl $(LDLIBS)

# What `collperf topo` becomes under a launcher.
$(BUILD)/collperf-topo: $(call obj,src/topo_main.c src/topology.c $(filter src/launch/%,$(PERF_SRC)) $(COLL_SRC) $(TOPO_SRC) $(TOPO_FILES))
	$(if $(Q),@echo "  LD    $@")
	$(Q)$(LINK) $(LDSAN) -pthread -o $@ $^ -ljansson $(HWLOC_LIBS) -lexpat -lm -ldl $(LDLIBS)

$(call obj,$(MPI_SRC)): $(BUILD)/obj/%.o: %.c $(BUILD)/config
	@mkdir -p $(@D)
	$(if $(Q),@echo "  MPICC $<")
	$(Q)$(MPICC) -cc=$(CC) $(ALLFLAGS) -c -o $@ $<

$(BUILD)/obj/src/backend/table.o $(BUILD)/obj/src/launch/table.o: OBJFLAGS := -DHAVE_MPI=$(HAVE_MPI) -DHAVE_NCCL=$(HAVE_NCCL)
$(call obj,$(NCCL_SRC)): OBJFLAGS := $(NCCL_FLAGS)
$(BUILD)/obj/tests/%.o: OBJFLAGS := -I.
$(BUILD)/obj/tests/gpu/%.o: OBJFLAGS := -I. $(NCCL_FLAGS)
$(BUILD)/obj/tests/unit/nccl/%.o: OBJFLAGS := -I. $(NCCL_FLAGS)

$(BUILD)/obj/%.o: %.c $(BUILD)/config
	@mkdir -p $(@D)
	$(if $(Q),@echo "  CC    $<")
	$(Q)$(CC) $(ALLFLAGS) $(OBJFLAGS) -c -o $@ $<

# The kernels as one image inside the binary: machine code for each architecture and PTX of the first. Without nvcc the image is empty.
LOWEST_ARCH := $(firstword $(CUDA_ARCHS))
GENCODE     := $(foreach arch,$(CUDA_ARCHS),-gencode arch=compute_$(arch),code=sm_$(arch)) \
               -gencode arch=compute_$(LOWEST_ARCH),code=compute_$(LOWEST_ARCH)

$(BUILD)/obj/src/backend/verify.fatbin: src/backend/verify.cu $(wildcard src/pattern*.h src/backend/verify*.h) $(BUILD)/config
	@mkdir -p $(@D)
	$(if $(Q),@echo "  NVCC  $<")
	$(Q)$(NVCC) -fatbin $(GENCODE) -O3 -o $@ $<

$(KERNELS): src/backend/verify_image.S $(if $(NVCC),$(BUILD)/obj/src/backend/verify.fatbin) $(BUILD)/config
	@mkdir -p $(@D)
	$(Q)$(CC) -c $(if $(NVCC),-DIMAGE='"$(BUILD)/obj/src/backend/verify.fatbin"') -o $@ $<

clean:
	rm -rf build

# --- tests -----------------------------------------------------------------------------------------------------------
# A unit test of a room links that room (and what the room may include), nothing else: no MPI either, so its table of backends lacks it.
UNIT_SRC := $(filter-out $(if $(filter 1,$(HAVE_NCCL)),,tests/unit/nccl/%),$(sort $(wildcard tests/unit/*/*.c)))
UNIT_BIN := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(UNIT_SRC))
SIM_ONLY := $(BUILD)/obj/sim_only/backend/table.o $(BUILD)/obj/sim_only/launch/table.o
UNIT_collectives := $(call obj,$(COLL_SRC))
UNIT_topo        := $(call obj,$(TOPO_SRC) $(TOPO_FILES) $(COLL_SRC))
UNIT_src         := $(call obj,$(filter-out src/backend/table.c src/launch/table.c,$(CORE_SRC)) $(COLL_SRC) $(ROW_SRC) $(TOPO_SRC)) $(SIM_ONLY)
UNIT_report      := $(call obj,$(REPORT_SRC) $(COLL_SRC) $(TOPO_SRC))
UNIT_driver      := $(call obj,$(sort $(wildcard src/driver/*.c)) src/size.c src/own.c $(REPORT_SRC) $(COLL_SRC) $(TOPO_SRC))
# over libraries of its own, and without kernels
UNIT_nccl        := $(call obj,$(filter-out src/backend/nccl.c src/backend/nccl_step% src/backend/nccl_verify.c,$(NCCL_SRC))) $(UNIT_src)

$(SIM_ONLY): $(BUILD)/obj/sim_only/%.o: src/%.c $(BUILD)/config
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALLFLAGS) -DHAVE_MPI=0 -DHAVE_NCCL=0 -c -o $@ $<

define unit_rule
$(BUILD)/unit/$(1)/%: $(BUILD)/obj/tests/unit/$(1)/%.o $(UNIT_$(1))
	@mkdir -p $$(@D)
	$$(if $$(Q),@echo "  UNIT  $$@")
	$$(Q)$$(CC) $$(LDSAN) -pthread -o $$@ $$^ -lcmocka -ljansson -lcsv $$(if $$(filter report driver,$(1)),$$(GSL_LIBS)) $$(if $$(filter topo,$(1)),-lexpat) \
		$$(HWLOC_LIBS) -lm -ldl
endef
$(foreach room,collectives topo src report driver nccl,$(eval $(call unit_rule,$(room))))

# The yield shim lets more ranks than cores make progress; bare loops of MPI calls show what the harness adds.
SHIM  := $(BUILD)/tests/yield_shim.so
BENCH := $(BUILD)/bench/rawloop $(BUILD)/bench/check_rate

$(SHIM): tests/mpi/yield_shim.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(STD) $(WARN) -O2 -shared -fPIC -o $@ $< -ldl

$(BUILD)/bench/rawloop: tests/bench/rawloop.c
	@mkdir -p $(@D)
	$(Q)$(MPICC) -cc=$(CC) $(STD) $(WARN) $(CFLAGS) -o $@ $< -lm

$(BUILD)/bench/check_rate: $(BUILD)/obj/tests/bench/check_rate.o $(UNIT_src)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDSAN) -pthread -o $@ $^ -ljansson $(HWLOC_LIBS) -lm -ldl

# For a machine with a GPU: the kernels that seed and check, right and fast.
$(BUILD)/gpu/check_rate: $(BUILD)/obj/tests/gpu/check_rate.o $(call obj,$(NCCL_SRC)) $(KERNELS) $(UNIT_src)
	@mkdir -p $(@D)
	$(if $(Q),@echo "  LD    $@")
	$(Q)$(CC) $(LDSAN) -pthread -o $@ $^ -ljansson $(HWLOC_LIBS) -lm -ldl $(NCCL_LINK) $(LDLIBS)

# Stand-ins of NCCL and CUDA on host memory, found by LD_LIBRARY_PATH in place of the real ones. Where the real headers are missing, tests/fakes has
# the declarations that we use, and a second build is made against them.
FAKES      := $(BUILD)/fakes/lib
FAKE_LIBS  := $(FAKES)/libcuda.so.1 $(FAKES)/libcudart.so.13 $(FAKES)/libnccl.so.2 $(FAKES)/libnvidia-ml.so.1
FAKE_FLAGS := $(if $(filter 1,$(HAVE_NCCL)),$(NCCL_FLAGS),-isystem tests/fakes/include)
FAKE_BUILD := $(if $(filter 1,$(HAVE_NCCL)),$(BUILD),$(BUILD)/fakes/build)
FAKE_CC     = $(CC) $(STD) $(WARN) $(CFLAGS) $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all) -I. $(FAKE_FLAGS) -pthread
# Thread-local data of libraries that dlopen brought crash the leak checker where threads live to the end, unless they are static.
FAKE_SO     = $(FAKE_CC) -shared -fPIC -ftls-model=initial-exec -Wl,-soname,$(@F) -o $@ $(filter %.c,$^)
FAKE_DEPS  := $(wildcard tests/fakes/*.h tests/fakes/include/*.h) $(BUILD)/config

$(FAKES)/libcudart.so.13: $(wildcard tests/fakes/cudart_*.c) $(FAKE_DEPS)
	@mkdir -p $(@D)
	$(if $(Q),@echo "  FAKE  $@")
	$(Q)$(FAKE_SO)

$(FAKES)/libcuda.so.1: $(wildcard tests/fakes/cuda_*.c) $(FAKE_DEPS) $(wildcard src/pattern*.h src/backend/verify*.h) $(FAKES)/libcudart.so.13
	$(if $(Q),@echo "  FAKE  $@")
	$(Q)$(FAKE_SO) -L$(FAKES) -l:libcudart.so.13

# GPUs and NVLinks of machines that COLLPERF_FAKE_NVML names.
$(FAKES)/libnvidia-ml.so.1: tests/fakes/nvml.c topo/nvml.h topo/topo.h topo/topo_make.h $(BUILD)/config
	@mkdir -p $(@D)
	$(if $(Q),@echo "  FAKE  $@")
	$(Q)$(FAKE_SO)

$(BUILD)/unit/topo/nvml $(BUILD)/unit/topo/discover: | $(FAKES)/libnvidia-ml.so.1

# In fakes/old is a library as of NCCL 2.10, without the newer functions.
FAKE_OLD   := $(BUILD)/fakes/old/libnccl.so.2
FAKE_NCCL  := $(filter-out %/nccl_new.c %/nccl_old.c,$(wildcard tests/fakes/nccl_*.c))

$(FAKES)/libnccl.so.2: tests/fakes/nccl_new.c
$(FAKE_OLD): tests/fakes/nccl_old.c
$(FAKES)/libnccl.so.2 $(FAKE_OLD): $(FAKE_NCCL) $(FAKE_DEPS) $(FAKES)/libcudart.so.13
	@mkdir -p $(@D)
	$(if $(Q),@echo "  FAKE  $@")
	$(Q)$(FAKE_SO) -L$(FAKES) -l:libcudart.so.13 -lm

$(BUILD)/fakes/test_nccl: tests/fakes/test_nccl.c $(FAKE_DEPS) $(FAKES)/libnccl.so.2
	$(Q)$(FAKE_CC) -o $@ $(filter %.c,$^) -L$(FAKES) -l:libnccl.so.2 -l:libcudart.so.13 -Wl,-rpath,'$$ORIGIN/lib'

# The declarations of our own say what CUDA's say.
$(BUILD)/fakes/test_cuda: tests/fakes/test_cuda.c tests/fakes/values.c $(FAKE_DEPS) $(FAKES)/libcuda.so.1
	$(Q)$(CC) $(STD) $(WARN) -isystem tests/fakes/include -fsyntax-only tests/fakes/values.c
	$(Q)$(FAKE_CC) -o $@ $(filter %.c,$^) -L$(FAKES) -l:libcuda.so.1 -l:libcudart.so.13 -Wl,-rpath,'$$ORIGIN/lib'

.PHONY: fakes
fakes: $(FAKE_LIBS) $(FAKE_OLD) $(BUILD)/fakes/test_cuda $(BUILD)/fakes/test_nccl
	+$(if $(filter 1,$(HAVE_NCCL)),@$(SUBMAKE) all,@$(SUBMAKE) BUILD=$(FAKE_BUILD) NCCL=1 NCCL_FLAGS='-isystem tests/fakes/include' NVCC= all)

# The simulated cluster: the MPI build's own sources compiled by SimGrid's compiler, and a checker that knows the cost models.
CLUSTER     := build/cluster
CLUSTER_OBJ := $(patsubst %.c,$(CLUSTER)/obj/%.o,$(CORE_SRC) $(MPI_SRC) $(COLL_SRC) $(ROW_SRC) $(TOPO_SRC))
CLUSTER_BIN := $(PRIMITIVES:%=$(CLUSTER)/%_perf) $(CLUSTER)/check $(CLUSTER)/hosts
CLUSTER_CC   = $(SMPICC) $(STD) -Wall -DSMPI_NO_OVERRIDE_MALLOC $(CFLAGS) -MMD -MP -DCOLLPERF_VERSION='"$(VERSION)"' -pthread

$(CLUSTER)/config: export SETTINGS = $(CLUSTER_CC)
$(CLUSTER)/config: force
	@mkdir -p $(@D)
	@printf '%s\n' "$$SETTINGS" | cmp -s - $@ || printf '%s\n' "$$SETTINGS" >$@

$(PRIMITIVES:%=$(CLUSTER)/%_perf): $(CLUSTER)/%_perf: $(CLUSTER)/obj/perf/%.o $(CLUSTER_OBJ)
	$(if $(Q),@echo "  LD    $@")
	$(Q)$(SMPICC) -pthread -o $@ $^ -ljansson $(HWLOC_LIBS) -lm -ldl

$(CLUSTER)/obj/perf/%.o: src/perf_main.c $(CLUSTER)/config
	@mkdir -p $(@D)
	$(Q)$(CLUSTER_CC) -DCOLLPERF_PRIMITIVE=$* -c -o $@ $<

# <malloc.h> cannot stand behind the simulator's macros of malloc and free; this file needs neither MPI nor them.
$(CLUSTER)/obj/src/memory.o: SMPICC := $(CC) -fPIC

$(CLUSTER)/obj/%.o: %.c $(CLUSTER)/config
	@mkdir -p $(@D)
	$(if $(Q),@echo "  SMPI  $<")
	$(Q)$(CLUSTER_CC) -DHAVE_MPI=1 -DHAVE_NCCL=0 -c -o $@ $<

$(CLUSTER)/check: tests/cluster/check.c $(COLL_SRC) collectives/collective.h
	@mkdir -p $(@D)
	$(Q)$(CC) $(STD) $(WARN) $(CFLAGS) -I. -o $@ $(filter %.c,$^) -lm

$(CLUSTER)/hosts:
	@mkdir -p $(@D)
	@i=0; while [ $$i -lt 1024 ]; do echo h$$i; i=$$((i + 1)); done >$@

# A fuzz target names the sources it links in a line of its own. Here it meets the inputs that are kept of it, without the fuzzer.
FUZZ_TARGETS := $(patsubst tests/fuzz/%.c,%,$(filter-out %/replay.c $(if $(filter 1,$(HAVE_HWLOC)),,%/topo_hwloc.c),$(wildcard tests/fuzz/*.c)))
FUZZ_LIBS    := -ljansson -lcsv -lexpat $(GSL_LIBS) $(HWLOC_LIBS) -lm
REPLAY       := $(FUZZ_TARGETS:%=$(BUILD)/replay/%)
fuzz_sources  = $(wildcard $(shell sed -n 's,^/\* sources: \(.*\) \*/$$,\1,p' tests/fuzz/$(1).c))

# What has no meaning under a sanitizer (a simulator that loads the program many times; tests of tests) is left out there.
PARTS       := unit fuzz cli mpi nccl $(if $(SANITIZE),,cluster mutants)
for_unit    := $(UNIT_BIN)
for_fuzz    := $(REPLAY)
for_cli     := all
for_mpi     := all $(SHIM)
for_nccl    := fakes $(SHIM)
for_cluster := $(CLUSTER_BIN) $(BUILD)/collperf
for_mutants := $(UNIT_BIN) all fakes $(SHIM)

.PHONY: unit cluster tests test $(PARTS:%=check-%)
unit: $(UNIT_BIN)
cluster: $(CLUSTER_BIN) $(BUILD)/collperf
tests: all $(foreach part,$(PARTS),$(for_$(part)))

test:
	@ci/setup test
	@$(SUBMAKE) tests
	@MUTANTS=$${MUTANTS:-1/16} BUILD=$(BUILD) tests/run $(PARTS)

$(PARTS:%=check-%): check-%:
	@$(SUBMAKE) $(for_$*)
	@BUILD=$(BUILD) tests/run $*

# --- what people run ---------------------------------------------------------------------------------------------------
.PHONY: demo bench bench-cluster lint rules format fuzz man install

demo:
	@ci/setup demo
	@$(SUBMAKE) all
	@rm -rf runs/demo
	@# On a busy machine points would use up all of their time; a demo is over within three minutes.
	@# All GPUs where there are two, else two ranks on hosts.
	@gpus=$$($(BUILD)/all_reduce_perf --list | sed -n 's/.*; GPUs: \([0-9][0-9]*\)$$/\1/p'); [ "$${gpus:-0}" -ge 2 ] && np= || np='--np 2'; \
	set -- $(BUILD)/collperf run $$np -o runs/demo -b 8 -e 4M -f 2 --max-time 0.25 --quiet; echo "$$*"; "$$@"
	$(BUILD)/collperf report runs/demo

bench:
	@ci/setup demo
	@$(SUBMAKE) all $(BENCH) $(BUILD)/unit/report/gate_trials
	@BUILD=$(BUILD) tests/bench/run

bench-cluster:
	@ci/setup test
	@$(SUBMAKE) cluster
	@tests/cluster/model.sh --all
	@BUILD=$(BUILD) tests/cluster/fit.sh --all

FORMATTED := $(wildcard $(foreach dir,collectives report report/import report/gate report/plan report/explain topo src src/* tests/* tests/unit/*,$(dir)/*.c $(dir)/*.h))

lint:
	@ci/setup lint
	@CFLAGS='$(STD) $(WARN)' NCCL_FLAGS='$(FAKE_FLAGS)' JOBS=$(JOBS) ci/lint $(FORMATTED)

rules:
	@ci/rules
	@tests/cli/rules.sh

format:
	@clang-format-14 -i $(FORMATTED)

FUZZ := $(FUZZ_TARGETS:%=$(BUILD)/fuzz/%)

$(BUILD)/fuzz/%: tests/fuzz/%.c force
	@mkdir -p $(@D)
	$(if $(Q),@echo "  FUZZ  $@")
	$(Q)$(CLANG) $(STD) -O1 -g -I. -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -DCOLLPERF_VERSION='"$(VERSION)"' \
		-o $@ $< $(call fuzz_sources,$*) $(FUZZ_LIBS)

fuzz:
	@ci/setup fuzz
	@$(SUBMAKE) $(FUZZ)
	@set -e; for target in $(FUZZ_TARGETS); do \
		mkdir -p $(BUILD)/fuzz/corpus/$$target; \
		seeds=tests/fuzz/corpus/$$target; [ -d $$seeds ] || seeds=; \
		echo "fuzz $$target, $(FUZZ_SECONDS) s"; \
		$(BUILD)/fuzz/$$target -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
			-artifact_prefix=$(BUILD)/fuzz/$$target- $(BUILD)/fuzz/corpus/$$target $$seeds >$(BUILD)/fuzz/$$target.log 2>&1 || \
			{ tail -n 60 $(BUILD)/fuzz/$$target.log; exit 1; }; \
		sed -n 's/^stat::number_of_executed_units: */  runs: /p' $(BUILD)/fuzz/$$target.log; \
	done

# One page tells the options of all perf binaries.
MAN := $(BUILD)/man/collperf.1 $(BUILD)/man/bucket_perf.1 $(PRIMITIVES:%=$(BUILD)/man/%_perf.1)
man: $(MAN)

$(BUILD)/man/%.1: $(BUILD)/%
	@mkdir -p $(@D)
	$(Q)$< --man >$@.new && mv $@.new $@

install: all man
	install -d $(addprefix $(DESTDIR)$(PREFIX)/,bin share/man/man1 share/doc/collperf share/collperf/plots)
	install $(PERF_BIN) $(BUCKET_BIN) $(BUILD)/collperf $(BUILD)/collperf-topo $(DESTDIR)$(PREFIX)/bin
	install -m 644 $(MAN) $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 README.md LICENSE $(DESTDIR)$(PREFIX)/share/doc/collperf
	install -m 644 plots/*.gp $(DESTDIR)$(PREFIX)/share/collperf/plots

# From here on prerequisites may depend on the target's name.
.SECONDEXPANSION:
$(REPLAY): $(BUILD)/replay/%: $(BUILD)/obj/tests/fuzz/%.o $(BUILD)/obj/tests/fuzz/replay.o $$(call obj,$$(call fuzz_sources,$$*))
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDSAN) -pthread -o $@ $^ $(FUZZ_LIBS) -ldl

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
