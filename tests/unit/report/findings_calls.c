/* SPDX-License-Identifier: Apache-2.0
 *
 * What is found between calls and in rows: guidelines, slow ranks and their hosts, flags, comparisons of one launch, and how much is told.
 */
#include "findings_run.h"

#include "report/finding_parts.h"

/* Which primitive is slow, by a factor that the sum of two others cannot explain. */
static double slow_one(enum coll_id slow, enum coll_id coll, double time)
{
	return coll == slow ? time * 4 : time;
}

static double slow_reduce(enum coll_id coll, bool in_place, double bytes, double time)
{
	(void)in_place, (void)bytes;
	return slow_one(COLL_REDUCE, coll, time);
}

static double slow_gather(enum coll_id coll, bool in_place, double bytes, double time)
{
	(void)in_place, (void)bytes;
	return slow_one(COLL_GATHER, coll, time);
}

static double slow_scatter(enum coll_id coll, bool in_place, double bytes, double time)
{
	(void)in_place, (void)bytes;
	return slow_one(COLL_SCATTER, coll, time);
}

static double slow_reduce_scatter(enum coll_id coll, bool in_place, double bytes, double time)
{
	(void)in_place, (void)bytes;
	return slow_one(COLL_REDUCE_SCATTER, coll, time);
}

static double slow_all_gather(enum coll_id coll, bool in_place, double bytes, double time)
{
	(void)in_place, (void)bytes;
	return slow_one(COLL_ALL_GATHER, coll, time);
}

static double slow_all_reduce(enum coll_id coll, bool in_place, double bytes, double time)
{
	(void)in_place, (void)bytes;
	return slow_one(COLL_ALL_REDUCE, coll, time);
}

static double slow_broadcast(enum coll_id coll, bool in_place, double bytes, double time)
{
	(void)in_place, (void)bytes;
	return slow_one(COLL_BROADCAST, coll, time);
}

static void each_guideline_is_checked(void **state)
{
	static const struct {
		double (*change)(enum coll_id, bool, double, double);
		const char *words;
	} cases[] = {
		{ slow_reduce, "reduce (out-of-place, 8 ranks, float sum) is slower than all_reduce at " },
		{ slow_reduce, "reduce (out-of-place, 8 ranks, float sum) is slower than reduce_scatter and gather at " },
		{ slow_gather, "gather (out-of-place, 8 ranks, float) is slower than all_gather at 20 of 20 sizes" },
		{ slow_scatter, "scatter (out-of-place, 8 ranks, float) is slower than broadcast at " },
		{ slow_reduce_scatter,
		  "reduce_scatter (out-of-place, 8 ranks, float sum) is slower than all_reduce at 20 of 20 sizes" },
		{ slow_reduce_scatter,
		  "reduce_scatter (out-of-place, 8 ranks, float sum) is slower than reduce and scatter at " },
		{ slow_all_gather, "all_gather (out-of-place, 8 ranks, float) is slower than alltoall at 20 of 20 sizes" },
		{ slow_all_gather, "all_gather (out-of-place, 8 ranks, float) is slower than gather and broadcast at " },
		{ slow_all_reduce,
		  "all_reduce (out-of-place, 8 ranks, float sum) is slower than reduce_scatter and all_gather at 20 of" },
		{ slow_all_reduce, "all_reduce (out-of-place, 8 ranks, float sum) is slower than reduce and broadcast at " },
		{ slow_broadcast, "broadcast (out-of-place, 8 ranks, float) is slower than scatter and all_gather at " },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct studied studied;

		findings_changed(cases[i].change, &studied);
		if (!study_found(&studied, FINDING_WARNING, cases[i].words))
			fail_msg("not found: %s", cases[i].words);
		study_end(&studied);
	}
}

static double slightly_slow(enum coll_id coll, bool in_place, double bytes, double time)
{
	(void)in_place, (void)bytes;
	return coll == COLL_GATHER ? time * 1.2 : time;
}

/* A fifth is what single launches differ by; of three each it counts. */
static void launches_make_guidelines_sharper(void **state)
{
	static const struct report_options fitted = { 0 };
	struct findings_run run = findings_clean;
	struct study_text text;
	struct studied studied;

	(void)state;
	run.change = slightly_slow;
	findings_study(&run, &studied);
	findings_none(&studied, FINDING_NOTE);
	study_end(&studied);
	findings_open(&text);
	for (int launch = 0; launch < 3; launch++) {
		run.run = (const char *[]){ "r1", "r2", "r3" }[launch];
		for (enum coll_id c = 0; c < COLL_ALLTOALLV; c++)
			findings_sweep(&text, &run, c);
	}
	study_read(&text, &fitted, &studied);
	assert_true(study_found(&studied, FINDING_WARNING,
				"gather (out-of-place, 8 ranks, float) is slower than all_gather at 20 of 20"));
	assert_int_equal(findings_count(&studied, "run/x.csv, 3 launches"), 2);
	study_end(&studied);
}

