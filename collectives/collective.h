/* SPDX-License-Identifier: Apache-2.0
 *
 * The contract of a collective: what it moves, where each received element comes from, its busbw factor
 * and its cost models. Knows nothing of MPI, GPUs, options or output; everything here is arithmetic.
 * Meaning of S (bytes), count and busbw factors: nccl-tests doc/PERFORMANCE.md.
 */
#ifndef COLLPERF_COLLECTIVE_H
#define COLLPERF_COLLECTIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum coll_id {
	COLL_BROADCAST,
	COLL_SCATTER,
	COLL_GATHER,
	COLL_REDUCE,
	COLL_ALL_GATHER,
	COLL_REDUCE_SCATTER,
	COLL_ALL_REDUCE,
	COLL_ALLTOALL,
	COLL_SENDRECV,
	COLL_ALLTOALLV,
	COLL_BARRIER,
	COLL_HYPERCUBE,
	COLL_COUNT
};

enum coll_flag {
	COLL_HAS_REDOP = 1,
	COLL_HAS_ROOT = 2,
	COLL_BY_NAME = 4,      /* left out where all are run: it is asked for by name */
	COLL_OUT_OF_PLACE = 8, /* has no in-place call */
	COLL_NO_DATA = 16,     /* a call without data: one point, no bytes, no bandwidths, nothing to check */
};

/* Elements, never bytes. send and recv are what the largest buffer of any rank needs (the root's, where there is one). */
struct coll_shape {
	size_t send;
	size_t recv;
	size_t count; /* what is handed to the API: per peer for the split collectives, the whole buffer otherwise */
};

/* Who sends how much to whom where blocks differ; layout.h tells it. All 0: even blocks. */
struct coll_layout {
	size_t hot, cold;      /* without cells: elements that every rank sends to rank 0, and to each other rank */
	const uint64_t *cells; /* NULL, or [nranks * nranks] bytes, a row for each sender; borrowed */
	uint64_t busiest;      /* bytes: the largest sum of a row or a column of cells */
	uint64_t bytes;        /* what it becomes: cells are scaled by bytes / busiest */
	size_t element;        /* bytes; scaled cells are rounded down to whole elements */
};

/* One rank's view of one call. */
struct coll_geom {
	int nranks;
	int rank;
	int root;                  /* meaningful where COLL_HAS_ROOT */
	size_t count;              /* coll_shape.count */
	struct coll_layout layout; /* of alltoallv alone */
};

enum { COLL_REDUCED = -1, COLL_UNTOUCHED = -2 };

/* Where element i of a rank's receive buffer comes from. */
struct coll_origin {
	int rank;     /* a peer, or COLL_REDUCED (element `index` reduced over all ranks), or COLL_UNTOUCHED (as it was before) */
	size_t index; /* element of that peer's send buffer */
	size_t run;   /* how many elements from i on follow on from here: i+k comes from index+k, k < run; >= 1 */
};

/* Where the one buffer of an in-place call holds a rank's input and its result, in elements from its start. */
struct coll_place {
	size_t send;
	size_t recv;
};

/* A Hockney machine: a message of n bytes takes alpha + n * beta, combining n bytes n * gamma. */
struct coll_link {
	double alpha; /* seconds */
	double beta;  /* seconds per byte, 1 / B */
	double gamma; /* seconds per byte reduced */
};

struct coll_model {
	const char *name; /* as in the literature: "ring", "binomial", "lb" */
	/* Time in seconds of a call of `bytes` (the S of the collective) on nranks >= 1; 0 when nranks is 1. */
	double (*time)(int nranks, double bytes, const struct coll_link *link);
	/* NULL: for every nranks. Else whether the formula holds for this nranks. */
	bool (*holds)(int nranks);
};

struct collective {
	const char *name; /* file = command-line word = column */
	const char *summary;
	enum coll_id id;
	unsigned flags; /* enum coll_flag */

	/*
	 * The shape of a call that moves at most `total` elements. Split collectives give every rank
	 * total / nranks elements rounded down to a multiple of `align` elements (nccl-tests: 16 bytes), so count
	 * may be 0: such a call moves nothing and is not measured. nranks >= 1, align >= 1.
	 */
	struct coll_shape (*shape)(size_t total, int nranks, size_t align);

	/* 0 <= i < shape.recv. The reference result for every backend, type and operation. */
	struct coll_origin (*origin)(const struct coll_geom *geom, size_t i);

	/* NULL: for every number of ranks. Else why this many cannot call it (a text that lives for ever), or NULL. */
	const char *(*cannot)(int nranks);

	/* NULL: the larger of send and recv. Else the elements of S. */
	size_t (*moved)(const struct coll_shape *shape, int nranks);

	/* NULL: both at 0. */
	struct coll_place (*in_place)(const struct coll_geom *geom);

	/* busbw = algbw * bus_factor; nranks >= 2. */
	double (*bus_factor)(int nranks);

	/* Ends with a NULL name. Always has "lb", a rigorous lower bound. */
	const struct coll_model *models;
	const char *ring; /* the name of the model to draw as "ring" bound, or NULL */
	const char *tree; /* the name of the model to draw as "tree" bound, or NULL */
};

/* All in the order of enum coll_id. */
extern const struct collective *const collectives[COLL_COUNT];

/* By name, or NULL. */
const struct collective *collective_find(const char *name);

/* The model of that name, or NULL; name may be NULL (coll->ring, coll->tree). */
const struct coll_model *collective_model(const struct collective *coll, const char *name);

/* The one shape rule of split collectives: total / nranks rounded down to a multiple of align. */
size_t coll_block(size_t total, int nranks, size_t align);

/* Exact for every int >= 1. */
int coll_log2_floor(int nranks);
int coll_log2_ceil(int nranks);
bool coll_is_power_of_two(int nranks);

#endif
