/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows to series: collect the rows of each curve, sort them by size, make one point of the launches that measured a size.
 */
#include "series.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "escape.h"
#include "fit_series.h"

struct draft {
	const struct result *key;
	const char *source;
	const struct machine *machine;
	const struct result **rows;
	size_t nrows;
	bool shown;
};

struct drafts {
	struct draft *items;
	size_t count;
};

static bool same_text(const char *left, const char *right)
{
	return strcmp(left, right) == 0;
}

/* What a reader of one figure takes for granted: the same data and the same operation. */
static bool same_operation(const struct result *left, const struct result *right)
{
	return same_text(left->type, right->type) && same_text(left->redop, right->redop) && left->root == right->root;
}

bool series_same_key(const struct result *left, const struct result *right)
{
	return left->nranks == right->nranks && left->nnodes == right->nnodes && same_operation(left, right) &&
	       same_text(left->placement, right->placement) && same_text(left->backend, right->backend) &&
	       same_text(left->library, right->library) && same_text(left->path, right->path) &&
	       same_text(left->algo, right->algo) && same_text(left->group, right->group) &&
	       same_text(left->timing, right->timing);
}

/* Index of the draft that row i belongs to, made where there is none; count where there are too many. SIZE_MAX: no memory. */
static size_t draft_find(struct drafts *drafts, const struct study *study, size_t i)
{
	const struct result *row = rows_get(study->rows, i);
	const char *source = rows_source(study->rows, i);
	struct draft *grown;
	size_t d = 0;

	while (d < drafts->count && (!same_text(drafts->items[d].source, source) || !series_same_key(drafts->items[d].key, row)))
		d++;
	if (d < drafts->count || d == STUDY_MOST_SERIES)
		return d;
	grown = array_grow(drafts->items, drafts->count, sizeof *grown);
	if (!grown)
		return SIZE_MAX;
	drafts->items = grown;
	grown[drafts->count++] = (struct draft){ .key = row, .source = source, .machine = study_machine(study, i) };
	return d;
}

static int drafts_collect(struct drafts *drafts, const struct study *study, struct figure *figure)
{
	for (size_t i = 0; i < rows_count(study->rows); i++) {
		const struct result *row = rows_get(study->rows, i);
		const struct result **grown;
		size_t d;

		if (!same_text(row->collective, figure->coll->name))
			continue;
		figure->nrows++;
		figure->distinct += !rows_is_repeat(study->rows, i);
		if (!study_is_timed(row)) {
			figure->untimed++;
			continue;
		}
		if (rows_is_repeat(study->rows, i)) {
			figure->duplicates++;
			continue;
		}
		d = draft_find(drafts, study, i);
		if (d == SIZE_MAX)
			return -1;
		if (d == drafts->count) {
			figure->left_out++;
			continue;
		}
		grown = array_grow(drafts->items[d].rows, drafts->items[d].nrows, sizeof *grown);
		if (!grown)
			return -1;
		drafts->items[d].rows = grown;
		grown[drafts->items[d].nrows++] = row;
	}
	return 0;
}

static int compare_integers(int64_t left, int64_t right)
{
	return (left > right) - (left < right);
}

static int compare_rows(const void *left, const void *right)
{
	const struct result *a = *(const struct result *const *)left;
	const struct result *b = *(const struct result *const *)right;
	int order = compare_integers(a->bytes, b->bytes);

	if (order == 0)
		order = strcmp(a->run, b->run);
	if (order == 0)
		order = compare_integers(a->bytes_requested, b->bytes_requested);
	return order ? order : compare_integers(a->point, b->point);
}

static int compare_times(const void *left, const void *right)
{
	const struct result *a = *(const struct result *const *)left;
	const struct result *b = *(const struct result *const *)right;

	return (a->time > b->time) - (a->time < b->time);
}

/* Of n rows of one size; sorts them by time. */
static struct point make_point(const struct result **rows, size_t n)
{
	const struct result *middle, *below;
	struct point point = { .bytes = (double)rows[0]->bytes, .launches = n };

