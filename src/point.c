/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of one point.
 */
#include "point.h"

struct point point_in_group(const struct point *point, int nranks)
{
	const size_t size = dtypes[point->type].size;
	struct point own = *point;

	own.shape = point->coll->shape(point->bytes_requested / size, nranks, point_align(point->type));
	own.bytes = (own.shape.send > own.shape.recv ? own.shape.send : own.shape.recv) * size;
	return own;
}

struct coll_geom point_geom(const struct point *point, int nranks, int rank)
{
	return (struct coll_geom){ .nranks = nranks, .rank = rank, .root = point->root, .count = point->shape.count };
}

size_t point_input(const struct point *point, const struct coll_geom *geom)
{
	const bool from_root = point->coll->id == COLL_SCATTER || point->coll->id == COLL_BROADCAST;

	return from_root && geom->rank != geom->root ? 0 : point->shape.send;
}

size_t point_align(enum dtype type)
{
	return dtypes[type].size < 16 ? 16 / dtypes[type].size : 1;
}
