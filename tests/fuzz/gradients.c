/* SPDX-License-Identifier: Apache-2.0 */
/* sources: src/step_gradients.c src/step_plan.c src/text_file.c src/dtype.c */
/*
 * Any bytes as a file of gradients: refused with one line of plain text, or gradients whose plans move each element.
 */
#include <assert.h>
#include <string.h>

#include "../../src/step.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_refusal(const char *error)
{
	assert(strlen(error) > 0 && strlen(error) < 255);
	for (; *error; error++)
		assert(*error >= ' ' && *error <= '~');
}

static void check_plan(const struct step_options *options, enum step_strategy strategy, uint64_t cap)
{
	const struct step_row row = { strategy, cap };
	const size_t times = strategy == STEP_ZERO || strategy == STEP_FSDP ? 2 : 1;
	struct step_plan plan;
	size_t moved = 0;

	if (step_plan_open(&plan, options, &row, 3, 4))
		return;
	for (size_t i = 0; i < plan.ncalls; i++) {
		assert(plan.calls[i].elements > 0 && plan.calls[i].first + plan.calls[i].elements <= plan.elements);
		moved += plan.calls[i].elements;
	}
	assert(moved == times * plan.elements && plan.elements >= options->gradients.total);
	assert(plan.nacts <= 5 * options->gradients.count && plan.ncalls <= 2 * options->gradients.count);
	step_plan_close(&plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct step_options options = { .prefetch = size > 0 ? data[0] % 4 : 0 };
	char error[256] = "";

	if (step_gradients_parse((const char *)data, size, &options.gradients, error, sizeof error)) {
		assert(!options.gradients.elements);
		check_refusal(error);
		return 0;
	}
	options.gradients.layers = (long)(size % 5);
	for (int strategy = 0; strategy < STEP_STRATEGIES; strategy++)
		check_plan(&options, (enum step_strategy)strategy, 1 << (size % 30));
	step_gradients_free(&options.gradients);
	return 0;
}
