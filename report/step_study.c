/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of training steps to lines over the sizes of buckets.
 */
#include "step_study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "human.h"

enum { SHOWN_SOURCE = 24 };

/* In the order in which lines are told and coloured; a word that is not among them comes last. */
static const char *const strategies[] = { RESULT_BUCKETED, RESULT_ZERO, RESULT_FSDP, RESULT_FLAT, RESULT_NAIVE };
static const char *const movers[] = { RESULT_DEVICE, RESULT_POLLING, RESULT_THREAD, RESULT_NOBODY };

/* What is left of a difference of two times that are the same. */
static const double no_overlap = 1e-6;

/* Texts are of one pool: their addresses stand for them. */
static bool is_of_part(const struct step_part *part, const struct result *row)
{
	const struct result *key = part->key;

	return key->bytes == row->bytes && key->tensors == row->tensors && key->nranks == row->nranks &&
	       key->nnodes == row->nnodes && key->type == row->type && key->backend == row->backend && key->path == row->path &&
	       key->algo == row->algo && key->group == row->group;
}

static bool is_of_line(const struct step_line *line, const struct result *row, const char *source)
{
	const struct result *key = line->key;

	return line->source == source && key->strategy == row->strategy && key->progress == row->progress &&
	       key->prefetch == row->prefetch && step_near_compute(key, row);
}

/* NULL: no memory, or *full. */
static struct step_part *find_part(struct step_study *steps, const struct study *study, size_t i, bool *full)
{
	const struct result *row = rows_get(study->rows, i);
	struct step_part *grown;

	for (size_t p = steps->count; p-- > 0;)
		if (is_of_part(&steps->parts[p], row))
			return &steps->parts[p];
	*full = steps->count == STEP_MOST_PARTS;
	grown = *full ? NULL : array_grow(steps->parts, steps->count, sizeof *grown);
	if (!grown)
		return NULL;
	steps->parts = grown;
	grown[steps->count] = (struct step_part){ .key = row, .run = study->runs.names[study->runs.of[i]] };
	return &grown[steps->count++];
}

/* Likewise. */
static struct step_line *find_line(struct step_part *part, const struct study *study, size_t i, bool *full)
{
	const struct result *row = rows_get(study->rows, i);
	const char *source = rows_source(study->rows, i);
	struct step_line *grown;

	for (size_t l = part->nlines; l-- > 0;)
		if (is_of_line(&part->lines[l], row, source))
			return &part->lines[l];
	*full = part->nlines == STEP_MOST_LINES;
	grown = *full ? NULL : array_grow(part->lines, part->nlines, sizeof *grown);
	if (!grown)
		return NULL;
	part->lines = grown;
	grown[part->nlines] = (struct step_line){
		.key = row, .source = source, .number = part->nlines, .run = study->runs.names[study->runs.of[i]]
	};
	return &grown[part->nlines++];
}

static int take_row(struct step_study *steps, const struct study *study, size_t i)
{
	const struct result *row = rows_get(study->rows, i), **grown;
	bool full = false;
	struct step_part *part;
	struct step_line *line;

	if (!result_is_step(row) || rows_is_repeat(study->rows, i))
		return 0;
	if (step_contradiction(row)) {
		if (steps->contradictory++ == 0)
			steps->contradiction = i;
		steps->contradictory_wrong += row->wrong > 0;
		return 0;
	}
	part = find_part(steps, study, i, &full);
	line = part ? find_line(part, study, i, &full) : NULL;
	if (!line) {
		steps->left_out += full;
		return full ? 0 : -1;
	}
	if (row->wrong > 0) {
		if (line->wrong++ == 0)
			line->first_wrong = row;
		return 0;
	}
	grown = array_grow(line->rows, line->nrows, sizeof *grown);
	if (!grown)
		return -1;
	line->rows = grown;
	grown[line->nrows++] = row;
	line->taken++;
	line->turns += result_takes_turns(row);
	line->disturbed += result_has_flag(row, RESULT_FLAG_LATE) || result_has_flag(row, RESULT_FLAG_NOISY);
	return 0;
}

static int by_cap(const void *left, const void *right)
{
	const struct result *a = *(const struct result *const *)left, *b = *(const struct result *const *)right;

	return (a->bucket_cap > b->bucket_cap) - (a->bucket_cap < b->bucket_cap);
}

