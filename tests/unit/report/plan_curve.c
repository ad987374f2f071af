/* SPDX-License-Identifier: Apache-2.0
 *
 * Times of a curve: where they come from, between, below and above what was measured, which rows and which series make it, other numbers of ranks,
 * and models.
 */
#include "report/plan/curve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char header[] =
	"schema,run,collective,backend,path,algo,group,nranks,nnodes,type,redop,placement,bytes,timing,time_us,wrong,flags,"
	"from,to,load,strategy,variant\n";

/* What of a row differs between tests. NULL is as in `plain`. */
struct look {
	const char *run, *coll, *backend, *path, *algo, *group, *placement, *timing, *wrong, *flags, *from, *variant, *type,
		*redop;
	int nranks, nnodes;
};

static const struct look plain = {
	.run = "r1", .coll = "all_reduce", .backend = "mpi", .placement = "out-of-place", .timing = "sync", .wrong = "0"
};

struct table {
	FILE *out;
	char *text;
	size_t size;
	struct rows *rows;
};

static void table_open(struct table *table)
{
	*table = (struct table){ .rows = rows_new() };
	assert_non_null(table->rows);
	table->out = open_memstream(&table->text, &table->size);
	assert_non_null(table->out);
	fputs(header, table->out);
}

static const char *text_of(const char *text, const char *usual)
{
	return text ? text : usual ? usual : "";
}

static void add(struct table *table, struct look look, double bytes, double seconds)
{
	fprintf(table->out, "1,%s,%s,%s,%s,%s,%s,%d,%d,%s,%s,%s,%.0f,%s,%.12g,%s,%s,%s,%s,%s,%s,%s\n",
		text_of(look.run, plain.run), text_of(look.coll, plain.coll), text_of(look.backend, plain.backend),
		text_of(look.path, NULL), text_of(look.algo, NULL), text_of(look.group, NULL), look.nranks ? look.nranks : 8,
		look.nnodes ? look.nnodes : 1, text_of(look.type, "float"), text_of(look.redop, "sum"),
		text_of(look.placement, plain.placement), bytes, text_of(look.timing, plain.timing), seconds * 1e6,
		text_of(look.wrong, plain.wrong), text_of(look.flags, NULL), text_of(look.from, NULL), look.from ? "1" : "",
		look.from ? "alone" : "", "", text_of(look.variant, NULL));
}

/* Sizes from 1 KiB on, by fours, of a call that takes a + b * bytes. */
static void sweep(struct table *table, struct look look, int n, double a, double b)
{
	for (int i = 0; i < n; i++)
		add(table, look, ldexp(1024, 2 * i), a + b * ldexp(1024, 2 * i));
}

/* The rows so far become those of a file of this name. */
static void end_file(struct table *table, const char *name)
{
	char error[300] = "";

	assert_int_equal(fclose(table->out), 0);
	if (rows_parse(table->rows, name, table->text, table->size, error, sizeof error))
		fail_msg("%s", error);
	free(table->text);
	table->text = NULL;
	table->out = open_memstream(&table->text, &table->size);
	assert_non_null(table->out);
	fputs(header, table->out);
}

static void table_close(struct table *table)
{
	fclose(table->out);
	free(table->text);
	rows_free(table->rows);
}

static void take(const struct table *table, struct curve_wish wish, struct curve *curve)
{
	char error[400] = "";

	if (!wish.coll)
		wish.coll = collective_find("all_reduce");
	if (wish.nranks == 0)
		wish.nranks = 8;
	if (curve_from_rows(table->rows, &wish, curve, error, sizeof error))
		fail_msg("%s", error);
}

static void assert_refused(const struct table *table, struct curve_wish wish, const char *says)
{
	struct curve curve;
	char error[400] = "";

	if (!wish.coll)
		wish.coll = collective_find("all_reduce");
	assert_int_equal(curve_from_rows(table->rows, &wish, &curve, error, sizeof error), -1);
	if (!strstr(error, says))
		fail_msg("'%s' lacks '%s'", error, says);
}

static void assert_says(const char *text, const char *says)
{
	if (!strstr(text, says))
		fail_msg("'%s' lacks '%s'", text, says);
}

static void assert_near(double got, double want, double tolerance)
{
	if (!(fabs(got - want) <= tolerance * fabs(want)))
		fail_msg("%.17g, not %.17g", got, want);
}

static void assert_time(const struct curve *curve, double bytes, double seconds, enum curve_source source, double tolerance)
{
	const struct curve_time time = curve_time(curve, bytes);

	if (time.source != source)
		fail_msg("%g bytes: %s, not %s", bytes, curve_word(time.source), curve_word(source));
	assert_near(time.seconds, seconds, tolerance);
}

