/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows to cells, cells to matrices, matrices to names.
 */
#include "pair_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pair_fit.h"

/* Half the 95 % interval of a median, over its standard deviation. */
static const double half_interval = 1.96;

static double noise_of(const struct result *row)
{
	const double half = (row->time_ci_high - row->time_ci_low) / 2;

	return half > 0 && isfinite(half) ? half / half_interval / row->time : 0;
}

int pair_set_add(struct pair_set *set, const struct result *row)
{
	if (row->from < 0 || row->to <= row->from || row->bytes <= 0 || !(row->time > 0) || !isfinite(row->time))
		return 0;
	if (row->to >= PAIR_MOST_RANKS) {
		set->left_out++;
		return 0;
	}
	if (set->ncells == set->room) {
		const size_t room = set->room ? 2 * set->room : 256;
		struct pair_cell *grown = realloc(set->cells, room * sizeof *grown);

		if (!grown)
			return -1;
		set->cells = grown;
		set->room = room;
	}
	set->oversubscribed |= result_takes_turns(row);
	set->nranks = row->to >= set->nranks ? (int)row->to + 1 : set->nranks;
	set->cells[set->ncells++] = (struct pair_cell){
		.from = (int)row->from,
		.to = (int)row->to,
		.load = strcmp(row->load, RESULT_TOGETHER) == 0 ? PAIR_TOGETHER : PAIR_ALONE,
		.class = row->nnodes == 2 ? PAIR_OTHER_HOSTS : PAIR_SAME_HOST,
		.unsteady = result_has_flag(row, RESULT_FLAG_NOISY) && result_has_flag(row, RESULT_FLAG_LATE),
		.bytes = row->bytes,
		.time = row->time,
		.noise = noise_of(row)
	};
	return 0;
}

static int compare_cells(const void *left, const void *right)
{
	const struct pair_cell *a = left, *b = right;

	if (a->load != b->load)
		return a->load - b->load;
	if (a->from != b->from)
		return a->from - b->from;
	if (a->to != b->to)
		return a->to - b->to;
	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? -1 : 1;
	return (a->time > b->time) - (a->time < b->time);
}

/* One cell a pair, load and size: the middle one of repeated ones. */
static void merge_cells(struct pair_set *set)
{
	size_t kept = 0;

	qsort(set->cells, set->ncells, sizeof *set->cells, compare_cells);
	for (size_t first = 0, end; first < set->ncells; first = end) {
		const struct pair_cell *cell = &set->cells[first];

		for (end = first + 1; end < set->ncells && set->cells[end].load == cell->load &&
				      set->cells[end].from == cell->from && set->cells[end].to == cell->to &&
				      set->cells[end].bytes == cell->bytes;)
			end++;
		set->cells[kept++] = set->cells[first + (end - first - 1) / 2];
	}
	set->ncells = kept;
}

static int root_of(const int *above, int rank)
{
	while (above[rank] != rank)
		rank = above[rank];
	return rank;
}

/* Ranks that share a host with each other, numbered by the lowest of them. */
static int find_hosts(struct pair_set *set)
{
	const size_t n = (size_t)set->nranks + 1;
	int *above = calloc(n, sizeof *above);

	set->host = calloc(n, sizeof *set->host);
	set->lowest = calloc(n, sizeof *set->lowest);
	if (!above || !set->host || !set->lowest) {
		free(above);
		return -1;
	}
	for (int rank = 0; rank < set->nranks; rank++)
		above[rank] = rank;
	for (size_t i = 0; i < set->ncells; i++) {
		const int a = root_of(above, set->cells[i].from), b = root_of(above, set->cells[i].to);

		if (set->cells[i].class == PAIR_SAME_HOST)
			above[a > b ? a : b] = a > b ? b : a;
	}
	/* No root is above its ranks in number, so it has its host's number before they ask for it. */
	for (int rank = 0; rank < set->nranks; rank++) {
		if (above[rank] == rank) {
			set->lowest[set->nhosts] = rank;
			set->host[rank] = set->nhosts++;
		} else {
			set->host[rank] = set->host[root_of(above, rank)];
		}
	}
	free(above);
	return 0;
}

/* The least and the largest size that a load has. */
static void find_sizes(struct pair_set *set)
{
	for (size_t i = 0; i < set->ncells; i++) {
		struct pair_matrix *matrix = set->matrix[set->cells[i].load];
		const int64_t bytes = set->cells[i].bytes;

		if (matrix[PAIR_LATENCY].bytes == 0 || bytes < matrix[PAIR_LATENCY].bytes)
			matrix[PAIR_LATENCY].bytes = bytes;
		if (bytes > matrix[PAIR_BANDWIDTH].bytes)
			matrix[PAIR_BANDWIDTH].bytes = bytes;
	}
}

