/* SPDX-License-Identifier: Apache-2.0
 *
 * One rank that is the slowest nearly always, in calls where all ranks have the same to do: of all such primitives, or of one alone.
 */
#include "finding_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "human.h"

/* Smaller calls end when the clock and the first messages say. */
static const double least_bytes = 65536;
/* Of the rows; and how far the median of the slowest rank is over the mean of all, in the middle row: less is no matter. */
static const double most_rows = 0.8, clearly_over = 1.1;

/* With fewer rows or two ranks chance picks one rank often enough. */
enum { LEAST_ROWS = 12, LEAST_RANKS = 3 };

static const enum coll_id even[] = { COLL_ALL_GATHER, COLL_REDUCE_SCATTER, COLL_ALL_REDUCE, COLL_ALLTOALL, COLL_SENDRECV };

struct slow_row {
	size_t run;
	int64_t nranks;
	const struct collective *coll;
	int64_t rank;
	double over;
};

/* The primitive, or NULL where the row tells nothing: of pairs of ranks who receives takes longer. */
static const struct collective *tells(const struct study *study, size_t i)
{
	const struct result *row = rows_get(study->rows, i);

	if (rows_is_repeat(study->rows, i) || row->nranks < LEAST_RANKS || (double)row->bytes < least_bytes ||
	    row->slowest_rank < 0 || *row->variant || result_takes_turns(row) ||
	    !(row->rank_time_avg > 0 && row->rank_time_max >= row->rank_time_avg) ||
	    !isfinite(row->rank_time_max / row->rank_time_avg))
		return NULL;
	for (size_t e = 0; e < sizeof even / sizeof *even; e++) {
		if (strcmp(row->collective, collectives[even[e]]->name) == 0)
			return collectives[even[e]];
	}
	return NULL;
}

static int compare_integers(int64_t left, int64_t right)
{
	return (left > right) - (left < right);
}

/* By rank last: the rows of one rank follow each other, the middle one in their middle. */
static int compare_ranks(const void *left, const void *right)
{
	const struct slow_row *a = left, *b = right;
	int order = compare_integers(a->rank, b->rank);

	return order ? order : (a->over > b->over) - (a->over < b->over);
}

static bool same_machine(const struct slow_row *a, const struct slow_row *b)
{
	return a->run == b->run && a->nranks == b->nranks;
}

static int compare_rows(const void *left, const void *right)
{
	const struct slow_row *a = left, *b = right;
	int order = compare_integers((int64_t)a->run, (int64_t)b->run);

	if (order == 0)
		order = compare_integers(a->nranks, b->nranks);
	return order ? order : (int)a->coll->id - (int)b->coll->id;
}

/* `coll`: the only one that the rows are of; NULL: of all. */
static int say(struct findings *findings, const struct study *study, const struct slow_row *middle, const struct collective *coll,
	       size_t count, size_t of)
{
	const char *run = study->runs.names[middle->run], *host = finding_host(findings, run, middle->rank);
	int rc;

	findings->run = run;
	rc = findings_add(findings, FINDING_NOTE,
			  "rank %lld%s%s%s of %lld is the slowest in %zu of %zu rows %s%s%sfrom %s on, by %.0f %% over the mean "
			  "of all ranks "
			  "in the middle one: its core, GPU or network may be slower or busy",
			  (long long)middle->rank, host ? " (host " : "", host ? host : "", host ? ")" : "",
			  (long long)middle->nranks, count, of, coll ? "of " : "", coll ? coll->name : "", coll ? " " : "",
			  human_size(least_bytes).text, (middle->over - 1) * 100);
	findings->run = NULL;
	return rc;
}

/* The middle row of the rank that is the slowest in nearly all of these rows, which are sorted by rank; and how many it has. */
static const struct slow_row *find_slowest(struct slow_row *rows, size_t n, size_t *count)
{
	qsort(rows, n, sizeof *rows, compare_ranks);
	for (size_t first = 0, end; first < n; first = end) {
		const struct slow_row *middle;

		for (end = first + 1; end < n && rows[end].rank == rows[first].rank;)
			end++;
		middle = &rows[first + (end - first) / 2];
		*count = end - first;
		if ((double)*count >= most_rows * (double)n && n >= LEAST_ROWS && middle->over >= clearly_over)
			return middle;
	}
	return NULL;
}

/* Rows of one run and number of ranks, sorted by primitive. A rank that all of them point to is not told of each again. */
static int find_ranks(struct findings *findings, const struct study *study, struct slow_row *rows, size_t n)
{
	int64_t told = -1;
	const struct slow_row *slowest;
	size_t count;

	slowest = find_slowest(rows, n, &count);
	if (slowest) {
		told = slowest->rank;
		if (say(findings, study, slowest, NULL, count, n))
			return -1;
	}
	qsort(rows, n, sizeof *rows, compare_rows);
	for (size_t first = 0, end; first < n; first = end) {
		for (end = first + 1; end < n && rows[end].coll == rows[first].coll;)
			end++;
		slowest = find_slowest(rows + first, end - first, &count);
		if (slowest && slowest->rank != told && say(findings, study, slowest, slowest->coll, count, end - first))
			return -1;
	}
	return 0;
}

int finding_ranks(struct findings *findings, const struct study *study)
{
	struct slow_row *rows = malloc((rows_count(study->rows) + 1) * sizeof *rows);
	size_t n = 0;
	int rc = 0;

	if (!rows)
		return array_failed();
	for (size_t i = 0; i < rows_count(study->rows); i++) {
		const struct result *row = rows_get(study->rows, i);
		const struct collective *coll = tells(study, i);

		if (coll)
			rows[n++] = (struct slow_row){ study->runs.of[i], row->nranks, coll, row->slowest_rank,
						       row->rank_time_max / row->rank_time_avg };
	}
	qsort(rows, n, sizeof *rows, compare_rows);
	for (size_t first = 0, end; rc == 0 && first < n; first = end) {
		for (end = first + 1; end < n && same_machine(&rows[end], &rows[first]);)
			end++;
		rc = find_ranks(findings, study, rows + first, end - first);
	}
	free(rows);
	return rc;
}
