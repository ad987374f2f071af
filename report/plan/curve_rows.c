/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows to the series of one primitive that a wish allows.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "../index.h"
#include "../series.h"
#include "curve_parts.h"

struct seeker {
	const struct curve_found *found;
	const struct result *row;
	const char *source;
};

static bool owns(const void *context, size_t number)
{
	const struct seeker *seeker = context;
	const struct curve_series *series = &seeker->found->items[number];

	return strcmp(series->source, seeker->source) == 0 && series_same_key(series->key, seeker->row);
}

static uint64_t hash_of(const struct seeker *seeker)
{
	const struct result *row = seeker->row;
	const char *const texts[] = { seeker->source, row->placement, row->type, row->path, row->algo, row->group, row->variant };
	uint64_t hash = index_mix(index_mix(0, (uint64_t)row->nranks), (uint64_t)row->nnodes);

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		hash = index_mix_text(hash, texts[i]);
	return hash;
}

static bool allows(const char *wished, const char *text)
{
	return !wished || strcmp(wished, text) == 0;
}

static bool is_wished(const struct curve_wish *wish, const struct result *row)
{
	const bool number = wish->nnodes == 0 || wish->nnodes == RESULT_NONE || wish->nnodes == row->nnodes;
	const bool nodes = number && (!wish->several_nodes || row->nnodes > 1);

	return nodes && allows(wish->placement, row->placement) && allows(wish->type, row->type) &&
	       allows(wish->redop, row->redop) && allows(wish->backend, row->backend) && allows(wish->library, row->library) &&
	       allows(wish->path, row->path) && allows(wish->algo, row->algo) && allows(wish->group, row->group);
}

/* CURVE_REASONS: it counts. */
static enum curve_reason judge(const struct rows *rows, size_t i, const struct curve_wish *wish)
{
	const struct result *row = rows_get(rows, i);

	if (result_is_pair(row) || result_is_step(row))
		return CURVE_PAIR;
	if (!study_is_timed(row))
		return CURVE_UNTIMED;
	if (rows_is_repeat(rows, i))
		return CURVE_REPEAT;
	if (row->nranks < 2)
		return CURVE_ALONE;
	if (!is_wished(wish, row))
		return CURVE_UNWISHED;
	if (!allows(wish->variant ? wish->variant : "", row->variant))
		return CURVE_VARIANT;
	if (result_takes_turns(row))
		return CURVE_TURNS;
	return row->wrong > 0 ? CURVE_WRONG : CURVE_REASONS;
}

/* The series of row i, made where there is none; NULL: no memory. */
static struct curve_series *find_series(struct curve_found *found, struct index *index, const struct rows *rows, size_t i)
{
	const struct seeker seeker = { found, rows_get(rows, i), rows_source(rows, i) };
	const uint64_t hash = hash_of(&seeker);
	size_t number = index_find(index, hash, owns, &seeker);
	struct curve_series *grown;

	if (number != INDEX_NONE)
		return &found->items[number];
	grown = array_grow(found->items, found->count, sizeof *grown);
	if (!grown)
		return NULL;
	found->items = grown;
	if (index_add(index, hash, found->count)) {
		array_failed();
		return NULL;
	}
	grown[found->count] = (struct curve_series){ .key = seeker.row, .source = seeker.source, .first = i };
	return &grown[found->count++];
}

static int add_row(struct curve_series *series, const struct result *row)
{
	const struct result **grown = array_grow(series->rows, series->nrows, sizeof *grown);

	if (!grown)
		return -1;
	series->rows = grown;
	grown[series->nrows++] = row;
	return 0;
}

static int compare_rows(const void *left, const void *right)
{
	const struct result *a = *(const struct result *const *)left, *b = *(const struct result *const *)right;

	return a->bytes != b->bytes ? (a->bytes > b->bytes) - (a->bytes < b->bytes) : strcmp(a->run, b->run);
}

static int compare_times(const void *left, const void *right)
{
	const struct result *a = *(const struct result *const *)left, *b = *(const struct result *const *)right;

	return (a->time > b->time) - (a->time < b->time);
}