static void sizes_measured_between_and_outside(void **state)
{
	const double a = 20e-6, b = 1e-10;
	struct table table;
	struct curve curve;
	double line_a, line_b;

	(void)state;
	table_open(&table);
	sweep(&table, plain, 9, a, b);
	end_file(&table, "f.csv");
	take(&table, (struct curve_wish){ 0 }, &curve);
	assert_true(curve_least(&curve) == 1024 && curve_most(&curve) == 67108864);
	assert_time(&curve, 1024, a + b * 1024, CURVE_MEASURED, 1e-9);
	assert_time(&curve, 65536, a + b * 65536, CURVE_MEASURED, 1e-9);
	assert_time(&curve, 67108864, a + b * 67108864, CURVE_MEASURED, 1e-9);
	/* Halfway between two sizes in log is the geometric mean of their times. */
	assert_time(&curve, 2048, sqrt((a + b * 1024) * (a + b * 4096)), CURVE_BETWEEN, 1e-9);
	assert_time(&curve, 33554432, sqrt((a + b * 16777216) * (a + b * 67108864)), CURVE_BETWEEN, 1e-9);
	assert_time(&curve, 1024.5, a + b * 1024.5, CURVE_BETWEEN, 1e-4);
	assert_time(&curve, 8, a + b * 8, CURVE_BELOW, 1e-6);
	assert_time(&curve, 1e12, a + b * 1e12, CURVE_ABOVE, 1e-6);
	assert_false(curve_time(&curve, 8).guess || curve_time(&curve, 1e12).guess || curve_time(&curve, 2048).scaled);
	assert_true(curve_time(&curve, 0).seconds == 0 && curve_time(&curve, -1).seconds == 0);
	assert_true(curve_line(&curve, &line_a, &line_b));
	assert_near(line_a, a, 1e-6);
	assert_near(line_b, b, 1e-6);
	assert_string_equal(curve.passed_over, "");
	assert_string_equal(
		curve.choice,
		"all_reduce: 8 ranks on 1 node, out-of-place, mpi, float, sum, 9 sizes, 1 launch, f.csv, 1 KiB to 64 MiB");
	curve_clear(&curve);
	table_close(&table);
}

static void outside_of_few_sizes_is_a_guess(void **state)
{
	struct table table;
	struct curve curve;
	double a, b;

	(void)state;
	table_open(&table);
	sweep(&table, plain, 3, 20e-6, 1e-9);
	end_file(&table, "f.csv");
	take(&table, (struct curve_wish){ 0 }, &curve);
	assert_time(&curve, 8, 20e-6 + 1024e-9, CURVE_BELOW, 1e-9);
	assert_time(&curve, 32768, 2 * (20e-6 + 16384e-9), CURVE_ABOVE, 1e-9);
	assert_true(curve_time(&curve, 8).guess && curve_time(&curve, 32768).guess);
	assert_false(curve_time(&curve, 2048).guess);
	assert_false(curve_line(&curve, &a, &b));
	curve_clear(&curve);
	table_close(&table);
}

static void what_the_fit_cannot_tell_is_a_guess(void **state)
{
	struct table table;
	struct curve curve;

	(void)state;
	table_open(&table);
	/* Up to 256 KiB all of it is latency; path "large" is of sizes that are all bandwidth. */
	sweep(&table, plain, 5, 1e-3, 1e-12);
	for (int i = 0; i < 6; i++)
		add(&table, (struct look){ .path = "large" }, ldexp(1 << 24, i), 1e-9 + 1e-9 * ldexp(1 << 24, i));
	end_file(&table, "f.csv");
	take(&table, (struct curve_wish){ .path = "" }, &curve);
	assert_true(curve_time(&curve, 1e9).guess);
	assert_false(curve_time(&curve, 8).guess);
	assert_near(curve_time(&curve, 8).seconds, 1e-3, 1e-3);
	curve_clear(&curve);
	take(&table, (struct curve_wish){ .path = "large" }, &curve);
	assert_true(curve_time(&curve, 8).guess);
	assert_false(curve_time(&curve, 1e10).guess);
	assert_near(curve_time(&curve, 1e10).seconds, 10, 1e-6);
	curve_clear(&curve);
	table_close(&table);
}

