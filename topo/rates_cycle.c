/* SPDX-License-Identifier: Apache-2.0
 *
 * A cycle through all GPUs over pairs that are fast enough: trying and taking back, with a limit.
 */
#include <stdlib.h>
#include <string.h>

#include "rates_ring.h"

struct search {
	const double *rate;
	int n;
	double least;
	long steps;
	int *order; /* taken so far */
	int *next;  /* at each depth, which to try next */
	bool *taken;
};

static bool linked(const struct search *search, int a, int b)
{
	return a != b && search->rate[(size_t)a * (size_t)search->n + (size_t)b] >= search->least;
}

/* Each needs two neighbours, and all must hang together. */
static bool may_exist(const struct search *search, int *queue)
{
	int reached = 1;

	memset(search->taken, 0, (size_t)search->n);
	queue[0] = 0;
	search->taken[0] = true;
	for (int i = 0; i < reached; i++) {
		int neighbours = 0;

		for (int k = 0; k < search->n; k++) {
			if (!linked(search, queue[i], k))
				continue;
			neighbours++;
			if (!search->taken[k]) {
				search->taken[k] = true;
				queue[reached++] = k;
			}
		}
		if (neighbours < (search->n > 2 ? 2 : 1))
			return false;
	}
	return reached == search->n;
}

static int walk(struct search *search)
{
	int depth = 1;

	memset(search->taken, 0, (size_t)search->n);
	search->order[0] = 0;
	search->taken[0] = true;
	search->next[1] = 1;
	while (depth > 0) {
		int at;

		if (depth == search->n) {
			if (linked(search, search->order[depth - 1], 0))
				return 1;
			search->taken[search->order[--depth]] = false;
			continue;
		}
		at = search->next[depth]++;
		if (at >= search->n) {
			if (--depth > 0)
				search->taken[search->order[depth]] = false;
			continue;
		}
		if (search->steps-- == 0)
			return -1;
		if (search->taken[at] || !linked(search, search->order[depth - 1], at))
			continue;
		search->order[depth] = at;
		search->taken[at] = true;
		if (++depth < search->n)
			search->next[depth] = 1;
	}
	return 0;
}

int rates_ring_cycle(const double *rate, int n, double least, long steps, int *order)
{
	struct search search = { .rate = rate, .n = n, .least = least, .steps = steps, .order = order };
	int found = -1;

	search.next = calloc((size_t)n + 1, sizeof *search.next);
	search.taken = calloc((size_t)n + 1, sizeof *search.taken);
	if (search.next && search.taken)
		found = may_exist(&search, search.next) ? walk(&search) : 0;
	free(search.next);
	free(search.taken);
	return found;
}
