/* SPDX-License-Identifier: Apache-2.0
 *
 * What the command line says of a machine's network, for study_build alone. Bounds themselves are in study.h.
 */
#ifndef COLLPERF_BOUNDS_H
#define COLLPERF_BOUNDS_H

#include "study.h"

/* Takes --link, --nic and --gpus-per-node into a machine whose alpha and B are given or fitted, as far as they could be. */
void bounds_learn(struct machine *machine, const struct report_options *options);

#endif
