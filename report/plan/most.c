/* SPDX-License-Identifier: Apache-2.0
 *
 * With the tokens of a step spread over more ranks: up to how many communication takes no longer than the compute beside it. Every call has its latency and
 * its size at that number of ranks.
 */
#include <math.h>
#include <stddef.h>

#include "network_parts.h"
#include "plan.h"

enum { HALVINGS = 100, NARROWINGS = 100, ROUNDS = 4 };

static const double most_tried = 1 << 30;
static const double same_passes = 1e-6;
static const double least_parts = 1 + 1e-9; /* fewer are one */

/* The calls of a step by primitive: the pass of compute beside which they run. */
struct load {
	const struct plan *plan;
	const struct plan_strategy *strategy;
	double forward;                                     /* compute of all tokens by one rank */
	const struct plan_timer *reduce, *gather, *scatter; /* of PLAN_MIXED, whose split is free */
};

/* Of these sizes; NULL: there is none. */
static const struct coll_model *model_at(const struct curve *curve, double bytes)
{
	size_t i = 0;

	if (curve->npoints == 0)
		return curve->model;
	while (i + 1 < curve->npoints && curve->points[i + 1].bytes <= bytes)
		i++;
	return curve->points[i].model;
}

static double scaled_time(const struct curve *curve, int nranks, double bytes)
{
	const struct coll_model *model = model_at(curve, bytes);

	if (!model || (model->holds && !model->holds(nranks)) || (curve->npoints > 0 && !fit_is_usable(&curve->fit)))
		return NAN;
	return curve_time(curve, bytes).seconds * model->time(nranks, bytes, &curve->link) /
	       model->time(curve->nranks, bytes, &curve->link);
}

static bool has_nics(const struct plan *plan)
{
	return !plan->network->rows && plan->network->options->nic > 0;
}

/* Of a call among as many ranks, by link, or by rows and their model. NAN: that is not told. */
static double time_of(const struct plan *plan, const struct plan_timer *timer, int nranks, double bytes)
{
	const struct plan_options *options = plan->network->options;
	const int gpus = plan->network->gpus_per_node;

	if (nranks < 2)
		return 0;
	if (has_nics(plan) && nranks > gpus) {
		const struct hier hier = { .nnodes = nranks / gpus,
					   .gpus = gpus,
					   .alpha_in = options->alpha,
					   .alpha_out = options->alpha,
					   .link = options->bandwidth,
					   .nic = options->nic * options->nics,
					   .nics = 1 };

		return hier_sequential(timer->coll->id, &hier, bytes);
	}
	if (timer->two_level) {
		struct hier hier = timer->hier;

		hier.nnodes = 1;
		hier.gpus = nranks;
		return hier_sequential(timer->coll->id, &hier, bytes);
	}
	return scaled_time(&timer->curve, nranks, bytes);
}

/* Of numbers between: n times the time is straight there, as that of a ring without latency is everywhere. */
static double time_at(const struct plan *plan, const struct plan_timer *timer, double n, double bytes)
{
	const int gpus = plan->network->gpus_per_node, step = has_nics(plan) && n >= gpus ? gpus : 1;
	const double low = floor(n / step) * step, part = (n - low) / step;
	double product = (1 - part) * low * time_of(plan, timer, (int)low, bytes);

	if (part > 0)
		product += part * (low + step) * time_of(plan, timer, (int)low + step, bytes);
	return product / n;
}

/* The part of a strategy's calls that runs beside the forward pass; the others have the backward pass, twice as long. */
static double forward_part(const struct plan_strategy *strategy, enum coll_id coll)
{
	if (strategy->kind == PLAN_DDP || coll == COLL_REDUCE_SCATTER)
		return 0;
	return strategy->kind == PLAN_ZERO1 || strategy->kind == PLAN_ZERO2 ? 1 : 0.5;
}

/* Communication over the compute of a pass. */
struct passes {
	double forward, backward;
};

static double larger(struct passes passes)
{
	return isnan(passes.forward) || isnan(passes.backward) ? NAN : fmax(passes.forward, passes.backward);
}

/* Both, where they differ by rounding alone. */
static enum plan_pass which(struct passes passes)
{
	if (fabs(passes.forward - passes.backward) <= same_passes * larger(passes))
		return PLAN_BOTH;
	return passes.forward > passes.backward ? PLAN_FORWARD : PLAN_BACKWARD;
}

static struct passes passes_at(const struct load *load, double n)
{
	double forward = 0, backward = 0;

	for (size_t i = 0; i < load->strategy->ncalls; i++) {
		const struct plan_calls *calls = &load->strategy->calls[i];
		const double part = forward_part(load->strategy, calls->coll);
		const double seconds = calls->number * time_at(load->plan, calls->timer, n, calls->bytes);

		forward += part * seconds;
		backward += (1 - part) * seconds;
	}
	return (struct passes){ forward * n / load->forward, backward * n / (2 * load->forward) };
}

