/* SPDX-License-Identifier: Apache-2.0
 *
 * The few numbers that stand for a series, a figure or a whole study, and the sentences that all renderings share.
 */
#ifndef COLLPERF_OVERVIEW_H
#define COLLPERF_OVERVIEW_H

#include <stdbool.h>
#include <stdio.h>

#include "escape.h"
#include "study.h"
#include "verdict.h"

/* NAN where there is none. */
struct overview {
	double latency, latency_bytes;       /* at the smallest size */
	double peak, peak_bytes;             /* the largest busbw, bytes per second */
	double efficiency, efficiency_bytes; /* ring bound / measured at the largest size; not of oversubscribed points */
};

struct overview overview_of(const struct figure *figure, const struct series *series);

/* Whether series s stands for its figure in a summary: shown, and out of place where there is a choice. */
bool overview_is_headline(const struct figure *figure, size_t s);

/* Whether a summary must name the series: some figure has several. */
bool overview_needs_labels(const struct study *study);

/* What a summary says of a series: against the link where its rate is known, else against the ring's model. */
struct overview_judgement {
	double efficiency, bytes; /* a share, and the size of the measured side; NAN where there is none */
	enum verdict_level level;
	const char *word; /* "close to the bound"; never "" */
};
struct overview_judgement overview_judge(const struct verdicts *verdicts, const struct figure *figure,
					 const struct series *series, const struct overview *overview);

/* What efficiencies are shares of, for the head of a column: "of link", "of ring bound". */
const char *overview_efficiency_name(const struct study *study);

/* What the summary's table has no room for: a figure draws a few series, and the table has a line for each of those. */
struct overview_hidden {
	size_t series;       /* of those placements that it lists */
	size_t files, shown; /* files that it lists none of, and the others */
};
struct overview_hidden overview_hidden(const struct study *study);

/* The same as a sentence with a blank in front of it; nothing where all is listed. */
void overview_hidden_put(FILE *out, enum escape how, const struct study *study);

/* What the summary's columns mean, as sentences. */
void overview_legend(FILE *out, enum escape how, const struct study *study);

/* fit_sentence of the whole: with several segments it is lines that describe the times. */
const char *overview_fit_sentence(const struct fit *fit);

/* Whether there are rows that the models are of, or a machine: steps alone have neither. */
bool overview_has_models(const struct study *study);

/* How the figure's rows were measured and the models were chosen, each as a paragraph of plain sentences. */
void overview_method(FILE *out, enum escape how, const struct study *study);
void overview_machine(FILE *out, enum escape how, const struct machine *machine);

/*
 * Where B of a machine with a link is from: "the peak of nvlink3", or "link rate from the topology in run.json: ..." and what it says of NICs, if rows
 * are of several nodes.
 */
void overview_link(FILE *out, enum escape how, const struct machine *machine);

/* What the fit of a machine's sendrecv sweep says. */
void overview_machine_fit(FILE *out, enum escape how, const struct machine *machine);

/* What the fits of a figure's headline series say, in sentences that follow others: nothing where there is none. */
void overview_fits(FILE *out, enum escape how, const struct figure *figure);

/* What the curves of a figure are, and what is not drawn. */
void overview_curves(FILE *out, enum escape how, const struct figure *figure);

/* Behind a title: ": simulated, not measured", ": imported from another tool's log", or "" where rows differ or are measured. */
const char *overview_title(const struct study *study);

/* Of all rows: "sim, MPICH 4.0.2"; beyond a few " and others". May hold any bytes. */
struct overview_text {
	char text[320];
};
struct overview_text overview_libraries(const struct study *study);

/* Least and greatest number of ranks of all rows: "2 ranks", "2 to 64 ranks". */
struct human overview_ranks(const struct study *study);

#endif
