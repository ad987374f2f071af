/* SPDX-License-Identifier: Apache-2.0
 *
 * Nobody leaves before all have entered: messages without data, and no bandwidth.
 */
#include "primitives.h"

static struct coll_shape shape(size_t total, int nranks, size_t align)
{
	(void)total, (void)nranks, (void)align;
	return (struct coll_shape){ 0, 0, 0 };
}

static struct coll_origin origin(const struct coll_geom *geom, size_t i)
{
	(void)geom, (void)i;
	return (struct coll_origin){ .rank = COLL_UNTOUCHED, .run = 1 };
}

/* L rounds, each rank telling one 2^k further on: what it cannot know sooner, as after k rounds it has heard of 2^k ranks at most. */
static double rounds(int nranks, double bytes, const struct coll_link *link)
{
	(void)bytes;
	return coll_log2_ceil(nranks) * link->alpha;
}

static double no_bandwidth(int nranks)
{
	(void)nranks;
	return 0;
}

static const struct coll_model models[] = {
	{ "dissemination", rounds, NULL },
	{ "lb", rounds, NULL },
	{ NULL, NULL, NULL },
};

const struct collective barrier = {
	.name = "barrier",
	.summary = "nobody leaves before all have entered",
	.id = COLL_BARRIER,
	.flags = COLL_BY_NAME | COLL_OUT_OF_PLACE | COLL_NO_DATA,
	.shape = shape,
	.origin = origin,
	.bus_factor = no_bandwidth,
	.models = models,
	.ring = "dissemination",
};