static double pressure(const struct load *load, double n)
{
	return larger(passes_at(load, n));
}

/* Bytes of a layer's weights in nt parts; of a layer's activations of the tokens in nf parts. */
static double unit_of(const struct plan *plan, double nt)
{
	return plan->job.params * plan->job.element_bytes / (double)plan->job.shape.layers / nt;
}

static double activations_of(const struct plan *plan, double nf)
{
	return plan->job.tokens * plan->job.np / nf * (double)plan->job.shape.hidden * plan->job.element_bytes;
}

/* The same of a split, one axis after the other. */
static struct passes split_passes(const struct load *load, double nf, double nt)
{
	const struct plan *plan = load->plan;
	const double layers = (double)plan->job.shape.layers, unit = unit_of(plan, nt), activations = activations_of(plan, nf);
	const double gather = layers * time_at(plan, load->gather, nf, unit),
		     scatter = layers * time_at(plan, load->scatter, nf, unit),
		     reduce = 2 * layers * time_at(plan, load->reduce, nt, activations);

	return (struct passes){ (gather + reduce) * nf * nt / load->forward,
				(gather + scatter + reduce) * nf * nt / (2 * load->forward) };
}

static double split_pressure(const struct load *load, double nf, double nt)
{
	return larger(split_passes(load, nf, nt));
}

/* The most ranks of FSDP beside nt of TP; 0: even one is too many. NAN: not told. */
static double most_shards(const struct load *load, double nt)
{
	const double least = split_pressure(load, 1, nt), most = split_pressure(load, most_tried, nt);
	double low = 0, high = log(most_tried);

	if (!(least <= 1) || isnan(most))
		return isnan(least) || isnan(most) ? NAN : 0;
	if (most <= 1)
		return most_tried;
	for (int i = 0; i < HALVINGS; i++) {
		const double middle = (low + high) / 2;

		if (split_pressure(load, exp(middle), nt) <= 1)
			low = middle;
		else
			high = middle;
	}
	return exp(low);
}

static double most_at(const struct load *load, double log_nt)
{
	return most_shards(load, exp(log_nt)) * exp(log_nt);
}

/* Where the product of both is largest; layers are shared inside a node. */
static void find_split(const struct load *load, struct plan_strategy *strategy)
{
	const int gpus = load->plan->network->gpus_per_node;
	double low = 0, high = log(gpus > 0 ? gpus : most_tried);

	if (isnan(most_at(load, 0)) || isnan(most_at(load, high)))
		return;
	for (int i = 0; i < HALVINGS; i++) {
		const double middle = (low + high) / 2;

		if (split_pressure(load, 1, exp(middle)) <= 1)
			low = middle;
		else
			high = middle;
	}
	high = low;
	low = 0;
	for (int i = 0; i < NARROWINGS; i++) {
		const double third = (high - low) / 3;

		if (most_at(load, low + third) < most_at(load, high - third))
			low += third;
		else
			high -= third;
	}
	strategy->most_nt = exp((low + high) / 2);
	strategy->most_nf = most_shards(load, strategy->most_nt);
	strategy->most_ranks = strategy->most_nf * strategy->most_nt;
	strategy->most_pass = which(split_passes(load, strategy->most_nf, strategy->most_nt));
}

/* Of n ranks of `all`, whose calls are read off the timer's rows. */
static void add_marks(const struct plan *plan, const struct plan_timer *timer, double n, double all, double bytes,
		      struct plan_marks *marks)
{
	const struct result *key = plan_timer_key(timer);
	const int gpus = plan->network->gpus_per_node;
	struct curve_time time;
	double node;

	if (!key || !(n > least_parts))
		return;
	node = gpus > 0 ? gpus : (double)network_most_of_a_node(plan->network->rows);
	time = plan_timer_time(timer, bytes);
	time.scaled = n < (double)key->nranks || n > (double)key->nranks;
	time.stand_in |= (key->nnodes == 1 && all > node) || (key->nnodes > 1 && gpus > 0 && all <= node);
	plan_marks_add(marks, &time);
}

static void mark_number(const struct load *load, struct plan_strategy *strategy)
{
	const double n = strategy->most_ranks;

	for (size_t i = 0; i < strategy->ncalls; i++) {
		const struct plan_calls *calls = &strategy->calls[i];

		add_marks(load->plan, calls->timer, n, n, calls->bytes, &strategy->most_marks);
	}
}

static void find_number(const struct load *load, struct plan_strategy *strategy)
{
	const double at_most = pressure(load, most_tried);
	double low = 0, high = log(most_tried);

	if (isnan(at_most) || isnan(pressure(load, 2)))
		return;
	for (int i = 0; i < HALVINGS && at_most > 1; i++) {
		const double middle = (low + high) / 2;

		if (pressure(load, exp(middle)) <= 1)
			low = middle;
		else
			high = middle;
	}
	/* Beyond all that was tried it rises as without latency. */
	strategy->most_ranks = at_most > 1 ? exp(low) : 1 + (most_tried - 1) / at_most;
	strategy->most_pass = which(passes_at(load, at_most > 1 ? strategy->most_ranks : most_tried));
	mark_number(load, strategy);
}

