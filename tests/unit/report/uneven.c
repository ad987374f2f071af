/* SPDX-License-Identifier: Apache-2.0
 *
 * Uneven exchanges and calls without data in the report: what a matrix's busiest port carries is read off busbw, and a barrier is told in a sentence.
 */
#include "study_rows.h"

static const struct report_options given = { .given = true, .alpha = 5e-6, .bandwidth = 100e9 };

static const char header[] = "schema,point,run,collective,backend,nranks,type,redop,placement,bytes,time_us,algbw_GBps,busbw_"
			     "GBps,wrong,flags,variant\n";

/* Of machines of 5 us and 100 GB/s. */
static void read_rows(const char *rows, struct studied *studied)
{
	struct study_text text = { 0 };

	text.out = open_memstream(&text.text, &text.size);
	assert_non_null(text.out);
	fputs(header, text.out);
	fputs(rows, text.out);
	study_read(&text, &given, studied);
}

static void skewed_rows_have_the_bounds_of_even_ones(void **state)
{
	struct studied studied;

	(void)state;
	read_rows("1,1,r,alltoallv,mpi,4,float,,out-of-place,4000000,50,80,60,0,,skew 0.5\n", &studied);
	assert_close(study_row_bounds(&studied.study, 0).lb, 30e-6);
	assert_close(study_row_bounds(&studied.study, 0).ring, 45e-6);
	assert_true(rows_note_count(studied.rows) == 0);
	study_end(&studied);
}

/* All 4 MB go over one port: 40 us and not 30; of a matrix whose ranks keep most for themselves it is a message at least. */
static void matrices_are_bounded_by_their_busiest_port(void **state)
{
	struct studied studied;

	(void)state;
	read_rows("1,1,r,alltoallv,mpi,4,float,,out-of-place,4000000,50,80,80,0,,matrix m\n"
		  "1,2,r,alltoallv,mpi,4,float,,out-of-place,8000000,50,160,8,0,,matrix m\n",
		  &studied);
	assert_close(study_row_bounds(&studied.study, 0).lb, 40e-6);
	assert_close(study_row_bounds(&studied.study, 0).ring, 55e-6);
	assert_close(study_row_bounds(&studied.study, 1).lb, 5e-6);
	assert_true(rows_note_count(studied.rows) == 0);
	assert_close(studied.study.figures[COLL_ALLTOALLV].series[0].points[0].busbw, 80e9);
	study_end(&studied);
}

static void a_port_carries_no_more_than_its_size(void **state)
{
	struct studied studied;

	(void)state;
	read_rows("1,1,r,alltoallv,mpi,4,float,,out-of-place,4000000,50,80,90,0,,matrix m\n", &studied);
	assert_int_equal(rows_note_count(studied.rows), 1);
	assert_close(rows_get(studied.rows, 0)->busbw, 60e9);
	study_end(&studied);
}

static void barriers_are_told_in_a_sentence(void **state)
{
	struct studied studied;

	(void)state;
	read_rows("1,1,a,barrier,mpi,5,float,,out-of-place,0,20,,,,,\n"
		  "1,1,b,barrier,mpi,5,float,,out-of-place,0,18,,,,,\n"
		  "1,1,c,barrier,mpi,5,float,,out-of-place,0,30,,,,,\n"
		  "1,1,d,barrier,mpi,2,float,,out-of-place,0,7,,,,,\n",
		  &studied);
	assert_true(study_found(&studied, FINDING_NOTE,
				"barrier of 5 ranks takes 20 us, the median of 3 from 18 us to 30 us; at least it needs "
				"ceil(log2 5) alpha = 15 us"));
	assert_true(study_found(&studied, FINDING_NOTE,
				"barrier of 2 ranks takes 7 us; at least it needs ceil(log2 2) alpha = 5 us"));
	assert_false(study_found(&studied, FINDING_NOTE, "without a usable size or time"));
	assert_int_equal(studied.study.figures[COLL_BARRIER].nseries, 0);
	study_end(&studied);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(skewed_rows_have_the_bounds_of_even_ones),
		cmocka_unit_test(matrices_are_bounded_by_their_busiest_port),
		cmocka_unit_test(a_port_carries_no_more_than_its_size),
		cmocka_unit_test(barriers_are_told_in_a_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
