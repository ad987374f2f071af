/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls of a step under each strategy, and what they cost. A transformer's layer under tensor parallelism has four all-reduces of its activations: behind
 * attention and behind the feed-forward part, forward and backward.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan.h"

enum { LAYER_CALLS = 4, LAYER_CALLS_FORWARD = 2 };

static const double most_tokens = 1e15;

const char *plan_kind_name(enum plan_kind kind)
{
	static const char *const names[PLAN_KINDS] = { "DDP", "ZeRO-1", "ZeRO-2", "ZeRO-3/FSDP", "TP", "FSDP x TP" };

	return names[kind];
}

void plan_missing_add(char *list, size_t size, const char *option)
{
	const size_t length = strlen(list);
	const char *found = strstr(list, option);
	const char after = found ? found[strlen(option)] : 'x';

	if (found && (after == '\0' || after == ','))
		return;
	snprintf(list + length, size - length, "%s%s", length > 0 ? ", " : "", option);
}

double plan_memory(enum train_zero stage, double params, double nranks, double element_bytes)
{
	const double optimizer = element_bytes < 4 ? 12 : 8;

	return (element_bytes / (stage >= TRAIN_ZERO3 ? nranks : 1) + element_bytes / (stage >= TRAIN_ZERO2 ? nranks : 1) +
		optimizer / (stage >= TRAIN_ZERO1 ? nranks : 1)) *
	       params;
}

void plan_marks_add(struct plan_marks *marks, const struct curve_time *time)
{
	marks->extrapolated |= time->source == CURVE_BELOW || time->source == CURVE_ABOVE;
	marks->scaled |= time->scaled;
	marks->guess |= time->guess;
	marks->stand_in |= time->stand_in;
}

void plan_marks_join(struct plan_marks *marks, const struct plan_marks *others)
{
	marks->extrapolated |= others->extrapolated;
	marks->scaled |= others->scaled;
	marks->guess |= others->guess;
	marks->stand_in |= others->stand_in;
}

static bool is_data_parallel(enum plan_kind kind)
{
	return kind <= PLAN_ZERO2;
}

/* -1: memory. A time that is not known makes the strategy's not known. */
static int add_calls(const struct plan *plan, struct plan_strategy *strategy, const char *what, enum coll_id coll,
		     struct plan_members members, double number, double bytes)
{
	const struct plan_timer *timer;
	struct plan_calls *calls;

	if (members.nranks < 2 || !(number > 0) || !(bytes > 0))
		return 0;
	timer = plan_network_timer(plan->network, coll, &members);
	if (!timer)
		return -1;
	calls = &strategy->calls[strategy->ncalls++];
	*calls = (struct plan_calls){ .what = what,
				      .coll = coll,
				      .timer = timer,
				      .number = number,
				      .bytes = bytes,
				      .sent = number * plan_sent(&members, coll, bytes) };
	strategy->sent += calls->sent;
	if (!timer->known) {
		strategy->error = timer->error;
		strategy->communication = NAN;
		return 0;
	}
	calls->one = plan_timer_time(timer, bytes);
	strategy->communication += number * calls->one.seconds;
	plan_marks_add(&strategy->marks, &calls->one);
	return 0;
}

/* All gradients or weights in buckets; what does not fill one is a call of its own. */
static int add_buckets(const struct plan *plan, struct plan_strategy *strategy, const char *what, enum coll_id coll)
{
	const struct plan_job *job = &plan->job;
	const struct plan_members all = { PLAN_EVERYBODY, job->np, 1 };
	const double bytes = job->params * job->element_bytes, full = floor(bytes / job->bucket),
		     rest = fmax(0, bytes - full * job->bucket);

	if (add_calls(plan, strategy, what, coll, all, full, job->bucket))
		return -1;
	return add_calls(plan, strategy, what, coll, all, rest >= job->element_bytes ? 1 : 0, rest);
}

static int data_calls(const struct plan *plan, struct plan_strategy *strategy)
{
	if (strategy->kind == PLAN_DDP)
		return add_buckets(plan, strategy, "gradients", COLL_ALL_REDUCE);
	if (add_buckets(plan, strategy, "gradients", COLL_REDUCE_SCATTER))
		return -1;
	return add_buckets(plan, strategy, "weights", COLL_ALL_GATHER);
}

