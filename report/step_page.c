/* SPDX-License-Identifier: Apache-2.0
 *
 * The section on training steps, in index.html and in report.md, and their points as a table.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "columns.h"
#include "escape.h"
#include "human.h"
#include "page.h"
#include "step_plot.h"
#include "step_study.h"
#include "step_words.h"

enum { MOST_MARKDOWN_ROWS = 60, MOST_ROWS = 250 };

static const char title[] = "time of a step against the size of buckets";

static const char explanation[] =
	"A training step in miniature: compute in the place of the backward pass yields gradients one after another, and they "
	"are "
	"reduced over all ranks, bucket by bucket while it goes on (bucketed), all at once after it (flat) or one by one after "
	"it "
	"(naive); zero and fsdp as libraries of these names do. Exposed is what a step takes longer than its compute alone; "
	"overlap "
	"is the part of the communication alone that is not exposed. The model is of bucketed steps whose data moves while ranks "
	"compute.";

static const char *const heads[] = { "strategy", "bucket cap", "calls", "step", "compute alone", "communication alone",
				     "exposed",  "overlap",    "model" };
enum { HEADS = sizeof heads / sizeof *heads };

/* What a point's row of the table holds. */
struct cells {
	struct human cells[HEADS]; /* that of the strategy is the line's label */
};

static struct cells cells_of(const struct step_part *part, const struct step_line *line, const struct step_point *point)
{
	const double cap = point->cap == RESULT_NONE ? NAN : (double)point->cap;

	return (struct cells){ { { "" },
				 human_size(cap),
				 human_integer(point->calls),
				 human_time(point->time),
				 human_time(point->compute),
				 human_time(point->comm),
				 human_time(point->exposed),
				 step_words_range(point),
				 human_time(step_model_of(part, line, point)) } };
}

static size_t count_points(const struct step_part *part)
{
	size_t n = 0;

	for (size_t l = 0; l < part->nlines; l++)
		n += part->lines[l].npoints;
	return n;
}

static void html_row(FILE *out, const struct step_part *part, const struct step_line *line, const struct step_point *point)
{
	const struct cells cells = cells_of(part, line, point);
	const bool best = line == part->best && point == step_best(line);

	escape_put(out, ESCAPE_HTML, "<tr><td class=\"l\">%s</td>", line->label);
	for (size_t i = 1; i < HEADS; i++)
		fprintf(out, best && i == 3 ? "<td><b>%s</b></td>" : "<td>%s</td>", cells.cells[i].text);
	fputs("</tr>\n", out);
}

static void html_table(FILE *out, const struct step_part *part)
{
	const size_t all = count_points(part);
	size_t written = 0;

	if (all == 0)
		return;
	fputs("<div class=\"box tall\"><table><thead><tr>", out);
	for (size_t i = 0; i < HEADS; i++)
		fprintf(out, i == 0 ? "<th class=\"l\">%s</th>" : "<th>%s</th>", heads[i]);
	fputs("</tr></thead><tbody>\n", out);
	for (size_t l = 0; l < part->nlines; l++)
		for (size_t i = 0; i < part->lines[l].npoints && written < MOST_ROWS; i++, written++)
			html_row(out, part, &part->lines[l], &part->lines[l].points[i]);
	fputs("</tbody></table></div>\n", out);
	if (written < all)
		escape_put(out, ESCAPE_HTML, "<p class=\"small soft\">%zu more %s in steps.csv.</p>\n", all - written,
			   all - written == 1 ? "is" : "are");
}

static void html_part(FILE *out, const struct page *page, size_t p)
{
	const struct step_part *part = &page->steps->parts[p];
	char text[STEP_WORDS];

	step_part_label(page->steps, part, text, sizeof text);
	if (*text)
		escape_put(out, ESCAPE_HTML, "<h3>%s</h3>\n", text);
	fputs("<div class=\"figures\">\n<ul>\n", out);
	for (size_t i = 0; i < STEP_SENTENCES; i++)
		if (step_words(part, i, text, sizeof text))
			escape_put(out, ESCAPE_HTML, "<li>%s</li>\n", text);
	fputs("</ul>\n", out);
	if (step_plot_has(page->steps, p)) {
		fputs("<div>\n", out);
		html_svg(out, page, step_plot_file(p, "svg").text, step_plot_file(p, "png").text, title, PAGE_MOST_FIGURE);
		if (part->nlines > STEP_SHOWN_LINES)
			escape_put(out, ESCAPE_HTML, "<p class=\"small soft\">%zu more line%s in the table alone.</p>\n",
				   part->nlines - STEP_SHOWN_LINES, part->nlines == STEP_SHOWN_LINES + 1 ? " is" : "s are");
		fputs("</div>\n", out);
	}
	fputs("</div>\n", out);
	html_table(out, part);
}

/* Measured settings stand before simulated ones. */
static struct human more_parts(const struct step_study *steps)
{
	const size_t more = steps->count - STEP_SHOWN_PARTS;
	struct human text;

	snprintf(text.text, sizeof text.text, "%zu more setting%s in steps.csv alone.", more, more == 1 ? " is" : "s are");
	return text;
}