static void a_point_is_the_median_over_launches(void **state)
{
	static const double seconds[] = { 5e-6, 1e-6, 90e-6 };
	static const char *const runs[] = { "r1", "r2", "r3", "r4" };
	struct table table;
	struct curve curve;

	(void)state;
	table_open(&table);
	for (size_t i = 0; i < 3; i++)
		add(&table, (struct look){ .run = runs[i] }, 1024, seconds[i]);
	/* Of four: the mean of the middle two. */
	for (size_t i = 0; i < 4; i++)
		add(&table, (struct look){ .run = runs[i] }, 2048, (double)(10 * (i + 1)) * 1e-6);
	end_file(&table, "f.csv");
	take(&table, (struct curve_wish){ 0 }, &curve);
	assert_int_equal(curve.npoints, 2);
	assert_int_equal(curve.points[0].launches, 3);
	assert_int_equal(curve.points[1].launches, 4);
	assert_time(&curve, 1024, 5e-6, CURVE_MEASURED, 1e-9);
	assert_time(&curve, 2048, 25e-6, CURVE_MEASURED, 1e-9);
	assert_says(curve.choice, "2 sizes, 4 launches");
	curve_clear(&curve);
	table_close(&table);
}

static void rows_that_are_no_measurement_never_count(void **state)
{
	static const struct look looks[] = {
		{ .flags = "oversubscribed" }, { .run = "r2", .flags = "noisy shared_gpu" },
		{ .run = "r3", .wrong = "1" }, { .from = "0", .nranks = 2 },
		{ .variant = "stride 2" },     { .nranks = 1 },
	};
	struct table table;
	struct curve curve;

	(void)state;
	table_open(&table);
	for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
		sweep(&table, looks[i], 6, 1e-6, 1e-12);
	end_file(&table, "bad.csv");
	assert_refused(&table, (struct curve_wish){ .nranks = 8 },
		       "all_reduce: no row that counts; not counted: 12 rows whose ranks took turns");
	assert_refused(&table, (struct curve_wish){ .nranks = 8 }, "6 rows with wrong data");
	assert_refused(&table, (struct curve_wish){ .coll = collective_find("alltoall"), .nranks = 8 },
		       "alltoall: no row that counts");
	sweep(&table, (struct look){ .run = "r9" }, 4, 20e-6, 1e-9);
	/* A repeat, and what has no size. */
	add(&table, (struct look){ .run = "r9" }, 1024, 5);
	add(&table, plain, 0, 1e-6);
	end_file(&table, "good.csv");
	take(&table, (struct curve_wish){ 0 }, &curve);
	assert_int_equal(curve.npoints, 4);
	assert_time(&curve, 1024, 20e-6 + 1024e-9, CURVE_MEASURED, 1e-9);
	assert_string_equal(curve.passed_over,
			    "not counted: 12 rows whose ranks took turns on cores or a GPU, 6 rows with wrong data, 1 row "
			    "without a size or a "
			    "time, 1 row repeating another, 6 rows of one rank, 6 rows of pairs, 6 rows of other variants");
	curve_clear(&curve);
	take(&table, (struct curve_wish){ .variant = "stride 2" }, &curve);
	assert_time(&curve, 1024, 1e-6, CURVE_MEASURED, 1e-2);
	curve_clear(&curve);
	table_close(&table);
}

/* `better` is taken, though `worse` comes first and has as many sizes. */
static void assert_better(struct look better, struct look worse, int sizes)
{
	struct table table;
	struct curve curve;

	table_open(&table);
	sweep(&table, worse, 5, 20e-6, 1e-9);
	sweep(&table, better, sizes, 10e-6, 1e-9);
	end_file(&table, "f.csv");
	take(&table, (struct curve_wish){ .scale = true, .element_bytes = 2 }, &curve);
	assert_near(curve.key->time, 10e-6 + 1024e-9, 1e-9);
	assert_says(curve.passed_over, "1 other series not used: ");
	curve_clear(&curve);
	table_close(&table);
}

static void one_rule_chooses_among_series(void **state)
{
	(void)state;
	assert_better((struct look){ .placement = "in-place" }, (struct look){ .nranks = 4 }, 4);
	assert_better(plain, (struct look){ .placement = "in-place" }, 4);
	assert_better(plain, (struct look){ .redop = "max" }, 4);
	assert_better((struct look){ .type = "bfloat16" }, (struct look){ .type = "int8" }, 4);
	assert_better((struct look){ .type = "half" }, plain, 4);
	assert_better((struct look){ .type = "int8" }, (struct look){ .type = "half", .redop = "max" }, 4);
	assert_better(plain, (struct look){ .nranks = 7 }, 4);
	assert_better((struct look){ .nranks = 6 }, (struct look){ .nranks = 12 }, 4);
	assert_better((struct look){ .nranks = 16 }, (struct look){ .nranks = 4 }, 4);
	assert_better((struct look){ .group = "1" }, (struct look){ .flags = "simulated" }, 4);
	assert_better((struct look){ .timing = "loop" }, (struct look){ .group = "1" }, 4);
	assert_better((struct look){ .path = "tcp" }, (struct look){ .timing = "loop" }, 4);
	assert_better((struct look){ .path = "tcp" }, plain, 6);
}

