/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameters in index.html: of each machine, and of a primitive's series, with their intervals and what may be thought of them.
 */
#include "page.h"

#include <math.h>

#include "escape.h"
#include "human.h"
#include "overview.h"
#include "tables.h"

/* A value over its interval. */
static void put_between(FILE *out, struct human value, struct human low, struct human high, bool known)
{
	fprintf(out, "<td>%s", value.text);
	if (known)
		fprintf(out, "<small>%s &ndash; %s</small>", low.text, high.text);
	fputs("</td>", out);
}

static void put_time(FILE *out, double value, double low, double high)
{
	put_between(out, human_time(value), human_time(low), human_time(high), isfinite(low) && isfinite(high));
}

static void put_rate(FILE *out, double value, double low, double high)
{
	put_between(out, human_rate(value), human_rate(low), human_rate(high), isfinite(low) && isfinite(high));
}

static void put_quality(FILE *out, const struct fit *fit)
{
	fprintf(out, "<td>%s</td>", human_percent(fit->residual).text);
	escape_put(out, ESCAPE_HTML, "<td class=\"wide\">%s%s", overview_fit_sentence(fit),
		   fit_is_curved(fit) ? "; deviations keep their sign over long stretches: the true curve is bent" : "");
	if (fit->outliers > 0)
		escape_put(out, ESCAPE_HTML, "; %zu sizes left out as outliers, the worst at %s", fit->outliers,
			   human_size(fit->outlier_bytes).text);
	fputs("</td></tr>\n", out);
}

static const char *const segment_words[] = {
	[FIT_GOOD] = "one line",
	[FIT_POOR] = "poor",
	[FIT_NO_BANDWIDTH] = "tells no b here",
	[FIT_NO_ALPHA] = "tells no a here",
	[FIT_TOO_FEW] = "too few sizes",
	[FIT_NEITHER] = "tells neither here",
};

static void segment_row(FILE *out, const struct fit_segment *segment, bool models)
{
	bool a = segment->verdict != FIT_NO_ALPHA && segment->verdict != FIT_NEITHER;
	bool b = segment->verdict != FIT_NO_BANDWIDTH && segment->verdict != FIT_NEITHER;

	fprintf(out, "<tr class=\"part\"><td class=\"l\">%s &ndash; %s</td><td>%zu</td>", human_size(segment->first_bytes).text,
		human_size(segment->last_bytes).text, segment->n);
	put_time(out, a ? segment->a.value : NAN, a ? segment->a.low : NAN, a ? segment->a.high : NAN);
	put_rate(out, b ? 1 / segment->b.value : NAN, b ? 1 / segment->b.high : NAN, b ? 1 / segment->b.low : NAN);
	fprintf(out, "<td></td>%s<td>%s</td>", models ? "<td></td><td></td>" : "", human_percent(segment->residual).text);
	fprintf(out, "<td class=\"wide\">%s</td></tr>\n", segment_words[segment->verdict]);
}

static void series_row(FILE *out, const struct series *series, bool models)
{
	const struct fit *fit = &series->fit;
	const struct link_fit *link = &series->link;

	escape_put(out, ESCAPE_HTML, "<tr><td class=\"l\">%s", series->label);
	if (models && link->model)
		escape_put(out, ESCAPE_HTML, "<small>as %s</small>", link->model->name);
	fprintf(out, "</td><td>%zu</td>", fit->n);
	put_time(out, fit->alpha, fit->alpha_low, fit->alpha_high);
	put_rate(out, fit->bandwidth, fit->bandwidth_low, fit->bandwidth_high);
	fprintf(out, "<td>%s</td>", human_size(fit->half_bytes).text);
	if (models) {
		put_time(out, link->alpha.value, link->alpha.low, link->alpha.high);
		put_rate(out, link->bandwidth.value, link->bandwidth.low, link->bandwidth.high);
	}
	put_quality(out, fit);
	for (size_t s = 0; fit->nsegments > 1 && s < fit->nsegments; s++)
		segment_row(out, &fit->segments[s], models);
}

