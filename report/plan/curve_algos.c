/* SPDX-License-Identifier: Apache-2.0
 *
 * Series whose rows differ in their algorithm: one curve where the library went from one to another with the size, several where they were asked for.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../array.h"
#include "curve_parts.h"

static size_t name_length(const char *algo)
{
	return strcspn(algo, "/");
}

static bool same_name(const char *left, const char *right)
{
	const size_t length = name_length(left);

	return length == name_length(right) && strncasecmp(left, right, length) == 0;
}

static bool is_open(const char *algo)
{
	return !*algo || strcmp(algo, "auto") == 0;
}

bool curve_same_algorithm(const char *left, const char *right)
{
	return strcasecmp(left, right) == 0 || (is_open(left) && is_open(right));
}

static int by_size(const void *left, const void *right)
{
	const struct result *a = ((const struct curve_row *)left)->row, *b = ((const struct curve_row *)right)->row;

	return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

static int by_launch(const void *left, const void *right)
{
	const struct result *a = ((const struct curve_row *)left)->row, *b = ((const struct curve_row *)right)->row;
	const int runs = strcmp(a->run, b->run);

	return runs ? runs : by_size(left, right);
}

/* Of rows by rising size. */
static bool has_two_at_a_size(const struct curve_row *rows, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (rows[i].row->bytes == rows[i - 1].row->bytes &&
		    !curve_same_algorithm(rows[i].row->algo, rows[i - 1].row->algo))
			return true;
	}
	return false;
}

/* What rows of one launch, by rising size, are to be told apart by. */
static struct curve_series label_launch(const struct curve_row *rows, size_t n)
{
	const char *algo = rows[0].row->algo;
	bool names = false, texts = false;

	for (size_t i = 1; i < n; i++) {
		names = names || !same_name(algo, rows[i].row->algo);
		texts = texts || !curve_same_algorithm(algo, rows[i].row->algo);
	}
	if (names || (!texts && is_open(algo)))
		return (struct curve_series){ .choice = CURVE_LIBRARY, .label = "" };
	if (texts)
		return (struct curve_series){ .choice = CURVE_PROTOCOL, .label = algo, .length = name_length(algo) };
	return (struct curve_series){ .choice = CURVE_FORCED, .label = algo, .length = strlen(algo) };
}

static bool same_label(const struct curve_series *left, const struct curve_series *right)
{
	return left->choice == right->choice && left->length == right->length &&
	       strncasecmp(left->label, right->label, left->length) == 0;
}

/* Adds the row to the series of that label from `base` on. -1: no memory. */
static int put_row(struct curve_found *found, size_t base, const struct curve_series *label, const struct curve_row *row)
{
	struct curve_series *series;
	struct curve_row *rows;
	size_t s = base;

	while (s < found->count && !same_label(&found->items[s], label))
		s++;
	if (s == found->count) {
		series = array_grow(found->items, found->count, sizeof *series);
		if (!series)
			return -1;
		found->items = series;
		series[found->count] = *label;
		series[found->count++].first = SIZE_MAX;
	}
	series = &found->items[s];
	rows = array_grow(series->rows, series->nrows, sizeof *rows);
	if (!rows)
		return -1;
	series->rows = rows;
	rows[series->nrows++] = *row;
	if (row->number < series->first) {
		series->first = row->number;
		series->key = row->row;
		series->source = row->source;
	}
	return 0;
}

static int put_launch(struct curve_found *found, size_t base, const struct curve_row *rows, size_t n)
{
	const bool mixed = has_two_at_a_size(rows, n);
	int rc = 0;

	for (size_t i = 0; i < n && rc == 0; i++) {
		const struct curve_series label = mixed ? label_launch(rows + i, 1) : label_launch(rows, n);

		rc = put_row(found, base, &label, &rows[i]);
	}
	return rc;
}

int curve_split_algorithms(struct curve_found *found, size_t number)
{
	struct curve_row *rows = found->items[number].rows;
	const size_t n = found->items[number].nrows, base = found->count;
	int rc = 0;

	qsort(rows, n, sizeof *rows, by_size);
	if (!has_two_at_a_size(rows, n))
		return 0;
	qsort(rows, n, sizeof *rows, by_launch);
	for (size_t i = 0, end; i < n && rc == 0; i = end) {
		for (end = i + 1; end < n && strcmp(rows[end].row->run, rows[i].row->run) == 0;)
			end++;
		rc = put_launch(found, base, rows + i, end - i);
	}
	/* The last of the new ones takes the place of the old one. */
	if (rc == 0) {
		free(rows);
		found->items[number] = found->items[--found->count];
	}
	return rc;
}
