/* SPDX-License-Identifier: Apache-2.0
 *
 * Per-node traffic over what the node injects, per-GPU traffic over what its link carries.
 */
#include "hier.h"

#include <math.h>

struct phases {
	double latency;
	double inside, outside; /* seconds of transfer */
	bool parallel;          /* they use both networks at once by nature */
};

static int ranks(const struct hier *hier)
{
	return hier->nnodes * hier->gpus;
}

static double share(int parts)
{
	return ((double)parts - 1) / parts;
}

static double injected(const struct hier *hier)
{
	return hier->nic * hier->nics;
}

/* Reduce-scatter and all-gather are one half of an all-reduce. */
static struct phases split_phases(const struct hier *hier, double bytes, double halves)
{
	return (struct phases){ .latency = halves * ((hier->gpus - 1) * hier->alpha_in + (hier->nnodes - 1) * hier->alpha_out),
				.inside = halves * share(hier->gpus) * bytes / hier->link,
				.outside = halves * share(hier->nnodes) * bytes / injected(hier) };
}

static struct phases rooted_phases(const struct hier *hier, double bytes)
{
	return (struct phases){ .latency = (hier->nnodes - 1) * hier->alpha_out + (hier->gpus - 1) * hier->alpha_in,
				.inside = bytes / hier->link,
				.outside = hier->nnodes > 1 ? bytes / injected(hier) : 0 };
}

static struct phases alltoall_phases(const struct hier *hier, double bytes)
{
	return (struct phases){ .latency = (hier->gpus - 1) * hier->alpha_in + (hier->nnodes - 1) * hier->alpha_out,
				.inside = bytes * (hier->gpus - 1) / ranks(hier) / hier->link,
				.outside = hier->gpus * bytes * share(hier->nnodes) / injected(hier),
				.parallel = true };
}

static struct phases message_phases(const struct hier *hier, double bytes)
{
	if (hier->nnodes == 1)
		return (struct phases){ .latency = hier->alpha_in, .inside = bytes / hier->link };
	return (struct phases){ .latency = hier->alpha_out, .outside = bytes / fmin(hier->link, hier->nic) };
}

static struct phases phases_of(enum coll_id coll, const struct hier *hier, double bytes)
{
	switch (coll) {
	case COLL_ALL_REDUCE:
		return split_phases(hier, bytes, 2);
	case COLL_ALL_GATHER:
	case COLL_REDUCE_SCATTER:
		return split_phases(hier, bytes, 1);
	case COLL_BROADCAST:
	case COLL_REDUCE:
		return rooted_phases(hier, bytes);
	case COLL_ALLTOALL:
		return alltoall_phases(hier, bytes);
	case COLL_SENDRECV:
		return message_phases(hier, bytes);
	default:
		return (struct phases){ NAN, NAN, NAN, false };
	}
}

double hier_sequential(enum coll_id coll, const struct hier *hier, double bytes)
{
	struct phases phases = phases_of(coll, hier, bytes);

	return phases.latency + (phases.parallel ? fmax(phases.inside, phases.outside) : phases.inside + phases.outside);
}

double hier_overlapped(enum coll_id coll, const struct hier *hier, double bytes)
{
	struct phases phases = phases_of(coll, hier, bytes);

	return phases.latency + (phases.inside > phases.outside ? phases.inside : phases.outside);
}

double hier_nic_bound(enum coll_id coll, const struct hier *hier, double bytes)
{
	if (hier->nnodes == 1)
		return 0;
	/* What goes in or out of the busiest rank, all NICs of its node may carry; an uneven exchange need not have more. */
	if (coll == COLL_SCATTER || coll == COLL_GATHER || coll == COLL_ALLTOALLV)
		return share(hier->nnodes) * bytes / injected(hier);
	return phases_of(coll, hier, bytes).outside;
}

/* A rank that must send or receive `bytes` may use its link and its part of the NICs at once. */
static double port_bound(const struct hier *hier, double bytes)
{
	return bytes / (hier->link + (hier->nnodes > 1 ? injected(hier) / hier->gpus : 0));
}

double hier_bound(enum coll_id coll, const struct hier *hier, double bytes)
{
	double factor = collectives[coll]->bus_factor(ranks(hier) > 1 ? ranks(hier) : 2);
	double nic = hier_nic_bound(coll, hier, bytes);

	switch (coll) {
	case COLL_ALLTOALL:
	case COLL_SENDRECV:
		return fmax(nic, phases_of(coll, hier, bytes).inside);
	case COLL_SCATTER:
	case COLL_GATHER:
	case COLL_ALLTOALLV:
		/* The root alone has work: all NICs of its node may serve it. */
		return fmax(nic, factor * bytes / (hier->link + (hier->nnodes > 1 ? injected(hier) : 0)));
	default:
		return fmax(nic, port_bound(hier, factor * bytes));
	}
}

double hier_nic_cap(enum coll_id coll, const struct hier *hier)
{
	double bound = hier_nic_bound(coll, hier, 1);

	return bound > 0 ? collectives[coll]->bus_factor(ranks(hier)) / bound : INFINITY;
}

double hier_ring_rate(enum coll_id coll, const struct hier *hier)
{
	if (hier->nnodes == 1)
		return hier->link;
	switch (coll) {
	case COLL_ALLTOALL:
	case COLL_SCATTER:
	case COLL_GATHER:
	case COLL_ALLTOALLV:
	case COLL_SENDRECV:
		return fmin(hier->link, hier_nic_cap(coll, hier));
	default:
		/* A ring leaves and enters each node once a channel, with as many channels as NICs. */
		return fmin(hier->link, injected(hier));
	}
}

double hier_nvls_bound(enum coll_id coll, int nranks, double link, double bytes)
{
	switch (coll) {
	case COLL_ALL_REDUCE:
		return bytes * (1 + 1.0 / nranks) / link;
	case COLL_ALL_GATHER:
	case COLL_REDUCE_SCATTER:
		return bytes / link;
	default:
		return NAN;
	}
}

double hier_nvls_cap(enum coll_id coll, int nranks, double link)
{
	return nranks > 1 ? collectives[coll]->bus_factor(nranks) / hier_nvls_bound(coll, nranks, link, 1) : NAN;
}

double hier_sharp_cap(enum coll_id coll, int nranks, double node)
{
	return coll == COLL_ALL_REDUCE && nranks > 1 ? collectives[coll]->bus_factor(nranks) * node : NAN;
}
