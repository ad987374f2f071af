/* SPDX-License-Identifier: Apache-2.0
 *
 * Strategies, splits and buckets of a plan over a link, against worked values and properties.
 */
#include "plan_made.h"

static void data_parallel_has_the_worked_values(void **state)
{
	static const struct {
		int np;
		double time, ratio, tokens, backward, tolerance;
	} cases[] = { { 8, 61.25e-3, 0.03560, 583.3, 875, 1e-4 }, { 1000000, 70e-3, 0.04069, 666.7, 1000, 1e-4 } };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct made *made = make((struct plan_options){ .bandwidth = 400e9, .np = cases[i].np }, seven);
		const struct plan_strategy *ddp = &made->plan.strategies[PLAN_DDP];

		assert_near(made->plan.job.compute, 1.72032, 1e-12);
		assert_near(ddp->communication, cases[i].time, cases[i].tolerance);
		assert_near(ddp->ratio, cases[i].ratio, 2e-4);
		assert_near(ddp->break_even, cases[i].tokens, cases[i].tolerance);
		assert_near(ddp->break_even_backward, cases[i].backward, cases[i].tolerance);
		assert_near(ddp->most_ranks, 1 + 16384.0 * cases[i].np / 1000, 1e-6);
		assert_near(ddp->exposed, ddp->communication, 0);
		assert_near(made->plan.strategies[PLAN_FSDP].communication, 1.5 * ddp->communication, 1e-9);
		unmake(made);
	}
}

static void memory_and_traffic_are_those_of_zero(void **state)
{
	static const double memory[] = { 120e9, 31.406e9, 16.641e9, 1.875e9 }, sent[] = { 29.53e9, 29.53e9, 29.53e9, 44.30e9 };
	struct plan_job job = seven;
	struct made *made;

	(void)state;
	job.params = 7.5e9;
	made = make((struct plan_options){ .bandwidth = 400e9, .np = 64 }, job);
	for (int kind = PLAN_DDP; kind <= PLAN_FSDP; kind++) {
		assert_near(made->plan.strategies[kind].memory, memory[kind], 5e-5);
		assert_near(made->plan.strategies[kind].memory, train_memory((enum train_zero)kind, 7.5e9, 64), 1e-12);
		assert_near(made->plan.strategies[kind].sent, sent[kind], 2e-4);
	}
	assert_near(plan_memory(TRAIN_DDP, 1e9, 8, 4), 16e9, 1e-12);
	unmake(made);
}

static void a_block_has_the_worked_split(void **state)
{
	struct plan_job job = { .shape = { .hidden = 8192, .ffn = 28672, .gated = true },
				.tokens = 8192,
				.element_bytes = 2,
				.flops = 4e14,
				.bucket = 1 << 20 };
	struct made *made = make((struct plan_options){ .bandwidth = 50e9, .np = 128 }, job);
	const struct train_limits *limits = &made->plan.block.limits;

	(void)state;
	assert_true(made->plan.block.known);
	assert_near(limits->nf, 78.23, 1e-4);
	assert_near(limits->nt, 3.2085, 1e-4);
	assert_near(limits->both_serial, 250.99, 1e-4);
	assert_near(limits->fsdp, 132.07, 1e-4);
	assert_near(limits->tp_forward, 6.376, 1e-4);
	assert_near(limits->both, 842.09, 1e-4);
	assert_string_equal(made->plan.strategies[PLAN_DDP].missing, "--params");
	assert_true(isnan(made->plan.strategies[PLAN_DDP].memory));
	unmake(made);

	/* Two matrices have two thirds of the compute. */
	job.shape.gated = false;
	made = make((struct plan_options){ .bandwidth = 50e9, .np = 128 }, job);
	assert_near(made->plan.block.limits.tp_forward, 1 + (6.376 - 1) * 2 / 3, 1e-4);
	unmake(made);
}

/* T(k) with a of 128 ranks at 10 GB/s. */
static double time_of_buckets(const struct plan_buckets *buckets, double a, double bytes)
{
	const struct train_buckets line = { buckets->backward, buckets->gradients, a, 2 * 127.0 / 128 / 10e9 };

	return train_buckets_time(&line, buckets->gradients / bytes);
}

