/* SPDX-License-Identifier: Apache-2.0
 *
 * The root's buffer, one block a rank, in rank order. Only the root sends, so its buffer decides the shape.
 */
#include "cost.h"
#include "primitives.h"

static struct coll_shape shape(size_t total, int nranks, size_t align)
{
	size_t block = coll_block(total, nranks, align);

	return (struct coll_shape){ .send = block * (size_t)nranks, .recv = block, .count = block };
}

static struct coll_origin origin(const struct coll_geom *geom, size_t i)
{
	size_t start = (size_t)geom->rank * geom->count;

	return (struct coll_origin){ .rank = geom->root, .index = start + i, .run = geom->count - i };
}

static const struct coll_model models[] = {
	{ "linear", cost_blocks_ring, NULL }, { "ring", cost_blocks_ring, NULL }, { "binomial", cost_blocks_log, NULL },
	{ "lb_sum", cost_blocks_log, NULL },  { "lb", cost_blocks_lb, NULL },     { NULL, NULL, NULL },
};

const struct collective scatter = {
	.name = "scatter",
	.summary = "every rank receives its block of the root's buffer",
	.id = COLL_SCATTER,
	.flags = COLL_HAS_ROOT,
	.shape = shape,
	.origin = origin,
	.in_place = coll_place_recv_block,
	.bus_factor = coll_bus_share,
	.models = models,
	.ring = "ring",
	.tree = "binomial",
};
