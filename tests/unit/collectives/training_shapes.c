/* SPDX-License-Identifier: Apache-2.0
 *
 * Public models have the parameters that were published, and the gradients of a model are all of them, output side first.
 */
#include "collectives/training.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_close(double got, double want, double tolerance)
{
	if (!(fabs(got - want) <= tolerance * fabs(want)))
		fail_msg("%.17g, not %.17g", got, want);
}

static uint64_t sum_of(const uint64_t *elements, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += elements[i];
	return sum;
}

static size_t gradients(const struct train_shape *shape, uint64_t **elements)
{
	char error[200] = "";
	size_t n = 0;

	if (train_gradients(shape, elements, &n, error, sizeof error))
		fail_msg("%s: %s", shape->name ? shape->name : "", error);
	return n;
}

static void widths_make_what_was_published(void **state)
{
	size_t n = 0;

	(void)state;
	for (const struct train_shape *shape = train_shapes; shape->name; shape++, n++) {
		uint64_t *elements;
		size_t tensors = gradients(shape, &elements);

		assert_true(train_shape_params(shape) == shape->params);
		assert_true((double)sum_of(elements, tensors) == shape->params);
		assert_non_null(shape->source);
		assert_ptr_equal(train_shape_find(shape->name), shape);
		free(elements);
	}
	assert_in_range(n, 8, 12);
	assert_null(train_shape_find("mixtral"));
	assert_null(train_shape_find(""));
	assert_ptr_equal(train_shape_find("GPT2-XL"), train_shape_find("gpt2-xl"));
}

/* To the last one where all tensors of a published file were counted, else a round number. */
static void shapes_have_the_published_parameters(void **state)
{
	static const struct {
		const char *name;
		double published;
		bool exact;
	} cases[] = {
		{ "gpt2", 124439808, true },       { "bert-large", 336e6, false },       { "gpt2-xl", 1557611200, true },
		{ "gpt2-xl", 1558e6, false },      { "llama2-7b", 6738415616, true },    { "mistral-7b", 7241732096, true },
		{ "llama3-8b", 8030261248, true }, { "llama2-70b", 68976648192, true },  { "llama3-70b", 70553706496, true },
		{ "gpt3-175b", 175e9, false },     { "bloom-176b", 176247271424, true }, { "llama3-405b", 405e9, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_close(train_shape_find(cases[i].name)->params, cases[i].published, cases[i].exact ? 0 : 0.01);
}

/* What GPT-2 learns of positions comes with the embedding, after all layers. */
static void positions_are_a_tensor(void **state)
{
	const struct train_shape *gpt2 = train_shape_find("gpt2");
	uint64_t *elements;
	const size_t n = gradients(gpt2, &elements);

	(void)state;
	assert_int_equal(elements[n - 2], 1024 * 768);
	assert_int_equal(elements[n - 1], 50257 * 768);
	free(elements);
}

static void assert_elements(const struct train_shape *shape, const uint64_t *want, size_t n)
{
	uint64_t *elements;

	assert_int_equal(gradients(shape, &elements), n);
	assert_memory_equal(elements, want, n * sizeof *want);
	free(elements);
}

static void gradients_come_output_side_first(void **state)
{
	/* norm, twice down, gate, up, norm, output, values, keys, queries, norm; the embedding last. */
	static const uint64_t gated[] = { 800, 8, 160, 160, 160, 8, 64, 32, 32, 64, 8, 160, 160, 160, 8, 64, 32, 32, 64, 8, 800 };
	/* Heads of 3, so that queries are 12 wide and keys 6. */
	static const uint64_t wide[] = { 800, 8, 160, 160, 160, 8, 96, 48, 48, 96, 8, 160, 160, 160, 8, 96, 48, 48, 96, 8, 800 };
	/* The same with biases and without a gate; one embedding, last. */
	static const uint64_t plain[] = { 8, 8, 8, 256, 32, 256, 8, 8, 8, 64, 8, 64, 8, 64, 8, 64, 8, 8, 800 };
	struct train_shape shape = {
		.layers = 2, .hidden = 8, .ffn = 20, .vocab = 100, .heads = 4, .kv_heads = 2, .gated = true
	};

	(void)state;
	assert_elements(&shape, gated, sizeof gated / sizeof *gated);
	shape.head_dim = 3;
	assert_elements(&shape, wide, sizeof wide / sizeof *wide);
	shape = (struct train_shape){ .layers = 1, .hidden = 8, .ffn = 32, .vocab = 100, .heads = 4, .tied = true };
	assert_elements(&shape, plain, sizeof plain / sizeof *plain);
}

static void without_widths_layers_are_equal(void **state)
{
	static const struct {
		double params;
		int64_t layers;
	} cases[] = { { 10e6, 12 }, { 7e9, 32 }, { 25, 1 }, { 1e6 + 0.4, 7 }, { 75, 3 }, { 99999, 11 }, { 175e9, 96 } };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct train_shape shape = { .params = cases[i].params, .layers = cases[i].layers };
		uint64_t *elements;
		const size_t n = gradients(&shape, &elements), each = n / (size_t)cases[i].layers;

		assert_int_equal(n, 16 * cases[i].layers);
		assert_true((double)sum_of(elements, n) == round(cases[i].params));
		for (size_t k = each; k < n; k++)
			assert_in_range(elements[k - each] - elements[k], 0, k % each == 1);
		free(elements);
	}
}

static void assert_refused(struct train_shape shape, const char *why)
{
	char error[200] = "";
	uint64_t *elements;
	size_t n;

	assert_int_equal(train_gradients(&shape, &elements, &n, error, sizeof error), -1);
	if (!strstr(error, why))
		fail_msg("'%s' lacks '%s'", error, why);
}

static void shapes_that_make_no_gradients_are_refused(void **state)
{
	(void)state;
	assert_refused((struct train_shape){ .params = 1e9 }, "layers");
	assert_refused((struct train_shape){ .params = 1e9, .layers = 65537 }, "layers");
	assert_refused((struct train_shape){ .layers = 12 }, "parameters");
	assert_refused((struct train_shape){ .params = NAN, .layers = 12 }, "parameters");
	assert_refused((struct train_shape){ .params = 100, .layers = 12 }, "too few");
	assert_refused((struct train_shape){ .params = 1e300, .layers = 12 }, "2^53");
	assert_refused((struct train_shape){ .layers = 1, .hidden = INT64_MAX, .ffn = 1, .vocab = 1 }, "2^53");
	/* Widths of which one is missing make nothing. */
	assert_true(train_shape_params(&(struct train_shape){ .layers = 1, .hidden = 8, .ffn = 32 }) == 0);
	assert_true(train_shape_params(&(struct train_shape){ .hidden = 8, .ffn = 32, .vocab = 100 }) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(widths_make_what_was_published),  cmocka_unit_test(shapes_have_the_published_parameters),
		cmocka_unit_test(positions_are_a_tensor),          cmocka_unit_test(gradients_come_output_side_first),
		cmocka_unit_test(without_widths_layers_are_equal), cmocka_unit_test(shapes_that_make_no_gradients_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