static void put_cell(struct pair_set *set, struct pair_matrix *matrix, const struct pair_cell *cell, struct pair_value *values)
{
	const size_t n = (size_t)set->nranks, from = (size_t)cell->from, to = (size_t)cell->to;

	matrix->time[from * n + to] = matrix->time[to * n + from] = cell->time;
	values[matrix->pairs++] = (struct pair_value){ cell->from, cell->to, cell->class, cell->time, cell->noise };
	if (matrix->worst_from < 0 || cell->time > pair_time(set, matrix, matrix->worst_from, matrix->worst_to)) {
		matrix->worst_from = cell->from;
		matrix->worst_to = cell->to;
	}
}

static void find_median(struct pair_matrix *matrix, const struct pair_value *values, double *scratch)
{
	for (size_t i = 0; i < matrix->pairs; i++)
		scratch[i] = values[i].time;
	matrix->median = matrix->pairs > 0 ? pair_fit_median(scratch, matrix->pairs) : NAN;
}

/* Pairs of all ranks and of each. */
struct tally {
	size_t pairs, unsteady;
};

static void count_cell(struct tally *tally, const struct pair_cell *cell)
{
	tally->pairs++;
	tally->unsteady += cell->unsteady;
}

/*
 * A slow rank may make all its pairs unsteady. Where most of the others are so too, the machine is busy, and who looks slow is chance. 1, 0, or -1 when
 * memory is out.
 */
static int is_unsteady(const struct pair_set *set, int load, int64_t bytes)
{
	struct tally *ranks = calloc((size_t)set->nranks + 1, sizeof *ranks), all = { 0, 0 }, most = { 0, 0 };

	if (!ranks)
		return -1;
	for (size_t i = 0; i < set->ncells; i++) {
		const struct pair_cell *cell = &set->cells[i];

		if (cell->load != load || cell->bytes != bytes)
			continue;
		count_cell(&all, cell);
		count_cell(&ranks[cell->from], cell);
		count_cell(&ranks[cell->to], cell);
	}
	for (int rank = 0; rank < set->nranks; rank++)
		if (ranks[rank].unsteady > most.unsteady)
			most = ranks[rank];
	free(ranks);
	return 2 * (all.unsteady - most.unsteady) > all.pairs - most.pairs;
}

static int fill_matrix(struct pair_set *set, int load, enum pair_figure figure, struct pair_value *values, double *scratch)
{
	struct pair_matrix *matrix = &set->matrix[load][figure];
	const size_t n = (size_t)set->nranks;
	struct pair_input input = {
		.nranks = set->nranks, .nhosts = set->nhosts, .host = set->host, .nclasses = PAIR_CLASSES, .values = values
	};
	int unsteady;

	matrix->worst_from = matrix->worst_to = -1;
	matrix->time = malloc(n * n * sizeof *matrix->time);
	if (!matrix->time)
		return -1;
	for (size_t i = 0; i < n * n; i++)
		matrix->time[i] = NAN;
	for (size_t i = 0; i < set->ncells; i++)
		if (set->cells[i].load == load && set->cells[i].bytes == matrix->bytes)
			put_cell(set, matrix, &set->cells[i], values);
	find_median(matrix, values, scratch);
	input.nvalues = matrix->pairs;
	/* One size is one figure: what is slow there is said of its latency. */
	if (set->oversubscribed || (figure == PAIR_BANDWIDTH && matrix->bytes == set->matrix[load][PAIR_LATENCY].bytes))
		return 0;
	unsteady = is_unsteady(set, load, matrix->bytes);
	set->unsteady |= unsteady > 0;
	return unsteady ? (unsteady < 0 ? -1 : 0) : pair_judge(&input, &matrix->verdict);
}

static double most(const struct pair_slow *slow)
{
	double factor = 0;

	for (int load = 0; load < PAIR_LOADS; load++)
		for (int figure = 0; figure < PAIR_FIGURES; figure++)
			factor = fmax(factor, slow->factor[load][figure]);
	return factor;
}

static int compare_slow(const void *left, const void *right)
{
	const struct pair_slow *a = left, *b = right;

	if (a->kind != b->kind)
		return (int)a->kind - (int)b->kind;
	if (most(a) != most(b))
		return most(a) < most(b) ? 1 : -1;
	return a->a != b->a ? a->a - b->a : a->b - b->b;
}

/* The same host, rank or pair side by side, class by class. */
static int compare_subjects(const void *left, const void *right)
{
	const struct pair_slow *a = left, *b = right;

	if (a->kind != b->kind)
		return (int)a->kind - (int)b->kind;
	if (a->a != b->a)
		return a->a - b->a;
	if (a->b != b->b)
		return a->b - b->b;
	if (a->class != b->class)
		return a->class - b->class;
	return (a->pairs > b->pairs) - (a->pairs < b->pairs);
}

