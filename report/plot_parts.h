/* SPDX-License-Identifier: Apache-2.0
 *
 * What the makers of data and scripts share: plot.c, plot_ratio.c, plot_scaling.c.
 */
#ifndef COLLPERF_PLOT_PARTS_H
#define COLLPERF_PLOT_PARTS_H

#include "plot.h"

struct range {
	double low, high;
};

/* The sizes of the series shown. */
struct range plot_size_range(const struct figure *figure);

/* " 1.5", or " ?" for what is absent. */
void plot_put_number(FILE *out, double value);

/* Size, time, low, high (us), busbw, low, high (GB/s) of a point, behind what stands on the line already. */
void plot_put_point(FILE *out, const struct point *point);

/* Declares an array of texts or numbers; gnuplot has none of length 0. */
void plot_put_array(FILE *out, const char *name, size_t n);

/* "all_reduce_ratio.dat"; name and number as in the files of the kind. */
struct plot_name plot_data_file(const struct collective *coll, enum plot_kind kind);

/* The shown scaling that a kind >= PLOT_SCALING stands for; NULL where there are fewer. */
const struct scaling *plot_scaling_of(const struct figure *figure, enum plot_kind kind);

void plot_ratio_data(FILE *out, const struct figure *figure);
void plot_ratio_script(FILE *out, const struct figure *figure);
void plot_scaling_data(FILE *out, const struct figure *figure, enum plot_kind kind);
void plot_scaling_script(FILE *out, const struct figure *figure, enum plot_kind kind);

#endif
