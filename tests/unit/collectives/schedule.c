/* SPDX-License-Identifier: Apache-2.0
 *
 * The cost models, proved: of every algorithm, for 1 to 33 ranks, a schedule is played message by message, and its rounds and bytes, counted, are those of
 * the formula.
 */
#include "collectives/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 33 };

static const struct coll_link links[] = {
	{ .alpha = 1, .beta = 0, .gamma = 0 },
	{ .alpha = 0, .beta = 1, .gamma = 0 },
	{ .alpha = 0, .beta = 0, .gamma = 1 },
	{ .alpha = 5e-6, .beta = 1e-9, .gamma = 0 },
	{ .alpha = 1e-6, .beta = 3e-10, .gamma = 7e-10 },
};
static const double sizes[] = { 1, 48, 3000, 40000 };

static struct schedule make(const struct collective *coll, const char *algo, int nranks, int root, int segments)
{
	struct schedule schedule;
	char error[200] = "";

	if (schedule_make(coll, algo, nranks, root, segments, &schedule, error, sizeof(error)))
		fail_msg("%s %s of %d: %s", coll->name, algo, nranks, error);
	return schedule;
}

static bool applies(const struct collective *coll, const char *algo, int nranks)
{
	const struct coll_model *model = collective_model(coll, algo);

	assert_non_null(model);
	if (coll->cannot && coll->cannot(nranks))
		return false;
	return !model->holds || model->holds(nranks);
}

static void judge(const struct collective *coll, const char *algo, int nranks, int root, int segments)
{
	struct schedule schedule = make(coll, algo, nranks, root, segments);
	char error[200] = "";

	if (schedule_check(&schedule, error, sizeof(error)))
		fail_msg("%s %s of %d, root %d, %d segments: %s", coll->name, algo, nranks, root, segments, error);
	assert_string_equal(schedule.algo, algo);
	assert_int_equal(schedule.root, coll->flags & COLL_HAS_ROOT ? root : 0);
	schedule_clear(&schedule);
}

static void judge_roots(const struct collective *coll, const char *algo, int nranks, int segments)
{
	for (int root = 0; root<nranks; root += nranks> 8 ? 5 : 1) {
		if (root == 0 || coll->flags & COLL_HAS_ROOT)
			judge(coll, algo, nranks, root, segments);
	}
	if (coll->flags & COLL_HAS_ROOT)
		judge(coll, algo, nranks, nranks - 1, segments);
}

static void schedules_are_right_ones(void **state)
{
	(void)state;
	for (int c = 0; c < COLL_COUNT; c++) {
		const char *algo;

		for (size_t i = 0; (algo = schedule_algorithm(collectives[c], i)); i++) {
			for (int nranks = 1; nranks <= MOST; nranks++) {
				if (!applies(collectives[c], algo, nranks))
					continue;
				judge_roots(collectives[c], algo, nranks, 1);
				judge_roots(collectives[c], algo, nranks, 2);
				judge(collectives[c], algo, nranks, nranks / 2, 7);
			}
			judge(collectives[c], algo, SCHEDULE_MOST_RANKS, 0, 3);
			judge(collectives[c], algo, SCHEDULE_MOST_RANKS, SCHEDULE_MOST_RANKS - 1, 20);
		}
	}
}

/* Every algorithm that people name has one; bounds and ideals do not. */
static void all_algorithms_have_one(void **state)
{
	static const char *const none[] = { "lb", "lb_sum", "tree_ideal" };

	(void)state;
	for (int c = 0; c < COLL_COUNT; c++) {
		size_t count = 0;

		for (const struct coll_model *model = collectives[c]->models; model->name; model++) {
			bool ideal = false;

			for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
				ideal = ideal || strcmp(model->name, none[i]) == 0;
			if (ideal)
				continue;
			assert_non_null(schedule_algorithm(collectives[c], count));
			assert_string_equal(schedule_algorithm(collectives[c], count), model->name);
			count++;
		}
		assert_null(schedule_algorithm(collectives[c], count));
	}
}

