/* SPDX-License-Identifier: Apache-2.0
 *
 * Seeding and checking go through four operations: the device's own where it has them, else the host's on the same memory.
 */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_host.h"
#include "memory.h"

/* MARGIN keeps a buffer's start as aligned as its allocation; GUARD bytes next to the data are watched. */
enum { MARGIN = 4096, GUARD = 64, GUARD_BYTE = 0x5c, POISON_BYTE = 0xa7 };

struct check {
	struct backend *backend;
	const struct backend_device *device;
	size_t bytes; /* of one buffer without margins */
	size_t shift;
	void **memory; /* 2 * nlocal allocations: send, recv */
	void **send;   /* nlocal call arguments */
	void **recv;
	size_t *count;
	struct coll_layout *layout; /* likewise */
};

/* One local rank's part of a point, inside its group. */
struct part {
	struct point point;
	struct coll_geom geom;
	struct coll_place place;
	const struct pattern *pattern; /* NULL where data are not looked at */
	int local;
	size_t size;       /* bytes of an element */
	size_t input;      /* elements */
	size_t held;       /* elements of the receive side's whole buffer: in place it holds the input too */
	char *send, *recv; /* element 0 of the whole buffers */
};

uint64_t check_memory(uint64_t bytes)
{
	return bytes > UINT64_MAX / 4 ? UINT64_MAX : 2 * (bytes + 2 * MARGIN);
}

static int touch(struct check *check, int local, void *memory, size_t bytes)
{
	void *view = check->backend->ops->host_view(check->backend, local, memory);

	if (view)
		memory_touch(view, bytes);
	return 0;
}

static int open_buffers(struct check *check)
{
	const struct backend *backend = check->backend;
	const size_t bytes = check->bytes + check->shift + 2 * MARGIN;

	for (int i = 0; i < 2 * backend->nlocal; i++) {
		if (backend->ops->alloc(check->backend, i / 2, bytes, &check->memory[i]) ||
		    touch(check, i / 2, check->memory[i], bytes))
			return -1;
	}
	return 0;
}

struct check *check_open(struct backend *backend, size_t bytes, size_t unalign_bytes)
{
	struct check *check = calloc(1, sizeof *check);
	const size_t n = (size_t)backend->nlocal;

	if (check) {
		*check = (struct check){ .backend = backend, .bytes = bytes, .shift = unalign_bytes };
		check->memory = calloc(2 * n, sizeof(void *));
		check->send = calloc(n, sizeof(void *));
		check->recv = calloc(n, sizeof(void *));
		check->count = calloc(n, sizeof(size_t));
		check->layout = calloc(n, sizeof *check->layout);
		check->device = backend->ops->device ? backend->ops->device(backend) : NULL;
		if (!check->device)
			check->device = &check_host;
	}
	if (!check || !check->memory || !check->send || !check->recv || !check->count || !check->layout) {
		fprintf(stderr, "check: out of memory\n");
		check_close(check);
		return NULL;
	}
	if (open_buffers(check)) {
		check_close(check);
		return NULL;
	}
	return check;
}

void check_close(struct check *check)
{
	if (!check)
		return;
	for (int i = 0; check->memory && i < 2 * check->backend->nlocal; i++)
		if (check->memory[i])
			check->backend->ops->release(check->backend, i / 2, check->memory[i]);
	free(check->memory);
	free(check->send);
	free(check->recv);
	free(check->count);
	free(check->layout);
	free(check);
}

static struct coll_place place_of(const struct check *check, const struct point *point, const struct coll_geom *geom)
{
	struct coll_place place = { 0, 0 };

	if (!point->in_place || !point->coll->in_place)
		return place;
	place = point->coll->in_place(geom);
	if (point->coll->id == COLL_REDUCE_SCATTER && (check->backend->quirks & BACKEND_REDUCE_SCATTER_AT_START))
		place.recv = 0;
	return place;
}

static char *start(const struct check *check, int local, int which)
{
	return (char *)check->memory[2 * local + which] + MARGIN + check->shift;
}

static struct part part_of(const struct check *check, const struct point *point, const struct pattern *const *patterns, int local)
{
	const struct groups *groups = check->backend->groups;
	const int rank = check->backend->first_rank + local, group = groups->of[rank];
	const int nranks = group < 0 ? groups->most : groups->size[group];
	struct part part = { .local = local,
			     .point = nranks == groups->most ? *point : point_in_group(point, nranks),
			     .pattern = patterns && group >= 0 ? patterns[group] : NULL,
			     .size = dtypes[point->type].size,
			     .send = start(check, local, 0),
			     .recv = start(check, local, 1) };
	const struct coll_shape *shape = &part.point.shape;

