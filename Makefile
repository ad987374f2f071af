# SPDX-License-Identifier: Apache-2.0
#
# make            build what this machine allows (MPI where mpicc is found)
# make demo       install what is missing, build, sweep all primitives on this machine, write a report
# make test       install what is missing, build, run every test
# make bench      what the harness costs (needs a quiet machine); never part of make test
# make lint format fuzz install clean
#
# V=1  MPI=auto|0|1  SANITIZE=address,undefined  PREFIX=/usr/local  DESTDIR=  WERROR=1

CC        ?= cc
ifeq ($(origin CC),default)
CC        := gcc
endif
MPICC     ?= mpicc
SMPICC    ?= smpicc
CLANG     ?= clang
PREFIX    ?= /usr/local
MPI       ?= auto
SANITIZE  ?=
V         ?= 0
Q         := $(if $(filter 1,$(V)),,@)

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

# --- sources by room -------------------------------------------------------------------------------------------------
COLL_SRC    := $(sort $(wildcard collectives/*.c))
PRIMITIVES  := $(filter-out cost table,$(notdir $(COLL_SRC:.c=)))
REPORT_SRC  := $(sort $(wildcard report/*.c))
# what a perf binary needs of report/: rows and writers
ROW_SRC     := $(addprefix report/,result.c columns.c text.c console.c wide.c csv.c json.c)
MPI_SRC     := src/backend/mpi.c src/launch/mpi.c $(wildcard src/backend/mpi_*.c)
DRIVER_SRC  := $(sort $(wildcard src/driver/*.c)) src/collperf.c
CORE_SRC    := $(filter-out src/perf_main.c src/collperf.c,$(sort $(wildcard src/*.c))) \
               src/backend/table.c src/backend/sim.c src/launch/self.c src/launch/env.c
PERF_SRC    := $(CORE_SRC) $(if $(filter 1,$(HAVE_MPI)),$(MPI_SRC))

obj          = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
PERF_OBJ    := $(call obj,$(PERF_SRC) $(COLL_SRC) $(ROW_SRC))
PERF_BIN    := $(PRIMITIVES:%=$(BUILD)/%_perf)
LINK        := $(if $(filter 1,$(HAVE_MPI)),$(MPICC) -cc=$(CC),$(CC))

.PHONY: all clean
all: $(PERF_BIN) $(BUILD)/collperf

$(PERF_BIN): $(BUILD)/%_perf: $(BUILD)/obj/perf/%.o $(PERF_OBJ)
	$(if $(Q),@echo "  LD    $@")
	$(Q)$(LINK) $(LDSAN) -pthread -o $@ $^ -ljansson -lm $(LDLIBS)

$(BUILD)/obj/perf/%.o: src/perf_main.c | config
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALLFLAGS) -DCOLLPERF_PRIMITIVE=$* -c -o $@ $<

$(BUILD)/collperf: $(call obj,$(DRIVER_SRC) src/size.c $(COLL_SRC) $(REPORT_SRC))
	$(if $(Q),@echo "  LD    $@")
	$(Q)$(CC) $(LDSAN) -pthread -o $@ $^ -ljansson -lcsv -lm $(LDLIBS)

$(call obj,$(MPI_SRC)): $(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(if $(Q),@echo "  MPICC $<")
	$(Q)$(MPICC) -cc=$(CC) $(ALLFLAGS) -c -o $@ $<

$(BUILD)/obj/src/backend/table.o: ALLFLAGS += -DHAVE_MPI=$(HAVE_MPI)

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(if $(Q),@echo "  CC    $<")
	$(Q)$(CC) $(ALLFLAGS) -c -o $@ $<

# A build with other settings starts anew: the settings are a prerequisite that changes only when they do.
CONFIG := CC=$(CC) CFLAGS=$(CFLAGS) MPI=$(HAVE_MPI) WERROR=$(WERROR) VERSION=$(VERSION)
.PHONY: config
config:
	@mkdir -p $(BUILD)
	@echo '$(CONFIG)' | cmp -s - $(BUILD)/config || { rm -rf $(BUILD)/obj; echo '$(CONFIG)' > $(BUILD)/config; }

clean:
	rm -rf build

# --- tests -----------------------------------------------------------------------------------------------------------
# A unit test of a room links that room (and what the room may include), nothing else.
UNIT_SRC := $(sort $(wildcard tests/unit/*/*.c))
UNIT_BIN := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(UNIT_SRC))
UNIT_collectives := $(COLL_SRC)
UNIT_src := $(CORE_SRC) $(COLL_SRC) $(ROW_SRC)
UNIT_report := $(REPORT_SRC) $(COLL_SRC)
UNIT_driver := $(sort $(wildcard src/driver/*.c)) src/size.c $(REPORT_SRC) $(COLL_SRC)

define unit_rule
$(BUILD)/unit/$(1)/%: tests/unit/$(1)/%.c $(call obj,$(UNIT_$(1)))
	@mkdir -p $$(@D)
	$$(if $$(Q),@echo "  UNIT  $$<")
	$$(Q)$$(CC) $$(ALLFLAGS) $$(LDSAN) -I. -o $$@ $$^ -lcmocka -ljansson -lcsv -lm
endef
$(foreach room,collectives src report driver,$(eval $(call unit_rule,$(room))))

.PHONY: unit
unit: $(UNIT_BIN)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