static void add_to(struct pair_slow *slow, const struct pair_slow *more)
{
	if (slow->class >= 0 && slow->class != more->class) {
		slow->class = -1;
		slow->pairs += more->pairs;
	}
	for (int load = 0; load < PAIR_LOADS; load++)
		for (int figure = 0; figure < PAIR_FIGURES; figure++)
			slow->factor[load][figure] = fmax(slow->factor[load][figure], more->factor[load][figure]);
}

static void merge_slow(struct pair_set *set)
{
	size_t kept = 0;

	qsort(set->slow, set->nslow, sizeof *set->slow, compare_subjects);
	for (size_t i = 0; i < set->nslow; i++) {
		const struct pair_slow slow = set->slow[i];
		struct pair_slow *last = kept > 0 ? &set->slow[kept - 1] : NULL;

		if (last && last->kind == slow.kind && last->a == slow.a && last->b == slow.b)
			add_to(last, &slow);
		else
			set->slow[kept++] = slow;
	}
	set->nslow = kept;
}

static void put_names(struct pair_set *set, int load, enum pair_figure figure)
{
	const struct pair_verdict *verdict = &set->matrix[load][figure].verdict;

	for (size_t i = 0; i < verdict->count; i++) {
		const struct pair_name *name = &verdict->names[i];
		struct pair_slow *slow = &set->slow[set->nslow++];

		*slow = (struct pair_slow){
			name->kind, name->a, name->b, name->class, name->pairs, { { NAN, NAN }, { NAN, NAN } }
		};
		slow->factor[load][figure] = name->factor;
	}
}

static int take_names(struct pair_set *set)
{
	size_t all = 0;

	for (int load = 0; load < PAIR_LOADS; load++)
		for (int figure = 0; figure < PAIR_FIGURES; figure++)
			all += set->matrix[load][figure].verdict.count;
	set->slow = calloc(all + 1, sizeof *set->slow);
	if (!set->slow)
		return -1;
	for (int load = 0; load < PAIR_LOADS; load++)
		for (int figure = 0; figure < PAIR_FIGURES; figure++)
			put_names(set, load, (enum pair_figure)figure);
	merge_slow(set);
	qsort(set->slow, set->nslow, sizeof *set->slow, compare_slow);
	return 0;
}

int pair_set_finish(struct pair_set *set)
{
	struct pair_value *values = calloc(set->ncells + 1, sizeof *values);
	double *scratch = calloc(set->ncells + 1, sizeof *scratch);
	int rc = values && scratch ? 0 : -1;

	if (set->ncells > 0)
		merge_cells(set);
	if (rc == 0)
		rc = find_hosts(set);
	find_sizes(set);
	for (int load = 0; load < PAIR_LOADS && rc == 0; load++)
		for (int figure = 0; figure < PAIR_FIGURES && rc == 0; figure++)
			rc = fill_matrix(set, load, (enum pair_figure)figure, values, scratch);
	if (rc == 0)
		rc = take_names(set);
	free(values);
	free(scratch);
	return rc;
}

void pair_set_clear(struct pair_set *set)
{
	for (int load = 0; load < PAIR_LOADS; load++) {
		for (int figure = 0; figure < PAIR_FIGURES; figure++) {
			free(set->matrix[load][figure].time);
			pair_verdict_clear(&set->matrix[load][figure].verdict);
		}
	}
	free(set->host);
	free(set->lowest);
	free(set->slow);
	free(set->cells);
	*set = (struct pair_set){ 0 };
}

double pair_time(const struct pair_set *set, const struct pair_matrix *matrix, int from, int to)
{
	return matrix->time ? matrix->time[(size_t)from * (size_t)set->nranks + (size_t)to] : NAN;
}

double pair_rate(const struct pair_set *set, const struct pair_matrix *matrix, int from, int to)
{
	return (double)matrix->bytes / pair_time(set, matrix, from, to);
}

bool pair_has_others(const struct pair_set *set)
{
	return set->nranks > 3;
}

struct pair_disturbance pair_disturbance(const struct pair_set *set, enum pair_figure figure)
{
	const struct pair_matrix *alone = &set->matrix[PAIR_ALONE][figure], *all = &set->matrix[PAIR_TOGETHER][figure];
	struct pair_disturbance found = { .worst = 0 };
	double *ratios = calloc(all->pairs + 1, sizeof *ratios);

	for (int to = 0; ratios && pair_has_others(set) && to < set->nranks && alone->bytes == all->bytes; to++) {
		for (int from = 0; from < to; from++) {
			const double ratio = pair_time(set, all, from, to) / pair_time(set, alone, from, to);

			if (!isfinite(ratio))
				continue;
			ratios[found.pairs++] = ratio;
			if (ratio > found.worst) {
				found.worst = ratio;
				found.from = from;
				found.to = to;
			}
		}
	}
	found.median = ratios ? pair_fit_median(ratios, found.pairs) : NAN;
	free(ratios);
	return found;
}
