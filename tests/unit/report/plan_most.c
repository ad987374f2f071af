/* SPDX-License-Identifier: Apache-2.0
 *
 * What follows from a plan's strategies: how many ranks are too many, which strategy waits least, which is bound.
 */
#include "plan_made.h"

#include <stdio.h>
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
	assert_int_equal(of[PLAN_DDP].most_pass, PLAN_BACKWARD);
	assert_near(of[PLAN_ZERO2].most_ranks, n, 1e-9);
	assert_int_equal(of[PLAN_ZERO2].most_pass, PLAN_FORWARD);
	n = of[PLAN_FSDP].most_ranks;
	assert_near(32 * (n - 1) * alpha + (n - 1) / n * bytes / bandwidth, 2 * 7e9 * all / n / 4e14, 1e-3);
	assert_int_equal(of[PLAN_FSDP].most_pass, PLAN_BOTH);
	n = of[PLAN_TP].most_ranks;
	assert_near(64 * (2 * (n - 1) * alpha + 2 * (n - 1) / n * all * 4096 * 2 / bandwidth), 2 * 7e9 * all / n / 4e14, 1e-2);
	n = mixed->most_ranks;
	assert_near(mixed->most_nf * mixed->most_nt, n, 1e-12);
	assert_true(n > of[PLAN_FSDP].most_ranks && n > of[PLAN_TP].most_ranks);
	assert_int_equal(mixed->most_pass, PLAN_FORWARD);
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

static const char *const primitives[] = { "all_reduce", "all_gather", "reduce_scatter" };

/* A sweep of each primitive whose calls are a ring's: alpha in microseconds, rate in bytes a microsecond. */
static void add_rings(char *text, size_t size, int nranks, int nnodes, double alpha, double rate)
{
	const struct coll_link link = { alpha, 1 / rate, 0 };

	for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++) {
		const struct collective *coll = collective_find(primitives[i]);

		for (double bytes = 1024; bytes <= 1 << 28; bytes *= 2)
			snprintf(text + strlen(text), size - strlen(text), "1,%s,%d,%d,%.0f,%.9g,float,out-of-place\n",
				 primitives[i], nranks, nnodes, bytes,
				 collective_model(coll, coll->ring)->time(nranks, bytes, &link));
	}
}

/* Nodes of four ranks: fast inside, slow between. The text is of 32768 bytes. */
static struct rows *rows_of_two_nodes(char *text)
{
	struct rows *rows = rows_new();
	char error[200];

	snprintf(text, 32768, "schema,collective,nranks,nnodes,bytes,time_us,type,placement\n");
	add_rings(text, 32768, 4, 1, 3, 2e5);
	add_rings(text, 32768, 8, 2, 10, 2e4);
	assert_non_null(rows);
	assert_int_equal(rows_parse(rows, "test.csv", text, strlen(text), error, sizeof error), 0);
	return rows;
}

static double ring(enum coll_id coll, double n, double bytes, double alpha, double rate)
{
	return (coll == COLL_ALL_REDUCE ? 2 : 1) * ((n - 1) * alpha + (n - 1) / n * bytes / rate) * 1e-6;
}

/* What of a split's backward pass the network takes, with shards over slow links and layers over fast ones. */
static double pressure_of(const struct plan_job *job, double nf, double nt, int np)
{
	const double layers = (double)job->shape.layers, unit = job->params * 2 / layers / nt,
		     activations = job->tokens * np / nf * (double)job->shape.hidden * 2,
		     gather = layers * ring(COLL_ALL_GATHER, nf, unit, 10, 2e4),
		     scatter = layers * ring(COLL_REDUCE_SCATTER, nf, unit, 10, 2e4),
		     reduce = 2 * layers * ring(COLL_ALL_REDUCE, nt, activations, 3, 2e5),
		     forward = 2 * job->params * job->tokens * np / (nf * nt) / job->flops;

	return fmax((gather + reduce) / forward, (gather + scatter + reduce) / (2 * forward));
}

