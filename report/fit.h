/* SPDX-License-Identifier: Apache-2.0
 *
 * Fits t = alpha + bytes / bandwidth to measured times by least squares in relative error (weights 1 / t^2, as noise grows with the
 * time), alpha and bandwidth positive. Pure arithmetic.
 */
#ifndef COLLPERF_FIT_H
#define COLLPERF_FIT_H

#include <stdbool.h>
#include <stddef.h>

struct fit_point {
	double bytes;  /* > 0 */
	double time;   /* seconds, > 0 */
	bool left_out; /* set by fit_line: an outlier */
};

enum fit_verdict {
	FIT_GOOD,
	FIT_POOR,         /* residual over 10 %: one line does not describe these times */
	FIT_NO_BANDWIDTH, /* no size is large enough to tell the bandwidth */
	FIT_NO_ALPHA,     /* no size is small enough to tell alpha */
	FIT_TOO_FEW,      /* under 4 sizes */
};

/* Reals that the verdict says cannot be told are NAN. */
struct fit {
	enum fit_verdict verdict;
	double alpha;         /* seconds */
	double bandwidth;     /* bytes per second */
	size_t n;             /* points used */
	size_t outliers;      /* points left out */
	double outlier_bytes; /* the size of the worst of them */
	double residual;      /* root mean square of (t - fit) / t over the points used */
	double worst;         /* the largest |t - fit| / t among them */
	double worst_bytes;
	double r_squared; /* of ln t over the points used */
};

/*
 * Points whose residual stands out from the others (over 5 robust standard deviations and over 10 %; at most one in eight) are left
 * out and marked.
 */
void fit_line(struct fit_point *points, size_t n, struct fit *fit);

/* Whether alpha and bandwidth are both known. */
bool fit_is_usable(const struct fit *fit);

/* One word or two for a table, and one sentence for people. */
const char *fit_word(enum fit_verdict verdict);
const char *fit_sentence(enum fit_verdict verdict);

#endif
