/* SPDX-License-Identifier: Apache-2.0
 *
 * A model's gradients in the order of its backward pass. A layer is x + attention(norm(x)), then x + ffn(norm(x)), so that its backward pass begins at
 * the last matrix of the feed-forward part. Models without a gate have biases (GPT-2, BERT), gated ones none (Llama). A tied embedding is complete only
 * at the very end.
 */
#include "training.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_LAYERS = 1 << 16, MOST_TENSORS = 16 }; /* of a layer; the others of a model are fewer */

static const double most_params = 0x1p53; /* whole numbers to here */

struct list {
	uint64_t *elements;
	size_t count;
};

static void add(struct list *list, int64_t elements)
{
	list->elements[list->count++] = (uint64_t)elements;
}

static void add_matrix(struct list *list, int64_t in, int64_t out, bool biased)
{
	if (biased)
		add(list, out);
	add(list, in * out);
}

static void add_norm(struct list *list, int64_t hidden, bool biased)
{
	if (biased)
		add(list, hidden);
	add(list, hidden);
}

static void add_layer(struct list *list, int64_t hidden, int64_t queries, int64_t keys, int64_t ffn, bool gated)
{
	const bool biased = !gated;

	add_matrix(list, ffn, hidden, biased);
	if (gated)
		add_matrix(list, hidden, ffn, biased);
	add_matrix(list, hidden, ffn, biased);
	add_norm(list, hidden, biased);
	add_matrix(list, queries, hidden, biased);
	add_matrix(list, hidden, keys, biased);
	add_matrix(list, hidden, keys, biased);
	add_matrix(list, hidden, queries, biased);
	add_norm(list, hidden, biased);
}

static void add_widths(struct list *list, const struct train_shape *shape)
{
	const int64_t queries = train_shape_query_width(shape), keys = train_shape_key_width(shape);

	if (!shape->tied)
		add_matrix(list, shape->hidden, shape->vocab, false);
	add_norm(list, shape->hidden, !shape->gated);
	for (int64_t layer = 0; layer < shape->layers; layer++)
		add_layer(list, shape->hidden, queries, keys, shape->ffn, shape->gated);
	if (shape->embedding_norm)
		add_norm(list, shape->hidden, !shape->gated);
	if (shape->positions > 0)
		add_matrix(list, shape->positions, shape->hidden, false);
	add_matrix(list, shape->vocab, shape->hidden, false);
}

/* Of a plain layer: four matrices of attention, two of a feed-forward part four times as wide, and their biases. */
static int64_t plain_layer(int64_t hidden)
{
	return 12 * hidden * hidden + 13 * hidden;
}

/* What the whole width leaves over goes to the first tensors of the layers, their largest. */
static void add_equal(struct list *list, int64_t params, int64_t layers)
{
	const int64_t each = params / layers;
	int64_t hidden = (int64_t)sqrt((double)each / 12);

	while (hidden > 1 && plain_layer(hidden) > each)
		hidden--;
	for (int64_t layer = 0; layer < layers; layer++) {
		const int64_t more = each + (layer < params % layers) - plain_layer(hidden);
		const size_t first = list->count;

		add_layer(list, hidden, hidden, hidden, 4 * hidden, false);
		list->elements[first + 1] += (uint64_t)more;
	}
}

static int fail(char *error, size_t size, const char *why)
{
	snprintf(error, size, "%s", why);
	return -1;
}

int train_gradients(const struct train_shape *shape, uint64_t **elements, size_t *count, char *error, size_t size)
{
	const double made = train_shape_params(shape), params = made > 0 ? made : round(shape->params);
	struct list list = { 0 };

	if (shape->layers < 1 || shape->layers > MOST_LAYERS)
		return fail(error, size, "gradients need the number of layers, 1 to 65536");
	if (!(params > 0))
		return fail(error, size, "gradients need the number of parameters, or widths: hidden, ffn and vocab");
	if (params > most_params)
		return fail(error, size, "over 2^53 parameters");
	if (!(made > 0) && params < (double)(plain_layer(1) * shape->layers))
		return fail(error, size, "too few parameters for so many layers: a layer has at least 25");
	list.elements = malloc(((size_t)shape->layers + 1) * MOST_TENSORS * sizeof *list.elements);
	if (!list.elements)
		return fail(error, size, "out of memory");
	if (made > 0)
		add_widths(&list, shape);
	else
		add_equal(&list, (int64_t)params, shape->layers);
	*elements = list.elements;
	*count = list.count;
	return 0;
}