static void then_launches_then_the_first(void **state)
{
	struct table table;
	struct curve curve;

	(void)state;
	table_open(&table);
	sweep(&table, (struct look){ .path = "shm" }, 4, 20e-6, 1e-9);
	end_file(&table, "first.csv");
	sweep(&table, (struct look){ .path = "ucx" }, 4, 30e-6, 1e-9);
	end_file(&table, "second.csv");
	take(&table, (struct curve_wish){ 0 }, &curve);
	assert_string_equal(curve.source, "first.csv");
	assert_says(curve.passed_over, "1 other series not used: 8 ranks on 1 node, out-of-place, mpi, path ucx, float, sum, 4 "
				       "sizes, 1 launch, second.csv");
	curve_clear(&curve);
	sweep(&table, (struct look){ .path = "tcp" }, 4, 40e-6, 1e-9);
	sweep(&table, (struct look){ .run = "r2", .path = "tcp" }, 4, 40e-6, 1e-9);
	end_file(&table, "third.csv");
	take(&table, (struct curve_wish){ 0 }, &curve);
	assert_string_equal(curve.source, "third.csv");
	assert_says(curve.passed_over, "2 other series not used: ");
	curve_clear(&curve);
	table_close(&table);
}

static void files_of_one_machine_are_one_curve(void **state)
{
	static const char *const runs[] = { "r1", "r2", "r3" }, *const files[] = { "a/all_reduce.csv", "b/all_reduce.csv",
										   "c/all_reduce.csv" };
	struct fact names[] = { { "facts.host", "one" }, { "facts.host", "one" }, { "facts.host", "two" } };
	struct facts facts[] = { { .file = "a/run.json", .items = &names[0], .count = 1 },
				 { .file = "b/run.json", .items = &names[1], .count = 1 },
				 { .file = "c/run.json", .items = &names[2], .count = 1 } };
	struct table table;
	struct curve curve;

	(void)state;
	table_open(&table);
	for (size_t i = 0; i < 3; i++) {
		sweep(&table, (struct look){ .run = runs[i] }, 5, 10e-6 * (double)(1 + 2 * i), 1e-9);
		end_file(&table, files[i]);
	}
	take(&table, (struct curve_wish){ 0 }, &curve);
	assert_time(&curve, 1024, 30e-6 + 1024e-9, CURVE_MEASURED, 1e-9);
	assert_int_equal(curve.points[0].launches, 3);
	assert_says(curve.choice, "5 sizes, 3 launches, a/all_reduce.csv and 2 more, 1 KiB to 256 KiB");
	assert_string_equal(curve.passed_over, "");
	curve_clear(&curve);
	/* The third ran elsewhere. */
	take(&table, (struct curve_wish){ .facts = facts, .nfacts = 3 }, &curve);
	assert_time(&curve, 1024, 20e-6 + 1024e-9, CURVE_MEASURED, 1e-9);
	assert_says(curve.passed_over, "1 other series not used: ");
	assert_says(curve.passed_over, "c/all_reduce.csv");
	curve_clear(&curve);
	table_close(&table);
}

static void files_that_split_the_sizes_are_one_curve(void **state)
{
	struct table table;
	struct curve curve;

	(void)state;
	table_open(&table);
	for (int i = 0; i < 9; i++) {
		add(&table, plain, ldexp(1024, 2 * i), 10e-6 + 1e-9 * ldexp(1024, 2 * i));
		if (i == 4)
			end_file(&table, "small.csv");
	}
	end_file(&table, "large.csv");
	take(&table, (struct curve_wish){ 0 }, &curve);
	assert_int_equal(curve.npoints, 9);
	curve_clear(&curve);
	table_close(&table);
}

/* As a library goes from one to another with the size. */
static const char *algorithm_of(int i)
{
	return i < 3 ? "tree/ll" : i < 5 ? "ring/ll128" : "ring/simple";
}

