/* SPDX-License-Identifier: Apache-2.0
 *
 * The sizes at which algorithms change places: the models' against published numbers, the measured ones against the lines that the
 * rows were made from.
 */
#include "study_rows.h"

#include "report/crossover.h"

static const struct coll_link published = { .alpha = 5e-6, .beta = 1 / 100e9 };

/* Bytes below which the first of the two models is faster; 0: never, INFINITY: always. */
static const struct {
	enum coll_id coll;
	const char *first, *second;
	int nranks;
	double bytes;
} crossings[] = {
	{ COLL_ALL_REDUCE, "tree_ideal", "ring", 2, 0 },
	{ COLL_ALL_REDUCE, "tree_ideal", "ring", 3, 0 },
	{ COLL_ALL_REDUCE, "tree_ideal", "ring", 4, 2.0e6 },
	{ COLL_ALL_REDUCE, "tree_ideal", "ring", 8, 16.0e6 },
	{ COLL_ALL_REDUCE, "tree_ideal", "ring", 16, 88.0e6 },
	{ COLL_ALL_REDUCE, "tree_ideal", "ring", 64, 1.824e9 },
	{ COLL_ALL_REDUCE, "tree_ideal", "ring", 1024, 5.18656e11 },
	{ COLL_ALL_REDUCE, "binomial", "ring", 8, 941176 },
	{ COLL_ALL_REDUCE, "binomial", "ring", 64, 5682243 },
	{ COLL_ALL_REDUCE, "recdbl", "ring", 2, INFINITY },
	{ COLL_ALL_REDUCE, "recdbl", "ring", 4, 4.0e6 },
	{ COLL_ALL_REDUCE, "recdbl", "ring", 1024, 127218941 },
	{ COLL_ALLTOALL, "bruck", "pairwise", 8, 3.2e6 },
	{ COLL_ALLTOALL, "bruck", "pairwise", 1024, 126594093 },
	{ COLL_BROADCAST, "binomial", "scatter_allgather", 3, 1.5e6 },
	{ COLL_BROADCAST, "binomial", "scatter_allgather", 16, 3529412 },
};

static void models_cross_where_they_should(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof crossings / sizeof *crossings; i++) {
		const struct collective *coll = collectives[crossings[i].coll];
		struct crossover found = crossover_of_models(collective_model(coll, crossings[i].first),
							     collective_model(coll, crossings[i].second), crossings[i].nranks,
							     &published);

		if (crossings[i].bytes == 0) {
			assert_int_equal(found.verdict, CROSSOVER_RING);
		} else if (isinf(crossings[i].bytes)) {
			assert_int_equal(found.verdict, CROSSOVER_TREE);
		} else {
			assert_int_equal(found.verdict, CROSSOVER_AT);
			assert_close(found.bytes, crossings[i].bytes);
		}
	}
}

static void what_does_not_cross(void **state)
{
	const struct collective *coll = collectives[COLL_ALL_REDUCE];
	const struct coll_model *tree = collective_model(coll, "tree_ideal"), *ring = collective_model(coll, "ring");
	struct coll_link no_alpha = { .alpha = 0, .beta = 1e-11 };

	(void)state;
	assert_int_equal(crossover_of_models(tree, ring, 8, &no_alpha).verdict, CROSSOVER_NONE);
	assert_int_equal(crossover_of_models(tree, ring, 1, &published).verdict, CROSSOVER_NONE);
	assert_int_equal(crossover_of_models(NULL, ring, 8, &published).verdict, CROSSOVER_NONE);
	/* The other way round the second one is the faster one at small sizes. */
	assert_int_equal(crossover_of_models(ring, tree, 8, &published).verdict, CROSSOVER_REVERSED);
	/* All-gather by recursive doubling is for powers of two alone. */
	coll = collectives[COLL_ALL_GATHER];
	assert_int_equal(
		crossover_of_models(collective_model(coll, "recdbl"), collective_model(coll, "ring"), 6, &published).verdict,
		CROSSOVER_NONE);
}

static const char header[] =
	"schema,point,points,run,collective,backend,path,algo,nranks,type,redop,placement,bytes,time_us,flags\n";

/* Sizes of powers of two from 1 KiB to 1 GiB; times of a + b * bytes. */
static void sweep(FILE *out, const char *algo, const char *placement, double a, double b, const char *flags)
{
	for (int i = 10; i <= 30; i++)
		fprintf(out, "1,,,r1,all_reduce,nccl,,%s,8,float,sum,%s,%.0f,%.9g,%s\n", algo, placement, ldexp(1, i),
			(a + b * ldexp(1, i)) * 1e6, flags);
}

