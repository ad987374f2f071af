/* SPDX-License-Identifier: Apache-2.0
 *
 * One series, condensed: its points' differences, and running sums over sizes of every observation, from which any window's mean is two look-ups.
 */
#include "judge_parts.h"

#include <math.h>
#include <stdlib.h>

#include "../array.h"

static const char lacking[] = "a launch lacks it", alone[] = "one launch on a side";

void gate_study_clear(struct gate_study *study)
{
	gate_sampling_clear(&study->sampling);
	free(study->segment);
	free(study->judged);
	free(study->class_of);
	free(study->difference);
	free(study->variance);
	free(study->counts);
	free(study->sums);
	free(study->shift);
	free(study->scan);
	free(study->level);
	free(study->window);
	*study = (struct gate_study){ 0 };
}

static bool everywhere(const struct gate_series *series, size_t point)
{
	for (int side = 0; side < GATE_SIDES; side++)
		for (size_t launch = 0; launch < series->launches[side]; launch++)
			if (!isfinite(series->log_time[side][launch * series->npoints + point]))
				return false;
	return true;
}

/* Which points are judged, and of how many placements. */
static void choose(struct gate_study *study)
{
	struct gate_series *series = study->series;
	bool enough = series->launches[GATE_BASE] > 1 && series->launches[GATE_NEW] > 1, seen[2] = { false };

	for (size_t i = 0; i < series->npoints; i++) {
		struct gate_point *point = &series->points[i];

		if (point->doubt == GATE_NOISY)
			point->doubt = GATE_CLEAR;
		if (point->doubt == GATE_CLEAR && !(enough && everywhere(series, i))) {
			point->doubt = GATE_INCOMPLETE;
			point->why = enough ? lacking : alone;
		}
		study->judged[i] = point->doubt == GATE_CLEAR;
		study->clear += study->judged[i];
		seen[point->in_place] |= study->judged[i];
	}
	study->placements = 1u + (seen[0] && seen[1]);
}

/* A segment for each size, or for some neighbours. -1: memory. */
static int divide(struct gate_study *study)
{
	const struct gate_series *series = study->series;
	double *sizes = malloc((study->clear + 1) * sizeof *sizes);
	size_t n = 0, distinct = 0;

	if (!sizes)
		return array_failed();
	for (size_t i = 0; i < series->npoints; i++)
		if (study->judged[i])
			sizes[n++] = series->points[i].bytes;
	qsort(sizes, n, sizeof *sizes, gate_order);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || sizes[i] > sizes[distinct - 1])
			sizes[distinct++] = sizes[i];
	study->segments = distinct < GATE_MOST_SEGMENTS ? distinct : GATE_MOST_SEGMENTS;
	for (size_t i = 0; i < series->npoints; i++) {
		size_t low = 0, high = distinct;

		while (study->judged[i] && low + 1 < high) {
			size_t middle = (low + high) / 2;

			if (sizes[middle] <= series->points[i].bytes)
				low = middle;
			else
				high = middle;
		}
		study->segment[i] = (unsigned short)(low * study->segments / (distinct ? distinct : 1));
	}
	free(sizes);
	return 0;
}

static size_t row_of(const struct gate_study *study, size_t point)
{
	return study->series->points[point].in_place ? 1 : 0;
}

static int allocate(struct gate_study *study)
{
	size_t n = study->series->npoints + 1;

	study->segment = calloc(n, sizeof *study->segment);
	study->judged = calloc(n, sizeof *study->judged);
	study->class_of = calloc(n, sizeof *study->class_of);
	study->difference = calloc(n, sizeof *study->difference);
	study->variance = calloc(n, sizeof *study->variance);
	return study->segment && study->judged && study->class_of && study->difference && study->variance ? 0 : array_failed();
}

static int allocate_sums(struct gate_study *study)
{
	size_t stride = GATE_ROWS * (study->segments + 1), n = study->sampling.n[GATE_BASE] + study->sampling.n[GATE_NEW];

	study->counts = calloc(stride, sizeof *study->counts);
	study->sums = calloc(n * stride, sizeof *study->sums);
	study->shift = calloc(stride, sizeof *study->shift);
	study->scan = calloc(stride, sizeof *study->scan);
	study->level = calloc(stride, sizeof *study->level);
	return study->counts && study->sums && study->shift && study->scan && study->level ? 0 : array_failed();
}

