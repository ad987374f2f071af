/* SPDX-License-Identifier: Apache-2.0
 *
 * Data and scripts of the figures. A data file holds blocks of numbers, parted by two empty lines, each under a line of names; the
 * scripts say which block is which and leave how it looks to plots/.
 */
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compare.h"
#include "gnuplot.h"
#include "human.h"
#include "plot_parts.h"

enum { MOST_LINKS = 2 };

/* Without alpha a model's times of small messages are next to nothing: so far below the least time measured the figure ends. */
static const double most_below = 10;

/* With the scripts of plots/ that draw them. */
static const struct {
	const char *name, *script, *title;
} kinds[PLOT_KINDS] = {
	{ "latency", "latency.gp", "time against message size" },
	{ "busbw", "busbw.gp", "bus bandwidth against message size" },
	{ "ratio", "ratio.gp", "ratio of times against message size" },
	{ "scaling_time", "scaling.gp", "time against the number of ranks" },
	{ "scaling_busbw", "scaling.gp", "bus bandwidth against the number of ranks" },
	{ "scaling2_time", "scaling.gp", "time against the number of ranks" },
	{ "scaling2_busbw", "scaling.gp", "bus bandwidth against the number of ranks" },
	{ "scaling3_time", "scaling.gp", "time against the number of ranks" },
	{ "scaling3_busbw", "scaling.gp", "bus bandwidth against the number of ranks" },
};

bool plot_has_figure(const struct figure *figure)
{
	return figure->nshown > 0 && !figure->singleton;
}

bool plot_is_message(const struct collective *coll)
{
	return coll->ring && collective_model(coll, coll->ring)->time == collective_model(coll, "lb")->time;
}

static bool has_busbw(const struct series *series)
{
	for (size_t i = 0; i < series->npoints; i++) {
		if (isfinite(series->points[i].busbw))
			return true;
	}
	return false;
}

const struct scaling *plot_scaling_of(const struct figure *figure, enum plot_kind kind)
{
	size_t before = ((size_t)kind - PLOT_SCALING) / 2;

	for (size_t i = 0; i < figure->nscalings; i++) {
		if (figure->scalings[i].shown && before-- == 0)
			return &figure->scalings[i];
	}
	return NULL;
}

/* With one rank there is no bus bandwidth, and gnuplot takes an empty plot for an error. */
bool plot_has(const struct figure *figure, enum plot_kind kind)
{
	const struct scaling *scaling;
	bool found = false;

	if (!plot_has_figure(figure) || kind == PLOT_LATENCY)
		return plot_has_figure(figure);
	if (kind == PLOT_RATIO)
		return compare_shown(figure) > 0;
	if (kind == PLOT_BUSBW) {
		for (size_t s = 0; s < figure->nshown; s++)
			found |= has_busbw(&figure->series[s]);
		return found;
	}
	scaling = plot_scaling_of(figure, kind);
	for (size_t s = 0; scaling && s < scaling->count; s++)
		found |= (kind - PLOT_SCALING) % 2 == 0 || has_busbw(scaling->series[s]);
	return found;
}

const char *plot_title(enum plot_kind kind)
{
	return kinds[kind].title;
}

struct plot_name plot_file(const struct collective *coll, enum plot_kind kind, const char *extension)
{
	struct plot_name name;

	snprintf(name.text, sizeof name.text, "%s_%s.%s", coll->name, kinds[kind].name, extension);
	return name;
}

struct plot_name plot_data_file(const struct collective *coll, enum plot_kind kind)
{
	struct plot_name name;

	if (kind <= PLOT_BUSBW)
		snprintf(name.text, sizeof name.text, "%s.dat", coll->name);
	else if (kind == PLOT_RATIO)
		snprintf(name.text, sizeof name.text, "%s_ratio.dat", coll->name);
	else
		snprintf(name.text, sizeof name.text, "%s_%.*s.dat", coll->name, (int)strcspn(kinds[kind].name, "_"),
			 kinds[kind].name);
	return name;
}

