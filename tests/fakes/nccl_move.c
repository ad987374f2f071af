/* SPDX-License-Identifier: Apache-2.0
 *
 * Collectives, on the thread of one rank's stream. In a step every rank lays a piece of what it sends into its room (where each peer gets something else,
 * a piece for each), waits for all, compares what they are doing, and takes its part. Rooms are two and used in turn: nobody lays the next but one piece
 * down before all have taken this one.
 */
#include <stdio.h>
#include <string.h>

#include "nccl_fake.h"

struct step {
	const struct fake_op *op;
	uint64_t number;  /* of the communicator */
	size_t block;     /* bytes of what one rank gets from another, in all */
	size_t at, bytes; /* the piece of it */
	int parts;        /* pieces that a rank lays down: 1, or one a peer */
	size_t room;      /* bytes between them */
};

static bool all_laid(void *arg)
{
	const struct step *step = (struct step *)arg;
	const struct ncclComm *comm = step->op->comm;

	for (int rank = 0; rank < comm->nranks; rank++)
		if (atomic_load(&comm->meeting->seats[rank].step) <= step->number)
			return false;
	return true;
}

static void describe(const struct fake_heading *heading, char *text, size_t size)
{
	bool reduces = heading->redop >= 0;

	snprintf(text, size, "%s of %llu %s%s%s, root %d", fake_kind_name(heading->kind), (unsigned long long)heading->count,
		 fake_type_name(heading->type), reduces ? " " : "", reduces ? fake_redop_name(heading->redop) : "",
		 heading->root);
}

static void not_all_laid(void *arg)
{
	const struct step *step = (struct step *)arg;
	const struct ncclComm *comm = step->op->comm;
	char missing[256] = "", own[160];

	describe(&comm->meeting->seats[comm->rank].heading[step->number % 2], own, sizeof(own));
	for (int rank = 0; rank < comm->nranks; rank++) {
		size_t used = strlen(missing);

		if (atomic_load(&comm->meeting->seats[rank].step) <= step->number)
			snprintf(missing + used, sizeof(missing) - used, " %d", rank);
	}
	fake_fail("rank %d waits in %s (its collective number %llu) for ranks%s, which did not come in %ld s", comm->rank, own,
		  (unsigned long long)comm->number, missing, fake_limit());
}

static struct fake_heading heading_of(const struct fake_op *op)
{
	bool reduces = op->kind == FAKE_ALL_REDUCE || op->kind == FAKE_REDUCE || op->kind == FAKE_REDUCE_SCATTER;
	struct fake_heading heading;

	memset(&heading, 0, sizeof(heading));
	heading.kind = op->kind;
	heading.type = (int)op->type;
	heading.redop = reduces ? op->redop : -1;
	heading.root = op->root;
	heading.count = op->count;
	heading.number = op->comm->number;
	return heading;
}

static void compare(const struct step *step)
{
	const struct ncclComm *comm = step->op->comm;
	const struct fake_heading own = comm->meeting->seats[comm->rank].heading[step->number % 2];

	for (int rank = 0; rank < comm->nranks; rank++) {
		const struct fake_heading other = comm->meeting->seats[rank].heading[step->number % 2];
		char one[160], two[160];

		if (own.kind == other.kind && own.type == other.type && own.redop == other.redop && own.root == other.root &&
		    own.count == other.count)
			continue;
		describe(&own, one, sizeof(one));
		describe(&other, two, sizeof(two));
		fake_fail("ranks do not agree on collective number %llu: rank %d calls %s, rank %d calls %s",
			  (unsigned long long)own.number, comm->rank, one, rank, two);
	}
}

