/* SPDX-License-Identifier: Apache-2.0
 *
 * The section of a primitive in index.html: its figures, a comparison of its paths, its points.
 */
#include "page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "human.h"
#include "overview.h"

/* Length of what starts at `text` when it is a reference to or the making of an id of gnuplot's svg; 0 otherwise. */
static size_t id_mark(const char *text)
{
	static const char *const marks[] = { "id='", "id=\"", "href='#", "href=\"#", "url(#" };

	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		if (strncmp(text, marks[i], strlen(marks[i])) == 0)
			return strlen(marks[i]);
	}
	return 0;
}

/* What gnuplot's svg holds that a page must not: its title shows up as a tooltip. */
static const char *skip_part(const char *text)
{
	static const char *const parts[][2] = { { "<title>", "</title>" }, { "<desc>", "</desc>" } };

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const char *end = strncmp(text, parts[i][0], strlen(parts[i][0])) == 0 ? strstr(text, parts[i][1]) : NULL;

		if (end)
			return end + strlen(parts[i][1]);
	}
	return text;
}

/* The svg without its prolog; ids get the figure's name in front, as several figures share a page. */
static void inline_svg(FILE *out, const char *svg, const char *name)
{
	const char *p = strstr(svg, "<svg");

	while (p && *p) {
		const char *next = skip_part(p);
		size_t mark = id_mark(next);

		if (next != p) {
			p = next;
			continue;
		}
		if (mark > 0) {
			fprintf(out, "%.*s%s_", (int)mark, p, name);
			p += mark;
			continue;
		}
		putc(*p++, out);
	}
}

static void put_figure(FILE *out, const struct page *page, const struct figure *figure, enum plot_kind kind)
{
	static const char *const what[PLOT_KINDS] = { "time against message size", "bus bandwidth against message size" };
	char *svg = outdir_read(page->dir, plot_file(figure->coll, kind, "svg").text);
	char name[64];

	if (svg && strlen(svg) > PAGE_MOST_FIGURE) {
		struct plot_name file = plot_file(figure->coll, kind, "png");

		fprintf(out, "<p><a href=\"%s\">%s: %s</a></p>\n", file.text, figure->coll->name, what[kind]);
	} else if (svg && strstr(svg, "</svg>") && !strstr(svg, "<script")) {
		snprintf(name, sizeof name, "%s_%d", figure->coll->name, (int)kind);
		fprintf(out, "<figure role=\"img\" aria-label=\"%s: %s\">\n", figure->coll->name, what[kind]);
		inline_svg(out, svg, name);
		fputs("</figure>\n", out);
	}
	free(svg);
}

static const struct point *point_at(const struct series *series, double bytes)
{
	for (size_t i = 0; i < series->npoints; i++) {
		if (series->points[i].bytes == bytes)
			return &series->points[i];
	}
	return NULL;
}

/* Other series that can be held against the first one: the same placement, so that only the path, file or rank count differs. */
static size_t list_rivals(const struct figure *figure, const struct series *rivals[STUDY_SHOWN_SERIES])
{
	size_t n = 0;

	for (size_t s = 1; s < figure->nshown; s++) {
		if (strcmp(figure->series[s].key->placement, figure->series[0].key->placement) == 0)
			rivals[n++] = &figure->series[s];
	}
	return n;
}

static void comparison_row(FILE *out, const struct point *base, const struct series *const rivals[], size_t nrivals)
{
	escape_put(out, ESCAPE_HTML, "<tr><td>%s</td><td>%s</td>", human_size(base->bytes).text, human_time(base->time).text);
	for (size_t r = 0; r < nrivals; r++) {
		const struct point *other = point_at(rivals[r], base->bytes);

		if (other)
			fprintf(out, "<td>%s</td><td>%.3g</td>", human_time(other->time).text, other->time / base->time);
		else
			fputs("<td>-</td><td>-</td>", out);
	}
	fputs("</tr>\n", out);
}

static void comparison(FILE *out, const struct figure *figure)
{
	const struct series *rivals[STUDY_SHOWN_SERIES];
	const struct series *base = &figure->series[0];
	size_t nrivals = list_rivals(figure, rivals);

	if (nrivals == 0)
		return;
	escape_put(out, ESCAPE_HTML,
		   "<h3>Compared with %s</h3>\n<div class=\"box tall\"><table>\n<thead><tr><th>size</th><th>%s</th>", base->label,
		   base->label);
	for (size_t r = 0; r < nrivals; r++)
		escape_put(out, ESCAPE_HTML, "<th>%s</th><th>time ratio</th>", rivals[r]->label);
	fputs("</tr></thead>\n<tbody>\n", out);
	for (size_t i = 0; i < base->npoints && i < PAGE_MOST_ROWS; i++)
		comparison_row(out, &base->points[i], rivals, nrivals);
	fputs("</tbody></table></div>\n", out);
	if (base->npoints > PAGE_MOST_ROWS)
		escape_put(out, ESCAPE_HTML, "<p class=\"small soft\">%zu more sizes are in bounds.csv.</p>\n",
			   base->npoints - PAGE_MOST_ROWS);
}

void html_section(FILE *out, const struct page *page, const struct figure *figure)
{
	escape_put(out, ESCAPE_HTML, "<section id=\"%s\">\n<h2>%s</h2>\n<p class=\"small soft\">%s.</p>\n", figure->coll->name,
		   figure->coll->name, figure->coll->summary);
	if (plot_has_figure(figure)) {
		fputs("<div class=\"figures\">\n", out);
		put_figure(out, page, figure, PLOT_LATENCY);
		put_figure(out, page, figure, PLOT_BUSBW);
		fputs("</div>\n<p class=\"small soft\">", out);
		overview_curves(out, ESCAPE_HTML, figure);
		fputs("</p>\n", out);
		comparison(out, figure);
	} else if (figure->singleton) {
		fputs("<p class=\"bad\">Not plotted: several jobs of one rank each, see the findings.</p>\n", out);
	}
	html_points(out, page, figure);
	fputs("</section>\n", out);
}
