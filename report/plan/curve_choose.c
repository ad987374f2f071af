/* SPDX-License-Identifier: Apache-2.0
 *
 * Points of a series, and which series is taken.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve_parts.h"

static const char *const flags[CURVE_FLAGS] = {
	[CURVE_NOISY] = RESULT_FLAG_NOISY,           [CURVE_LATE] = RESULT_FLAG_LATE,
	[CURVE_HOST_BOUND] = RESULT_FLAG_HOST_BOUND, [CURVE_TRACED] = RESULT_FLAG_TRACED,
	[CURVE_OTHER_PATH] = RESULT_FLAG_OTHER_PATH, [CURVE_UNCHECKED] = RESULT_FLAG_UNCHECKED,
	[CURVE_RATES] = RESULT_FLAG_RATES,
};

const char *curve_flag_word(enum curve_flag flag)
{
	return flags[flag];
}

static int compare_rows(const void *left, const void *right)
{
	const struct result *a = ((const struct curve_row *)left)->row, *b = ((const struct curve_row *)right)->row;

	return a->bytes != b->bytes ? (a->bytes > b->bytes) - (a->bytes < b->bytes) : strcmp(a->run, b->run);
}

/* How many rows from the first on, sorted, are of one size; *launches: of how many runs. */
static size_t count_size(const struct curve_row *rows, size_t n, size_t *launches)
{
	size_t of_size = 1;

	for (*launches = 1; of_size < n && rows[of_size].row->bytes == rows[0].row->bytes; of_size++)
		*launches += strcmp(rows[of_size].row->run, rows[of_size - 1].row->run) != 0;
	return of_size;
}

void curve_series_measure(struct curve_series *series)
{
	qsort(series->rows, series->nrows, sizeof *series->rows, compare_rows);
	series->sizes = series->launches = 0;
	for (size_t i = 0; i < series->nrows;) {
		size_t launches;

		i += count_size(series->rows + i, series->nrows - i, &launches);
		series->sizes++;
		if (launches > series->launches)
			series->launches = launches;
	}
}

/* Its time is of something else than the call alone. */
static bool is_doubtful(const struct result *row)
{
	return result_has_flag(row, RESULT_FLAG_LATE) || result_has_flag(row, RESULT_FLAG_HOST_BOUND) ||
	       result_has_flag(row, RESULT_FLAG_TRACED) || result_has_flag(row, RESULT_FLAG_OTHER_PATH);
}

static int compare_times(const void *left, const void *right)
{
	const struct result *a = ((const struct curve_row *)left)->row, *b = ((const struct curve_row *)right)->row;

	return (a->time > b->time) - (a->time < b->time);
}

static void count_flags(const struct curve_row *rows, size_t n, struct curve_noise *noise)
{
	noise->rows += n;
	for (size_t i = 0; i < n; i++) {
		for (size_t flag = 0; flag < CURVE_FLAGS; flag++)
			noise->flagged[flag] += result_has_flag(rows[i].row, flags[flag]);
	}
}

/* Sorts the rows of a size; how many of them its median is of: all, where doubtful ones are more than the others. */
static size_t pick_rows(struct curve_row *rows, size_t n)
{
	size_t good = 0;

	for (size_t i = 0; i < n; i++) {
		const struct curve_row row = rows[i];

		if (is_doubtful(row.row))
			continue;
		rows[i] = rows[good];
		rows[good++] = row;
	}
	good = 2 * good >= n ? good : n;
	qsort(rows, good, sizeof *rows, compare_times);
	return good;
}

struct curve_point *curve_series_points(struct curve_series *series, size_t *npoints, struct curve_noise *noise)
{
	struct curve_point *points = malloc((series->sizes + 1) * sizeof *points);

	*npoints = 0;
	*noise = (struct curve_noise){ 0 };
	if (!points)
		return NULL;
	for (size_t i = 0, n, used; i < series->nrows; i += n) {
		struct curve_point *point = &points[(*npoints)++];
		struct curve_row *rows = series->rows + i;

		*point = (struct curve_point){ .bytes = (double)rows[0].row->bytes };
		n = count_size(rows, series->nrows - i, &point->launches);
		used = pick_rows(rows, n);
		point->algo = rows[used / 2].row->algo;
		point->time = (rows[(used - 1) / 2].row->time + rows[used / 2].row->time) / 2;
		count_flags(rows, used, noise);
		noise->set_aside += n - used;
	}
	return points;
}

