/* SPDX-License-Identifier: Apache-2.0
 *
 * busbw factors against the published table, and what must be true of every cost model: worked numbers, crossovers,
 * lower bounds, growth with the size, best numbers of segments, and the edges of its range.
 */
#include "collectives/collective.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <math.h>
#include <string.h>

static const struct coll_link machine = { .alpha = 5e-6, .beta = 1 / 100e9, .gamma = 0 };
static const struct coll_link reducing = { .alpha = 5e-6, .beta = 1 / 100e9, .gamma = 2e-12 };

static const int ranks[] = { 2, 3, 4, 5, 6, 7, 8, 12, 64, 1000, 1024, INT_MAX };
enum { RANKS = sizeof(ranks) / sizeof(ranks[0]) };

static double seconds(const char *coll, const char *model, int nranks, double bytes, const struct coll_link *link)
{
	return collective_model(collective_find(coll), model)->time(nranks, bytes, link);
}

static void assert_close(double got, double want, double tolerance)
{
	if (!(fabs(got - want) <= tolerance * fabs(want)))
		fail_msg("%.17g, not %.17g", got, want);
}

struct factors {
	const char *coll;
	double at_2, at_3, at_4, at_8;
};

static const struct factors published[] = {
	{ "broadcast", 1, 1, 1, 1 },
	{ "scatter", 0.5, 0.66666666666666667, 0.75, 0.875 },
	{ "gather", 0.5, 0.66666666666666667, 0.75, 0.875 },
	{ "reduce", 1, 1, 1, 1 },
	{ "all_gather", 0.5, 0.66666666666666667, 0.75, 0.875 },
	{ "reduce_scatter", 0.5, 0.66666666666666667, 0.75, 0.875 },
	{ "all_reduce", 1, 1.33333333333333333, 1.5, 1.75 },
	{ "alltoall", 0.5, 0.66666666666666667, 0.75, 0.875 },
	{ "sendrecv", 1, 1, 1, 1 },
	{ "alltoallv", 0.5, 0.66666666666666667, 0.75, 0.875 },
	{ "barrier", 0, 0, 0, 0 },
	{ "hypercube", 1, 1, 1, 1 },
};

static void bus_factors_are_the_published(void **state)
{
	(void)state;
	assert_int_equal(sizeof(published) / sizeof(published[0]), COLL_COUNT);
	for (int c = 0; c < COLL_COUNT; c++) {
		double (*factor)(int) = collective_find(published[c].coll)->bus_factor;

		assert_close(factor(2), published[c].at_2, 1e-12);
		assert_close(factor(3), published[c].at_3, 1e-12);
		assert_close(factor(4), published[c].at_4, 1e-12);
		assert_close(factor(8), published[c].at_8, 1e-12);
	}
}

struct worked {
	const char *coll, *model;
	int nranks;
	double bytes, us;
};

static const double mib = 1 << 20, gib = 1 << 30;

/* To six digits, 5 us and 100 GB/s. */
static const struct worked numbers[] = {
	{ "all_reduce", "ring", 8, mib, 88.3501 },
	{ "all_reduce", "binomial", 3, gib, 42969.7 },
	{ "all_reduce", "tree_ideal", 1024, mib, 120.972 },
	{ "all_reduce", "recdbl", 3, mib, 46.4573 },
	{ "all_reduce", "rabenseifner", 3, gib, 32232.3 },
	{ "all_reduce", "circulant", 1024, gib, 21553.9 },
	{ "all_reduce", "naive", 8, mib, 216.801 },
	{ "all_reduce", "lb_sum", 4, mib, 25.7286 },
	{ "all_reduce", "lb", 3, mib, 13.981 },
	{ "broadcast", "ring", 4, mib, 46.4573 },
	{ "broadcast", "ring_pipe", 1024, gib, 30662 },
	{ "broadcast", "scatter_allgather", 8, gib, 18840.5 },
	{ "reduce", "ring_pipe", 3, mib, 30.7286 },
	{ "reduce", "rs_gather", 4, mib, 40.7286 },
	{ "scatter", "ring", 8, gib, 9430.24 },
	{ "gather", "binomial", 1024, mib, 60.4755 },
	{ "all_gather", "tree", 8, mib, 70.6323 },
	{ "all_gather", "recdbl", 8, mib, 24.175 },
	{ "reduce_scatter", "rechalving", 3, mib, 35.9715 },
	{ "reduce_scatter", "naive", 8, gib, 84627.2 },
	{ "alltoall", "bruck", 1024, gib, 53737.1 },
	{ "alltoall", "pairwise", 3, 8, 10.0001 },
	{ "sendrecv", "p2p", 3, mib, 15.4858 },
	{ "alltoallv", "pairwise", 3, 8, 10.0001 },
	{ "barrier", "dissemination", 5, mib, 15 },
	{ "hypercube", "recdbl", 8, mib, 25.4858 },
	{ "hypercube", "lb", 8, mib, 15 },
};