/* Every rank multiplies by its own scalar what it contributes; an average is a sum of what was divided, where that can be. */
static void scale(const struct step *step, void *piece)
{
	const struct fake_op *op = step->op;
	size_t count = step->bytes / fake_type_size((int)op->type);

	if (op->redop == FAKE_PREMUL)
		fake_scale((int)op->type,
			   op->device_scalar ? fake_view(op->device_scalar, fake_type_size((int)op->type)) : op->scalar, piece,
			   count);
	else if (op->redop == ncclAvg)
		fake_share((int)op->type, op->comm->nranks, piece, count);
}

static void lay(const struct step *step)
{
	const struct fake_op *op = step->op;
	unsigned char *room = fake_room(op->comm, op->comm->rank, step->number);
	struct fake_seat *seat = fake_own_seat(op->comm);
	const unsigned char *send;

	seat->heading[step->number % 2] = heading_of(op);
	send = op->send ? (const unsigned char *)fake_view(op->send, op->send_bytes) : NULL;
	for (int part = 0; send && part < step->parts; part++) {
		memcpy(room + (size_t)part * step->room, send + (size_t)part * step->block + step->at, step->bytes);
		if (seat->heading[step->number % 2].redop >= 0)
			scale(step, room + (size_t)part * step->room);
	}
	atomic_store(&seat->step, step->number + 1);
}

static const void *laid(const struct step *step, int from, int part)
{
	return fake_room(step->op->comm, from, step->number) + (size_t)part * step->room;
}

static void take_reduced(const struct step *step, int part, unsigned char *recv)
{
	const struct fake_op *op = step->op;
	const void *from[FAKE_RANKS];
	size_t size = fake_type_size((int)op->type);

	for (int rank = 0; rank < op->comm->nranks; rank++)
		from[rank] = laid(step, rank, part);
	fake_reduce((int)op->type, op->redop, from, op->comm->nranks, (int)(step->number % (uint64_t)op->comm->nranks),
		    recv + step->at, step->bytes / size);
}

static void take(const struct step *step)
{
	const struct fake_op *op = step->op;
	int rank = op->comm->rank, nranks = op->comm->nranks;
	unsigned char *recv = op->recv ? (unsigned char *)fake_view(op->recv, op->recv_bytes) : NULL;

	if (!recv)
		return;
	switch (op->kind) {
	case FAKE_ALL_REDUCE:
	case FAKE_REDUCE:
		take_reduced(step, 0, recv);
		break;
	case FAKE_REDUCE_SCATTER:
		take_reduced(step, rank, recv);
		break;
	case FAKE_BROADCAST:
		memcpy(recv + step->at, laid(step, op->root, 0), step->bytes);
		break;
	case FAKE_SCATTER:
		memcpy(recv + step->at, laid(step, op->root, rank), step->bytes);
		break;
	default: /* all_gather, gather: what each rank laid down once; alltoall: what it laid down for me */
		for (int from = 0; from < nranks; from++)
			memcpy(recv + (size_t)from * step->block + step->at,
			       laid(step, from, op->kind == FAKE_ALLTOALL ? rank : 0), step->bytes);
		break;
	}
}

static bool is_split(enum fake_kind kind)
{
	return kind == FAKE_REDUCE_SCATTER || kind == FAKE_ALLTOALL || kind == FAKE_SCATTER;
}

void fake_move(const struct fake_op *op)
{
	ncclComm_t comm = op->comm;
	struct step step = { .op = op, .block = op->count * fake_type_size((int)op->type), .parts = 1 };
	const struct fake_wait wait = { &comm->meeting->bell, all_laid, not_all_laid, &step };

	if (is_split(op->kind))
		step.parts = comm->nranks;
	step.room = FAKE_ROOM / (size_t)step.parts / 16 * 16;
	for (step.at = 0; step.at < step.block; step.at += step.bytes) {
		step.bytes = step.block - step.at < step.room ? step.block - step.at : step.room;
		step.number = comm->step++;
		lay(&step);
		if (all_laid(&step))
			fake_ring(&comm->meeting->bell);
		if (!fake_wait(comm, &wait))
			return;
		compare(&step);
		take(&step);
	}
	comm->number++;
}
