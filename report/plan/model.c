/* SPDX-License-Identifier: Apache-2.0
 *
 * The model that a command line names.
 */
#include "model.h"

#include <string.h>

#include "../escape.h"
#include "model_keys.h"
#include "words.h"

/* Whether --model is a file. */
static bool is_file(const char *name)
{
	const size_t length = strlen(name);

	return strchr(name, '/') || (length > 5 && strcmp(name + length - 5, ".json") == 0);
}

static int no_such_model(const char *name)
{
	fputs("collperf plan: --model: '", stderr);
	escape_text(stderr, ESCAPE_PLAIN, name);
	fputs("' is neither a FILE.json nor one of:", stderr);
	for (const struct train_shape *shape = train_shapes; shape->name; shape++)
		fprintf(stderr, " %s", shape->name);
	fputc('\n', stderr);
	return 2;
}

static int read_model_file(const char *path, struct plan_model *model)
{
	char error[400];

	if (model_file_read(path, &model->file, error, sizeof error)) {
		fputs("collperf plan: ", stderr);
		escape_text(stderr, ESCAPE_PLAIN, error);
		fputc('\n', stderr);
		return 3;
	}
	model->shape = model->file.shape;
	model->name = model->file.name;
	model->source = model->file.source;
	model->note = model->file.note;
	return 0;
}

static bool override(int64_t *value, double given)
{
	if (given > 0)
		*value = (int64_t)given;
	return given > 0;
}

/* Numbers of the command line; what a model's parameters were published with holds as long as none of them says otherwise. */
static void take_numbers(const struct plan_options *options, struct plan_model *model)
{
	struct train_shape *shape = &model->shape;
	const bool plain = shape->kv_heads == shape->heads;
	bool changed = false;

	changed |= override(&shape->layers, options->layers);
	changed |= override(&shape->hidden, options->hidden);
	changed |= override(&shape->ffn, options->ffn);
	changed |= override(&shape->vocab, options->vocab);
	changed |= override(&shape->heads, options->heads);
	changed |= override(&shape->kv_heads, options->kv_heads);
	if (plain && !(options->kv_heads > 0))
		shape->kv_heads = shape->heads;
	if (options->matrices > 0 || !options->model)
		shape->gated = options->matrices != 2;
	changed |= options->matrices > 0;
	if (options->params > 0)
		model->params = options->params;
	else
		model->params = shape->params > 0 && !changed ? shape->params : train_shape_params(shape);
	shape->params = model->params;
}

static int check_heads(const struct train_shape *shape)
{
	const char *key, *fault = model_heads_fault(shape, &key);

	if (fault)
		fprintf(stderr, "collperf plan: --%s: %s (%lld heads, %lld kv heads)\n",
			strcmp(key, "heads") == 0 ? key : "kv-heads", fault, (long long)shape->heads, (long long)shape->kv_heads);
	return fault ? 2 : 0;
}

/* A file that gives all widths has its own note. Without a vocabulary, embeddings are unknown, and small models consist of little else. */
static void compare_params(const struct plan_options *options, struct plan_model *model)
{
	struct train_shape shape = model->shape;
	const bool whole = train_shape_params(&shape) > 0;
	double made;

	if (!(model->params > 0) || shape.layers == 0 || shape.hidden == 0 || (whole && !(options->params > 0)))
		return;
	shape.gated = shape.gated && shape.ffn > 0;
	shape.ffn = shape.ffn > 0 ? shape.ffn : 4 * shape.hidden;
	shape.vocab = shape.vocab > 0 ? shape.vocab : 1;
	made = train_shape_params(&shape);
	if (model->params < made * (whole ? 0.9 : 0.5) || model->params > made * (whole ? 1.1 : 4))
		snprintf(model->remark, sizeof model->remark, "%s parameters do not fit the widths, which make %s%s%s.",
			 plan_word_number(model->params).text, whole ? "" : "about ", plan_word_number(made).text,
			 shape.vocab > 1 ? "" : " without embeddings");
}

int plan_model_find(const struct plan_options *options, struct plan_model *model)
{
	const struct train_shape *known = options->model ? train_shape_find(options->model) : NULL;

	*model = (struct plan_model){ .name = "as given", .source = "", .note = "" };
	if (options->model && !known && !is_file(options->model))
		return no_such_model(options->model);
	if (known) {
		model->shape = *known;
		model->name = known->name;
		model->source = known->source;
	} else if (options->model) {
		const int rc = read_model_file(options->model, model);

		if (rc)
			return rc;
	}
	take_numbers(options, model);
	if (model->params > 1e18)
		model->params = 0;
	compare_params(options, model);
	return check_heads(&model->shape);
}

void plan_model_clear(struct plan_model *model)
{
	model_file_clear(&model->file);
	*model = (struct plan_model){ 0 };
}

void plan_model_put(struct plan *plan, const struct plan_options *options, const struct plan_model *model,
		    struct plan_network *network)
{
	plan->network = network;
	plan->model_name = model->name;
	plan->model_source = model->source;
	plan->model_note = model->note;
	plan->model_remark = model->remark;
	plan->job = (struct plan_job){ .shape = model->shape,
				       .params = model->params,
				       .tokens = options->tokens,
				       .batch = options->batch,
				       .sequence = options->sequence,
				       .element_bytes = options->element_bytes,
				       .flops = options->flops,
				       .bucket = options->bucket,
				       .np = network->np };
}

void plan_model_list(FILE *out)
{
	fprintf(out, "%-12s %12s %6s %6s %6s %7s %5s %8s  %s\n", "model", "parameters", "layers", "hidden", "ffn", "vocab",
		"heads", "kv heads", "source");
	for (const struct train_shape *shape = train_shapes; shape->name; shape++)
		fprintf(out, "%-12s %12.0f %6lld %6lld %6lld %7lld %5lld %8lld  %s\n", shape->name, shape->params,
			(long long)shape->layers, (long long)shape->hidden, (long long)shape->ffn, (long long)shape->vocab,
			(long long)shape->heads, (long long)shape->kv_heads, shape->source);
}
