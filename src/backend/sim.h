/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the sim backend share. Nobody else includes this.
 */
#ifndef COLLPERF_BACKEND_SIM_H
#define COLLPERF_BACKEND_SIM_H

#include "../backend.h"

/* What a call leaves in every rank's buffers, without the reference function that the check uses. `scratch` holds at least the collective's whole buffer of one rank, and a size_t for each. */
void sim_move(const struct backend_call *call, int nranks, void *scratch);

/* Moves the data of a call that is not of pairs; the seconds that it takes. The clock stays where it is. */
double sim_duration(struct backend *backend, const struct backend_call *call);

extern const struct backend_step_ops sim_step;

/* sim_exchange.c: a call with `exchange` of a group of nranks, of which a plain message takes so many seconds; and its data, likewise. */
double sim_exchange_time(const struct backend_call *call, int nranks, const struct coll_link *link, double message);
void sim_exchange_move(const struct backend_call *call, int nranks, void *scratch);

#endif
