/* SPDX-License-Identifier: Apache-2.0
 *
 * The tournament, and its pairs as groups.
 */
#include "pairs.h"

#include <stdio.h>
#include <stdlib.h>

/* An odd number has an empty chair more. */
static int chairs(int nranks)
{
	return nranks + nranks % 2;
}

int pairs_rounds(int nranks)
{
	return nranks < 2 ? 0 : chairs(nranks) - 1;
}

int pairs_of_round(int nranks)
{
	return nranks / 2;
}

uint64_t pairs_count(int nranks)
{
	return nranks < 2 ? 0 : (uint64_t)nranks * ((uint64_t)nranks - 1) / 2;
}

static void meet(int nranks, int a, int b, int *peer)
{
	if (a < nranks)
		peer[a] = b < nranks ? b : -1;
	if (b < nranks)
		peer[b] = a < nranks ? a : -1;
}

void pairs_round(int nranks, int round, int *peer)
{
	const int circle = chairs(nranks) - 1;

	meet(nranks, round, circle, peer);
	for (int k = 1; k <= circle / 2; k++)
		meet(nranks, (round + k) % circle, (round - k + circle) % circle, peer);
}

void pairs_keep(int nranks, int k, int *peer)
{
	for (int rank = 0; rank < nranks; rank++) {
		const int other = peer[rank];

		if (other <= rank)
			continue;
		if (k-- != 0)
			peer[rank] = peer[other] = -1;
	}
}

static void clear(struct groups *groups)
{
	for (int rank = 0; rank < groups->nranks; rank++)
		groups->of[rank] = groups->peer[rank] = -1;
	groups->count = 0;
}

int pairs_open(struct groups *groups, int nranks)
{
	const int most = pairs_of_round(nranks);
	const size_t n = (size_t)nranks;
	int *numbers = calloc(5 * n, sizeof *numbers);

	if (!numbers) {
		fprintf(stderr, "groups: out of memory for the pairs of %d ranks\n", nranks);
		return -1;
	}
	/* As groups_open has it: one block. */
	*groups = (struct groups){ .nranks = nranks,
				   .of = numbers,
				   .rank = numbers + n,
				   .size = numbers + 2 * n,
				   .first = numbers + 3 * n,
				   .peer = numbers + 4 * n,
				   .least = 2,
				   .most = 2 };
	clear(groups);
	groups->count = most;
	for (int group = 0; group < most; group++)
		groups->size[group] = 2;
	return 0;
}

void pairs_group(struct groups *groups, const int *peer)
{
	clear(groups);
	for (int rank = 0; rank < groups->nranks; rank++) {
		const int other = peer[rank];

		if (other <= rank)
			continue;
		groups->of[rank] = groups->of[other] = groups->count;
		groups->peer[rank] = other;
		groups->peer[other] = rank;
		groups->rank[rank] = 0;
		groups->rank[other] = 1;
		groups->first[groups->count++] = rank;
	}
}