static void buckets_have_the_worked_values(void **state)
{
	struct made *made = make((struct plan_options){ .bandwidth = 10e9, .alpha = 20e-6, .np = 128 }, seven);
	const struct plan_buckets *buckets = &made->plan.buckets;

	(void)state;
	assert_true(buckets->known);
	assert_near(buckets->best.number, 15.03, 1e-3);
	assert_near(buckets->best.bytes, 931.8e6, 1e-3);
	assert_near(buckets->best.time, 2.931, 2e-4);
	assert_near(buckets->usual.time, 5.493, 2e-4);
	assert_true(buckets->flat_least < buckets->best.bytes && buckets->flat_most > buckets->best.bytes);
	/* At both ends it is exactly 1 % more. */
	assert_near(time_of_buckets(buckets, 2 * 127 * 20e-6, buckets->flat_least), 1.01 * buckets->best.time, 1e-9);
	assert_near(time_of_buckets(buckets, 2 * 127 * 20e-6, buckets->flat_most), 1.01 * buckets->best.time, 1e-9);
	/* Real calls, the last of them smaller, come close to the formula of equal ones. */
	assert_near(made->plan.strategies[PLAN_DDP].exposed_overlapped + buckets->backward, buckets->usual.time, 2e-3);
	unmake(made);

	made = make((struct plan_options){ .bandwidth = 400e9, .alpha = 5e-6, .np = 8 }, seven);
	buckets = &made->plan.buckets;
	assert_near(buckets->best.number, 15509, 1e-4);
	assert_near(buckets->best.time, 1.146954, 1e-6);
	assert_near(buckets->usual.time, 1.147065, 1e-6);
	unmake(made);

	made = make((struct plan_options){ .bandwidth = 400e9, .np = 8 }, seven);
	assert_true(made->plan.buckets.no_latency && isnan(made->plan.buckets.best.time));
	unmake(made);
}

/* Every call of a strategy, by hand. */
static void latency_counts_once_a_call(void **state)
{
	const double alpha = 1e-3, q = 7.0 / 8, bytes = 14e9, bandwidth = 400e9;
	struct made *made = make((struct plan_options){ .bandwidth = bandwidth, .alpha = alpha, .np = 8 },
				 with_layers(seven, 32, 4096));
	const struct plan_strategy *of = made->plan.strategies;

	(void)state;
	assert_int_equal((int)of[PLAN_DDP].calls[0].number, 534);
	assert_near(of[PLAN_DDP].communication, 535 * 14 * alpha + 2 * q * bytes / bandwidth, 1e-9);
	assert_near(of[PLAN_ZERO1].communication, 535 * 14 * alpha + 2 * q * bytes / bandwidth, 1e-9);
	assert_near(of[PLAN_FSDP].communication, 96 * 7 * alpha + 3 * q * bytes / bandwidth, 1e-9);
	assert_near(of[PLAN_TP].communication, 128 * (14 * alpha + 2 * q * 16384.0 * 8 * 4096 * 2 / bandwidth), 1e-9);
	assert_near(of[PLAN_TP].exposed_overlapped, of[PLAN_TP].communication, 0);
	unmake(made);
}

static void splits_reach_from_fsdp_to_tp(void **state)
{
	struct made *made = make((struct plan_options){ .bandwidth = 50e9, .np = 64 }, with_layers(seven, 32, 4096));
	const struct plan *plan = &made->plan;
	const struct plan_strategy *best = &plan->strategies[PLAN_MIXED], *least = &plan->splits[plan->least_split];

	(void)state;
	assert_int_equal(plan->nsplits, 7);
	assert_near(plan->splits[0].communication, plan->strategies[PLAN_FSDP].communication, 1e-12);
	assert_near(plan->splits[6].communication, plan->strategies[PLAN_TP].communication, 1e-12);
	for (size_t i = 0; i < plan->nsplits; i++) {
		assert_int_equal(plan->splits[i].nf * plan->splits[i].nt, 64);
		assert_true(best->exposed_overlapped <= plan->splits[i].exposed_overlapped);
		assert_true(least->communication <= plan->splits[i].communication);
	}
	/* 32 x 2: 3 gathers and scatters of half of the weights among 32, and 4 all-reduces a layer of two ranks' tokens between 2. */
	assert_near(plan->splits[1].communication, 3 * 31.0 / 32 * 7e9 / 50e9 + 4 * 32 * 2 * 0.5 * 16384.0 * 2 * 4096 * 2 / 50e9,
		    1e-9);
	unmake(made);
}

static void heads_and_nodes_limit_the_splits(void **state)
{
	struct plan_job job = with_layers(seven, 32, 4096);
	struct made *made;

	(void)state;
	job.shape.heads = 12;
	made = make((struct plan_options){ .bandwidth = 50e9, .np = 64 }, job);
	assert_int_equal(made->plan.nsplits, 3);
	unmake(made);
	job.shape.heads = 0;
	made = make((struct plan_options){ .bandwidth = 50e9, .np = 64, .gpus_per_node = 8 }, job);
	/* 1, 2, 4 and 8: none leaves its node. */
	assert_int_equal(made->plan.nsplits, 4);
	assert_int_equal(made->plan.splits[3].nt, 8);
	unmake(made);
}