static int by_value(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

double step_median(double *values, size_t n)
{
	qsort(values, n, sizeof *values, by_value);
	return values[(n - 1) / 2] / 2 + values[n / 2] / 2;
}

/* A column of n rows, those without it left out; `values` has room for n. */
static double median(const struct result *const *rows, size_t n, size_t offset, double *values)
{
	size_t known = 0;

	for (size_t i = 0; i < n; i++) {
		double value;

		memcpy(&value, (const char *)rows[i] + offset, sizeof value);
		if (isfinite(value))
			values[known++] = value;
	}
	if (known == 0)
		return NAN;
	return step_median(values, known);
}

static void fill_overlap(struct step_point *point, const struct result *const *rows, size_t n, double *values)
{
	const double error = n == 1 ? rows[0]->overlap_error : NAN;
	double least = INFINITY, most = -INFINITY;

	point->overlap = median(rows, n, offsetof(struct result, overlap), values);
	for (size_t i = 0; i < n; i++) {
		least = fmin(least, rows[i]->overlap);
		most = fmax(most, rows[i]->overlap);
	}
	point->overlap_low = n > 1 && least <= most ? least : point->overlap - error;
	point->overlap_high = n > 1 && least <= most ? most : point->overlap + error;
	if (fabs(point->overlap) < no_overlap)
		point->overlap = 0;
}

static struct step_point point_of(const struct result *const *rows, size_t n, double *values)
{
	struct step_point point = { .cap = rows[0]->bucket_cap, .calls = rows[0]->calls, .launches = n };

	point.time = median(rows, n, offsetof(struct result, time), values);
	point.low = n > 1 ? values[0] : rows[0]->time_ci_low;
	point.high = n > 1 ? values[n - 1] : rows[0]->time_ci_high;
	if (!(point.low > 0 && point.low <= point.time && point.high >= point.time))
		point.low = point.high = NAN;
	point.compute = median(rows, n, offsetof(struct result, compute), values);
	point.comm = median(rows, n, offsetof(struct result, comm), values);
	point.exposed = median(rows, n, offsetof(struct result, exposed), values);
	fill_overlap(&point, rows, n, values);
	point.asked = median(rows, n, offsetof(struct result, compute_asked), values);
	for (size_t i = 0; i < n; i++)
		point.turns = point.turns || result_takes_turns(rows[i]);
	if (point.turns)
		point.overlap = point.overlap_low = point.overlap_high = NAN; /* what hides there is another rank's turn */
	return point;
}

static int finish_line(struct step_line *line)
{
	double *values = calloc(line->nrows, sizeof *values);

	line->points = calloc(line->nrows, sizeof *line->points);
	if (!values || !line->points) {
		free(values);
		return array_failed();
	}
	line->compute_low = line->compute_high = NAN;
	qsort(line->rows, line->nrows, sizeof(const struct result *), by_cap);
	for (size_t first = 0, end; first < line->nrows; first = end) {
		for (end = first + 1; end < line->nrows && line->rows[end]->bucket_cap == line->rows[first]->bucket_cap;)
			end++;
		line->points[line->npoints] = point_of(line->rows + first, end - first, values);
		if (line->points[line->npoints].time < line->points[line->best].time)
			line->best = line->npoints;
		line->compute_low = fmin(line->compute_low, line->points[line->npoints].compute);
		line->compute_high = fmax(line->compute_high, line->points[line->npoints].compute);
		line->npoints++;
	}
	free(values);
	free(line->rows);
	line->rows = NULL;
	return 0;
}

static size_t place_of(const char *word, const char *const *words, size_t n)
{
	size_t i = 0;

	while (i < n && strcmp(words[i], word) != 0)
		i++;
	return i;
}

static int by_strategy(const void *left, const void *right)
{
	const struct step_line *a = left, *b = right;
	const size_t ns = sizeof strategies / sizeof *strategies, nm = sizeof movers / sizeof *movers;
	const size_t sa = place_of(a->key->strategy, strategies, ns), sb = place_of(b->key->strategy, strategies, ns);
	const size_t ma = place_of(a->key->progress, movers, nm), mb = place_of(b->key->progress, movers, nm);
	int order = (sa > sb) - (sa < sb);

	if (order == 0)
		order = strcmp(a->key->strategy, b->key->strategy);
	if (order == 0)
		order = (ma > mb) - (ma < mb);
	if (order == 0)
		order = (a->key->prefetch > b->key->prefetch) - (a->key->prefetch < b->key->prefetch);
	return order ? order : (a->number > b->number) - (a->number < b->number);
}

static bool same_name(const struct step_line *left, const struct step_line *right)
{
	return left->key->strategy == right->key->strategy && left->key->progress == right->key->progress &&
	       left->key->prefetch == right->key->prefetch;
}

/* What sets lines of one name apart: their files, their compute. */
static void find_needs(const struct step_part *part, const struct step_line *line, bool *source, bool *compute)
{
	*source = *compute = false;
	for (size_t l = 0; l < part->nlines; l++) {
		const struct step_line *other = &part->lines[l];

		if (other == line || !same_name(other, line))
			continue;
		*source = *source || other->source != line->source;
		*compute = *compute || !step_same_compute(other, line);
	}
}

static void name_line(const struct step_part *part, struct step_line *line)
{
	const struct result *key = line->key;
	const double asked = step_best(line)->asked;
	const size_t length = strlen(line->source);
	bool source, compute;
	int n = snprintf(line->label, sizeof line->label, "%.30s", key->strategy);

	find_needs(part, line, &source, &compute);
	if (key->prefetch != RESULT_NONE && strcmp(key->strategy, RESULT_FSDP) == 0)
		n += snprintf(line->label + n, sizeof line->label - (size_t)n, " %lld ahead", (long long)key->prefetch);
	if (*key->progress && (step_may_overlap(line) || strcmp(key->progress, RESULT_NOBODY) != 0))
		n += snprintf(line->label + n, sizeof line->label - (size_t)n, ", %.30s", key->progress);
	if (compute)
		n += snprintf(line->label + n, sizeof line->label - (size_t)n, ", compute %s",
			      human_time(isfinite(asked) ? asked : step_best(line)->compute).text);
	/* Of a long path the end tells more. */
	if (source)
		snprintf(line->label + n, sizeof line->label - (size_t)n, ", %s%s", length > SHOWN_SOURCE ? "..." : "",
			 line->source + (length > SHOWN_SOURCE ? length - SHOWN_SOURCE : 0));
}

const struct step_point *step_best(const struct step_line *line)
{
	return &line->points[line->best];
}

bool step_is_strategy(const struct step_line *line, const char *strategy)
{
	return strcmp(line->key->strategy, strategy) == 0;
}

bool step_may_overlap(const struct step_line *line)
{
	return !step_is_strategy(line, RESULT_FLAT) && !step_is_strategy(line, RESULT_NAIVE);
}

/* A file's lines are of one compute: what it took in any of them tells how far it wanders. */
static void share_compute(struct step_line *line, const struct step_line *other)
{
	if (other->source != line->source || !step_near_compute(other->key, line->key))
		return;
	line->compute_low = fmin(line->compute_low, other->compute_low);
	line->compute_high = fmax(line->compute_high, other->compute_high);
}

static void set_lost_apart(struct step_part *part)
{
	for (size_t l = part->nlines; l-- > 0;) {
		const struct step_line line = part->lines[l];

		if (line.nrows > 0)
			continue;
		part->lines[l] = part->lines[--part->nlines];
		part->lines[part->nlines] = line;
		part->nlost++;
	}
	qsort(part->lines + part->nlines, part->nlost, sizeof *part->lines, by_strategy);
}

static int finish_part(const struct study *study, struct step_part *part)
{
	set_lost_apart(part);
	for (size_t l = 0; l < part->nlines; l++)
		if (finish_line(&part->lines[l]))
			return -1;
	for (size_t l = 0; l < part->nlines; l++)
		for (size_t other = 0; other < part->nlines; other++)
			share_compute(&part->lines[l], &part->lines[other]);
	for (size_t l = 0; l < part->nlines; l++) {
		name_line(part, &part->lines[l]);
		for (size_t before = 0; before < l; before++)
			part->mixed = part->mixed || !step_same_compute(&part->lines[before], &part->lines[l]);
	}
	qsort(part->lines, part->nlines, sizeof *part->lines, by_strategy);
	part->best = step_find(part, RESULT_BUCKETED);
	step_model_learn(study, part);
	return 0;
}

/* Measured ones have the figures before simulated ones. There are few. */
static void order_parts(struct step_study *steps)
{
	for (size_t p = 1; p < steps->count; p++) {
		const struct step_part part = steps->parts[p];
		size_t q = p;

		if (result_has_flag(part.key, RESULT_FLAG_SIMULATED))
			continue;
		for (; q > 0 && result_has_flag(steps->parts[q - 1].key, RESULT_FLAG_SIMULATED); q--)
			steps->parts[q] = steps->parts[q - 1];
		steps->parts[q] = part;
	}
}

int step_study_build(const struct study *study, struct step_study *steps)
{
	int rc = 0;

	*steps = (struct step_study){ 0 };
	for (size_t i = 0; i < rows_count(study->rows) && rc == 0; i++)
		rc = take_row(steps, study, i);
	for (size_t p = 0; p < steps->count && rc == 0; p++)
		rc = finish_part(study, &steps->parts[p]);
	order_parts(steps);
	return rc;
}

void step_study_clear(struct step_study *steps)
{
	for (size_t p = 0; p < steps->count; p++) {
		struct step_part *part = &steps->parts[p];

		for (size_t l = 0; l < part->nlines; l++) {
			free(part->lines[l].rows);
			free(part->lines[l].points);
		}
		free(part->lines);
	}
	free(steps->parts);
	*steps = (struct step_study){ 0 };
}

void step_part_label(const struct step_study *steps, const struct step_part *part, char *text, size_t size)
{
	const struct result *key = part->key;

	*text = '\0';
	if (steps->count > 1)
		snprintf(text, size, "%lld ranks, %s in %s tensors, %.40s%s%.60s%s%.60s, %.60s", (long long)key->nranks,
			 human_size((double)key->bytes).text, human_integer(key->tensors).text, key->type,
			 *key->path ? ", path " : "", key->path, *key->algo ? ", algo " : "", key->algo, key->backend);
}