/* How far a number is from the wished one; at a tie the larger number is a little nearer. */
static double distance(double number, double wished)
{
	const double apart = log(number / wished);

	return apart < 0 ? -apart * (1 + 1e-9) : apart;
}

/* < 0: the left number is nearer to the wished one. */
static int order_numbers(double left, double right, double wished)
{
	const double nearer = distance(left, wished) - distance(right, wished);

	return (nearer > 0) - (nearer < 0);
}

/* Ranks of a node share its links: more or fewer of them are further from the wished calls than more or fewer nodes. */
static int order_places(const struct result *a, const struct result *b, const struct curve_wish *wish)
{
	const double left = (double)a->nranks / (double)a->nnodes, right = (double)b->nranks / (double)b->nnodes;
	int nearer;

	if (wish->each == 0)
		return 0;
	nearer = order_numbers(left, right, wish->each);
	return nearer ? nearer : order_numbers((double)a->nnodes, (double)b->nnodes, (double)wish->nranks / wish->each);
}

static int order_flags(bool left, bool right)
{
	return (int)right - (int)left;
}

static int order_counts(size_t left, size_t right)
{
	return (right > left) - (right < left);
}

/* Training sums floating-point numbers; "none" is of primitives without an operation. */
static bool is_sum(const struct result *key)
{
	return !*key->redop || strcmp(key->redop, "sum") == 0 || strcmp(key->redop, "none") == 0;
}

/* Floating types by their length: 0 is no such type. */
static double float_bytes(const char *type)
{
	static const struct {
		const char *name;
		double bytes;
	} types[] = { { "bfloat16", 2 }, { "half", 2 }, { "float", 4 }, { "double", 8 }, { "f8e4m3", 1 }, { "f8e5m2", 1 } };

	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		if (strcmp(types[i].name, type) == 0)
			return types[i].bytes;
	}
	return 0;
}

static size_t type_rank(const struct result *key, const struct curve_wish *wish)
{
	const double bytes = float_bytes(key->type);

	return (size_t)(bytes > 0) + (size_t)(bytes > 0 && bytes == wish->element_bytes);
}

/* < 0: left is to be taken before right. */
static int order(const struct curve_series *left, const struct curve_series *right, const struct curve_wish *wish)
{
	const struct result *a = left->key, *b = right->key;
	const int steps[] = {
		order_places(a, b, wish),
		order_numbers((double)a->nranks, (double)b->nranks, wish->nranks),
		order_flags(!result_has_flag(a, RESULT_FLAG_SIMULATED), !result_has_flag(b, RESULT_FLAG_SIMULATED)),
		order_flags(is_sum(a), is_sum(b)),
		order_counts(type_rank(a, wish), type_rank(b, wish)),
		order_flags(strcmp(a->placement, RESULT_IN_PLACE) != 0, strcmp(b->placement, RESULT_IN_PLACE) != 0),
		order_flags(!*a->group, !*b->group),
		order_flags(strcmp(a->timing, "loop") != 0, strcmp(b->timing, "loop") != 0),
		order_counts(right->choice, left->choice),
		order_counts(left->sizes, right->sizes),
		order_counts(left->launches, right->launches),
		order_counts(right->first, left->first),
	};
	size_t i = 0;

	while (i + 1 < sizeof steps / sizeof *steps && steps[i] == 0)
		i++;
	return steps[i];
}

struct curve_series *curve_choose(const struct curve_found *found, const struct curve_wish *wish)
{
	struct curve_series *best = NULL;

	for (size_t s = 0; s < found->count; s++) {
		if (!found->items[s].refused && (!best || order(&found->items[s], best, wish) < 0))
			best = &found->items[s];
	}
	return best && (best->key->nranks == wish->nranks || wish->scale) ? best : NULL;
}

struct curve_series *curve_choose_other(struct curve_found *found, const struct curve_wish *wish,
					const struct curve_series *chosen)
{
	for (size_t s = 0; s < found->count; s++) {
		const struct result *key = found->items[s].key;

		found->items[s].refused |= key->nranks == chosen->key->nranks && key->nnodes == chosen->key->nnodes;
	}
	return curve_choose(found, wish);
}
