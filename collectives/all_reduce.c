/* SPDX-License-Identifier: Apache-2.0
 *
 * Every rank receives the reduction of all buffers. busbw counts both ways of a byte: in to be reduced, and out again.
 */
#include "cost.h"
#include "primitives.h"

static struct coll_origin origin(const struct coll_geom *geom, size_t i)
{
	return (struct coll_origin){ .rank = COLL_REDUCED, .index = i, .run = geom->count - i };
}

static double bus_factor(int nranks)
{
	return 2 * coll_bus_share(nranks);
}

static const struct coll_model models[] = {
	{ "ring", cost_all_reduce_ring, NULL },
	{ "binomial", cost_all_reduce_binomial, NULL },
	{ "tree_ideal", cost_all_reduce_tree_ideal, NULL },
	{ "two_tree", cost_all_reduce_two_tree, NULL },
	{ "recdbl", cost_all_reduce_recdbl, NULL },
	{ "rabenseifner", cost_all_reduce_rabenseifner, NULL },
	{ "circulant", cost_all_reduce_circulant, NULL },
	{ "naive", cost_all_reduce_naive, NULL },
	{ "lb_sum", cost_all_reduce_lb_sum, NULL },
	{ "lb", cost_all_reduce_lb, NULL },
	{ NULL, NULL, NULL },
};

const struct collective all_reduce = {
	.name = "all_reduce",
	.summary = "every rank receives the reduction of every rank's buffer",
	.id = COLL_ALL_REDUCE,
	.flags = COLL_HAS_REDOP,
	.shape = coll_shape_whole,
	.origin = origin,
	.bus_factor = bus_factor,
	.models = models,
	.ring = "ring",
	.tree = "tree_ideal",
};
