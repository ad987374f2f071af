/* SPDX-License-Identifier: Apache-2.0
 *
 * The size at which the ring overtakes the tree: as the models predict it and as it was measured.
 */
#ifndef COLLPERF_CROSSOVER_H
#define COLLPERF_CROSSOVER_H

#include <stdbool.h>
#include <stdio.h>

#include "escape.h"
#include "study.h"

enum crossover_verdict {
	CROSSOVER_NONE,     /* not enough is known */
	CROSSOVER_AT,       /* the tree is faster below `bytes`, the ring above */
	CROSSOVER_RING,     /* the ring is never slower */
	CROSSOVER_TREE,     /* the tree is always faster */
	CROSSOVER_REVERSED, /* the ring is faster at small sizes and slower at large ones */
};

struct crossover {
	enum crossover_verdict verdict;
	double bytes;   /* NAN unless it is CROSSOVER_AT */
	size_t changes; /* of the faster one, over the sizes measured; 1 in the models */
};

/* Of two models on one link; sizes from 1 byte to 1 PiB are looked at. */
struct crossover crossover_of_models(const struct coll_model *tree, const struct coll_model *ring, int nranks,
				     const struct coll_link *link);

/*
 * Of the first two shown series of a figure that differ in nothing but tree and ring: by their algo column, or by the words of
 * their labels (runs named so).
 */
struct crossover crossover_observed(const struct figure *figure);

/* " By the models ... the ring overtakes the tree at ...; as measured, ...", a blank first, or nothing where neither is known. */
void crossover_put(FILE *out, enum escape how, const struct figure *figure);

#endif
