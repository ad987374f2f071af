/* SPDX-License-Identifier: Apache-2.0
 *
 * Formulas of a training step: data parallel, ZeRO, activations, and a gated feed-forward block under data, sharded and tensor parallelism. Those of the
 * block count what a rank sends over its own link and compare it with the same pass of its compute.
 */
#include "training.h"

/* FLOP a parameter and token. */
static const double flop_step = 6, flop_backward = 4;

static double share(double n)
{
	return (n - 1) / n;
}

double train_compute(double params, double tokens, double flops)
{
	return flop_step * params * tokens / flops;
}

double train_ddp_time(double params, double element_bytes, int nranks, double bandwidth)
{
	return 2 * share(nranks) * params * element_bytes / bandwidth;
}

double train_ddp_break_even(double element_bytes, int nranks, double bandwidth, double flops, bool backward_only)
{
	return 2 * share(nranks) * element_bytes * flops / ((backward_only ? flop_backward : flop_step) * bandwidth);
}

double train_memory(enum train_zero stage, double params, int nranks)
{
	const double weights = stage >= TRAIN_ZERO3 ? 2.0 / nranks : 2, gradients = stage >= TRAIN_ZERO2 ? 2.0 / nranks : 2,
		     optimizer = stage >= TRAIN_ZERO1 ? 12.0 / nranks : 12;

	return (weights + gradients + optimizer) * params;
}

double train_traffic(enum train_zero stage, double params, int nranks)
{
	return (stage >= TRAIN_ZERO3 ? 3 : 2) * share(nranks) * params;
}

double train_activations(double sequence, double batch, double hidden, double attention, double heads, bool flash)
{
	return sequence * batch * (26 * hidden + 8 * attention + (flash ? 0 : 5 * heads * sequence));
}

/* Of its three matrices. */
static double block_bytes(const struct train_block *block)
{
	return 3 * block->hidden * block->ffn * 2;
}

double train_block_compute(const struct train_block *block, double n, bool backward)
{
	return (backward ? 2 : 1) * 6 * block->tokens * block->hidden * block->ffn / (n * block->flops);
}

double train_block_dp(const struct train_block *block, double n, bool backward)
{
	return backward ? 2 * share(n) * block_bytes(block) / block->bandwidth : 0;
}

double train_block_fsdp(const struct train_block *block, double nf, double nt, bool backward)
{
	return (backward ? 2 : 1) * share(nf) * block_bytes(block) / (nt * block->bandwidth);
}

/* One all-reduce of the block's output (backward: of its input's gradient) over nt, of the tokens of one of nf. */
double train_block_tp(const struct train_block *block, double nf, double nt, bool backward)
{
	(void)backward;
	return 2 * share(nt) * 2 * block->tokens * block->hidden / (nf * block->bandwidth);
}

/*
 * FSDP and TP, one after the other, take no longer than compute where (nf - 1) + be (nt - 1) <= al; nf nt is largest where both terms of nf + be nt are
 * equal, or at the end of the line where that point has less than one rank in a direction.
 */
static void find_split(double al, double be, struct train_limits *limits)
{
	const double sum = 1 + al + be;

	limits->nf = sum / 2;
	limits->nt = sum / (2 * be);
	if (limits->nf < 1) {
		limits->nf = 1;
		limits->nt = 1 + al / be;
	} else if (limits->nt < 1) {
		limits->nf = 1 + al;
		limits->nt = 1;
	}
	limits->both_serial = limits->nf * limits->nt;
}

struct train_limits train_block_limits(const struct train_block *block)
{
	const double al = block->tokens * block->bandwidth / block->flops, be = 2 * block->tokens / (3 * block->ffn);
	const double tp = 3 * block->ffn * block->bandwidth / block->flops;
	struct train_limits limits = { .data = 1 + al, .fsdp = 1 + al, .tp_forward = 1 + tp / 2, .tp_backward = 1 + tp };

	limits.both = limits.fsdp * limits.tp_forward;
	find_split(al, be, &limits);
	return limits;
}