	qsort(rows, n, sizeof(*rows), compare_times);
	middle = rows[n / 2];
	below = rows[(n - 1) / 2];
	point.time = (below->time + middle->time) / 2;
	point.busbw = (below->busbw + middle->busbw) / 2;
	point.low = n > 1 ? rows[0]->time : middle->time_ci_low;
	point.high = n > 1 ? rows[n - 1]->time : middle->time_ci_high;
	if (!(point.low > 0 && point.low <= point.time && point.high >= point.time && isfinite(point.high)))
		point.low = point.high = NAN;
	if (!(point.busbw >= 0 && isfinite(point.busbw)))
		point.busbw = NAN;
	for (size_t i = 0; i < n; i++)
		point.oversubscribed |= result_takes_turns(rows[i]);
	return point;
}

static int series_fill(struct series *series, struct draft *draft, struct figure *figure)
{
	*series = (struct series){ .key = draft->key, .source = draft->source, .machine = draft->machine };
	series->in_place = same_text(draft->key->placement, RESULT_IN_PLACE);
	series->points = malloc(draft->nrows * sizeof *series->points);
	if (!series->points)
		return array_failed();
	qsort(draft->rows, draft->nrows, sizeof(*draft->rows), compare_rows);
	for (size_t i = 1; i < draft->nrows; i++)
		figure->duplicates += compare_rows(&draft->rows[i - 1], &draft->rows[i]) == 0;
	for (size_t i = 0, n; i < draft->nrows; i += n) {
		for (n = 1; i + n < draft->nrows && draft->rows[i + n]->bytes == draft->rows[i]->bytes; n++)
			;
		series->points[series->npoints++] = make_point(&draft->rows[i], n);
	}
	return fit_series(series, figure->coll, draft->rows, draft->nrows);
}

/* Logs of other tools print two digits: at small sizes 0.00 is a rate too. */
static bool is_rounded(const struct result *row)
{
	double algbw = (double)row->bytes / row->time;

	return result_has_flag(row, RESULT_FLAG_IMPORTED) && row->nranks >= 2 && row->nranks <= STUDY_MOST_RANKS &&
	       algbw * collective_find(row->collective)->bus_factor((int)row->nranks) < 0.01e9;
}

/* Rows of jobs that were meant to be one: each rank measured itself, so nothing was moved between ranks. */
static bool looks_singleton(const struct drafts *drafts, const struct figure *figure)
{
	for (size_t d = 0; d < drafts->count; d++) {
		for (size_t i = 0; i < drafts->items[d].nrows; i++) {
			const struct result *row = drafts->items[d].rows[i];

			if (row->busbw == 0 && !is_rounded(row) && (row->nranks >= 2 || figure->duplicates > 0))
				return true;
			if (row->nranks == 1 && figure->duplicates > 0)
				return true;
		}
	}
	return false;
}

/* Whether the blank-separated words of `label` hold `text`. */
static bool label_has(const char *label, const char *text)
{
	size_t length = strlen(text);

	for (const char *p = strstr(label, text); p; p = strstr(p + 1, text)) {
		if ((p == label || p[-1] == ' ') && (p[length] == ' ' || p[length] == '\0'))
			return true;
	}
	return false;
}

