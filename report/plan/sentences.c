/* SPDX-License-Identifier: Apache-2.0
 *
 * One sentence a strategy, and what is best of them.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../human.h"
#include "../link.h"
#include "words.h"

static void append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void append(char *text, size_t size, const char *format, ...)
{
	const size_t length = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + length, size - length, format, arguments);
	va_end(arguments);
}

static void name_it(const struct plan_strategy *strategy, char *text, size_t size)
{
	append(text, size, "%s", plan_kind_name(strategy->kind));
	if (strategy->kind == PLAN_MIXED && strategy->ncalls > 0)
		append(text, size, " (%d x %d%s)", strategy->nf, strategy->nt,
		       strategy->nt == 1   ? ", FSDP alone"
		       : strategy->nf == 1 ? ", TP alone"
					   : "");
}

static void say_break_even(const struct plan_strategy *strategy, char *text, size_t size)
{
	if (strategy->break_even == 0)
		append(text, size, "; with fewer tokens too it would take less than the compute");
	else if (isinf(strategy->break_even))
		append(text, size, "; more tokens per rank would not change that");
	else if (isfinite(strategy->break_even))
		append(text, size, "; at %s tokens per rank it takes as long as the compute",
		       plan_word_number(strategy->break_even).text);
	if (isfinite(strategy->break_even_backward) && strategy->break_even_backward > 0)
		append(text, size, " (at %s as long as the backward pass)", plan_word_number(strategy->break_even_backward).text);
}

static void say_overlap(const struct plan_strategy *strategy, double compute, char *text, size_t size)
{
	const bool waits = strategy->nt > 1 && strategy->nf <= 1;

	if (waits)
		append(text, size, ", and layers wait for all of it");
	else if (isfinite(strategy->exposed_overlapped))
		append(text, size, ", of which overlap leaves %s visible (%s of the compute)",
		       plan_word_time(strategy->exposed_overlapped).text,
		       plan_word_percent(strategy->exposed_overlapped / compute).text);
}

static void say_known(const struct plan *plan, const struct plan_strategy *strategy, char *text, size_t size)
{
	const double compute = plan->job.compute;

	name_it(strategy, text, size);
	if (strategy->ratio > 1)
		append(text, size, " is communication-bound: communication takes %s, %s times the %s of compute",
		       plan_word_time(strategy->communication).text, plan_word_number(strategy->ratio).text,
		       plan_word_time(compute).text);
	else
		append(text, size, " is not communication-bound: communication takes %s, %s of the %s of compute",
		       plan_word_time(strategy->communication).text, plan_word_percent(strategy->ratio).text,
		       plan_word_time(compute).text);
	say_overlap(strategy, compute, text, size);
	if (strategy->kind == PLAN_TP && plan->job.shape.heads > 0 && plan->job.shape.heads % plan->job.np != 0)
		append(text, size, "; %d ranks cannot share %lld heads evenly", plan->job.np, (long long)plan->job.shape.heads);
	say_break_even(strategy, text, size);
}

void plan_sentence(const struct plan *plan, const struct plan_strategy *strategy, char *sentence, size_t size)
{
	const bool partly = strategy->ncalls > 0;

	sentence[0] = '\0';
	if (partly && strategy->error) {
		name_it(strategy, sentence, size);
		append(sentence, size, ": how long its calls take is not known: %s", strategy->error);
	} else if (plan->job.np == 1 && strategy->missing[0] == '\0') {
		append(sentence, size, "%s: one rank has nobody to talk to", plan_kind_name(strategy->kind));
	} else if (isfinite(strategy->ratio)) {
		say_known(plan, strategy, sentence, size);
		if (strategy->missing[0])
			append(sentence, size,
			       "; without %s its weights count as one call: more calls take no less, and how much overlap hides "
			       "is not known",
			       strategy->missing);
	} else if (isfinite(strategy->communication)) {
		name_it(strategy, sentence, size);
		append(sentence, size, ": communication takes %s; whether that is much needs %s",
		       plan_word_time(strategy->communication).text, strategy->missing);
	} else {
		append(sentence, size, "%s: not known without %s", plan_kind_name(strategy->kind), strategy->missing);
	}
	append(sentence, size, ".");
}

static double waits(const struct plan_strategy *strategy)
{
	return isfinite(strategy->exposed_overlapped) ? strategy->exposed_overlapped : INFINITY;
}

void plan_advice(const struct plan *plan, char *sentence, size_t size)
{
	const struct plan_strategy *least = NULL;
	bool all_wait = true;

	sentence[0] = '\0';
	if (plan->job.np == 1)
		return;
	for (int kind = 0; kind < PLAN_KINDS; kind++) {
		const struct plan_strategy *strategy = &plan->strategies[kind];

		if (!isfinite(waits(strategy)))
			continue;
		if (!least || waits(strategy) < waits(least))
			least = strategy;
		all_wait = all_wait && waits(strategy) > plan->job.compute;
	}
	if (!least)
		return;
	if (all_wait)
		append(sentence, size,
		       "Every strategy whose time is known waits longer than it computes: the network is too slow for so few "
		       "tokens per rank. ");
	append(sentence, size, "Least waiting: ");
	name_it(least, sentence, size);
	append(sentence, size, ", %s a step with overlap, %s of weights, gradients and optimizer state on a rank.",
	       plan_word_time(waits(least)).text, plan_word_bytes(least->memory).text);
}

void plan_buckets_sentence(const struct plan *plan, char *sentence, size_t size)
{
	const struct plan_buckets *buckets = &plan->buckets;
	const struct plan_bucket *best = &buckets->best, *usual = &buckets->usual;

	sentence[0] = '\0';
	if (!buckets->known) {
		if (buckets->missing[0])
			append(sentence, size, "The best bucket size is not known without %s.", buckets->missing);
		return;
	}
	if (buckets->no_latency) {
		append(sentence, size,
		       "Calls without latency cost the same in any number, so there is no best bucket size: --alpha would tell "
		       "one. "
		       "With 25 MiB the last gradient is reduced %s after the backward pass of %s began.",
		       plan_word_time(usual->time).text, plan_word_time(buckets->backward).text);
		return;
	}
	append(sentence, size,
	       "Best are %s buckets of %s: the last gradient is reduced %s after the backward pass of %s began; from %s to %s "
	       "it takes at most 1 %% longer. The default of 25 MiB makes %s buckets and takes %s, %s more.",
	       plan_word_number(best->number).text, plan_word_bytes(best->bytes).text, plan_word_time(best->time).text,
	       plan_word_time(buckets->backward).text, plan_word_bytes(buckets->flat_least).text,
	       plan_word_bytes(buckets->flat_most).text, plan_word_number(usual->number).text, plan_word_time(usual->time).text,
	       plan_word_percent(usual->time / best->time - 1).text);
	if (isfinite(buckets->tensor_time))
		append(sentence, size, " Tensors are not cut: with this model's own it makes %zu calls and takes %s.",
		       buckets->tensor_calls, plan_word_time(buckets->tensor_time).text);
	if (buckets->asked.bytes < usual->bytes || buckets->asked.bytes > usual->bytes)
		append(sentence, size, " --bucket %s takes %s.", human_size(buckets->asked.bytes).text,
		       plan_word_time(buckets->asked.time).text);
}

static void say_link(const struct plan_options *options, char *sentence, size_t size)
{
	append(sentence, size, "%s one way of a rank, alpha %s%s", human_rate(options->bandwidth).text,
	       options->alpha > 0 ? plan_word_time(options->alpha).text : "0",
	       options->alpha > 0 ? "" : " (latency is left out; --alpha gives it)");
	if (options->known)
		append(sentence, size, "; %s: the peak of %s", options->known->name, options->known->what);
	if (options->known && options->known->reachable > 0)
		append(sentence, size, ", of which collectives reach %s at best", human_rate(options->known->reachable).text);
	if (options->nic > 0)
		append(sentence, size,
		       "; nodes of %d, %d NIC%s of %s each, phases inside nodes and between them one after the other",
		       options->gpus_per_node, options->nics, options->nics == 1 ? "" : "s", human_rate(options->nic).text);
}

void plan_network_sentence(const struct plan *plan, char *sentence, size_t size)
{
	const struct plan_network *network = plan->network;

	sentence[0] = '\0';
	if (!network->rows) {
		say_link(network->options, sentence, size);
		return;
	}
	append(sentence, size, "%zu measured rows", rows_count(network->rows));
	for (size_t i = 0; i < network->ntimers; i++) {
		const struct plan_timer *timer = network->timers[i];

		if (timer->members.group != PLAN_EVERYBODY || timer->coll->id != COLL_ALL_REDUCE || !timer->known)
			continue;
		append(sentence, size, "; %s", timer->curve.choice);
	}
}
