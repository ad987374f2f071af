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
	FIT_LEAST_SIZES = 4,    /* of a segment */
	FIT_MOST_SEGMENTS = 4,  /* of a sweep */
	FIT_MOST_SIZES = 64,    /* that are looked at to find segments; of a longer sweep these are spread evenly */
	FIT_MOST_FITTED = 2048, /* that are fitted, likewise */
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
	FIT_NEITHER, /* neither can be told: sizes about alpha * bandwidth only, or the first segment tells no alpha and the last no bandwidth */
};

/* A value with its 95 % interval; NAN where it is not known. */
struct fit_value {
	double value, low, high;
};

/*
 * Sizes with one line of their own. Its verdict judges it alone: of two segments the first often tells no bandwidth. What the verdict says
 * cannot be told has a value all the same, as the line is made of both.
 */
struct fit_segment {
	enum fit_verdict verdict; /* not FIT_TOO_FEW */
	struct fit_value a;       /* seconds */
	struct fit_value b;       /* seconds per byte */
	double first_bytes, last_bytes;
	size_t n;           /* sizes */
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

	/* Of all sizes used, each against the line of its segment. */
	size_t n;             /* sizes used */
	size_t outliers;      /* sizes left out */
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
 * Points in any order; those of one size count as their median. Sizes that stand out from their neighbours or from their segment's line
 * (over 10 % and over what the others' spread explains; at most one in eight) are left out and their points marked.
 * 0, or -1 after one line on stderr: no memory.
 */
int fit_line(struct fit_point *points, size_t n, struct fit *fit);

/* The same with the segments of another fit, as far as they hold enough of these sizes, and with nothing left out. */
int fit_line_as(struct fit_point *points, size_t n, const struct fit *model, struct fit *fit);

/* Whether alpha and bandwidth are both known. */
bool fit_is_usable(const struct fit *fit);

/* Whether some segment's residuals keep their sign over longer stretches than chance would (one in a hundred): its line is curved. */
bool fit_is_curved(const struct fit *fit);

/* One word or two for a table, and one sentence for people. */
const char *fit_word(enum fit_verdict verdict);
const char *fit_sentence(enum fit_verdict verdict);

#endif
