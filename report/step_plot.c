/* SPDX-License-Identifier: Apache-2.0
 *
 * Data and scripts of step time against the size of buckets; how they look is in plots/steps.gp.
 */
#include "step_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "escape.h"
#include "gnuplot.h"
#include "plot_parts.h"

enum { MODEL_SAMPLES = 128 };

/* The axis of sizes goes as far beyond what was measured to hold the predicted optimum. */
static const double most_beyond = 16;
/* The model may be this much above what was measured before it leaves the figure. */
static const double most_above = 1.25;

static bool has_sizes(const struct step_line *line)
{
	return line->points[line->npoints - 1].cap != RESULT_NONE;
}

/* Lines over sizes first, then those of one time; both as far as there are colours. */
struct drawn {
	const struct step_line *curves[STEP_SHOWN_LINES], *levels[STEP_SHOWN_LINES];
	size_t ncurves, nlevels;
};

static struct drawn choose(const struct step_part *part)
{
	struct drawn drawn = { .ncurves = 0 };

	for (size_t l = 0; l < part->nlines && drawn.ncurves < STEP_SHOWN_LINES; l++)
		if (has_sizes(&part->lines[l]))
			drawn.curves[drawn.ncurves++] = &part->lines[l];
	for (size_t l = 0; l < part->nlines && drawn.ncurves + drawn.nlevels < STEP_SHOWN_LINES; l++)
		if (!has_sizes(&part->lines[l]))
			drawn.levels[drawn.nlevels++] = &part->lines[l];
	return drawn;
}

bool step_plot_has(const struct step_study *steps, size_t p)
{
	return p < steps->count && p < STEP_SHOWN_PARTS && choose(&steps->parts[p]).ncurves > 0;
}

struct plot_name step_plot_file(size_t p, const char *extension)
{
	struct plot_name name;
	char number[24] = "";

	if (p > 0)
		snprintf(number, sizeof number, "%zu", p + 1);
	snprintf(name.text, sizeof name.text, "steps%s_time%s%s", number, *extension ? "." : "", extension);
	return name;
}

static struct range sizes_of(const struct step_part *part, const struct drawn *drawn)
{
	struct range range = { INFINITY, 0 };
	const double best = part->model.origin == STEP_NOTHING ? NAN : part->model.cap;

	for (size_t l = 0; l < drawn->ncurves; l++) {
		for (size_t i = 0; i < drawn->curves[l]->npoints; i++) {
			const double cap = (double)drawn->curves[l]->points[i].cap;

			range.low = cap > 0 ? fmin(range.low, cap) : range.low;
			range.high = fmax(range.high, cap);
		}
	}
	if (best >= 1 && best * most_beyond >= range.low && best <= range.high * most_beyond)
		range = (struct range){ fmin(range.low, best), fmax(range.high, best) };
	return range;
}

static double model_sample(struct range sizes, int i)
{
	return sizes.low * pow(sizes.high / sizes.low, (double)i / MODEL_SAMPLES);
}

static void take_line(struct range *range, const struct step_line *line)
{
	for (size_t i = 0; i < line->npoints; i++) {
		const struct step_point *point = &line->points[i];

		range->low = fmin(range->low, fmin(point->time, point->low));
		range->high = fmax(range->high, fmax(point->time, point->high));
	}
}

static struct range times_of(const struct step_part *part, const struct drawn *drawn, struct range sizes)
{
	struct range range = { INFINITY, 0 };
	double most;

	for (size_t l = 0; l < drawn->ncurves; l++)
		take_line(&range, drawn->curves[l]);
	for (size_t l = 0; l < drawn->nlevels; l++)
		take_line(&range, drawn->levels[l]);
	most = range.high * most_above;
	for (int i = 0; i <= MODEL_SAMPLES; i++) {
		const double time = step_model_at(part, model_sample(sizes, i));

		if (time > 0) {
			range.low = fmin(range.low, time);
			range.high = fmax(range.high, fmin(time, most));
		}
	}
	if (part->best && step_best(part->best)->compute > 0)
		range.low = fmin(range.low, step_best(part->best)->compute);
	return range;
}

void step_plot_data(FILE *out, const struct step_part *part)
{
	const struct drawn drawn = choose(part);
	const struct range sizes = sizes_of(part, &drawn);

	for (size_t l = 0; l < drawn.ncurves; l++) {
		fprintf(out, "%s# bucket_bytes step_us low_us high_us\n", l > 0 ? "\n\n" : "");
		for (size_t i = 0; i < drawn.curves[l]->npoints; i++) {
			const struct step_point *point = &drawn.curves[l]->points[i];

			if (point->cap == RESULT_NONE)
				continue;
			fprintf(out, "%lld", (long long)point->cap);
			plot_put_number(out, point->time * 1e6);
			plot_put_number(out, (isfinite(point->low) ? point->low : point->time) * 1e6);
			plot_put_number(out, (isfinite(point->high) ? point->high : point->time) * 1e6);
			putc('\n', out);
		}
	}
	if (part->model.origin == STEP_NOTHING)
		return;
	fputs("\n\n# bucket_bytes model_us\n", out);
	for (int i = 0; i <= MODEL_SAMPLES; i++) {
		fprintf(out, "%.9g", model_sample(sizes, i));
		plot_put_number(out, step_model_at(part, model_sample(sizes, i)) * 1e6);
		putc('\n', out);
	}
}

