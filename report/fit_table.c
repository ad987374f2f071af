/* SPDX-License-Identifier: Apache-2.0
 *
 * fit.csv: the fits of machines and series, each followed by its segments where there are several.
 */
#include "tables.h"

#include <math.h>
#include <string.h>

#include "columns.h"
#include "escape.h"

/* Copied from a series' rows as they are; machines have those marked. */
static const struct {
	const char *name;
	bool of_machine;
} keys[] = {
	{ "backend", true },    { "library", false }, { "path", true },     { "algo", false },  { "group", false },
	{ "nranks", true },     { "nnodes", true },   { "type", false },    { "redop", false }, { "root", false },
	{ "placement", false }, { "timing", false },  { "variant", false },
};

enum { KEYS = sizeof keys / sizeof *keys };

/* What has a line of its own and the lines of its segments. */
struct subject {
	const char *part, *source, *collective, *origin;
	const struct result *key;
	bool is_machine;
	const struct fit *fit; /* NULL: not fitted */
	struct fit_value alpha, bandwidth;
	const struct series *series; /* NULL: a machine */
};

static void put_real(FILE *out, double value)
{
	if (isfinite(value))
		fprintf(out, ",%.9g", value);
	else
		putc(',', out);
}

static void put_value(FILE *out, struct fit_value value, double unit)
{
	put_real(out, value.value * unit);
	put_real(out, value.low * unit);
	put_real(out, value.high * unit);
}

static void put_keys(FILE *out, const struct subject *subject, const char *part)
{
	char buffer[64];

	escape_put(out, ESCAPE_CSV, "%s,%s,%s", part, subject->source, subject->collective);
	for (size_t k = 0; k < KEYS; k++) {
		putc(',', out);
		if (keys[k].of_machine || !subject->is_machine)
			escape_text(out, ESCAPE_CSV,
				    column_print(&columns[column_find(keys[k].name)], subject->key, buffer, sizeof buffer));
	}
}

/* The last columns of a whole fit: criteria of divisions, and launches. */
static void put_ends(FILE *out, const struct subject *subject)
{
	const struct fit_range none = { NAN, NAN, NAN };
	struct fit_range a = none, b = none;

	for (size_t s = 0; s < FIT_MOST_SEGMENTS; s++)
		put_real(out, subject->fit ? subject->fit->bic[s] : NAN);
	for (size_t s = 0; s < FIT_MOST_SEGMENTS; s++)
		put_real(out, subject->fit ? subject->fit->aicc[s] : NAN);
	if (subject->series && subject->series->launches > 0) {
		a = subject->series->launch_a;
		b = subject->series->launch_b;
		fprintf(out, ",%zu", subject->series->launches);
	} else {
		putc(',', out);
	}
	put_real(out, a.median * 1e6);
	put_real(out, a.least * 1e6);
	put_real(out, a.most * 1e6);
	put_real(out, b.median * 1e9);
	put_real(out, b.least * 1e9);
	put_real(out, b.most * 1e9);
	fputs("\r\n", out);
}

static struct fit_value inverse(struct fit_value value)
{
	return (struct fit_value){ 1 / value.value, 1 / value.high, 1 / value.low };
}

static void put_whole(FILE *out, const struct subject *subject)
{
	const struct fit *fit = subject->fit;
	const struct fit_value none = { NAN, NAN, NAN };
	const struct link_fit *link = subject->series ? &subject->series->link : NULL;

	put_keys(out, subject, subject->part);
	fprintf(out, ",%s,%s,", subject->origin, fit ? fit_word(fit->verdict) : "");
	if (fit)
		fprintf(out, ",%zu,,,%zu,%zu", fit->nsegments, fit->n, fit->outliers);
	else
		fputs(",,,,,", out);
	put_real(out, fit ? fit->outlier_bytes : NAN);
	put_value(out, fit ? (struct fit_value){ fit->alpha, fit->alpha_low, fit->alpha_high } : none, 1e6);
	put_value(out, fit ? inverse((struct fit_value){ fit->bandwidth, fit->bandwidth_low, fit->bandwidth_high }) : none, 1e9);
	put_real(out, fit ? fit->half_bytes : NAN);
	fprintf(out, ",%s", link && link->model ? link->model->name : "");
	put_real(out, link ? link->alphas : NAN);
	put_real(out, link ? link->bytes : NAN);
	put_value(out, subject->alpha, 1e6);
	put_value(out, subject->bandwidth, 1e-9);
	put_real(out, fit ? fit->residual : NAN);
	put_real(out, fit ? fit->worst : NAN);
	put_real(out, fit ? fit->worst_bytes : NAN);
	put_real(out, fit ? fit->r_squared : NAN);
	if (fit && fit->nsegments > 0)
		fprintf(out, ",%zu,%d", fit->runs, fit_is_curved(fit));
	else
		fputs(",,", out);
	put_ends(out, subject);
}

