/* SPDX-License-Identifier: Apache-2.0
 *
 * Step time against the size of buckets: data and script in the report's directory, drawn by gnuplot, which sees labels of a safe alphabet alone.
 */
#ifndef COLLPERF_STEP_PLOT_H
#define COLLPERF_STEP_PLOT_H

#include <stdio.h>

#include "outdir.h"
#include "plot.h"
#include "step_study.h"

/* Writes data and scripts, removes old figures, draws; changes *outcome where drawing fails. 0, or -1 after one line on stderr. */
int step_plot(const struct outdir *dir, const struct step_study *steps, enum plot_outcome *outcome);

/* Whether part p has a figure: some step with buckets. Its files: "steps_time.svg", "steps2_time.png", without the point where `extension` is "". */
bool step_plot_has(const struct step_study *steps, size_t p);
struct plot_name step_plot_file(size_t p, const char *extension);

/* The files' contents, for tests. */
void step_plot_data(FILE *out, const struct step_part *part);
void step_plot_script(FILE *out, const struct step_part *part, size_t p);

#endif
