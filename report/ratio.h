/* SPDX-License-Identifier: Apache-2.0
 *
 * Two times held against each other: their ratio, and whether it is told. The one rule of that, for lines after a table and for a report. Pure.
 */
#ifndef COLLPERF_RATIO_H
#define COLLPERF_RATIO_H

#include <stdbool.h>

#include "result.h"

/* Of one row, or of the launches that measured a size. Seconds. */
struct ratio_time {
	double time, low, high; /* the median and its interval; NAN: there is none */
	double least, p95;      /* of single calls; NAN: not known */
	bool turns, late;       /* ranks took turns; a rank came late */
};

/* Why a ratio is not told; the first that applies. */
enum ratio_kind {
	RATIO_TOLD,
	RATIO_UNKNOWN, /* a time is not known */
	RATIO_TURNS,   /* one holds what other ranks did on the same core or GPU */
	RATIO_LATE,    /* one holds a wait for a rank */
	RATIO_FEW,     /* too few samples for an interval */
	RATIO_NOISY, /* the interval spans more than a factor of 2 to a side, or one median is imprecise and calls of both took equally long */
	RATIO_NOT_APART, /* the interval includes 1, and more than half a percent beside it */
};

/* one / other. Of times measured apart from each other the logarithms of their errors add up as squares. */
struct ratio {
	double value;     /* NAN unless both times are known */
	double low, high; /* NAN unless both have an interval */
	enum ratio_kind kind;
};

struct ratio_time ratio_time(const struct result *row);
struct ratio ratio_of(const struct ratio_time *one, const struct ratio_time *other);

/* Whether it is told, and 1 to half a percent. */
bool ratio_is_same(const struct ratio *ratio);

/* A clause: "too noisy for a ratio"; NULL: there is a number to tell, or an interval. */
const char *ratio_why(enum ratio_kind kind);
/* In the place of a number: "too noisy"; NULL where it is told. */
const char *ratio_mark(enum ratio_kind kind);

#endif
