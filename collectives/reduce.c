/* SPDX-License-Identifier: Apache-2.0
 *
 * The root receives the reduction of all buffers; what the other ranks' receive buffers held stays.
 */
#include "cost.h"
#include "primitives.h"

static struct coll_origin origin(const struct coll_geom *geom, size_t i)
{
	int rank = geom->rank == geom->root ? COLL_REDUCED : COLL_UNTOUCHED;

	return (struct coll_origin){ .rank = rank, .index = i, .run = geom->count - i };
}

static const struct coll_model models[] = {
	{ "linear", cost_reduce_linear, NULL },
	{ "ring", cost_reduce_linear, NULL },
	{ "ring_pipe", cost_reduce_ring_pipe, NULL },
	{ "binomial", cost_reduce_binomial, NULL },
	{ "bintree_pipe", cost_reduce_bintree_pipe, NULL },
	{ "two_tree", cost_reduce_two_tree, NULL },
	{ "round_optimal", cost_reduce_round_optimal, NULL },
	{ "rs_gather", cost_reduce_rs_gather, NULL },
	{ "lb_sum", cost_reduce_lb_sum, NULL },
	{ "lb", cost_reduce_lb, NULL },
	{ NULL, NULL, NULL },
};

const struct collective reduce = {
	.name = "reduce",
	.summary = "the root receives the reduction of every rank's buffer",
	.id = COLL_REDUCE,
	.flags = COLL_HAS_REDOP | COLL_HAS_ROOT,
	.shape = coll_shape_whole,
	.origin = origin,
	.bus_factor = coll_bus_whole,
	.models = models,
	.ring = "ring_pipe",
	.tree = "two_tree",
};