static void worked_numbers(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		const struct worked *w = &numbers[i];

		assert_close(seconds(w->coll, w->model, w->nranks, w->bytes, &machine) * 1e6, w->us, 5.1e-6);
	}
}

/*
 * What theory says of trees is an estimate from above, published in the same table: `deep` rounds twice over, of which the schedule needs up to 3 fewer (in
 * an all-reduce twice as many).
 */
struct estimated {
	const char *coll, *model;
	int nranks;
	double deep, halves, times; /* rounds before the first segment, over 2; trees; ways */
	double bytes, us;
};

static const struct estimated estimates[] = {
	{ "all_reduce", "two_tree", 8, 3, 2, 2, mib, 152.429 },    { "all_reduce", "two_tree", 3, 2, 2, 2, gib, 23368.5 },
	{ "all_reduce", "two_tree", 1024, 10, 2, 2, 8, 220.002 },  { "broadcast", "bintree_pipe", 8, 2, 1, 1, mib, 81.943 },
	{ "broadcast", "bintree_pipe", 4, 1, 1, 1, gib, 22411.7 }, { "broadcast", "bintree_pipe", 1024, 9, 1, 1, mib, 198.157 },
	{ "broadcast", "two_tree", 1024, 10, 2, 1, mib, 175.438 }, { "broadcast", "two_tree", 4, 2, 2, 1, gib, 11684.3 },
};

static double estimate(const struct estimated *e)
{
	double best = INFINITY;

	for (int m = 1; m <= 20000 && m <= e->bytes; m++)
		best = fmin(best, 2 * e->times * (e->deep + m) * (machine.alpha + e->bytes * machine.beta / (e->halves * m)));
	return best;
}

static void trees_are_no_slower_than_estimated(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(estimates) / sizeof(estimates[0]); i++) {
		const struct estimated *e = &estimates[i];
		const double told = seconds(e->coll, e->model, e->nranks, e->bytes, &machine), above = estimate(e);

		assert_close(above * 1e6, e->us, 5.1e-6);
		assert_true(told <= above && told >= above * (1 - 3 / (2 * (e->deep + 1))));
	}
}

struct crossover {
	const char *coll, *below, *above;
	int nranks;
	double per_alpha_bandwidth; /* the size where both take as long, over alpha * B */
	double bytes;               /* the same, as published */
};

static const struct crossover crossovers[] = {
	{ "all_reduce", "tree_ideal", "ring", 4, 4, 2.0e6 },
	{ "all_reduce", "tree_ideal", "ring", 8, 8 * 4, 16.0e6 },
	{ "all_reduce", "binomial", "ring", 8, 4 / (3 - 0.875), 941176 },
	{ "all_reduce", "recdbl", "ring", 4, (6 - 2) / (2 - 1.5), 4.0e6 },
	{ "all_reduce", "recdbl", "ring", 8, (14 - 3) / (3 - 1.75), 4.4e6 },
	{ "all_reduce", "binomial", "ring", 64, 57 / (6 - 63 / 64.0), 5682243 },
	{ "alltoall", "bruck", "pairwise", 8, 4 / ((12 - 7) / 8.0), 3.2e6 },
	{ "alltoall", "bruck", "pairwise", 64, 57 / ((192 - 63) / 64.0), 14139535 },
	{ "broadcast", "binomial", "scatter_allgather", 3, 2 / (2 - 4 / 3.0), 1.5e6 },
	{ "broadcast", "binomial", "scatter_allgather", 8, 7 / (3 - 1.75), 2.8e6 },
};

static void models_cross_where_they_should(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(crossovers) / sizeof(crossovers[0]); i++) {
		const struct crossover *x = &crossovers[i];
		double at = x->per_alpha_bandwidth * machine.alpha / machine.beta;

		assert_close(at, x->bytes, 1e-6);
		assert_close(seconds(x->coll, x->below, x->nranks, at, &machine),
			     seconds(x->coll, x->above, x->nranks, at, &machine), 1e-9);
		assert_true(seconds(x->coll, x->below, x->nranks, at / 2, &machine) <
			    seconds(x->coll, x->above, x->nranks, at / 2, &machine));
		assert_true(seconds(x->coll, x->below, x->nranks, at * 2, &machine) >
			    seconds(x->coll, x->above, x->nranks, at * 2, &machine));
	}
}

typedef void model_check(const struct collective *coll, const struct coll_model *model, int nranks);

static void for_each_model(model_check *check)
{
	for (int c = 0; c < COLL_COUNT; c++) {
		for (const struct coll_model *model = collectives[c]->models; model->name; model++) {
			for (int n = 0; n < RANKS; n++) {
				if (!model->holds || model->holds(ranks[n]))
					check(collectives[c], model, ranks[n]);
			}
		}
	}
}

