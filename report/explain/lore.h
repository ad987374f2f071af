/* SPDX-License-Identifier: Apache-2.0
 *
 * What is to be said of each algorithm: how it works, the parts it has, and its cost in closed form, as formula.h reads it.
 */
#ifndef COLLPERF_EXPLAIN_LORE_H
#define COLLPERF_EXPLAIN_LORE_H

#include "../../collectives/collective.h"

/* rounds * alpha + wire * S * beta + combined * S * gamma */
struct lore_cost {
	const char *rounds, *wire, *combined;
};

struct lore {
	enum coll_id id;
	const char *algo;
	struct lore_cost cost;
	struct lore_cost odd; /* of pipelines for p = 2, else where p is no power of two; NULLs: the same */
	const char *first;    /* rounds of the first part; NULL: it has one part */
	const char *parts[2]; /* "reduce-scatter", "all-gather" */
	const char *how;      /* sentences */
};

/* NULL: nothing is known of it. */
const struct lore *lore_find(const struct collective *coll, const char *algo);

/* The formulas that hold for such a p. */
const struct lore_cost *lore_cost_of(const struct lore *lore, int nranks);

/* What the primitive is for. */
const char *lore_purpose(const struct collective *coll);

/* For which p that is: "for every p", "for p = 2^k". */
const char *lore_validity(const struct lore *lore, int nranks);

/* What holds beside: sentences on how the primitive relates to others; NULL: none. */
const char *lore_kinship(const struct lore *lore);

/* Rounds of the first part; 0: it has one part. */
int lore_first(const struct lore *lore, int nranks, int segments);

extern const struct lore lore_table[]; /* ends with a NULL algo */

#endif
