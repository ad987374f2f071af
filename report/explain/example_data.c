/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers and sizes of blocks, from outside or as they are wanted.
 */
#include "example.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUOTED = 40 }; /* bytes of what is no number */

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

/* Of a part: a row, or one of its blocks. */
static bool ends_part(char c, bool blocks)
{
	return ends_row(c) || (blocks && c == '|');
}

/* The next number of a row or block; *text moves on. 1, 0 at its end, -1. */
static int next_number(const char **text, bool blocks, double *number)
{
	const char *from = *text + strspn(*text, " ,\t\n");
	char *end;

	*text = from;
	if (ends_part(*from, blocks))
		return 0;
	errno = 0;
	*number = strtod(from, &end);
	/* No words and no hexadecimals either. */
	if (end == from || strspn(from, "+-.eE0123456789") < (size_t)(end - from) ||
	    (!ends_part(*end, blocks) && !strchr(" ,\t\n", *end)) || errno != 0 || !(fabs(*number) <= 1e15))
		return -1;
	*number += 0.0; /* no negative zero */
	*text = end;
	return 1;
}

/* How many numbers the row or block has, which ends at *end. -1: one is none. */
static int count_part(const char *row, bool blocks, const char **end)
{
	double number;
	int count = 0;
	int got;

	while ((got = next_number(&row, blocks, &number)) > 0 && count < EXAMPLE_MOST_NUMBERS)
		count++;
	*end = row;
	return got < 0 ? -1 : count;
}

/* What stands there. */
static void refuse_number(int rank, const char *text, bool blocks, char *error, size_t size)
{
	int length = 0;

	while (!ends_part(text[length], blocks) && !strchr(" ,\t\n", text[length]))
		length++;
	snprintf(error, size, "rank %d: '%.*s%s' is not a number of at most 1e15%s", rank, length < QUOTED ? length : QUOTED,
		 text, length > QUOTED ? "..." : "", errno == ERANGE ? " that is 0 or can be told from it" : "");
}

/* The row of a rank that holds `held` items, each of *per numbers; *per 0: not known yet. */
static int check_row(int rank, int held, int count, int *per, char *error, size_t size)
{
	const int below = count / held * held;

	if (count == 0)
		snprintf(error, size, "rank %d has no numbers", rank);
	else if (*per == 0 && below == 0)
		snprintf(error, size, "rank %d has %d number%s, which cannot be cut into %d equal parts: %d can", rank, count,
			 count == 1 ? "" : "s", held, held);
	else if (*per == 0 && count != below)
		snprintf(error, size, "rank %d has %d numbers, which cannot be cut into %d equal parts: %d or %d can", rank,
			 count, held, below, below + held);
	else if (*per != 0 && count != *per * held)
		snprintf(error, size, "rank %d has %d number%s where %d are wanted, as of the ranks before", rank, count,
			 count == 1 ? "" : "s", *per * held);
	else
		return *per = count / held, 0;
	return -1;
}

static int check_rows_number(const char *text, int wanted, int nranks, char *error, size_t size)
{
	int nrows = 0;

	for (const char *c = text; *c || c == text; c++) {
		c += strcspn(c, ";/");
		nrows++;
		/* The sign after the last row begins no other. */
		if (*c == '\0' || c[1 + strspn(c + 1, " ,\t\n")] == '\0')
			break;
	}
	if (nrows == wanted)
		return 0;
	snprintf(error, size, "there %s %d row%s of numbers, but %d of %d rank%s (--np) %s data before the call",
		 nrows == 1 ? "is" : "are", nrows, nrows == 1 ? "" : "s", wanted, nranks, nranks == 1 ? "" : "s",
		 wanted == 1 ? "has" : "have");
	return -1;
}

static int check_rows(const char *text, const struct schedule *schedule, int *per, char *error, size_t size)
{
	int wanted = 0;

	for (int rank = 0; rank < schedule->nranks; rank++)
		wanted += held_at_start(schedule, rank) > 0;
	if (check_rows_number(text, wanted, schedule->nranks, error, size))
		return -1;
	*per = 0;
	for (int rank = 0; rank < schedule->nranks; rank++) {
		const int held = held_at_start(schedule, rank);
		const char *end;
		int count;

		if (held == 0)
			continue;
		count = count_part(text, false, &end);
		if (count < 0)
			refuse_number(rank, end, false, error, size);
		if (count < 0 || check_row(rank, held, count, per, error, size))
			return -1;
		text = end + (*end != '\0');
	}
	return 0;
}

