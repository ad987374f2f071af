/* SPDX-License-Identifier: Apache-2.0
 *
 * All strategies, the splits of FSDP x TP, one feed-forward block.
 */
#include "plan.h"

#include <math.h>

/* What a step waits for; compute is the same for all splits. */
static double cost_of(const struct plan_strategy *strategy)
{
	return isfinite(strategy->exposed_overlapped) ? strategy->exposed_overlapped : strategy->communication;
}

static bool is_better(const struct plan_strategy *a, const struct plan_strategy *b)
{
	if (!isfinite(cost_of(b)) || !isfinite(cost_of(a)))
		return isfinite(cost_of(a));
	if (cost_of(a) < cost_of(b) || cost_of(a) > cost_of(b))
		return cost_of(a) < cost_of(b);
	return a->communication < b->communication;
}

/* Heads cannot be cut, and a group of tensor parallelism stays inside a node. */
static bool is_allowed(const struct plan *plan, int nt)
{
	const int64_t heads = plan->job.shape.heads;
	const int gpus = plan->network->gpus_per_node;

	if (plan->job.np % nt != 0 || (heads > 0 && heads % nt != 0))
		return false;
	return gpus == 0 || (nt <= gpus && gpus % nt == 0);
}

static int fill_splits(struct plan *plan)
{
	struct plan_strategy *best = &plan->strategies[PLAN_MIXED];
	const int np = plan->job.np;

	if (plan_strategy_fill(plan, PLAN_MIXED, np, 1, best))
		return -1;
	if (best->ncalls == 0) /* something is missing, or one rank has nobody to talk to */
		return 0;
	for (int nt = 1; nt <= np && plan->nsplits < PLAN_MOST_SPLITS; nt++) {
		struct plan_strategy *split = &plan->splits[plan->nsplits];

		if (!is_allowed(plan, nt))
			continue;
		if (plan_strategy_fill(plan, PLAN_MIXED, np / nt, nt, split))
			return -1;
		/* The first may be of calls that nothing is known of. */
		if (isfinite(split->communication) && !(plan->splits[plan->least_split].communication <= split->communication))
			plan->least_split = plan->nsplits;
		plan->nsplits++;
		if (is_better(split, best))
			*best = *split;
	}
	return 0;
}

/* Of large messages among all ranks. */
static double bandwidth_of(const struct plan *plan)
{
	const struct plan_members all = { PLAN_EVERYBODY, plan->job.np, 1 };
	const struct plan_timer *timer = plan_network_timer(plan->network, COLL_ALL_REDUCE, &all);
	double a, b;

	if (plan->job.np == 1 && !plan->network->rows)
		return plan->network->options->bandwidth;
	if (plan->job.np == 1 || !timer || !timer->known || !plan_timer_line(timer, &a, &b) || !(b > 0))
		return NAN;
	return collectives[COLL_ALL_REDUCE]->bus_factor(plan->job.np) / b;
}

static void fill_block(struct plan *plan)
{
	const struct plan_job *job = &plan->job;
	struct plan_block *block = &plan->block;
	struct train_block of;

	if (job->shape.hidden == 0 || job->shape.ffn == 0 || !(job->tokens > 0) || !(job->flops > 0))
		return;
	block->bandwidth = bandwidth_of(plan);
	block->known = isfinite(block->bandwidth);
	block->levels = !plan->network->rows && plan->network->options->nic > 0 && job->np > plan->network->gpus_per_node;
	block->tokens = job->tokens * job->np;
	block->ffn = (double)job->shape.ffn * (job->shape.gated ? 3 : 2) / 3;
	if (!block->known)
		return;
	of = (struct train_block){ .tokens = block->tokens,
				   .hidden = (double)job->shape.hidden,
				   .ffn = block->ffn,
				   .bandwidth = block->bandwidth * 2 / job->element_bytes,
				   .flops = job->flops };
	block->limits = train_block_limits(&of);
}

static void fill_activations(struct plan *plan)
{
	const struct plan_job *job = &plan->job;
	const double layers = (double)job->shape.layers, hidden = (double)job->shape.hidden, heads = (double)job->shape.heads,
		     attention = (double)train_shape_query_width(&job->shape);

	plan->activations = plan->activations_flash = NAN;
	if (!(job->sequence > 0) || !(job->batch > 0) || !(layers > 0) || !(hidden > 0))
		return;
	plan->activations_flash = layers * train_activations(job->sequence, job->batch, hidden, attention, heads, true);
	if (heads > 0)
		plan->activations = layers * train_activations(job->sequence, job->batch, hidden, attention, heads, false);
}

int plan_make(struct plan *plan)
{
	struct plan_job *job = &plan->job;

	job->compute = job->params > 0 && job->tokens > 0 && job->flops > 0 ? train_compute(job->params, job->tokens, job->flops)
									    : NAN;
	for (int kind = PLAN_DDP; kind < PLAN_MIXED; kind++) {
		const bool shared = kind == PLAN_FSDP || kind == PLAN_TP;

		if (plan_strategy_fill(plan, kind, kind == PLAN_FSDP ? job->np : shared, kind == PLAN_TP ? job->np : shared,
				       &plan->strategies[kind]))
			return -1;
	}
	fill_block(plan);
	fill_activations(plan);
	if (fill_splits(plan))
		return -1;
	for (int kind = PLAN_DDP; kind < PLAN_KINDS; kind++) {
		if (plan_most_ranks(plan, &plan->strategies[kind]))
			return -1;
	}
	return plan_buckets_fill(plan);
}
