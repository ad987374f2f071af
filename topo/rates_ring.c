/* SPDX-License-Identifier: Apache-2.0
 *
 * The ring over the GPUs of a host whose slowest hop is the fastest.
 */
#include "rates_ring.h"

#include <stdlib.h>

#include "path_parts.h"

/* Enough for the meshes of 16 GPUs that exist; a step is a pair looked at. */
static const long most_steps = 2000000;

static int falling(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x < y) - (x > y);
}

static void fill(const struct topo_host *host, double *rate, bool *even)
{
	int n = (int)host->ngpus;
	struct path path, first;

	*even = true;
	path_between(host, 0, 1, &first);
	for (int a = 0; a < n; a++) {
		for (int b = a + 1; b < n; b++) {
			path_between(host, a, b, &path);
			rate[a * n + b] = rate[b * n + a] = path.rate;
			*even = *even && path.rate == first.rate && path.class == first.class;
		}
	}
}

/*
 * The highest rate that all hops of some ring reach, by halving: what goes at a rate goes at less. 0: none of known rates. The order stays that of the
 * last ring that was found.
 */
static double best_rate(const double *rate, int n, double *sorted, struct rates_ring *ring, int *order)
{
	size_t pairs = 0, low = 0, high;
	double best = 0;

	for (int a = 0; a < n; a++) {
		for (int b = a + 1; b < n; b++) {
			if (rate[a * n + b] > 0)
				sorted[pairs++] = rate[a * n + b];
		}
	}
	qsort(sorted, pairs, sizeof *sorted, falling);
	high = pairs;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int found = rates_ring_cycle(rate, n, sorted[middle], most_steps, order);

		if (found == 1) {
			best = sorted[middle];
			high = middle;
			for (int i = 0; i < n; i++)
				ring->order[i] = order[i];
		} else {
			low = middle + 1;
		}
		ring->cut_short = ring->cut_short || found < 0;
	}
	return best;
}

/* Of equally slow hops the one of the farthest class is told. */
static void look_at_hop(const struct topo_host *host, int a, int b, struct rates_ring *ring)
{
	struct path_nvlinks links;
	struct path path;

	path_between(host, a, b, &path);
	path_nvlinks_between(host, a, b, &links);
	ring->direct = ring->direct && path.class == TOPO_NV && links.any && !links.switches;
	if (path.rate > ring->rate || (ring->slow.words[0] != '\0' && path.class <= ring->slow.class))
		return;
	ring->slow = path;
	ring->a = a;
	ring->b = b;
}

static void find_unknown(const double *rate, int n, struct rates_ring *ring)
{
	for (int a = 0; a < n; a++) {
		for (int b = a + 1; b < n; b++) {
			if (rate[a * n + b] > 0)
				continue;
			ring->a = a;
			ring->b = b;
			return;
		}
	}
}

/* The slowest hop, or without a ring a pair whose rate is not known. */
static void name_hop(const struct topo_host *host, const double *rate, struct rates_ring *ring)
{
	int n = (int)host->ngpus;

	ring->direct = ring->rate > 0;
	for (int i = 0; ring->rate > 0 && i < n; i++) {
		int a = ring->order[i], b = ring->order[(i + 1) % n];

		look_at_hop(host, a < b ? a : b, a < b ? b : a, ring);
	}
	if (ring->rate == 0)
		find_unknown(rate, n, ring);
	path_between(host, ring->a, ring->b, &ring->slow);
}

int rates_ring_find(const struct topo_host *host, struct rates_ring *ring)
{
	size_t n = host->ngpus;
	double *rate = calloc(n * n, sizeof *rate), *sorted = calloc(n * n, sizeof *sorted);
	int *order = calloc(n, sizeof *order);
	bool failed;

	*ring = (struct rates_ring){ .b = 1, .order = calloc(n, sizeof *ring->order) };
	failed = !rate || !sorted || !order || !ring->order;
	if (!failed) {
		fill(host, rate, &ring->even);
		ring->rate = best_rate(rate, (int)n, sorted, ring, order);
		name_hop(host, rate, ring);
	}
	if (failed || ring->rate == 0)
		rates_ring_clear(ring);
	free(rate);
	free(sorted);
	free(order);
	return failed ? -1 : 0;
}

void rates_ring_clear(struct rates_ring *ring)
{
	free(ring->order);
	ring->order = NULL;
}
