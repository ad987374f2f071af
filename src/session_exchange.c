/* SPDX-License-Identifier: Apache-2.0
 *
 * The ways of sendrecv as a run has them: who finds no partner, what the reader is told before the table, and what a pipeline gained after it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session_parts.h"
#include "size.h"

enum { MOST_GAINS = 20, MOST_NAMED = 8 };

static const struct exchange *exchange_of(const struct session *session)
{
	const struct exchange *exchange = &session->parts->options->exchange;

	return session->parts->coll->id == COLL_SENDRECV && !exchange_is_plain(exchange) ? exchange : NULL;
}

bool session_exchange_refuses(const struct session *session, char *text, size_t size)
{
	const struct exchange *exchange = exchange_of(session);

	for (int group = 0; exchange && group < session->groups.count; group++) {
		const int nranks = session->groups.size[group];

		if (exchange_idle(exchange, nranks) < nranks && !exchange_wraps(exchange, nranks))
			continue;
		if (exchange_wraps(exchange, nranks))
			snprintf(text, size, "--stride: a shift by %d of %d rank%s is one by %d: give that", exchange->stride,
				 nranks, nranks > 1 ? "s" : "", nranks > 1 ? exchange->stride % nranks : 1);
		else if (nranks == 1)
			snprintf(text, size, "--mode: one rank%s makes no pair", session->groups.count > 1 ? " in a group" : "");
		else if (exchange->mode == EXCHANGE_SHIFT)
			snprintf(text, size, "--stride: a shift by %d of %d ranks leads each rank to itself", exchange->stride,
				 nranks);
		else
			snprintf(text, size, "--stride: no two of %d ranks are %d apart", nranks, exchange->stride);
		return true;
	}
	return false;
}

/* "rank 4 has no partner and sits out" */
static void note_idle(struct session *session, const struct exchange *exchange)
{
	const struct groups *groups = &session->groups;
	char ranks[160] = "";
	size_t used = 0;
	int idle = 0;

	for (int rank = 0; rank < groups->nranks; rank++) {
		if (!exchange_sits_out(exchange, groups->size[groups->of[rank]], groups->rank[rank]))
			continue;
		if (idle++ < MOST_NAMED)
			used += (size_t)snprintf(ranks + used, sizeof ranks - used, "%s%d", idle > 1 ? ", " : "", rank);
	}
	if (idle > MOST_NAMED)
		snprintf(ranks + used, sizeof ranks - used, " and %d more", idle - MOST_NAMED);
	if (idle > 0)
		notes_add(&session->before, "rank%s %s ha%s no partner and sit%s out", idle > 1 ? "s" : "", ranks,
			  idle > 1 ? "ve" : "s", idle > 1 ? "" : "s");
}

static bool packing_takes_time(const struct session *session)
{
	return !session->backend.fake_clock || session->parts->options->sim_gamma > 0;
}

static void note_pipeline(struct session *session, const struct exchange *exchange)
{
	notes_add(
		&session->before,
		"pipeline: the %d columns of a matrix are packed in pieces of a %dth of the message, at least %d bytes, into %d "
		"buffer%s; packing %s",
		EXCHANGE_COLUMNS, EXCHANGE_PIECES, EXCHANGE_LEAST_PIECE, exchange->buffers, exchange->buffers > 1 ? "s" : "",
		packing_takes_time(session) ? "is in the time" : "takes no time without --sim-gamma, so nothing is gained");
	if (exchange->buffers > 1 && packing_takes_time(session))
		notes_add(&session->before, "pipeline 1 packs and sends in turn: what the others gain is told after the table");
}

static void note_mode(struct session *session, const struct exchange *exchange)
{
	struct notes *notes = &session->before;
	const int stride = exchange->stride;

	switch (exchange->mode) {
	case EXCHANGE_SHIFT:
		notes_add(notes, "shift: rank r sends to r + %d and receives from r - %d, at once", stride, stride);
		break;
	case EXCHANGE_ONEWAY:
		notes_add(notes, "oneway: of ranks r and r + %d the lower sends, the upper receives", stride);
		break;
	case EXCHANGE_BIDIRECTIONAL:
		notes_add(notes,
			  "bidirectional: ranks r and r + %d send to each other at once; algbw and busbw are those of one "
			  "direction",
			  stride);
		break;
	case EXCHANGE_PINGPONG:
		notes_add(notes, "pingpong: ranks r and r + %d send there and back; time is half of that", stride);
		break;
	}
}

void session_exchange_note(struct session *session)
{
	const struct exchange *exchange = exchange_of(session);

	if (!exchange)
		return;
	note_mode(session, exchange);
	note_idle(session, exchange);
	if (exchange->buffers > 0)
		note_pipeline(session, exchange);
}

bool session_has_variants(const struct session *session)
{
	return session->parts->options->variant || exchange_of(session);
}

static void add_ratio(char *text, size_t size, const struct ratio_time *one, const struct ratio_time *several)
{
	const struct ratio ratio = ratio_of(one, several);
	const char *why = ratio_why(ratio.kind);

	if (why)
		snprintf(text, size, "%s", why);
	else if (ratio.kind == RATIO_NOT_APART)
		snprintf(text, size, "cannot be told apart (%.2f to %.2f times as fast)", ratio.low, ratio.high);
	else
		snprintf(text, size, "%.2f times as fast (%.2f to %.2f)", ratio.value, ratio.low, ratio.high);
}

static void note_gain(struct session *session, const struct point *point, int group, const struct ratio_time *one,
		      const struct ratio_time *several)
{
	char size[24], where[32] = "", ratio[80];

	if (session->groups.count > 1)
		snprintf(where, sizeof where, ", group %d", group);
	add_ratio(ratio, sizeof ratio, one, several);
	notes_add(&session->after, "%s, %s%s: %.2f us, one buffer %.2f us: %s", point->variant,
		  size_format(point->bytes, size, sizeof size), where, several->time * 1e6, one->time * 1e6, ratio);
}

/* What is so at all sizes, or at all up to one, is told once: a line that is there already is not added. */
static bool note_no_gain(struct session *session, const struct point *point, const struct result *row)
{
	char size[24];

	if (!packing_takes_time(session))
		return true;
	if (exchange_piece(point->shape.count, dtypes[point->type].size) >= point->shape.count)
		notes_add(&session->after, "%s, up to %s: one piece, nothing to overlap", point->variant,
			  size_format(EXCHANGE_LEAST_PIECE, size, sizeof size));
	else if (result_takes_turns(row))
		notes_add(&session->after, "%s: ranks take turns, so no ratio to one buffer", point->variant);
	else
		return false;
	return true;
}

/* Rows of one buffer and of several come in turn, each group's after the other's. */
void session_exchange_row(struct session *session, const struct point *point, int group, const struct result *row)
{
	const int buffers = point->exchange ? point->exchange->buffers : 0;
	const struct ratio_time own = ratio_time(row);

	if (buffers == 0 || !(row->time > 0))
		return;
	if (!session->serial)
		session->serial = calloc((size_t)session->group_capacity, sizeof *session->serial);
	if (!session->serial)
		return;
	const struct ratio_time one = session->serial[group];

	session->serial[group] = buffers == 1 ? own : (struct ratio_time){ 0 };
	if (buffers > 1 && one.time > 0 && !note_no_gain(session, point, row) && session->gains++ < MOST_GAINS)
		note_gain(session, point, group, &one, &own);
}

uint64_t session_staging(const struct session *session, uint64_t bytes)
{
	const struct exchange *exchange = exchange_of(session);

	return exchange && !session->backend.fake_clock ? exchange_staging(exchange, bytes) : 0;
}
