/* SPDX-License-Identifier: Apache-2.0
 *
 * What the fits of series say of the link: by the algorithm of the rows, launch by launch, and what is kept out.
 */
#include "study_rows.h"

#include "report/fit_series.h"
#include "report/tables.h"

static const struct report_options fitted = { 0 };

static const char header[] =
	"schema,point,points,run,collective,backend,path,algo,nranks,type,redop,placement,bytes,time_us,wrong,flags\n";

static void text_open(struct study_text *text)
{
	*text = (struct study_text){ 0 };
	text->out = open_memstream(&text->text, &text->size);
	assert_non_null(text->out);
	fputs(header, text->out);
}

/* A sweep from 1 KiB to 64 MiB of a call that takes a + b * bytes, in one launch. */
static void sweep(struct study_text *text, const char *run, const char *coll, const char *algo, int nranks, double a, double b)
{
	for (int i = 0; i <= 16; i++)
		fprintf(text->out, "1,,,%s,%s,sim,,%s,%d,float,,out-of-place,%.0f,%.12g,0,\n", run, coll, algo, nranks,
			ldexp(1024, i), (a + b * ldexp(1024, i)) * 1e6);
}

static const struct series *only(const struct studied *studied, enum coll_id coll)
{
	assert_int_equal(studied->study.figures[coll].nseries, 1);
	return &studied->study.figures[coll].series[0];
}

static void alpha_and_bandwidth_follow_from_the_algorithm(void **state)
{
	struct study_text text;
	struct studied studied;
	const struct series *series;

	(void)state;
	text_open(&text);
	/* 8 ranks, 2 us, 10 GB/s: a ring all_reduce takes 14 alpha and 1.75 S / B, the others likewise. */
	sweep(&text, "r", "all_reduce", "", 8, 14 * 2e-6, 1.75 / 10e9);
	sweep(&text, "r", "all_gather", "RING", 8, 7 * 2e-6, 0.875 / 10e9);
	sweep(&text, "r", "alltoall", "unheard", 8, 7 * 2e-6, 0.875 / 10e9);
	sweep(&text, "r", "scatter", "binomial", 8, 3 * 2e-6, 0.875 / 10e9);
	study_read(&text, &fitted, &studied);
	series = only(&studied, COLL_ALL_REDUCE);
	assert_string_equal(series->link.model->name, "ring");
	assert_close(series->fit.alpha, 28e-6);
	assert_close(series->fit.bandwidth, 10e9 / 1.75);
	assert_close(series->fit.half_bytes, 28e-6 * 10e9 / 1.75);
	assert_close(series->link.alphas, 14);
	assert_close(series->link.bytes, 1.75);
	for (enum coll_id coll = 0; coll < COLL_COUNT; coll++) {
		if (studied.study.figures[coll].nseries == 0)
			continue;
		series = only(&studied, coll);
		assert_close(series->link.alpha.value, 2e-6);
		assert_close(series->link.bandwidth.value, 10e9);
		assert_true(series->link.bandwidth.low <= series->link.bandwidth.high);
	}
	assert_string_equal(only(&studied, COLL_SCATTER)->link.model->name, "binomial");
	assert_string_equal(only(&studied, COLL_ALL_GATHER)->link.model->name, "ring");
	assert_string_equal(only(&studied, COLL_ALLTOALL)->link.model->name, "pairwise");
	study_end(&studied);
}

static void models_that_are_not_linear_say_nothing(void **state)
{
	struct result key = { .nranks = 8, .algo = "" };
	const struct collective *broadcast = collective_find("broadcast"), *all_reduce = collective_find("all_reduce");
	double alphas = 0, bytes = 0;

	(void)state;
	/* The pipelined ring has a square root in it, but not between two ranks; the lower bound is the larger one of two terms. */
	assert_null(fit_model(broadcast, &key, &alphas, &bytes));
	key.algo = "binomial";
	assert_non_null(fit_model(broadcast, &key, &alphas, &bytes));
	assert_close(alphas, 3);
	assert_close(bytes, 3);
	key.algo = "lb";
	assert_null(fit_model(all_reduce, &key, &alphas, &bytes));
	key.algo = "";
	key.nranks = 2;
	assert_non_null(fit_model(broadcast, &key, &alphas, &bytes));
	key.nranks = 1;
	assert_null(fit_model(all_reduce, &key, &alphas, &bytes));
	key.nranks = 2000000000;
	assert_null(fit_model(all_reduce, &key, &alphas, &bytes));
	/* Recursive doubling is for powers of two. */
	key.algo = "rechalving";
	key.nranks = 6;
	if (collective_model(collective_find("reduce_scatter"), "rechalving")->holds)
		assert_null(fit_model(collective_find("reduce_scatter"), &key, &alphas, &bytes));
}

static void a_protocol_is_no_other_model(void **state)
{
	static const struct {
		const char *algo, *model;
	} names[] = {
		{ "binomial/ll128", "binomial" },
		{ "Binomial/Simple", "binomial" },
		{ "binomial/", "binomial" },
		{ "", "ring" },
		{ "auto", "ring" },
	};
	struct result key = { .nranks = 8 };
	double alphas, bytes;

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		key.algo = names[i].algo;
		const struct coll_model *model = fit_model(collective_find("gather"), &key, &alphas, &bytes);

		assert_non_null(model);
		assert_string_equal(model->name,
				    strcmp(names[i].model, "ring") == 0 ? collective_find("gather")->ring : names[i].model);
	}
}

