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

/* NAN where there is none. */
struct overview {
	double latency, latency_bytes;       /* at the smallest size */
	double peak, peak_bytes;             /* the largest busbw, bytes per second */
	double efficiency, efficiency_bytes; /* ring bound / measured at the largest size; not of oversubscribed points */
};

struct overview overview_of(const struct figure *figure, const struct series *series);

/* Whether series s stands for its figure in a summary: shown, and out of place where there is a choice. */
bool overview_is_headline(const struct figure *figure, size_t s);

/* How the figure's rows were measured and the models were chosen, each as a paragraph of plain sentences. */
void overview_method(FILE *out, enum escape how, const struct study *study);
void overview_machine(FILE *out, enum escape how, const struct machine *machine);

/* What the fit of a machine's sendrecv sweep says. */
void overview_machine_fit(FILE *out, enum escape how, const struct machine *machine);

/* What the fits of a figure's headline series say, in sentences that follow others: nothing where there is none. */
void overview_fits(FILE *out, enum escape how, const struct figure *figure);

/* What the curves of a figure are, and what is not drawn. */
void overview_curves(FILE *out, enum escape how, const struct figure *figure);

/* Whether no row was measured: a simulation, or the stand-in of a library. */
bool overview_is_simulated(const struct study *study);

/* Least and greatest number of ranks of all rows: "2 ranks", "2 to 64 ranks". */
struct human overview_ranks(const struct study *study);

#endif
