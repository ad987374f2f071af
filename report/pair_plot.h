/* SPDX-License-Identifier: Apache-2.0
 *
 * Heat maps of pairs: data and scripts in the report's directory, drawn by gnuplot, which sees numbers alone.
 */
#ifndef COLLPERF_PAIR_PLOT_H
#define COLLPERF_PAIR_PLOT_H

#include <stdio.h>

#include "outdir.h"
#include "pair_study.h"
#include "plot.h"

/* Writes data and scripts, removes old figures, draws; changes *outcome where drawing fails. 0, or -1 after one line on stderr. */
int pair_plot(const struct outdir *dir, const struct pair_study *pairs, enum plot_outcome *outcome);

/* Whether part p has a figure; and its name: "pairs_latency.svg", "pairs2_all_bandwidth.png". */
bool pair_plot_has(const struct pair_study *pairs, size_t p, int load, enum pair_figure figure);
struct plot_name pair_plot_file(size_t p, int load, enum pair_figure figure, const char *extension);

/* "time of each pair alone", "bandwidth of each pair while others exchange, each way" */
const char *pair_plot_title(const struct pair_set *set, int load, enum pair_figure figure);

/* The files' contents, for tests. */
void pair_plot_data(FILE *out, const struct pair_set *set, int load, enum pair_figure figure);
void pair_plot_script(FILE *out, const struct pair_set *set, size_t p, int load, enum pair_figure figure);

#endif