/* From cells to running sums; the third row is both placements together. */
static void run_up(double *sums, size_t segments)
{
	double *a = sums, *b = sums + segments + 1, *both = sums + 2 * (segments + 1);

	for (size_t i = 0; i < segments; i++) {
		a[i + 1] += a[i];
		b[i + 1] += b[i];
		both[i + 1] = a[i + 1] + b[i + 1];
	}
}

static void run_up_counts(size_t *counts, size_t segments)
{
	size_t *a = counts, *b = counts + segments + 1, *both = counts + 2 * (segments + 1);

	for (size_t i = 0; i < segments; i++) {
		a[i + 1] += a[i];
		b[i + 1] += b[i];
		both[i + 1] = a[i + 1] + b[i + 1];
	}
}

/* What an observation has in each class: [observation][class]. */
struct tally {
	double *values, *sums; /* [n], [n][GATE_CLASSES] */
};

/* Points into cells, classes, and their own differences. */
static void gather(struct gate_study *study, struct tally *tally)
{
	const struct gate_sampling *sampling = &study->sampling;
	size_t n = sampling->n[GATE_BASE] + sampling->n[GATE_NEW], stride = GATE_ROWS * (study->segments + 1);

	for (size_t i = 0; i < study->series->npoints; i++) {
		size_t at = row_of(study, i) * (study->segments + 1) + study->segment[i] + 1u;

		study->variance[i] = NAN;
		if (!study->judged[i])
			continue;
		gate_observe(study->series, sampling, i, tally->values);
		study->difference[i] = gate_difference(sampling, tally->values);
		study->variance[i] = gate_variance(sampling, tally->values);
		study->counts[at]++;
		study->class_points[study->class_of[i]]++;
		study->shift[at] += study->difference[i];
		for (size_t o = 0; o < n; o++) {
			study->sums[o * stride + at] += tally->values[o];
			tally->sums[o * GATE_CLASSES + study->class_of[i]] += tally->values[o];
		}
	}
	for (size_t o = 0; o < n; o++)
		run_up(study->sums + o * stride, study->segments);
	run_up(study->shift, study->segments);
	run_up_counts(study->counts, study->segments);
	for (size_t i = 0; i < stride; i++)
		study->scan[i] = study->level[i] = study->shift[i];
}

static void sum_classes(struct gate_study *study, struct tally *tally)
{
	const struct gate_sampling *sampling = &study->sampling;
	size_t n = sampling->n[GATE_BASE] + sampling->n[GATE_NEW];

	for (size_t class = 0; class < GATE_CLASSES; class ++) {
		double points = (double)study->class_points[class], rest = (double)study->clear - points;

		study->classes[class] = study->contrasts[class] = study->class_difference[class] = NAN;
		if (points < 1)
			continue;
		for (size_t o = 0; o < n; o++)
			tally->values[o] = tally->sums[o * GATE_CLASSES + class] / points;
		study->classes[class] = gate_variance(sampling, tally->values);
		study->class_difference[class] = gate_difference(sampling, tally->values);
		for (size_t o = 0; rest > 0 && o < n; o++) {
			const double *sums = tally->sums + o * GATE_CLASSES;

			tally->values[o] -= (sums[0] + sums[1] + sums[2] - sums[class]) / rest;
		}
		if (rest > 0)
			study->contrasts[class] = gate_variance(sampling, tally->values);
	}
}

/* Analysis of variance: what points of a launch share, and what they do not. */
static void split(struct gate_study *study)
{
	double whole = gate_mean_variance(study, 2, 0, study->segments), points = 0, n = (double)study->clear;

	for (size_t i = 0; i < study->series->npoints; i++)
		if (study->judged[i])
			points += study->variance[i] / n;
	study->own = n > 1 ? fmax(0, (points - whole) * n / (n - 1)) : NAN;
	study->launch = n > 1 ? fmax(0, whole - study->own / n) : whole;
}

