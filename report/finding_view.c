/* SPDX-License-Identifier: Apache-2.0
 *
 * The curves of a study sorted so that those that can be held against each other stand together, and where their rows are.
 */
#include "finding_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "series.h"

/* Means over many calls without an interval: two runs of one point were seen to differ by this much. */
static const double unknown_spread = 0.05;

/* Split primitives round their sizes down to whole blocks, so equal requests are not quite equal sizes. */
static const double same_bytes = 0.01;

static int compare_sources(const void *left, const void *right)
{
	const struct finding_source *a = left, *b = right;
	uintptr_t x = (uintptr_t)a->name, y = (uintptr_t)b->name;

	if (x != y)
		return x < y ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

static int collect_sources(struct finding_view *view)
{
	const struct rows *rows = view->study->rows;

	for (size_t i = 0; i < rows_count(rows); i++) {
		const char *name = rows_source(rows, i);
		struct finding_source *grown;

		if (view->nsources > 0 && view->sources[view->nsources - 1].name == name) {
			view->sources[view->nsources - 1].end = i + 1;
			continue;
		}
		grown = array_grow(view->sources, view->nsources, sizeof *grown);
		if (!grown)
			return -1;
		view->sources = grown;
		grown[view->nsources++] = (struct finding_source){ name, view->study->runs.of[i], i, i + 1 };
	}
	qsort(view->sources, view->nsources, sizeof *view->sources, compare_sources);
	return 0;
}

/* A file that is given twice has its rows where it came first. */
static const struct finding_source *find_source(const struct finding_view *view, const char *name)
{
	size_t low = 0, high = view->nsources;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if ((uintptr_t)view->sources[middle].name < (uintptr_t)name)
			low = middle + 1;
		else
			high = middle;
	}
	return low < view->nsources && view->sources[low].name == name ? &view->sources[low] : NULL;
}

static bool is_judged(const struct figure *figure, const struct series *series)
{
	if (figure->singleton || series->key->nranks < 2 || series->npoints == 0)
		return false;
	for (size_t i = 0; i < series->npoints; i++) {
		if (series->points[i].oversubscribed)
			return false;
	}
	return true;
}

static int compare_integers(int64_t left, int64_t right)
{
	return (left > right) - (left < right);
}

static int compare_texts(const char *left, const char *right)
{
	return left == right ? 0 : strcmp(left, right);
}

static int compare_machines(const struct finding_curve *left, const struct finding_curve *right)
{
	const struct result *a = left->series->key, *b = right->series->key;
	const char *const texts[][2] = { { a->type, b->type },     { a->backend, b->backend }, { a->library, b->library },
					 { a->path, b->path },     { a->algo, b->algo },       { a->group, b->group },
					 { a->timing, b->timing }, { a->variant, b->variant } };
	int order = compare_integers((int64_t)left->source->run, (int64_t)right->source->run);

	if (order == 0)
		order = compare_integers(a->nranks, b->nranks);
	if (order == 0)
		order = compare_integers(a->nnodes, b->nnodes);
	for (size_t i = 0; order == 0 && i < sizeof texts / sizeof *texts; i++)
		order = compare_texts(texts[i][0], texts[i][1]);
	return order;
}

bool finding_same_machine(const struct finding_curve *left, const struct finding_curve *right)
{
	return compare_machines(left, right) == 0;
}

bool finding_same_setting(const struct finding_curve *left, const struct finding_curve *right)
{
	return strcmp(left->series->key->placement, right->series->key->placement) == 0 && finding_same_machine(left, right);
}

static int compare_curves(const void *left, const void *right)
{
	const struct finding_curve *x = left, *y = right;
	const struct result *a = x->series->key, *b = y->series->key;
	int order = compare_machines(x, y);

	if (order == 0)
		order = compare_texts(a->placement, b->placement);
	if (order == 0)
		order = compare_integers(x->figure->coll->id, y->figure->coll->id);
	if (order == 0)
		order = compare_texts(a->redop, b->redop);
	if (order == 0)
		order = compare_integers(a->root, b->root);
	return order ? order : compare_texts(x->series->source, y->series->source);
}

static int collect_curves(struct finding_view *view)
{
	size_t most = 0;

	for (size_t c = 0; c < COLL_COUNT; c++)
		most += view->study->figures[c].nseries;
	view->curves = malloc((most + 1) * sizeof *view->curves);
	if (!view->curves)
		return array_failed();
	for (size_t c = 0; c < COLL_COUNT; c++) {
		const struct figure *figure = &view->study->figures[c];

		for (size_t s = 0; s < figure->nseries; s++) {
			const struct series *series = &figure->series[s];
			const struct finding_source *source = find_source(view, series->source);

			if (source && is_judged(figure, series))
				view->curves[view->ncurves++] = (struct finding_curve){ figure, series, source };
		}
	}
	qsort(view->curves, view->ncurves, sizeof *view->curves, compare_curves);
	return 0;
}

int finding_view_build(const struct study *study, struct finding_view *view)
{
	*view = (struct finding_view){ .study = study };
	return collect_sources(view) || collect_curves(view) ? -1 : 0;
}

void finding_view_clear(struct finding_view *view)
{
	free(view->sources);
	free(view->curves);
	*view = (struct finding_view){ 0 };
}

struct finding_span finding_span(const struct point *point)
{
	if (isfinite(point->low) && isfinite(point->high))
		return (struct finding_span){ point->low, point->high };
	return (struct finding_span){ point->time * (1 - unknown_spread), point->time * (1 + unknown_spread) };
}

size_t finding_point(const struct series *series, size_t from, double bytes)
{
	while (from < series->npoints && series->points[from].bytes < bytes * (1 - same_bytes))
		from++;
	while (from + 1 < series->npoints && series->points[from + 1].bytes <= bytes)
		from++;
	return from < series->npoints && series->points[from].bytes <= bytes * (1 + same_bytes) ? from : series->npoints;
}

static void put(struct finding_text *text, const char *before, const char *word)
{
	size_t used = strlen(text->text);

	if (*word)
		snprintf(text->text + used, sizeof text->text - used, "%s%.60s", before, word);
}

struct finding_text finding_setting(const struct finding_curve *curve)
{
	const struct result *key = curve->series->key;
	struct finding_text text;

	snprintf(text.text, sizeof text.text, "%.20s%s%lld ranks", key->placement, *key->placement ? ", " : "",
		 (long long)key->nranks);
	put(&text, " over ", key->path);
	put(&text, ", ", key->type);
	put(&text, " ", key->redop);
	put(&text, ", algo ", key->algo);
	put(&text, ", group ", key->group);
	put(&text, ", ", key->variant);
	return text;
}

struct finding_text finding_row(const struct finding_view *view, const struct finding_curve *curve, double bytes)
{
	const struct series *series = curve->series;
	size_t at = finding_point(series, 0, bytes);
	struct finding_text text;

	snprintf(text.text, sizeof text.text, "%.300s", series->source);
	if (at < series->npoints && series->points[at].launches > 1) {
		size_t used = strlen(text.text);

		snprintf(text.text + used, sizeof text.text - used, ", %zu launches", series->points[at].launches);
		return text;
	}
	for (size_t i = curve->source->first; i < curve->source->end; i++) {
		const struct result *row = rows_get(view->study->rows, i);
		size_t used = strlen(text.text);

		if ((double)row->bytes != bytes || row->point == RESULT_NONE || result_is_pair(row) ||
		    strcmp(row->collective, series->key->collective) || !series_same_key(row, series->key))
			continue;
		snprintf(text.text + used, sizeof text.text - used, ", point %lld", (long long)row->point);
		break;
	}
	return text;
}
