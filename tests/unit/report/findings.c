/* SPDX-License-Identifier: Apache-2.0
 *
 * What is found in curves: each oddity once, at its place; nothing in clean runs and in noisy ones.
 */
#include "findings_run.h"

static void clean_runs_have_none(void **state)
{
	static const int ranks[] = { 2, 3, 6, 8, 48, 128 };
	static const double steps[] = { 2, 4, 8 };

	(void)state;
	for (size_t r = 0; r < sizeof ranks / sizeof *ranks; r++) {
		for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
			struct findings_run run = findings_clean;
			struct studied studied;

			run.nranks = ranks[r];
			run.step = steps[s];
			run.interval = s == 0 ? 0 : 0.001;
			findings_study(&run, &studied);
			findings_none(&studied, FINDING_NOTE);
			study_end(&studied);
		}
	}
}

/* Intervals are far too narrow on purpose: samples of one launch say little of the next. */
static void noise_is_no_warning(void **state)
{
	static const double noises[] = { 0.01, 0.02 };
	static const double intervals[] = { 0.0005, 0.02, -1 };

	(void)state;
	for (uint64_t seed = 1; seed <= 30; seed++) {
		struct findings_run run = findings_clean;
		struct studied studied;

		run.nranks = seed % 2 ? 8 : 6;
		run.step = seed % 3 ? 2 : 4;
		run.noise = noises[seed % 2];
		run.launch_noise = 0.03;
		run.interval = intervals[seed % 3];
		run.seed = seed;
		findings_study(&run, &studied);
		findings_none(&studied, FINDING_WARNING);
		study_end(&studied);
	}
}

static double make_cliff(int exponent, double factor, enum coll_id coll, bool in_place, double bytes, double time)
{
	return coll == COLL_ALL_GATHER && !in_place && bytes == ldexp(1, exponent) ? time * factor : time;
}

static double cliff_early(enum coll_id coll, bool in_place, double bytes, double time)
{
	return make_cliff(8, 2, coll, in_place, bytes, time);
}

static double cliff_amid(enum coll_id coll, bool in_place, double bytes, double time)
{
	return make_cliff(16, 1.8, coll, in_place, bytes, time);
}

static double cliff_late(enum coll_id coll, bool in_place, double bytes, double time)
{
	return make_cliff(25, 2, coll, in_place, bytes, time);
}

static double no_cliff(enum coll_id coll, bool in_place, double bytes, double time)
{
	return make_cliff(16, 1.19, coll, in_place, bytes, time);
}

static void one_slow_size_is_a_cliff(void **state)
{
	static double (*const changes[])(enum coll_id, bool, double, double) = { cliff_early, cliff_amid, cliff_late };
	static const char *const sizes[] = { "256 B", "64 KiB", "32 MiB" };
	struct studied studied;
	char words[128];

	(void)state;
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		findings_changed(changes[i], &studied);
		snprintf(words, sizeof words, "all_gather (out-of-place, 8 ranks, float): a cliff at %s: ", sizes[i]);
		assert_true(study_found(&studied, FINDING_WARNING, words));
		assert_int_equal(findings_count(&studied, "cliff"), 1);
		assert_int_equal(findings_count(&studied, " a step from"), 0);
		study_end(&studied);
	}
	findings_changed(no_cliff, &studied);
	findings_none(&studied, FINDING_NOTE);
	study_end(&studied);
}

static double slow_stretch(enum coll_id coll, bool in_place, double bytes, double time)
{
	return coll == COLL_SENDRECV && in_place && bytes >= 4096 && bytes <= 16384 ? time * 3 : time;
}

static void a_few_slow_sizes_are_one_cliff(void **state)
{
	struct studied studied;

	(void)state;
	findings_changed(slow_stretch, &studied);
	assert_true(study_found(&studied, FINDING_WARNING, "sendrecv (in-place, 8 ranks, float): a cliff at "));
	assert_int_equal(findings_count(&studied, "(3 sizes in a row, this the worst)"), 1);
	assert_int_equal(findings_count(&studied, " a step from"), 0);
	study_end(&studied);
}

