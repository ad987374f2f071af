/* SPDX-License-Identifier: Apache-2.0
 *
 * The root receives one block of every rank, in rank order; what the other ranks' receive buffers held stays.
 */
#include "cost.h"
#include "primitives.h"

static struct coll_shape shape(size_t total, int nranks, size_t align)
{
	size_t block = coll_block(total, nranks, align);

	return (struct coll_shape){ .send = block, .recv = block * (size_t)nranks, .count = block };
}

static struct coll_origin origin(const struct coll_geom *geom, size_t i)
{
	size_t count = geom->count, in_block = i % count;

	if (geom->rank != geom->root)
		return (struct coll_origin){ .rank = COLL_UNTOUCHED, .index = i, .run = count * (size_t)geom->nranks - i };
	return (struct coll_origin){ .rank = (int)(i / count), .index = in_block, .run = count - in_block };
}

static const struct coll_model models[] = {
	{ "linear", cost_blocks_ring, NULL }, { "ring", cost_blocks_ring, NULL }, { "binomial", cost_blocks_log, NULL },
	{ "lb_sum", cost_blocks_log, NULL },  { "lb", cost_blocks_lb, NULL },     { NULL, NULL, NULL },
};

const struct collective gather = {
	.name = "gather",
	.summary = "the root receives every rank's block",
	.id = COLL_GATHER,
	.flags = COLL_HAS_ROOT,
	.shape = shape,
	.origin = origin,
	.in_place = coll_place_send_block,
	.bus_factor = coll_bus_share,
	.models = models,
	.ring = "ring",
	.tree = "binomial",
};
