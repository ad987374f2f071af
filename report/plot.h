/* SPDX-License-Identifier: Apache-2.0
 *
 * The figures of each primitive, as data files, gnuplot scripts, svg and png: time and busbw against size, the ratios of what is
 * compared, and how it scales. gnuplot can run commands from texts, so it never sees one from outside: file names are those of the table of collectives, labels of a safe alphabet.
 */
#ifndef COLLPERF_PLOT_H
#define COLLPERF_PLOT_H

#include <stdio.h>

#include "outdir.h"
#include "scaling.h"
#include "study.h"

enum plot_kind {
	PLOT_LATENCY,
	PLOT_BUSBW,
	PLOT_RATIO,   /* of times, against size */
	PLOT_SCALING, /* against the number of ranks: time and busbw, of each scaling that is shown */
	PLOT_KINDS = PLOT_SCALING + 2 * SCALING_SHOWN
};

enum plot_outcome {
	PLOT_DRAWN,
	PLOT_NO_GNUPLOT, /* not on the path: data and scripts are there */
	PLOT_FAILED,     /* gnuplot ended badly, one line said so: some figures may be missing */
};

/* Writes data and scripts, removes old figures, draws. 0, or -1 after one line on stderr where nothing can be written. */
int plot_study(const struct outdir *dir, const struct study *study, enum plot_outcome *outcome);

/* Whether a figure has anything to draw, and of that kind. */
bool plot_has_figure(const struct figure *figure);
bool plot_has(const struct figure *figure, enum plot_kind kind);

/* "time against message size" */
const char *plot_title(enum plot_kind kind);

/* Whether a primitive is one message, whose model is alpha + S/B: no ring, and no lower bound apart from it. */
bool plot_is_message(const struct collective *coll);

/* "all_reduce_latency.svg", "all_reduce_scaling2_busbw.svg" */
struct plot_name {
	char text[64];
};
struct plot_name plot_file(const struct collective *coll, enum plot_kind kind, const char *extension);

/* The machines whose models are drawn: those of the series shown that are known and have at least two ranks; returns how many. */
size_t plot_models(const struct figure *figure, const struct machine *machines[STUDY_SHOWN_SERIES],
		   size_t series[STUDY_SHOWN_SERIES]);

/* The files' contents, for tests. */
void plot_data(FILE *out, const struct figure *figure);
void plot_model_data(FILE *out, const struct figure *figure);
void plot_script(FILE *out, const struct figure *figure, enum plot_kind kind);

#endif
