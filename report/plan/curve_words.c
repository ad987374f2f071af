/* SPDX-License-Identifier: Apache-2.0
 *
 * What a curve was made of, in words.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "../escape.h"
#include "../human.h"
#include "../result.h"
#include "curve_parts.h"

enum { MOST_NAMED = 6, MOST_NUMBERS = 16, MOST_ALGORITHMS = 6, MOST_FILES = 64 };

static void put_count(FILE *out, size_t count, const char *one, const char *many)
{
	fprintf(out, "%zu %s", count, count == 1 ? one : many);
}

/* ", word TEXT" where there is one. */
static void put_text(FILE *out, const char *word, const char *text)
{
	if (*text)
		escape_put(out, ESCAPE_PLAIN, ", %s%s", word, text);
}

/* Each once, by rising size, as far as there is room. */
static void put_algorithms(FILE *out, const struct curve_series *series)
{
	const char *told[MOST_ALGORITHMS] = { NULL };
	size_t n = 0;

	for (size_t i = 0; i < series->nrows; i++) {
		const char *algo = series->rows[i].row->algo;
		size_t k = 0;

		while (k < n && !curve_same_algorithm(told[k], algo))
			k++;
		if (k < n || !*algo)
			continue;
		if (n == MOST_ALGORITHMS) {
			fputs(", ...", out);
			return;
		}
		told[n++] = algo;
		put_text(out, n == 1 ? "algorithm " : "then ", algo);
	}
}

/* One of its files, or how many there are. */
static void put_source(FILE *out, const struct curve_series *series)
{
	const char *told[MOST_FILES];
	size_t n = 0;

	for (size_t i = 0; i < series->nrows && n < MOST_FILES; i++) {
		size_t k = 0;

		while (k < n && strcmp(told[k], series->rows[i].source) != 0)
			k++;
		if (k == n)
			told[n++] = series->rows[i].source;
	}
	put_text(out, "", series->source);
	if (n > 1)
		fprintf(out, " and %s%zu more", n == MOST_FILES ? "at least " : "", n - 1);
}

static void put_key(FILE *out, const struct result *key)
{
	fprintf(out, "%lld ranks", (long long)key->nranks);
	if (key->nnodes >= 1)
		fprintf(out, " on %lld node%s", (long long)key->nnodes, key->nnodes == 1 ? "" : "s");
	put_text(out, "", key->placement);
	put_text(out, "", key->backend);
	put_text(out, "path ", key->path);
	put_text(out, "group ", key->group);
	put_text(out, "", key->variant);
	put_text(out, "", key->type);
	put_text(out, "", key->redop);
	if (result_has_flag(key, RESULT_FLAG_SIMULATED))
		fputs(", simulated", out);
	if (strcmp(key->timing, "loop") == 0)
		fputs(", in loops", out);
}

static void put_series(FILE *out, const struct curve_series *series)
{
	put_key(out, series->key);
	put_algorithms(out, series);
	fputs(", ", out);
	put_count(out, series->sizes, "size", "sizes");
	fputs(", ", out);
	put_count(out, series->launches, "launch", "launches");
	put_source(out, series);
}

static char *finish(FILE *out, char **text)
{
	if (out && fclose(out)) {
		free(*text);
		*text = NULL;
	}
	return *text;
}

char *curve_tell_choice(const struct curve *curve, const struct curve_series *chosen)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return NULL;
	fprintf(out, "%s: ", curve->coll->name);
	put_series(out, chosen);
	fprintf(out, ", %s to %s", human_size(curve_least(curve)).text, human_size(curve_most(curve)).text);
	if (curve->measured_nranks != curve->nranks)
		fprintf(out, "; for %d ranks by its model %s%s%s, alpha %s, %s", curve->nranks,
			curve->points[0].model == curve->model ? "" : curve->points[0].model->name,
			curve->points[0].model == curve->model ? "" : " and then ", curve->model->name,
			human_time(curve->link.alpha).text, human_rate(1 / curve->link.beta).text);
	return finish(out, &text);
}

