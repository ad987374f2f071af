/* SPDX-License-Identifier: Apache-2.0
 *
 * One point of a sweep: what is called, how large, in which placement.
 */
#ifndef COLLPERF_POINT_H
#define COLLPERF_POINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../collectives/collective.h"
#include "dtype.h"
#include "exchange.h"
#include "redop.h"

struct point {
	const struct collective *coll;
	enum dtype type;
	enum redop op; /* REDOP_SUM where the collective has none */
	int root;      /* 0 where the collective has none */
	bool in_place;
	uint64_t bytes_requested;
	size_t bytes;  /* S as really moved by the group with most ranks, or by every group where they are equal */
	size_t buffer; /* bytes of the larger buffer: S too, but for few */
	struct coll_shape shape;
	const char *variant;             /* as struct result has it; NULL: "" */
	const struct uneven *uneven;     /* NULL: blocks are even */
	bool evened;                     /* the even exchange of as much as the uneven one moves */
	struct coll_layout layout;       /* of alltoallv */
	const struct exchange *exchange; /* of a sendrecv that is not plain; else NULL */
};

/* Fills what follows from bytes_requested and the number of ranks: bytes, buffer, shape, layout. */
void point_resize(struct point *point, int nranks);

/* Of an uneven point: bytes that the busiest rank sends to others, or gets from others. */
double point_port_bytes(const struct point *point, int nranks);

/* The point as a group of `nranks` ranks sees it: its own bytes and shape. */
struct point point_in_group(const struct point *point, int nranks);

/* Where element i of a rank's result comes from, as struct collective has it. */
struct coll_origin point_origin(const struct point *point, const struct coll_geom *geom, size_t i);

/* Elements of a rank's input: 0 where this rank's send buffer has no meaning. */
size_t point_input(const struct point *point, const struct coll_geom *geom);

struct coll_geom point_geom(const struct point *point, int nranks, int rank);

/* nccl-tests' rounding: blocks of the split collectives are multiples of 16 bytes. */
size_t point_align(enum dtype type);

#endif
