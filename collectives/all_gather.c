/* SPDX-License-Identifier: Apache-2.0
 *
 * Every rank receives one block of every rank, in rank order.
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

	return (struct coll_origin){ .rank = (int)(i / count), .index = in_block, .run = count - in_block };
}

static const struct coll_model models[] = {
	{ "ring", cost_blocks_ring, NULL },
	{ "bruck", cost_blocks_log, NULL },
	{ "recdbl", cost_blocks_log, coll_is_power_of_two },
	{ "tree", cost_all_gather_tree, NULL },
	{ "naive", cost_all_gather_naive, NULL },
	{ "lb_sum", cost_blocks_log, NULL },
	{ "lb", cost_blocks_lb, NULL },
	{ NULL, NULL, NULL },
};

const struct collective all_gather = {
	.name = "all_gather",
	.summary = "every rank receives every rank's block",
	.id = COLL_ALL_GATHER,
	.shape = shape,
	.origin = origin,
	.in_place = coll_place_send_block,
	.bus_factor = coll_bus_share,
	.models = models,
	.ring = "ring",
	.tree = "tree",
};
