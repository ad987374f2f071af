/* SPDX-License-Identifier: Apache-2.0
 *
 * Look-ups in the table of algorithms.
 */
#include "lore.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "../../collectives/schedule.h"
#include "formula.h"

const struct lore *lore_find(const struct collective *coll, const char *algo)
{
	for (const struct lore *lore = lore_table; lore->algo; lore++) {
		if (lore->id == coll->id && strcmp(lore->algo, algo) == 0)
			return lore;
	}
	return NULL;
}

static bool is_pipeline(const struct lore *lore)
{
	return formula_has(lore->cost.rounds, 'm');
}

const struct lore_cost *lore_cost_of(const struct lore *lore, int nranks)
{
	const bool odd = is_pipeline(lore) ? nranks == 2 : !coll_is_power_of_two(nranks);

	return lore->odd.rounds && odd ? &lore->odd : &lore->cost;
}

/* Those that do not work for every p work for powers of two. */
const char *lore_validity(const struct lore *lore, int nranks)
{
	const bool odd = lore_cost_of(lore, nranks) == &lore->odd;

	if (!lore->odd.rounds)
		return schedule_suits(collectives[lore->id], lore->algo, 3) ? "for every p" : "for p = 2^k";
	if (is_pipeline(lore))
		return odd ? "for p = 2" : "for p > 2";
	return odd ? "for p not 2^k" : "for p = 2^k";
}

int lore_first(const struct lore *lore, int nranks, int segments)
{
	double rounds = 0;

	if (!lore->first || formula_value(lore->first, nranks, segments, &rounds))
		return 0;
	return (int)lround(rounds);
}

/* Elsewhere that of alltoallv names options that there are not here. */
const char *lore_purpose(const struct collective *coll)
{
	return coll->id == COLL_ALLTOALLV ? "every rank sends every rank a block of its own, and blocks differ" : coll->summary;
}

/* Not all algorithms have the blocks of which these are the halves. */
static const char *halves_of_all_reduce(const struct lore *lore)
{
	if (lore->parts[0] && strcmp(lore->parts[0], "reduce-scatter") == 0)
		return "all_reduce = reduce_scatter, then all_gather: the blocks that one leaves are what the other hands "
		       "around.";
	if (lore->parts[0])
		return "all_reduce = reduce, then broadcast. It is also reduce_scatter, then all_gather, as by ring or "
		       "rabenseifner.";
	return "all_reduce is also reduce, then broadcast (as by binomial), and reduce_scatter, then all_gather (as by ring).";
}

const char *lore_kinship(const struct lore *lore)
{
	switch (lore->id) {
	case COLL_ALL_REDUCE:
		return halves_of_all_reduce(lore);
	case COLL_REDUCE_SCATTER:
		return "reduce_scatter is the first half of all_reduce; an all_gather after it would complete one.";
	case COLL_ALL_GATHER:
		return "all_gather is the second half of all_reduce, after a reduce_scatter.";
	case COLL_ALLTOALL:
		return "alltoall is a transpose: what rank r holds for rank c before is what rank c holds from rank r after.";
	case COLL_BROADCAST:
		return "broadcast is reduce run backwards; it is also scatter, then all_gather.";
	case COLL_REDUCE:
		return "reduce is broadcast run backwards; it is also reduce_scatter, then gather.";
	case COLL_SCATTER:
		return "scatter is gather run backwards.";
	case COLL_GATHER:
		return "gather is scatter run backwards.";
	case COLL_ALLTOALLV:
		return "alltoallv with even blocks is alltoall.";
	case COLL_BARRIER:
		return "A barrier is an all_reduce of nothing: everyone hears of everyone.";
	case COLL_HYPERCUBE:
		return "hypercube is all_gather by recursive doubling. Its S leaves the own block out, and so all of S is "
		       "received.";
	default:
		return NULL;
	}
}
