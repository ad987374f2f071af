/* SPDX-License-Identifier: Apache-2.0
 *
 * What is slow, class by class: fit, scatter, then hosts before ranks before pairs, as each explains the next.
 */
#include "pair_judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pair_fit.h"

/* Less is no matter, whatever the scatter. As logarithms of factors. */
static const double least_rank = 0.0953, least_pair = 0.1823; /* 1.1, 1.2 */
/* Added to what the largest of so many normal deviates is expected to be. */
static const double spare = 2.5;
/* With fewer pairs in a class no single one can be told from the others. */
enum { LEAST_PAIRS = 5, LEAST_JUDGED = 3, LEAST_HOSTS = 3 };

struct judge {
	const struct pair_input *input;
	struct pair_fit fit;
	int class;
	double *host_effect; /* [nhosts] of hosts that are named, else 0 */
	double *rank_effect; /* [nranks] of ranks that are named, else 0 */
	double *scratch;
	struct pair_verdict *verdict;
};

static double deviates(size_t tests)
{
	return sqrt(2 * log(tests > 1 ? (double)tests : 1)) + spare;
}

/* Standard error of a rank's effect from `degree` pairs, per scatter of one pair. */
static double error_of(size_t degree)
{
	return 1.2533 / sqrt((double)degree) * sqrt(((double)degree + 1) / ((double)degree - 1));
}

static double rank_limit(const struct judge *judge, size_t degree)
{
	return fmax(least_rank, deviates((size_t)judge->input->nranks) * error_of(degree) * judge->fit.scatter);
}

static int name(struct judge *judge, enum pair_kind kind, int a, int b, size_t pairs, double effect)
{
	struct pair_verdict *verdict = judge->verdict;
	struct pair_name *grown = realloc(verdict->names, (verdict->count + 1) * sizeof *grown);

	if (!grown)
		return -1;
	verdict->names = grown;
	grown[verdict->count++] = (struct pair_name){ kind, a, b, judge->class, pairs, exp(effect) };
	return 0;
}

/* Its ranks' effects as a group: the median where all of them are slow, else 0. Counts their pairs. */
static double host_effect(struct judge *judge, int host, size_t *pairs)
{
	const struct pair_fit *fit = &judge->fit;
	double least = INFINITY, effect;
	size_t n = 0;

	*pairs = 0;
	for (int rank = 0; rank < judge->input->nranks; rank++) {
		if (judge->input->host[rank] != host || !pair_fit_has(fit, rank))
			continue;
		judge->scratch[n++] = fit->effect[rank];
		least = fmin(least, fit->effect[rank]);
		*pairs += fit->degree[rank];
	}
	if (n < 2)
		return 0;
	effect = pair_fit_median(judge->scratch, n);
	return least >= effect / 2 && effect > rank_limit(judge, *pairs / n) ? effect : 0;
}

/* Pairs across hosts tell of hosts; of two hosts nobody can say which is the slow one, and one rank alone is named as itself. */
static int judge_hosts(struct judge *judge)
{
	if (judge->input->nhosts < LEAST_HOSTS || !judge->fit.crosses_hosts)
		return 0;
	for (int host = 0; host < judge->input->nhosts; host++) {
		size_t pairs;
		const double effect = host_effect(judge, host, &pairs);

		judge->host_effect[host] = effect;
		if (effect > 0 && name(judge, PAIR_OF_HOST, host, -1, pairs, effect))
			return -1;
	}
	return 0;
}

static const struct pair_value *value_of(const struct judge *judge, size_t i)
{
	const struct pair_value *value = &judge->input->values[i];

	return value->class == judge->class ? value : NULL;
}

/* What of a pair's time the named hosts do not explain. */
static double beside_hosts(const struct judge *judge, const struct pair_value *value)
{
	const int *host = judge->input->host;

	return log(value->time) - judge->fit.base - judge->host_effect[host[value->from]] - judge->host_effect[host[value->to]];
}

