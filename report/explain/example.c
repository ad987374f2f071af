/* SPDX-License-Identifier: Apache-2.0
 *
 * Schedules with numbers.
 */
#include "example.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const example_ops[EXAMPLE_OPS] = { "sum", "prod", "max", "min" };

enum { MOST_POWERS = 6 }; /* ranks whose default numbers are powers of ten */

size_t example_at(const struct example *example, int rank)
{
	return (size_t)rank * (size_t)example->schedule.nitems;
}

bool example_is_pairs(const struct example *example)
{
	return example->schedule.coll->id == COLL_ALLTOALL || example->schedule.coll->id == COLL_ALLTOALLV;
}

bool example_is_signal(const struct example *example)
{
	return example->schedule.coll->flags & COLL_NO_DATA;
}

int example_trees(const struct example *example)
{
	return example->segments > 0 ? example->schedule.nitems / example->segments : 0;
}

int example_count(const struct example *example, int item)
{
	return example->schedule.sizes ? example->per * example->schedule.sizes[item] : example->per;
}

int example_smallest(const struct example *example)
{
	int smallest = example->room;

	for (int item = 0; item < example->schedule.nitems; item++)
		smallest = example_count(example, item) < smallest ? example_count(example, item) : smallest;
	return smallest;
}

/* What is not reduced was of one rank at the start. */
double *example_place(const struct example *example, int rank, int item)
{
	const size_t row = example->schedule.coll->flags & COLL_HAS_REDOP ? example_at(example, rank) : 0;

	return example->numbers + (row + (size_t)item) * (size_t)example->room;
}

static double combine(enum example_op op, double a, double b)
{
	switch (op) {
	case EXAMPLE_PROD:
		return a * b;
	case EXAMPLE_MAX:
		return fmax(a, b);
	case EXAMPLE_MIN:
		return fmin(a, b);
	default:
		return a + b;
	}
}

double example_number(const struct example *example, uint64_t set, int item, int e)
{
	bool first = true;
	double number = 0;

	for (int rank = 0; rank < example->schedule.nranks; rank++) {
		double own;

		if (!(set >> rank & 1))
			continue;
		own = example_place(example, rank, item)[e];
		number = first ? own : combine(example->op, number, own);
		first = false;
	}
	return number;
}

int example_whole(const struct example *example)
{
	return example->schedule.share > 0 ? (int)lround(example->per / example->schedule.share) : 0;
}

bool example_is_complete(const struct example *example, uint64_t set, int item)
{
	for (int rank = 0; rank < example->schedule.nranks; rank++) {
		const uint64_t wanted = example->schedule.wanted[example_at(example, rank) + (size_t)item];

		if (wanted != 0)
			return set == wanted;
	}
	return false;
}

/* Numbers that tell where they come from: of rank r's k-th. */
static double telling(const struct schedule *schedule, double step, int rank, int k)
{
	const bool reduces = schedule->coll->flags & COLL_HAS_REDOP;

	if (schedule->coll->id == COLL_REDUCE_SCATTER && schedule->nranks <= MOST_POWERS)
		return (k + 1) * pow(10, rank);
	if (reduces)
		return rank + k;
	return step * rank + k;
}

int example_allocate(struct example *example, int per, char *error, size_t size)
{
	const struct schedule *schedule = &example->schedule;
	const size_t items = schedule->coll->flags & COLL_HAS_REDOP ? example_at(example, schedule->nranks)
								    : (size_t)schedule->nitems;
	int largest = 1;

	for (int item = 0; schedule->sizes && item < schedule->nitems; item++)
		largest = schedule->sizes[item] > largest ? schedule->sizes[item] : largest;
	if (per < 0 || (size_t)per > (size_t)EXAMPLE_MOST_NUMBERS / items / (size_t)largest) {
		snprintf(error, size, "that is too much to show: %zu items of up to %.0f numbers", items, (double)per * largest);
		return -1;
	}
	example->per = per;
	example->room = per * largest;
	example->numbers = calloc(items * (size_t)example->room + 1, sizeof *example->numbers);
	if (!example->numbers) {
		snprintf(error, size, "out of memory");
		return -1;
	}
	return 0;
}

/* A whole buffer gets about a number for each rank, a few where nothing is reduced or cut by rank. */
static int default_per(const struct schedule *schedule)
{
	const int wanted = schedule->coll->id == COLL_SENDRECV && schedule->nranks > 4 ? 4 : schedule->nranks;
	const double per = wanted * schedule->share;

	if (schedule->coll->flags & COLL_NO_DATA)
		return 0;
	if (schedule->sizes || schedule->coll->id == COLL_HYPERCUBE)
		return 1;
	return schedule->share < 1 && per < 1 ? 1 : (int)ceil(per - 1e-9);
}

