/* SPDX-License-Identifier: Apache-2.0
 *
 * Which NICs of a host carry a job, and how fast.
 */
#ifndef COLLPERF_RATES_NICS_H
#define COLLPERF_RATES_NICS_H

#include "rates.h"

struct rates_nics {
	int count;   /* up and fast; those for RDMA where there are any */
	double rate; /* of one, the mean; 0: unknown */
	char words[RATES_WORDS];
};

void rates_nics_find(const struct topo_host *host, struct rates_nics *found);

#endif