/* Nothing is faster than the bound, and no bound lets busbw exceed the link. */
static void check_bound(const struct collective *coll, const struct coll_model *model, int nranks)
{
	const struct coll_link links[] = { machine, reducing, { 0, machine.beta, 0 }, { 0, machine.beta, 1e-9 } };

	for (size_t l = 0; l < sizeof(links) / sizeof(links[0]); l++) {
		for (double bytes = 1; bytes < 1e19; bytes *= 8) {
			double bound = collective_model(coll, "lb")->time(nranks, bytes, &links[l]);

			assert_true(bound >= bytes * coll->bus_factor(nranks) * links[l].beta * (1 - 1e-12));
			if (!(model->time(nranks, bytes, &links[l]) >= bound * (1 - 1e-12)))
				fail_msg("%s %s is below lb: nranks %d, bytes %.0f", coll->name, model->name, nranks, bytes);
		}
	}
}

static void no_model_is_below_the_bound(void **state)
{
	(void)state;
	for_each_model(check_bound);
}

static void check_growth(const struct collective *coll, const struct coll_model *model, int nranks)
{
	double before = model->time(nranks, 0, &reducing);

	for (double power = 1; power < 1e19; power *= 4) {
		for (int more = -1; more <= 1; more++) {
			double now = model->time(nranks, power + more, &reducing);

			if (!(now >= before * (1 - 1e-14)) || !isfinite(now))
				fail_msg("%s %s falls at %.0f bytes, nranks %d", coll->name, model->name, power + more, nranks);
			before = now;
		}
	}
}

static void times_grow_with_the_size(void **state)
{
	(void)state;
	for_each_model(check_growth);
}

static void check_edges(const struct collective *coll, const struct coll_model *model, int nranks)
{
	const struct coll_link latency = { .alpha = reducing.alpha }, twice = { .alpha = 2 * reducing.alpha };
	double empty = model->time(nranks, 0, &reducing);

	(void)coll;
	assert_true(empty > 0 && isfinite(empty));
	assert_close(model->time(nranks, 0, &latency), empty, 0);
	assert_close(model->time(nranks, 0, &twice), 2 * empty, 0);
	assert_true(isfinite(model->time(nranks, ldexp(1, 63), &reducing)));
	assert_true(model->time(1, 0, &reducing) == 0 && model->time(1, mib, &reducing) == 0);
	assert_true(model->time(nranks, 0, &(struct coll_link){ 0, 0, 0 }) == 0);
	assert_true(model->time(nranks, mib, &(struct coll_link){ 0, 0, 0 }) == 0);
}

static void empty_calls_cost_latency_only(void **state)
{
	(void)state;
	for_each_model(check_edges);
}

/* A pipelined schedule: (fill + m) steps of a message of 1/(m * halves) of the work, `times` over. */
struct schedule {
	const char *model;
	int nranks;
	double fill, times, halves;
};

static const struct schedule schedules[] = {
	{ "ring_pipe", 3, 1, 1, 1 },     { "ring_pipe", 5, 3, 1, 1 },     { "ring_pipe", 8, 6, 1, 1 },
	{ "bintree_pipe", 3, 0, 2, 1 },  { "bintree_pipe", 5, .5, 2, 1 }, { "bintree_pipe", 8, 1, 2, 1 },
	{ "two_tree", 3, 1, 2, 2 },      { "two_tree", 5, 1.5, 2, 2 },    { "two_tree", 8, 2, 2, 2 },
	{ "round_optimal", 3, 1, 1, 1 }, { "round_optimal", 5, 2, 1, 1 }, { "round_optimal", 8, 2, 1, 1 },
};

static double best_of_all(const struct schedule *s, double work, double bytes, double alpha)
{
	double best = INFINITY;

	for (int m = 1; m <= 3000 && m <= fmax(bytes, 1); m++)
		best = fmin(best, s->times * (s->fill + m) * (alpha + work / (m * s->halves)));
	return best;
}

static void segments_are_the_best_number(void **state)
{
	static const double sizes[] = { 0, 1, 3, 8, 4096, 1 << 20, 1 << 24 };

	(void)state;
	for (size_t i = 0; i < sizeof(schedules) / sizeof(schedules[0]); i++) {
		const struct schedule *s = &schedules[i];

		for (size_t b = 0; b < sizeof(sizes) / sizeof(sizes[0]); b++) {
			for (double alpha = 5e-12; alpha < 1e-4; alpha *= 10) {
				struct coll_link link = { .alpha = alpha, .beta = 1e-11, .gamma = 1e-11 };
				double work = sizes[b] * link.beta;

				if (sqrt(s->fill * work / alpha) > 2900)
					continue;
				assert_close(seconds("broadcast", s->model, s->nranks, sizes[b], &link),
					     best_of_all(s, work, sizes[b], alpha), 1e-12);
				assert_close(seconds("reduce", s->model, s->nranks, sizes[b] / 2, &link),
					     best_of_all(s, work, floor(sizes[b] / 2), alpha), 1e-12);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bus_factors_are_the_published),      cmocka_unit_test(worked_numbers),
		cmocka_unit_test(trees_are_no_slower_than_estimated), cmocka_unit_test(models_cross_where_they_should),
		cmocka_unit_test(no_model_is_below_the_bound),        cmocka_unit_test(times_grow_with_the_size),
		cmocka_unit_test(empty_calls_cost_latency_only),      cmocka_unit_test(segments_are_the_best_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
