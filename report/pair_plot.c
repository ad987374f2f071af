/* SPDX-License-Identifier: Apache-2.0
 *
 * Data and scripts of the heat maps; how they look is in plots/pairs.gp.
 */
#include "pair_plot.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "gnuplot.h"
#include "plot_parts.h"

enum { MOST_TICS = 16, MOST_LINES = 64 };

/* Times that lie closer are shown in nearly one colour, so that noise makes no picture; further apart than this they are on a logarithmic scale. */
static const double least_span = 1.5, wide_span = 8;

static const char *const titles[][PAIR_FIGURES] = {
	{ "time of each pair alone", "bandwidth of each pair alone, each way" },
	{ "time of each pair while others exchange", "bandwidth of each pair while others exchange, each way" },
	{ "time of each pair once more", "bandwidth of each pair once more, each way" },
};

const char *pair_plot_title(const struct pair_set *set, int load, enum pair_figure figure)
{
	return titles[load == PAIR_ALONE || pair_has_others(set) ? load : PAIR_LOADS][figure];
}

bool pair_plot_has(const struct pair_study *pairs, size_t p, int load, enum pair_figure figure)
{
	return p < pairs->count && p < PAIR_SHOWN_PARTS && pairs->parts[p].set.matrix[load][figure].pairs > 0;
}

struct plot_name pair_plot_file(size_t p, int load, enum pair_figure figure, const char *extension)
{
	struct plot_name name;
	char number[24] = "";

	if (p > 0)
		snprintf(number, sizeof number, "%zu", p + 1);
	snprintf(name.text, sizeof name.text, "pairs%s%s_%s%s%s", number, load == PAIR_ALONE ? "" : "_all",
		 figure == PAIR_LATENCY ? "latency" : "bandwidth", *extension ? "." : "", extension);
	return name;
}

/* In the unit of the figure. */
static double value_of(const struct pair_set *set, int load, enum pair_figure figure, int from, int to)
{
	const struct pair_matrix *matrix = &set->matrix[load][figure];

	return figure == PAIR_LATENCY ? pair_time(set, matrix, from, to) * 1e6 : pair_rate(set, matrix, from, to) / 1e9;
}

void pair_plot_data(FILE *out, const struct pair_set *set, int load, enum pair_figure figure)
{
	int *order = calloc((size_t)set->nranks + 1, sizeof *order);

	fprintf(out, "# place place %s\n", figure == PAIR_LATENCY ? "time_us" : "GBps");
	if (order)
		pair_study_order(set, order);
	for (int y = 0; order && y < set->nranks; y++) {
		for (int x = 0; x < set->nranks; x++) {
			const double value = value_of(set, load, figure, order[y], order[x]);

			if (isfinite(value) && value > 0)
				fprintf(out, "%d %d %.9g\n", x, y, value);
		}
	}
	free(order);
}

static struct range range_of(const struct pair_set *set, int load, enum pair_figure figure)
{
	struct range range = { INFINITY, 0 };

	for (int from = 0; from < set->nranks; from++) {
		for (int to = from + 1; to < set->nranks; to++) {
			const double value = value_of(set, load, figure, from, to);

			if (isfinite(value) && value > 0) {
				range.low = fmin(range.low, value);
				range.high = fmax(range.high, value);
			}
		}
	}
	/* The slow end is what is drawn out. */
	if (range.high < range.low * least_span && figure == PAIR_LATENCY)
		range.high = range.low * least_span;
	else if (range.high < range.low * least_span)
		range.low = range.high / least_span;
	return range;
}

