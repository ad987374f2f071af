/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of all points of a primitive in index.html.
 */
#include "page.h"

#include <math.h>
#include <string.h>

#include "escape.h"
#include "human.h"
#include "series.h"

/* Which columns tell points apart; the others would say the same in every line. */
struct shown {
	bool source, run, path, nranks, type, redop, root, kernel, enqueue;
};

static struct shown find_shown(const struct study *study, const struct figure *figure)
{
	const struct result *first = figure->nrows > 0 ? rows_get(study->rows, figure->rows[0]) : NULL;
	const char *source = figure->nrows > 0 ? rows_source(study->rows, figure->rows[0]) : "";
	struct shown shown = { 0 };

	for (size_t k = 0; k < figure->nrows; k++) {
		const struct result *row = rows_get(study->rows, figure->rows[k]);

		shown.source |= !shown.source && strcmp(source, rows_source(study->rows, figure->rows[k])) != 0;
		shown.run |= !shown.run && strcmp(first->run, row->run) != 0;
		shown.path |= !shown.path && strcmp(first->path, row->path) != 0;
		shown.nranks |= first->nranks != row->nranks;
		shown.type |= strcmp(first->type, row->type) != 0;
		shown.redop |= strcmp(first->redop, row->redop) != 0;
		shown.root |= first->root != row->root;
		shown.kernel |= isfinite(row->kernel);
		shown.enqueue |= isfinite(row->enqueue);
	}
	return shown;
}

static void put_text(FILE *out, bool shown, const char *text)
{
	if (shown)
		escape_put(out, ESCAPE_HTML, "<td class=\"l\">%s</td>", text);
}

static void put_keys(FILE *out, const struct study *study, size_t i, struct shown shown)
{
	const struct result *row = rows_get(study->rows, i);

	put_text(out, shown.source, rows_source(study->rows, i));
	put_text(out, shown.run, row->run);
	put_text(out, shown.path, row->path);
	put_text(out, shown.nranks, human_integer(row->nranks).text);
	put_text(out, shown.type, row->type);
	put_text(out, shown.redop, row->redop);
	put_text(out, shown.root, human_integer(row->root).text);
	put_text(out, true, row->placement);
}

static void put_efficiency(FILE *out, double efficiency)
{
	fprintf(out, "<td>%s</td>", human_percent(efficiency).text);
}

static void put_row(FILE *out, const struct study *study, size_t i, struct shown shown, bool message)
{
	const struct result *row = rows_get(study->rows, i);
	struct bounds bounds = study_row_bounds(study, i);

	fprintf(out, "<tr><td>%s</td>", human_size((double)row->bytes).text);
	put_keys(out, study, i, shown);
	fprintf(out, "<td>%s</td>", human_time(row->time).text);
	if (isfinite(row->time_ci_low) && isfinite(row->time_ci_high))
		fprintf(out, "<td class=\"soft\">%s &ndash; %s</td>", human_time(row->time_ci_low).text,
			human_time(row->time_ci_high).text);
	else
		fputs("<td class=\"soft\">-</td>", out);
	if (shown.kernel)
		fprintf(out, "<td>%s</td>", human_time(row->kernel).text);
	if (shown.enqueue)
		fprintf(out, "<td>%s</td>", human_time(row->enqueue).text);
	fprintf(out, "<td>%s</td><td>%s</td><td>%s</td>", human_time(row->time_p99).text, human_rate(row->algbw).text,
		human_rate(row->busbw).text);
	put_efficiency(out, bounds.lb / row->time);
	if (!message)
		put_efficiency(out, bounds.ring / row->time);
	fprintf(out, "<td%s>%s</td>", row->wrong > 0 ? " class=\"bad\"" : "", human_integer(row->wrong).text);
	escape_put(out, ESCAPE_HTML, "<td class=\"l soft\">%s</td></tr>\n", row->flags);
}

static void put_head(FILE *out, struct shown shown, bool message)
{
	const struct {
		bool shown;
		const char *name;
	} keys[] = {
		{ shown.source, "file" }, { shown.run, "run" },     { shown.path, "path" }, { shown.nranks, "ranks" },
		{ shown.type, "type" },   { shown.redop, "redop" }, { shown.root, "root" }, { true, "placement" },
	};

	fputs("<thead><tr><th>size</th>", out);
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		if (keys[k].shown)
			fprintf(out, "<th class=\"l\">%s</th>", keys[k].name);
	}
	fprintf(out, "<th>median</th><th>95 %% interval</th>%s%s<th>p99</th><th>algbw</th><th>busbw</th>",
		shown.kernel ? "<th>kernel</th>" : "", shown.enqueue ? "<th>enqueue</th>" : "");
	fputs(message ? "<th>of alpha + S/B</th>" : "<th>of lower bound</th><th>of ring</th>", out);
	fputs("<th>wrong</th>"
	      "<th class=\"l\">flags</th></tr></thead>\n<tbody>\n",
	      out);
}

void html_points(FILE *out, const struct page *page, const struct figure *figure)
{
	const struct study *study = page->study;
	struct shown shown = find_shown(study, figure);
	size_t written = 0;

	escape_put(out, ESCAPE_HTML, "<details><summary>%zu points</summary>\n<div class=\"box tall\"><table>\n",
		   figure->distinct);
	put_head(out, shown, plot_is_message(figure->coll));
	for (size_t k = 0; k < figure->nrows && written < PAGE_MOST_ROWS; k++) {
		if (rows_is_repeat(study->rows, figure->rows[k]))
			continue;
		put_row(out, study, figure->rows[k], shown, plot_is_message(figure->coll));
		written++;
	}
	fputs("</tbody></table></div>\n", out);
	if (written < figure->distinct)
		escape_put(out, ESCAPE_HTML, "<p class=\"small soft\">%zu more are in bounds.csv.</p>\n",
			   figure->distinct - written);
	fputs("</details>\n", out);
}
