/* SPDX-License-Identifier: Apache-2.0
 *
 * What goes into a backend's calls and what comes out of them; backend.h includes this.
 */
#ifndef COLLPERF_BACKEND_CALL_H
#define COLLPERF_BACKEND_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../collectives/collective.h"
#include "dtype.h"
#include "exchange.h"
#include "pattern.h"
#include "redop.h"

struct backend;

/* One collective call as seen by all local ranks. Buffers are backend memory, `send[i]`/`recv[i]` of local rank i. */
struct backend_call {
	const struct collective *coll;
	const size_t *count; /* [nlocal] elements; equal within a group */
	enum dtype type;
	enum redop op;
	int root;      /* inside its group */
	bool in_place; /* send and recv point into one buffer, as coll_place says */
	void *const *send;
	void *const *recv;
	const struct coll_layout *layout; /* of alltoallv: [nlocal], equal within a group; count is the largest block */
	/*
	 * NULL: the call of all ranks. Else a sendrecv out of place, for backends that have `pairs`: [nlocal] the rank over all with which each local rank
	 * exchanges, both sending to the other; -1: it takes no part.
	 */
	const int *peer;
	/* NULL: the plain call. Else a sendrecv of this way, whose ranks are those of the group. */
	const struct exchange *exchange;
	/* Call k of a series uses buffers shifted by (k % rotations) * rotate_bytes; rotations is 1 where they stay. */
	size_t rotate_bytes;
	long rotations;
};

/* When local ranks enter a call, on now()'s clock. */
struct backend_start {
	double start;
	int delayed; /* this local rank (with those that its thread drives) enters `delay` seconds later; -1: none */
	double delay;
};

/* What one local rank saw of one call or loop; seconds. */
struct backend_sample {
	double arrival; /* entered, after the start */
	double end;     /* its part is complete for a caller on the host, after the start */
	double kernel;  /* its part by the device's own clock; NAN where there is none */
	double enqueue; /* from entering until the call came back to the host, before it was waited for; NAN where that is the end */
};

/* Memory that ranks share. */
struct backend_memory {
	uint64_t available; /* bytes that could be allocated now, less what is kept: */
	uint64_t kept;      /* for what the library will allocate by itself later */
	char name[64];      /* "" for the host's, else "GPU 3 [0000:0f:00]": ranks of a host with the same name share it */
};

/*
 * The device's own seeding and checking, where data need not pass through the host. A table may be kept on the device, by its serial.
 */
struct backend_device {
	/* count elements at `to` become the table's from element `from` < period on, wrapping at its period. Complete on return. */
	int (*fill)(struct backend *backend, int local, void *to, const struct pattern_table *table, size_t from, size_t count);
	int (*set)(struct backend *backend, int local, void *to, int byte, size_t bytes);
	/* *wrong: how many of the count elements differ from the table's; *first: the first that does (unchanged if none). */
	int (*differs)(struct backend *backend, int local, const void *data, const struct pattern_table *table, size_t from,
		       size_t count, uint64_t *wrong, size_t *first);
	/* The same against elements of `size` bytes that all are `byte`. */
	int (*differs_from)(struct backend *backend, int local, const void *data, int byte, size_t size, size_t count,
			    uint64_t *wrong, size_t *first);
};

#endif