void html_steps(FILE *out, const struct page *page)
{
	const struct step_study *steps = page->steps;

	if (steps->count == 0)
		return;
	fprintf(out, "<section id=\"steps\">\n<h2>Training steps</h2>\n<p class=\"small soft\">%s</p>\n", explanation);
	for (size_t p = 0; p < steps->count && p < STEP_SHOWN_PARTS; p++)
		html_part(out, page, p);
	if (steps->count > STEP_SHOWN_PARTS)
		escape_put(out, ESCAPE_HTML, "<p class=\"small soft\">%s</p>\n", more_parts(steps).text);
	fputs("<p class=\"small soft\">The points as numbers: <code>steps.csv</code> beside this page.</p>\n</section>\n", out);
}

static void markdown_table(FILE *out, const struct step_part *part)
{
	const size_t all = count_points(part);
	size_t written = 0;

	if (all == 0)
		return;
	for (size_t i = 0; i < HEADS; i++)
		fprintf(out, "| %s ", heads[i]);
	fputs("|\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n", out);
	for (size_t l = 0; l < part->nlines; l++) {
		const struct step_line *line = &part->lines[l];

		for (size_t i = 0; i < line->npoints && written < MOST_MARKDOWN_ROWS && ftell(out) < PAGE_MARKDOWN_BYTES / 2;
		     i++, written++) {
			const struct cells cells = cells_of(part, line, &line->points[i]);

			escape_put(out, ESCAPE_MARKDOWN, "| %s ", line->label);
			for (size_t c = 1; c < HEADS; c++)
				fprintf(out, "| %s ", cells.cells[c].text);
			fputs("|\n", out);
		}
	}
	if (written < all)
		fprintf(out, "\n%zu more %s in steps.csv.\n", all - written, all - written == 1 ? "is" : "are");
	putc('\n', out);
}

static void markdown_part(FILE *out, const struct page *page, size_t p)
{
	const struct step_part *part = &page->steps->parts[p];
	const struct plot_name png = step_plot_file(p, "png");
	char text[STEP_WORDS];

	step_part_label(page->steps, part, text, sizeof text);
	if (*text)
		escape_put(out, ESCAPE_MARKDOWN, "### %s\n\n", text);
	for (size_t i = 0; i < STEP_SENTENCES; i++)
		if (step_words(part, i, text, sizeof text))
			escape_put(out, ESCAPE_MARKDOWN, "- %s\n", text);
	putc('\n', out);
	if (step_plot_has(page->steps, p) && faccessat(page->dir->fd, png.text, R_OK, 0) == 0)
		fprintf(out, "%s:\n\n![%s](%s)\n\n", title, png.text, png.text);
	markdown_table(out, part);
}

void markdown_steps(FILE *out, const struct page *page)
{
	const struct step_study *steps = page->steps;

	if (steps->count == 0)
		return;
	fprintf(out, "## Training steps\n\n%s\n\n", explanation);
	for (size_t p = 0; p < steps->count && p < STEP_SHOWN_PARTS; p++)
		markdown_part(out, page, p);
	if (steps->count > STEP_SHOWN_PARTS)
		escape_put(out, ESCAPE_MARKDOWN, "%s\n\n", more_parts(steps).text);
	fputs("The points as numbers: steps.csv.\n\n", out);
}

static void put_real(FILE *out, double value)
{
	char buffer[40];

	putc(',', out);
	if (isfinite(value))
		fputs(column_number(value, buffer, sizeof buffer), out);
}

static void put_integer(FILE *out, int64_t value)
{
	if (value == RESULT_NONE)
		putc(',', out);
	else
		fprintf(out, ",%lld", (long long)value);
}

static void put_point(FILE *out, const struct step_part *part, const struct step_line *line, const struct step_point *point)
{
	const char *texts[] = { line->key->strategy, line->key->progress, line->key->backend, line->key->path, line->key->type };
	const int64_t integers[] = { line->key->prefetch, line->key->nranks, line->key->bytes,        line->key->tensors,
				     point->cap,          point->calls,      (int64_t)point->launches };
	const double times[] = {
		point->time, point->low, point->high, point->compute, point->asked, point->comm, point->exposed
	};

	escape_text(out, ESCAPE_CSV, line->source);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		putc(',', out);
		escape_text(out, ESCAPE_CSV, texts[i]);
	}
	for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
		put_integer(out, integers[i]);
	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		put_real(out, times[i] * 1e6);
	put_real(out, point->overlap);
	put_real(out, point->overlap_low);
	put_real(out, point->overlap_high);
	put_real(out, step_model_of(part, line, point) * 1e6);
	fputs("\r\n", out);
}

void step_study_csv(FILE *out, const struct step_study *steps)
{
	fputs("source,strategy,progress,backend,path,type,prefetch,nranks,bytes,tensors,bucket_cap,calls,launches,step_us,step_"
	      "low_us,"
	      "step_high_us,compute_us,compute_asked_us,comm_us,exposed_us,overlap,overlap_low,overlap_high,model_us\r\n",
	      out);
	for (size_t p = 0; p < steps->count; p++)
		for (size_t l = 0; l < steps->parts[p].nlines; l++)
			for (size_t i = 0; i < steps->parts[p].lines[l].npoints; i++)
				put_point(out, &steps->parts[p], &steps->parts[p].lines[l], &steps->parts[p].lines[l].points[i]);
}
