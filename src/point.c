/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of one point.
 */
#include "point.h"

#include "../collectives/layout.h"
#include "uneven.h"

static void lay_out(struct point *point, size_t total, int nranks)
{
	const size_t align = point_align(point->type);

	if (point->uneven)
		point->layout = uneven_layout(point->uneven, point->bytes_requested, dtypes[point->type].size, nranks, align);
	else
		point->layout = coll_layout_skewed(0, total, nranks, align);
	if (point->evened)
		point->layout = coll_layout_evened(&point->layout, nranks, align);
	point->shape = coll_layout_shape(&point->layout, nranks);
}

void point_resize(struct point *point, int nranks)
{
	const size_t size = dtypes[point->type].size, total = point->bytes_requested / size;

	if (point->coll->id == COLL_ALLTOALLV)
		lay_out(point, total, nranks);
	else
		point->shape = point->coll->shape(total, nranks, point_align(point->type));
	const size_t larger = point->shape.send > point->shape.recv ? point->shape.send : point->shape.recv;

	point->buffer = larger * size;
	point->bytes = (point->coll->moved ? point->coll->moved(&point->shape, nranks) : larger) * size;
}

double point_port_bytes(const struct point *point, int nranks)
{
	return (double)(coll_layout_port(&point->layout, nranks) * dtypes[point->type].size);
}

struct point point_in_group(const struct point *point, int nranks)
{
	struct point own = *point;

	point_resize(&own, nranks);
	return own;
}

struct coll_geom point_geom(const struct point *point, int nranks, int rank)
{
	return (struct coll_geom){
		.nranks = nranks, .rank = rank, .root = point->root, .count = point->shape.count, .layout = point->layout
	};
}

struct coll_origin point_origin(const struct point *point, const struct coll_geom *geom, size_t i)
{
	if (!point->exchange)
		return point->coll->origin(geom, i);
	const int from = exchange_peers(point->exchange, geom->nranks, geom->rank).from;

	return (struct coll_origin){ .rank = from < 0 ? COLL_UNTOUCHED : from, .index = i, .run = geom->count - i };
}

size_t point_input(const struct point *point, const struct coll_geom *geom)
{
	const bool from_root = point->coll->id == COLL_SCATTER || point->coll->id == COLL_BROADCAST;

	if (point->exchange && exchange_peers(point->exchange, geom->nranks, geom->rank).to < 0)
		return 0;
	return from_root && geom->rank != geom->root ? 0 : point->shape.send;
}

size_t point_align(enum dtype type)
{
	return dtypes[type].size < 16 ? 16 / dtypes[type].size : 1;
}