static double lasting_step(enum coll_id coll, bool in_place, double bytes, double time)
{
	return coll == COLL_BROADCAST && !in_place && bytes >= 32768 ? time * 3 : time;
}

static double mild_step(enum coll_id coll, bool in_place, double bytes, double time)
{
	return coll == COLL_BROADCAST && !in_place && bytes >= 32768 ? time * 1.7 : time;
}

static double last_step(enum coll_id coll, bool in_place, double bytes, double time)
{
	return coll == COLL_BROADCAST && !in_place && bytes == 1 << 26 ? time * 2 : time;
}

static void a_step_that_lasts_is_told_with_both_sizes(void **state)
{
	struct studied studied;

	(void)state;
	findings_changed(lasting_step, &studied);
	assert_true(study_found(&studied, FINDING_WARNING,
				"broadcast (out-of-place, 8 ranks, float): a step from 16 KiB to 32 KiB that lasts: "));
	assert_true(study_found(&studied, FINDING_WARNING, "calls of 16 KiB one after the other are faster"));
	assert_int_equal(findings_count(&studied, "cliff"), 0);
	assert_int_equal(findings_count(&studied, " a step from"), 1);
	study_end(&studied);
	findings_changed(mild_step, &studied);
	assert_true(study_found(&studied, FINDING_NOTE, "a step from 16 KiB to 32 KiB that lasts: "));
	assert_int_equal(findings_count(&studied, "one after the other are faster"), 0);
	study_end(&studied);
	findings_changed(last_step, &studied);
	assert_true(study_found(&studied, FINDING_WARNING, "a step from 32 MiB to 64 MiB, the largest size: "));
	study_end(&studied);
}

static double early_step(enum coll_id coll, bool in_place, double bytes, double time)
{
	return coll == COLL_SENDRECV && !in_place && bytes >= 16 ? time * 4 : time;
}

static double step_and_cliff(enum coll_id coll, bool in_place, double bytes, double time)
{
	if (coll != COLL_SENDRECV || in_place || bytes < 1024)
		return time;
	return bytes == 2048 ? time * 7.2 : time * 4;
}

static void a_step_is_where_a_new_law_begins(void **state)
{
	struct studied studied;

	(void)state;
	findings_changed(early_step, &studied);
	assert_int_equal(findings_count(&studied, "a step from 8 B to 16 B that lasts"), 1);
	assert_int_equal(findings_count(&studied, "cliff"), 0);
	study_end(&studied);
	findings_changed(step_and_cliff, &studied);
	assert_int_equal(findings_count(&studied, "a step from 512 B to 1 KiB that lasts"), 1);
	assert_int_equal(findings_count(&studied, "a cliff at 2 KiB"), 1);
	study_end(&studied);
}

static double one_fast(enum coll_id coll, bool in_place, double bytes, double time)
{
	return coll == COLL_REDUCE && in_place && bytes == 1 << 22 ? time / 1.7 : time;
}

static void a_fast_size_makes_no_other_slow(void **state)
{
	struct studied studied;

	(void)state;
	findings_changed(one_fast, &studied);
	assert_int_equal(findings_count(&studied, "cliff"), 0);
	assert_int_equal(findings_count(&studied, " a step from"), 0);
	study_end(&studied);
}

static double slow_start(enum coll_id coll, bool in_place, double bytes, double time)
{
	return coll == COLL_SENDRECV && !in_place && bytes <= 16 ? time * 1.6 : time;
}

static double small_start(enum coll_id coll, bool in_place, double bytes, double time)
{
	return coll == COLL_SENDRECV && !in_place && bytes <= 16 ? time * 1.2 : time;
}