void html_fits(FILE *out, const struct figure *figure)
{
	bool models = false, any = false;

	for (size_t s = 0; s < figure->nshown; s++) {
		any |= figure->series[s].npoints > 1;
		models |= figure->series[s].link.model && !plot_is_message(figure->coll);
	}
	if (!any)
		return;
	fputs("<h3>Fit: t = a + b S</h3>\n<div class=\"box\"><table>\n<thead><tr><th "
	      "class=\"l\">series</th><th>sizes</th><th>a</th>"
	      "<th>1/b</th><th>n&frac12;</th>",
	      out);
	fputs(models ? "<th>alpha</th><th>B</th>" : "", out);
	fputs("<th>residual</th><th class=\"l\">verdict</th></tr></thead>\n<tbody>\n", out);
	for (size_t s = 0; s < figure->nshown; s++)
		series_row(out, &figure->series[s], models);
	fputs("</tbody></table></div>\n<p class=\"small soft\">Small: 95 % intervals. n&frac12;: the size at which half of 1/b "
	      "is "
	      "reached. Residual: root mean square, of the time.",
	      out);
	if (models)
		fputs(" Alpha and B: of one link, if the algorithm is the named one.", out);
	fputs("</p>\n", out);
}

static void machine_row(FILE *out, const struct machine *machine)
{
	const struct result *key = machine->key;
	const struct fit *fit = &machine->fit;
	bool fitted = machine->known && !machine->given && !machine->bandwidth_only;

	escape_put(out, ESCAPE_HTML, "<tr><td class=\"l\">%s ranks%s%s%s%s<small>%s</small></td>",
		   human_integer(key->nranks).text, *key->backend ? ", " : "", key->backend, *key->path ? ", " : "", key->path,
		   machine->name);
	put_time(out, machine->bandwidth_only ? NAN : machine->alpha, fitted ? fit->alpha_low : NAN,
		 fitted ? fit->alpha_high : NAN);
	put_rate(out, machine->bandwidth, fitted && !machine->linked ? fit->bandwidth_low : NAN,
		 fitted && !machine->linked ? fit->bandwidth_high : NAN);
	fprintf(out, "<td>%s</td>", human_size(machine->bandwidth_only ? NAN : machine->alpha * machine->bandwidth).text);
	escape_put(out, ESCAPE_HTML, "<td class=\"l\">%s</td>", tables_origin(machine));
	if (key->nranks < 2)
		fputs("<td class=\"wide\">one rank has no link</td></tr>\n", out);
	else if (machine->given || machine->bandwidth_only)
		fprintf(out, "<td class=\"wide\">%s, not measured</td></tr>\n", machine->own ? "of the topology" : "given");
	else if (machine->fit_rows == 0)
		fputs("<td class=\"wide\">no usable sendrecv sweep, hence no bounds</td></tr>\n", out);
	else
		escape_put(out, ESCAPE_HTML, "<td class=\"wide\">%s; residual %s</td></tr>\n", overview_fit_sentence(fit),
			   human_percent(fit->residual).text);
}

static bool is_told(const struct machine *machine)
{
	return machine->known || machine->fit_rows > 0;
}

void html_machines(FILE *out, const struct study *study)
{
	size_t told = 0, shown = 0;

	for (size_t m = 0; m < study->nmachines; m++)
		told += is_told(&study->machines[m]);
	fputs("<h2 id=\"machine\">The machine</h2>\n", out);
	if (told == 0) {
		fputs("<p>Alpha and B are not known: there is no usable sendrecv sweep and none were given. Hence no "
		      "bounds.</p>\n",
		      out);
		return;
	}
	fputs("<div class=\"box\"><table>\n<thead><tr><th class=\"l\">link</th><th>alpha</th><th>B</th><th>n&frac12;</th>"
	      "<th class=\"l\">from</th><th class=\"l\">verdict</th></tr></thead>\n<tbody>\n",
	      out);
	for (size_t m = 0; m < study->nmachines && shown < PAGE_MOST_MACHINES; m++) {
		if (!is_told(&study->machines[m]))
			continue;
		machine_row(out, &study->machines[m]);
		shown++;
	}
	fputs("</tbody></table></div>\n<p class=\"small soft\">A message of n bytes takes alpha + n / B; n&frac12; = alpha B is "
	      "the "
	      "size at which half of B is reached. Small: 95 % intervals.",
	      out);
	if (shown < told)
		escape_put(out, ESCAPE_HTML, " %zu more are in fit.csv.", told - shown);
	fputs("</p>\n", out);
}
