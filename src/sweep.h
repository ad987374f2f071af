/* SPDX-License-Identifier: Apache-2.0
 *
 * Which points a command line asks for, in the order of the table: types, operations, roots, sizes, placements. Pure.
 */
#ifndef COLLPERF_SWEEP_H
#define COLLPERF_SWEEP_H

#include "backend.h"
#include "options.h"
#include "point.h"

struct algo;

/* The odometer of a sweep; start from sweep_begin. */
struct sweep {
	const struct options *options;
	const struct backend *backend;
	const struct collective *coll;
	int type, op, root; /* of the current combination */
	uint64_t size;      /* requested, 0 before the first */
	int placement;
	const struct algo *forced; /* whose limits are to be minded; NULL */
	bool done;
};

void sweep_begin(struct sweep *sweep, const struct options *options, const struct backend *backend,
		 const struct collective *coll);

/*
 * The next point, or false at the end. After each uneven point the even exchange of as much, unless blocks are even already. Where a point cannot be measured *skip is a text that lives for ever and *point says what was asked; else
 * *skip is NULL.
 */
bool sweep_next(struct sweep *sweep, struct point *point, const char **skip);

enum { SWEEP_SKIPS = 4 };

/* Points that are left out for one reason. */
struct sweep_skip {
	const char *reason;
	struct point first;
	uint64_t points;
};

struct sweep_total {
	uint64_t points; /* that will be measured in one cycle */
	uint64_t skipped;
	uint64_t max_bytes;  /* the largest S of them */
	uint64_t max_buffer; /* the largest buffer of one call */
	uint64_t max_requested;
	uint64_t zero_below;                  /* sizes up to this one move nothing; 0: none */
	struct sweep_skip skips[SWEEP_SKIPS]; /* for other reasons; the first without one ends the list */
	struct point smallest;                /* the first that will be measured */
};

void sweep_count(const struct options *options, const struct backend *backend, const struct collective *coll,
		 struct sweep_total *total);

/* Why a size is too small: the skip text of such points, for comparison by address. */
extern const char *const sweep_too_small;
/* The same of an even exchange beside an uneven one, which has blocks. */
extern const char *const sweep_even_too_small;

#endif