/* How many rows from the first on, sorted, are of one size; *launches: of how many runs. */
static size_t count_size(const struct result *const *rows, size_t n, size_t *launches)
{
	size_t of_size = 1;

	for (*launches = 1; of_size < n && rows[of_size]->bytes == rows[0]->bytes; of_size++)
		*launches += strcmp(rows[of_size]->run, rows[of_size - 1]->run) != 0;
	return of_size;
}

/* The number of sizes, and the most launches of one. */
static void measure(struct curve_series *series)
{
	qsort(series->rows, series->nrows, sizeof(*series->rows), compare_rows);
	for (size_t i = 0; i < series->nrows;) {
		size_t launches;

		i += count_size(series->rows + i, series->nrows - i, &launches);
		series->sizes++;
		if (launches > series->launches)
			series->launches = launches;
	}
}

int curve_collect(const struct rows *rows, const struct curve_wish *wish, struct curve_found *found)
{
	struct index index = { 0 };
	int rc = 0;

	*found = (struct curve_found){ 0 };
	for (size_t i = 0; i < rows_count(rows) && rc == 0; i++) {
		struct curve_series *series;
		enum curve_reason reason;

		if (strcmp(rows_get(rows, i)->collective, wish->coll->name) != 0)
			continue;
		reason = judge(rows, i, wish);
		if (reason != CURVE_REASONS) {
			found->left_out[reason]++;
			continue;
		}
		series = find_series(found, &index, rows, i);
		rc = series ? add_row(series, rows_get(rows, i)) : -1;
	}
	index_clear(&index);
	for (size_t s = 0; found->items && s < found->count; s++)
		measure(&found->items[s]);
	if (rc)
		curve_found_clear(found);
	return rc;
}

void curve_found_clear(struct curve_found *found)
{
	for (size_t s = 0; found->items && s < found->count; s++)
		free(found->items[s].rows);
	free(found->items);
	*found = (struct curve_found){ 0 };
}

struct curve_point *curve_series_points(struct curve_series *series, size_t *npoints)
{
	struct curve_point *points = malloc((series->sizes + 1) * sizeof *points);

	*npoints = 0;
	if (!points)
		return NULL;
	for (size_t i = 0, n; i < series->nrows; i += n) {
		struct curve_point *point = &points[(*npoints)++];
		const struct result **rows = series->rows + i;

		n = count_size(rows, series->nrows - i, &point->launches);
		qsort(rows, n, sizeof(*rows), compare_times);
		point->bytes = (double)rows[0]->bytes;
		point->time = (rows[(n - 1) / 2]->time + rows[n / 2]->time) / 2;
	}
	return points;
}

/* How far a number of ranks is from the wished one; at a tie the larger number is a little nearer. */
static double distance(const struct result *key, const struct curve_wish *wish)
{
	const double apart = log((double)key->nranks / wish->nranks);

	return apart < 0 ? -apart * (1 + 1e-9) : apart;
}

static int order_flags(bool left, bool right)
{
	return (int)right - (int)left;
}

static int order_counts(size_t left, size_t right)
{
	return (right > left) - (right < left);
}

/* < 0: left is to be taken before right. */
static int order(const struct curve_series *left, const struct curve_series *right, const struct curve_wish *wish)
{
	const struct result *a = left->key, *b = right->key;
	const double nearer = distance(a, wish) - distance(b, wish);
	const int steps[] = {
		order_flags(strcmp(a->placement, RESULT_IN_PLACE) != 0, strcmp(b->placement, RESULT_IN_PLACE) != 0),
		(nearer > 0) - (nearer < 0),
		order_flags(!result_has_flag(a, RESULT_FLAG_SIMULATED), !result_has_flag(b, RESULT_FLAG_SIMULATED)),
		order_flags(!*a->group, !*b->group),
		order_flags(strcmp(a->timing, "loop") != 0, strcmp(b->timing, "loop") != 0),
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
		if (!best || order(&found->items[s], best, wish) < 0)
			best = &found->items[s];
	}
	return best && (best->key->nranks == wish->nranks || wish->scale) ? best : NULL;
}
