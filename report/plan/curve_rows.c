/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows to the series of one primitive that a wish allows.
 */
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "../index.h"
#include "../series.h"
#include "curve_parts.h"

struct seeker {
	const struct curve_found *found;
	const struct curve_wish *wish;
	const struct result *row;
	const char *source;
};

static const struct facts *facts_of(const struct curve_wish *wish, const char *source)
{
	const char *slash = strrchr(source, '/');
	char *folder = strndup(slash ? source : ".", slash ? (size_t)(slash - source) : 1);
	const struct facts *facts = folder ? facts_in(wish->facts, wish->nfacts, folder) : NULL;

	free(folder);
	return facts;
}

/* What is not known does not tell two apart. */
static bool same_fact(const struct facts *left, const struct facts *right, const char *name)
{
	char *one = facts_join(left, name), *other = facts_join(right, name);
	const bool same = !one || !other || strcmp(one, other) == 0;

	free(one);
	free(other);
	return same;
}

static bool same_machine(const struct curve_wish *wish, const char *left, const char *right)
{
	static const char *const names[] = { "host", "hostname", "cpu", "library", "variant" };
	const struct facts *one, *other;

	if (left == right || strcmp(left, right) == 0)
		return true;
	one = facts_of(wish, left);
	other = facts_of(wish, right);
	for (size_t i = 0; one && other && one != other && i < sizeof names / sizeof *names; i++) {
		if (!same_fact(one, other, names[i]))
			return false;
	}
	return true;
}

static bool owns(const void *context, size_t number)
{
	const struct seeker *seeker = context;
	const struct curve_series *series = &seeker->found->items[number];
	struct result row = *seeker->row;

	row.algo = series->key->algo;
	return series_same_key(series->key, &row) &&
	       result_has_flag(series->key, RESULT_FLAG_SIMULATED) == result_has_flag(seeker->row, RESULT_FLAG_SIMULATED) &&
	       same_machine(seeker->wish, series->source, seeker->source);
}

static uint64_t hash_of(const struct seeker *seeker)
{
	const struct result *row = seeker->row;
	const char *const texts[] = { row->placement, row->type, row->redop, row->path, row->group, row->variant };
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
	const bool nodes = number && (wish->each == 0 || row->nnodes > 1);

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

/* The series that it is of, made where there is none; NULL: no memory. */
static struct curve_series *find_series(struct curve_found *found, struct index *index, const struct seeker *seeker, size_t i)
{
	const uint64_t hash = hash_of(seeker);
	size_t number = index_find(index, hash, owns, seeker);
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
	grown[found->count] = (struct curve_series){ .key = seeker->row, .source = seeker->source, .first = i };
	return &grown[found->count++];
}

static int add_row(struct curve_found *found, struct index *index, const struct seeker *seeker, size_t i)
{
	struct curve_series *series = find_series(found, index, seeker, i);
	struct curve_row *grown = series ? array_grow(series->rows, series->nrows, sizeof *grown) : NULL;

	if (!grown)
		return -1;
	series->rows = grown;
	grown[series->nrows++] = (struct curve_row){ seeker->row, seeker->source, i };
	return 0;
}

static int finish(struct curve_found *found)
{
	const size_t count = found->count;
	int rc = 0;

	for (size_t s = 0; s < count && rc == 0; s++)
		rc = curve_split_algorithms(found, s);
	for (size_t s = 0; s < found->count; s++)
		curve_series_measure(&found->items[s]);
	return rc;
}

int curve_collect(const struct rows *rows, const struct curve_wish *wish, struct curve_found *found)
{
	struct index index = { 0 };
	int rc = 0;

	*found = (struct curve_found){ 0 };
	for (size_t i = 0; i < rows_count(rows) && rc == 0; i++) {
		const struct seeker seeker = { found, wish, rows_get(rows, i), rows_source(rows, i) };
		enum curve_reason reason;

		if (strcmp(seeker.row->collective, wish->coll->name) != 0)
			continue;
		reason = judge(rows, i, wish);
		if (reason != CURVE_REASONS)
			found->left_out[reason]++;
		else
			rc = add_row(found, &index, &seeker, i);
	}
	index_clear(&index);
	if (rc == 0)
		rc = finish(found);
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
