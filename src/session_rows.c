/* SPDX-License-Identifier: Apache-2.0
 *
 * From what was measured to rows: one for each group of a point.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../collectives/layout.h"
#include "launch.h"
#include "session_parts.h"

/* From here on queueing a call, and not the call, decides how long a loop takes. */
static const double HOST_BOUND = 0.9;

static void free_patterns(struct session *session)
{
	for (int group = 0; session->patterns && group < session->group_capacity; group++) {
		int first = 0;

		while (session->groups.size[first] != session->groups.size[group])
			first++;
		if (first == group)
			pattern_free((struct pattern *)(uintptr_t)session->patterns[group]);
	}
}

void session_patterns_free(struct session *session)
{
	free_patterns(session);
	free((void *)(uintptr_t)session->patterns);
	session->patterns = NULL;
}

/* Groups of one size get one pattern; the first of them owns it. */
static int make_patterns(struct session *session, const struct point *point)
{
	const struct groups *groups = &session->groups;

	free_patterns(session);
	if (!session->patterns)
		session->patterns = calloc((size_t)session->group_capacity, sizeof *session->patterns);
	if (!session->patterns) {
		fprintf(stderr, "%s: out of memory for %d patterns\n", session->parts->program, session->group_capacity);
		return -1;
	}
	memset((void *)(uintptr_t)session->patterns, 0, (size_t)session->group_capacity * sizeof *session->patterns);
	for (int group = 0; group < session->group_capacity; group++) {
		int first = 0;

		while (groups->size[first] != groups->size[group])
			first++;
		session->patterns[group] = first < group ? session->patterns[first]
							 : pattern_new(point->type, point->op,
								       (point->coll->flags & COLL_HAS_REDOP) != 0,
								       groups->size[group], session->parts->options->seed);
		if (!session->patterns[group])
			return -1;
	}
	return 0;
}

const struct pattern *const *session_patterns(struct session *session, const struct point *point, bool *failed)
{
	*failed = false;
	if (session->parts->options->check == 0 || point->buffer > session->backend.data_limit ||
	    (point->coll->flags & COLL_NO_DATA))
		return NULL;
	if (!session->has_patterns || session->pattern_type != (int)point->type || session->pattern_op != (int)point->op) {
		*failed = make_patterns(session, point) != 0;
		session->has_patterns = !*failed;
		session->pattern_type = (int)point->type;
		session->pattern_op = (int)point->op;
	}
	return *failed ? NULL : session->patterns;
}

static void add_flag(char *flags, size_t size, bool wanted, const char *flag)
{
	if (!wanted)
		return;
	const size_t length = strlen(flags);

	snprintf(flags + length, size - length, "%s%s", length ? " " : "", flag);
}

static bool is_host_bound(const struct session *session, const struct group_measurement *measured)
{
	const struct options *options = session->parts->options;

	/* What is queued behind a hold is queued before the time begins. */
	return options->timing == TIMING_LOOP && !options->hold && measured->enqueue >= HOST_BOUND * measured->stats.median;
}

static void write_flags(const struct session *session, const struct point *point, const struct group_measurement *measured,
			char *flags, size_t size)
{
	const char *own = session->backend.flags;

	flags[0] = '\0';
	add_flag(flags, size, session->oversubscribed, RESULT_FLAG_OVERSUBSCRIBED);
	add_flag(flags, size, !measured->precise, RESULT_FLAG_NOISY);
	add_flag(flags, size, measured->late, RESULT_FLAG_LATE);
	add_flag(flags, size, measured->stats.median < 100 * session->clock.step, RESULT_FLAG_SHORT);
	add_flag(flags, size, measured->wrong < 0 && !(point->coll->flags & COLL_NO_DATA), RESULT_FLAG_UNCHECKED);
	add_flag(flags, size, is_host_bound(session, measured), RESULT_FLAG_HOST_BOUND);
	add_flag(flags, size, session->taken.differs, RESULT_FLAG_OTHER_PATH);
	add_flag(flags, size, session->taken.traced, RESULT_FLAG_TRACED);
	add_flag(flags, size, session->backend.fake_clock, RESULT_FLAG_SIMULATED);
	add_flag(flags, size, own && *own, own);
}

/* -I in loop timing: the spread is of single calls, the headline the mean of the loop. */
static void fill_times(struct result *row, const struct group_measurement *measured)
{
	const struct stats *spread = measured->has_each ? &measured->each : &measured->stats;

	row->time = measured->stats.median;
	row->time_ci_low = measured->stats.ci_low;
	row->time_ci_high = measured->stats.ci_high;
	row->time_min = spread->min;
	row->time_mean = spread->mean;
	row->time_stddev = spread->stddev;
	row->time_p95 = spread->p95;
	row->time_p99 = spread->p99;
	row->time_max = spread->max;
	row->rank_time_min = measured->rank_time_min;
	row->rank_time_avg = measured->rank_time_avg;
	row->rank_time_max = measured->rank_time_max;
	row->slowest_rank = measured->slowest_rank;
	row->kernel = measured->kernel;
	row->enqueue = measured->enqueue;
}

