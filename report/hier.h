/* SPDX-License-Identifier: Apache-2.0
 *
 * Two-level machines (nodes of GPUs) and networks that reduce: times, lower bounds and the busbw that they cap. Pure arithmetic;
 * seconds, bytes, bytes per second. NAN where a bound is not defined for the primitive.
 */
#ifndef COLLPERF_HIER_H
#define COLLPERF_HIER_H

#include "../collectives/collective.h"

struct hier {
	int nnodes;       /* >= 1 */
	int gpus;         /* of a node, >= 1 */
	double alpha_in;  /* between GPUs of a node */
	double alpha_out; /* between nodes */
	double link;      /* B1: one way, of a GPU */
	double nic;       /* B2: one way, of one NIC */
	int nics;         /* of a node, >= 1 */
};

/* Phases inside the nodes and between them one after the other, or overlapped in chunks (the slower of the two kinds). */
double hier_sequential(enum coll_id coll, const struct hier *hier, double bytes);
double hier_overlapped(enum coll_id coll, const struct hier *hier, double bytes);

/* What the NICs alone allow; 0 on one node. */
double hier_nic_bound(enum coll_id coll, const struct hier *hier, double bytes);

/* No algorithm without reduction in the network is faster; bandwidth only. >= hier_nic_bound. */
double hier_bound(enum coll_id coll, const struct hier *hier, double bytes);

/* The busbw that the NICs allow; INFINITY on one node. */
double hier_nic_cap(enum coll_id coll, const struct hier *hier);

/* The busbw of one flat ring (or pairwise exchange) through all ranks. */
double hier_ring_rate(enum coll_id coll, const struct hier *hier);

/*
 * With switches that reduce and multicast (NVLink SHARP): the busbw cap among nranks GPUs of `link` each, and the time that it
 * stands for. NAN for primitives that it does not serve.
 */
double hier_nvls_cap(enum coll_id coll, int nranks, double link);
double hier_nvls_bound(enum coll_id coll, int nranks, double link, double bytes);

/* With a network that reduces (InfiniBand SHARP): the all-reduce busbw cap of `node` bytes per second into each node. */
double hier_sharp_cap(enum coll_id coll, int nranks, double node);

#endif
