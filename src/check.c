/* SPDX-License-Identifier: Apache-2.0
 *
 * Seeding and checking work on host memory: in place where the backend's memory is the host's, through a staging buffer otherwise.
 */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* MARGIN keeps a buffer's start as aligned as its allocation; GUARD bytes next to the data are watched. */
enum { MARGIN = 4096, GUARD = 64, GUARD_BYTE = 0x5c, POISON_BYTE = 0xa7 };

struct check {
	struct backend *backend;
	size_t bytes; /* of one buffer without margins */
	size_t shift;
	void **memory; /* 2 * nlocal allocations: send, recv */
	void **send;   /* nlocal call arguments */
	void **recv;
	char *staging; /* NULL where the memory is the host's */
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
	if (!backend->ops->host_view(check->backend, 0, check->memory[0])) {
		check->staging = malloc(bytes);
		if (!check->staging) {
			fprintf(stderr, "check: out of memory for a staging buffer of %zu bytes\n", bytes);
			return -1;
		}
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
	}
	if (!check || !check->memory || !check->send || !check->recv) {
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
	free(check->staging);
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

void check_call(struct check *check, const struct point *point, struct backend_call *call)
{
	const size_t size = dtypes[point->type].size;

	for (int i = 0; i < check->backend->nlocal; i++) {
		const struct coll_geom geom = point_geom(point, check->backend->nranks, check->backend->first_rank + i);
		const struct coll_place place = place_of(check, point, &geom);

		check->send[i] = point->in_place ? start(check, i, 1) + place.send * size : start(check, i, 0);
		check->recv[i] = start(check, i, 1) + place.recv * size;
	}
	*call = (struct backend_call){
		.coll = point->coll,
		.count = point->shape.count,
		.type = point->type,
		.op = point->op,
		.root = point->root,
		.in_place = point->in_place,
		.send = check->send,
		.recv = check->recv,
	};
}

/* Elements of the receive side's whole buffer: in place it holds the input too. */
static size_t held(const struct point *point)
{
	const struct coll_shape *shape = &point->shape;

	return point->in_place && shape->send > shape->recv ? shape->send : shape->recv;
}

/* Host memory that stands for buffer `which` of a local rank, from GUARD bytes before its start. */
static char *host(struct check *check, int local, int which)
{
	char *memory = start(check, local, which) - GUARD;
	char *view = check->backend->ops->host_view(check->backend, local, memory);

	return view ? view : check->staging;
}

static int put(struct check *check, int local, int which, size_t bytes)
{
	if (!check->staging)
		return 0;
	return check->backend->ops->upload(check->backend, local, start(check, local, which) - GUARD, check->staging, bytes);
}

static int get(struct check *check, int local, int which, size_t bytes)
{
	if (!check->staging)
		return 0;
	return check->backend->ops->download(check->backend, local, check->staging, start(check, local, which) - GUARD, bytes);
}

static int seed_rank(struct check *check, int local, const struct point *point, const struct pattern *pattern)
{
	const struct coll_geom geom = point_geom(point, check->backend->nranks, check->backend->first_rank + local);
	const struct coll_place place = place_of(check, point, &geom);
	const size_t size = dtypes[point->type].size, input = point_input(point, &geom), bytes = held(point) * size;
	char *data = host(check, local, 1);

	memset(data, GUARD_BYTE, GUARD);
	memset(data + GUARD, POISON_BYTE, bytes);
	memset(data + GUARD + bytes, GUARD_BYTE, GUARD);
	if (point->in_place)
		pattern_fill(pattern, geom.rank, 0, input, data + GUARD + place.send * size);
	if (put(check, local, 1, bytes + 2 * GUARD))
		return -1;
	if (point->in_place || input == 0)
		return 0;
	data = host(check, local, 0);
	memset(data, GUARD_BYTE, GUARD);
	pattern_fill(pattern, geom.rank, 0, input, data + GUARD);
	return put(check, local, 0, GUARD + input * size);
}

int check_seed(struct check *check, const struct point *point, const struct pattern *pattern)
{
	for (int i = 0; i < check->backend->nlocal; i++)
		if (seed_rank(check, i, point, pattern))
			return -1;
	return 0;
}

static size_t bytes_differ(const char *data, unsigned char expected, size_t count)
{
	size_t wrong = 0;

	for (size_t i = 0; i < count; i++)
		wrong += (unsigned char)data[i] != expected;
	return wrong;
}

static size_t poison_differs(const char *data, size_t count, size_t size, size_t *first)
{
	size_t wrong = 0;

	/* Equal to itself one byte on: all bytes are like the first. */
	if (count == 0 || (data[0] == (char)POISON_BYTE && memcmp(data, data + 1, count * size - 1) == 0))
		return 0;
	for (size_t i = 0; i < count; i++) {
		if (bytes_differ(data + i * size, POISON_BYTE, size) == 0)
			continue;
		if (wrong++ == 0)
			*first = i;
	}
	return wrong;
}

/* One rank's view while it is being verified. */
struct view {
	const struct point *point;
	const struct pattern *pattern;
	struct coll_geom geom;
	struct coll_place place;
	const char *data; /* element 0 of the whole receive-side buffer */
	size_t size;
	bool spared; /* the whole buffer must be as it was */
};

/*
 * `count` elements from position `at` of the buffer must be as they were seeded: this rank's input where an in-place buffer holds it, else poison.
 * Returns how many are not, looking at one stretch; *length says how long it was.
 */
static size_t untouched_differs(const struct view *view, size_t at, size_t count, size_t *length, size_t *first)
{
	const size_t begin = view->place.send, end = begin + (view->point->in_place ? point_input(view->point, &view->geom) : 0);
	const char *data = view->data + at * view->size;

	if (at >= begin && at < end) {
		*length = count < end - at ? count : end - at;
		return pattern_differs(view->pattern, view->geom.rank, at - begin, *length, data, first);
	}
	*length = at < begin && begin < end && count > begin - at ? begin - at : count;
	return poison_differs(data, *length, view->size, first);
}

static size_t stretch_differs(const struct view *view, size_t i, size_t *length, size_t *first)
{
	const size_t left = view->point->shape.recv - i, at = view->place.recv + i;
	struct coll_origin origin = { COLL_UNTOUCHED, 0, left };

	if (!view->spared)
		origin = view->point->coll->origin(&view->geom, i);
	*length = origin.run < left ? origin.run : left;
	if (origin.rank == COLL_UNTOUCHED)
		return untouched_differs(view, at, *length, length, first);
	return pattern_differs(view->pattern, origin.rank, origin.index, *length, view->data + at * view->size, first);
}

static void verify_view(const struct view *view, struct check_result *result)
{
	const size_t bytes = held(view->point) * view->size;
	size_t length, guards;

	for (size_t i = 0; i < view->point->shape.recv; i += length) {
		size_t first = 0;
		const size_t wrong = stretch_differs(view, i, &length, &first);

		if (wrong > 0 && result->rank < 0) {
			result->rank = view->geom.rank;
			result->first = i + first;
		}
		result->wrong += wrong;
	}
	guards = bytes_differ(view->data - GUARD, GUARD_BYTE, GUARD) + bytes_differ(view->data + bytes, GUARD_BYTE, GUARD);
	if (guards > 0 && result->rank < 0) {
		result->rank = view->geom.rank;
		result->first = view->point->shape.recv;
	}
	result->wrong += guards;
}

int check_verify(struct check *check, const struct point *point, const struct pattern *pattern, struct check_result *result)
{
	*result = (struct check_result){ .rank = -1 };
	for (int i = 0; i < check->backend->nlocal; i++) {
		struct view view = {
			.point = point,
			.pattern = pattern,
			.geom = point_geom(point, check->backend->nranks, check->backend->first_rank + i),
			.size = dtypes[point->type].size,
		};

		if (get(check, i, 1, held(point) * view.size + 2 * GUARD))
			return -1;
		view.place = place_of(check, point, &view.geom);
		view.data = host(check, i, 1) + GUARD;
		view.spared = point->coll->id == COLL_BROADCAST && !point->in_place && view.geom.rank == point->root &&
			      (check->backend->quirks & BACKEND_BROADCAST_SPARES_ROOT);
		verify_view(&view, result);
	}
	return 0;
}

int check_corrupt(struct check *check, const struct point *point, int rank)
{
	const int local = rank - check->backend->first_rank;
	const size_t size = dtypes[point->type].size;

	if (local < 0 || local >= check->backend->nlocal)
		return 0;
	const struct coll_geom geom = point_geom(point, check->backend->nranks, rank);
	const size_t element = place_of(check, point, &geom).recv + point->shape.recv / 2;
	char *data;

	if (get(check, local, 1, held(point) * size + 2 * GUARD))
		return -1;
	data = host(check, local, 1) + GUARD + element * size;
	data[0] = (char)(data[0] ^ 1);
	return put(check, local, 1, held(point) * size + 2 * GUARD);
}
