/* SPDX-License-Identifier: Apache-2.0
 *
 * What follows from a plan's strategies: how many ranks are too many, which strategy waits least, which is bound.
 */
#include "plan_made.h"

#include <string.h>

#include "report/plan/words.h"

/* At that number of ranks communication takes as long as the pass beside it, latency of every call included. */
static void most_ranks_count_latency(void **state)
{
	const double alpha = 5e-6, bandwidth = 400e9, bytes = 14e9, all = 8 * 16384.0;
	struct made *made = make((struct plan_options){ .bandwidth = bandwidth, .alpha = alpha, .np = 8 },
				 with_layers(seven, 32, 4096));
	const struct plan_strategy *of = made->plan.strategies, *mixed = &of[PLAN_MIXED];
	double n = of[PLAN_DDP].most_ranks;

	(void)state;
	assert_near(535 * 2 * (n - 1) * alpha + 2 * (n - 1) / n * bytes / bandwidth, 4 * 7e9 * all / n / 4e14, 1e-3);
	assert_near(of[PLAN_ZERO2].most_ranks, n, 1e-9);
	n = of[PLAN_FSDP].most_ranks;
	assert_near(32 * (n - 1) * alpha + (n - 1) / n * bytes / bandwidth, 2 * 7e9 * all / n / 4e14, 1e-3);
	n = of[PLAN_TP].most_ranks;
	assert_near(64 * (2 * (n - 1) * alpha + 2 * (n - 1) / n * all * 4096 * 2 / bandwidth), 2 * 7e9 * all / n / 4e14, 1e-2);
	n = mixed->most_ranks;
	assert_near(mixed->most_nf * mixed->most_nt, n, 1e-12);
	assert_true(n > of[PLAN_FSDP].most_ranks && n > of[PLAN_TP].most_ranks);
	unmake(made);
}

/* Without latency a model is one block of all its layers. */
static void most_ranks_without_latency_are_those_of_a_block(void **state)
{
	struct made *made = make((struct plan_options){ .bandwidth = 50e9, .np = 128 }, with_layers(seven, 32, 4096));
	const struct train_block block = { 128 * 16384.0, 4096, 2 * 7e9 / (3 * 4 * 32 * 4096.0), 50e9, 4e14 };
	const struct train_limits limits = train_block_limits(&block);
	const struct plan_strategy *of = made->plan.strategies;

	(void)state;
	assert_near(of[PLAN_DDP].most_ranks, limits.data, 1e-9);
	assert_near(of[PLAN_FSDP].most_ranks, limits.fsdp, 1e-9);
	assert_near(of[PLAN_TP].most_ranks, limits.tp_forward, 1e-9);
	assert_near(of[PLAN_MIXED].most_ranks, limits.both_serial, 1e-9);
	assert_near(of[PLAN_MIXED].most_nf, limits.nf, 1e-5);
	assert_near(of[PLAN_MIXED].most_nt, limits.nt, 1e-5);
	unmake(made);
}

/* Nodes and their NICs count as soon as ranks leave the first. */
static void most_ranks_cross_the_nics(void **state)
{
	const struct plan_options options = { .bandwidth = 400e9, .np = 8, .gpus_per_node = 8, .nic = 5e9, .nics = 1 };
	struct made *made = make(options, with_layers(seven, 32, 4096));
	const struct plan_strategy *ddp = &made->plan.strategies[PLAN_DDP], *mixed = &made->plan.strategies[PLAN_MIXED];
	const double n = ddp->most_ranks, nodes = n / 8;

	(void)state;
	/* Nearly: between whole nodes it is a straight line. */
	assert_near(2 * 7.0 / 8 * 14e9 / 400e9 + 2 * (nodes - 1) / nodes * 14e9 / 5e9, 4 * 7e9 * 8 * 16384 / n / 4e14, 1e-2);
	assert_true(isnan(mixed->most_ranks) && mixed->most_error);
	unmake(made);
}

/* They send the same; what differs is rounding, and memory. */
static void ties_go_to_the_one_that_stores_least(void **state)
{
	(void)state;
	for (int np = 2; np <= 64; np += 7) {
		struct made *made = make((struct plan_options){ .bandwidth = 400e9, .alpha = 5e-6, .np = np }, seven);
		char sentence[600];

		plan_advice(&made->plan, sentence, sizeof sentence);
		if (!strstr(sentence, "Least waiting: ZeRO-2, ") || !strstr(sentence, "and none of them stores less"))
			fail_msg("%d ranks: %s", np, sentence);
		unmake(made);
	}
}

/* A tenth of the compute that a step visibly waits is much, however long communication takes. */
static void bound_is_what_stays_visible(void **state)
{
	const struct {
		double communication, ratio, overlapped;
		int bound;
	} cases[] = { { 1, 0.971, 0.37, 1 }, { 1, 0.5, 0.19, 0 }, { 1, 0.5, 0.21, 1 }, { 1, 1.01, 0.01, 1 },
		      { 1, 0.9, NAN, 0 },    { 1, NAN, NAN, -1 }, { 0, 0, 0, 0 } };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct plan_strategy strategy = { .communication = cases[i].communication,
							.ratio = cases[i].ratio,
							.exposed_overlapped = cases[i].overlapped };

		assert_int_equal(plan_is_bound(&strategy), cases[i].bound);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(most_ranks_count_latency),    cmocka_unit_test(most_ranks_without_latency_are_those_of_a_block),
		cmocka_unit_test(most_ranks_cross_the_nics),   cmocka_unit_test(ties_go_to_the_one_that_stores_least),
		cmocka_unit_test(bound_is_what_stays_visible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
