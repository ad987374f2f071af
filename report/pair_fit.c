/* SPDX-License-Identifier: Apache-2.0
 *
 * Median polish over a graph of pairs. The scatter comes from rings of four ranks: t(ij) t(kl) / (t(jk) t(li)) has no base and no rank in it, only the rest
 * of four pairs, so that slow ranks do not widen what they are held against.
 */
#include "pair_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 60, LEAST_RINGS = 3, MOST_RINGS = 200000 };

/* Medians of a few samples each are never closer than this. */
static const double least_scatter = 0.02;
static const double near_enough = 1e-4;
static const double normal = 1.4826; /* standard deviation over median deviation */

struct edge {
	int from, to;
	double x; /* logarithm of the time */
};

struct work {
	const struct pair_input *input;
	struct pair_fit *fit;
	struct edge *edges;
	double *scratch; /* [edges, at least MOST_RINGS or as many as there are] */
	double *by_rank; /* [2 * edges] */
	double *next;    /* [nranks] */
	double *matrix;  /* [nranks^2] of x, NAN where there is no pair */
};

static int compare(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

double pair_fit_median(double *values, size_t n)
{
	if (n == 0)
		return 0;
	qsort(values, n, sizeof *values, compare);
	return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

bool pair_fit_has(const struct pair_fit *fit, int rank)
{
	return fit->degree[rank] >= 2;
}

static void take_edges(struct work *work, int class)
{
	const struct pair_input *input = work->input;
	struct pair_fit *fit = work->fit;
	const size_t n = (size_t)input->nranks;

	for (size_t i = 0; i < n * n; i++)
		work->matrix[i] = NAN;
	for (size_t i = 0; i < input->nvalues; i++) {
		const struct pair_value *value = &input->values[i];
		const size_t from = (size_t)value->from, to = (size_t)value->to;

		if (value->class != class)
			continue;
		work->edges[fit->pairs++] = (struct edge){ value->from, value->to, log(value->time) };
		work->matrix[from * n + to] = work->matrix[to * n + from] = log(value->time);
		fit->degree[value->from]++;
		fit->degree[value->to]++;
		fit->crosses_hosts |= input->host[value->from] != input->host[value->to];
	}
}

static double rest_of(const struct work *work, const struct edge *edge)
{
	return edge->x - work->fit->base - work->fit->effect[edge->from] - work->fit->effect[edge->to];
}

static void fit_base(struct work *work)
{
	struct pair_fit *fit = work->fit;

	for (size_t e = 0; e < fit->pairs; e++)
		work->scratch[e] = rest_of(work, &work->edges[e]);
	fit->base += pair_fit_median(work->scratch, fit->pairs);
}

/* Half of the way: full steps of all ranks at once can swing for ever. Returns the largest. */
static double fit_effects(struct work *work)
{
	const size_t n = (size_t)work->input->nranks;
	struct pair_fit *fit = work->fit;
	double most = 0;

	for (size_t rank = 0; rank < n; rank++) {
		size_t count = 0;

		work->next[rank] = 0;
		if (!pair_fit_has(fit, (int)rank))
			continue;
		for (size_t other = 0; other < n; other++) {
			const double x = work->matrix[rank * n + other];

			if (!isnan(x))
				work->by_rank[count++] = x - fit->base - fit->effect[rank] - fit->effect[other];
		}
		const double step = pair_fit_median(work->by_rank, count) / 2;

		work->next[rank] = fit->effect[rank] + step;
		most = fmax(most, fabs(step));
	}
	memcpy(fit->effect, work->next, n * sizeof *fit->effect);
	return most;
}

/* Of all ranks with an effect, or of those of one host (-1: all). */
static double middle(struct work *work, int host)
{
	size_t count = 0;

	for (int rank = 0; rank < work->input->nranks; rank++)
		if (pair_fit_has(work->fit, rank) && (host < 0 || work->input->host[rank] == host))
			work->by_rank[count++] = work->fit->effect[rank];
	return pair_fit_median(work->by_rank, count);
}

static void shift(struct work *work, int host, double by)
{
	for (int rank = 0; rank < work->input->nranks; rank++)
		if (pair_fit_has(work->fit, rank) && (host < 0 || work->input->host[rank] == host))
			work->fit->effect[rank] -= by;
}

/* Most ranks are ordinary. Between two hosts the ranks of one could be slow as well as those of the other: each host has its own middle then. */
static void centre(struct work *work)
{
	const int hosts = work->fit->crosses_hosts && work->input->nhosts == 2 ? 2 : 1;

	for (int host = 0; host < hosts; host++) {
		const int which = hosts == 1 ? -1 : host;
		const double by = middle(work, which);

		shift(work, which, by);
		work->fit->base += hosts == 1 ? 2 * by : by;
	}
}

/* Rings i - j - k - l over all opposite i, k and neighbours j, l that follow each other. Returns how many. */
static size_t take_rings(struct work *work)
{
	const size_t n = (size_t)work->input->nranks;
	const double *m = work->matrix;
	size_t count = 0;

	for (size_t step = 1; step < n; step++) {
		for (size_t i = 0; i + step < n && count < MOST_RINGS; i++) {
			const size_t k = i + step;
			size_t j = n;

			for (size_t l = 0; l < n && count < MOST_RINGS; l++) {
				if (isnan(m[i * n + l]) || isnan(m[k * n + l]))
					continue;
				if (j < n) {
					work->scratch[count++] = fabs(m[i * n + j] - m[k * n + j] + m[k * n + l] - m[i * n + l]) /
								 2;
					j = n;
				} else {
					j = l;
				}
			}
		}
	}
	return count;
}

/* What the ranks took up does not scatter any more, and few pairs may lie closer than they should by chance. */
static double small_sample(const struct work *work)
{
	double left = (double)work->fit->pairs;

	for (int rank = 0; rank < work->input->nranks; rank++)
		left -= pair_fit_has(work->fit, rank);
	return 1 + 4 / fmax(left, 2);
}

static double scatter_of(struct work *work, double noise)
{
	const struct pair_fit *fit = work->fit;
	size_t n = take_rings(work);

	if (n < LEAST_RINGS || fit->pairs <= 6) {
		n = fit->pairs;
		for (size_t e = 0; e < n; e++)
			work->scratch[e] = fabs(rest_of(work, &work->edges[e]));
	}
	return fmax(fmax(least_scatter, noise), normal * pair_fit_median(work->scratch, n) * small_sample(work));
}

/* Of the samples of the pairs, in the middle. */
static double noise_of(struct work *work, int class)
{
	size_t n = 0;

	for (size_t i = 0; i < work->input->nvalues; i++)
		if (work->input->values[i].class == class)
			work->scratch[n++] = work->input->values[i].noise;
	return pair_fit_median(work->scratch, n);
}

static int allocate(struct work *work)
{
	const size_t n = (size_t)work->input->nranks, edges = work->input->nvalues;

	work->fit->effect = calloc(n + 1, sizeof *work->fit->effect);
	work->fit->degree = calloc(n + 1, sizeof *work->fit->degree);
	work->edges = calloc(edges + 1, sizeof *work->edges);
	work->scratch = calloc((edges > MOST_RINGS ? edges : MOST_RINGS) + 1, sizeof *work->scratch);
	work->by_rank = calloc(n + 1, sizeof *work->by_rank);
	work->next = calloc(n + 1, sizeof *work->next);
	work->matrix = calloc(n * n + 1, sizeof *work->matrix);
	return work->fit->effect && work->fit->degree && work->edges && work->scratch && work->by_rank && work->next &&
			       work->matrix
		       ? 0
		       : -1;
}

int pair_fit_make(const struct pair_input *input, int class, struct pair_fit *fit)
{
	struct work work = { .input = input, .fit = fit };
	int rc;

	*fit = (struct pair_fit){ 0 };
	rc = allocate(&work);
	if (rc == 0) {
		take_edges(&work, class);
		fit_base(&work);
		double step = INFINITY;

		for (int round = 0; round < ROUNDS && step > near_enough; round++) {
			step = fit_effects(&work);
			centre(&work);
			fit_base(&work);
		}
		fit->scatter = scatter_of(&work, noise_of(&work, class));
	}
	free(work.edges);
	free(work.scratch);
	free(work.by_rank);
	free(work.next);
	free(work.matrix);
	return rc;
}

void pair_fit_clear(struct pair_fit *fit)
{
	free(fit->effect);
	free(fit->degree);
	*fit = (struct pair_fit){ 0 };
}