	part.geom = point_geom(&part.point, nranks, groups->rank[rank]);
	part.place = place_of(check, &part.point, &part.geom);
	part.input = point_input(&part.point, &part.geom);
	part.held = point->in_place && shape->send > shape->recv ? shape->send : shape->recv;
	return part;
}

/* Who is in no group neither sends nor receives. */
static bool takes_part(const struct check *check, int local)
{
	return check->backend->groups->of[check->backend->first_rank + local] >= 0;
}

static struct coll_layout layout_of(const struct point *point)
{
	if (point->layout.hot > 0 || point->layout.cells)
		return point->layout;
	return (struct coll_layout){ .hot = point->shape.count, .cold = point->shape.count };
}

void check_call(struct check *check, const struct point *point, struct backend_call *call)
{
	const struct backend *backend = check->backend;

	for (int i = 0; i < backend->nlocal; i++) {
		const struct part part = part_of(check, point, NULL, i);

		check->send[i] = point->in_place ? part.recv + part.place.send * part.size : part.send;
		check->recv[i] = part.recv + part.place.recv * part.size;
		check->count[i] = takes_part(check, i) ? part.point.shape.count : 0;
		check->layout[i] = layout_of(&part.point);
	}
	*call = (struct backend_call){
		.coll = point->coll,
		.count = check->count,
		.layout = check->layout,
		.type = point->type,
		.op = point->op,
		.root = point->root,
		.in_place = point->in_place,
		.exchange = point->exchange,
		.peer = backend->groups->peer ? backend->groups->peer + backend->first_rank : NULL,
		.send = check->send,
		.recv = check->recv,
		.rotations = 1,
	};
}

static int set(const struct check *check, const struct part *part, char *to, int byte, size_t bytes)
{
	return check->device->set(check->backend, part->local, to, byte, bytes);
}

static int fits(const struct check *check, const struct part *part)
{
	const size_t most = part->input > part->held ? part->input : part->held;

	if (most * part->size <= check->bytes)
		return 0;
	fprintf(stderr, "check: %zu bytes of rank %d do not fit into a buffer of %zu\n", most * part->size,
		check->backend->first_rank + part->local, check->bytes);
	return -1;
}

/*
 * A matrix whose packing gives the pattern: that is made where the message will be received, which is poisoned once more. Backends that pack do so on the
 * host.
 */
static int seed_matrix(const struct check *check, const struct part *part, const struct pattern_table *table, size_t from)
{
	const struct backend_ops *ops = check->backend->ops;

	if (check->device->fill(check->backend, part->local, part->recv, table, from, part->input))
		return -1;
	exchange_spread(ops->host_view(check->backend, part->local, part->send),
			ops->host_view(check->backend, part->local, part->recv), part->input, part->size);
	return set(check, part, part->recv, POISON_BYTE, part->held * part->size);
}

static int seed_part(const struct check *check, const struct part *part)
{
	const size_t bytes = part->held * part->size;
	char *input = part->point.in_place ? part->recv + part->place.send * part->size : part->send;
	struct pattern_table table;
	size_t from;

	if (fits(check, part) || set(check, part, part->recv - GUARD, GUARD_BYTE, GUARD) ||
	    set(check, part, part->recv, POISON_BYTE, bytes) || set(check, part, part->recv + bytes, GUARD_BYTE, GUARD))
		return -1;
	if (part->input == 0)
		return 0;
	pattern_table(part->pattern, part->geom.rank, 0, &table, &from);
	if (part->point.exchange && part->point.exchange->buffers > 0)
		return seed_matrix(check, part, &table, from);
	return check->device->fill(check->backend, part->local, input, &table, from, part->input);
}

int check_seed(struct check *check, const struct point *point, const struct pattern *const *patterns)
{
	for (int i = 0; i < check->backend->nlocal; i++) {
		const struct part part = part_of(check, point, patterns, i);

		if (takes_part(check, i) && seed_part(check, &part))
			return -1;
	}
	return 0;
}