static void put_segment(FILE *out, const struct subject *subject, size_t s)
{
	const struct fit_segment *segment = &subject->fit->segments[s];
	const struct fit_value none = { NAN, NAN, NAN };
	bool alpha = segment->verdict != FIT_NO_ALPHA && segment->verdict != FIT_NEITHER;
	bool bandwidth = segment->verdict != FIT_NO_BANDWIDTH && segment->verdict != FIT_NEITHER;

	put_keys(out, subject, "segment");
	fprintf(out, ",%s,%s,%zu,%zu", subject->origin, fit_word(segment->verdict), s + 1, subject->fit->nsegments);
	put_real(out, segment->first_bytes);
	put_real(out, segment->last_bytes);
	fprintf(out, ",%zu,,", segment->n);
	put_value(out, alpha ? segment->a : none, 1e6);
	put_value(out, bandwidth ? segment->b : none, 1e9);
	put_real(out, alpha && bandwidth ? segment->a.value / segment->b.value : NAN);
	fputs(",,,,,,,,,", out);
	put_real(out, segment->residual);
	put_real(out, segment->worst);
	put_real(out, segment->worst_bytes);
	put_real(out, segment->r_squared);
	fprintf(out, ",%zu,,,,,,,,,,,,,,,,\r\n", segment->runs);
}

static void put_subject(FILE *out, const struct subject *subject)
{
	put_whole(out, subject);
	for (size_t s = 0; subject->fit && subject->fit->nsegments > 1 && s < subject->fit->nsegments; s++)
		put_segment(out, subject, s);
}

static void put_machine(FILE *out, const struct machine *machine)
{
	bool fitted = !machine->given && machine->fit_rows > 0;
	struct subject subject = { .part = "machine",
				   .source = machine->name,
				   .collective = "",
				   .origin = tables_origin(machine),
				   .key = machine->key,
				   .is_machine = true,
				   .fit = fitted ? &machine->fit : NULL,
				   .alpha = { machine->bandwidth_only ? NAN : machine->alpha, NAN, NAN },
				   .bandwidth = { machine->bandwidth, NAN, NAN } };

	/* One of them may be known although both are not; either may come from elsewhere than the fit. */
	if (fitted && !(machine->alpha != machine->fit.alpha && isfinite(machine->alpha)))
		subject.alpha = (struct fit_value){ machine->fit.alpha, machine->fit.alpha_low, machine->fit.alpha_high };
	if (fitted && !(machine->bandwidth != machine->fit.bandwidth && isfinite(machine->bandwidth)))
		subject.bandwidth = (struct fit_value){ machine->fit.bandwidth, machine->fit.bandwidth_low,
							machine->fit.bandwidth_high };
	put_subject(out, &subject);
}

static void put_series(FILE *out, const struct figure *figure, const struct series *series)
{
	const struct subject subject = { .part = "series",
					 .source = series->source,
					 .collective = figure->coll->name,
					 .origin = "",
					 .key = series->key,
					 .fit = &series->fit,
					 .alpha = series->link.alpha,
					 .bandwidth = series->link.bandwidth,
					 .series = series };

	put_subject(out, &subject);
}

void tables_fit(FILE *out, const struct study *study)
{
	fputs("part,source,collective", out);
	for (size_t k = 0; k < KEYS; k++)
		fprintf(out, ",%s", keys[k].name);
	fputs(",origin,verdict,segment,segments,first_bytes,last_bytes,n,outliers,outlier_bytes,a_us,a_low_us,a_high_us,b_ns_per_"
	      "byte,"
	      "b_low_ns_per_byte,b_high_ns_per_byte,half_bytes,model,alphas,bytes,alpha_us,alpha_low_us,alpha_high_us,bandwidth_"
	      "GBps,"
	      "bandwidth_low_GBps,bandwidth_high_GBps,residual,worst,worst_bytes,r_squared,runs,curved",
	      out);
	for (int s = 1; s <= FIT_MOST_SEGMENTS; s++)
		fprintf(out, ",bic_%d", s);
	for (int s = 1; s <= FIT_MOST_SEGMENTS; s++)
		fprintf(out, ",aicc_%d", s);
	fputs(",launches,launch_a_us,launch_a_least_us,launch_a_most_us,launch_b_ns_per_byte,launch_b_least_ns_per_byte,"
	      "launch_b_most_ns_per_byte\r\n",
	      out);
	for (size_t m = 0; m < study->nmachines; m++)
		put_machine(out, &study->machines[m]);
	for (size_t c = 0; c < COLL_COUNT; c++) {
		for (size_t s = 0; s < study->figures[c].nseries; s++)
			put_series(out, &study->figures[c], &study->figures[c].series[s]);
	}
}