/* Layers are shared inside a node whichever split is best for this number of ranks, and so its rows are taken. */
static void most_ranks_of_splits_take_their_own_rows(void **state)
{
	static char text[32768];
	struct rows *rows = rows_of_two_nodes(text);
	struct plan_job job = with_layers(seven, 16, 2048);

	(void)state;
	job.params = 1e9;
	job.flops = 1e14;
	for (job.tokens = 2048; job.tokens <= 32768; job.tokens *= 4) {
		struct made *made = make_by(rows, (struct plan_options){ .np = 8 }, job);
		const struct plan_strategy *mixed = &made->plan.strategies[PLAN_MIXED];

		assert_int_equal(made->network.gpus_per_node, 4);
		assert_int_equal(mixed->nt, job.tokens > 4096 ? 1 : 2);
		assert_true(mixed->most_nt > 1.5 && mixed->most_nt <= 4 * (1 + 1e-9));
		assert_near(pressure_of(&job, mixed->most_nf, mixed->most_nt, 8), 1, 0.03);
		/* Scaled; shards of a node share its NICs. */
		assert_true(mixed->most_marks.scaled && mixed->most_marks.stand_in);
		unmake(made);
		/* Heads that no two ranks can share evenly leave one split. */
		job.shape.heads = 7;
		made = make_by(rows, (struct plan_options){ .np = 8 }, job);
		mixed = &made->plan.strategies[PLAN_MIXED];
		assert_int_equal(made->plan.nsplits, 1);
		assert_near(pressure_of(&job, mixed->most_nf, mixed->most_nt, 8), 1, 0.03);
		assert_true(mixed->most_marks.stand_in);
		unmake(made);
		job.shape.heads = 0;
	}
	rows_free(rows);
}

/* Pairs have slower links than all four ranks of a node. */
static void most_ranks_of_splits_take_rows_of_like_groups(void **state)
{
	static char text[32768];
	struct rows *rows = rows_of_two_nodes(text);
	struct plan_job job = with_layers(seven, 16, 2048);
	const struct plan_strategy *mixed;
	struct made *made;
	char error[200];

	(void)state;
	job.params = 1e9;
	job.flops = 1e14;
	snprintf(text, sizeof text, "schema,collective,nranks,nnodes,bytes,time_us,type,placement\n");
	add_rings(text, sizeof text, 2, 1, 3, 1e5);
	assert_int_equal(rows_parse(rows, "pairs.csv", text, strlen(text), error, sizeof error), 0);
	made = make_by(rows, (struct plan_options){ .np = 8 }, job);
	mixed = &made->plan.strategies[PLAN_MIXED];
	assert_true(mixed->most_nt > 3);
	assert_near(pressure_of(&job, mixed->most_nf, mixed->most_nt, 8), 1, 0.03);
	unmake(made);
	rows_free(rows);
}

/* The figures that follow from marked times carry their marks. */
static void conclusions_have_marks(void **state)
{
	static char text[32768];
	struct rows *rows = rows_of_two_nodes(text);
	struct plan_job job = with_layers(seven, 16, 2048);
	struct made *made;
	const struct plan_strategy *of;

	(void)state;
	job.params = 1e9;
	job.flops = 1e14;
	job.tokens = 32768;
	made = make_by(rows, (struct plan_options){ .np = 8 }, job);
	of = made->plan.strategies;
	assert_false(of[PLAN_DDP].marks.scaled || of[PLAN_DDP].break_even_marks.scaled);
	assert_true(of[PLAN_DDP].most_ranks > 8 && of[PLAN_DDP].most_marks.scaled && !of[PLAN_DDP].most_marks.stand_in);
	/* So few ranks have a node for themselves, which these rows have not. */
	assert_true(of[PLAN_TP].most_ranks < 4 && of[PLAN_TP].most_marks.stand_in);
	/* At any number of tokens: they are beyond all that was measured. */
	assert_true(isinf(of[PLAN_TP].break_even) && of[PLAN_TP].break_even_marks.extrapolated);
	unmake(made);
	/* So many ranks leave the node that was measured. */
	made = make_by(rows, (struct plan_options){ .np = 4 }, job);
	of = made->plan.strategies;
	assert_true(of[PLAN_DDP].most_ranks > 4 && of[PLAN_DDP].most_marks.stand_in && !of[PLAN_DDP].marks.stand_in);
	unmake(made);
	made = make_by(rows, (struct plan_options){ .np = 16 }, job);
	of = made->plan.strategies;
	assert_true(of[PLAN_DDP].marks.scaled && of[PLAN_DDP].break_even_marks.scaled);
	unmake(made);
	rows_free(rows);
}