size_t plot_models(const struct figure *figure, const struct machine *machines[STUDY_SHOWN_SERIES],
		   size_t series[STUDY_SHOWN_SERIES])
{
	size_t n = 0;

	for (size_t s = 0; s < figure->nshown; s++) {
		const struct machine *machine = figure->series[s].machine;
		size_t m = 0;

		while (m < n && machines[m] != machine)
			m++;
		if (m < n || !isfinite(study_bounds(figure->coll, machine, figure->series[s].key, 1).lb))
			continue;
		machines[n] = machine;
		series[n++] = s;
	}
	return n;
}

/* What the medians and links reach: a disturbed point's interval must not press the curves to the ground. */
static double top_rate(const struct figure *figure, size_t nmodels, const struct machine *const machines[])
{
	double top = 0;

	for (size_t s = 0; s < figure->nshown; s++) {
		for (size_t i = 0; i < figure->series[s].npoints; i++)
			top = fmax(top, figure->series[s].points[i].busbw);
	}
	for (size_t m = 0; m < nmodels && nmodels <= MOST_LINKS; m++)
		top = fmax(top, machines[m]->bandwidth);
	return top;
}

static struct range time_range(const struct figure *figure, size_t nmodels, const struct machine *const machines[])
{
	struct range range = { INFINITY, 0 }, sizes = plot_size_range(figure);
	double lowest;

	for (size_t s = 0; s < figure->nshown; s++) {
		for (size_t i = 0; i < figure->series[s].npoints; i++) {
			const struct point *point = &figure->series[s].points[i];

			range.low = fmin(range.low, fmin(point->time, point->low));
			range.high = fmax(range.high, fmax(point->time, point->high));
		}
	}
	lowest = range.low / most_below;
	for (size_t m = 0; m < nmodels; m++) {
		struct bounds least = study_bounds(figure->coll, machines[m], machines[m]->key, sizes.low);
		struct bounds most = study_bounds(figure->coll, machines[m], machines[m]->key, sizes.high);
		double low = fmin(least.lb, fmin(least.ring, least.tree));

		if (machines[m]->bandwidth_only && low < lowest)
			low = lowest;
		range.low = fmin(range.low, low);
		range.high = fmax(range.high, fmax(most.lb, fmax(most.ring, most.tree)));
	}
	return range;
}

void plot_put_array(FILE *out, const char *name, size_t n)
{
	fprintf(out, "array %s[%zu]\n", name, n > 0 ? n : 1);
}

/* Where there are several models, each has the colour of its series; rates of more than two links would hide the curves. */
static void put_models(FILE *out, const struct figure *figure, size_t n, const struct machine *const machines[],
		       const size_t series[])
{
	const struct collective *coll = figure->coll;
	bool message = plot_is_message(coll);

	plot_put_array(out, "link_label", n);
	plot_put_array(out, "model_series", n);
	plot_put_array(out, "link", n);
	for (size_t m = 0; m < n; m++) {
		fprintf(out, "link_label[%zu] = \"link %s%s%s\"\n", m + 1, human_rate(machines[m]->bandwidth).text,
			n > 1 ? " " : "", n > 1 ? figure->series[series[m]].place : "");
		fprintf(out, "model_series[%zu] = %zu\n", m + 1, series[m] + 1);
		fprintf(out, "link[%zu] = %.9g\n", m + 1, machines[m]->bandwidth / 1e9);
	}
	fprintf(out, "nmodels = %zu\nhas_link = %d\nhas_ring = %d\nhas_tree = %d\nhas_lower = %d\n", n, n > 0 && n <= MOST_LINKS,
		n > 0 && coll->ring, n == 1 && coll->tree, n == 1 && !message);
	fprintf(out, "ring_name = \"%s\"\n", message ? "alpha + S/B" : n > 1 ? "ring bound of each" : "ring bound");
}

static void sizes_script(FILE *out, const struct figure *figure)
{
	const struct machine *machines[STUDY_SHOWN_SERIES];
	size_t series[STUDY_SHOWN_SERIES];
	size_t n = plot_models(figure, machines, series);
	struct range sizes = plot_size_range(figure), times = time_range(figure, n, machines);

	fprintf(out, "xmin = %.17g\nxmax = %.17g\nymin = %.9g\nymax = %.9g\n", sizes.low, sizes.high, times.low * 1e6,
		times.high * 1e6);
	fprintf(out, "top = %.9g\n", top_rate(figure, n, (const struct machine *const *)machines) / 1e9);
	fprintf(out, "nseries = %zu\n", figure->nshown);
	plot_put_array(out, "label", figure->nshown);
	plot_put_array(out, "in_place", figure->nshown);
	for (size_t s = 0; s < figure->nshown; s++) {
		fprintf(out, "label[%zu] = \"%.40s\"\n", s + 1, figure->series[s].label);
		fprintf(out, "in_place[%zu] = %d\n", s + 1, figure->series[s].in_place);
	}
	put_models(out, figure, n, (const struct machine *const *)machines, series);
}

