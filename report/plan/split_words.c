/* SPDX-License-Identifier: Apache-2.0
 *
 * What a plan says of the splits of FSDP x TP.
 */
#include <math.h>

#include "network_parts.h"
#include "words.h"

/* How many times as long as the timer says a call may take, by its remark; INFINITY: that is not known. */
static double longest(const struct plan_network *network, const struct plan_timer *timer)
{
	const struct network_spread spread = network_spread_of(network, &timer->members);
	const struct result *key = plan_timer_key(timer);
	const double groups = network_groups(network, &spread);

	if (!timer->stand_in || !key || spread.nodes == 1)
		return 1;
	if (spread.nodes < 1 || key->nnodes < 2)
		return INFINITY;
	if (groups > 1)
		return groups;
	return key->nranks < spread.each * key->nnodes ? 1 : INFINITY;
}

/* What a step of it waits for, with overlap or without. */
static double cost(const struct plan_strategy *split, bool overlap)
{
	return overlap ? split->exposed_overlapped : split->communication;
}

static double cost_at_most(const struct plan *plan, const struct plan_strategy *split, bool overlap)
{
	double most = cost(split, overlap);

	for (size_t i = 0; i < split->ncalls; i++) {
		const struct plan_calls *calls = &split->calls[i];

		most += calls->number * calls->one.seconds * (longest(plan->network, calls->timer) - 1);
	}
	return most;
}

/* The best without rows that stand in; NULL: all have some. */
static const struct plan_strategy *best_measured(const struct plan *plan, bool overlap)
{
	const struct plan_strategy *best = NULL;

	for (size_t i = 0; i < plan->nsplits; i++) {
		const struct plan_strategy *split = &plan->splits[i];

		if (!split->marks.stand_in && isfinite(cost(split, overlap)) &&
		    (!best || cost(split, overlap) < cost(best, overlap)))
			best = split;
	}
	return best;
}

static void say_open(const struct plan *plan, const struct plan_strategy *split, bool overlap, char *text, size_t size)
{
	const struct plan_strategy *other = split->marks.stand_in ? best_measured(plan, overlap) : NULL;

	if (other && cost_at_most(plan, split, overlap) > cost(other, overlap))
		plan_word_append(text, size,
				 " Rows stand in for those of %d x %d (!), which may take longer: %d x %d (%s) may be better%s.",
				 split->nf, split->nt, other->nf, other->nt,
				 plan_word_marked(cost(other, overlap), &other->marks).text, overlap ? "" : " without overlap");
}

static struct plan_word name_of(const struct plan_strategy *split)
{
	struct plan_word word = { "" };

	plan_word_append(word.text, sizeof word.text, "%d x %d", split->nf, split->nt);
	return plan_word_signs(word, &split->marks);
}

void plan_splits_sentence(const struct plan *plan, char *sentence, size_t size)
{
	const struct plan_strategy *best = &plan->strategies[PLAN_MIXED], *least = &plan->splits[plan->least_split];

	sentence[0] = '\0';
	if (plan->nsplits == 0 || !isfinite(best->communication))
		return;
	if (isfinite(best->exposed_overlapped)) {
		plan_word_append(sentence, size, "Best: %s with overlap, %s without.", name_of(best).text, name_of(least).text);
		say_open(plan, best, true, sentence, size);
	} else {
		plan_word_append(sentence, size, "Best: %s.", name_of(least).text);
	}
	say_open(plan, least, false, sentence, size);
	if (isfinite(best->most_nf))
		plan_word_append(
			sentence, size,
			" Up to %s ranks, as %s x %s, these tokens keep each pass at least as long as its communication; with "
			"more, communication takes longer in the %s.",
			plan_word_signs(plan_word_fixed(best->most_ranks, 2), &best->most_marks).text,
			plan_word_fixed(best->most_nf, 2).text, plan_word_fixed(best->most_nt, 4).text,
			best->most_pass == PLAN_BOTH      ? "forward pass and in the backward pass"
			: best->most_pass == PLAN_FORWARD ? "forward pass"
							  : "backward pass");
}