/* Three ranks fit a node of which four were measured, whichever rows tell their time. */
static void a_node_has_all_ranks_that_it_was_seen_to_have(void **state)
{
	static char text[32768];
	struct plan_job job = with_layers(seven, 16, 2048);
	struct rows *rows = rows_new();
	const struct plan_strategy *ddp;
	struct made *made;
	char error[200];

	(void)state;
	job.params = 1e9;
	job.flops = 1e14;
	job.tokens = 1024;
	assert_non_null(rows);
	snprintf(text, sizeof text, "schema,collective,nranks,nnodes,bytes,time_us,type,placement\n");
	add_rings(text, sizeof text, 2, 1, 3, 1e5);
	add_rings(text, sizeof text, 4, 1, 3, 2e5);
	assert_int_equal(rows_parse(rows, "test.csv", text, strlen(text), error, sizeof error), 0);
	made = make_by(rows, (struct plan_options){ .np = 2 }, job);
	ddp = &made->plan.strategies[PLAN_DDP];
	assert_true(ddp->most_ranks > 2.5 && ddp->most_ranks < 4 && ddp->most_marks.scaled && !ddp->most_marks.stand_in);
	unmake(made);
	job.tokens = 4096;
	made = make_by(rows, (struct plan_options){ .np = 2 }, job);
	ddp = &made->plan.strategies[PLAN_DDP];
	assert_true(ddp->most_ranks > 4 && ddp->most_marks.stand_in);
	unmake(made);
	rows_free(rows);
}

/* A strategy whose times are not known has no figure that a mark could belong to. */
static void what_is_not_known_has_no_marks(void **state)
{
	static char text[32768];
	struct plan_job job = with_layers(seven, 16, 2048);
	struct rows *rows = rows_new();
	struct made *made;
	char error[200];

	(void)state;
	assert_non_null(rows);
	snprintf(text, sizeof text, "schema,collective,nranks,nnodes,bytes,time_us,type,placement\n");
	add_rings(text, sizeof text, 4, 1, 3, 2e5);
	/* Some other primitive. */
	for (char *at = text; (at = strstr(at, "reduce_scatter")) != NULL;)
		memcpy(at, "scatter_______", 14);
	assert_int_equal(rows_parse(rows, "test.csv", text, strlen(text), error, sizeof error), 0);
	made = make_by(rows, (struct plan_options){ .np = 8 }, job);
	assert_true(made->plan.strategies[PLAN_DDP].marks.scaled);
	assert_non_null(made->plan.strategies[PLAN_FSDP].error);
	assert_false(made->plan.strategies[PLAN_FSDP].marks.scaled);
	unmake(made);
	rows_free(rows);
}

/* Splits whose rows stand in are best with a doubt, which has its mark, and what may be better is named. */
static void splits_may_be_worse_than_they_look(void **state)
{
	static char text[32768];
	struct rows *rows = rows_of_two_nodes(text);
	struct plan_job job = with_layers(seven, 16, 2048);
	char sentence[600];

	(void)state;
	job.params = 1e9;
	job.flops = 1e14;
	for (job.tokens = 8192; job.tokens <= 32768; job.tokens *= 4) {
		struct made *made = make_by(rows, (struct plan_options){ .np = 8 }, job);
		const bool open = job.tokens > 10000;

		plan_splits_sentence(&made->plan, sentence, sizeof sentence);
		if (!strstr(sentence, open ? "Best: 8 x 1 with overlap, 4 x 2*! without. Rows stand in for those of 4 x 2 (!), "
					     "which may take longer: 8 x 1 ("
					   : "Best: 8 x 1 with overlap, 2 x 4*! without. Up to ") ||
		    !strstr(sentence, "*! ranks, as "))
			fail_msg("%s", sentence);
		unmake(made);
	}
	rows_free(rows);
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
		cmocka_unit_test(most_ranks_count_latency),
		cmocka_unit_test(most_ranks_without_latency_are_those_of_a_block),
		cmocka_unit_test(most_ranks_cross_the_nics),
		cmocka_unit_test(ties_go_to_the_one_that_stores_least),
		cmocka_unit_test(bound_is_what_stays_visible),
		cmocka_unit_test(most_ranks_of_splits_take_their_own_rows),
		cmocka_unit_test(most_ranks_of_splits_take_rows_of_like_groups),
		cmocka_unit_test(conclusions_have_marks),
		cmocka_unit_test(a_node_has_all_ranks_that_it_was_seen_to_have),
		cmocka_unit_test(what_is_not_known_has_no_marks),
		cmocka_unit_test(splits_may_be_worse_than_they_look),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
