/* SPDX-License-Identifier: Apache-2.0
 *
 * Block j of rank r's buffer becomes block r of rank j's: count is one such block.
 */
#include "cost.h"
#include "primitives.h"

static struct coll_shape shape(size_t total, int nranks, size_t align)
{
	size_t block = coll_block(total, nranks, align);

	return (struct coll_shape){ .send = block * (size_t)nranks, .recv = block * (size_t)nranks, .count = block };
}

static struct coll_origin origin(const struct coll_geom *geom, size_t i)
{
	size_t count = geom->count, in_block = i % count;
	size_t start = (size_t)geom->rank * count;

	return (struct coll_origin){ .rank = (int)(i / count), .index = start + in_block, .run = count - in_block };
}

static const struct coll_model models[] = {
	{ "pairwise", cost_blocks_ring, NULL }, { "linear", cost_blocks_ring, NULL }, { "bruck", cost_alltoall_bruck, NULL },
	{ "lb_sum", cost_blocks_log, NULL },    { "lb", cost_blocks_lb, NULL },       { NULL, NULL, NULL },
};

const struct collective alltoall = {
	.name = "alltoall",
	.summary = "every rank sends every rank a block of its own",
	.id = COLL_ALLTOALL,
	.shape = shape,
	.origin = origin,
	.bus_factor = coll_bus_share,
	.models = models,
	.ring = "pairwise",
	.tree = "bruck",
};
