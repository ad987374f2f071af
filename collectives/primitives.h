/* SPDX-License-Identifier: Apache-2.0
 *
 * The primitives by name. A program that is built for one of them takes its symbol from here; everything
 * that handles any primitive goes through collectives[] or collective_find().
 */
#ifndef COLLPERF_PRIMITIVES_H
#define COLLPERF_PRIMITIVES_H

#include "collective.h"

extern const struct collective broadcast;
extern const struct collective scatter;
extern const struct collective gather;
extern const struct collective reduce;
extern const struct collective all_gather;
extern const struct collective reduce_scatter;
extern const struct collective all_reduce;
extern const struct collective alltoall;
extern const struct collective sendrecv;
extern const struct collective alltoallv;
extern const struct collective barrier;
extern const struct collective hypercube;

#endif