static void algorithms_by_size_are_one_curve(void **state)
{
	/* 8 ranks: 6 alpha of a tree, 1.75 S / B of a ring. */
	const double alpha = 3e-6, beta = 1 / 50e9;
	struct table table;
	struct curve curve;
	double a, b;

	(void)state;
	table_open(&table);
	for (int i = 0; i < 9; i++)
		add(&table, (struct look){ .algo = algorithm_of(i) }, ldexp(1024, 2 * i),
		    6 * alpha + 1.75 * beta * ldexp(1024, 2 * i));
	end_file(&table, "f.csv");
	take(&table, (struct curve_wish){ 0 }, &curve);
	assert_int_equal(curve.npoints, 9);
	assert_says(curve.choice, "algorithm tree/ll, then ring/ll128, then ring/simple, 9 sizes");
	assert_string_equal(curve.passed_over, "");
	curve_clear(&curve);
	/* Each size by its own model: a tree of 64 has 12 alpha, a ring 1.96875 S / B. */
	take(&table, (struct curve_wish){ .nranks = 64, .scale = true }, &curve);
	assert_says(curve.choice, "by its model tree_ideal and then ring, alpha 3 us, 50 GB/s");
	assert_time(&curve, 1024,
		    (6 * alpha + 1.75 * beta * 1024) * (12 * alpha + 2 * beta * 1024) / (6 * alpha + 2 * beta * 1024),
		    CURVE_MEASURED, 1e-4);
	assert_true(curve_line(&curve, &a, &b));
	assert_near(a, 12 * alpha, 1e-4);
	assert_near(b, 1.96875 * beta, 1e-4);
	curve_clear(&curve);
	table_close(&table);
}

/* The library's own choice comes before what was asked for, even with fewer sizes. */
static void two_algorithms_at_a_size_are_two_curves(void **state)
{
	struct table table;
	struct curve curve;

	(void)state;
	table_open(&table);
	sweep(&table, (struct look){ .run = "r1", .algo = "ring" }, 9, 50e-6, 1e-9);
	sweep(&table, (struct look){ .run = "r2", .algo = "tree/ll" }, 9, 60e-6, 1e-9);
	for (int i = 0; i < 7; i++)
		add(&table, (struct look){ .run = "r3", .algo = algorithm_of(i) }, ldexp(1024, 2 * i), 20e-6);
	for (int i = 0; i < 7; i++)
		add(&table, (struct look){ .run = "r4", .algo = algorithm_of(i + 1) }, ldexp(1024, 2 * i), 30e-6);
	end_file(&table, "f.csv");
	take(&table, (struct curve_wish){ 0 }, &curve);
	assert_int_equal(curve.npoints, 7);
	assert_time(&curve, 1024, 25e-6, CURVE_MEASURED, 1e-9);
	assert_says(curve.passed_over, "2 other series not used: ");
	curve_clear(&curve);
	sweep(&table, (struct look){ .run = "r5", .algo = "auto" }, 2, 40e-6, 0);
	sweep(&table, (struct look){ .run = "r6" }, 2, 45e-6, 0);
	end_file(&table, "f.csv");
	take(&table, (struct curve_wish){ 0 }, &curve);
	assert_time(&curve, 1024, 35e-6, CURVE_MEASURED, 1e-9);
	curve_clear(&curve);
	take(&table, (struct curve_wish){ .algo = "ring" }, &curve);
	assert_time(&curve, 1024, 50e-6 + 1024e-9, CURVE_MEASURED, 1e-9);
	curve_clear(&curve);
	table_close(&table);
}

static void beyond_the_last_size_time_goes_on_from_it(void **state)
{
	const double a = 20e-6, b = 1e-9;
	struct table table;
	struct curve curve;

	(void)state;
	table_open(&table);
	sweep(&table, plain, 8, a, b);
	/* Ten per cent over the line, which is noise. */
	add(&table, plain, 67108864, 1.1 * (a + b * 67108864));
	end_file(&table, "f.csv");
	take(&table, (struct curve_wish){ 0 }, &curve);
	assert_true(curve_time(&curve, 67108865).seconds >= 1.1 * (a + b * 67108864));
	assert_near(curve_time(&curve, 134217728).seconds - curve_time(&curve, 67108864).seconds, b * 67108864, 0.05);
	assert_false(curve_time(&curve, 134217728).guess);
	curve_clear(&curve);
	table_close(&table);
}

