/* SPDX-License-Identifier: Apache-2.0
 *
 * The section of a primitive in index.html: its figures, what is compared, its points.
 */
#include "page.h"

#include <stdlib.h>
#include <string.h>

#include "escape.h"
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

/* The svg without its prolog; ids get the file's name in front, as several figures share a page. */
static void inline_svg(FILE *out, const char *svg, const char *file)
{
	const int stem = (int)strcspn(file, ".");
	const char *p = strstr(svg, "<svg");

	while (p && *p) {
		const char *next = skip_part(p);
		size_t mark = id_mark(next);

		if (next != p) {
			p = next;
			continue;
		}
		if (mark > 0) {
			fprintf(out, "%.*s%.*s_", (int)mark, p, stem, file);
			p += mark;
			continue;
		}
		putc(*p++, out);
	}
}

void html_svg(FILE *out, const struct page *page, const char *file, const char *larger, const char *title, size_t most)
{
	char *svg = outdir_read(page->dir, file);

	if (svg && strlen(svg) > most) {
		fprintf(out, "<p><a href=\"%s\">%s</a></p>\n", larger, title);
	} else if (svg && strstr(svg, "</svg>") && !strstr(svg, "<script")) {
		fprintf(out, "<figure role=\"img\" aria-label=\"%s\">\n", title);
		inline_svg(out, svg, file);
		fputs("</figure>\n", out);
	}
	free(svg);
}

void html_figure(FILE *out, const struct page *page, const struct figure *figure, enum plot_kind kind)
{
	char title[128];

	if (!plot_has(figure, kind))
		return;
	snprintf(title, sizeof title, "%s: %s", figure->coll->name, plot_title(kind));
	html_svg(out, page, plot_file(figure->coll, kind, "svg").text, plot_file(figure->coll, kind, "png").text, title,
		 PAGE_MOST_FIGURE);
}

void html_section(FILE *out, const struct page *page, const struct figure *figure)
{
	escape_put(out, ESCAPE_HTML, "<section id=\"%s\">\n<h2>%s</h2>\n<p class=\"small soft\">%s.</p>\n", figure->coll->name,
		   figure->coll->name, figure->coll->summary);
	if (plot_has_figure(figure)) {
		fputs("<div class=\"figures\">\n", out);
		html_figure(out, page, figure, PLOT_LATENCY);
		html_figure(out, page, figure, PLOT_BUSBW);
		fputs("</div>\n<p class=\"small soft\">", out);
		overview_curves(out, ESCAPE_HTML, figure);
		fputs("</p>\n", out);
		html_fits(out, figure);
		html_comparison(out, page, figure);
		html_uneven(out, page, figure);
		html_scaling(out, page, figure);
	} else if (figure->singleton) {
		fputs("<p class=\"bad\">Not plotted: several jobs of one rank each, see the findings.</p>\n", out);
	}
	html_points(out, page, figure);
	fputs("</section>\n", out);
}