static double twice(enum coll_id coll, bool in_place, double bytes, double time)
{
	(void)coll, (void)in_place, (void)bytes;
	return 2 * time;
}

static double slightly_slower(enum coll_id coll, bool in_place, double bytes, double time)
{
	(void)coll, (void)in_place, (void)bytes;
	return 1.4 * time;
}

static double twice_at_few(enum coll_id coll, bool in_place, double bytes, double time)
{
	(void)coll, (void)in_place;
	return bytes <= 256 ? 2 * time : time;
}

/* Of another type: rows of one machine, and of a curve of their own. */
static void study_sendrecv_of(struct study_text *text, const char *type, double factor)
{
	for (int i = 0; i <= 20; i++)
		fprintf(text->out, "1,,,r1,sendrecv,mpi,,8,1,%s,,,out-of-place,%.0f,%.9g,,,,,,,0,\n", type, ldexp(8, i),
			factor * (5 + ldexp(8, i) / 1e5));
}

static void launches_that_differ_are_told(void **state)
{
	static const struct report_options fitted = { 0 };
	struct findings_run run = findings_clean;
	struct study_text text;
	struct studied studied;

	(void)state;
	for (int each = 0; each < 3; each++) {
		findings_open(&text);
		findings_sweep(&text, &run, COLL_SENDRECV);
		run.run = "r2";
		run.change = each == 0 ? twice : each == 1 ? slightly_slower : twice_at_few;
		findings_sweep(&text, &run, COLL_SENDRECV);
		study_read(&text, &fitted, &studied);
		assert_int_equal(findings_count(&studied, "launches of sendrecv ("), each == 0 ? 2 : 0);
		assert_int_equal(study_found(&studied, FINDING_WARNING,
					     "launches of sendrecv (out-of-place, 8 ranks, float) differ up to 2 times at 8 B: "),
				 each == 0);
		study_end(&studied);
		run = findings_clean;
	}
	/* Another type's, which the same alpha and B come from. */
	findings_open(&text);
	study_sendrecv_of(&text, "float", 1);
	study_sendrecv_of(&text, "double", 3);
	study_read(&text, &fitted, &studied);
	assert_true(study_found(&studied, FINDING_WARNING, "launches of sendrecv that one alpha and B are fitted to ("));
	assert_true(study_found(&studied, FINDING_WARNING, "differ up to 3 times at "));
	study_end(&studied);
}

static double slow_at_one_size(enum coll_id coll, bool in_place, double bytes, double time)
{
	return coll == COLL_GATHER && !in_place && bytes == 1 << 26 ? time * 1.4 : time;
}

static void other_settings_are_not_held_against_each_other(void **state)
{
	static const struct report_options fitted = { 0 };
	struct findings_run fast = findings_clean, slow = findings_clean;
	struct study_text text;
	struct studied studied;

	(void)state;
	slow.path = "tcp";
	slow.change = slow_gather;
	findings_open(&text);
	findings_sweep(&text, &fast, COLL_ALL_GATHER);
	findings_sweep(&text, &slow, COLL_GATHER);
	study_read(&text, &fitted, &studied);
	assert_int_equal(findings_count(&studied, "is slower than"), 0);
	study_end(&studied);
	findings_changed(slow_at_one_size, &studied);
	assert_true(study_found(&studied, FINDING_NOTE, "slower than all_gather at 1 of 20 sizes"));
	study_end(&studied);
}

/* Split calls are a little smaller where the number of ranks is no power of two. */
static void sizes_are_the_same_within_a_block(void **state)
{
	static const struct report_options fitted = { 0 };
	struct findings_run run = findings_clean, other = findings_clean;
	struct study_text text;
	struct studied studied;

	(void)state;
	run.nranks = 6;
	run.change = slow_reduce;
	findings_study(&run, &studied);
	assert_true(study_found(&studied, FINDING_WARNING,
				"reduce (out-of-place, 6 ranks, float sum) is slower than reduce_scatter and gather at "));
	study_end(&studied);
	other.first = 384;
	other.change = slow_gather;
	findings_open(&text);
	findings_sweep(&text, &findings_clean, COLL_ALL_GATHER);
	findings_sweep(&text, &other, COLL_GATHER);
	study_read(&text, &fitted, &studied);
	assert_int_equal(findings_count(&studied, "is slower than"), 0);
	study_end(&studied);
}

