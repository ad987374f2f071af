/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs gnuplot: no shell, a minimal environment, no start-up files.
 */
#ifndef COLLPERF_GNUPLOT_H
#define COLLPERF_GNUPLOT_H

#include <stdbool.h>

#include "outdir.h"

/* The absolute name of the gnuplot on PATH, to be freed; NULL where there is none. */
char *gnuplot_find(void);

/* Runs one script of `dir`, in it. 0, or -1 after one line on stderr. */
int gnuplot_run(const char *program, const struct outdir *dir, const char *script);

/* Copies the scripts that are part of collperf next to the data. -1 after one line on stderr. */
int gnuplot_copy_scripts(const struct outdir *dir);

#endif
