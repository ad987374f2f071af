/* SPDX-License-Identifier: Apache-2.0
 *
 * Uneven exchanges and calls without data in the report: what a matrix's busiest port carries is read off busbw, what unevenness costs is reckoned against
 * even rows that pair without doubt, and a barrier has a line of its own.
 */
#include "study_rows.h"

#include "report/dataless.h"
#include "report/uneven.h"

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

/* Each rank keeps what it has: nothing is said of its launch, no bound holds, and rows beside it stay. A file of old has 0. */
static void a_matrix_may_exchange_nothing(void **state)
{
	static const char *const rates[] = { "", "0" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct studied studied;
		char rows[512];

		snprintf(rows, sizeof rows,
			 "1,1,r,alltoallv,mpi,4,float,,out-of-place,4000000,1,4000,%s,0,,matrix m\n"
			 "1,2,r,alltoallv,mpi,4,float,,out-of-place,4000000,50,80,60,0,,\n",
			 rates[i]);
		read_rows(rows, &studied);
		assert_false(studied.study.figures[COLL_ALLTOALLV].singleton);
		assert_true(isnan(study_row_bounds(&studied.study, 0).lb));
		assert_close(study_row_bounds(&studied.study, 1).lb, 30e-6);
		assert_int_equal(studied.study.figures[COLL_ALLTOALLV].above, 0);
		assert_false(study_found(&studied, FINDING_ERROR, "several jobs"));
		study_end(&studied);
	}
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

static void assert_sentence(const struct dataless *dataless, size_t s, const char *expected)
{
	char text[DATALESS_WORDS];

	dataless_sentence(&dataless->settings[s], text, sizeof text);
	assert_string_equal(text, expected);
}

static void barriers_have_a_line_and_a_sentence(void **state)
{
	struct studied studied;
	struct dataless dataless;
	char text[DATALESS_WORDS];

	(void)state;
	read_rows("1,1,a,barrier,mpi,5,float,,out-of-place,0,20,,,,,\n"
		  "1,1,b,barrier,mpi,5,float,,out-of-place,0,18,,,,,\n"
		  "1,1,c,barrier,mpi,5,float,,out-of-place,0,30,,,,,\n"
		  "1,1,c,barrier,mpi,5,float,,out-of-place,0,30,,,,,\n"
		  "1,1,d,barrier,mpi,2,float,,out-of-place,0,7,,,,oversubscribed,\n"
		  "1,1,e,barrier,sim,1,float,,out-of-place,0,1,,,,,\n",
		  &studied);
	assert_int_equal(dataless_build(&studied.study, &dataless), 0);
	assert_int_equal(dataless.count, 3);
	assert_int_equal(dataless.settings[0].launches, 3);
	assert_sentence(
		&dataless, 0,
		"20 us of 5 ranks, the median of 3 launches from 18 us to 30 us; at least it needs ceil(log2 5) alpha = 15 us");
	dataless_verdict(&dataless.settings[0], text, sizeof text);
	assert_string_equal(text, "ceil(log2 5) alpha = 15 us");
	dataless_label(&studied.study, &dataless, 0, text, sizeof text);
	assert_string_equal(text, "mpi");
	assert_sentence(&dataless, 1, "7 us of 2 ranks");
	dataless_verdict(&dataless.settings[1], text, sizeof text);
	assert_string_equal(text, "ranks took turns");
	assert_sentence(&dataless, 2, "1 us of 1 rank");
	dataless_verdict(&dataless.settings[2], text, sizeof text);
	assert_string_equal(text, "one rank");
	assert_false(study_found(&studied, FINDING_NOTE, "barrier"));
	assert_false(study_found(&studied, FINDING_NOTE, "without a usable size or time"));
	assert_int_equal(studied.study.figures[COLL_BARRIER].nseries, 0);
	dataless_clear(&dataless);
	study_end(&studied);
}

static void many_settings_of_barriers_are_counted(void **state)
{
	char rows[4096] = "", row[128];
	struct studied studied;
	struct dataless dataless;

	(void)state;
	for (int n = 2; n < 14; n++) {
		snprintf(row, sizeof row, "1,1,r%d,barrier,mpi,%d,float,,out-of-place,0,20,,,,,\n", n, n);
		strcat(rows, row);
	}
	read_rows(rows, &studied);
	assert_int_equal(dataless_build(&studied.study, &dataless), 0);
	assert_int_equal(dataless.count, DATALESS_MOST);
	assert_int_equal(dataless.left_out, 12 - DATALESS_MOST);
	dataless_clear(&dataless);
	study_end(&studied);
}

static const char uneven_header[] = "schema,point,run,collective,backend,nranks,type,placement,bytes,time_us,time_ci_low_us,"
				    "time_ci_high_us,variant,imbalance,flags\n";

static const char even_rows[] = "1,1,e,alltoallv,mpi,4,float,out-of-place,1000000,100,99,101,,,\n"
				"1,2,e,alltoallv,mpi,4,float,out-of-place,4000000,400,396,404,,,\n";

/* Two rows, with that in the place of their variant. */
static const char *uneven_rows(char text[512], const char *variant, double time, double low, const char *flags)
{
	snprintf(text, 512,
		 "1,1,u,alltoallv,mpi,4,float,out-of-place,1000000,%g,%g,%g,%s,2.5,%s\n"
		 "1,2,u,alltoallv,mpi,4,float,out-of-place,4000000,%g,%g,%g,%s,2.5,%s\n",
		 time, low, 2 * time - low, variant, flags, 4 * time, 4 * low, 8 * time - 4 * low, variant, flags);
	return text;
}

/* Files of up to three folders; NULL ends them. */
static void read_files(const char *const *rows, const struct facts *facts, size_t nfacts, struct studied *studied)
{
	static const char *const names[] = { "a/alltoallv.csv", "b/alltoallv.csv", "c/alltoallv.csv" };
	char error[512] = "", text[4096];

	*studied = (struct studied){ .rows = rows_new() };
	for (int i = 0; rows[i]; i++) {
		snprintf(text, sizeof text, "%s%s", uneven_header, rows[i]);
		if (rows_parse(studied->rows, names[i], text, strlen(text), error, sizeof error))
			fail_msg("%s", error);
	}
	assert_int_equal(study_build(&given, studied->rows, facts, nfacts, &studied->study), 0);
	assert_int_equal(findings_collect(&studied->findings, &studied->study), 0);
}

static void read_one(const char *uneven, struct studied *studied)
{
	char text[2048];

	snprintf(text, sizeof text, "%s%s", even_rows, uneven);
	read_files((const char *const[]){ text, NULL }, NULL, 0, studied);
}

static const struct series *find_uneven(const struct figure *figure)
{
	for (size_t s = 0; s < figure->nseries; s++)
		if (uneven_is(figure, &figure->series[s]))
			return &figure->series[s];
	return NULL;
}

/* 4 MB by an imbalance of 2.5 are 1.6 MB of each rank, between 1 MB and 4 MB: 160 us. */
static void unevenness_is_held_against_even_rows(void **state)
{
	char text[512];
	struct studied studied;
	const struct figure *figure;
	const struct series *series;
	struct uneven_base base;
	struct uneven_line line;
	const struct uneven_base none = { 0 };

	(void)state;
	read_one(uneven_rows(text, "skew 0.5", 120, 114, ""), &studied);
	figure = &studied.study.figures[COLL_ALLTOALLV];
	series = find_uneven(figure);
	assert_non_null(series);
	base = uneven_base(&studied.study, figure, series);
	assert_true(base.own && !*base.own->key->variant && !base.other && !base.doubt);
	line = uneven_line(&base, &series->points[1]);
	assert_close(line.total.base_time, 160e-6);
	assert_close(line.total.ratio, 3);
	assert_true(line.total.low > 456 / 162.0 && line.total.low < 3);
	assert_close(line.busy.ratio, 1.2);
	assert_true(line.busy.low >= 456 / 404.0 && line.busy.low < 1.2);
	assert_true(line.busy.high <= 504 / 396.0 && line.busy.high > 1.2);
	line = uneven_line(&base, &series->points[0]);
	assert_true(isnan(line.total.ratio));
	assert_close(line.busy.ratio, 1.2);
	assert_true(isnan(uneven_line(&none, &series->points[0]).busy.ratio));
	study_end(&studied);
}

/* Their times hold what other ranks did on the same cores. */
static void ranks_that_take_turns_have_no_ratio(void **state)
{
	char text[512];
	struct studied studied;
	const struct figure *figure;
	const struct series *series;
	struct uneven_base base;
	struct uneven_line line;

	(void)state;
	read_one(uneven_rows(text, "skew 0.5", 200, 195, "oversubscribed"), &studied);
	figure = &studied.study.figures[COLL_ALLTOALLV];
	series = find_uneven(figure);
	assert_non_null(series);
	base = uneven_base(&studied.study, figure, series);
	line = uneven_line(&base, &series->points[1]);
	assert_close(line.busy.base_time, 400e-6);
	assert_true(isnan(line.busy.ratio) && isnan(line.busy.low) && isnan(line.total.ratio));
	study_end(&studied);
}

/* 712 bytes of a rank on average are 704 in blocks of 16: that row, and not what lies between it and the next. */
static void the_even_row_beside_an_uneven_one_is_taken(void **state)
{
	struct studied studied;
	const struct series *series;
	struct uneven_base base;
	struct uneven_line line;

	(void)state;
	read_files((const char *const[]){ "1,1,u,alltoallv,mpi,4,float,out-of-place,1780,100,99,101,skew 0.5,2.5,\n"
					  "1,2,u,alltoallv,mpi,4,float,out-of-place,704,50,49,51,,1,\n"
					  "1,3,u,alltoallv,mpi,4,float,out-of-place,7120,500,499,501,skew 0.5,2.5,\n"
					  "1,4,u,alltoallv,mpi,4,float,out-of-place,1780,200,199,201,,1,\n"
					  "1,5,u,alltoallv,mpi,4,float,out-of-place,300,51,50,52,skew 0.5,1,\n"
					  "1,6,u,alltoallv,mpi,4,float,out-of-place,300,49,48,50,,1,\n",
					  NULL },
		   NULL, 0, &studied);
	series = find_uneven(&studied.study.figures[COLL_ALLTOALLV]);
	assert_non_null(series);
	base = uneven_base(&studied.study, &studied.study.figures[COLL_ALLTOALLV], series);
	line = uneven_line(&base, &series->points[1]);
	assert_close(line.total.base_time, 50e-6);
	assert_close(line.total.ratio, 2);
	assert_close(line.busy.ratio, 0.5);
	line = uneven_line(&base, &series->points[2]);
	assert_true(isnan(line.total.ratio) && isnan(line.busy.ratio));
	/* As busy as each other: nothing to hold against it. */
	assert_true(isnan(uneven_line(&base, &series->points[0]).total.ratio));
	study_end(&studied);
}

/* Rows of the own file for as much in all, those of an even run of the same hosts for the same size, not those beside another skew. */
static void even_rows_of_several_files(void **state)
{
	struct fact hosts[] = { { (char[]){ "host" }, (char[]){ "n1" } } };
	static const char own[] = "1,1,u,alltoallv,mpi,4,float,out-of-place,4000000,500,499,501,skew 0.5,2.5,\n"
				  "1,2,u,alltoallv,mpi,4,float,out-of-place,1600000,150,149,151,,1,\n";
	struct facts facts[] = { { .file = (char[]){ "a/run.json" }, .items = hosts, .count = 1 },
				 { .file = (char[]){ "b/run.json" }, .items = hosts, .count = 1 },
				 { .file = (char[]){ "c/run.json" }, .items = hosts, .count = 1 } };
	/* Beside another skew; and once more with the same size, where nobody knows which. */
	static const char beside[] = "1,2,u,alltoallv,mpi,4,float,out-of-place,2400000,250,249,251,,1,\n";
	static const char again[] = "1,2,u,alltoallv,mpi,4,float,out-of-place,4000000,440,439,441,,1,\n";
	struct studied studied;
	const struct series *series;
	struct uneven_base base;
	struct uneven_line line;

	(void)state;
	read_files((const char *const[]){ even_rows, own, beside, NULL }, facts, 3, &studied);
	series = find_uneven(&studied.study.figures[COLL_ALLTOALLV]);
	assert_non_null(series);
	base = uneven_base(&studied.study, &studied.study.figures[COLL_ALLTOALLV], series);
	assert_true(base.own && base.other && base.own != base.other && !base.doubt);
	line = uneven_line(&base, &series->points[0]);
	assert_close(line.total.base_time, 150e-6);
	assert_close(line.busy.base_time, 400e-6);
	study_end(&studied);
	read_files((const char *const[]){ even_rows, own, again, NULL }, facts, 3, &studied);
	series = find_uneven(&studied.study.figures[COLL_ALLTOALLV]);
	base = uneven_base(&studied.study, &studied.study.figures[COLL_ALLTOALLV], series);
	assert_true(base.own && !base.other);
	study_end(&studied);
}

static const char more[] = "takes longer than its imbalance explains";

/* One launch of a side: a third more may be another launch, twice as much at two sizes is not. */
static void what_imbalance_does_not_explain_is_told(void **state)
{
	static const struct {
		const char *variant, *flags;
		double time, low;
		bool warned, noted;
	} cases[] = {
		{ "skew 0.5", "", 200, 195, true, false },        { "skew 0.5", "", 140, 138, false, true },
		{ "skew 0.5", "", 125, 124, false, false },       { "skew 0.5", "", 200, 100, false, false },
		{ "matrix moe.txt", "", 200, 195, false, false }, { "skew 0.5", "oversubscribed", 200, 195, false, false },
		{ "oneway", "", 100, 99, false, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct studied studied;
		char text[512];

		read_one(uneven_rows(text, cases[i].variant, cases[i].time, cases[i].low, cases[i].flags), &studied);
		assert_int_equal(study_found(&studied, FINDING_WARNING, more), cases[i].warned);
		assert_int_equal(study_found(&studied, FINDING_NOTE, more), cases[i].noted);
		study_end(&studied);
	}
	/* Without intervals nobody knows. */
	struct studied studied;

	read_one("1,1,u,alltoallv,mpi,4,float,out-of-place,1000000,900,,,skew 0.5,2.5,\n"
		 "1,2,u,alltoallv,mpi,4,float,out-of-place,4000000,3600,,,skew 0.5,2.5,\n",
		 &studied);
	assert_false(study_found(&studied, FINDING_WARNING, more) || study_found(&studied, FINDING_NOTE, more));
	study_end(&studied);
}

/* Of other files only what run.json says is of the same hosts. */
static void rows_in_doubt_are_not_paired(void **state)
{
	struct fact hosts[] = { { (char[]){ "host" }, (char[]){ "n1" } }, { (char[]){ "host" }, (char[]){ "n2" } } };
	struct facts same[] = { { .file = (char[]){ "a/run.json" }, .items = &hosts[0], .count = 1 },
				{ .file = (char[]){ "b/run.json" }, .items = &hosts[0], .count = 1 } };
	struct facts other[] = { same[0], { .file = same[1].file, .items = &hosts[1], .count = 1 } };
	const struct facts *const facts[] = { same, other, NULL };
	char text[512];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct studied studied;
		const struct series *series;
		struct uneven_base base;

		read_files((const char *const[]){ even_rows, uneven_rows(text, "skew 0.5", 200, 195, ""), NULL }, facts[i],
			   facts[i] ? 2 : 0, &studied);
		series = find_uneven(&studied.study.figures[COLL_ALLTOALLV]);
		assert_non_null(series);
		base = uneven_base(&studied.study, &studied.study.figures[COLL_ALLTOALLV], series);
		assert_null(base.own);
		assert_int_equal(base.other != NULL, i == 0);
		assert_int_equal(base.doubt, i > 0);
		assert_int_equal(study_found(&studied, FINDING_WARNING, more), i == 0);
		study_end(&studied);
	}
}

static void an_imbalance_that_launches_do_not_share_is_none(void **state)
{
	struct studied studied;

	(void)state;
	read_one("1,1,u,alltoallv,mpi,4,float,out-of-place,1000000,200,195,205,skew 0.5,2.5,\n"
		 "1,1,v,alltoallv,mpi,4,float,out-of-place,1000000,200,195,205,skew 0.5,3,\n"
		 "1,2,v,alltoallv,mpi,4,float,out-of-place,4000000,800,780,820,skew 0.5,0.5,\n",
		 &studied);
	assert_null(find_uneven(&studied.study.figures[COLL_ALLTOALLV]));
	study_end(&studied);
}

/* Of two launches, which agree to a hundredth where each of them leaves a fifth open. */
static void launches_that_agree_by_chance_make_no_ratio(void **state)
{
	struct studied studied;
	const struct figure *figure;
	const struct series *series;
	struct uneven_base base;
	struct uneven_line line;

	(void)state;
	read_files((const char *const[]){ "1,1,u,alltoallv,mpi,4,float,out-of-place,4000,140,112,168,skew 0.5,2.5,\n"
					  "1,1,v,alltoallv,mpi,4,float,out-of-place,4000,141,113,169,skew 0.5,2.5,\n"
					  "1,2,u,alltoallv,mpi,4,float,out-of-place,1600,120,100,144,,1,\n"
					  "1,2,v,alltoallv,mpi,4,float,out-of-place,1600,121,100,145,,1,\n"
					  "1,3,u,alltoallv,mpi,4,float,out-of-place,4000,130,104,156,,1,\n"
					  "1,3,v,alltoallv,mpi,4,float,out-of-place,4000,131,104,157,,1,\n",
					  NULL },
		   NULL, 0, &studied);
	figure = &studied.study.figures[COLL_ALLTOALLV];
	series = find_uneven(figure);
	assert_non_null(series);
	base = uneven_base(&studied.study, figure, series);
	line = uneven_line(&base, &series->points[0]);
	assert_true(isnan(line.total.ratio) && isnan(line.total.low));
	assert_string_equal(uneven_ratio(&line.total).text, "too noisy");
	study_end(&studied);
}

static const char sampled_header[] = "schema,point,run,collective,backend,nranks,type,placement,bytes,time_us,time_ci_low_us,"
				     "time_ci_high_us,time_min_us,time_p95_us,variant,imbalance,flags\n";

/* 4000 bytes of a skew beside 1600 of the even exchange; `rows`: times and flags of both. */
static struct uneven_line line_of(const char *const rows[4], struct studied *studied)
{
	char error[512] = "", text[4096];
	const struct figure *figure = &studied->study.figures[COLL_ALLTOALLV];
	const struct series *series;
	struct uneven_base base;

	*studied = (struct studied){ .rows = rows_new() };
	snprintf(text, sizeof text,
		 "%s1,1,u,alltoallv,mpi,4,float,out-of-place,4000,%s,skew 0.5,2.5,%s\n"
		 "1,2,u,alltoallv,mpi,4,float,out-of-place,1600,%s,,1,%s\n",
		 sampled_header, rows[0], rows[1], rows[2], rows[3]);
	assert_int_equal(rows_parse(studied->rows, "a/alltoallv.csv", text, strlen(text), error, sizeof error), 0);
	assert_int_equal(study_build(&given, studied->rows, NULL, 0, &studied->study), 0);
	assert_int_equal(findings_collect(&studied->findings, &studied->study), 0);
	series = find_uneven(figure);
	assert_non_null(series);
	base = uneven_base(&studied->study, figure, series);
	return uneven_line(&base, &series->points[0]);
}

/* As the lines after the table. */
static void what_the_console_refuses_has_no_ratio(void **state)
{
	static const struct {
		const char *rows[4], *told;
	} cases[] = {
		{ { "20,20,20,20,20", "", "10,10,10,10,10", "" }, "2.00" },
		{ { "20,20,20,20,20", "late", "10,10,10,10,10", "late" }, "late" },
		{ { "20,20,20,20,20", "", "10,10,10,10,10", "late" }, "late" },
		{ { "20,20,20,20,20", "oversubscribed", "10,10,10,10,10", "" }, "ranks take turns" },
		{ { "20,,,20,20", "", "10,10,10,10,10", "" }, "no interval" },
		/* A median of the even exchange known to 4 %, whose calls took as long as those of the skew. */
		{ { "0.854,0.85,0.86,0.8,1", "", "2.84,2.73,2.95,0.9,4", "noisy" }, "too noisy" },
		{ { "0.854,0.85,0.86,0.8,1", "", "2.84,2.73,2.95,1.1,4", "noisy" }, "0.30" },
		{ { "20,6,21,6,21", "", "4,4,4,4,4", "" }, "too noisy" },
		{ { "10.1,10,10.2,9,12", "", "10,9.9,10.1,9,12", "" }, "not apart" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct studied studied;
		const struct uneven_line line = line_of(cases[i].rows, &studied);

		assert_string_equal(uneven_ratio(&line.total).text, cases[i].told);
		assert_string_equal(uneven_ratio(&line.busy).text, "-");
		study_end(&studied);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(skewed_rows_have_the_bounds_of_even_ones),
		cmocka_unit_test(matrices_are_bounded_by_their_busiest_port),
		cmocka_unit_test(a_matrix_may_exchange_nothing),
		cmocka_unit_test(a_port_carries_no_more_than_its_size),
		cmocka_unit_test(barriers_have_a_line_and_a_sentence),
		cmocka_unit_test(many_settings_of_barriers_are_counted),
		cmocka_unit_test(unevenness_is_held_against_even_rows),
		cmocka_unit_test(the_even_row_beside_an_uneven_one_is_taken),
		cmocka_unit_test(even_rows_of_several_files),
		cmocka_unit_test(ranks_that_take_turns_have_no_ratio),
		cmocka_unit_test(what_imbalance_does_not_explain_is_told),
		cmocka_unit_test(rows_in_doubt_are_not_paired),
		cmocka_unit_test(an_imbalance_that_launches_do_not_share_is_none),
		cmocka_unit_test(launches_that_agree_by_chance_make_no_ratio),
		cmocka_unit_test(what_the_console_refuses_has_no_ratio),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
