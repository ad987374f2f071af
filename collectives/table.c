/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of primitives and the look-ups by name. A new primitive adds one line here.
 */
#include "collective.h"
#include "primitives.h"

#include <string.h>

const struct collective *const collectives[COLL_COUNT] = {
	[COLL_BROADCAST] = &broadcast,   [COLL_SCATTER] = &scatter,       [COLL_GATHER] = &gather,
	[COLL_REDUCE] = &reduce,         [COLL_ALL_GATHER] = &all_gather, [COLL_REDUCE_SCATTER] = &reduce_scatter,
	[COLL_ALL_REDUCE] = &all_reduce, [COLL_ALLTOALL] = &alltoall,     [COLL_SENDRECV] = &sendrecv,
	[COLL_ALLTOALLV] = &alltoallv,   [COLL_BARRIER] = &barrier,       [COLL_HYPERCUBE] = &hypercube,
};

const struct collective *collective_find(const char *name)
{
	for (int i = 0; i < COLL_COUNT; i++) {
		if (strcmp(collectives[i]->name, name) == 0)
			return collectives[i];
	}
	return NULL;
}

const struct coll_model *collective_model(const struct collective *coll, const char *name)
{
	for (const struct coll_model *model = coll->models; name && model->name; model++) {
		if (strcmp(model->name, name) == 0)
			return model;
	}
	return NULL;
}