/* 40 rows from 64 KiB on, of which `slowest` names the rank. */
static void put_ranks(struct study_text *text, const char *collective, double over, int (*slowest)(int))
{
	for (int i = 0; i < 40; i++) {
		double bytes = ldexp(65536, i / 2), time = 50 + bytes / 1e5;

		fprintf(text->out, "1,%d,40,r1,%s,mpi,,4,1,float,%s,,%s,%.0f,%.9g,,,%.9g,%.9g,%d,,0,\n", i + 1, collective,
			strcmp(collective, "all_reduce") ? "" : "sum", i % 2 ? RESULT_IN_PLACE : RESULT_OUT_OF_PLACE, bytes, time,
			time / over, time, slowest(i));
	}
}

static int mostly_three(int i)
{
	return i % 7 == 0 ? i % 3 : 3;
}

static int always_three(int i)
{
	(void)i;
	return 3;
}

static int in_turn(int i)
{
	return i % 4;
}

static void find_slowest(const char *collective, double over, int (*slowest)(int), struct studied *studied)
{
	static const struct report_options given = { .given = true, .alpha = 1e-9, .bandwidth = 1e15 };
	struct study_text text;

	findings_open(&text);
	put_ranks(&text, collective, over, slowest);
	study_read(&text, &given, studied);
}

static void one_rank_slowest_nearly_always_is_found(void **state)
{
	struct studied studied;

	(void)state;
	find_slowest("all_reduce", 1.25, mostly_three, &studied);
	assert_true(
		study_found(&studied, FINDING_NOTE, "rank 3 of 4 is the slowest in 34 of 40 rows from 64 KiB on, by 25 % over"));
	study_end(&studied);
	find_slowest("all_reduce", 1.25, in_turn, &studied);
	findings_none(&studied, FINDING_NOTE);
	study_end(&studied);
	find_slowest("all_reduce", 1.05, mostly_three, &studied);
	findings_none(&studied, FINDING_NOTE);
	study_end(&studied);
	/* The root of a gather has more to do than others. */
	find_slowest("gather", 1.25, mostly_three, &studied);
	assert_int_equal(findings_count(&studied, "is the slowest"), 0);
	study_end(&studied);
}

static int mostly_one(int i)
{
	return i % 7 == 0 ? i % 3 : 1;
}

static void a_rank_slow_in_one_primitive_is_found(void **state)
{
	static const struct report_options given = { .given = true, .alpha = 1e-9, .bandwidth = 1e15 };
	struct study_text text;
	struct studied studied;

	(void)state;
	findings_open(&text);
	put_ranks(&text, "all_reduce", 1.25, in_turn);
	put_ranks(&text, "sendrecv", 1.25, mostly_three);
	put_ranks(&text, "alltoall", 1.25, in_turn);
	study_read(&text, &given, &studied);
	assert_true(study_found(&studied, FINDING_NOTE,
				"rank 3 of 4 is the slowest in 34 of 40 rows of sendrecv from 64 KiB on, by 25 %"));
	assert_int_equal(findings_count(&studied, "is the slowest in"), 1);
	study_end(&studied);
	/* What holds of all is not said of each; another rank of one of them is. */
	findings_open(&text);
	for (size_t c = 0; c < 5; c++)
		put_ranks(&text, (const char *[]){ "all_gather", "reduce_scatter", "all_reduce", "alltoall", "sendrecv" }[c],
			  1.25, c < 4 ? always_three : mostly_one);
	study_read(&text, &given, &studied);
	assert_true(study_found(&studied, FINDING_NOTE, "rank 3 of 4 is the slowest in 160 of 200 rows from 64 KiB on"));
	assert_true(
		study_found(&studied, FINDING_NOTE, "rank 1 of 4 is the slowest in 36 of 40 rows of sendrecv from 64 KiB on"));
	assert_int_equal(findings_count(&studied, "is the slowest in"), 2);
	study_end(&studied);
}

