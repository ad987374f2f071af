/* SPDX-License-Identifier: Apache-2.0
 *
 * Nobody leaves before all have entered: messages without data, and no bandwidth.
 */
#include "cost.h"
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

static const struct coll_model models[] = {
	{ "dissemination", cost_barrier, NULL },
	{ "lb", cost_barrier, NULL },
	{ NULL, NULL, NULL },
};

const struct collective barrier = {
	.name = "barrier",
	.summary = "nobody leaves before all have entered",
	.id = COLL_BARRIER,
	.flags = COLL_BY_NAME | COLL_OUT_OF_PLACE | COLL_NO_DATA,
	.shape = shape,
	.origin = origin,
	.bus_factor = coll_bus_none,
	.models = models,
	.ring = "dissemination",
};
