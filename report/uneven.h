/* SPDX-License-Identifier: Apache-2.0
 *
 * What uneven blocks cost: a series of alltoallv by a skew or a matrix beside the even exchange of the same setting.
 */
#ifndef COLLPERF_REPORT_UNEVEN_H
#define COLLPERF_REPORT_UNEVEN_H

#include <stdbool.h>
#include <stddef.h>

#include "compare.h"
#include "human.h"
#include "study.h"

/* Whether the series is of uneven blocks, and of some size it is known how uneven. */
bool uneven_is(const struct figure *figure, const struct series *series);

/* The even series whose rows are of the same setting without doubt. */
struct uneven_base {
	const struct series *own; /* in the same file: a run has the even exchange beside each uneven one; or NULL */
	const struct series
		*other; /* of a run directory by whose run.json its hosts are the same, with most sizes in common; or NULL */
	bool doubt;     /* neither, but there are even rows that could be of it */
};

struct uneven_base uneven_base(const struct study *study, const struct figure *figure, const struct series *series);

/* A size. Ratios are of times, uneven / even; NAN where ratio.h tells none. */
struct uneven_line {
	const struct point *point;
	struct compare_point
		total; /* against as much in all: size / imbalance, down to blocks of 16 bytes; else read between the two sizes beside it */
	struct compare_point busy; /* against the same size: there every rank is as busy as the busiest one here */
};

/* What is told of a ratio: the number, or why there is none, as on the console after a table. */
struct human uneven_ratio(const struct compare_point *point);

struct uneven_line uneven_line(const struct uneven_base *base, const struct point *point);

#endif
