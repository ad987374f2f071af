/* SPDX-License-Identifier: Apache-2.0 */
/* sources: report/plan/model_file.c report/file.c report/plan/model_keys.c report/plan/model_family.c report/escape.c report/text.c collectives/training.c collectives/training_shapes.c collectives/training_gradients.c */
/*
 * Any bytes as the file of a model: refused with one line, or a shape that is whole and finite.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/plan/model_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds)
{
	if (!holds)
		abort();
}

static void check_line(const char *text)
{
	for (; *text; text++)
		check((unsigned char)*text >= 0x20 && *text != 0x7f);
}

static void check_gradients(const struct train_shape *shape)
{
	char error[200] = "";
	uint64_t *elements;
	size_t count;
	double sum = 0;

	if (shape->layers > 1000)
		return;
	if (train_gradients(shape, &elements, &count, error, sizeof error)) {
		check(*error != '\0');
		return;
	}
	for (size_t i = 0; i < count; i++)
		sum += (double)elements[i];
	check(sum == (train_shape_params(shape) > 0 ? train_shape_params(shape) : round(shape->params)));
	free(elements);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct model_file model = { 0 };
	char error[300] = "";

	if (model_file_parse("f", (const char *)data, size, &model, error, sizeof error)) {
		check(strncmp(error, "f: ", 3) == 0);
		check_line(error);
		check(!model.name && !model.note);
		return 0;
	}
	check(model.shape.params >= 1 && isfinite(model.shape.params));
	check(isfinite(train_shape_params(&model.shape)));
	check(model.shape.layers >= 0 && model.shape.hidden >= 0 && model.shape.ffn >= 0 && model.shape.vocab >= 0);
	check_line(model.note);
	check_gradients(&model.shape);
	model_file_clear(&model);
	return 0;
}
