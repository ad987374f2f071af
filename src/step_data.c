/* SPDX-License-Identifier: Apache-2.0
 *
 * What a step's buffers hold before it, and must hold after it. Which elements of the result a rank has follows from the calls: all of what was all-reduced
 * or gathered, its own block of what was only reduced and scattered.
 */
#include <string.h>

#include "options.h"
#include "step_run.h"

enum { POISON = 0xa5 };

/* Where the host may write what is meant for the buffer. */
static void *room_of(struct step_run *run, int local, void *buffer)
{
	void *view = run->parts.backend->ops->host_view(run->parts.backend, local, buffer);

	return view ? view : run->host;
}

static int put(struct step_run *run, int local, void *buffer, const void *from)
{
	struct backend *backend = run->parts.backend;

	if (from != run->host)
		return 0;
	return backend->ops->upload(backend, local, buffer, from, run->plan->elements * dtypes[run->parts.type].size);
}

/* A rank's own block of each layer's weights. */
static void fill_weights(struct step_run *run, int local, char *to)
{
	const struct backend *backend = run->parts.backend;
	const size_t size = dtypes[run->parts.type].size;

	for (size_t i = 0; i < run->plan->ncalls; i++) {
		const struct step_call *call = &run->plan->calls[i];
		const size_t block = call->elements / (size_t)backend->nranks;
		const size_t own = call->first + block * (size_t)(backend->first_rank + local);

		if (call->weights)
			pattern_fill(run->pattern, COLL_REDUCED, own, block, to + own * size);
	}
}

static int seed_rank(struct step_run *run, int local)
{
	const size_t bytes = run->plan->elements * dtypes[run->parts.type].size;
	void *room = room_of(run, local, run->gradients[local]);

	pattern_fill(run->pattern, run->parts.backend->first_rank + local, 0, run->plan->elements, room);
	if (put(run, local, run->gradients[local], room))
		return -1;
	room = room_of(run, local, run->reduced[local]);
	memset(room, POISON, bytes);
	if (put(run, local, run->reduced[local], room))
		return -1;
	if (!run->weights)
		return 0;
	room = room_of(run, local, run->weights[local]);
	memset(room, POISON, bytes);
	fill_weights(run, local, room);
	return put(run, local, run->weights[local], room);
}

int step_run_seed(struct step_run *run)
{
	if (run->together)
		return 0;
	for (int i = 0; i < run->parts.backend->nlocal; i++)
		if (seed_rank(run, i))
			return -1;
	return 0;
}

static int get(struct step_run *run, int local, void *buffer, const void **data)
{
	struct backend *backend = run->parts.backend;

	*data = backend->ops->host_view(backend, local, buffer);
	if (*data)
		return 0;
	*data = run->host;
	return backend->ops->download(backend, local, run->host, buffer, run->plan->elements * dtypes[run->parts.type].size);
}

/* What call i left in a rank's buffer. */
static void compare(struct step_run *run, int local, const struct step_call *call, const char *data, struct step_wrong *wrong)
{
	const struct backend *backend = run->parts.backend;
	const int rank = backend->first_rank + local;
	const bool split = call->coll == COLL_REDUCE_SCATTER;
	const size_t count = split ? call->elements / (size_t)backend->nranks : call->elements;
	const size_t from = call->first + (split ? count * (size_t)rank : 0);
	size_t first = 0;
	const size_t differ = pattern_differs(run->pattern, COLL_REDUCED, from, count, data + from * dtypes[run->parts.type].size,
					      &first);

	if (differ > 0 && wrong->rank < 0) {
		wrong->rank = rank;
		wrong->filling = !step_call_element(call, from + first, &wrong->first);
	}
	wrong->elements += differ;
}

/* What ZeRO has gathered was scattered before: the gathered is the whole of it. */
static bool is_looked_at(const struct step_run *run, const struct step_call *call, bool weights)
{
	const bool gathered_later = run->row.strategy == STEP_ZERO && call->coll == COLL_REDUCE_SCATTER;

	return call->weights == weights && !gathered_later;
}

static int verify_buffer(struct step_run *run, int local, void *buffer, bool weights, struct step_wrong *wrong)
{
	const void *data;

	if (get(run, local, buffer, &data))
		return -1;
	for (size_t i = 0; i < run->plan->ncalls; i++)
		if (is_looked_at(run, &run->plan->calls[i], weights))
			compare(run, local, &run->plan->calls[i], data, wrong);
	return 0;
}

/* --inject corrupt: its first own element of the result is changed. */
static int corrupt(struct step_run *run, int local)
{
	struct backend *backend = run->parts.backend;
	const struct step_call *call = &run->plan->calls[run->plan->ncalls - 1];
	const size_t size = dtypes[run->parts.type].size, rank = (size_t)backend->first_rank + (size_t)local;
	const size_t at = call->first + (call->coll == COLL_ALL_REDUCE ? 0 : call->elements / (size_t)backend->nranks * rank);
	char *place = (char *)run->reduced[local] + at * size;
	const unsigned char byte = POISON;

	return backend->ops->upload(backend, local, place, &byte, 1);
}

bool step_inject_is_at(const struct inject *inject, const struct step_row *row)
{
	return inject->kind == INJECT_CORRUPT && (inject->bytes == 0 || inject->bytes == row->cap);
}

int step_run_verify(struct step_run *run, struct step_wrong *wrong)
{
	const struct inject *inject = &run->parts.options->inject;
	const bool here = step_inject_is_at(inject, &run->row);

	*wrong = (struct step_wrong){ .rank = -1 };
	for (int i = 0; i < run->parts.backend->nlocal; i++) {
		const bool spoilt = here && inject->rank == run->parts.backend->first_rank + i;

		if ((spoilt && corrupt(run, i)) || verify_buffer(run, i, run->reduced[i], false, wrong) ||
		    (run->weights && verify_buffer(run, i, run->weights[i], true, wrong)))
			return -1;
	}
	return 0;
}
