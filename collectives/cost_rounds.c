/* SPDX-License-Identifier: Apache-2.0
 *
 * Cost models of calls that are rounds and little else.
 */
#include "cost.h"

double coll_bus_none(int nranks)
{
	(void)nranks;
	return 0;
}

double cost_barrier(int nranks, double bytes, const struct coll_link *link)
{
	(void)bytes;
	return coll_log2_ceil(nranks) * link->alpha;
}

double cost_hypercube(int nranks, double bytes, const struct coll_link *link)
{
	return nranks > 1 ? coll_log2_ceil(nranks) * link->alpha + bytes * link->beta : 0;
}

double cost_hypercube_lb(int nranks, double bytes, const struct coll_link *link)
{
	const double steps = coll_log2_ceil(nranks) * link->alpha, transfer = bytes * link->beta;

	return nranks == 1 ? 0 : steps > transfer ? steps : transfer;
}

const char *coll_cannot_hypercube(int nranks)
{
	if (nranks < 2)
		return "one rank has nobody to exchange with";
	return coll_is_power_of_two(nranks) ? NULL : "a hypercube needs a power of two of ranks";
}