/* The fit leaves the outermost size out; what was measured there stands all the same. */
static void ends_that_the_fit_misses_are_guesses(void **state)
{
	const double a = 20e-6, b = 1e-9;
	struct table table;
	struct curve curve;

	(void)state;
	table_open(&table);
	add(&table, plain, 256, 5 * a);
	sweep(&table, plain, 8, a, b);
	add(&table, plain, 67108864, 5 * (a + b * 67108864));
	end_file(&table, "f.csv");
	take(&table, (struct curve_wish){ 0 }, &curve);
	assert_time(&curve, 134217728, 10 * (a + b * 67108864), CURVE_ABOVE, 1e-9);
	assert_time(&curve, 8, 5 * a, CURVE_BELOW, 1e-9);
	assert_true(curve_time(&curve, 134217728).guess && curve_time(&curve, 8).guess);
	curve_clear(&curve);
	table_close(&table);
}

static void doubtful_rows_are_counted_or_set_aside(void **state)
{
	struct table table;
	struct curve curve;

	(void)state;
	table_open(&table);
	add(&table, (struct look){ .run = "r1", .flags = "noisy" }, 1024, 10e-6);
	add(&table, (struct look){ .run = "r2" }, 1024, 20e-6);
	add(&table, (struct look){ .run = "r3", .flags = "late" }, 1024, 90e-6);
	add(&table, (struct look){ .run = "r4", .flags = "late host_bound noisy" }, 1024, 99e-6);
	/* Here only doubtful ones, or too many of them. */
	add(&table, (struct look){ .run = "r1", .flags = "traced" }, 2048, 30e-6);
	add(&table, (struct look){ .run = "r1" }, 4096, 40e-6);
	add(&table, (struct look){ .run = "r2", .flags = "other_path" }, 4096, 50e-6);
	add(&table, (struct look){ .run = "r3", .flags = "other_path unchecked" }, 4096, 60e-6);
	end_file(&table, "f.csv");
	take(&table, (struct curve_wish){ 0 }, &curve);
	assert_time(&curve, 1024, 15e-6, CURVE_MEASURED, 1e-9);
	assert_time(&curve, 2048, 30e-6, CURVE_MEASURED, 1e-9);
	assert_time(&curve, 4096, 50e-6, CURVE_MEASURED, 1e-9);
	assert_int_equal(curve.noise.rows, 6);
	assert_int_equal(curve.noise.set_aside, 2);
	assert_int_equal(curve.noise.flagged[CURVE_NOISY], 1);
	assert_int_equal(curve.noise.flagged[CURVE_LATE], 0);
	assert_int_equal(curve.noise.flagged[CURVE_TRACED], 1);
	assert_int_equal(curve.noise.flagged[CURVE_OTHER_PATH], 2);
	assert_int_equal(curve.noise.flagged[CURVE_UNCHECKED], 1);
	curve_clear(&curve);
	table_close(&table);
}

static void a_wish_is_kept(void **state)
{
	struct table table;
	struct curve curve;

	(void)state;
	table_open(&table);
	sweep(&table, plain, 9, 10e-6, 1e-9);
	sweep(&table, (struct look){ .placement = "in-place" }, 4, 20e-6, 1e-9);
	sweep(&table, (struct look){ .path = "tcp" }, 4, 30e-6, 1e-9);
	sweep(&table, (struct look){ .algo = "tree" }, 4, 40e-6, 1e-9);
	sweep(&table, (struct look){ .backend = "nccl" }, 4, 50e-6, 1e-9);
	sweep(&table, (struct look){ .nnodes = 2 }, 4, 60e-6, 1e-9);
	sweep(&table, (struct look){ .coll = "all_gather" }, 4, 70e-6, 1e-9);
	sweep(&table, (struct look){ .group = "0" }, 4, 80e-6, 1e-9);
	end_file(&table, "f.csv");
	const struct curve_wish wishes[] = {
		{ .placement = "out-of-place" },
		{ .placement = "in-place" },
		{ .path = "tcp" },
		{ .algo = "tree" },
		{ .backend = "nccl" },
		{ .nnodes = 2 },
		{ .coll = collective_find("all_gather") },
		{ .group = "0" },
	};

	for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
		take(&table, wishes[i], &curve);
		assert_near(curve.points[0].time, (double)(10 * (i + 1)) * 1e-6 + 1024e-9, 1e-9);
		curve_clear(&curve);
	}
	assert_refused(&table, (struct curve_wish){ .nranks = 8, .type = "half" }, "rows other than asked for");
	assert_refused(&table, (struct curve_wish){ .nranks = 8, .redop = "max" }, "no row that counts");
	assert_refused(&table, (struct curve_wish){ .nranks = 8, .library = "x" }, "no row that counts");
	table_close(&table);
}