/* Elements at position `at` of the whole buffer, all of one origin. */
struct stretch {
	size_t at, length;
	int rank; /* whose data, COLL_REDUCED, or COLL_UNTOUCHED: poison */
	size_t index;
};

/*
 * `length` elements from position `at` must be as they were seeded: this rank's input where an in-place buffer holds it, else poison. The first
 * stretch of that.
 */
static struct stretch untouched(const struct part *part, size_t at, size_t length)
{
	const size_t begin = part->place.send, end = begin + (part->point.in_place ? part->input : 0);

	if (at >= begin && at < end)
		return (struct stretch){ at, length < end - at ? length : end - at, part->geom.rank, at - begin };
	if (at < begin && begin < end && length > begin - at)
		length = begin - at;
	return (struct stretch){ at, length, COLL_UNTOUCHED, 0 };
}

/* From element i of the result on. `spared`: the whole buffer must be as it was. */
static struct stretch stretch_of(const struct part *part, bool spared, size_t i)
{
	const size_t left = part->point.shape.recv - i, at = part->place.recv + i;
	struct coll_origin origin = { COLL_UNTOUCHED, 0, left };

	if (!spared)
		origin = point_origin(&part->point, &part->geom, i);
	if (origin.run > left)
		origin.run = left;
	return origin.rank == COLL_UNTOUCHED ? untouched(part, at, origin.run)
					     : (struct stretch){ at, origin.run, origin.rank, origin.index };
}

static int stretch_differs(const struct check *check, const struct part *part, const struct stretch *stretch, uint64_t *wrong,
			   size_t *first)
{
	const char *data = part->recv + stretch->at * part->size;
	struct pattern_table table;
	size_t from;

	if (stretch->rank == COLL_UNTOUCHED)
		return check->device->differs_from(check->backend, part->local, data, POISON_BYTE, part->size, stretch->length,
						   wrong, first);
	pattern_table(part->pattern, stretch->rank, stretch->index, &table, &from);
	return check->device->differs(check->backend, part->local, data, &table, from, stretch->length, wrong, first);
}

static void count_wrong(struct check_result *result, uint64_t wrong, size_t first)
{
	if (wrong > 0 && result->wrong == 0)
		result->first = first;
	result->wrong += wrong;
}

static int verify_guard(const struct check *check, const struct part *part, const char *guard, struct check_result *result)
{
	uint64_t wrong;
	size_t first;

	if (check->device->differs_from(check->backend, part->local, guard, GUARD_BYTE, 1, GUARD, &wrong, &first))
		return -1;
	count_wrong(result, wrong, part->point.shape.recv);
	return 0;
}

static int verify_part(const struct check *check, const struct part *part, struct check_result *result)
{
	const bool spared = part->point.coll->id == COLL_BROADCAST && !part->point.in_place &&
			    part->geom.rank == part->geom.root && (check->backend->quirks & BACKEND_BROADCAST_SPARES_ROOT);
	struct stretch stretch;

	for (size_t i = 0; i < part->point.shape.recv; i += stretch.length) {
		uint64_t wrong;
		size_t first = 0;

		stretch = stretch_of(part, spared, i);
		if (stretch_differs(check, part, &stretch, &wrong, &first))
			return -1;
		count_wrong(result, wrong, i + first);
	}
	return verify_guard(check, part, part->recv - GUARD, result) ||
			       verify_guard(check, part, part->recv + part->held * part->size, result)
		       ? -1
		       : 0;
}

int check_verify(struct check *check, const struct point *point, const struct pattern *const *patterns,
		 struct check_result *results)
{
	for (int i = 0; i < check->backend->nlocal; i++) {
		const struct part part = part_of(check, point, patterns, i);

		results[i] = (struct check_result){ 0 };
		if (takes_part(check, i) && verify_part(check, &part, &results[i]))
			return -1;
	}
	return 0;
}

int check_corrupt(struct check *check, const struct point *point, int rank)
{
	const struct backend_ops *ops = check->backend->ops;
	const int local = rank - check->backend->first_rank;
	char byte;

	if (local < 0 || local >= check->backend->nlocal || !takes_part(check, local))
		return 0;
	const struct part part = part_of(check, point, NULL, local);
	char *victim = part.recv + (part.place.recv + part.point.shape.recv / 2) * part.size;

	if (ops->download(check->backend, local, &byte, victim, 1))
		return -1;
	byte = (char)(byte ^ 1);
	return ops->upload(check->backend, local, victim, &byte, 1);
}