char *curve_tell_model(const struct curve *curve)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return NULL;
	fprintf(out, "%s: ", curve->coll->name);
	if (curve->nranks == 1)
		fputs("one rank, which has nobody to exchange with", out);
	else
		fprintf(out, "the model %s of %d ranks, alpha %s, %s", curve->model->name, curve->nranks,
			human_time(curve->link.alpha).text, human_rate(1 / curve->link.beta).text);
	return finish(out, &text);
}

/* "not counted: 3 rows whose ...": `before` only where there are any. */
static void put_left_out(FILE *out, const struct curve_found *found, const char *before)
{
	static const char *const reasons[CURVE_REASONS] = {
		[CURVE_TURNS] = "whose ranks took turns on cores or a GPU",
		[CURVE_WRONG] = "with wrong data",
		[CURVE_UNTIMED] = "without a size or a time",
		[CURVE_REPEAT] = "repeating another",
		[CURVE_ALONE] = "of one rank",
		[CURVE_PAIR] = "of pairs",
		[CURVE_VARIANT] = "of other variants",
		[CURVE_UNWISHED] = "other than asked for",
	};
	const char *between = before;

	for (size_t reason = 0; reason < CURVE_REASONS; reason++) {
		if (found->left_out[reason] == 0)
			continue;
		fputs(between, out);
		put_count(out, found->left_out[reason], "row", "rows");
		fprintf(out, " %s", reasons[reason]);
		between = ", ";
	}
}

static bool is_used(const struct curve_series *series, const struct result *const *used, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (used[i] == series->key)
			return true;
	}
	return false;
}

char *curve_tell_passed(const struct curve_found *found, const struct result *const *used, size_t n)
{
	size_t named = 0, others = 0, length;
	char *text = NULL;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return NULL;
	for (size_t s = 0; s < found->count; s++)
		others += !is_used(&found->items[s], used, n);
	if (others > 0)
		fprintf(out, "%zu other series not used: ", others);
	for (size_t s = 0; s < found->count && named < MOST_NAMED; s++) {
		if (is_used(&found->items[s], used, n))
			continue;
		fputs(named++ > 0 ? "; " : "", out);
		put_series(out, &found->items[s]);
	}
	if (others > named)
		fprintf(out, "; and %zu more", others - named);
	put_left_out(out, found, others > 0 ? "; not counted: " : "not counted: ");
	return finish(out, &text);
}

char *curve_tell_unused(const struct rows *rows, const struct curve_wish *wish, const struct result *const *used, size_t n)
{
	struct curve_found found;
	char *text;

	if (curve_collect(rows, wish, &found))
		return NULL;
	text = curve_tell_passed(&found, used, n);
	curve_found_clear(&found);
	if (!text)
		array_failed();
	return text;
}

/* Each number of ranks once, as far as there is room. */
static void put_numbers(FILE *out, const struct curve_found *found)
{
	int64_t told[MOST_NUMBERS];
	size_t n = 0;

	for (size_t s = 0; s < found->count && n < MOST_NUMBERS; s++) {
		size_t k = 0;

		while (k < n && told[k] != found->items[s].key->nranks)
			k++;
		if (k < n)
			continue;
		told[n++] = found->items[s].key->nranks;
		fprintf(out, "%s%lld", n > 1 ? ", " : "", (long long)told[n - 1]);
	}
	if (n == MOST_NUMBERS)
		fputs(", ...", out);
}

void curve_tell_none(const struct curve_found *found, const struct curve_wish *wish, char *error, size_t size)
{
	FILE *out = size > 1 ? fmemopen(error, size, "w") : NULL;

	if (!out)
		return;
	fprintf(out, "%s: ", wish->coll->name);
	if (found->count > 0) {
		fprintf(out, "not measured with %d ranks, but with ", wish->nranks);
		put_numbers(out, found);
	} else {
		fputs("no row that counts", out);
	}
	put_left_out(out, found, "; not counted: ");
	fclose(out);
	error[size - 1] = '\0';
}