static void other_numbers_of_ranks_follow_the_model(void **state)
{
	const double alpha = 2e-6, beta = 1 / 10e9;
	struct table table;
	struct curve curve;
	double a, b;

	(void)state;
	table_open(&table);
	/* A ring over 8. */
	sweep(&table, plain, 10, 14 * alpha, 1.75 * beta);
	sweep(&table, (struct look){ .nranks = 2 }, 10, 14, 1e-9);
	end_file(&table, "f.csv");
	assert_refused(&table, (struct curve_wish){ .nranks = 64 }, "all_reduce: not measured with 64 ranks, but with 8, 2");
	take(&table, (struct curve_wish){ .nranks = 64, .scale = true }, &curve);
	assert_int_equal(curve.measured_nranks, 8);
	for (double bytes = 64; bytes < 1e12; bytes *= 16) {
		const double want = 126 * alpha + 2 * 63 / 64.0 * beta * bytes;

		assert_near(curve_time(&curve, bytes).seconds, want, 1e-6);
		assert_true(curve_time(&curve, bytes).scaled);
	}
	assert_time(&curve, 65536, 126 * alpha + 2 * 63 / 64.0 * beta * 65536, CURVE_MEASURED, 1e-6);
	assert_true(curve_line(&curve, &a, &b));
	assert_near(a, 126 * alpha, 1e-6);
	assert_near(b, 2 * 63 / 64.0 * beta, 1e-6);
	assert_says(curve.choice, "; for 64 ranks by its model ring, alpha 2 us, 10 GB/s");
	curve_clear(&curve);
	/* One rank has nobody to send to. */
	take(&table, (struct curve_wish){ .nranks = 1 }, &curve);
	assert_time(&curve, 1 << 20, 0, CURVE_MODEL, 0);
	assert_true(curve_line(&curve, &a, &b) && a == 0 && b == 0);
	assert_says(curve.choice, "one rank");
	curve_clear(&curve);
	assert_refused(&table, (struct curve_wish){ .nranks = 0 }, "rank");
	table_close(&table);
}

static void what_does_not_scale_is_refused(void **state)
{
	struct table table;

	(void)state;
	table_open(&table);
	/* Three sizes have no fit; a broadcast's pipelined ring is not linear; recursive doubling is for powers of two. */
	sweep(&table, plain, 3, 20e-6, 1e-9);
	sweep(&table, (struct look){ .coll = "broadcast" }, 9, 20e-6, 1e-10);
	sweep(&table, (struct look){ .path = "nvls", .algo = "nvls/simple" }, 9, 20e-6, 1e-10);
	sweep(&table, (struct look){ .path = "odd", .algo = "bogus" }, 9, 20e-6, 1e-10);
	sweep(&table, (struct look){ .path = "tree", .algo = "tree/ll128" }, 9, 20e-6, 1e-10);
	sweep(&table, (struct look){ .coll = "all_gather", .algo = "recdbl" }, 9, 20e-6, 1e-10);
	end_file(&table, "f.csv");
	assert_refused(&table, (struct curve_wish){ .nranks = 64, .scale = true },
		       "measured with 8 ranks, and times of 64 do not follow");
	assert_refused(&table, (struct curve_wish){ .coll = collective_find("broadcast"), .nranks = 64, .scale = true },
		       "no model that is linear");
	assert_refused(&table, (struct curve_wish){ .coll = collective_find("all_gather"), .nranks = 6, .scale = true },
		       "does not hold");
	assert_refused(&table, (struct curve_wish){ .nranks = 16, .scale = true, .path = "nvls" },
		       "of the algorithm nvls/simple");
	assert_refused(&table, (struct curve_wish){ .nranks = 16, .scale = true, .path = "odd" }, "of the algorithm bogus");
	assert_refused(&table, (struct curve_wish){ .nranks = 262144, .scale = true, .path = "tree" }, "more than 65536 ranks");
	table_close(&table);
}

static void latency_of_a_tree_grows_with_the_logarithm(void **state)
{
	struct table table;
	struct curve curve;
	double a, b;

	(void)state;
	table_open(&table);
	/* 8 ranks: 6 alpha + 2 S / B. */
	sweep(&table, (struct look){ .algo = "tree/ll128" }, 9, 6 * 2e-6, 2 / 10e9);
	end_file(&table, "f.csv");
	take(&table, (struct curve_wish){ .nranks = 64, .scale = true }, &curve);
	assert_true(curve_line(&curve, &a, &b));
	assert_near(a, 12 * 2e-6, 1e-6);
	assert_near(b, 2 / 10e9, 1e-6);
	assert_time(&curve, 65536, 12 * 2e-6 + 2 / 10e9 * 65536, CURVE_MEASURED, 1e-6);
	curve_clear(&curve);
	table_close(&table);
}

