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
		own = example->numbers[(example_at(example, rank) + (size_t)item) * (size_t)example->per + (size_t)e];
		number = first ? own : combine(example->op, number, own);
		first = false;
	}
	return number;
}

int example_whole(const struct example *example)
{
	return (int)lround(example->per / example->schedule.share);
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

bool example_is_pipelined(const struct collective *coll, const char *algo, int nranks, int root)
{
	struct schedule one, two;
	char error[200];
	bool differ = false;

	if (schedule_make(coll, algo, nranks, root, 1, &one, error, sizeof error))
		return false;
	if (schedule_make(coll, algo, nranks, root, 2, &two, error, sizeof error) == 0) {
		differ = one.nitems != two.nitems;
		schedule_clear(&two);
	}
	schedule_clear(&one);
	return differ;
}

/* So many that the buffer is cut into a few items; 1 where there is no pipeline. */
static int choose_segments(const struct example_request *request)
{
	struct schedule one;
	char error[200];
	int segments = 1;

	if (schedule_make(request->coll, request->algo, request->nranks, request->root, 1, &one, error, sizeof error))
		return 1;
	if (one.nitems < EXAMPLE_PIPELINE)
		segments = EXAMPLE_PIPELINE / one.nitems;
	schedule_clear(&one);
	return segments;
}

/* Numbers that tell where they come from: of rank r's k-th. */
static double telling(const struct schedule *schedule, int rank, int k)
{
	const bool reduces = schedule->coll->flags & COLL_HAS_REDOP;

	if (schedule->coll->id == COLL_REDUCE_SCATTER && schedule->nranks <= MOST_POWERS)
		return (k + 1) * pow(10, rank);
	if (reduces)
		return rank + k;
	return (schedule->nranks > 10 ? 100.0 : 10.0) * rank + k;
}

static int numbers_allocate(struct example *example, int per, char *error, size_t size)
{
	const struct schedule *schedule = &example->schedule;
	const size_t items = example_at(example, schedule->nranks);

	if (per < 1 || items > (size_t)EXAMPLE_MOST_NUMBERS / (size_t)per) {
		snprintf(error, size, "that is too much to show: %zu items of %d numbers", items, per);
		return -1;
	}
	example->per = per;
	example->numbers = calloc(items * (size_t)per, sizeof *example->numbers);
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

	return schedule->share < 1 && per < 1 ? 1 : (int)ceil(per - 1e-9);
}

static int fill(struct example *example, char *error, size_t size)
{
	const struct schedule *schedule = &example->schedule;

	if (numbers_allocate(example, default_per(schedule), error, size))
		return -1;
	for (int rank = 0; rank < schedule->nranks; rank++) {
		int k = 0;

		for (int item = 0; item < schedule->nitems; item++) {
			const size_t at = example_at(example, rank) + (size_t)item;

			for (int e = 0; schedule->start[at] && e < example->per; e++)
				example->numbers[at * (size_t)example->per + (size_t)e] = telling(schedule, rank, k++);
		}
	}
	return 0;
}

/* --- data from outside */

static int held_at_start(const struct schedule *schedule, int rank)
{
	int held = 0;

	for (int item = 0; item < schedule->nitems; item++)
		held += schedule->start[(size_t)rank * (size_t)schedule->nitems + (size_t)item] != 0;
	return held;
}

static bool ends_row(char c)
{
	return c == ';' || c == '/' || c == '\0';
}

/* The next number of a row; *text moves on. 1, 0 at the row's end, -1. */
static int next_number(const char **text, double *number)
{
	const char *from = *text + strspn(*text, " ,\t\n");
	char *end;

	*text = from;
	if (ends_row(*from))
		return 0;
	*number = strtod(from, &end);
	/* No words and no hexadecimals either. */
	if (end == from || strspn(from, "+-.eE0123456789") < (size_t)(end - from) ||
	    (!ends_row(*end) && !strchr(" ,\t\n", *end)) || !(fabs(*number) <= 1e15))
		return -1;
	*number += 0.0; /* no negative zero */
	*text = end;
	return 1;
}

/* How many numbers the row has, which ends at *end. -1: one is none. */
static int count_row(const char *row, const char **end)
{
	double number;
	int count = 0;
	int got;

	while ((got = next_number(&row, &number)) > 0 && count < EXAMPLE_MOST_NUMBERS)
		count++;
	*end = row;
	return got < 0 ? -1 : count;
}

/* The row of a rank that holds `held` items, each of *per numbers; *per 0: not known yet. */
static int check_row(int rank, int held, int count, int *per, char *error, size_t size)
{
	if (count < 0)
		snprintf(error, size, "rank %d: what stands there is not a number of at most 1e15", rank);
	else if (count == 0)
		snprintf(error, size, "rank %d has no numbers", rank);
	else if (*per == 0 && count % held != 0)
		snprintf(error, size, "rank %d has %d numbers, which cannot be cut into %d equal parts: %d or %d can", rank,
			 count, held, count / held > 0 ? count / held * held : held, (count / held + 1) * held);
	else if (*per != 0 && count != *per * held)
		snprintf(error, size, "rank %d has %d number%s where %d are wanted, as of the ranks before", rank, count,
			 count == 1 ? "" : "s", *per * held);
	else
		return *per = count / held, 0;
	return -1;
}

static int check_rows(const char *text, const struct schedule *schedule, int *per, char *error, size_t size)
{
	int nrows = 1, wanted = 0;

	for (const char *c = text; *c; c++)
		nrows += *c != '\0' && ends_row(*c);
	for (int rank = 0; rank < schedule->nranks; rank++)
		wanted += held_at_start(schedule, rank) > 0;
	if (nrows != wanted) {
		snprintf(error, size, "there are %d row%s of numbers, but %d rank%s with data before the call", nrows,
			 nrows == 1 ? "" : "s", wanted, wanted == 1 ? "" : "s");
		return -1;
	}
	*per = 0;
	for (int rank = 0; rank < schedule->nranks; rank++) {
		const int held = held_at_start(schedule, rank);
		const char *end;

		if (held == 0)
			continue;
		if (check_row(rank, held, count_row(text, &end), per, error, size))
			return -1;
		text = end + (*end != '\0');
	}
	return 0;
}

int example_read(const char *text, struct example *example, char *error, size_t size)
{
	const struct schedule *schedule = &example->schedule;
	int per;

	if (check_rows(text, schedule, &per, error, size) || numbers_allocate(example, per, error, size))
		return -1;
	for (int rank = 0; rank < schedule->nranks; rank++) {
		if (held_at_start(schedule, rank) == 0)
			continue;
		for (int item = 0; item < schedule->nitems; item++) {
			const size_t at = example_at(example, rank) + (size_t)item;

			for (int e = 0; schedule->start[at] && e < per; e++)
				next_number(&text, &example->numbers[at * (size_t)per + (size_t)e]);
		}
		text += strspn(text, " ,\t\n");
		text += *text != '\0';
	}
	return 0;
}

/* --- the whole */

/* Products grow: whatever is multiplied on the way, no larger number than this comes of it. */
static bool is_finite(const struct example *example)
{
	const struct schedule *schedule = &example->schedule;
	const size_t one = (size_t)schedule->nitems * (size_t)example->per;

	for (size_t i = 0; i < one && example->op == EXAMPLE_PROD; i++) {
		double most = 1;

		for (size_t rank = 0; rank < (size_t)schedule->nranks; rank++)
			most *= fmax(1, fabs(example->numbers[rank * one + i]));
		if (!(most < 1e300))
			return false;
	}
	return true;
}

static int play(struct example *example, char *error, size_t size)
{
	const struct schedule *schedule = &example->schedule;
	const size_t bytes = example_at(example, schedule->nranks) * sizeof *example->ended;

	example->ended = malloc(bytes);
	if (!example->ended) {
		snprintf(error, size, "out of memory");
		return -1;
	}
	memcpy(example->ended, schedule->start, bytes);
	schedule_play(schedule, schedule->nrounds, example->ended);
	if (!is_finite(example)) {
		snprintf(error, size, "the numbers grow too large");
		return -1;
	}
	return 0;
}

int example_make(const struct example_request *request, struct example *example, char *error, size_t size)
{
	const bool pipelined = example_is_pipelined(request->coll, request->algo, request->nranks, request->root);
	struct example made = { .op = request->op };
	int segments = request->segments;

	if (segments > 0 && !pipelined && request->nranks > 1) {
		snprintf(error, size, "%s of %s has no pipeline whose segments could be chosen", request->algo,
			 request->coll->name);
		return -1;
	}
	segments = segments > 0 ? segments : pipelined ? choose_segments(request) : 1;
	if (schedule_make(request->coll, request->algo, request->nranks, request->root, segments, &made.schedule, error, size))
		return -1;
	made.segments = pipelined ? segments : 0;
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
