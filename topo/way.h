/* SPDX-License-Identifier: Apache-2.0
 *
 * The ways that --path names: which variables make a library take one, and what a machine needs for it. Constant tables; sets nothing.
 * NCCL: its documented variables. MPICH: those of UCX (ch4:ucx) and of MPICH.
 */
#ifndef COLLPERF_WAY_H
#define COLLPERF_WAY_H

#include <stddef.h>
#include <stdio.h>

#include "topo.h"

enum way { WAY_AUTO, WAY_NVLINK, WAY_PCIE, WAY_SHM, WAY_IB, WAY_ROCE, WAY_SOCKET, WAY_TCP, WAYS };
extern const char *const way_names[WAYS];

enum way_library { WAY_NCCL, WAY_UCX, WAY_LIBRARIES };
extern const char *const way_library_names[WAY_LIBRARIES]; /* of the backends over them: "nccl", "mpi" */

struct way_variable {
	const char *name, *value;
};

/* enum way, or -1. */
int way_find(const char *name);
/* Ends with a NULL name; NULL: this library knows no such way. For WAY_AUTO: an empty list. */
const struct way_variable *way_variables(enum way_library library, enum way way);
/*
 * Whether this host can do it: 0, or -1 with one line in `reason` ("no NVLink between GPU0 and GPU1", "no InfiniBand device here"). What is unknown is
 * no reason against.
 */
int way_possible(const struct topo_host *host, enum way_library library, enum way way, char *reason, size_t size);
/* "shm+tcp" from bits 1 << enum way, in the enum's order; "" for none. `text` of at least 64 bytes. */
void way_words(unsigned ways, char *text);
/* Lines for --list. */
void way_list(FILE *out, enum way_library library);

#endif