static void models_with_a_link(void **state)
{
	const struct coll_link link = { .alpha = 5e-6, .beta = 1 / 100e9 };
	const struct collective *all_reduce = collective_find("all_reduce");
	struct curve curve;
	char error[300] = "";
	double a, b;

	(void)state;
	assert_int_equal(curve_from_link(all_reduce, NULL, &link, 8, &curve, error, sizeof error), 0);
	assert_time(&curve, 1 << 20, 88.3501e-6, CURVE_MODEL, 1e-6);
	assert_time(&curve, 0, 0, CURVE_MODEL, 0);
	assert_true(curve_least(&curve) == 0 && isinf(curve_most(&curve)));
	assert_true(curve_line(&curve, &a, &b));
	assert_near(a, 70e-6, 1e-9);
	assert_near(b, 1.75 / 100e9, 1e-9);
	assert_string_equal(curve.choice, "all_reduce: the model ring of 8 ranks, alpha 5 us, 100 GB/s");
	assert_string_equal(curve.passed_over, "");
	curve_clear(&curve);
	/* Without alpha, as --bandwidth alone says. */
	assert_int_equal(
		curve_from_link(all_reduce, NULL, &(struct coll_link){ .beta = 1 / 400e9 }, 8, &curve, error, sizeof error), 0);
	assert_time(&curve, 14e9, 61.25e-3, CURVE_MODEL, 1e-12);
	assert_true(curve_line(&curve, &a, &b) && a <= 1e-15);
	curve_clear(&curve);
	assert_int_equal(curve_from_link(all_reduce, "binomial", &link, 4, &curve, error, sizeof error), 0);
	assert_time(&curve, 1 << 20, 61.943e-6, CURVE_MODEL, 1e-5);
	curve_clear(&curve);
	/* The bound is the larger of two terms. */
	assert_int_equal(curve_from_link(all_reduce, "lb", &link, 8, &curve, error, sizeof error), 0);
	assert_false(curve_line(&curve, &a, &b));
	curve_clear(&curve);
}

static void bad_models_and_links_are_refused(void **state)
{
	const struct coll_link good = { .alpha = 5e-6, .beta = 1e-11 }, links[] = {
		{ .beta = 0 }, { .alpha = -1, .beta = 1 }, { .beta = NAN }, { .beta = INFINITY }, { .beta = 1, .gamma = -1 }
	};
	struct curve curve;
	char error[300];

	(void)state;
	for (size_t i = 0; i < sizeof links / sizeof *links; i++)
		assert_int_equal(curve_from_link(collectives[COLL_ALL_REDUCE], NULL, &links[i], 8, &curve, error, sizeof error),
				 -1);
	assert_int_equal(curve_from_link(collectives[COLL_ALL_REDUCE], "none", &good, 8, &curve, error, sizeof error), -1);
	assert_says(error, "no model of that name");
	assert_int_equal(curve_from_link(collectives[COLL_ALL_REDUCE], NULL, &good, 0, &curve, error, sizeof error), -1);
	assert_int_equal(curve_from_link(collectives[COLL_ALL_GATHER], "recdbl", &good, 6, &curve, error, sizeof error), -1);
	assert_says(error, "does not hold for 6 ranks");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_measured_between_and_outside),
		cmocka_unit_test(outside_of_few_sizes_is_a_guess),
		cmocka_unit_test(what_the_fit_cannot_tell_is_a_guess),
		cmocka_unit_test(a_point_is_the_median_over_launches),
		cmocka_unit_test(rows_that_are_no_measurement_never_count),
		cmocka_unit_test(one_rule_chooses_among_series),
		cmocka_unit_test(then_launches_then_the_first),
		cmocka_unit_test(files_of_one_machine_are_one_curve),
		cmocka_unit_test(files_that_split_the_sizes_are_one_curve),
		cmocka_unit_test(algorithms_by_size_are_one_curve),
		cmocka_unit_test(two_algorithms_at_a_size_are_two_curves),
		cmocka_unit_test(beyond_the_last_size_time_goes_on_from_it),
		cmocka_unit_test(ends_that_the_fit_misses_are_guesses),
		cmocka_unit_test(doubtful_rows_are_counted_or_set_aside),
		cmocka_unit_test(latency_of_a_tree_grows_with_the_logarithm),
		cmocka_unit_test(a_wish_is_kept),
		cmocka_unit_test(other_numbers_of_ranks_follow_the_model),
		cmocka_unit_test(what_does_not_scale_is_refused),
		cmocka_unit_test(models_with_a_link),
		cmocka_unit_test(bad_models_and_links_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
