/* SPDX-License-Identifier: Apache-2.0
 *
 * The best ring over the GPUs of a host.
 */
#ifndef COLLPERF_RATES_RING_H
#define COLLPERF_RATES_RING_H

#include "path.h"

struct rates_ring {
	double rate;      /* of the slowest hop; 0: unknown */
	struct path slow; /* that hop, or one whose rate is not known */
	int a, b;         /* its ends */
	bool even;        /* all pairs are as good */
	bool direct;      /* every hop is NVLink from GPU to GPU, and some pair is worse than others or farther */
	bool cut_short;   /* the search was: a better ring may exist */
	int *order;       /* owned, ngpus of them; NULL where the rate is unknown */
};

/* Two GPUs or more. -1: out of memory. */
int rates_ring_find(const struct topo_host *host, struct rates_ring *ring);
void rates_ring_clear(struct rates_ring *ring);

/* A cycle through all of 0 .. n - 1 along pairs of `rate` (n x n) of at least `least`: 1 with it in `order`, 0 there is none, -1 `steps` were not enough. */
int rates_ring_cycle(const double *rate, int n, double least, long steps, int *order);

#endif