/* " text" or "text" at the end of a label that is still being made; a folder is often named for its path. */
static void label_add(char *label, size_t size, const char *text)
{
	size_t used = strlen(label);

	if (*text && used + 2 < size && !label_has(label, text))
		snprintf(label + used, size - used, "%s%s", used ? " " : "", text);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The file's own name where names differ, else the name of its folder. */
static void label_source(char *label, size_t size, const struct series *series, bool names_differ)
{
	char text[80];
	const char *name = names_differ ? base_name(series->source) : base_name(series->machine->folder);

	snprintf(text, sizeof text, "%s", name);
	if (names_differ && strlen(text) > 4 && same_text(text + strlen(text) - 4, ".csv"))
		text[strlen(text) - 4] = '\0';
	label_add(label, size, text);
}

struct difference {
	bool name, folder, backend, library, path, algo, group, nranks, nnodes, timing, placement;
};

static struct difference find_differences(const struct figure *figure)
{
	const struct series *first = figure->series;
	struct difference differ = { 0 };

	assert(figure->nshown == 0 || first->source);
	for (size_t s = 1; s < figure->nshown; s++) {
		const struct series *other = &figure->series[s];

		differ.name |= !same_text(base_name(first->source), base_name(other->source));
		differ.folder |= !same_text(first->machine->folder, other->machine->folder);
		differ.backend |= !same_text(first->key->backend, other->key->backend);
		differ.library |= !same_text(first->key->library, other->key->library);
		differ.path |= !same_text(first->key->path, other->key->path);
		differ.algo |= !same_text(first->key->algo, other->key->algo);
		differ.group |= !same_text(first->key->group, other->key->group);
		differ.nranks |= first->key->nranks != other->key->nranks;
		differ.nnodes |= first->key->nnodes != other->key->nnodes;
		differ.timing |= !same_text(first->key->timing, other->key->timing);
		differ.placement |= !same_text(first->key->placement, other->key->placement);
	}
	return differ;
}

static void series_label(struct series *series, struct difference differ)
{
	const struct result *key = series->key;
	char text[sizeof series->label] = "", number[48];

	assert(key);
	if (differ.name || differ.folder)
		label_source(text, sizeof series->place, series, differ.name);
	label_add(text, sizeof series->place, differ.backend ? key->backend : "");
	label_add(text, sizeof series->place, differ.path ? key->path : "");
	snprintf(number, sizeof number, "%lld ranks", (long long)key->nranks);
	label_add(text, sizeof series->place, differ.nranks ? number : "");
	escape_label(series->place, sizeof series->place, text);
	label_add(text, sizeof text, differ.library ? key->library : "");
	label_add(text, sizeof text, differ.algo ? key->algo : "");
	label_add(text, sizeof text, differ.group ? key->group : "");
	snprintf(number, sizeof number, "%lld nodes", (long long)key->nnodes);
	label_add(text, sizeof text, differ.nnodes ? number : "");
	label_add(text, sizeof text, differ.timing ? key->timing : "");
	label_add(text, sizeof text, differ.placement || !*text ? key->placement : "");
	escape_label(series->label, sizeof series->label, *text ? text : "measured");
}

static int figure_fill(struct figure *figure, struct drafts *drafts)
{
	figure->series = calloc(drafts->count + 1, sizeof *figure->series);
	if (!figure->series)
		return array_failed();
	for (size_t d = 0; d < drafts->count; d++) {
		struct draft *draft = &drafts->items[d];

		draft->shown = figure->nshown < STUDY_SHOWN_SERIES && same_operation(draft->key, drafts->items[0].key);
		if (!draft->shown)
			continue;
		if (series_fill(&figure->series[figure->nseries++], draft, figure))
			return -1;
		figure->nshown++;
	}
	for (size_t d = 0; d < drafts->count; d++) {
		if (!drafts->items[d].shown && series_fill(&figure->series[figure->nseries++], &drafts->items[d], figure))
			return -1;
	}
	for (size_t s = 0; s < figure->nshown; s++)
		series_label(&figure->series[s], find_differences(figure));
	for (size_t s = figure->nshown; s < figure->nseries; s++)
		series_label(&figure->series[s], (struct difference){ .placement = true });
	figure->singleton = looks_singleton(drafts, figure);
	return 0;
}

static int figure_build(struct study *study, struct figure *figure)
{
	struct drafts drafts = { 0 };
	int rc = drafts_collect(&drafts, study, figure);

	if (rc == 0)
		rc = figure_fill(figure, &drafts);
	for (size_t d = 0; d < drafts.count; d++)
		free(drafts.items[d].rows);
	free(drafts.items);
	return rc;
}

int series_build(struct study *study)
{
	for (size_t i = 0; i < rows_count(study->rows); i++)
		study->foreign += !collective_find(rows_get(study->rows, i)->collective);
	for (size_t c = 0; c < COLL_COUNT; c++) {
		study->figures[c].coll = collectives[c];
		if (figure_build(study, &study->figures[c]))
			return -1;
	}
	return 0;
}

void series_clear(struct study *study)
{
	for (size_t c = 0; c < COLL_COUNT; c++) {
		for (size_t s = 0; s < study->figures[c].nseries; s++)
			free(study->figures[c].series[s].points);
		free(study->figures[c].series);
		study->figures[c] = (struct figure){ 0 };
	}
}
