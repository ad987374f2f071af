/* SPDX-License-Identifier: Apache-2.0
 *
 * From a topology the numbers that bounds are made of: the slowest hop of the best ring over a host's GPUs, the NICs' rate of a node, one level or two.
 */
#ifndef COLLPERF_RATES_H
#define COLLPERF_RATES_H

#include "topo.h"

enum { RATES_WORDS = 320 };

struct rates {
	int levels; /* 1, or 2 where there are several hosts */
	int gpus;   /* of a host (the fewest of any) */
	/*
	 * What rings over a host's GPUs carry at most, one way, bytes per second; 0: unknown. The bottleneck of the best ring; where that ring goes over
	 * links from GPU to GPU alone, rings over all of these run at the same time, and it is what the GPU with the least of them has together.
	 */
	double ring;
	double one_ring; /* the bottleneck of the best ring alone; without switches on NVLink less than `ring` */
	char ring_words[RATES_WORDS];
	bool nvlink;      /* the slowest hop of that ring is NVLink */
	const char *link; /* name in the table of links ("nvlink4", "pcie4"), "" where there is none */
	int nics;         /* of a host that are up and fast (slow management ports are not counted) */
	double nic;       /* of one, bytes per second; 0: unknown */
	char nic_words[RATES_WORDS];
	bool nvls; /* NVSwitches that can reduce (NVSwitch of Hopper or later) */
};

/*
 * The GPUs alone decide the ring. On two levels every host must have the same rates, else the least counts and the words say so. -1: nothing can be
 * said (no GPUs and no NICs); *rates is cleared.
 */
int rates_of(const struct topo *topo, struct rates *rates);

#endif