static int compare(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* The lower median over the rank's pairs: whether most of them are slow. Of two, both. */
static double group_excess(struct judge *judge, int rank)
{
	size_t n = 0;

	for (size_t i = 0; i < judge->input->nvalues; i++) {
		const struct pair_value *value = value_of(judge, i);

		if (value && (value->from == rank || value->to == rank))
			judge->scratch[n++] = beside_hosts(judge, value);
	}
	qsort(judge->scratch, n, sizeof *judge->scratch, compare);
	return judge->scratch[(n - 1) / 2];
}

static int judge_ranks(struct judge *judge)
{
	for (int rank = 0; rank < judge->input->nranks; rank++) {
		if (!pair_fit_has(&judge->fit, rank))
			continue;
		const double effect = judge->fit.effect[rank] - judge->host_effect[judge->input->host[rank]];
		const double limit = rank_limit(judge, judge->fit.degree[rank]);

		if (effect <= limit || group_excess(judge, rank) <= limit / 2)
			continue;
		judge->rank_effect[rank] = effect;
		if (name(judge, PAIR_OF_RANK, rank, -1, judge->fit.degree[rank], effect))
			return -1;
	}
	return 0;
}

/* Two pairs cannot tell the rank from its peers: such an effect explains no pair away. */
static double effect_of(const struct judge *judge, int rank)
{
	return judge->fit.degree[rank] > 2 ? judge->fit.effect[rank] : judge->rank_effect[rank];
}

static int judge_pairs(struct judge *judge)
{
	const struct pair_fit *fit = &judge->fit;
	const double limit = fmax(least_pair, deviates(fit->pairs) * fit->scatter);

	for (size_t i = 0; i < judge->input->nvalues && fit->pairs >= LEAST_PAIRS; i++) {
		const struct pair_value *value = value_of(judge, i);

		if (!value)
			continue;
		const double unexplained = beside_hosts(judge, value) - judge->rank_effect[value->from] -
					   judge->rank_effect[value->to];
		const double rest = log(value->time) - fit->base - effect_of(judge, value->from) - effect_of(judge, value->to);

		if (unexplained > limit && rest > limit && name(judge, PAIR_OF_PAIR, value->from, value->to, 1, unexplained))
			return -1;
	}
	return 0;
}

static int judge_class(struct judge *judge)
{
	const struct pair_input *input = judge->input;
	int rc;

	memset(judge->host_effect, 0, (size_t)input->nhosts * sizeof *judge->host_effect);
	memset(judge->rank_effect, 0, (size_t)input->nranks * sizeof *judge->rank_effect);
	if (pair_fit_make(input, judge->class, &judge->fit))
		return -1;
	rc = judge->fit.pairs >= LEAST_JUDGED && (judge_hosts(judge) || judge_ranks(judge) || judge_pairs(judge)) ? -1 : 0;
	pair_fit_clear(&judge->fit);
	return rc;
}

static int compare_names(const void *left, const void *right)
{
	const struct pair_name *a = left, *b = right;

	if (a->kind != b->kind)
		return (int)a->kind - (int)b->kind;
	if (a->factor != b->factor)
		return a->factor < b->factor ? 1 : -1;
	return a->a != b->a ? a->a - b->a : a->b - b->b;
}

int pair_judge(const struct pair_input *input, struct pair_verdict *verdict)
{
	const size_t nranks = (size_t)input->nranks;
	struct judge judge = { .input = input,
			       .verdict = verdict,
			       .host_effect = calloc((size_t)input->nhosts + 1, sizeof(double)),
			       .rank_effect = calloc(nranks + 1, sizeof(double)),
			       .scratch = calloc(nranks + 1, sizeof(double)) };
	int rc = judge.host_effect && judge.rank_effect && judge.scratch ? 0 : -1;

	*verdict = (struct pair_verdict){ 0 };
	for (judge.class = 0; rc == 0 && judge.class < input->nclasses; judge.class ++)
		rc = judge_class(&judge);
	if (rc == 0 && verdict->count > 0)
		qsort(verdict->names, verdict->count, sizeof *verdict->names, compare_names);
	if (rc)
		pair_verdict_clear(verdict);
	free(judge.host_effect);
	free(judge.rank_effect);
	free(judge.scratch);
	return rc;
}

void pair_verdict_clear(struct pair_verdict *verdict)
{
	free(verdict->names);
	*verdict = (struct pair_verdict){ 0 };
}
