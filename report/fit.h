/* SPDX-License-Identifier: Apache-2.0
 *
 * Fits t = a + b * bytes to measured times, where noise is relative to the time: least squares of the log residuals with Huber's
 * weights, a and b positive. Sizes where the times change their law (a change of protocol) split the sweep into segments of a line each.
 * Pure arithmetic.
 */
#ifndef COLLPERF_FIT_H
#define COLLPERF_FIT_H

#include <stdbool.h>
#include <stddef.h>

enum {
	FIT_LEAST_SIZES = 4,   /* of a segment */
	FIT_MOST_SEGMENTS = 4, /* of a sweep */
	FIT_MOST_BREAKS =
		64, /* places where a segment may begin; a sweep of more sizes may break at every second one, every third ... */
};

struct fit_point {
	double bytes;  /* > 0 */
	double time;   /* seconds, > 0 */
	bool left_out; /* set by fit_line: an outlier */
};

enum fit_verdict {
	FIT_GOOD,
	FIT_POOR,         /* residual over 10 %: lines do not describe these times */
	FIT_NO_BANDWIDTH, /* no size is large enough to tell the bandwidth */
	FIT_NO_ALPHA,     /* no size is small enough to tell alpha */
	FIT_TOO_FEW,      /* under 4 sizes */
	FIT_NEITHER,      /* several segments: neither the first one's alpha nor the last one's bandwidth can be told */
};

/* A value with its 95 % interval. NAN where it cannot be told. */
struct fit_value {
	double value, low, high;
};

/* Sizes with one line of their own. Its verdict judges it alone: of two segments the first often has no bandwidth. */
struct fit_segment {
	enum fit_verdict verdict; /* GOOD, POOR, NO_BANDWIDTH or NO_ALPHA */
	struct fit_value a;       /* seconds */
	struct fit_value b;       /* seconds per byte */
	double first_bytes, last_bytes;
	size_t n;           /* points used */
	double residual;    /* root mean square of the log residuals, about the relative error */
	double worst;       /* the largest |log residual| */
	double worst_bytes; /* its size */
	double r_squared;   /* of ln t; NAN where all times are the same */
	size_t runs;        /* stretches of residuals of one sign: few in many points mean that the line is curved */
};

/* Reals that the verdict says cannot be told are NAN. */
struct fit {
	enum fit_verdict verdict;
	/* Headline: alpha from the first segment, bandwidth from the last one, never one line over all sizes. */
	double alpha;                 /* seconds: a of the first segment */
	double bandwidth;             /* bytes per second: 1 / b of the last one */
	double alpha_low, alpha_high; /* their 95 % intervals */
	double bandwidth_low, bandwidth_high;
	double half_bytes; /* n_1/2 = alpha * bandwidth, where half of the bandwidth is reached */

	/* Of all points used, each against the line of its segment. */
	size_t n;             /* points used */
	size_t outliers;      /* points left out */
	double outlier_bytes; /* the size of the worst of them */
	double residual;      /* as in a segment */
	double worst;
	double worst_bytes;
	double r_squared;
	size_t runs;
	double below; /* how far times lie below alpha + bytes / bandwidth at most, a fraction of it; 0 unless both are known */

	struct fit_segment segments[FIT_MOST_SEGMENTS]; /* by rising bytes */
	size_t nsegments;                               /* 0: FIT_TOO_FEW */
	/* Of the best division into i + 1 segments, NAN where the sizes do not suffice; one more segment must lower BIC by over 6. */
	double bic[FIT_MOST_SEGMENTS], aicc[FIT_MOST_SEGMENTS];
};

/*
 * Points in any order; several may have one size. Those that stand out from the line of their neighbours (over 5 robust standard
 * deviations and over 10 %; at most one in eight) are left out and marked. 0, or -1 after one line on stderr: no memory.
 */
int fit_line(struct fit_point *points, size_t n, struct fit *fit);

/* Whether alpha and bandwidth are both known. */
bool fit_is_usable(const struct fit *fit);

/* Whether residuals keep their sign over longer stretches than chance allows (one in a hundred): a systematic deviation. */
bool fit_is_curved(size_t n, size_t runs);

/* One word or two for a table, and one sentence for people. */
const char *fit_word(enum fit_verdict verdict);
const char *fit_sentence(enum fit_verdict verdict);

#endif