static int condense(struct gate_study *study)
{
	size_t n = study->sampling.n[GATE_BASE] + study->sampling.n[GATE_NEW];
	struct tally tally = { .values = calloc(n, sizeof(double)), .sums = calloc(n * GATE_CLASSES, sizeof(double)) };
	int rc = -1;

	if (!tally.values || !tally.sums) {
		array_failed();
	} else if (allocate_sums(study) == 0) {
		gather(study, &tally);
		sum_classes(study, &tally);
		split(study);
		rc = 0;
	}
	free(tally.values);
	free(tally.sums);
	return rc;
}

int gate_study_make(struct gate_study *study, struct gate_series *series, const struct gate_alike *alike)
{
	*study = (struct gate_study){ .series = series };
	if (allocate(study) != 0)
		goto failed;
	gate_classes_of(series, study->class_of);
	choose(study);
	if (study->clear == 0)
		return 0;
	if (divide(study) != 0 || gate_sampling_of(series, &study->sampling) != 0)
		goto failed;
	if (study->sampling.eras) {
		study->sampling.alike = *alike;
		study->sampling.df = gate_runs_df(&study->sampling, alike);
	}
	if (condense(study) == 0)
		return 0;
failed:
	gate_study_clear(study);
	return -1;
}

size_t gate_count(const struct gate_study *study, size_t row, size_t first, size_t end)
{
	const size_t *counts = study->counts + row * (study->segments + 1);

	return counts[end] - counts[first];
}

double gate_mean(const struct gate_study *study, const double *sums, size_t row, size_t first, size_t end)
{
	const double *at = sums + row * (study->segments + 1);

	return (at[end] - at[first]) / (double)gate_count(study, row, first, end);
}

/* How many points are inside a window and how many in its rest; both 0 where one is. */
static void window_counts(const struct gate_study *study, const struct gate_window *window, double *inside, double *rest)
{
	size_t in = gate_count(study, window->row, window->first, window->end);
	size_t all = gate_count(study, window->against, window->low, window->high);

	if (window->row == window->against)
		all -= in;
	*inside = in && all ? (double)in : 0;
	*rest = in && all ? (double)all : 0;
}

double gate_contrast(const struct gate_study *study, const double *sums, const struct gate_window *window)
{
	const double *in = sums + window->row * (study->segments + 1), *out = sums + window->against * (study->segments + 1);
	double inside = in[window->end] - in[window->first], rest = out[window->high] - out[window->low], n, m;

	window_counts(study, window, &n, &m);
	if (window->row == window->against)
		rest -= inside;
	return n > 0 ? inside / n - rest / m : NAN;
}

double gate_window_scale(const struct gate_study *study, const struct gate_window *window)
{
	double n, m;

	window_counts(study, window, &n, &m);
	return n > 0 ? 1 / n + 1 / m : NAN;
}

double gate_mean_variance(const struct gate_study *study, size_t row, size_t first, size_t end)
{
	size_t n = study->sampling.n[GATE_BASE] + study->sampling.n[GATE_NEW], stride = GATE_ROWS * (study->segments + 1);
	double *values, variance = NAN;

	if (gate_count(study, row, first, end) == 0 || !(values = malloc(n * sizeof *values)))
		return NAN;
	for (size_t o = 0; o < n; o++)
		values[o] = gate_mean(study, study->sums + o * stride, row, first, end);
	variance = gate_variance(&study->sampling, values);
	free(values);
	return variance;
}

int gate_study_windows(struct gate_study *study)
{
	const struct gate_layout *layout = study->layout;
	size_t n = study->sampling.n[GATE_BASE] + study->sampling.n[GATE_NEW], stride = GATE_ROWS * (study->segments + 1);
	double *values = malloc(n * sizeof *values);

	study->window = malloc((layout->nwindows + 1) * sizeof *study->window);
	if (!values || !study->window) {
		free(values);
		return array_failed();
	}
	for (size_t w = 0; w < layout->nwindows; w++) {
		for (size_t o = 0; o < n; o++)
			values[o] = gate_contrast(study, study->sums + o * stride, &layout->windows[w]);
		study->window[w] = gate_variance(&study->sampling, values) / gate_window_scale(study, &layout->windows[w]);
	}
	free(values);
	for (size_t i = 0; i < GATE_LEVELS; i++) {
		size_t first, end;

		gate_level_window(study->segments, i, &first, &end);
		study->levels[i] = first < end ? gate_mean_variance(study, 2, first, end) : NAN;
	}
	return 0;
}