/* Blocks of a rank, of which there is one for each. *text moves on to the end of the row. */
static int read_row_sizes(const char **text, int rank, int nranks, int *sizes, char *error, size_t size)
{
	for (int to = 0; to < nranks; to++) {
		sizes[to] = count_part(*text, true, text);
		if (sizes[to] < 0) {
			refuse_number(rank, *text, true, error, size);
			return -1;
		}
		if (ends_row(**text) != (to == nranks - 1)) {
			snprintf(error, size, "rank %d has %s blocks than %d; there is one for each rank, and '|' parts them",
				 rank, to == nranks - 1 ? "more" : "fewer", nranks);
			return -1;
		}
		*text += **text == '|';
	}
	return 0;
}

int example_read_sizes(const char *text, int nranks, int *sizes, char *error, size_t size)
{
	long long sum = 0;

	if (check_rows_number(text, nranks, nranks, error, size))
		return -1;
	for (int rank = 0; rank < nranks; rank++) {
		if (read_row_sizes(&text, rank, nranks, sizes + (size_t)rank * (size_t)nranks, error, size))
			return -1;
		text += *text != '\0';
	}
	for (int pair = 0; pair < nranks * nranks; pair++)
		sum += sizes[pair];
	if (sum == 0)
		snprintf(error, size, "all blocks are empty");
	return sum > 0 ? 0 : -1;
}

/* One sign stands after each block. */
static void read_blocks(const char *text, struct example *example)
{
	const struct schedule *schedule = &example->schedule;

	for (int item = 0; item < schedule->nitems; item++) {
		for (int e = 0; e < example_count(example, item); e++)
			next_number(&text, true, example_place(example, item / schedule->nranks, item) + e);
		text += strspn(text, " ,\t\n");
		text += *text != '\0';
	}
}

static void read_rows(const char *text, struct example *example)
{
	const struct schedule *schedule = &example->schedule;

	for (int rank = 0; rank < schedule->nranks; rank++) {
		if (held_at_start(schedule, rank) == 0)
			continue;
		for (int item = 0; item < schedule->nitems; item++) {
			const bool held = schedule->start[example_at(example, rank) + (size_t)item];

			for (int e = 0; held && e < example->per; e++)
				next_number(&text, false, example_place(example, rank, item) + e);
		}
		text += strspn(text, " ,\t\n");
		text += *text != '\0';
	}
}

int example_read(const char *text, struct example *example, char *error, size_t size)
{
	const struct schedule *schedule = &example->schedule;
	int per = 1;

	if ((!schedule->sizes && check_rows(text, schedule, &per, error, size)) || example_allocate(example, per, error, size))
		return -1;
	if (schedule->sizes)
		read_blocks(text, example);
	else
		read_rows(text, example);
	return 0;
}

/* --- blocks that are not the user's */

/* The first pair of small sizes that is as near to the share as 3 %; without, all but rank 0 are sent nothing. */
static void skewed(double skew, int nranks, int *hot, int *cold)
{
	const double share = (1 - skew) / (1 - skew + skew * nranks);

	for (*hot = 1; *hot <= EXAMPLE_MOST_HOT; ++*hot) {
		*cold = (int)lround(*hot * share);
		if (*cold > 0 && fabs(*cold - *hot * share) <= 0.03 * *hot * share)
			return;
	}
	*hot = 2;
	*cold = 0;
}

int example_sizes(const struct example_request *request, int *sizes, char *error, size_t size)
{
	const int nranks = request->nranks;
	int hot = 3, cold = 0;

	if (request->data)
		return example_read_sizes(request->data, nranks, sizes, error, size);
	if (request->skewed)
		skewed(request->skew, nranks, &hot, &cold);
	for (int pair = 0; pair < nranks * nranks; pair++) {
		const int from = pair / nranks, to = pair % nranks;

		sizes[pair] = to == 0 ? hot : request->skewed ? cold : (from + to) % 3;
	}
	return 0;
}
