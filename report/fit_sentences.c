/* SPDX-License-Identifier: Apache-2.0
 *
 * What fits say, as sentences: of a machine's sendrecv sweep and of the series of a figure.
 */
#include "overview.h"

#include <math.h>

#include "human.h"
#include "plot.h"

/* " (4.9 us to 5.1 us)", of the numbers' own size; nothing where they are not known. */
static void put_interval(FILE *out, enum escape how, struct human low, struct human high, bool known)
{
	if (known)
		escape_put(out, how, " (%s to %s)", low.text, high.text);
}

static void put_alpha(FILE *out, enum escape how, const char *name, struct fit_value alpha)
{
	escape_put(out, how, "%s = %s", name, human_time(alpha.value).text);
	put_interval(out, how, human_time(alpha.low), human_time(alpha.high), isfinite(alpha.low) && isfinite(alpha.high));
}

static void put_rate(FILE *out, enum escape how, const char *name, struct fit_value rate)
{
	escape_put(out, how, "%s = %s", name, human_rate(rate.value).text);
	put_interval(out, how, human_rate(rate.low), human_rate(rate.high), isfinite(rate.low) && isfinite(rate.high));
}

static void put_headline(FILE *out, enum escape how, const struct fit *fit, const char *latency, const char *rate)
{
	put_alpha(out, how, latency, (struct fit_value){ fit->alpha, fit->alpha_low, fit->alpha_high });
	escape_put(out, how, ", ");
	put_rate(out, how, rate, (struct fit_value){ fit->bandwidth, fit->bandwidth_low, fit->bandwidth_high });
	if (isfinite(fit->half_bytes))
		escape_put(out, how, ", half of which is reached at %s", human_size(fit->half_bytes).text);
}

static void put_segment(FILE *out, enum escape how, const struct fit_segment *segment)
{
	bool alpha = segment->verdict != FIT_NO_ALPHA && segment->verdict != FIT_NEITHER;
	bool rate = segment->verdict != FIT_NO_BANDWIDTH && segment->verdict != FIT_NEITHER;

	escape_put(out, how, "%s to %s ", human_size(segment->first_bytes).text, human_size(segment->last_bytes).text);
	if (alpha)
		escape_put(out, how, "starts from %s", human_time(segment->a.value).text);
	if (rate)
		escape_put(out, how, "%s%s", alpha ? " and rises at " : "rises at ", human_rate(1 / segment->b.value).text);
	if (!alpha && !rate)
		escape_put(out, how, "tells neither");
}

/* Nothing where there is one segment. */
static void put_segments(FILE *out, enum escape how, const struct fit *fit)
{
	if (fit->nsegments < 2)
		return;
	escape_put(out, how, " The times change their law (often: a protocol or an algorithm) between %zu stretches of sizes: ",
		   fit->nsegments);
	for (size_t s = 0; s < fit->nsegments; s++) {
		escape_put(out, how, s == 0 ? "" : "; ");
		put_segment(out, how, &fit->segments[s]);
	}
	escape_put(out, how, ". Alpha is the first one's, B the last one's.");
}

static void put_quality(FILE *out, enum escape how, const struct fit *fit)
{
	escape_put(out, how, " (%zu sizes", fit->n);
	if (fit->outliers > 0)
		escape_put(out, how, ", %zu more left out as outliers, the worst at %s", fit->outliers,
			   human_size(fit->outlier_bytes).text);
	escape_put(out, how, "); residual %s (root mean square), at worst %s at %s: %s", human_percent(fit->residual).text,
		   human_percent(fit->worst).text, human_size(fit->worst_bytes).text, overview_fit_sentence(fit));
	if (fit_is_curved(fit))
		escape_put(out, how, ", but deviations keep their sign over long stretches, so the true curve is bent");
	escape_put(out, how, ".");
}

void overview_machine_fit(FILE *out, enum escape how, const struct machine *machine)
{
	const struct fit *fit = &machine->fit;

	put_headline(out, how, fit, "alpha", "B");
	escape_put(out, how, ", fitted to the out-of-place medians of the sendrecv sweep");
	put_quality(out, how, fit);
	put_segments(out, how, fit);
}

static void put_launches(FILE *out, enum escape how, const struct series *series)
{
	if (series->launches == 0)
		return;
	escape_put(out, how, " Fitted alone, %zu launches have a from %s to %s", series->launches,
		   human_time(series->launch_a.least).text, human_time(series->launch_a.most).text);
	escape_put(out, how, " (median %s) and 1/b from %s to %s", human_time(series->launch_a.median).text,
		   human_rate(1 / series->launch_b.most).text, human_rate(1 / series->launch_b.least).text);
	escape_put(out, how, " (median %s).", human_rate(1 / series->launch_b.median).text);
}

static void put_series(FILE *out, enum escape how, const struct collective *coll, const struct series *series)
{
	const struct link_fit *link = &series->link;

	escape_put(out, how, " Fit of %s to t = a + b S: ", series->label);
	put_headline(out, how, &series->fit, "a", "1/b");
	if (!plot_is_message(coll) && link->model && (isfinite(link->alpha.value) || isfinite(link->bandwidth.value))) {
		escape_put(out, how, "; if the algorithm is \"%s\", ", link->model->name);
		put_alpha(out, how, "alpha", link->alpha);
		escape_put(out, how, ", ");
		put_rate(out, how, "B", link->bandwidth);
	}
	put_quality(out, how, &series->fit);
	put_segments(out, how, &series->fit);
	put_launches(out, how, series);
}

void overview_fits(FILE *out, enum escape how, const struct figure *figure)
{
	for (size_t s = 0; s < figure->nshown; s++) {
		if (overview_is_headline(figure, s) && figure->series[s].fit.nsegments > 0)
			put_series(out, how, figure->coll, &figure->series[s]);
	}
}