/* Weights in nf parts, each layer gathered for itself, forward and again backward; layers in nt parts. */
static int split_calls(const struct plan *plan, double tokens, struct plan_strategy *strategy)
{
	const struct plan_job *job = &plan->job;
	const int nf = strategy->nf, nt = strategy->nt;
	const struct plan_members shards = { nt > 1 ? PLAN_STRIDE : PLAN_EVERYBODY, nf, nt },
				  layer = { nf > 1 ? PLAN_NEIGHBOURS : PLAN_EVERYBODY, nt, 1 };
	const double units = job->shape.layers > 0 ? (double)job->shape.layers : 1;
	const double unit = job->params * job->element_bytes / units / nt;
	const double activations = tokens * nt * (double)job->shape.hidden * job->element_bytes;

	if (add_calls(plan, strategy, "weights", COLL_ALL_GATHER, shards, 2 * units, unit) ||
	    add_calls(plan, strategy, "gradients", COLL_REDUCE_SCATTER, shards, units, unit))
		return -1;
	return add_calls(plan, strategy, "activations", COLL_ALL_REDUCE, layer, LAYER_CALLS * (double)job->shape.layers,
			 activations);
}

/* Time of the calls of one primitive in strategy order: full ones, then perhaps a smaller one. */
struct train_of_calls {
	double number, each, last; /* last: of a smaller call behind them, 0: none */
	double bytes, last_bytes;
};

static struct train_of_calls train_of(const struct plan_strategy *strategy, enum coll_id coll)
{
	struct train_of_calls train = { 0 };

	for (size_t i = 0; i < strategy->ncalls; i++) {
		const struct plan_calls *calls = &strategy->calls[i];

		if (calls->coll != coll)
			continue;
		if (train.number > 0) {
			train.last = calls->one.seconds;
			train.last_bytes = calls->bytes;
		} else {
			train.number = calls->number;
			train.each = calls->one.seconds;
			train.bytes = calls->bytes;
		}
	}
	return train;
}

/*
 * What a window of compute cannot hide of calls that become ready evenly while it lasts (gradients), or that are needed evenly (weights): the same, seen
 * from either end. The longest chain begins with the first call, the last full one, or the last one.
 */
static double tail(double window, const struct train_of_calls *train)
{
	const double bytes = train->number * train->bytes + train->last_bytes;
	const double full = train->number * train->each;
	double end;

	if (!(bytes > 0))
		return 0;
	end = window * train->bytes / bytes + full + train->last;
	end = fmax(end, window * (1 - train->last_bytes / bytes) + train->each + train->last);
	if (train->last_bytes > 0)
		end = fmax(end, window + train->last);
	return fmax(0, end - window);
}

/* Backward under FSDP: the first gathered layer and the last scattered one have no compute beside them; else the network is never idle. */
static double tail_of_shards(double window, const struct train_of_calls *gather, const struct train_of_calls *scatter)
{
	const double units = scatter->number;

	return fmax(gather->each + scatter->each, units * (gather->each + scatter->each) - window);
}

static double exposed(const struct plan_strategy *strategy, double compute)
{
	const double forward = compute / 3, backward = compute - forward;
	const struct train_of_calls reduce = train_of(strategy, COLL_ALL_REDUCE), gather = train_of(strategy, COLL_ALL_GATHER),
				    scatter = train_of(strategy, COLL_REDUCE_SCATTER);
	struct train_of_calls ahead = gather;

	if (strategy->kind == PLAN_DDP)
		return tail(backward, &reduce);
	if (is_data_parallel(strategy->kind))
		return tail(backward, &scatter) + tail(forward, &gather);
	ahead.number /= 2;
	/* A layer cannot go on without what the others made of its tokens. */
	return reduce.number * reduce.each +
	       (gather.number > 0 ? tail(forward, &ahead) + tail_of_shards(backward, &gather, &scatter) : 0);
}

static int fill_calls(const struct plan *plan, double tokens, struct plan_strategy *strategy)
{
	strategy->ncalls = 0;
	strategy->sent = strategy->communication = 0;
	strategy->error = NULL;
	strategy->marks = (struct plan_marks){ 0 };
	if (is_data_parallel(strategy->kind) ? data_calls(plan, strategy) : split_calls(plan, tokens, strategy))
		return -1;
	if (strategy->error)
		strategy->marks = (struct plan_marks){ 0 };
	return 0;
}

/* Without these nothing can be said of a strategy's calls. */
static bool knows_calls(const struct plan *plan, struct plan_strategy *strategy)
{
	const struct plan_job *job = &plan->job;

	if (!(job->params > 0))
		plan_missing_add(strategy->missing, sizeof strategy->missing, "--params");
	if (strategy->kind == PLAN_MIXED || strategy->kind == PLAN_TP) {
		if (job->shape.layers == 0)
			plan_missing_add(strategy->missing, sizeof strategy->missing, "--layers");
		if (job->shape.hidden == 0)
			plan_missing_add(strategy->missing, sizeof strategy->missing, "--hidden");
		if (!(job->tokens > 0))
			plan_missing_add(strategy->missing, sizeof strategy->missing, "--tokens");
	}
	return strategy->missing[0] == '\0';
}

