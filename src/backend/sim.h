/* SPDX-License-Identifier: Apache-2.0
 *
 * The data side of the sim backend: what a call leaves in every rank's buffers, written without the reference function that the check uses.
 */
#ifndef COLLPERF_BACKEND_SIM_H
#define COLLPERF_BACKEND_SIM_H

#include "../backend.h"

/* `scratch` holds at least the collective's whole buffer of one rank. */
void sim_move(const struct backend_call *call, int nranks, void *scratch);

#endif