static void read_rows(struct study_text *text, struct studied *studied)
{
	static const struct report_options options = { .given = true, .alpha = 5e-6, .bandwidth = 100e9 };

	study_read(text, &options, studied);
}

static void open_rows(struct study_text *text)
{
	*text = (struct study_text){ 0 };
	text->out = open_memstream(&text->text, &text->size);
	assert_non_null(text->out);
	fputs(header, text->out);
}

static void assert_said(const struct figure *figure, const char *words)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	crossover_put(out, ESCAPE_PLAIN, figure);
	fclose(out);
	if (strcmp(text, words))
		fail_msg("%s", text);
	free(text);
}

static void rows_of_two_algorithms_cross(void **state)
{
	struct study_text text;
	struct studied studied;
	const struct figure *figure;
	struct crossover found;

	(void)state;
	open_rows(&text);
	/* 20 us + S / 50 GB/s and 60 us + S / 100 GB/s meet at 4 MB. */
	sweep(text.out, "Tree/Simple", "in-place", 60e-6, 1e-11, "");
	sweep(text.out, "Tree/Simple", "out-of-place", 20e-6, 2e-11, "");
	sweep(text.out, "Ring/Simple", "out-of-place", 60e-6, 1e-11, "");
	read_rows(&text, &studied);
	figure = &studied.study.figures[COLL_ALL_REDUCE];
	found = crossover_observed(figure);
	assert_int_equal(found.verdict, CROSSOVER_AT);
	assert_int_equal(found.changes, 1);
	/* Interpolated between 2 MiB and 4 MiB. */
	assert_true(found.bytes > 3.9e6 && found.bytes < 4.1e6);
	assert_said(figure, " By the models \"ring\" and \"tree_ideal\", the ring overtakes the tree at 15.3 MiB; as measured, "
			    "the ring overtakes the tree at 3.82 MiB.");
	study_end(&studied);
}

static enum crossover_verdict verdict_of_words(const char *tree, const char *tree_flags, const char *ring, const char *ring_flags)
{
	struct study_text text;
	struct studied studied;
	enum crossover_verdict verdict;

	open_rows(&text);
	sweep(text.out, tree, "out-of-place", 20e-6, 2e-11, tree_flags);
	sweep(text.out, ring, "out-of-place", 60e-6, 1e-11, ring_flags);
	read_rows(&text, &studied);
	verdict = crossover_observed(&studied.study.figures[COLL_ALL_REDUCE]).verdict;
	study_end(&studied);
	return verdict;
}

static void turns_and_other_words_do_not_count(void **state)
{
	(void)state;
	assert_int_equal(verdict_of_words("TREE", "", "nccl-ring", ""), CROSSOVER_AT);
	assert_int_equal(verdict_of_words("tree", "oversubscribed", "ring", ""), CROSSOVER_NONE);
	assert_int_equal(verdict_of_words("tree", "", "ring", "oversubscribed"), CROSSOVER_NONE);
	assert_int_equal(verdict_of_words("nvlstree", "", "ring", ""), CROSSOVER_NONE);
	assert_int_equal(verdict_of_words("tree", "", "string", ""), CROSSOVER_NONE);
	assert_int_equal(verdict_of_words("tree", "", "ringing", ""), CROSSOVER_NONE);
}

static void one_is_always_faster(void **state)
{
	struct study_text text;
	struct studied studied;

	(void)state;
	open_rows(&text);
	sweep(text.out, "tree", "out-of-place", 20e-6, 1e-11, "");
	sweep(text.out, "ring", "out-of-place", 60e-6, 2e-11, "");
	read_rows(&text, &studied);
	assert_int_equal(crossover_observed(&studied.study.figures[COLL_ALL_REDUCE]).verdict, CROSSOVER_TREE);
	study_end(&studied);
	open_rows(&text);
	sweep(text.out, "tree", "out-of-place", 60e-6, 1e-11, "");
	sweep(text.out, "ring", "out-of-place", 20e-6, 2e-11, "");
	read_rows(&text, &studied);
	assert_int_equal(crossover_observed(&studied.study.figures[COLL_ALL_REDUCE]).verdict, CROSSOVER_REVERSED);
	study_end(&studied);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(models_cross_where_they_should), cmocka_unit_test(what_does_not_cross),
		cmocka_unit_test(rows_of_two_algorithms_cross),   cmocka_unit_test(turns_and_other_words_do_not_count),
		cmocka_unit_test(one_is_always_faster),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