/* Its table is searched, so all numbers of ranks are tried, and all ways in which segments and phases can meet. */
static void the_round_optimal_is_found_for_every_number_of_ranks(void **state)
{
	(void)state;
	for (int nranks = 1; nranks <= SCHEDULE_MOST_RANKS; nranks++) {
		for (int segments = 1; segments <= 14; segments++) {
			struct schedule schedule = make(collective_find("broadcast"), "round_optimal", nranks, nranks / 3,
							segments);

			assert_int_equal(schedule.nrounds, nranks == 1 ? 0 : segments - 1 + coll_log2_ceil(nranks));
			schedule_clear(&schedule);
			judge(collective_find("broadcast"), "round_optimal", nranks, nranks / 3, segments);
			judge(collective_find("reduce"), "round_optimal", nranks, nranks / 3, segments);
		}
	}
}

/* The rounds of a tree pipeline: two more for each segment after the first; with two ranks one a segment. */
static void check_tree(const char *algo, int nranks, int segments, int first, int parts)
{
	const struct collective *broadcast = collective_find("broadcast"), *reduce = collective_find("reduce");
	struct schedule down = make(broadcast, algo, nranks, 0, segments), up = make(reduce, algo, nranks, 0, segments);
	const int rounds = nranks == 2 ? segments : first + 2 * (segments - 1);
	const double wire = nranks == 2 ? 1 : (double)rounds / (parts * segments);

	assert_int_equal(down.nrounds, rounds);
	assert_int_equal(up.nrounds, rounds);
	assert_true(fabs(schedule_count(&down).wire - wire) < 1e-12 && schedule_count(&down).combined == 0);
	assert_true(fabs(schedule_count(&up).wire - wire) < 1e-12 && fabs(schedule_count(&up).combined - wire) < 1e-12);
	schedule_clear(&down);
	schedule_clear(&up);
}

/* Known depths, then all by the formula of cost.h, reckoned here in another way. */
static void rounds_of_trees_are_as_told(void **state)
{
	static const int known[][3] = { { 3, 2, 4 },   { 4, 2, 4 },   { 5, 3, 5 },   { 7, 4, 6 },    { 8, 4, 6 },
					{ 9, 4, 7 },   { 11, 5, 8 },  { 12, 5, 7 },  { 16, 6, 8 },   { 23, 7, 10 },
					{ 33, 8, 11 }, { 47, 9, 12 }, { 48, 9, 11 }, { 63, 10, 12 }, { 64, 10, 12 } };
	int deepest = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		check_tree("bintree_pipe", known[i][0], 1, known[i][1], 1);
		check_tree("two_tree", known[i][0], 1, known[i][2], 2);
	}
	for (int nranks = 2; nranks <= SCHEDULE_MOST_RANKS; nranks++) {
		const int log = (int)ceil(log2(nranks));
		int ones = -1, digits = -1;

		for (int rest = nranks; rest > 0; rest /= 2, digits++)
			ones += rest % 2;
		deepest = ones + digits > deepest ? ones + digits : deepest;
		for (int segments = 1; segments <= 40; segments++) {
			check_tree("bintree_pipe", nranks, segments, deepest, 1);
			check_tree("two_tree", nranks, segments, 2 * log - (1 << log != nranks && nranks % 4 != 3), 2);
		}
	}
}

/* What both trees of an all-reduce take, one after the other. */
static void two_trees_go_up_and_down(void **state)
{
	const struct collective *coll = collective_find("all_reduce");

	(void)state;
	for (int nranks = 2; nranks <= SCHEDULE_MOST_RANKS; nranks += 3) {
		for (int segments = 1; segments <= 40; segments += 13) {
			struct schedule both = make(coll, "two_tree", nranks, 0, segments);
			struct schedule down = make(collective_find("broadcast"), "two_tree", nranks, 0, segments);

			assert_int_equal(both.nrounds, 2 * down.nrounds);
			assert_true(fabs(schedule_count(&both).wire - 2 * schedule_count(&down).wire) < 1e-12);
			assert_true(fabs(schedule_count(&both).combined - schedule_count(&down).wire) < 1e-12);
			schedule_clear(&both);
			schedule_clear(&down);
		}
	}
}

static void compare(const struct collective *coll, const char *algo, int nranks, double bytes, const struct coll_link *link)
{
	double told = collective_model(coll, algo)->time(nranks, bytes, link), counted;
	int segments = schedule_segments(coll, algo, nranks, bytes, link);
	struct schedule schedule;

	/* Without latency a pipeline is cut byte by byte. */
	if (segments > 200)
		return;
	schedule = make(coll, algo, nranks, 0, segments);
	counted = schedule_time(&schedule, bytes, link);
	if (fabs(counted - told) > told * 1e-12)
		fail_msg("%s %s of %d ranks, %.0f bytes, alpha %g, beta %g, gamma %g, %d segments: told %.17g, counted %.17g",
			 coll->name, algo, nranks, bytes, link->alpha, link->beta, link->gamma, segments, told, counted);
	schedule_clear(&schedule);
}