/* Of the calls of the split with about nt ranks a layer; NULL: no split's are known. */
static const struct plan_timer *timer_near(const struct plan *plan, enum coll_id coll, double nt)
{
	const struct plan_timer *nearest = NULL;
	double least = INFINITY;

	for (size_t s = 0; s < plan->nsplits; s++) {
		const struct plan_strategy *split = &plan->splits[s];
		const double apart = fabs(log(split->nt / nt));

		for (size_t i = 0; i < split->ncalls; i++) {
			if (split->calls[i].coll != coll || !split->calls[i].timer->known || !(apart < least))
				continue;
			least = apart;
			nearest = split->calls[i].timer;
		}
	}
	return nearest;
}

static bool knows_all(const struct load *load)
{
	return load->reduce && load->reduce->known && load->gather && load->scatter;
}

/* -1: memory. */
static int choose_timers(struct load *load, double nt)
{
	const int gpus = load->plan->network->gpus_per_node, np = load->plan->job.np;
	const struct plan_members node = { PLAN_NEIGHBOURS, gpus, 1 }, all = { PLAN_EVERYBODY, np, 1 };

	load->gather = timer_near(load->plan, COLL_ALL_GATHER, nt);
	load->scatter = timer_near(load->plan, COLL_REDUCE_SCATTER, nt);
	load->reduce = timer_near(load->plan, COLL_ALL_REDUCE, nt);
	/* Heads or numbers of ranks may leave no split that shares layers. */
	if (!load->reduce)
		load->reduce = plan_network_timer(load->plan->network, COLL_ALL_REDUCE, gpus > 0 && gpus < np ? &node : &all);
	return load->reduce ? 0 : -1;
}

static void mark_split(const struct load *load, struct plan_strategy *strategy)
{
	const double nf = strategy->most_nf, nt = strategy->most_nt, all = nf * nt;
	const double unit = unit_of(load->plan, nt);
	const int gpus = load->plan->network->gpus_per_node;

	strategy->most_marks = (struct plan_marks){ 0 };
	add_marks(load->plan, load->gather, nf, all, unit, &strategy->most_marks);
	add_marks(load->plan, load->scatter, nf, all, unit, &strategy->most_marks);
	add_marks(load->plan, load->reduce, nt, nt, activations_of(load->plan, nf), &strategy->most_marks);
	/* Shards share their NICs, unlike the calls of all ranks. */
	strategy->most_marks.stand_in |= plan_timer_key(load->gather) && load->gather->members.group == PLAN_EVERYBODY &&
					 nt > least_parts && gpus > 0 && all > gpus;
}

/* Rows are those of splits like the one that is found, whichever is best for this number of ranks. -1: memory. */
static int find_mixed(struct load *load, struct plan_strategy *strategy)
{
	strategy->most_nt = 1;
	for (int round = 0; round < ROUNDS; round++) {
		const struct load before = *load;

		if (choose_timers(load, strategy->most_nt))
			return -1;
		if (!knows_all(load) ||
		    (load->reduce == before.reduce && load->gather == before.gather && load->scatter == before.scatter))
			break;
		strategy->most_ranks = NAN;
		find_split(load, strategy);
		if (isnan(strategy->most_ranks))
			break;
	}
	if (isnan(strategy->most_ranks)) {
		strategy->most_nf = strategy->most_nt = NAN;
		strategy->most_pass = PLAN_NO_PASS;
		return 0;
	}
	mark_split(load, strategy);
	return 0;
}

static const char *why_not(const struct plan *plan, const struct load *load)
{
	const bool is_split = load->strategy->kind == PLAN_MIXED;

	if (is_split && has_nics(plan))
		return "splits over other numbers of nodes are not looked through";
	if (is_split && !knows_all(load))
		return "splits over other numbers of ranks need the times of all_reduce, all_gather and reduce_scatter, and "
		       "these "
		       "rows tell not all of them";
	return "times of other numbers of ranks do not follow from these rows: their fit does not tell both alpha and bandwidth, "
	       "or their algorithm has no model that is linear in both";
}

int plan_most_ranks(const struct plan *plan, struct plan_strategy *strategy)
{
	const struct plan_job *job = &plan->job;
	struct load load = { plan, strategy, job->compute * job->np / 3, NULL, NULL, NULL };

	if (!isfinite(job->compute) || !(strategy->communication > 0))
		return 0;
	if (strategy->kind != PLAN_MIXED)
		find_number(&load, strategy);
	else if (!has_nics(plan) && find_mixed(&load, strategy))
		return -1;
	if (isnan(strategy->most_ranks))
		strategy->most_error = why_not(plan, &load);
	return 0;
}
