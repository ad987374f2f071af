/* SPDX-License-Identifier: Apache-2.0
 *
 * A file to a model: read, told what it is, and checked as a whole. The single values are model_keys.c's.
 */
#include "model_file.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../escape.h"
#include "../file.h"
#include "../text.h"
#include "model_keys.h"

enum { MOST_BYTES = 1 << 20, MOST_NAMED = 8, SHOWN = 120 };

static const double agreed = 0.01;

static int fail(const char *path, const char *why, char *error, size_t size)
{
	char shown[SHOWN];

	snprintf(error, size, "%s: %s", text_escape(path, shown, sizeof shown), why);
	return -1;
}

int model_count_parse(const char *text, double *count)
{
	static const char suffixes[] = "kKmMbBgGtT";
	static const int powers[] = { 3, 3, 6, 6, 9, 9, 9, 9, 12, 12 };
	const size_t digits = strspn(text, "0123456789.eE+-");
	const char *suffix = text[digits] ? strchr(suffixes, text[digits]) : NULL;
	char plain[80], *end;
	double value;

	if (strspn(text, "0123456789") == 0 || digits > 64 || (text[digits] && (!suffix || text[digits + 1])))
		return -1;
	if (suffix && strpbrk(text, "eE"))
		return -1;
	/* As one number, so that "8.03B" is exactly 8.03e9. */
	snprintf(plain, sizeof plain, suffix ? "%.*se%d" : "%.*s", (int)digits, text, suffix ? powers[suffix - suffixes] : 0);
	value = strtod(plain, &end);
	if (*end || !(value >= 1 && isfinite(value)))
		return -1;
	*count = value;
	return 0;
}

/* What else is in the file, for those who believe that it counts. */
static void note_ignored(FILE *out, json_t *root)
{
	size_t count = 0;

	for (void *i = json_object_iter(root); i; i = json_object_iter_next(root, i)) {
		const char *key = json_object_iter_key(i);

		if (model_key_is_known(key))
			continue;
		if (count < MOST_NAMED)
			escape_put(out, ESCAPE_PLAIN, "%s%s", count > 0 ? ", " : "ignored: ", key);
		count++;
	}
	if (count > MOST_NAMED)
		fprintf(out, " and %zu more", count - MOST_NAMED);
}

static void note_assumed(FILE *out, const struct train_shape *shape, unsigned given)
{
	const char *const assumed[] = {
		given & MODEL_GIVES_GATED ? NULL
		: shape->gated            ? "three matrices a feed-forward part"
					  : "two matrices a feed-forward part",
		given & MODEL_GIVES_TIED ? NULL
		: shape->tied            ? "one embedding for input and output"
					 : "embeddings of input and of output",
		given & MODEL_GIVES_FFN ? NULL : "a feed-forward part four times as wide",
	};
	const char *before = ftell(out) > 0 ? "; assumed: " : "assumed: ";

	for (size_t i = 0; i < sizeof assumed / sizeof *assumed && shape->hidden > 0; i++) {
		if (!assumed[i])
			continue;
		fprintf(out, "%s%s", before, assumed[i]);
		before = ", ";
	}
}

static void note_params(FILE *out, const struct train_shape *shape, double made)
{
	if (made > 0 && shape->params > 0 && !(fabs(made - shape->params) <= agreed * shape->params))
		fprintf(out, "%sthe widths make %.4g parameters, the file says %.4g", ftell(out) > 0 ? "; " : "", made,
			shape->params);
}

static char *make_note(json_t *root, const struct train_shape *shape, unsigned given)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return NULL;
	note_ignored(out, root);
	note_assumed(out, shape, given);
	note_params(out, shape, train_shape_params(shape));
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

/* The file's own name without folder and ".json". */
static char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const size_t length = strlen(name), ending = strlen(".json");

	return length > ending && strcmp(name + length - ending, ".json") == 0 ? strndup(name, length - ending) : strdup(name);
}

static int finish(const char *path, json_t *root, struct train_shape *shape, unsigned given, struct model_file *model,
		  char *error, size_t size)
{
	const json_t *name = json_object_get(root, "name");
	struct model_file made = { 0 };

	made.note = make_note(root, shape, given);
	made.name = json_is_string(name) && *json_string_value(name) ? strdup(json_string_value(name)) : name_of(path);
	made.source = strdup(path);
	made.shape = *shape;
	made.shape.name = made.name;
	made.shape.source = made.source;
	if (!(made.shape.params > 0))
		made.shape.params = train_shape_params(shape);
	if (!made.note || !made.name || !made.source) {
		model_file_clear(&made);
		return fail(path, "out of memory", error, size);
	}
	*model = made;
	return 0;
}

/* A model of several kinds of input has its numbers one object deeper. */
static int lacks_widths(const char *path, const json_t *root, char *error, size_t size)
{
	static const char *const parts[] = { "text_config", "llm_config", "language_config" };
	const char *needs = "needs params, or layers, hidden and vocab";
	char why[200];

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (!json_is_object(json_object_get(root, parts[i])))
			continue;
		snprintf(why, sizeof why, "%s; %s has those of a part of the model: make it a file of its own", needs, parts[i]);
		return fail(path, why, error, size);
	}
	return fail(path, needs, error, size);
}

static int from_object(const char *path, json_t *root, struct model_file *model, char *error, size_t size)
{
	struct train_shape shape = { 0 };
	unsigned given = 0;
	char why[200];

	if (!json_is_object(root))
		return fail(path, "no JSON object", error, size);
	if (model_keys_read(root, &shape, &given, why, sizeof why))
		return fail(path, why, error, size);
	if (!(shape.params > 0) && !(train_shape_params(&shape) > 0))
		return lacks_widths(path, root, error, size);
	return finish(path, root, &shape, given, model, error, size);
}

int model_file_parse(const char *path, const char *text, size_t length, struct model_file *model, char *error, size_t size)
{
	static const char mark[] = "\xef\xbb\xbf"; /* of the order of bytes, which some editors write */
	json_error_t wrong;
	char why[SHOWN + JSON_ERROR_TEXT_LENGTH], shown[SHOWN];
	json_t *root;
	int rc;

	if (length >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0) {
		text += sizeof mark - 1;
		length -= sizeof mark - 1;
	}
	if (length > MOST_BYTES)
		return fail(path, "over 1 MiB, which no model's description is", error, size);
	root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &wrong);
	if (!root) {
		snprintf(why, sizeof why, "line %d: %s", wrong.line, text_escape(wrong.text, shown, sizeof shown));
		return fail(path, why, error, size);
	}
	rc = from_object(path, root, model, error, size);
	json_decref(root);
	return rc;
}

int model_file_read(const char *path, struct model_file *model, char *error, size_t size)
{
	const char *why;
	FILE *file = file_open(path, &why);
	char *text = malloc(MOST_BYTES + 1);
	size_t length;
	int rc;

	if (!file || !text) {
		rc = fail(path, file ? "out of memory" : why, error, size);
	} else {
		length = fread(text, 1, MOST_BYTES + 1, file);
		rc = ferror(file) ? fail(path, strerror(errno), error, size)
				  : model_file_parse(path, text, length, model, error, size);
	}
	if (file)
		fclose(file);
	free(text);
	return rc;
}

void model_file_clear(struct model_file *model)
{
	free(model->name);
	free(model->source);
	free(model->note);
	*model = (struct model_file){ 0 };
}