/* Names that no model has are not a ring's, and a pipelined tree's latency grows with the logarithm of the ranks. */
static void a_name_of_no_model_is_no_ring(void **state)
{
	static const char *const unknown[] = { "binomi/ll",        "binomialx/ll",         "nvls/simple",
					       "nvls_tree/simple", "collnetdirect/simple", "unknown" };
	struct result key = { .nranks = 16, .algo = "tree/ll128" };
	double alphas, bytes;

	(void)state;
	for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
		struct result other = { .nranks = 8, .algo = unknown[i] };

		assert_null(fit_named_model(collective_find("all_reduce"), &other, &alphas, &bytes));
		assert_null(fit_named_model(collective_find("gather"), &other, &alphas, &bytes));
	}
	assert_string_equal(fit_named_model(collective_find("all_reduce"), &key, &alphas, &bytes)->name, "tree_ideal");
	assert_close(alphas, 8);
	assert_close(bytes, 2);
	key.algo = "pat/simple";
	assert_non_null(fit_named_model(collective_find("all_gather"), &key, &alphas, &bytes));
	assert_close(alphas, 4);
	assert_close(bytes, 15.0 / 16);
	assert_string_equal(fit_named_model(collective_find("reduce_scatter"), &key, &alphas, &bytes)->name, "circulant");
}

static void launches_are_fitted_alone_too(void **state)
{
	struct study_text text;
	struct studied studied;
	const struct series *series;

	(void)state;
	text_open(&text);
	sweep(&text, "r1", "sendrecv", "", 2, 5e-6, 1 / 1e9);
	sweep(&text, "r2", "sendrecv", "", 2, 6e-6, 1 / 2e9);
	sweep(&text, "r3", "sendrecv", "", 2, 9e-6, 1 / 4e9);
	study_read(&text, &fitted, &studied);
	series = only(&studied, COLL_SENDRECV);
	assert_int_equal(series->launches, 3);
	assert_close(series->launch_a.median, 6e-6);
	assert_close(series->launch_a.least, 5e-6);
	assert_close(series->launch_a.most, 9e-6);
	assert_close(series->launch_b.median, 1 / 2e9);
	assert_close(series->launch_b.least, 1 / 4e9);
	assert_close(series->launch_b.most, 1 / 1e9);
	assert_int_equal(studied.study.machines[0].fit.n, 17);
	study_end(&studied);
	text_open(&text);
	sweep(&text, "r1", "sendrecv", "", 2, 5e-6, 1 / 1e9);
	study_read(&text, &fitted, &studied);
	assert_int_equal(only(&studied, COLL_SENDRECV)->launches, 0);
	study_end(&studied);
}

static void what_is_kept_out(void **state)
{
	struct study_text text;
	struct studied studied;

	(void)state;
	text_open(&text);
	for (int i = 0; i < 12; i++)
		fprintf(text.out, "1,,,r,gather,sim,,,4,float,,out-of-place,%.0f,%.12g,0,%s\n", ldexp(64, i),
			5 + ldexp(64, i) / 1e3, i < 9 ? "oversubscribed" : "");
	sweep(&text, "r", "scatter", "", 1, 5e-6, 1 / 1e9);
	study_read(&text, &fitted, &studied);
	assert_int_equal(only(&studied, COLL_GATHER)->fit.verdict, FIT_TOO_FEW);
	assert_int_equal(only(&studied, COLL_GATHER)->fit.n, 3);
	assert_int_equal(only(&studied, COLL_SCATTER)->fit.n, 0);
	assert_true(isnan(only(&studied, COLL_SCATTER)->link.alpha.value));
	study_end(&studied);
}

static size_t fields_of(const char *line)
{
	size_t n = 1;

	for (; *line && *line != '\n'; line++)
		n += *line == ',';
	return n;
}

static void the_table_has_a_line_for_each_segment(void **state)
{
	struct study_text text;
	struct studied studied;
	char *table = NULL;
	size_t size, lines = 0, segments = 0;
	FILE *out = open_memstream(&table, &size);

	(void)state;
	text_open(&text);
	for (int i = 0; i <= 24; i++) {
		double bytes = ldexp(8, i);

		fprintf(text.out, "1,,,r,sendrecv,sim,,,4,float,,out-of-place,%.0f,%.12g,0,\n", bytes,
			1e6 * (bytes <= 65536 ? 8e-6 + bytes / 20e9 : 25e-6 + bytes / 10e9));
	}
	study_read(&text, &fitted, &studied);
	tables_fit(out, &studied.study);
	fclose(out);
	for (const char *line = table; line && *line; line = strchr(line, '\n') + 1) {
		assert_int_equal(fields_of(line), fields_of(table));
		lines++;
		segments += strncmp(line, "segment,", 8) == 0;
	}
	assert_int_equal(lines, 7);
	assert_int_equal(segments, 4);
	assert_non_null(strstr(table, ",no bandwidth,1,2,8,65536,14,"));
	assert_null(strstr(table, "nan"));
	free(table);
	/* Some times lie under the headline's line, as it is none of the two: that is no impossible speed. */
	assert_true(studied.study.machines[0].fit.below > 0.2 && studied.study.machines[0].fit.below < 0.3);
	assert_true(study_tolerance(&studied.study.machines[0]) >= studied.study.machines[0].fit.below);
	study_end(&studied);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alpha_and_bandwidth_follow_from_the_algorithm),
		cmocka_unit_test(models_that_are_not_linear_say_nothing),
		cmocka_unit_test(a_protocol_is_no_other_model),
		cmocka_unit_test(a_name_of_no_model_is_no_ring),
		cmocka_unit_test(launches_are_fitted_alone_too),
		cmocka_unit_test(what_is_kept_out),
		cmocka_unit_test(the_table_has_a_line_for_each_segment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
