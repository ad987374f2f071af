/* SPDX-License-Identifier: Apache-2.0
 *
 * One sentence a strategy, and what is best of them.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../human.h"
#include "../link.h"
#include "words.h"

/* Waits that differ by less are the same: by rounding; by what lies behind marked times. */
static const double tie_exact = 1e-6, tie_marked = 0.05;

static struct plan_word marked(const struct plan_strategy *strategy, double seconds)
{
	return plan_word_marked(seconds, &strategy->marks);
}

static void name_it(const struct plan_strategy *strategy, char *text, size_t size)
{
	plan_word_append(text, size, "%s", plan_kind_name(strategy->kind));
	if (strategy->kind == PLAN_MIXED && strategy->ncalls > 0)
		plan_word_append(text, size, " (%d x %d)", strategy->nf, strategy->nt);
}

/* Another split may be better with other tokens. */
static void say_break_even(const struct plan_strategy *strategy, char *text, size_t size)
{
	const char *split = strategy->kind == PLAN_MIXED ? "with this split " : "";
	const struct plan_marks *marks = &strategy->break_even_marks;
	const struct plan_word tokens = plan_word_number(strategy->break_even);

	if (strategy->break_even == 0)
		plan_word_append(text, size, "; %swith fewer tokens too it would take less than the compute", split);
	else if (isinf(strategy->break_even))
		plan_word_append(text, size, "; %smore tokens per rank would not change that", split);
	else if (isfinite(strategy->break_even))
		plan_word_append(text, size, "; %sat %s token%s per rank it takes as long as the compute", split,
				 plan_word_signs(tokens, marks).text, strcmp(tokens.text, "1") == 0 ? "" : "s");
	if (isfinite(strategy->break_even_backward) && strategy->break_even_backward > 0)
		plan_word_append(text, size, " (at %s as long as the backward pass)",
				 plan_word_signs(plan_word_number(strategy->break_even_backward), marks).text);
}

static void say_overlap(const struct plan_strategy *strategy, double compute, char *text, size_t size)
{
	const bool waits = strategy->nt > 1 && strategy->nf <= 1;

	if (waits)
		plan_word_append(text, size, ", and layers wait for all of it");
	else if (isfinite(strategy->exposed_overlapped))
		plan_word_append(text, size, ", of which overlap leaves %s visible (%s of the compute)",
				 marked(strategy, strategy->exposed_overlapped).text,
				 plan_word_percent(strategy->exposed_overlapped / compute).text);
}

static void say_known(const struct plan *plan, const struct plan_strategy *strategy, char *text, size_t size)
{
	const double compute = plan->job.compute;
	const struct train_shape *shape = &plan->job.shape;
	const int gpus = plan->network->gpus_per_node;

	name_it(strategy, text, size);
	plan_word_append(text, size, " is %scommunication-bound: communication takes %s, ", plan_is_bound(strategy) ? "" : "not ",
			 marked(strategy, strategy->communication).text);
	if (strategy->ratio > 1)
		plan_word_append(text, size, "%s times", plan_word_number(strategy->ratio).text);
	else
		plan_word_append(text, size, "%s of", plan_word_percent(strategy->ratio).text);
	plan_word_append(text, size, " the %s of compute", plan_word_time(compute).text);
	say_overlap(strategy, compute, text, size);
	if (strategy->kind == PLAN_TP && shape->heads > 0 && shape->heads % plan->job.np != 0)
		plan_word_append(text, size, "; %d ranks cannot share %lld heads evenly", plan->job.np, (long long)shape->heads);
	if (strategy->kind == PLAN_TP && gpus > 0 && plan->job.np > gpus)
		plan_word_append(text, size, "; its group does not fit a node of %d", gpus);
	say_break_even(strategy, text, size);
}

/* The splits at both ends are strategies of their own, told above. */
static bool is_other(const struct plan_strategy *strategy)
{
	return strategy->kind == PLAN_MIXED && (strategy->nf == 1) != (strategy->nt == 1) && isfinite(strategy->communication);
}