static int held_numbers(const struct example *example, int rank)
{
	const struct schedule *schedule = &example->schedule;
	int held = 0;

	for (int item = 0; item < schedule->nitems; item++)
		held += schedule->start[example_at(example, rank) + (size_t)item] ? example_count(example, item) : 0;
	return held;
}

static int fill(struct example *example, char *error, size_t size)
{
	const struct schedule *schedule = &example->schedule;
	double step = schedule->nranks > 10 ? 100 : 10;

	if (example_allocate(example, default_per(schedule), error, size))
		return -1;
	for (int rank = 0; rank < schedule->nranks && schedule->sizes; rank++) {
		while (step < held_numbers(example, rank))
			step *= 10;
	}
	for (int rank = 0; rank < schedule->nranks; rank++) {
		int k = 0;

		for (int item = 0; item < schedule->nitems; item++) {
			if (!schedule->start[example_at(example, rank) + (size_t)item])
				continue;
			for (int e = 0; e < example_count(example, item); e++)
				example_place(example, rank, item)[e] = telling(schedule, step, rank, k++);
		}
	}
	return 0;
}

/* Products grow and shrink: whatever is multiplied on the way, nothing larger and nothing smaller comes of it. NULL: all is well. */
static const char *out_of_range(const struct example *example)
{
	const struct schedule *schedule = &example->schedule;
	const size_t one = (size_t)schedule->nitems * (size_t)example->room;

	if (example->op != EXAMPLE_PROD || !(schedule->coll->flags & COLL_HAS_REDOP))
		return NULL;
	for (size_t i = 0; i < one; i++) {
		double most = 1, least = 1;

		for (size_t rank = 0; rank < (size_t)schedule->nranks; rank++) {
			const double own = fabs(example->numbers[rank * one + i]);

			most *= fmax(1, own);
			least *= own > 0 ? fmin(1, own) : 1;
		}
		if (!(most < 1e300))
			return "the numbers grow too large";
		if (!(least > 1e-300))
			return "the numbers come too near to 0";
	}
	return NULL;
}

static int play(struct example *example, char *error, size_t size)
{
	const struct schedule *schedule = &example->schedule;
	const size_t bytes = example_at(example, schedule->nranks) * sizeof *example->ended;
	const char *wrong = out_of_range(example);

	example->ended = malloc(bytes);
	if (!example->ended) {
		snprintf(error, size, "out of memory");
		return -1;
	}
	memcpy(example->ended, schedule->start, bytes);
	schedule_play(schedule, schedule->nrounds, example->ended);
	if (wrong) {
		snprintf(error, size, "%s", wrong);
		return -1;
	}
	return 0;
}

static int make_schedule(const struct example_request *request, int segments, struct schedule *schedule, char *error, size_t size)
{
	int sizes[SCHEDULE_MOST_RANKS * SCHEDULE_MOST_RANKS];

	if (request->coll->id != COLL_ALLTOALLV || request->nranks < 1 || request->nranks > SCHEDULE_MOST_RANKS)
		return schedule_make(request->coll, request->algo, request->nranks, request->root, segments, schedule, error,
				     size);
	if (example_sizes(request, sizes, error, size))
		return -1;
	return schedule_make_uneven(request->coll, request->algo, request->nranks, sizes, schedule, error, size);
}

/* Not what was asked for of an algorithm or a primitive that has no such thing. */
static int check_request(const struct example_request *request, bool pipelined, char *error, size_t size)
{
	if (request->segments > 0 && !pipelined && request->nranks > 1)
		snprintf(error, size, "%s of %s has no pipeline whose segments could be chosen", request->algo,
			 request->coll->name);
	else if (request->data && request->coll->flags & COLL_NO_DATA)
		snprintf(error, size, "%s carries no data", request->coll->name);
	else
		return 0;
	return -1;
}

int example_make(const struct example_request *request, struct example *example, char *error, size_t size)
{
	const int items = schedule_segment_items(request->coll, request->algo);
	struct example made = { .op = request->op };
	int segments = request->segments;

	if (check_request(request, items > 0, error, size))
		return -1;
	/* So many that the buffer is cut into a few items. */
	if (segments == 0)
		segments = items > 0 ? EXAMPLE_PIPELINE / items : 1;
	if (make_schedule(request, segments, &made.schedule, error, size))
		return -1;
	made.segments = items > 0 ? segments : 0;
	made.count = schedule_count(&made.schedule);
	if (schedule_check(&made.schedule, error, size) ||
	    (request->data ? example_read(request->data, &made, error, size) : fill(&made, error, size)) ||
	    play(&made, error, size)) {
		example_clear(&made);
		return -1;
	}
	*example = made;
	return 0;
}

void example_clear(struct example *example)
{
	schedule_clear(&example->schedule);
	free(example->numbers);
	free(example->ended);
	*example = (struct example){ 0 };
}
