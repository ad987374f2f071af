/* SPDX-License-Identifier: Apache-2.0
 *
 * Gathers series into scalings, and finds the sizes that they share.
 */
#include "scaling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "escape.h"
#include "label.h"
#include "series.h"

struct group {
	const struct series *series[STUDY_MOST_SERIES]; /* by rising number of ranks */
	size_t count, left_out;
};

static bool same_text(const char *left, const char *right)
{
	return strcmp(left, right) == 0;
}

bool scaling_only_ranks(const struct series *a, const struct series *b)
{
	const struct result *left = a->key, *right = b->key;

	return series_same_operation(left, right) && same_text(left->placement, right->placement) &&
	       same_text(left->backend, right->backend) && same_text(left->library, right->library) &&
	       same_text(left->path, right->path) && same_text(left->algo, right->algo) && same_text(left->group, right->group) &&
	       same_text(left->timing, right->timing) && same_text(left->variant, right->variant);
}

static void group_add(struct group *group, const struct series *series)
{
	size_t at = group->count;

	while (at > 0 && group->series[at - 1]->key->nranks > series->key->nranks)
		at--;
	if (at > 0 && group->series[at - 1]->key->nranks == series->key->nranks) {
		group->left_out++;
		return;
	}
	memmove(&group->series[at + 1], &group->series[at], (group->count - at) * sizeof *group->series);
	group->series[at] = series;
	group->count++;
}

/* What scales with series `first` among those not used yet: of its own file, or of any. */
static void find_group(const struct figure *figure, size_t first, bool own, const bool *used, struct group *group)
{
	const struct series *key = &figure->series[first];

	group->count = group->left_out = 0;
	for (size_t s = first; s < figure->nseries; s++) {
		const struct series *series = &figure->series[s];

		if (!used[s] && scaling_only_ranks(key, series) && (!own || same_text(key->source, series->source)))
			group_add(group, series);
	}
}

static bool all_have(const struct group *group, double bytes)
{
	for (size_t s = 0; s < group->count; s++) {
		if (!series_point(group->series[s], bytes))
			return false;
	}
	return true;
}

static void choose_sizes(struct scaling *scaling)
{
	double least = scaling->bytes[0], most = scaling->bytes[scaling->nbytes - 1];

	for (int k = 0; k < SCALING_MOST_SIZES; k++) {
		double wanted = least * pow(most / least, (double)k / (SCALING_MOST_SIZES - 1)), best = least;

		for (size_t i = 0; i < scaling->nbytes; i++) {
			if (fabs(log(scaling->bytes[i] / wanted)) < fabs(log(best / wanted)))
				best = scaling->bytes[i];
		}
		if (scaling->nsizes == 0 || best > scaling->sizes[scaling->nsizes - 1])
			scaling->sizes[scaling->nsizes++] = best;
	}
}

/* Adds the scaling, unless its series have no size in common. */
static int add(struct figure *figure, const struct group *group)
{
	struct scaling *grown = array_grow(figure->scalings, figure->nscalings, sizeof *grown);
	struct scaling made = { .count = group->count, .left_out = group->left_out };
	const struct series *first = group->series[0];

	if (!grown)
		return -1;
	figure->scalings = grown;
	made.series = malloc(group->count * sizeof *made.series);
	made.bytes = malloc((first->npoints + 1) * sizeof *made.bytes);
	if (!made.series || !made.bytes) {
		free(made.series);
		free(made.bytes);
		return array_failed();
	}
	memcpy(made.series, group->series, group->count * sizeof *made.series);
	for (size_t i = 0; i < first->npoints; i++) {
		if (all_have(group, first->points[i].bytes))
			made.bytes[made.nbytes++] = first->points[i].bytes;
	}
	if (made.nbytes == 0) {
		free(made.series);
		free(made.bytes);
		return 0;
	}
	choose_sizes(&made);
	grown[figure->nscalings++] = made;
	return 0;
}

static int collect(struct figure *figure, bool own, bool *used)
{
	struct group group;

	for (size_t s = 0; s < figure->nseries; s++) {
		if (used[s])
			continue;
		find_group(figure, s, own, used, &group);
		if (group.count < SCALING_LEAST_COUNTS)
			continue;
		for (size_t k = s; k < figure->nseries; k++)
			used[k] |= scaling_only_ranks(&figure->series[s], &figure->series[k]) &&
				   (!own || same_text(figure->series[s].source, figure->series[k].source));
		if (add(figure, &group))
			return -1;
	}
	return 0;
}

