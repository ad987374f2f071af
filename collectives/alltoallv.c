/* SPDX-License-Identifier: Apache-2.0
 *
 * Every rank sends every rank a block, and blocks differ; without a layout they do not, and it is alltoall by another call. S is what goes in or out of
 * the busiest rank.
 */
#include "cost.h"
#include "layout.h"
#include "primitives.h"

static struct coll_shape shape(size_t total, int nranks, size_t align)
{
	const struct coll_layout even = coll_layout_skewed(0, total, nranks, align);

	return coll_layout_shape(&even, nranks);
}

static struct coll_origin origin(const struct coll_geom *geom, size_t i)
{
	const struct coll_layout even = { .hot = geom->count, .cold = geom->count };

	return coll_layout_origin(geom->layout.hot > 0 || geom->layout.cells ? &geom->layout : &even, geom->nranks, geom->rank,
				  i);
}

static const struct coll_model models[] = {
	{ "pairwise", cost_blocks_ring, NULL },
	{ "linear", cost_blocks_ring, NULL },
	{ "lb_sum", cost_blocks_log, NULL },
	{ "lb", cost_blocks_lb, NULL },
	{ NULL, NULL, NULL },
};

const struct collective alltoallv = {
	.name = "alltoallv",
	.summary = "every rank sends every rank a block of its own, as large as --skew or --matrix say",
	.id = COLL_ALLTOALLV,
	.flags = COLL_BY_NAME | COLL_OUT_OF_PLACE,
	.shape = shape,
	.origin = origin,
	.bus_factor = coll_bus_share,
	.models = models,
	.ring = "pairwise",
};
