/* SPDX-License-Identifier: Apache-2.0
 *
 * Sends and receives of one group, on the thread of one rank's stream: all make progress at once, those with one peer in one direction in order. A send is
 * over when the peer has taken all of it, as with a network that has no buffers: who sends and then receives without a group waits for ever.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nccl_fake.h"

/* What goes to, or comes from, one peer. */
struct lane {
	size_t first, last; /* operations of it, first is in work; `next` joins them */
	bool busy;
	bool posted; /* something of it is with the peer */
	size_t moved;
};

struct exchange {
	const struct fake_op *ops;
	ncclComm_t comm;
	size_t nops, left;
	size_t *next;
	struct lane out[FAKE_RANKS], in[FAKE_RANKS];
	bool moved;
};

static void queue_up(struct exchange *exchange, struct lane *lane, size_t i)
{
	if (lane->busy)
		exchange->next[lane->last] = i;
	else
		lane->first = i;
	lane->last = i;
	lane->busy = true;
}

static void next_of(struct exchange *exchange, struct lane *lane)
{
	exchange->left--;
	lane->moved = 0;
	lane->posted = false;
	if (lane->first == lane->last)
		lane->busy = false;
	else
		lane->first = exchange->next[lane->first];
	exchange->moved = true;
}

static void send_some(struct exchange *exchange, int peer)
{
	struct lane *lane = &exchange->out[peer];
	const struct fake_op *op = &exchange->ops[lane->first];
	struct fake_letter *letter = fake_letter(exchange->comm, exchange->comm->rank, peer);
	size_t left = op->send_bytes - lane->moved;

	if (atomic_load(&letter->full))
		return;
	if (left == 0 && lane->posted) {
		next_of(exchange, lane);
		return;
	}
	letter->type = (int)op->type;
	letter->count = op->count;
	letter->bytes = left < FAKE_LETTER ? left : FAKE_LETTER;
	if (letter->bytes > 0)
		memcpy(letter->data, (const char *)fake_view(op->send, op->send_bytes) + lane->moved, letter->bytes);
	lane->moved += letter->bytes;
	lane->posted = true;
	atomic_store(&letter->full, 1);
	fake_ring(&exchange->comm->meeting->seats[peer].event);
	exchange->moved = true;
}

static void receive_some(struct exchange *exchange, int peer)
{
	struct lane *lane = &exchange->in[peer];
	const struct fake_op *op = &exchange->ops[lane->first];
	struct fake_letter *letter = fake_letter(exchange->comm, peer, exchange->comm->rank);

	if (!atomic_load(&letter->full))
		return;
	if (letter->type != (int)op->type || letter->count != op->count)
		fake_fail("ranks do not agree: rank %d receives %zu %s from rank %d, which sends %llu %s", exchange->comm->rank,
			  op->count, fake_type_name((int)op->type), peer, (unsigned long long)letter->count,
			  fake_type_name(letter->type));
	if (letter->bytes > 0)
		memcpy((char *)fake_view(op->recv, op->recv_bytes) + lane->moved, letter->data, letter->bytes);
	lane->moved += letter->bytes;
	atomic_store(&letter->full, 0);
	fake_ring(&exchange->comm->meeting->seats[peer].event);
	exchange->moved = true;
	if (lane->moved == op->recv_bytes)
		next_of(exchange, lane);
}

/* As far as it goes without waiting. */
static bool all_exchanged(void *arg)
{
	struct exchange *exchange = (struct exchange *)arg;

	do {
		exchange->moved = false;
		for (int peer = 0; peer < exchange->comm->nranks; peer++) {
			if (exchange->out[peer].busy)
				send_some(exchange, peer);
			if (exchange->in[peer].busy)
				receive_some(exchange, peer);
		}
	} while (exchange->moved);
	return exchange->left == 0;
}

static void not_exchanged(void *arg)
{
	const struct exchange *exchange = (struct exchange *)arg;

	for (int peer = 0; peer < exchange->comm->nranks; peer++) {
		const struct lane *lane = exchange->out[peer].busy ? &exchange->out[peer] : &exchange->in[peer];
		const struct fake_op *op = &exchange->ops[lane->first];

		if (lane->busy)
			fake_fail("rank %d: %s of %zu %s with rank %d has no counterpart (waited %ld s)", exchange->comm->rank,
				  fake_kind_name(op->kind), op->count, fake_type_name((int)op->type), peer, fake_limit());
	}
	fake_fail("rank %d waits for nobody", exchange->comm->rank);
}

static bool overlap(const void *one, size_t bytes, const void *other, size_t other_bytes)
{
	return (uintptr_t)one < (uintptr_t)other + other_bytes && (uintptr_t)other < (uintptr_t)one + bytes;
}

/*
 * What is received may overlap neither what is sent nor what else is received. Not minded: a rank that sends a part of a buffer to itself, where it is;
 * the same receive again, as aggregated calls on one buffer have it.
 */
void fake_exchange_check(const struct fake_op *const *ops, size_t nops)
{
	for (size_t i = 0; i < nops; i++) {
		const struct fake_op *in = ops[i];

		for (size_t j = 0; j < nops && in->kind == FAKE_RECV; j++) {
			const struct fake_op *other = ops[j];
			bool sends = other->kind == FAKE_SEND, same;

			if (i == j || !overlap(in->recv, in->recv_bytes, sends ? other->send : other->recv,
					       sends ? other->send_bytes : other->recv_bytes))
				continue;
			same = in->recv == (sends ? other->send : other->recv) && in->count == other->count &&
			       in->root == other->root;
			if (!same || (sends && in->root != in->comm->rank))
				fake_fail("ncclRecv: rank %d receives from rank %d where it also %s rank %d", in->comm->rank,
					  in->root, sends ? "sends to" : "receives from", other->root);
		}
	}
}

void fake_exchange(const struct fake_op *ops, size_t nops)
{
	struct exchange exchange = { .ops = ops, .comm = ops->comm, .nops = nops, .left = nops };
	const struct fake_wait wait = { &fake_own_seat(ops->comm)->event, all_exchanged, not_exchanged, &exchange };
	size_t *next = (size_t *)calloc(nops, sizeof(*next));

	if (!next)
		fake_fail("no memory for an exchange");
	exchange.next = next;
	for (size_t i = 0; i < nops; i++)
		queue_up(&exchange, ops[i].kind == FAKE_SEND ? &exchange.out[ops[i].root] : &exchange.in[ops[i].root], i);
	fake_wait(ops->comm, &wait);
	free(next);
}
