/* SPDX-License-Identifier: Apache-2.0
 *
 * The fits of a series: of its points, and of each of its launches; and what they say of the link by the series' algorithm.
 */
#ifndef COLLPERF_FIT_SERIES_H
#define COLLPERF_FIT_SERIES_H

#include "study.h"

enum { FIT_MOST_LAUNCHES = 32 }; /* of a series that are fitted alone; of more, these are spread evenly */

/*
 * Fills the fit, the link and the launches of a series whose points are made. `rows` are those of its points, in any order.
 * 0, or -1 after one line on stderr.
 */
int fit_series(struct series *series, const struct collective *coll, const struct result *const *rows, size_t nrows);

/*
 * The model that `algo` names before a slash, in any case of letters, or NULL where none is linear in alpha and 1 / B; the collective's ring where it is
 * empty or "auto". Trees of libraries are pipelined: "tree" and "two_tree" of an all-reduce are its ideal tree, "pat" is as Bruck's. Any other name has
 * none. *alphas and *bytes are set with it, as in struct link_fit.
 */
const struct coll_model *fit_named_model(const struct collective *coll, const struct result *key, double *alphas, double *bytes);

/* The same for a report, which says which model it took: the ring for names of no model, too. */
const struct coll_model *fit_model(const struct collective *coll, const struct result *key, double *alphas, double *bytes);

#endif
