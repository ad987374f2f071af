/* SPDX-License-Identifier: Apache-2.0
 *
 * The ways of sendrecv in simulation: a message takes what the cost model says, both directions of a link do not disturb each other, packing a byte takes
 * gamma. Data go where senders send them; where they come from is what the check knows.
 */
#include <string.h>

#include "sim.h"

double sim_exchange_time(const struct backend_call *call, int nranks, const struct coll_link *link, double message)
{
	const struct exchange *exchange = call->exchange;

	if (exchange->buffers > 0 && nranks > 1)
		return exchange_pipeline_time(exchange, call->count[0], dtypes[call->type].size, link->alpha, link->beta,
					      link->gamma);
	return message * exchange_trips(exchange);
}

static int next_of(const struct exchange *exchange, int nranks, int rank)
{
	return exchange_peers(exchange, nranks, rank).to;
}

/* Once around the ranks that pass on to each other, if this one is the lowest of them: each gets what was in the buffer before its own. */
static void rotate(const struct backend_call *call, int nranks, int first, void *scratch, size_t bytes)
{
	char *held = scratch, other[256];
	int rank = first;

	do
		rank = next_of(call->exchange, nranks, rank);
	while (rank > first);
	if (rank < first)
		return;
	memcpy(held, call->send[first], bytes);
	do {
		rank = next_of(call->exchange, nranks, rank);
		for (size_t done = 0; done < bytes; done += sizeof other) {
			const size_t n = bytes - done < sizeof other ? bytes - done : sizeof other;

			memcpy(other, (char *)call->recv[rank] + done, n);
			memcpy((char *)call->recv[rank] + done, held + done, n);
			memcpy(held + done, other, n);
		}
	} while (rank != first);
}

void sim_exchange_move(const struct backend_call *call, int nranks, void *scratch)
{
	const size_t size = dtypes[call->type].size, count = call->count[0];

	for (int rank = 0; rank < nranks; rank++) {
		const int to = next_of(call->exchange, nranks, rank);

		if (to < 0)
			continue;
		if (call->in_place)
			rotate(call, nranks, rank, scratch, count * size);
		else if (call->exchange->buffers > 0)
			exchange_pack(call->recv[to], call->send[rank], count, 0, count, size);
		else
			memcpy(call->recv[to], call->send[rank], count * size);
	}
}