static void nodes_share_their_nics(void **state)
{
	const struct plan_options options = { .bandwidth = 400e9, .np = 16, .gpus_per_node = 8, .nic = 50e9, .nics = 8 };
	struct made *made = make(options, with_layers(seven, 32, 4096));
	const struct plan *plan = &made->plan;

	(void)state;
	assert_near(plan->strategies[PLAN_DDP].communication, 2 * 7.0 / 8 * 14e9 / 400e9 + 2 * 0.5 * 14e9 / 400e9, 1e-9);
	/* 2 x 8: each of eight pairs between nodes has one NIC; the layers stay inside. */
	assert_int_equal(plan->splits[3].nt, 8);
	assert_near(plan->splits[3].communication,
		    3 * 0.5 * 14e9 / 8 / 50e9 + 4 * 32 * 2 * 7.0 / 8 * 16384.0 * 8 * 4096 * 2 / 400e9, 1e-9);
	unmake(made);
}

static void overlap_hides_what_it_can(void **state)
{
	struct made *made = make((struct plan_options){ .bandwidth = 10e9, .alpha = 20e-6, .np = 128 },
				 with_layers(seven, 32, 4096));

	(void)state;
	for (int kind = 0; kind < PLAN_KINDS; kind++) {
		const struct plan_strategy *strategy = &made->plan.strategies[kind];

		assert_true(strategy->exposed_overlapped >= 0);
		assert_true(strategy->exposed_overlapped <= strategy->exposed);
		/* No more than the compute can be hidden. */
		assert_true(strategy->exposed - strategy->exposed_overlapped <= made->plan.job.compute * (1 + 1e-12));
	}
	unmake(made);
}

static void tokens_decide_where_latency_does(void **state)
{
	struct made *made = make((struct plan_options){ .bandwidth = 400e9, .alpha = 1e-3, .np = 2 },
				 with_layers(seven, 32, 4096));
	struct plan_strategy *tp = &made->plan.strategies[PLAN_TP];
	const double tokens = tp->break_even;
	struct plan_job job = with_layers(seven, 32, 4096);

	(void)state;
	assert_true(isfinite(tokens) && tokens > 1);
	unmake(made);
	job.tokens = tokens;
	made = make((struct plan_options){ .bandwidth = 400e9, .alpha = 1e-3, .np = 2 }, job);
	assert_near(made->plan.strategies[PLAN_TP].ratio, 1, 1e-9);
	unmake(made);
	/* Without latency, tokens change nothing. */
	made = make((struct plan_options){ .bandwidth = 400e9, .np = 2 }, job);
	assert_true(made->plan.strategies[PLAN_TP].break_even == 0);
	unmake(made);
	made = make((struct plan_options){ .bandwidth = 1e9, .np = 64 }, job);
	assert_true(isinf(made->plan.strategies[PLAN_TP].break_even));
	unmake(made);
}

static void one_rank_talks_to_nobody(void **state)
{
	struct made *made = make((struct plan_options){ .bandwidth = 400e9, .alpha = 1e-3, .np = 1 },
				 with_layers(seven, 32, 4096));

	(void)state;
	for (int kind = 0; kind < PLAN_KINDS; kind++) {
		const struct plan_strategy *strategy = &made->plan.strategies[kind];

		assert_int_equal(strategy->ncalls, 0);
		assert_true(strategy->communication == 0 && strategy->exposed_overlapped >= 0 && strategy->break_even == 0);
		assert_near(strategy->memory, 112e9, 1e-12);
	}
	unmake(made);
}

static void what_is_missing_has_a_name(void **state)
{
	struct plan_job job = seven;
	struct made *made;

	(void)state;
	job.tokens = job.flops = 0;
	made = make((struct plan_options){ .bandwidth = 400e9, .np = 8 }, job);
	assert_string_equal(made->plan.strategies[PLAN_DDP].missing, "--tokens, --flops");
	assert_string_equal(made->plan.strategies[PLAN_FSDP].missing, "--layers, --tokens, --flops");
	assert_string_equal(made->plan.strategies[PLAN_TP].missing, "--layers, --hidden, --tokens");
	assert_string_equal(made->plan.buckets.missing, "--tokens, --flops");
	assert_near(made->plan.strategies[PLAN_DDP].communication, 61.25e-3, 1e-9);
	assert_true(isnan(made->plan.strategies[PLAN_DDP].ratio));
	unmake(made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(data_parallel_has_the_worked_values),
		cmocka_unit_test(memory_and_traffic_are_those_of_zero),
		cmocka_unit_test(a_block_has_the_worked_split),
		cmocka_unit_test(buckets_have_the_worked_values),
		cmocka_unit_test(latency_counts_once_a_call),
		cmocka_unit_test(splits_reach_from_fsdp_to_tp),
		cmocka_unit_test(heads_and_nodes_limit_the_splits),
		cmocka_unit_test(nodes_share_their_nics),
		cmocka_unit_test(overlap_hides_what_it_can),
		cmocka_unit_test(tokens_decide_where_latency_does),
		cmocka_unit_test(one_rank_talks_to_nobody),
		cmocka_unit_test(what_is_missing_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
