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

		if (exchange_idle(exchange, nranks) < nranks)
			continue;
		if (nranks == 1)
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

static void note_pipeline(struct session *session, const struct exchange *exchange)
{
	notes_add(
		&session->before,
		"pipeline: the %d columns of a matrix are packed in pieces of a %dth of the message, at least %d bytes, into %d "
		"buffer%s; packing is in the time",
		EXCHANGE_COLUMNS, EXCHANGE_PIECES, EXCHANGE_LEAST_PIECE, exchange->buffers, exchange->buffers > 1 ? "s" : "");
	if (exchange->buffers > 1)
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

/* Rows of one buffer and of several come in turn, each group's after the other's. */
void session_exchange_row(struct session *session, const struct point *point, int group, double time)
{
	const int buffers = point->exchange ? point->exchange->buffers : 0;
	char size[24], where[32] = "";

	if (buffers == 0 || !(time > 0))
		return;
	if (!session->serial)
		session->serial = calloc((size_t)session->group_capacity, sizeof *session->serial);
	if (!session->serial)
		return;
	if (buffers == 1) {
		session->serial[group] = time;
		return;
	}
	if (session->groups.count > 1)
		snprintf(where, sizeof where, ", group %d", group);
	if (session->gains++ < MOST_GAINS && session->serial[group] > 0)
		notes_add(&session->after, "%s, %s%s: %.2f us, one buffer %.2f us: %.2f times as fast", point->variant,
			  size_format(point->bytes, size, sizeof size), where, time * 1e6, session->serial[group] * 1e6,
			  session->serial[group] / time);
}

uint64_t session_staging(const struct session *session, uint64_t bytes)
{
	const struct exchange *exchange = exchange_of(session);

	return exchange && !session->backend.fake_clock ? exchange_staging(exchange, bytes) : 0;
}
