/* SPDX-License-Identifier: Apache-2.0 */
/* sources: src/options_step.c src/options_step_table.c src/step_gradients.c src/step_plan.c src/text_file.c src/options.c src/options_table.c src/options_values.c src/options_check.c src/options_pairs.c src/options_exchange.c src/options_uneven.c src/options_inject.c src/exchange.c src/options_environment.c src/options_help.c src/size.c src/dtype.c src/redop.c src/groups.c collectives/training.c collectives/training_shapes.c collectives/training_gradients.c */
/*
 * Any bytes as a command line of bucket_perf, one word a line: what is accepted has rows that can be planned, what is refused says so in one printable
 * line. No file is read here.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/options_step.h"

enum { MAX_WORDS = 64, FEW_GRADIENTS = 3000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int split(char *text, size_t size, char **words)
{
	static const char file[] = "--gradients";
	char *end = text + size;
	int n = 0;

	words[n++] = (char *)"bucket_perf";
	for (char *word = text; word < end && n < MAX_WORDS - 1; word += strlen(word) + 1) {
		char *line_end = strchr(word, '\n');

		if (line_end)
			*line_end = '\0';
		if (strncmp(word, file, strlen(file)) != 0)
			words[n++] = word;
	}
	words[n] = NULL;
	return n;
}

static void check_error(const struct options_error *error)
{
	size_t length = strnlen(error->text, sizeof error->text);

	assert(length > 0 && length < sizeof error->text);
	for (size_t i = 0; i < length; i++)
		assert(error->text[i] >= ' ' && error->text[i] <= '~');
}

static void check_lists(const struct step_options *step)
{
	unsigned seen = 0;

	assert(step->nstrategies >= 1 && step->nstrategies <= STEP_STRATEGIES);
	assert(step->ncaps >= 1 && step->ncaps <= STEP_MOST_CAPS);
	for (size_t i = 0; i < step->nstrategies; i++) {
		assert(step->strategies[i] < STEP_STRATEGIES && !(seen >> step->strategies[i] & 1));
		seen |= 1U << step->strategies[i];
	}
	for (size_t i = 0; i < step->ncaps; i++)
		assert(step->caps[i] >= 1 && step->caps[i] <= INT64_MAX);
}

static void check_values(const struct step_options *step)
{
	assert(step->prefetch >= 0 && step->prefetch <= 65536 && step->occupancy >= 1 && step->occupancy <= STEP_WHOLE);
	assert(step->progress >= STEP_POLLING && step->progress <= STEP_NOBODY && step->period > 0 && isfinite(step->period));
	assert(isnan(step->compute) || (step->compute >= 0 && isfinite(step->compute)));
	assert(step->ratio >= 0 && isfinite(step->ratio));
}

static void check_rows(const struct options *options)
{
	const struct step_gradients *gradients = &options->step->gradients;
	const size_t element = dtypes[options->type].size;
	uint64_t total = 0;

	if (options->step->file) {
		assert(gradients->count == 0 && options->max_bytes == 0);
		return;
	}
	for (size_t i = 0; i < gradients->count; i++)
		total += gradients->elements[i];
	assert(gradients->count > 0 && total == gradients->total && total <= UINT64_C(1) << 53);
	assert(options->min_bytes == total * element && options->max_bytes == options->min_bytes);
	for (size_t i = 0; i < step_rows(options->step) && gradients->count <= FEW_GRADIENTS; i++) {
		const struct step_row row = step_row(options->step, i);
		struct step_plan plan;

		assert((row.cap > 0) == (row.strategy == STEP_BUCKETED || row.strategy == STEP_ZERO));
		if (step_plan_open(&plan, options->step, &row, 3, element))
			continue;
		assert(plan.ncalls > 0 && plan.elements >= total && plan.largest <= plan.elements);
		step_plan_close(&plan);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *words[MAX_WORDS];
	struct options_error error;
	struct options_step given;
	struct options options;

	assert(text);
	memcpy(text, data, size);
	text[size] = '\0';
	if (options_step_parse(split(text, size, words), words, &options, &given, &error)) {
		check_error(&error);
		assert(!given.step.gradients.elements);
	} else {
		check_lists(&given.step);
		check_values(&given.step);
		if (options.step)
			check_rows(&options);
		step_gradients_free(&given.step.gradients);
	}
	free(text);
	return 0;
}