void plot_script(FILE *out, const struct figure *figure, enum plot_kind kind)
{
	fprintf(out, "# Written by collperf report; draw it again with: gnuplot -d %s\n\n",
		plot_file(figure->coll, kind, "gp").text);
	fprintf(out, "name = \"%s\"\n", figure->coll->name);
	if (kind <= PLOT_BUSBW)
		sizes_script(out, figure);
	else if (kind == PLOT_RATIO)
		plot_ratio_script(out, figure);
	else
		plot_scaling_script(out, figure, kind);
	fprintf(out, "load \"%s\"\n", kinds[kind].script);
}

static void write_data(FILE *out, const struct figure *figure, enum plot_kind kind)
{
	if (kind <= PLOT_BUSBW)
		plot_data(out, figure);
	else if (kind == PLOT_RATIO)
		plot_ratio_data(out, figure);
	else
		plot_scaling_data(out, figure, kind);
}

static int write_file(const struct outdir *dir, const struct figure *figure, enum plot_kind kind, const char *name,
		      void (*write)(FILE *, const struct figure *, enum plot_kind))
{
	FILE *out = outdir_create(dir, name);

	if (!out)
		return -1;
	write(out, figure, kind);
	return outdir_finish(dir, name, out);
}

static void write_models(FILE *out, const struct figure *figure, enum plot_kind kind)
{
	(void)kind;
	plot_model_data(out, figure);
}

/* Data that two kinds share are written twice, the same. */
static int write_figure(const struct outdir *dir, const struct figure *figure)
{
	char models[64];

	snprintf(models, sizeof models, "%s_models.dat", figure->coll->name);
	if (write_file(dir, figure, PLOT_LATENCY, models, write_models))
		return -1;
	for (enum plot_kind kind = 0; kind < PLOT_KINDS; kind++) {
		if (!plot_has(figure, kind))
			continue;
		if (write_file(dir, figure, kind, plot_data_file(figure->coll, kind).text, write_data) ||
		    write_file(dir, figure, kind, plot_file(figure->coll, kind, "gp").text, plot_script))
			return -1;
	}
	return 0;
}

/* A figure of an earlier report must not pass for one of this. */
static void remove_old(const struct outdir *dir, const struct collective *coll)
{
	static const char *const extensions[] = { "svg", "png", "gp" };

	for (enum plot_kind kind = 0; kind < PLOT_KINDS; kind++) {
		for (size_t e = 0; e < sizeof extensions / sizeof *extensions; e++)
			unlinkat(dir->fd, plot_file(coll, kind, extensions[e]).text, 0);
		unlinkat(dir->fd, plot_data_file(coll, kind).text, 0);
	}
}

static enum plot_outcome draw(const struct outdir *dir, const struct study *study)
{
	char *program = gnuplot_find();
	enum plot_outcome outcome = program ? PLOT_DRAWN : PLOT_NO_GNUPLOT;

	for (size_t c = 0; program && c < COLL_COUNT; c++) {
		for (enum plot_kind kind = 0; kind < PLOT_KINDS; kind++) {
			const struct figure *figure = &study->figures[c];

			if (plot_has(figure, kind) && gnuplot_run(program, dir, plot_file(figure->coll, kind, "gp").text))
				outcome = PLOT_FAILED;
		}
	}
	free(program);
	return outcome;
}

int plot_study(const struct outdir *dir, const struct study *study, enum plot_outcome *outcome)
{
	for (size_t c = 0; c < COLL_COUNT; c++) {
		remove_old(dir, study->figures[c].coll);
		if (plot_has_figure(&study->figures[c]) && write_figure(dir, &study->figures[c]))
			return -1;
	}
	*outcome = gnuplot_copy_scripts(dir) ? PLOT_FAILED : draw(dir, study);
	return 0;
}
