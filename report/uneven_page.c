/* SPDX-License-Identifier: Apache-2.0
 *
 * "What unevenness costs": a table in the section of alltoallv, in index.html and in report.md.
 */
#include <math.h>
#include <stdio.h>

#include "escape.h"
#include "human.h"
#include "page.h"
#include "uneven.h"

enum { MOST_MARKDOWN_ROWS = 40 };

static const char title[] = "What unevenness costs";

static const char explanation[] =
	"Imbalance: what the busiest rank sends or receives against the mean over ranks; the size is "
	"the busiest rank's. Against the even "
	"exchange of as much in all (size / imbalance, in blocks of 16 bytes; where it has no row of "
	"its own, read between the sizes beside it) the ratio is "
	"what unevenness costs: about the "
	"imbalance where bandwidth decides, about 1 where latency does. In the even exchange of the "
	"same size every rank is as busy as the "
	"busiest one here, so a skew that takes clearly longer than that costs more than its imbalance "
	"explains; of a matrix, which may send "
	"fewer messages or more, that does not follow. Not apart: the interval includes 1 and more. "
	"Without a number: ranks took turns, one of them came late, there are too few samples for an interval, or it is "
	"too noisy (the interval spans more than a factor of 2 to a side, or a median is imprecise by more than 2.5 % and calls "
	"of "
	"both took equally long); -: a time is not known.";

static const struct head {
	const char *name;
	bool opt; /* left out on a phone */
} heads[] = {
	{ "size", false },
	{ "imbalance", false },
	{ "uneven", false },
	{ "interval", true },
	{ "even, as much in all", false },
	{ "ratio", false },
	{ "interval", true },
	{ "even, same size", false },
	{ "ratio", false },
	{ "interval", true },
};
enum { HEADS = sizeof heads / sizeof *heads };

struct cells {
	struct human cells[HEADS];
};

static struct human ratios(const struct compare_point *point)
{
	struct human text = { "-" };

	if (isfinite(point->low) && isfinite(point->high))
		snprintf(text.text, sizeof text.text, "%.20s to %.20s", human_ratio(point->low).text,
			 human_ratio(point->high).text);
	return text;
}

static struct human times(const struct point *point)
{
	struct human text = { "-" };

	if (isfinite(point->low) && isfinite(point->high))
		snprintf(text.text, sizeof text.text, "%.20s to %.20s", human_time(point->low).text,
			 human_time(point->high).text);
	return text;
}

static struct cells cells_of(const struct uneven_line *line)
{
	return (struct cells){ { human_size(line->point->bytes), human_ratio(line->point->imbalance),
				 human_time(line->point->time), times(line->point), human_time(line->total.base_time),
				 uneven_ratio(&line->total), ratios(&line->total), human_time(line->busy.base_time),
				 uneven_ratio(&line->busy), ratios(&line->busy) } };
}

/* What the even times are of, or why there are none. */
static void put_words(FILE *out, enum escape how, const struct uneven_base *base, const struct series *series)
{
	if (base->own)
		escape_put(out, how, "even rows of the same file, %s", series->source);
	if (base->other)
		escape_put(out, how, "%s%s", base->own ? ", and of " : "even rows of ", base->other->source);
	if (base->doubt)
		escape_put(out, how,
			   "there are even rows, but of several files or of other or unknown hosts, so none is compared");
	else if (!base->own && !base->other)
		escape_put(out, how, "no even rows of the same setting (alltoallv_perf measures them beside the uneven ones)");
}

static bool has_any(const struct figure *figure)
{
	for (size_t s = 0; s < figure->nseries; s++)
		if (uneven_is(figure, &figure->series[s]))
			return true;
	return false;
}

static void html_table(FILE *out, const struct series *series, const struct uneven_base *base, size_t *written)
{
	fputs("<div class=\"box tall\"><table><thead><tr>", out);
	for (size_t i = 0; i < HEADS; i++)
		fprintf(out, "<th%s>%s</th>", heads[i].opt ? " class=\"l opt\"" : "", heads[i].name);
	fputs("</tr></thead><tbody>\n", out);
	for (size_t i = 0; i < series->npoints && *written < PAGE_MOST_ROWS; i++, ++*written) {
		const struct uneven_line line = uneven_line(base, &series->points[i]);
		const struct cells cells = cells_of(&line);

		fputs("<tr>", out);
		for (size_t c = 0; c < HEADS; c++)
			fprintf(out, "<td%s>%s</td>", heads[c].opt ? " class=\"l soft opt\"" : "", cells.cells[c].text);
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
}

void html_uneven(FILE *out, const struct page *page, const struct figure *figure)
{
	size_t written = 0;

	if (!has_any(figure))
		return;
	fprintf(out, "<h3>%s</h3>\n<p class=\"small soft\">%s</p>\n", title, explanation);
	for (size_t s = 0; s < figure->nseries && written < PAGE_MOST_ROWS; s++) {
		const struct series *series = &figure->series[s];

		if (!uneven_is(figure, series))
			continue;
		const struct uneven_base base = uneven_base(page->study, figure, series);

		escape_put(out, ESCAPE_HTML, "<p><b>%s</b>: ", series->label);
		put_words(out, ESCAPE_HTML, &base, series);
		fputs("</p>\n", out);
		html_table(out, series, &base, &written);
	}
}

static void markdown_table(FILE *out, const struct series *series, const struct uneven_base *base, size_t *written)
{
	for (size_t i = 0; i < HEADS; i++)
		fprintf(out, "| %s ", heads[i].name);
	fputs("|\n|---:|---:|---:|---|---:|---:|---|---:|---:|---|\n", out);
	for (size_t i = 0; i < series->npoints && *written < MOST_MARKDOWN_ROWS; i++, ++*written) {
		const struct uneven_line line = uneven_line(base, &series->points[i]);
		const struct cells cells = cells_of(&line);

		for (size_t c = 0; c < HEADS; c++)
			fprintf(out, "| %s ", cells.cells[c].text);
		fputs("|\n", out);
	}
	putc('\n', out);
}

void markdown_uneven(FILE *out, const struct page *page, const struct figure *figure)
{
	size_t written = 0;

	if (!has_any(figure))
		return;
	fprintf(out, "### %s\n\n%s\n\n", title, explanation);
	for (size_t s = 0; s < figure->nseries && written < MOST_MARKDOWN_ROWS; s++) {
		const struct series *series = &figure->series[s];

		if (!uneven_is(figure, series))
			continue;
		const struct uneven_base base = uneven_base(page->study, figure, series);

		escape_put(out, ESCAPE_MARKDOWN, "%s: ", series->label);
		put_words(out, ESCAPE_MARKDOWN, &base, series);
		fputs("\n\n", out);
		markdown_table(out, series, &base, &written);
	}
}
