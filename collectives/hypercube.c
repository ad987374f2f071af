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

static const char *cannot(int nranks)
{
	if (nranks < 2)
		return "one rank has nobody to exchange with";
	return coll_is_power_of_two(nranks) ? NULL : "a hypercube needs a power of two of ranks";
}

static struct coll_origin origin(const struct coll_geom *geom, size_t i)
{
	size_t in_block = i % geom->count;

	return (struct coll_origin){ .rank = (int)(i / geom->count), .index = in_block, .run = geom->count - in_block };
}

/* L a + S b: blocks double from round to round. */
static double doubling(int nranks, double bytes, const struct coll_link *link)
{
	return nranks > 1 ? coll_log2_ceil(nranks) * link->alpha + bytes * link->beta : 0;
}

/* The larger of these terms. */
static double bound(int nranks, double bytes, const struct coll_link *link)
{
	const double steps = coll_log2_ceil(nranks) * link->alpha, transfer = bytes * link->beta;

	return nranks == 1 ? 0 : steps > transfer ? steps : transfer;
}

static const struct coll_model models[] = {
	{ "recdbl", doubling, coll_is_power_of_two },
	{ "lb", bound, NULL },
	{ NULL, NULL, NULL },
};

const struct collective hypercube = {
	.name = "hypercube",
	.summary = "every rank ends up with every rank's block, by exchanges along the edges of a hypercube",
	.id = COLL_HYPERCUBE,
	.flags = COLL_BY_NAME,
	.shape = shape,
	.moved = moved,
	.cannot = cannot,
	.origin = origin,
	.in_place = coll_place_send_block,
	.bus_factor = coll_bus_whole,
	.models = models,
	.ring = "recdbl",
};
