/* SPDX-License-Identifier: Apache-2.0
 *
 * The reduction of all buffers, one block of it a rank, in rank order.
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

	return (struct coll_origin){ .rank = COLL_REDUCED, .index = start + i, .run = geom->count - i };
}

static const struct coll_model models[] = {
	{ "ring", cost_reduce_scatter_ring, NULL },
	{ "rechalving", cost_reduce_scatter_rechalving, NULL },
	{ "circulant", cost_reduce_scatter_circulant, NULL },
	{ "tree", cost_reduce_scatter_tree, NULL },
	{ "naive", cost_reduce_scatter_naive, NULL },
	{ "lb_sum", cost_reduce_scatter_circulant, NULL },
	{ "lb", cost_reduce_scatter_lb, NULL },
	{ NULL, NULL, NULL },
};

const struct collective reduce_scatter = {
	.name = "reduce_scatter",
	.summary = "every rank receives its block of the reduction",
	.id = COLL_REDUCE_SCATTER,
	.flags = COLL_HAS_REDOP,
	.shape = shape,
	.origin = origin,
	.in_place = coll_place_recv_block,
	.bus_factor = coll_bus_share,
	.models = models,
	.ring = "ring",
	.tree = "tree",
};
