/* SPDX-License-Identifier: Apache-2.0
 *
 * The cost models, proved: of every algorithm, for 1 to 33 ranks, a schedule is played message by message, and its rounds and bytes, counted, are those of
 * the formula. Only pipelines over trees may be faster than their formula says, and exactly where it says so.
 */
#include "collectives/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
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
	return !model->holds || model->holds(nranks);
}

/* Whether the formula is an upper bound there. */
static bool at_most(const char *algo, int nranks)
{
	if (strcmp(algo, "bintree_pipe") == 0)
		return nranks > 2 && !coll_is_power_of_two(nranks + 1);
	return strcmp(algo, "two_tree") == 0 && nranks > 2;
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
	if (counted > told * (1 + 1e-12) || (!at_most(algo, nranks) && counted < told * (1 - 1e-12)))
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(schedules_are_right_ones),
		cmocka_unit_test(counted_rounds_and_bytes_are_the_models),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
