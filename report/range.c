/* SPDX-License-Identifier: Apache-2.0
 *
 * What the numbers of a row may be, so that no later stage divides by zero, overflows an int or draws a point at infinity.
 */
#include "range.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "columns.h"

/* Ranks in pairs: every two of them are a row. */
enum { RANGE_MOST_PAIRED = 65535 };

/* Integers that are limited apart from their type; the others only have to be numbers. */
static const struct limit {
	const char *column;
	size_t offset; /* in struct result */
	int64_t min;
	int64_t max;
	bool needed;
} limits[] = {
	{ "schema", offsetof(struct result, schema), RESULT_SCHEMA, RESULT_SCHEMA, true },
	{ "point", offsetof(struct result, point), 1, INT64_MAX, false },
	{ "points", offsetof(struct result, points), 1, INT64_MAX, false },
	{ "nranks", offsetof(struct result, nranks), 1, INT_MAX, true },
	{ "nnodes", offsetof(struct result, nnodes), 1, INT_MAX, false },
	{ "root", offsetof(struct result, root), 0, INT_MAX, false },
	{ "bytes_requested", offsetof(struct result, bytes_requested), 0, INT64_MAX, false },
	{ "bytes", offsetof(struct result, bytes), 0, INT64_MAX, true },
	{ "count", offsetof(struct result, count), 0, INT64_MAX, false },
	{ "iters", offsetof(struct result, iters), 0, INT64_MAX, false },
	{ "dropped", offsetof(struct result, dropped), 0, INT64_MAX, false },
	{ "slowest_rank", offsetof(struct result, slowest_rank), 0, INT_MAX, false },
	{ "wrong", offsetof(struct result, wrong), 0, INT64_MAX, false },
	{ "from", offsetof(struct result, from), 0, RANGE_MOST_PAIRED, false },
	{ "to", offsetof(struct result, to), 0, RANGE_MOST_PAIRED, false },
};

static int bad(const char *name, const char *what, const char **column, char *why, size_t size)
{
	*column = name;
	snprintf(why, size, "%s", what);
	return -1;
}

static int check_integers(const struct result *result, const char **column, char *why, size_t size)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		const struct limit *limit = &limits[i];
		int64_t value;

		memcpy(&value, (const char *)result + limit->offset, sizeof(value));
		if (value == RESULT_NONE && limit->needed)
			return bad(limit->column, "is empty", column, why, size);
		if (value == RESULT_NONE || (value >= limit->min && value <= limit->max))
			continue;
		*column = limit->column;
		snprintf(why, size, "%lld is not within %lld and %lld", (long long)value, (long long)limit->min,
			 (long long)limit->max);
		return -1;
	}
	return 0;
}

/* Differences of what was measured. */
static bool may_be_negative(size_t offset)
{
	return offset == offsetof(struct result, exposed) || offset == offsetof(struct result, overlap);
}

static int check_reals(const struct result *result, const char **column, char *why, size_t size)
{
	for (size_t i = 0; i < column_count; i++)
		if (columns[i].type == COLUMN_REAL && column_real(&columns[i], result) < 0 && !may_be_negative(columns[i].offset))
			return bad(columns[i].name, "is negative", column, why, size);
	if (!(result->time > 0))
		return bad("time_us", "is not above 0", column, why, size);
	if (result->time_ci_low > result->time_ci_high)
		return bad("time_ci_low_us", "is above time_ci_high_us", column, why, size);
	return 0;
}

static int check_pair(const struct result *result, const char **column, char *why, size_t size)
{
	if (result->from == RESULT_NONE)
		return bad("from", "is empty beside to or load", column, why, size);
	if (result->to == RESULT_NONE || result->to <= result->from)
		return bad("to", "is not above from", column, why, size);
	if (strcmp(result->load, RESULT_ALONE) != 0 && strcmp(result->load, RESULT_TOGETHER) != 0)
		return bad("load", "is neither alone nor all", column, why, size);
	return result->nranks == 2 ? 0 : bad("nranks", "is not 2 in a row of a pair", column, why, size);
}

/* What else a step says of itself. */
static int check_step(const struct result *result, const char **column, char *why, size_t size)
{
	if (strcmp(result->collective, RESULT_STEP) != 0)
		return bad("strategy", "is not empty in a row of no step", column, why, size);
	if (result->strategy[0] == '\0')
		return bad("strategy", "is empty in a row of a step", column, why, size);
	if (result_is_pair(result))
		return bad("from", "is not empty in a row of a step", column, why, size);
	if (result->bucket_cap != RESULT_NONE && result->bucket_cap < 1)
		return bad("bucket_cap", "is not above 0", column, why, size);
	if (result->calls != RESULT_NONE && result->calls < 0)
		return bad("calls", "is negative", column, why, size);
	if (result->tensors != RESULT_NONE && result->tensors < 1)
		return bad("tensors", "is not above 0", column, why, size);
	if (result->prefetch != RESULT_NONE && result->prefetch < 0)
		return bad("prefetch", "is negative", column, why, size);
	return 0;
}

int range_check(const struct result *result, const char **column, char *why, size_t size)
{
	if (check_integers(result, column, why, size) != 0 || check_reals(result, column, why, size) != 0)
		return -1;
	if (result->collective[0] == '\0')
		return bad("collective", "is empty", column, why, size);
	if (result->points != RESULT_NONE && result->point > result->points)
		return bad("point", "is above points", column, why, size);
	/* RESULT_NONE is below every number of ranks. */
	if (result->root >= result->nranks)
		return bad("root", "is no rank", column, why, size);
	if (result_is_pair(result) && check_pair(result, column, why, size) != 0)
		return -1;
	if (result_is_step(result) && check_step(result, column, why, size) != 0)
		return -1;
	/* Ranks of a group keep their numbers among all. */
	if (!*result->group && !result_is_pair(result) && result->slowest_rank >= result->nranks)
		return bad("slowest_rank", "is no rank", column, why, size);
	return 0;
}
