/* SPDX-License-Identifier: Apache-2.0
 *
 * What a primitive's section says of series held against each other, and of numbers of ranks.
 */
#include <math.h>
#include <string.h>

#include "compare.h"
#include "escape.h"
#include "human.h"
#include "page.h"
#include "scaling.h"

/* The comparisons that are shown, and how far the table has come in each. */
struct columns {
	const struct comparison *items[STUDY_SHOWN_SERIES];
	size_t next[STUDY_SHOWN_SERIES];
	size_t count;
	const struct series *base; /* of all; NULL where they have several */
};

static struct columns find_columns(const struct figure *figure)
{
	struct columns columns = { .count = 0 };

	for (size_t i = 0; i < figure->ncomparisons && columns.count < STUDY_SHOWN_SERIES; i++) {
		if (figure->comparisons[i].shown)
			columns.items[columns.count++] = &figure->comparisons[i];
	}
	columns.base = columns.count > 0 ? columns.items[0]->base : NULL;
	for (size_t c = 1; c < columns.count; c++) {
		if (columns.items[c]->base != columns.items[0]->base)
			columns.base = NULL;
	}
	return columns;
}

static void table_head(FILE *out, const struct columns *columns)
{
	fputs("<div class=\"box tall\"><table>\n<thead><tr><th>size</th>", out);
	if (columns->base)
		escape_put(out, ESCAPE_HTML, "<th>%s</th>", columns->base->label);
	for (size_t c = 0; c < columns->count; c++) {
		if (!columns->base)
			escape_put(out, ESCAPE_HTML, "<th>%s</th>", columns->items[c]->base->label);
		escape_put(out, ESCAPE_HTML, "<th>%s</th><th>time ratio</th><th class=\"l opt\">interval</th>",
			   columns->items[c]->series->label);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
}

static void put_ratio(FILE *out, const struct compare_point *point)
{
	bool open = isfinite(point->low) && point->low <= 1 && point->high >= 1, told = isfinite(point->ratio);

	fprintf(out, "<td>%s</td><td%s>%s</td>", human_time(point->time).text, open || !told ? " class=\"soft\"" : "",
		told ? human_ratio(point->ratio).text : ratio_mark(point->kind));
	if (isfinite(point->low))
		fprintf(out, "<td class=\"l soft opt\">%s &ndash; %s</td>", human_ratio(point->low).text,
			human_ratio(point->high).text);
	else
		fputs("<td class=\"l soft opt\">-</td>", out);
}

/* The least size that some column still has; INFINITY at the end. */
static double next_size(const struct columns *columns)
{
	double size = INFINITY;

	for (size_t c = 0; c < columns->count; c++) {
		if (columns->next[c] < columns->items[c]->npoints)
			size = fmin(size, columns->items[c]->points[columns->next[c]].bytes);
	}
	return size;
}

static void table_row(FILE *out, struct columns *columns, double size)
{
	double base_time = NAN;

	for (size_t c = 0; c < columns->count; c++) {
		const struct comparison *item = columns->items[c];

		if (columns->next[c] < item->npoints && item->points[columns->next[c]].bytes == size)
			base_time = item->points[columns->next[c]].base_time;
	}
	fprintf(out, "<tr><td>%s</td>", human_size(size).text);
	if (columns->base)
		fprintf(out, "<td>%s</td>", human_time(base_time).text);
	for (size_t c = 0; c < columns->count; c++) {
		const struct comparison *item = columns->items[c];

		if (columns->next[c] >= item->npoints || item->points[columns->next[c]].bytes != size) {
			fputs(columns->base ? "" : "<td>-</td>", out);
			fputs("<td>-</td><td>-</td><td class=\"l soft opt\">-</td>", out);
			continue;
		}
		if (!columns->base)
			fprintf(out, "<td>%s</td>", human_time(item->points[columns->next[c]].base_time).text);
		put_ratio(out, &item->points[columns->next[c]++]);
	}
	fputs("</tr>\n", out);
}

static void table(FILE *out, struct columns *columns)
{
	size_t written = 0;
	double size;

	table_head(out, columns);
	while (written < PAGE_MOST_ROWS && isfinite(size = next_size(columns))) {
		table_row(out, columns, size);
		written++;
	}
	fputs("</tbody></table></div>\n", out);
}

void html_comparison(FILE *out, const struct page *page, const struct figure *figure)
{
	struct columns columns = find_columns(figure);
	size_t hidden = figure->ncomparisons - columns.count;

	if (columns.count == 0)
		return;
	if (columns.base)
		escape_put(out, ESCAPE_HTML, "<h3>Compared with %s</h3>\n", columns.base->label);
	else
		fputs("<h3>Compared with each other</h3>\n", out);
	fputs("<ul>\n", out);
	for (size_t c = 0; c < columns.count; c++) {
		fputs("<li>", out);
		compare_put(out, ESCAPE_HTML, columns.items[c]);
		fputs("</li>\n", out);
	}
	fputs("</ul>\n<div class=\"figures\">\n", out);
	html_figure(out, page, figure, PLOT_RATIO);
	table(out, &columns);
	fputs("</div>\n", out);
	fputs("<p class=\"small soft\">The interval of a ratio comes from those of both medians (of several launches: from what "
	      "they "
	      "span); one launch says nothing of how the next would differ. Grey: the interval "
	      "holds 1, or there is no ratio.",
	      out);
	if (hidden > 0 || isfinite(next_size(&columns)))
		escape_put(out, ESCAPE_HTML, " More%s in compare.csv.", hidden > 0 ? " comparisons are" : " sizes are");
	fputs("</p>\n", out);
}

static void scaling_words(FILE *out, const struct figure *figure)
{
	size_t left_out = 0, hidden = figure->nscalings - scaling_shown(figure);
	bool turns = false;

	for (size_t i = 0; i < figure->nscalings; i++) {
		const struct scaling *scaling = &figure->scalings[i];

		left_out += scaling->left_out;
		for (size_t s = 0; scaling->shown && s < scaling->count; s++)
			turns |= scaling->series[s]->points[0].oversubscribed;
	}
	fputs("<p class=\"small soft\">At sizes that all numbers of ranks share; models with alpha and B of each number of "
	      "ranks, where "
	      "they are known.",
	      out);
	if (turns)
		fputs(" Where ranks took turns on cores there are no models.", out);
	if (left_out > 0)
		escape_put(out, ESCAPE_HTML, " %zu more series have a number of ranks that is drawn already.", left_out);
	escape_put(out, ESCAPE_HTML, " All sizes%s are in scaling.csv.</p>\n", hidden > 0 ? " and what is not drawn" : "");
}

void html_scaling(FILE *out, const struct page *page, const struct figure *figure)
{
	enum plot_kind kind = PLOT_SCALING;

	for (size_t i = 0; i < figure->nscalings; i++) {
		const struct scaling *scaling = &figure->scalings[i];

		if (!scaling->shown)
			continue;
		escape_put(out, ESCAPE_HTML, "<h3>Scaling%s%s, %zu numbers of ranks</h3>\n<div class=\"figures\">\n",
			   *scaling->label && scaling_shown(figure) > 1 ? ": " : "",
			   scaling_shown(figure) > 1 ? scaling->label : "", scaling->count);
		html_figure(out, page, figure, kind);
		html_figure(out, page, figure, kind + 1);
		fputs("</div>\n", out);
		kind += 2;
	}
	if (scaling_shown(figure) > 0)
		scaling_words(out, figure);
}