/* Of the placement and, unless they are compared, the operation of the figure. */
static bool may_show(const struct figure *figure, const struct scaling *scaling)
{
	const struct result *key = scaling->series[0]->key;

	return same_text(key->placement, figure->series[0].key->placement) &&
	       (figure->mixed || series_same_operation(key, figure->series[0].key));
}

static void finish(struct figure *figure)
{
	const struct series *firsts[STUDY_MOST_SERIES] = { NULL };
	struct label_parts parts;
	size_t shown = 0;

	for (size_t i = 0; i < figure->nscalings; i++)
		firsts[i] = figure->scalings[i].series[0];
	parts = label_find(firsts, figure->nscalings);
	parts.nranks = parts.nnodes = false;
	for (size_t i = 0; i < figure->nscalings; i++) {
		struct scaling *scaling = &figure->scalings[i];

		if (figure->nscalings > 1)
			memcpy(scaling->label, label_make(firsts[i], parts).text, sizeof scaling->label);
		scaling->shown = shown < SCALING_SHOWN && may_show(figure, scaling);
		shown += scaling->shown;
	}
}

int scaling_build(struct figure *figure)
{
	bool *used = calloc(figure->nseries + 1, sizeof *used);
	int rc;

	if (!used)
		return array_failed();
	/* Runs that have all numbers of ranks stay apart; runs of one number each belong together. */
	rc = collect(figure, true, used) || collect(figure, false, used) ? -1 : 0;
	free(used);
	if (rc == 0)
		finish(figure);
	return rc;
}

void scaling_clear(struct figure *figure)
{
	for (size_t i = 0; i < figure->nscalings; i++) {
		free(figure->scalings[i].series);
		free(figure->scalings[i].bytes);
	}
	free(figure->scalings);
	figure->scalings = NULL;
	figure->nscalings = 0;
}

size_t scaling_shown(const struct figure *figure)
{
	size_t n = 0;

	for (size_t i = 0; i < figure->nscalings; i++)
		n += figure->scalings[i].shown;
	return n;
}

static void put_real(FILE *out, double value)
{
	if (isfinite(value))
		fprintf(out, ",%.9g", value);
	else
		putc(',', out);
}

static void csv_line(FILE *out, const struct figure *figure, const struct scaling *scaling, const struct series *series,
		     const struct point *point)
{
	struct bounds bounds = study_point_bounds(figure, series, point);

	escape_put(out, ESCAPE_CSV, "%s,%s", figure->coll->name, scaling->label);
	fprintf(out, ",%lld,", (long long)series->key->nranks);
	if (series->key->nnodes != RESULT_NONE)
		fprintf(out, "%lld", (long long)series->key->nnodes);
	fprintf(out, ",%.17g", point->bytes);
	put_real(out, point->time * 1e6);
	put_real(out, point->low * 1e6);
	put_real(out, point->high * 1e6);
	put_real(out, point->busbw / 1e9);
	put_real(out, bounds.lb * 1e6);
	put_real(out, bounds.ring * 1e6);
	put_real(out, bounds.tree * 1e6);
	fprintf(out, ",%s\r\n", point->oversubscribed ? RESULT_FLAG_OVERSUBSCRIBED : "");
}

void scaling_csv(FILE *out, const struct study *study)
{
	fputs("collective,series,nranks,nnodes,bytes,time_us,time_low_us,time_high_us,busbw_GBps,lower_bound_us,ring_us,tree_us,"
	      "flags\r\n",
	      out);
	for (size_t c = 0; c < COLL_COUNT; c++) {
		const struct figure *figure = &study->figures[c];

		for (size_t i = 0; !figure->singleton && i < figure->nscalings; i++) {
			const struct scaling *scaling = &figure->scalings[i];

			for (size_t b = 0; b < scaling->nbytes; b += scaling->nbytes / SCALING_MOST_LISTED + 1) {
				for (size_t s = 0; s < scaling->count; s++)
					csv_line(out, figure, scaling, scaling->series[s],
						 series_point(scaling->series[s], scaling->bytes[b]));
			}
		}
	}
}
