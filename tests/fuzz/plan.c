/* SPDX-License-Identifier: Apache-2.0 */
/* sources: report/[a-z]*.c report/plan/[a-z]*.c report/gate/[a-z]*.c collectives/[a-z]*.c topo/topo*.c topo/json*.c topo/path*.c topo/peak*.c topo/rates*.c topo/warn*.c topo/program.c */
/*
 * Any words, rows and model as a plan: lines "---" part the words, one a line, from a CSV file and that from the file of a model. What is refused is refused
 * in printable lines; what is told is told alike in all three ways, with nothing of the texts that a terminal or a browser would run, and no number that
 * is none. No file is read here.
 */
#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/plan/model.h"
#include "report/plan/tell.h"

enum { MAX_WORDS = 64, SECTIONS = 3 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds, const char *what, const char *text)
{
	if (holds)
		return;
	fprintf(stdout, "broken: %s\n%.3000s\n", what, text);
	fflush(stdout);
	abort();
}

/* A name may be "inf", and a plan says so. What it says of that kind then is a number. */
static char *plain(const uint8_t *data, size_t size)
{
	static const char *const words[] = { "inf", "nan", "\\u" };
	char *text = malloc(size + 1);

	check(text, "memory", "");
	memcpy(text, data, size);
	text[size] = '\0';
	for (size_t i = 0; i < size; i++) {
		for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
			if (strncmp(text + i, words[w], strlen(words[w])) == 0)
				text[i] = '/';
		}
	}
	return text;
}

struct section {
	char *text;
	size_t size;
};

static void part(char *text, size_t size, struct section sections[SECTIONS])
{
	static const char line[] = "---\n";
	const size_t length = strlen(line);

	for (int i = 0; i < SECTIONS; i++) {
		char *end = i + 1 < SECTIONS ? memmem(text, size, line, length) : NULL;

		sections[i] = (struct section){ text, end ? (size_t)(end - text) : size };
		if (!end)
			end = text + size;
		else
			*end = '\0', end += length;
		size -= (size_t)(end - text);
		text = end;
	}
}

static int split(const struct section *section, char **words)
{
	char *end = section->text + section->size;
	int n = 0;

	words[n++] = (char *)"plan";
	for (char *word = section->text; word < end && n < MAX_WORDS - 2; word += strlen(word) + 1) {
		char *line_end = strchr(word, '\n');

		if (line_end)
			*line_end = '\0';
		words[n++] = word;
	}
	return n;
}

static bool has_word(const char *text, const char *word)
{
	for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
		if ((at == text || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[strlen(word)]))
			return true;
	return false;
}

static void check_text(const char *text)
{
	for (const char *c = text; *c; c++)
		check((unsigned char)*c >= ' ' ? *c != 0x7f : *c == '\n', "a byte that a terminal would take for its own", text);
	check(!has_word(text, "nan") && !has_word(text, "inf"), "a number that is none", text);
}

static void check_tale(const struct plan *plan, bool markdown)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	check(out && plan_tell(out, plan, markdown) == 0, "memory", "");
	fclose(out);
	check_text(text);
	check(!markdown || (!strstr(text, "<script") && !strstr(text, "<img")), "a text is rendered", text);
	free(text);
}

static void check_json(const struct plan *plan)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	json_t *root;

	check(out && plan_tell_json(out, plan) == 0, "a plan that is no JSON", "");
	fclose(out);
	root = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
	check(root, "a text that is no JSON", text);
	json_decref(root);
	free(text);
}

static void check_plan(const struct plan_options *options, const struct plan_model *model, const struct rows *rows)
{
	struct plan *plan = calloc(1, sizeof *plan);
	struct plan_network network;

	check(plan, "memory", "");
	if (plan_network_open(options, rows, &network) == 0) {
		plan_model_put(plan, options, model, &network);
		check(plan_make(plan) == 0, "memory", "");
		check_tale(plan, false);
		check_tale(plan, true);
		check_json(plan);
		plan_network_close(&network);
	}
	free(plan);
}

/* Of the file as it is, or the words'. */
static int find_model(struct plan_options *options, const struct section *file, struct plan_model *model)
{
	char error[400];

	if (!options->model || train_shape_find(options->model))
		return plan_model_find(options, model);
	*model = (struct plan_model){ 0 };
	if (model_file_parse("model.json", file->text, file->size, &model->file, error, sizeof error))
		return -1;
	model->shape = model->file.shape;
	model->params = model->shape.params;
	model->name = model->file.name;
	model->source = model->file.source;
	model->note = model->file.note;
	return 0;
}

static void run(struct section sections[SECTIONS])
{
	char *words[MAX_WORDS], error[512];
	struct rows *rows = rows_new();
	struct plan_options options;
	struct plan_model model;
	int count = split(&sections[0], words);

	rows_parse(rows, "x.csv", sections[1].text, sections[1].size, error, sizeof error);
	if (rows_count(rows) > 0)
		words[count++] = (char *)"x.csv";
	words[count] = NULL;
	if (plan_options_parse(count, words, &options) == 0 && !options.help && !options.list_models && !options.list_links &&
	    (options.given || rows_count(rows) > 0) && find_model(&options, &sections[2], &model) == 0) {
		check_plan(&options, &model, options.given ? NULL : rows);
		plan_model_clear(&model);
	}
	rows_free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct section sections[SECTIONS];
	FILE *terminal = stderr;
	char *text = plain(data, size), *said = NULL;
	size_t length;

	/* What is said there is to be looked at. */
	stderr = open_memstream(&said, &length);
	check(stderr, "memory", "");
	part(text, size, sections);
	run(sections);
	fclose(stderr);
	stderr = terminal;
	check_text(said);
	free(said);
	free(text);
	return 0;
}
