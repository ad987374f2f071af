/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the ring overtakes the tree: bisection of the models' difference, interpolation of the measured one.
 */
#include "crossover.h"

#include <math.h>
#include <string.h>

#include "human.h"
#include "series.h"

enum { MOST_LOG2 = 50, BISECTIONS = 60 };

static const struct crossover nothing = { CROSSOVER_NONE, NAN, 0 };

struct pair {
	const struct coll_model *tree, *ring;
	int nranks;
	const struct coll_link *link;
};

/* > 0 where the ring is slower. Equal up to rounding counts as equal. */
static double ring_lags(const struct pair *pair, double bytes)
{
	double tree = pair->tree->time(pair->nranks, bytes, pair->link), ring = pair->ring->time(pair->nranks, bytes, pair->link);

	return fabs(ring - tree) <= 1e-12 * fmax(ring, tree) ? 0 : ring - tree;
}

static bool holds(const struct coll_model *model, int nranks)
{
	return model && (!model->holds || model->holds(nranks));
}

struct crossover crossover_of_models(const struct coll_model *tree, const struct coll_model *ring, int nranks,
				     const struct coll_link *link)
{
	struct pair pair = { tree, ring, nranks, link };
	double low = 1, high = ldexp(1, MOST_LOG2);

	if (nranks < 2 || !(link->alpha > 0) || !(link->beta > 0) || !holds(tree, nranks) || !holds(ring, nranks))
		return nothing;
	if (ring_lags(&pair, low) <= 0)
		return (struct crossover){ ring_lags(&pair, high) <= 0 ? CROSSOVER_RING : CROSSOVER_REVERSED, NAN, 0 };
	if (ring_lags(&pair, high) > 0)
		return (struct crossover){ CROSSOVER_TREE, NAN, 0 };
	for (int i = 0; i < BISECTIONS; i++) {
		double middle = sqrt(low * high);

		if (ring_lags(&pair, middle) > 0)
			low = middle;
		else
			high = middle;
	}
	return (struct crossover){ CROSSOVER_AT, low, 1 };
}

/* Of the primitive's tree and ring on a machine whose alpha and B are both known. */
static struct crossover predict(const struct collective *coll, const struct machine *machine, const struct result *key)
{
	struct coll_link link = { .alpha = machine->alpha, .beta = 1 / machine->bandwidth };

	/* Between nodes the two cross the NICs in different ways, which one alpha and B do not tell. */
	if (!machine->known || machine->bandwidth_only || machine->many_nodes || key->nranks < 2 ||
	    key->nranks > STUDY_MOST_RANKS)
		return nothing;
	return crossover_of_models(collective_model(coll, coll->tree), collective_model(coll, coll->ring), (int)key->nranks,
				   &link);
}

static struct crossover verdict_of(double first, double last, double bytes, size_t changes)
{
	if (first > 0 && last < 0)
		return (struct crossover){ CROSSOVER_AT, bytes, changes };
	if (first < 0 && last > 0)
		return (struct crossover){ CROSSOVER_REVERSED, NAN, changes };
	return (struct crossover){ first > 0 ? CROSSOVER_TREE : CROSSOVER_RING, NAN, changes };
}

/* Of two series that measured some sizes both; the last one where there are several. */
static struct crossover of_series(const struct series *tree, const struct series *ring)
{
	double before = 0, before_bytes = NAN, first = 0, bytes = NAN;
	size_t changes = 0;

	for (size_t i = 0; i < tree->npoints; i++) {
		const struct point *other = series_point(ring, tree->points[i].bytes);
		double lag;

		if (!other || other->oversubscribed || tree->points[i].oversubscribed)
			continue;
		/* Between two sizes the logarithm of the ratio is taken as straight over that of the size. */
		lag = log(other->time / tree->points[i].time);
		if (lag == 0)
			continue;
		first = first == 0 ? lag : first;
		changes += before * lag < 0;
		if (before > 0 && lag < 0)
			bytes = before_bytes * pow(other->bytes / before_bytes, before / (before - lag));
		before = lag;
		before_bytes = other->bytes;
	}
	return first == 0 ? nothing : verdict_of(first, before, bytes, changes);
}

static bool is_letter(char letter)
{
	return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

/* Whether the word stands in the text on its own: "Tree/LL", "nccl-ring", but not "string". */
static bool has_word(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = strcasestr(text, word); at; at = strcasestr(at + 1, word)) {
		if ((at == text || !is_letter(at[-1])) && !is_letter(at[length]))
			return true;
	}
	return false;
}

/* By the rows' own word, else by what the series is called. */
static bool is_named(const struct series *series, const char *word)
{
	return has_word(*series->key->algo ? series->key->algo : series->label, word);
}

static bool is_same(const char *left, const char *right)
{
	return strcmp(left, right) == 0;
}

static bool is_comparable(const struct result *left, const struct result *right)
{
	return left->nranks == right->nranks && left->nnodes == right->nnodes && is_same(left->type, right->type) &&
	       is_same(left->redop, right->redop) && left->root == right->root && is_same(left->placement, right->placement) &&
	       is_same(left->backend, right->backend) && is_same(left->path, right->path) && is_same(left->group, right->group) &&
	       is_same(left->timing, right->timing) && is_same(left->variant, right->variant);
}

struct crossover crossover_observed(const struct figure *figure)
{
	for (size_t t = 0; t < figure->nshown; t++) {
		const struct series *tree = &figure->series[t];

		for (size_t r = 0; is_named(tree, "tree") && r < figure->nshown; r++) {
			const struct series *ring = &figure->series[r];

			if (!is_named(ring, "ring") || !is_comparable(tree->key, ring->key))
				continue;
			return of_series(tree, ring);
		}
	}
	return nothing;
}

static void put_one(FILE *out, enum escape how, struct crossover crossover)
{
	static const char *const words[] = { "it is not known", "", "the ring is never slower", "the tree is always faster",
					     "the ring is faster at small sizes and slower at large ones" };

	if (crossover.verdict == CROSSOVER_AT)
		escape_put(out, how, "the ring overtakes the tree at %s", human_size(crossover.bytes).text);
	else
		escape_put(out, how, "%s", words[crossover.verdict]);
	if (crossover.changes > 1)
		escape_put(out, how, " (they change places %zu times)", crossover.changes);
}

void crossover_put(FILE *out, enum escape how, const struct figure *figure)
{
	struct crossover predicted = nothing, observed = crossover_observed(figure);

	if (figure->nshown > 0)
		predicted = predict(figure->coll, figure->series[0].machine, figure->series[0].key);
	if (predicted.verdict != CROSSOVER_NONE) {
		escape_put(out, how, " By the models \"%s\" and \"%s\", ", figure->coll->ring, figure->coll->tree);
		put_one(out, how, predicted);
	}
	if (observed.verdict != CROSSOVER_NONE) {
		escape_put(out, how, predicted.verdict != CROSSOVER_NONE ? "; as measured, " : " As measured, ");
		put_one(out, how, observed);
	}
	if (predicted.verdict != CROSSOVER_NONE || observed.verdict != CROSSOVER_NONE)
		escape_put(out, how, ".");
}
