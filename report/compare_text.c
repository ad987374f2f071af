/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparisons as words and as a table, and the words by which --baseline names a series.
 */
#include "compare.h"

#include <math.h>
#include <string.h>

#include "human.h"

/* The whole text, but for '/' and ".csv" at its end. */
static bool same_file(const char *name, const char *file, size_t length)
{
	size_t n = strlen(name);

	while (n > 1 && name[n - 1] == '/')
		n--;
	if (n == length && strncmp(name, file, n) == 0)
		return true;
	return n + 4 == length && strncmp(name, file, n) == 0 && strncmp(file + n, ".csv", 4) == 0;
}

static bool names_file(const char *name, const char *file, size_t length)
{
	size_t last = length;

	while (last > 0 && file[last - 1] != '/')
		last--;
	return same_file(name, file, length) || same_file(name, file + last, length - last);
}

bool compare_names(const char *name, const char *source, const struct result *row)
{
	const char *const texts[] = { row->path, row->algo, row->group, row->backend, row->library, row->type, row->variant };
	const char *slash = strrchr(source, '/');
	char ranks[48];

	if (names_file(name, source, strlen(source)) || (slash && names_file(name, source, (size_t)(slash - source))))
		return true;
	for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
		if (*name && strcmp(name, texts[t]) == 0)
			return true;
	}
	snprintf(ranks, sizeof ranks, "%lld ranks", (long long)row->nranks);
	return strcmp(name, ranks) == 0 || (strlen(name) == strcspn(ranks, " ") && strncmp(name, ranks, strlen(name)) == 0);
}

bool compare_knows_baseline(const struct study *study)
{
	const char *name = study->options->baseline;

	if (!name)
		return true;
	for (size_t c = 0; c < COLL_COUNT; c++) {
		const struct figure *figure = &study->figures[c];

		for (size_t s = 0; s < figure->nseries; s++) {
			if (compare_names(name, figure->series[s].source, figure->series[s].key))
				return true;
		}
	}
	escape_put(
		stderr, ESCAPE_PLAIN,
		"collperf report: --baseline: no row is of '%s' (a run, file, path, algorithm, group, library, type or number of "
		"ranks)\n",
		name);
	return false;
}

struct tally {
	size_t slower, faster, open;        /* open: the interval holds 1 */
	size_t untold[RATIO_NOT_APART + 1]; /* why there is no ratio */
	double least, most;                 /* NAN: there is none */
};

static struct tally count(const struct comparison *comparison)
{
	struct tally tally = { .least = NAN, .most = NAN };

	for (size_t i = 0; i < comparison->npoints; i++) {
		const struct compare_point *point = &comparison->points[i];
		bool open = isfinite(point->low) ? point->low <= 1 && point->high >= 1 : point->ratio == 1;

		if (!isfinite(point->ratio))
			tally.untold[point->kind]++;
		tally.least = fmin(tally.least, point->ratio);
		tally.most = fmax(tally.most, point->ratio);
		tally.open += open;
		tally.slower += !open && point->ratio > 1;
		tally.faster += !open && point->ratio < 1;
	}
	return tally;
}

static void put_untold(FILE *out, enum escape how, const struct tally *tally)
{
	for (enum ratio_kind kind = RATIO_TOLD; kind <= RATIO_NOT_APART; kind++)
		if (tally->untold[kind] > 0)
			escape_put(out, how, ", %s at %zu", ratio_mark(kind), tally->untold[kind]);
}

void compare_put(FILE *out, enum escape how, const struct comparison *comparison)
{
	struct tally tally = count(comparison);
	struct human least = human_ratio(tally.least), most = human_ratio(tally.most);
	bool range = strcmp(least.text, most.text) != 0;

	if (isfinite(tally.least)) {
		escape_put(out, how, "%s takes %s%s%s times as long as %s: slower at %zu of %zu sizes", comparison->series->label,
			   least.text, range ? " to " : "", range ? most.text : "", comparison->base->label, tally.slower,
			   comparison->npoints);
		escape_put(out, how, ", faster at %zu", tally.faster);
	} else {
		escape_put(out, how, "%s has no ratio to %s at any of %zu sizes", comparison->series->label,
			   comparison->base->label, comparison->npoints);
	}
	if (tally.open > 0)
		escape_put(out, how, ", not told apart at %zu", tally.open);
	put_untold(out, how, &tally);
	escape_put(out, how, ".");
}

static void put_real(FILE *out, double value)
{
	if (isfinite(value))
		fprintf(out, ",%.9g", value);
	else
		putc(',', out);
}

/* Of the rows, or why there is no ratio. */
static const char *flag_of(const struct compare_point *point)
{
	if (point->oversubscribed)
		return RESULT_FLAG_OVERSUBSCRIBED;
	if (isfinite(point->ratio))
		return "";
	return point->kind == RATIO_LATE ? RESULT_FLAG_LATE : point->kind == RATIO_NOISY ? RESULT_FLAG_NOISY : "";
}

static void csv_line(FILE *out, const struct figure *figure, const struct comparison *comparison,
		     const struct compare_point *point)
{
	escape_put(out, ESCAPE_CSV, "%s,%s,%s", figure->coll->name, comparison->series->label, comparison->base->label);
	fprintf(out, ",%.17g", point->bytes);
	put_real(out, point->time * 1e6);
	put_real(out, point->base_time * 1e6);
	put_real(out, point->ratio);
	put_real(out, point->low);
	put_real(out, point->high);
	fprintf(out, ",%zu,%zu,%s\r\n", point->launches, point->base_launches, flag_of(point));
}

void compare_csv(FILE *out, const struct study *study)
{
	fputs("collective,series,baseline,bytes,time_us,baseline_time_us,ratio,ratio_low,ratio_high,launches,baseline_launches,"
	      "flags\r\n",
	      out);
	for (size_t c = 0; c < COLL_COUNT; c++) {
		const struct figure *figure = &study->figures[c];

		for (size_t i = 0; !figure->singleton && i < figure->ncomparisons; i++) {
			size_t step = figure->comparisons[i].npoints / COMPARE_MOST_SIZES + 1;

			for (size_t k = 0; k < figure->comparisons[i].npoints; k += step)
				csv_line(out, figure, &figure->comparisons[i], &figure->comparisons[i].points[k]);
		}
	}
}