/* As many as have room; and a line between hosts, where there are not too many. */
static void put_axes(FILE *out, const struct pair_set *set, const int *order)
{
	const int step = (set->nranks + MOST_TICS - 1) / MOST_TICS;
	int n = 0;

	plot_put_array(out, "tic_place", (size_t)((set->nranks + step - 1) / step));
	plot_put_array(out, "tic_rank", (size_t)((set->nranks + step - 1) / step));
	for (int place = 0; place < set->nranks; place += step) {
		n++;
		fprintf(out, "tic_place[%d] = %d\ntic_rank[%d] = %d\n", n, place, n, order[place]);
	}
	fprintf(out, "ntics = %d\n", n);
	plot_put_array(out, "line", (size_t)set->nhosts);
	n = 0;
	for (int place = 1; place < set->nranks && set->nhosts <= MOST_LINES && set->nhosts < set->nranks; place++)
		if (set->host[order[place]] != set->host[order[place - 1]])
			fprintf(out, "line[%d] = %d.5\n", ++n, place - 1);
	fprintf(out, "nlines = %d\n", n);
}

void pair_plot_script(FILE *out, const struct pair_set *set, size_t p, int load, enum pair_figure figure)
{
	const struct range range = range_of(set, load, figure);
	int *order = calloc((size_t)set->nranks + 1, sizeof *order);
	char bytes[24];

	fprintf(out, "# Written by collperf report; draw it again with: gnuplot -d %s\n\n",
		pair_plot_file(p, load, figure, "gp").text);
	fprintf(out, "data = \"%s\"\nfile = \"%s\"\n", pair_plot_file(p, load, figure, "dat").text,
		pair_plot_file(p, load, figure, "").text);
	fprintf(out, "title_text = \"%s at %s\"\n", figure == PAIR_LATENCY ? "us" : "GB/s each way",
		pair_words_size(set->matrix[load][figure].bytes, bytes));
	fprintf(out, "n = %d\nlow = %.9g\nhigh = %.9g\nwide = %d\nrate = %d\n", set->nranks, range.low, range.high,
		range.high > wide_span * range.low, figure == PAIR_BANDWIDTH);
	if (order) {
		pair_study_order(set, order);
		put_axes(out, set, order);
	}
	fputs("load \"pairs.gp\"\n", out);
	free(order);
}

static int write_figure(const struct outdir *dir, const struct pair_set *set, size_t p, int load, enum pair_figure figure)
{
	const struct plot_name data = pair_plot_file(p, load, figure, "dat"), script = pair_plot_file(p, load, figure, "gp");
	FILE *out = outdir_create(dir, data.text);

	if (!out)
		return -1;
	pair_plot_data(out, set, load, figure);
	if (outdir_finish(dir, data.text, out))
		return -1;
	out = outdir_create(dir, script.text);
	if (!out)
		return -1;
	pair_plot_script(out, set, p, load, figure);
	return outdir_finish(dir, script.text, out);
}

/* A figure of an earlier report must not pass for one of this. */
static void remove_old(const struct outdir *dir, size_t p, int load, enum pair_figure figure)
{
	static const char *const extensions[] = { "svg", "png", "gp", "dat" };

	for (size_t e = 0; e < sizeof extensions / sizeof *extensions; e++)
		unlinkat(dir->fd, pair_plot_file(p, load, figure, extensions[e]).text, 0);
}

static int make_figure(const struct outdir *dir, const struct pair_study *pairs, size_t p, int load, enum pair_figure figure,
		       const char *program, enum plot_outcome *outcome)
{
	remove_old(dir, p, load, figure);
	if (!pair_plot_has(pairs, p, load, figure))
		return 0;
	if (write_figure(dir, &pairs->parts[p].set, p, load, figure))
		return -1;
	if (program && gnuplot_run(program, dir, pair_plot_file(p, load, figure, "gp").text))
		*outcome = PLOT_FAILED;
	return 0;
}

int pair_plot(const struct outdir *dir, const struct pair_study *pairs, enum plot_outcome *outcome)
{
	char *program = pairs->count > 0 ? gnuplot_find() : NULL;
	int rc = 0;

	for (size_t p = 0; p < PAIR_SHOWN_PARTS; p++)
		for (int load = 0; load < PAIR_LOADS; load++)
			for (int figure = 0; figure < PAIR_FIGURES && rc == 0; figure++)
				rc = make_figure(dir, pairs, p, load, (enum pair_figure)figure, program, outcome);
	free(program);
	return rc;
}