/*
 * Tokens at which communication that grows with them takes as long as compute: 0 or INFINITY where there are none. The marks are those of the times that
 * decided. -1: memory.
 */
static int search_break_even(const struct plan *plan, struct plan_strategy *strategy)
{
	struct plan_strategy trial = *strategy;
	const struct plan_job *job = &plan->job;
	double low = 0, high = log(most_tokens);

	if (fill_calls(plan, most_tokens, &trial))
		return -1;
	strategy->break_even = INFINITY;
	strategy->break_even_marks = trial.marks;
	if (trial.communication > train_compute(job->params, most_tokens, job->flops))
		return 0;
	if (fill_calls(plan, 1, &trial))
		return -1;
	strategy->break_even = 0;
	plan_marks_join(&strategy->break_even_marks, &trial.marks);
	if (trial.communication <= train_compute(job->params, 1, job->flops))
		return 0;
	for (int step = 0; step < 60; step++) {
		const double middle = (low + high) / 2;

		if (fill_calls(plan, exp(middle), &trial))
			return -1;
		if (trial.communication > train_compute(job->params, exp(middle), job->flops))
			low = middle;
		else
			high = middle;
	}
	strategy->break_even = exp(high);
	strategy->break_even_marks = trial.marks;
	return 0;
}

static int find_break_even(const struct plan *plan, struct plan_strategy *strategy)
{
	const struct plan_job *job = &plan->job;

	if (!(job->flops > 0) || !isfinite(strategy->communication))
		return 0;
	if (is_data_parallel(strategy->kind) || strategy->nt == 1) {
		strategy->break_even = strategy->communication * job->flops / (6 * job->params);
		strategy->break_even_marks = strategy->marks;
		if (strategy->kind == PLAN_DDP)
			strategy->break_even_backward = strategy->communication * job->flops / (4 * job->params);
		return 0;
	}
	return search_break_even(plan, strategy);
}

static double memory_of(const struct plan *plan, enum plan_kind kind)
{
	static const enum train_zero stages[PLAN_KINDS] = { TRAIN_DDP,   TRAIN_ZERO1, TRAIN_ZERO2,
							    TRAIN_ZERO3, TRAIN_ZERO3, TRAIN_ZERO3 };

	return plan->job.params > 0 ? plan_memory(stages[kind], plan->job.params, plan->job.np, plan->job.element_bytes) : NAN;
}

int plan_strategy_fill(const struct plan *plan, enum plan_kind kind, int nf, int nt, struct plan_strategy *strategy)
{
	const struct plan_job *job = &plan->job;
	const double compute = job->compute;

	*strategy = (struct plan_strategy){ .kind = kind,
					    .nf = nf,
					    .nt = nt,
					    .communication = NAN,
					    .sent = NAN,
					    .ratio = NAN,
					    .exposed = NAN,
					    .exposed_overlapped = NAN,
					    .break_even = NAN,
					    .break_even_backward = NAN,
					    .most_ranks = NAN,
					    .most_nf = NAN,
					    .most_nt = NAN,
					    .memory = memory_of(plan, kind) };
	if (!knows_calls(plan, strategy))
		return 0;
	if (fill_calls(plan, job->tokens, strategy))
		return -1;
	if (kind == PLAN_FSDP && job->shape.layers == 0 && job->np > 1)
		plan_missing_add(strategy->missing, sizeof strategy->missing, "--layers");
	if (!(job->tokens > 0))
		plan_missing_add(strategy->missing, sizeof strategy->missing, "--tokens");
	if (!(job->flops > 0))
		plan_missing_add(strategy->missing, sizeof strategy->missing, "--flops");
	strategy->exposed = strategy->communication;
	if (isfinite(compute) && isfinite(strategy->communication)) {
		strategy->ratio = strategy->communication / compute;
		strategy->exposed_overlapped = fmin(exposed(strategy, compute), strategy->communication);
	}
	/* One call of all weights has no compute beside it, but nobody does that. */
	if (kind == PLAN_FSDP && job->shape.layers == 0 && job->np > 1)
		strategy->exposed_overlapped = NAN;
	return find_break_even(plan, strategy);
}
