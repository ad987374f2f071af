/* SPDX-License-Identifier: Apache-2.0
 *
 * What uneven blocks cost: after each uneven point comes the even exchange of as many bytes, and both are told after the table.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../collectives/layout.h"
#include "launch.h"
#include "session_parts.h"
#include "uneven.h"

/* Lines after the table. */
enum { MOST_COSTS = 20 };
/* What is not worth a word of rounding. */
static const double LEAST_ROUNDING = 0.01;

bool session_matrix_fits(const struct session *session)
{
	const struct session_parts *parts = session->parts;
	const struct groups *groups = &session->groups;

	if (!parts->options->matrix)
		return true;
	const int nranks = parts->options->uneven->nranks;
	const bool too_few = groups->least < nranks;

	if (!too_few && groups->most == nranks)
		return true;
	if (parts->launch->rank == 0)
		fprintf(stderr, "%s: --matrix: %d rows and columns are for as many ranks, not for %d%s\n", parts->program, nranks,
			too_few ? groups->least : groups->most, groups->count > 1 ? " of a group" : "");
	return false;
}

/* The largest type that is asked for loses most. */
static enum dtype largest_type(const struct options *options)
{
	int found = options->type == OPTION_ALL ? 0 : options->type;

	for (int type = 0; options->type == OPTION_ALL && type < DTYPE_COUNT; type++)
		found = dtypes[type].size > dtypes[found].size ? type : found;
	return (enum dtype)found;
}

void session_uneven_note(struct session *session)
{
	const struct options *options = session->parts->options;
	const struct uneven *uneven = options->matrix ? options->uneven : NULL;
	const enum dtype type = largest_type(options);
	const size_t element = dtypes[type].size;
	size_t rounded = 0, lost = 0;

	if (!uneven)
		return;
	const struct coll_layout layout = uneven_layout(uneven, options->min_bytes, element, uneven->nranks, 1);
	const int n = uneven->nranks;

	for (int i = 0; i < n * n; i++) {
		rounded += uneven->cells[i] % element > 0;
		lost += uneven->cells[i] > 0 && coll_layout_block(&layout, n, i / n, i % n) == 0;
	}
	if (options->min_bytes == uneven->busiest && rounded > 0)
		notes_add(&session->before,
			  "%zu of the matrix's %d sizes are no multiples of %zu bytes (%s): rounded down, %zu of them to 0",
			  rounded, n * n, element, dtypes[type].name, lost);
	else if (lost > 0)
		notes_add(&session->before, "at %" PRIu64 " bytes %zu of the matrix's blocks are under one %s: left out",
			  options->min_bytes, lost, dtypes[type].name);
}

/* Of one group. */
struct uneven_row {
	bool waits; /* for the even exchange */
	char variant[64];
	int64_t bytes;
	double mean; /* bytes that a rank sends, on average */
	double imbalance;
	struct ratio_time time;
};

static void keep(struct uneven_row *kept, const struct result *row)
{
	*kept = (struct uneven_row){
		.bytes = row->bytes,
		.imbalance = row->imbalance,
		.time = ratio_time(row),
	};
	snprintf(kept->variant, sizeof kept->variant, "%s", row->variant);
}

static void say_ratio(const struct uneven_row *uneven, const struct uneven_row *even, char *text, size_t size)
{
	const struct ratio ratio = ratio_of(&uneven->time, &even->time);
	const char *why = ratio_why(ratio.kind);

	if (ratio.kind != RATIO_TURNS && !(uneven->imbalance > 1))
		why = "all ranks are as busy as each other, so no ratio";
	if (why)
		snprintf(text, size, "%s", why);
	else if (ratio.kind == RATIO_NOT_APART)
		snprintf(text, size, "the two cannot be told apart (%.3g to %.3g times)", ratio.low, ratio.high);
	else if (ratio_is_same(&ratio))
		snprintf(text, size, "uneven takes as long");
	else
		snprintf(text, size, "uneven takes %.3g times as long (%.3g to %.3g)", ratio.value, ratio.low, ratio.high);
}

/* "as much spread evenly, 128 bytes a rank (of 150: blocks are multiples of 16 bytes): 12.00 us" */
static void say_even(const struct uneven_row *uneven, const struct uneven_row *even, char *text, size_t size)
{
	char rounded[80] = "", ratio[128];

	if ((double)even->bytes < uneven->mean * (1 - LEAST_ROUNDING))
		snprintf(rounded, sizeof rounded, " (of %.0f: blocks are multiples of 16 bytes)", uneven->mean);
	say_ratio(uneven, even, ratio, sizeof ratio);
	snprintf(text, size, "as much spread evenly, %" PRId64 " bytes a rank%s: %.2f us; %s", even->bytes, rounded,
		 even->time.time * 1e6, ratio);
}

static void tell(struct session *session, int group, const char *what)
{
	struct uneven_row *uneven = &session->uneven[group];
	char where[32] = "";

	uneven->waits = false;
	if (session->groups.count > 1)
		snprintf(where, sizeof where, ", group %d", group);
	if (session->costs++ < MOST_COSTS)
		notes_add(&session->after, "%s, %" PRId64 " bytes%s: imbalance %.3g, %.2f us; %s", uneven->variant, uneven->bytes,
			  where, uneven->imbalance, uneven->time.time * 1e6, what);
	else
		notes_add(&session->after, "what more uneven sizes cost is in the rows: --csv and the report tell");
}

void session_uneven_row(struct session *session, const struct point *point, int group, const struct result *row)
{
	const int nranks = session->groups.size[group];
	char text[320];

	if (!point->uneven || !(row->time > 0))
		return;
	if (!session->uneven)
		session->uneven = calloc((size_t)session->group_capacity, sizeof *session->uneven);
	if (!session->uneven)
		return;
	struct uneven_row *uneven = &session->uneven[group], even;

	if (point->evened && uneven->waits) {
		keep(&even, row);
		say_even(uneven, &even, text, sizeof text);
		tell(session, group, text);
	}
	if (point->evened)
		return;
	keep(uneven, row);
	uneven->mean = (double)coll_layout_total(&point->layout, nranks) * (double)dtypes[point->type].size / nranks;
	uneven->waits = true;
	if (coll_layout_is_even(&point->layout, nranks))
		tell(session, group, nranks == 1 ? "one rank has nobody to be uneven with" : "its blocks are even");
}

void session_uneven_alone(struct session *session, const char *why)
{
	char text[160];

	snprintf(text, sizeof text, "no even exchange beside it: %s", why);
	for (int group = 0; session->uneven && group < session->groups.count; group++)
		if (session->uneven[group].waits)
			tell(session, group, text);
}
