/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of other ways of sendrecv, and of other blocks, beside plain ones: they are not launches of one thing.
 */
#include "findings_run.h"

#include "report/crossover.h"

static const char header[] =
	"schema,point,points,run,collective,backend,algo,nranks,nnodes,type,redop,root,placement,bytes,time_us,"
	"rank_time_avg_us,rank_time_max_us,slowest_rank,flags,variant\n";

static void open_rows(struct study_text *text)
{
	*text = (struct study_text){ 0 };
	text->out = open_memstream(&text->text, &text->size);
	assert_non_null(text->out);
	fputs(header, text->out);
}

/* 21 sizes from 64 KiB on; rank 3 is the slowest, by a quarter over the mean. */
static void sweep(struct study_text *text, const char *collective, const char *variant, const char *algo, double factor)
{
	for (int i = 0; i <= 20; i++) {
		const double bytes = ldexp(65536, i), time = factor * (5 + bytes / 1e5);

		fprintf(text->out, "1,,,r1,%s,mpi,%s,8,1,float,,,out-of-place,%.0f,%.9g,%.9g,%.9g,3,,%s\n", collective, algo,
			bytes, time, time / 1.25, time, variant);
	}
}

static void variants_are_no_launches_that_differ(void **state)
{
	static const struct report_options fitted = { 0 };
	static const char *const ways[] = { "oneway pipeline 1", "oneway pipeline 2", "pingpong", "shift stride 2" };
	struct study_text text;
	struct studied studied;

	(void)state;
	open_rows(&text);
	sweep(&text, "sendrecv", "", "", 1);
	for (size_t i = 0; i < 4; i++)
		sweep(&text, "sendrecv", ways[i], "", 3.0 * (double)(i + 1));
	study_read(&text, &fitted, &studied);
	assert_int_equal(findings_count(&studied, "launches of sendrecv"), 0);
	study_end(&studied);
}

static void who_receives_is_not_a_slow_rank(void **state)
{
	static const struct report_options given = { .given = true, .alpha = 1e-9, .bandwidth = 1e15 };
	struct study_text text;
	struct studied studied;

	(void)state;
	for (int plain = 0; plain < 2; plain++) {
		open_rows(&text);
		sweep(&text, "sendrecv", plain ? "" : "oneway", "", 1);
		sweep(&text, "sendrecv", plain ? "" : "pingpong", "", 1);
		study_read(&text, &given, &studied);
		assert_int_equal(findings_count(&studied, "is the slowest in"), plain);
		study_end(&studied);
	}
}

static void algorithms_of_other_blocks_do_not_cross(void **state)
{
	static const struct report_options given = { .given = true, .alpha = 5e-6, .bandwidth = 100e9 };
	struct study_text text;
	struct studied studied;

	(void)state;
	for (int same = 0; same < 2; same++) {
		open_rows(&text);
		sweep(&text, "alltoallv", "skew 0.5", "tree", 1);
		sweep(&text, "alltoallv", same ? "skew 0.5" : "", "ring", 2);
		study_read(&text, &given, &studied);
		assert_int_equal(crossover_observed(&studied.study.figures[COLL_ALLTOALLV]).verdict,
				 same ? CROSSOVER_TREE : CROSSOVER_NONE);
		study_end(&studied);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variants_are_no_launches_that_differ),
		cmocka_unit_test(who_receives_is_not_a_slow_rank),
		cmocka_unit_test(algorithms_of_other_blocks_do_not_cross),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