/* busbw of uneven blocks is what the busiest port really carries; where each rank keeps what it has there is none, as with one rank. */
static void fill_rates(struct result *row, const struct point *point, int nranks)
{
	if (!(row->time > 0) || (point->coll->flags & COLL_NO_DATA))
		return;
	row->algbw = (double)point->bytes / row->time;
	if (nranks < 2)
		return;
	const double port = point->uneven ? point_port_bytes(point, nranks) : 0;

	if (!point->uneven)
		row->busbw = row->algbw * point->coll->bus_factor(nranks);
	else if (port > 0)
		row->busbw = port / row->time;
}

/* What a row cannot hold: which rank was wrong. */
static void note_wrong(struct session *session, const struct point *point, const struct group_measurement *measured)
{
	const bool is_variant = point->variant && *point->variant;
	char text[256];

	if (measured->wrong <= 0)
		return;
	snprintf(text, sizeof text, "wrong data: %s%s%s, %zu bytes, %s: %" PRId64 " elements, first on rank %d at element %zu",
		 point->coll->name, is_variant ? ", " : "", is_variant ? point->variant : "", point->bytes,
		 point->in_place ? RESULT_IN_PLACE : RESULT_OUT_OF_PLACE, measured->wrong, measured->wrong_rank,
		 measured->wrong_first);
	notes_add(&session->after, "%s", text);
	progress_wipe(&session->progress);
	fprintf(stderr, "%s: %s\n", session->parts->program, text);
}

/* And which rank came late. */
static void note_late(struct session *session, const struct point *point, const struct measurement *measured)
{
	/* With more ranks than cores somebody is always late, and who is chance. Of pairs the table names the rank. */
	if (measured->late && !session->parts->options->pairs && measured->late_rank >= 0 && !session->oversubscribed)
		notes_add(&session->after,
			  "late arriver: rank %d came %.0f us after the common start at %zu bytes; its samples were kept",
			  measured->late_rank, measured->late_time * 1e6, point->bytes);
}

static void count_row(struct session *session, const struct group_measurement *measured)
{
	session->done++;
	session->imprecise += !measured->precise;
	session->host_bound += is_host_bound(session, measured);
	session->wrong += measured->wrong > 0 ? measured->wrong : 0;
}

static void fill_point(struct result *row, const struct session *session, const struct point *point)
{
	row->schema = RESULT_SCHEMA;
	row->point = (int64_t)session->done;
	if (session->planned > 0)
		row->points = (int64_t)session->planned;
	row->run = session->run;
	row->collective = point->coll->name;
	row->backend = session->backend.ops->name;
	row->library = session->backend.library;
	row->path = session->backend.path;
	row->algo = session->algo[0] ? session->algo : session->backend.algo;
	row->type = point->coll->flags & COLL_NO_DATA ? "" : dtypes[point->type].name;
	row->redop = point->coll->flags & COLL_HAS_REDOP ? redop_names[point->op] : "";
	if (point->coll->flags & COLL_HAS_ROOT)
		row->root = point->root;
	row->placement = point->in_place ? RESULT_IN_PLACE : RESULT_OUT_OF_PLACE;
	row->bytes_requested = (int64_t)point->bytes_requested;
	row->bytes = (int64_t)point->bytes;
	row->count = (int64_t)point->shape.count;
	row->timing = session->parts->options->timing == TIMING_LOOP ? "loop" : "sync";
	row->variant = point->variant ? point->variant : "";
}

void session_row_begin(struct session *session, const struct point *point, const struct group_measurement *measured,
		       struct result *row, char *flags, size_t size)
{
	result_clear(row);
	count_row(session, measured);
	write_flags(session, point, measured, flags, size);
	fill_point(row, session, point);
	fill_times(row, measured);
	if (measured->wrong >= 0)
		row->wrong = measured->wrong;
}

static int group_row(struct session *session, const struct point *point, int group, const struct measurement *measured)
{
	const struct group_measurement *own = &measured->groups[group];
	char flags[160], now[32], name[16];
	struct result row;

	session_row_begin(session, point, own, &row, flags, sizeof flags);
	facts_timestamp(session->backend.fake_clock ? clock_now(&session->clock) : facts_wall_clock(), now);
	snprintf(name, sizeof name, "%d", group);
	row.nranks = session->groups.size[group];
	if (session->parts->options->pairs) {
		session_pairs_fill(session, group, &row);
	} else {
		row.group = session->groups.count > 1 ? name : "";
		row.nnodes = session->group_nodes[group];
	}
	row.sync = measured->sync;
	row.iters = measured->iters;
	row.dropped = measured->dropped;
	/* Of all groups at once. */
	session->left_out += group == 0 ? measured->dropped : 0;
	fill_rates(&row, point, session->groups.size[group]);
	if (point->uneven)
		row.imbalance = coll_layout_imbalance(&point->layout, session->groups.size[group]);
	row.flags = flags;
	row.timestamp = now;
	note_wrong(session, point, own);
	session_exchange_row(session, point, group, &row);
	session_uneven_row(session, point, group, &row);
	return output_row(&session->output, &row);
}

int session_rows(struct session *session, const struct point *point, const struct measurement *measured)
{
	int rc = 0;

	progress_wipe(&session->progress);
	for (int group = 0; group < session->groups.count && rc == 0; group++) {
		const struct point own = point_in_group(point, session->groups.size[group]);

		rc = group_row(session, &own, group, measured);
	}
	note_late(session, point, measured);
	progress_show(&session->progress, session->done);
	return rc;
}
