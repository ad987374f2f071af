/* SPDX-License-Identifier: Apache-2.0
 *
 * How runs come into the folder of a baseline and go from it: under a name that is no run's, then renamed. The folder is locked.
 */
#ifndef COLLPERF_GATE_BASELINE_COPY_H
#define COLLPERF_GATE_BASELINE_COPY_H

#include "baseline_store.h"

/* All: 0, or -1 after one line on stderr. */

/* run.json and the rows of `run` as the run `name`. */
int baseline_copy(const struct baseline *baseline, const char *run, const char *name);
int baseline_remove(const struct baseline *baseline, const char *name);
/* What was left half made or half removed. */
int baseline_clean(const struct baseline *baseline);

#endif