static void small_sizes_slower_than_larger_ones_are_found(void **state)
{
	struct studied studied;

	(void)state;
	findings_changed(slow_start, &studied);
	assert_true(study_found(
		&studied, FINDING_WARNING,
		"sendrecv (out-of-place, 8 ranks, float): 2 of 24 sizes are slower than a larger one: 16 B takes 8 us"));
	assert_int_equal(findings_count(&studied, "too little warm-up"), 1);
	study_end(&studied);
	findings_changed(small_start, &studied);
	assert_int_equal(findings_count(&studied, "slower than a larger one"), 0);
	study_end(&studied);
}

static void what_intervals_leave_open_is_not_told(void **state)
{
	static double (*const changes[])(enum coll_id, bool, double, double) = { cliff_amid, lasting_step, slow_start };

	(void)state;
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		struct findings_run run = findings_clean;
		struct studied studied;

		run.interval = 0.6;
		run.change = changes[i];
		findings_study(&run, &studied);
		findings_none(&studied, FINDING_NOTE);
		study_end(&studied);
	}
}

static double slow_in_place(enum coll_id coll, bool in_place, double bytes, double time)
{
	return coll == COLL_ALLTOALL && in_place && bytes >= 1024 ? time * 1.4 : time;
}

static double slow_small_in_place(enum coll_id coll, bool in_place, double bytes, double time)
{
	return coll == COLL_ALLTOALL && in_place && bytes < 4096 ? time * 1.25 : time;
}

static void placements_apart_are_found(void **state)
{
	struct studied studied;

	(void)state;
	findings_changed(slow_in_place, &studied);
	assert_true(
		study_found(&studied, FINDING_WARNING,
			    "alltoall (out-of-place, 8 ranks, float): in-place and out-of-place are over 20 % apart at 15 of 15 "
			    "sizes from 4 KiB on: at "));
	assert_int_equal(findings_count(&studied, "in-place takes"), 1);
	assert_int_equal(studied.findings.count, 1);
	study_end(&studied);
	findings_changed(slow_small_in_place, &studied);
	findings_none(&studied, FINDING_NOTE);
	study_end(&studied);
}

static double slow_all_reduce(enum coll_id coll, bool in_place, double bytes, double time)
{
	(void)in_place, (void)bytes;
	return coll == COLL_ALL_REDUCE ? time * 1.5 : time;
}

static double slow_reduce_scatter(enum coll_id coll, bool in_place, double bytes, double time)
{
	(void)in_place, (void)bytes;
	return coll == COLL_REDUCE_SCATTER ? time * 1.5 : time;
}

static void all_reduce_and_reduce_scatter_should_meet(void **state)
{
	static const char *const words = "all_reduce and reduce_scatter (out-of-place, 8 ranks, float sum) do not meet: busbw ";
	struct findings_run run = findings_clean;
	struct studied studied;

	(void)state;
	run.last = 1 << 30;
	run.change = slow_all_reduce;
	findings_study(&run, &studied);
	assert_true(study_found(&studied, FINDING_WARNING, words));
	study_end(&studied);
	run.change = slow_reduce_scatter;
	findings_study(&run, &studied);
	assert_true(study_found(&studied, FINDING_WARNING, words));
	study_end(&studied);
	/* Where the sweep ends before they level off, they need not. */
	run.last = 1 << 20;
	findings_study(&run, &studied);
	assert_int_equal(findings_count(&studied, "do not meet"), 0);
	study_end(&studied);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clean_runs_have_none),
		cmocka_unit_test(noise_is_no_warning),
		cmocka_unit_test(one_slow_size_is_a_cliff),
		cmocka_unit_test(a_few_slow_sizes_are_one_cliff),
		cmocka_unit_test(a_step_that_lasts_is_told_with_both_sizes),
		cmocka_unit_test(a_step_is_where_a_new_law_begins),
		cmocka_unit_test(a_fast_size_makes_no_other_slow),
		cmocka_unit_test(small_sizes_slower_than_larger_ones_are_found),
		cmocka_unit_test(what_intervals_leave_open_is_not_told),
		cmocka_unit_test(placements_apart_are_found),
		cmocka_unit_test(all_reduce_and_reduce_scatter_should_meet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