static void counted_rounds_and_bytes_are_the_models(void **state)
{
	(void)state;
	for (int c = 0; c < COLL_COUNT; c++) {
		const char *algo;

		for (size_t i = 0; (algo = schedule_algorithm(collectives[c], i)); i++) {
			for (int nranks = 1; nranks <= MOST; nranks++) {
				for (size_t k = 0; k < 4 * sizeof(links) / sizeof(links[0]); k++) {
					if (applies(collectives[c], algo, nranks))
						compare(collectives[c], algo, nranks, sizes[k % 4], &links[k / 4]);
				}
			}
		}
	}
}

static double time_of(const struct collective *coll, const char *algo, int nranks, int segments, double bytes,
		      const struct coll_link *link)
{
	struct schedule schedule = make(coll, algo, nranks, 0, segments);
	double seconds = schedule_time(&schedule, bytes, link);

	schedule_clear(&schedule);
	return seconds;
}

/* No other number of segments is better: all are tried. */
static void the_best_segments_are_taken(void **state)
{
	static const char *const algos[] = { "ring_pipe", "round_optimal", "bintree_pipe", "two_tree" };
	static const int ranks[] = { 2, 3, 5, 7, 15, 16, 31 };

	(void)state;
	for (size_t i = 0; i < 2 * 4 * sizeof(ranks) / sizeof(ranks[0]); i++) {
		const struct collective *coll = collective_find(i % 2 ? "broadcast" : "reduce");
		const char *algo = algos[i / 2 % 4];
		int nranks = ranks[i / 8];

		for (double bytes = 1; bytes < 1e5; bytes *= 7) {
			const struct coll_link *link = &links[4];
			int taken = schedule_segments(coll, algo, nranks, bytes, link);
			double best = time_of(coll, algo, nranks, taken, bytes, link);

			for (int segments = 1; segments <= 40 && segments <= (int)bytes; segments++)
				assert_true(best <= time_of(coll, algo, nranks, segments, bytes, link) * (1 + 1e-12));
		}
	}
}

static void who_has_no_pipeline_takes_one_segment(void **state)
{
	(void)state;
	assert_int_equal(schedule_segments(collective_find("broadcast"), "binomial", 8, 1e9, &links[3]), 1);
	assert_int_equal(schedule_segments(collective_find("broadcast"), "two_tree", 2, 1e9, &links[3]), 1);
	assert_int_equal(schedule_segments(collective_find("broadcast"), "lb", 8, 1e9, &links[3]), 1);
	assert_int_equal(schedule_segments(collective_find("broadcast"), "ring_pipe", 8, 1e30, &links[1]), INT32_MAX);
}

/* As two schedules of one segment more or less say. */
static void who_has_a_pipeline_is_known(void **state)
{
	(void)state;
	for (int c = 0; c < COLL_COUNT; c++) {
		const char *algo;

		for (size_t i = 0; (algo = schedule_algorithm(collectives[c], i)); i++) {
			struct schedule two = make(collectives[c], algo, 8, 0, 2), three = make(collectives[c], algo, 8, 0, 3);

			assert_int_equal(schedule_segment_items(collectives[c], algo), three.nitems - two.nitems);
			schedule_clear(&two);
			schedule_clear(&three);
		}
		assert_int_equal(schedule_segment_items(collectives[c], "lb"), 0);
	}
	assert_int_equal(schedule_segment_items(collective_find("reduce"), "two_tree"), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(schedules_are_right_ones),
		cmocka_unit_test(all_algorithms_have_one),
		cmocka_unit_test(the_round_optimal_is_found_for_every_number_of_ranks),
		cmocka_unit_test(rounds_of_trees_are_as_told),
		cmocka_unit_test(two_trees_go_up_and_down),
		cmocka_unit_test(counted_rounds_and_bytes_are_the_models),
		cmocka_unit_test(the_best_segments_are_taken),
		cmocka_unit_test(who_has_no_pipeline_takes_one_segment),
		cmocka_unit_test(who_has_a_pipeline_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