static void say_unknown(const struct plan_strategy *strategy, char *text, size_t size)
{
	const char *before = ": how long its calls take is not known: ";

	name_it(strategy, text, size);
	for (size_t i = 0; i < strategy->ncalls; i++) {
		const struct plan_timer *timer = strategy->calls[i].timer;
		size_t first = 0;

		while (strategy->calls[first].timer != timer)
			first++;
		if (timer->known || first < i)
			continue;
		plan_word_append(text, size, "%s%s", before, timer->error);
		before = "; ";
	}
}

void plan_sentence(const struct plan *plan, const struct plan_strategy *strategy, char *sentence, size_t size)
{
	struct plan_marks marks = strategy->marks;

	plan_marks_join(&marks, &strategy->break_even_marks);
	sentence[0] = '\0';
	if (strategy->ncalls > 0 && strategy->error) {
		say_unknown(strategy, sentence, size);
	} else if (plan->job.np == 1) {
		plan_word_append(sentence, size, "%s: one rank has nobody to talk to", plan_kind_name(strategy->kind));
	} else if (is_other(strategy)) {
		plan_word_append(sentence, size, "%s: of the splits that can be timed %d x %d is best, which is %s alone",
				 plan_kind_name(strategy->kind), strategy->nf, strategy->nt,
				 plan_kind_name(strategy->nt == 1 ? PLAN_FSDP : PLAN_TP));
	} else if (isfinite(strategy->ratio)) {
		say_known(plan, strategy, sentence, size);
		if (strategy->missing[0])
			plan_word_append(
				sentence, size,
				"; without %s its weights count as one call: more calls take no less, and how much overlap "
				"hides is not known",
				strategy->missing);
		plan_word_marks(&marks, sentence, size);
	} else if (isfinite(strategy->communication)) {
		name_it(strategy, sentence, size);
		plan_word_append(sentence, size, ": communication takes %s; whether that is much needs %s",
				 marked(strategy, strategy->communication).text, strategy->missing);
		plan_word_marks(&strategy->marks, sentence, size);
	} else {
		plan_word_append(sentence, size, "%s: not known without %s", plan_kind_name(strategy->kind), strategy->missing);
	}
	plan_word_append(sentence, size, ".");
}

/* Where it is not known what overlap hides: no less and no more than these. */
static bool is_bracketed(const struct plan_strategy *strategy)
{
	return isfinite(strategy->ratio) && !isfinite(strategy->exposed_overlapped);
}

static double waits_at_least(const struct plan *plan, const struct plan_strategy *strategy)
{
	return is_bracketed(strategy) ? fmax(0, strategy->communication - plan->job.compute) : strategy->exposed_overlapped;
}

static double waits(const struct plan_strategy *strategy)
{
	if (is_bracketed(strategy))
		return strategy->communication;
	return isfinite(strategy->exposed_overlapped) ? strategy->exposed_overlapped : INFINITY;
}

static bool has_marks(const struct plan_strategy *strategy)
{
	const struct plan_marks *marks = &strategy->marks;

	return marks->extrapolated || marks->scaled || marks->guess || marks->stand_in;
}

/* Whether they wait as long, as far as rounding and what their times rest on can tell. */
static bool tie(const struct plan_strategy *a, const struct plan_strategy *b)
{
	const double open = has_marks(a) || has_marks(b) ? tie_marked : tie_exact;

	return fabs(waits(a) - waits(b)) <= open * fmax(waits(a), waits(b));
}

/* Of those that wait least, the one that stores least. NULL: nothing is known. */
static const struct plan_strategy *best_of(const struct plan *plan)
{
	const struct plan_strategy *least = NULL, *best;

	for (int kind = 0; kind < PLAN_KINDS; kind++) {
		const struct plan_strategy *strategy = &plan->strategies[kind];

		if (isfinite(waits(strategy)) && !is_other(strategy) && (!least || waits(strategy) < waits(least)))
			least = strategy;
	}
	best = least;
	for (int kind = 0; least && kind < PLAN_KINDS; kind++) {
		const struct plan_strategy *strategy = &plan->strategies[kind];

		if (isfinite(waits(strategy)) && !is_other(strategy) && tie(strategy, least) && strategy->memory < best->memory)
			best = strategy;
	}
	return best;
}