static void a_slow_rank_is_named_with_its_host(void **state)
{
	static const char *const names[][2] = {
		{ "launches.0.facts.ranks.0.rank", "0" }, { "launches.0.facts.ranks.0.host", "node1" },
		{ "launches.0.facts.ranks.1.rank", "3" }, { "launches.0.facts.ranks.1.host", "node2" },
		{ "launches.1.facts.ranks.0.rank", "0" }, { "launches.1.facts.ranks.0.host", "node9" },
		{ "launches.1.facts.ranks.1.rank", "3" }, { "launches.1.facts.ranks.1.host", "node2" },
	};
	struct fact items[sizeof names / sizeof *names];
	struct facts facts = { .items = items, .count = sizeof names / sizeof *names };
	struct studied studied;

	(void)state;
	for (size_t i = 0; i < facts.count; i++)
		items[i] = (struct fact){ (char *)names[i][0], (char *)names[i][1] };
	find_slowest("sendrecv", 1.25, mostly_three, &studied);
	findings_clear(&studied.findings);
	assert_int_equal(findings_take_facts(&studied.findings, &facts, studied.study.runs.names[0]), 0);
	assert_int_equal(findings_collect(&studied.findings, &studied.study), 0);
	assert_true(study_found(&studied, FINDING_NOTE, "rank 3 (host node2) of 4 is the slowest in 34 of 40 rows"));
	assert_null(finding_host(&studied.findings, studied.study.runs.names[0], 0));
	assert_null(finding_host(&studied.findings, studied.study.runs.names[0], 7));
	study_end(&studied);
}

static void flags_are_counted(void **state)
{
	static const struct report_options fitted = { 0 };
	struct study_text text;
	struct studied studied;

	(void)state;
	findings_open(&text);
	fputs("1,,,r1,gather,nccl,,4,1,float,,0,out-of-place,64,10,,,,,,0.0048,0,imported rates\n"
	      "1,,,r1,gather,nccl,,4,1,float,,0,out-of-place,128,10,,,,,,0.0096,0,imported\n",
	      text.out);
	study_read(&text, &fitted, &studied);
	assert_true(study_found(&studied, FINDING_WARNING, "1 of 2 points have rates that do not agree"));
	assert_true(study_found(&studied, FINDING_NOTE, "2 of 2 points are from another tool's log"));
	study_end(&studied);
}

static void comparisons_of_one_launch_decide_nothing(void **state)
{
	static const struct report_options fitted = { 0 };
	struct findings_run run = findings_clean;
	struct study_text text;
	struct studied studied;

	(void)state;
	for (int launches = 1; launches <= 2; launches++) {
		findings_open(&text);
		for (int i = 0; i < 2 * launches; i++) {
			run.path = i % 2 ? "tcp" : "sm";
			run.run = i / 2 ? "r2" : "r1";
			findings_sweep(&text, &run, COLL_ALL_GATHER);
		}
		study_read(&text, &fitted, &studied);
		assert_int_equal(study_found(&studied, FINDING_NOTE, "2 of 2 comparisons rest on one launch of a side"),
				 launches == 1);
		study_end(&studied);
	}
}

static double cliffs_everywhere(enum coll_id coll, bool in_place, double bytes, double time)
{
	(void)coll, (void)in_place;
	return bytes == 65536 ? time * (coll == COLL_GATHER ? 3 : 2) : time;
}

static void the_worst_are_told_and_the_rest_counted(void **state)
{
	struct studied studied;

	(void)state;
	findings_changed(cliffs_everywhere, &studied);
	assert_int_equal(findings_count(&studied, "a cliff at 64 KiB"), 4);
	assert_int_equal(findings_count(&studied, "... and 14 more cliffs"), 1);
	assert_int_equal(findings_count(&studied, "gather (out-of-place, 8 ranks, float): a cliff"), 1);
	study_end(&studied);
}

static void no_jobs_of_one_rank_are_judged(void **state)
{
	static const struct report_options fitted = { 0 };
	struct study_text text;
	struct studied studied;

	(void)state;
	findings_open(&text);
	for (int i = 0; i < 16; i++)
		fprintf(text.out, "1,,,r1,gather,mpi,,4,1,float,,0,out-of-place,%d,%d,,,,,,0,0,\n", 64 << i, i == 8 ? 100 : 10);
	study_read(&text, &fitted, &studied);
	assert_true(study_found(&studied, FINDING_ERROR, "gather: bus bandwidth 0"));
	assert_int_equal(findings_count(&studied, "cliff"), 0);
	study_end(&studied);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_guideline_is_checked),
		cmocka_unit_test(launches_make_guidelines_sharper),
		cmocka_unit_test(launches_that_differ_are_told),
		cmocka_unit_test(other_settings_are_not_held_against_each_other),
		cmocka_unit_test(sizes_are_the_same_within_a_block),
		cmocka_unit_test(one_rank_slowest_nearly_always_is_found),
		cmocka_unit_test(a_rank_slow_in_one_primitive_is_found),
		cmocka_unit_test(a_slow_rank_is_named_with_its_host),
		cmocka_unit_test(flags_are_counted),
		cmocka_unit_test(comparisons_of_one_launch_decide_nothing),
		cmocka_unit_test(the_worst_are_told_and_the_rest_counted),
		cmocka_unit_test(no_jobs_of_one_rank_are_judged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
