/* SPDX-License-Identifier: Apache-2.0
 *
 * Every rank, the root too, receives the root's buffer.
 */
#include "cost.h"
#include "primitives.h"

static struct coll_origin origin(const struct coll_geom *geom, size_t i)
{
	return (struct coll_origin){ .rank = geom->root, .index = i, .run = geom->count - i };
}

static const struct coll_model models[] = {
	{ "linear", cost_broadcast_linear, NULL },
	{ "ring", cost_broadcast_linear, NULL },
	{ "ring_pipe", cost_broadcast_ring_pipe, NULL },
	{ "binomial", cost_broadcast_binomial, NULL },
	{ "bintree_pipe", cost_broadcast_bintree_pipe, NULL },
	{ "two_tree", cost_broadcast_two_tree, NULL },
	{ "round_optimal", cost_broadcast_round_optimal, NULL },
	{ "scatter_allgather", cost_broadcast_scatter_allgather, NULL },
	{ "lb_sum", cost_broadcast_lb_sum, NULL },
	{ "lb", cost_broadcast_lb, NULL },
	{ NULL, NULL, NULL },
};

const struct collective broadcast = {
	.name = "broadcast",
	.summary = "every rank receives the root's buffer",
	.id = COLL_BROADCAST,
	.flags = COLL_HAS_ROOT,
	.shape = coll_shape_whole,
	.origin = origin,
	.bus_factor = coll_bus_whole,
	.models = models,
	.ring = "ring_pipe",
	.tree = "two_tree",
};