static void say_ties(const struct plan *plan, const struct plan_strategy *best, char *text, size_t size)
{
	bool marked = has_marks(best);
	size_t count = 0;

	for (int kind = 0; kind < PLAN_KINDS; kind++) {
		const struct plan_strategy *strategy = &plan->strategies[kind];

		if (strategy == best || !isfinite(waits(strategy)) || is_other(strategy) || !tie(strategy, best))
			continue;
		plan_word_append(text, size, "%s%s", count++ > 0 ? ", " : " It ties with ", plan_kind_name(strategy->kind));
		marked |= has_marks(strategy);
	}
	if (count > 0)
		plan_word_append(text, size, "%s, and none of them stores less.", marked ? " (within 5 %)" : "");
}

static bool all_wait_long(const struct plan *plan)
{
	for (int kind = 0; kind < PLAN_KINDS; kind++) {
		const struct plan_strategy *strategy = &plan->strategies[kind];

		if (isfinite(waits(strategy)) && !(waits_at_least(plan, strategy) > plan->job.compute))
			return false;
	}
	return true;
}

/* Those that may wait less than the best, as far as is known. */
static void say_bracketed(const struct plan *plan, const struct plan_strategy *best, char *text, size_t size)
{
	for (int kind = 0; kind < PLAN_KINDS; kind++) {
		const struct plan_strategy *strategy = &plan->strategies[kind];

		if (strategy == best || !is_bracketed(strategy) || !(waits_at_least(plan, strategy) < waits(best)))
			continue;
		plan_word_append(text, size,
				 " %s waits at most %s, and may wait less: how much of it overlap hides is not known without %s.",
				 plan_kind_name(kind), marked(strategy, waits(strategy)).text, strategy->missing);
	}
}

void plan_advice(const struct plan *plan, char *sentence, size_t size)
{
	const struct plan_strategy *best = plan->job.np > 1 ? best_of(plan) : NULL;

	sentence[0] = '\0';
	if (!best)
		return;
	if (all_wait_long(plan))
		plan_word_append(
			sentence, size,
			"Every strategy whose time is known waits longer than it computes: the network is too slow for so "
			"few tokens per rank. ");
	plan_word_append(sentence, size, "Least waiting: ");
	name_it(best, sentence, size);
	plan_word_append(sentence, size, ", %s%s a step with overlap, %s of weights, gradients and optimizer state on a rank",
			 is_bracketed(best) ? "at most " : "", marked(best, waits(best)).text,
			 plan_word_bytes(best->memory).text);
	plan_word_marks(&best->marks, sentence, size);
	plan_word_append(sentence, size, ".");
	say_ties(plan, best, sentence, size);
	say_bracketed(plan, best, sentence, size);
}

static void say_link(const struct plan_options *options, char *sentence, size_t size)
{
	plan_word_append(sentence, size, "%s one way of a rank, alpha %s%s", human_rate(options->bandwidth).text,
			 options->alpha > 0 ? plan_word_time(options->alpha).text : "0",
			 options->alpha > 0 ? "" : " (latency is left out; --alpha gives it)");
	if (options->known)
		plan_word_append(sentence, size, "; %s: the peak of %s", options->known->name, options->known->what);
	if (options->known && options->known->reachable > 0)
		plan_word_append(sentence, size, ", of which collectives reach %s at best",
				 human_rate(options->known->reachable).text);
	if (options->nic > 0)
		plan_word_append(sentence, size,
				 "; nodes of %d, %d NIC%s of %s each, phases inside nodes and between them one after the other",
				 options->gpus_per_node, options->nics, options->nics == 1 ? "" : "s",
				 human_rate(options->nic).text);
}

void plan_network_sentence(const struct plan *plan, char *sentence, size_t size)
{
	const struct plan_network *network = plan->network;
	const size_t rows = plan_network_noise(network).rows;

	sentence[0] = '\0';
	if (!network->rows) {
		say_link(network->options, sentence, size);
		return;
	}
	plan_word_append(sentence, size, "times are read off %zu row%s", rows, rows == 1 ? "" : "s");
	for (size_t i = 0; i < network->ntimers; i++) {
		const struct plan_timer *timer = network->timers[i];

		if (timer->members.group != PLAN_EVERYBODY || timer->coll->id != COLL_ALL_REDUCE || !timer->known)
			continue;
		plan_word_append(sentence, size, "; %s", timer->curve.choice);
	}
}
