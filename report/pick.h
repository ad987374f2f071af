/* SPDX-License-Identifier: Apache-2.0
 *
 * Which series of a primitive are drawn.
 */
#ifndef COLLPERF_PICK_H
#define COLLPERF_PICK_H

#include "study.h"

/*
 * Sets nshown and mixed, and brings the series into order: the one that others are compared with (the first, or the first that
 * `baseline`, which may be NULL, names), the others that are drawn, the rest. Drawn are those of its operation; of other operations too
 * where nothing else differs. Where these are too many: those of its placement; of these, the most different ones.
 * 0, or -1 after one line on stderr.
 */
int pick_series(const char *baseline, struct figure *figure);

#endif
