/* SPDX-License-Identifier: Apache-2.0
 *
 * An all-gather by exchanges along the edges of a hypercube, as nccl-tests has it: in round k a rank and the one whose number differs in bit k swap what
 * they hold. S is what a rank receives: its own block is left out.
 */
#include "cost.h"
#include "primitives.h"

static struct coll_shape shape(size_t total, int nranks, size_t align)
{
	size_t block = coll_block(total, nranks, align);

	return (struct coll_shape){ .send = block, .recv = block * (size_t)nranks, .count = block };
}

static size_t moved(const struct coll_shape *shape, int nranks)
{
	return shape->count * (size_t)(nranks - 1);
}

static struct coll_origin origin(const struct coll_geom *geom, size_t i)
{
	size_t in_block = i % geom->count;

	return (struct coll_origin){ .rank = (int)(i / geom->count), .index = in_block, .run = geom->count - in_block };
}

static const struct coll_model models[] = {
	{ "recdbl", cost_hypercube, coll_is_power_of_two },
	{ "lb", cost_hypercube_lb, NULL },
	{ NULL, NULL, NULL },
};

const struct collective hypercube = {
	.name = "hypercube",
	.summary = "every rank ends up with every rank's block, by exchanges along the edges of a hypercube",
	.id = COLL_HYPERCUBE,
	.flags = COLL_BY_NAME,
	.shape = shape,
	.moved = moved,
	.cannot = coll_cannot_hypercube,
	.origin = origin,
	.in_place = coll_place_send_block,
	.bus_factor = coll_bus_whole,
	.models = models,
	.ring = "recdbl",
};
