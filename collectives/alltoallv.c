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

/* The sender whose block has element i; nranks: it is beyond the last. */
static int sender_of(const struct coll_layout *layout, const struct coll_geom *geom, size_t i, size_t *begin)
{
	const size_t block = coll_layout_block(layout, geom->nranks, 0, geom->rank);
	int from = 0;

	*begin = 0;
	if (!layout->cells && block > 0)
		from = i / block < (size_t)geom->nranks ? (int)(i / block) : geom->nranks;
	if (!layout->cells) {
		*begin = block * (size_t)from;
		return block > 0 ? from : geom->nranks;
	}
	for (; from < geom->nranks; from++) {
		const size_t length = coll_layout_block(layout, geom->nranks, from, geom->rank);

		if (i < *begin + length)
			break;
		*begin += length;
	}
	return from;
}

static struct coll_origin origin(const struct coll_geom *geom, size_t i)
{
	const struct coll_layout even = { .hot = geom->count, .cold = geom->count };
	const struct coll_layout *layout = geom->layout.hot > 0 || geom->layout.cells ? &geom->layout : &even;
	size_t begin;
	const int from = sender_of(layout, geom, i, &begin);

	/* What only busier ranks receive. */
	if (from == geom->nranks)
		return (struct coll_origin){ .rank = COLL_UNTOUCHED, .run = coll_layout_shape(layout, geom->nranks).recv - i };
	return (struct coll_origin){
		.rank = from,
		.index = coll_layout_send_at(layout, geom->nranks, from, geom->rank) + i - begin,
		.run = begin + coll_layout_block(layout, geom->nranks, from, geom->rank) - i,
	};
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
