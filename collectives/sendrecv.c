/* SPDX-License-Identifier: Apache-2.0
 *
 * A shift around a ring, as in nccl-tests: every rank sends to the next and receives from the one before, at once.
 */
#include "cost.h"
#include "primitives.h"

static struct coll_origin origin(const struct coll_geom *geom, size_t i)
{
	int from = (geom->rank + geom->nranks - 1) % geom->nranks;

	return (struct coll_origin){ .rank = from, .index = i, .run = geom->count - i };
}

static const struct coll_model models[] = {
	{ "p2p", cost_message, NULL },
	{ "lb", cost_message, NULL },
	{ NULL, NULL, NULL },
};

const struct collective sendrecv = {
	.name = "sendrecv",
	.summary = "every rank sends to the next rank and receives from the one before",
	.id = COLL_SENDRECV,
	.shape = coll_shape_whole,
	.origin = origin,
	.bus_factor = coll_bus_whole,
	.models = models,
	.ring = "p2p",
};