/* Commas are not of the safe alphabet. */
static void put_label(FILE *out, const char *name, size_t i, const char *text)
{
	char label[48];

	snprintf(label, sizeof label, "%s", text);
	for (char *comma = strstr(label, ", "); comma; comma = strstr(comma, ", "))
		memmove(comma, comma + 1, strlen(comma));
	escape_label(label, sizeof label, label);
	fprintf(out, "%s[%zu] = \"%s\"\n", name, i + 1, label);
}

static void put_lines(FILE *out, const struct drawn *drawn)
{
	fprintf(out, "nseries = %zu\nnlevels = %zu\n", drawn->ncurves, drawn->nlevels);
	plot_put_array(out, "label", drawn->ncurves);
	plot_put_array(out, "in_place", drawn->ncurves);
	plot_put_array(out, "level", drawn->nlevels);
	plot_put_array(out, "level_label", drawn->nlevels);
	for (size_t l = 0; l < drawn->ncurves; l++) {
		put_label(out, "label", l, drawn->curves[l]->label);
		fprintf(out, "in_place[%zu] = %d\n", l + 1, l + 1 < drawn->ncurves);
	}
	for (size_t l = 0; l < drawn->nlevels; l++) {
		put_label(out, "level_label", l, drawn->levels[l]->label);
		fprintf(out, "level[%zu] = %.9g\n", l + 1, step_best(drawn->levels[l])->time * 1e6);
	}
}

/* Absent: 0, which no time and no size is. */
static void put_mark(FILE *out, const char *name, double bytes, double time)
{
	const bool known = isfinite(bytes) && isfinite(time) && bytes > 0 && time > 0;

	fprintf(out, "%s_bytes = %.9g\n%s_us = %.9g\n", name, known ? bytes : 0, name, known ? time * 1e6 : 0);
}

void step_plot_script(FILE *out, const struct step_part *part, size_t p)
{
	const struct drawn drawn = choose(part);
	const struct range sizes = sizes_of(part, &drawn), times = times_of(part, &drawn, sizes);
	const struct step_point *best = part->best ? step_best(part->best) : NULL;
	const bool model = part->model.origin != STEP_NOTHING;
	const bool inside = model && part->model.cap >= sizes.low && part->model.cap <= sizes.high;

	fprintf(out, "# Written by collperf report; draw it again with: gnuplot -d %s\n\n", step_plot_file(p, "gp").text);
	fprintf(out, "data = \"%s\"\nfile = \"%s\"\n", step_plot_file(p, "dat").text, step_plot_file(p, "").text);
	fprintf(out, "xmin = %.17g\nxmax = %.17g\nymin = %.9g\nymax = %.9g\n", sizes.low, sizes.high, times.low * 1e6,
		times.high * 1e6);
	put_lines(out, &drawn);
	fprintf(out, "has_model = %d\ncompute_us = %.9g\n", model, best && best->compute > 0 ? best->compute * 1e6 : 0);
	put_mark(out, "measured", best && best->cap != RESULT_NONE ? (double)best->cap : NAN, best ? best->time : NAN);
	put_mark(out, "predicted", inside ? part->model.cap : NAN, part->model.time);
	fputs("load \"steps.gp\"\n", out);
}

static int write_figure(const struct outdir *dir, const struct step_part *part, size_t p)
{
	const struct plot_name data = step_plot_file(p, "dat"), script = step_plot_file(p, "gp");
	FILE *out = outdir_create(dir, data.text);

	if (!out)
		return -1;
	step_plot_data(out, part);
	if (outdir_finish(dir, data.text, out))
		return -1;
	out = outdir_create(dir, script.text);
	if (!out)
		return -1;
	step_plot_script(out, part, p);
	return outdir_finish(dir, script.text, out);
}

/* A figure of an earlier report must not pass for one of this. */
static void remove_old(const struct outdir *dir, size_t p)
{
	static const char *const extensions[] = { "svg", "png", "gp", "dat" };

	for (size_t e = 0; e < sizeof extensions / sizeof *extensions; e++)
		unlinkat(dir->fd, step_plot_file(p, extensions[e]).text, 0);
}

int step_plot(const struct outdir *dir, const struct step_study *steps, enum plot_outcome *outcome)
{
	char *program = steps->count > 0 ? gnuplot_find() : NULL;
	int rc = 0;

	for (size_t p = 0; p < STEP_SHOWN_PARTS && rc == 0; p++) {
		remove_old(dir, p);
		if (!step_plot_has(steps, p))
			continue;
		rc = write_figure(dir, &steps->parts[p], p);
		if (rc == 0 && program && gnuplot_run(program, dir, step_plot_file(p, "gp").text))
			*outcome = PLOT_FAILED;
	}
	free(program);
	return rc;
}
