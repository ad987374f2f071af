/* SPDX-License-Identifier: Apache-2.0
 *
 * The words in which cost models are written: steps * alpha, bytes sent * beta, bytes reduced * gamma. Seconds; 0 for one rank.
 */
#ifndef COLLPERF_COST_PARTS_H
#define COLLPERF_COST_PARTS_H

#include <math.h>

#include "cost.h"

/* What the critical path holds: steps, bytes sent, bytes reduced. */
static inline double path(int nranks, double steps, double sent, double reduced, const struct coll_link *link)
{
	if (nranks == 1)
		return 0;
	return steps * link->alpha + sent * link->beta + reduced * link->gamma;
}

static inline double largest(int nranks, double steps, double sent, double reduced, const struct coll_link *link)
{
	if (nranks == 1)
		return 0;
	return fmax(steps * link->alpha, fmax(sent * link->beta, reduced * link->gamma));
}

static inline double others(int nranks)
{
	return (double)nranks - 1;
}

static inline double share(int nranks)
{
	return coll_bus_share(nranks);
}

#endif
