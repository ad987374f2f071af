/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of the test. For judge*.c and their tests alone. Times are natural logarithms of seconds, so that a difference is a ratio.
 */
#ifndef COLLPERF_GATE_JUDGE_PARTS_H
#define COLLPERF_GATE_JUDGE_PARTS_H

#include "judge.h"
#include "judge_layout.h"

/* --- judge_moderate.c: variances that learn from each other */

/* What variances have in common: as if `df` more observations had shown `variance`. INFINITY: they are all alike, 0: they say nothing about each other. */
struct gate_prior {
	double variance, df;
	double most; /* no variance has more degrees of freedom than all together */
};

/* Of n variances with df[i] degrees of freedom each; those that are NAN or have none are left out. */
struct gate_prior gate_prior_of(const double *variance, const double *df, size_t n);
double gate_moderate(struct gate_prior prior, double variance, double df);
double gate_moderated_df(struct gate_prior prior, double df);
/* y > 0 with trigamma(y) = x > 0 */
double gate_trigamma_inverse(double x);
/* p values after Benjamini and Hochberg, in their own order. -1: memory. */
int gate_adjust(const double *p, size_t n, double *adjusted);
/* The largest p that is found at that rate, 0: none; *found: how many. p is sorted. */
double gate_cut(double *p, size_t n, double rate, size_t *found);
/* The normal value with as much beyond it as a t value of df degrees of freedom has, and back. */
double gate_normal_of_t(double t, double df);
double gate_t_of_normal(double z, double df);
double gate_tail(double t, double df); /* P(T > t) */

/* --- judge_sampling.c: from launches to observations */

/* Of all series together, what launches and runs (eras) were like. */
struct gate_alike {
	double sides, runs;          /* how far the sides' launches, and runs, pass for alike: 1 as ever, 0 not at all */
	double variance[GATE_SIDES]; /* of a launch */
	double era;                  /* of a run, beyond its launches, in so far as they differ */
};

/* How a series was sampled: n[0] observations of BASE then n[1] of NEW, which are launches, or n[0] differences of pairs. */
struct gate_sampling {
	size_t n[GATE_SIDES], runs[GATE_SIDES];
	bool paired, eras;       /* eras: a side has several, and its mean is that of theirs */
	double df, factor;       /* the variance of a difference of the sides is what gate_variance() says times factor */
	double part[GATE_SIDES]; /* of factor */
	struct gate_alike alike; /* of eras */
	size_t *rank[GATE_SIDES], *share[GATE_SIDES]; /* [launch] of which era; [era] how many launches */
};

/* Memory: -1. Both sides have two launches or more. */
int gate_sampling_of(const struct gate_series *series, struct gate_sampling *sampling);
void gate_sampling_clear(struct gate_sampling *sampling);
/* out[n[0] + n[1]] of a point that all launches have. */
void gate_observe(const struct gate_series *series, const struct gate_sampling *sampling, size_t point, double *out);
double gate_difference(const struct gate_sampling *sampling, const double *values);
double gate_variance(const struct gate_sampling *sampling, const double *values); /* of one observation */

/* --- judge_runs.c: a side of several runs */

/* -1: memory */
int gate_alike_of(const struct gate_sheet *sheet, struct gate_alike *alike);
double gate_runs_mean(const struct gate_sampling *sampling, int side, const double *values);
double gate_runs_variance(const struct gate_sampling *sampling, const double *values);
/* alike NULL: every run is another. */
double gate_runs_df(const struct gate_sampling *sampling, const struct gate_alike *alike);

/* --- judge_study.c: one series, condensed */

struct gate_study {
	struct gate_series *series;
	size_t clear;                  /* points that are judged; 0: nothing here is */
	unsigned short *segment;       /* [npoints] of those */
	bool *judged;                  /* [npoints] */
	unsigned char *class_of;       /* [npoints] */
	double *difference, *variance; /* [npoints] of a point; variance is moderated in the end */
	struct gate_sampling sampling;
	size_t segments, placements;
	struct gate_layout *layout;
	size_t *counts;               /* [GATE_ROWS][segments + 1], each a running sum */
	double *sums;                 /* [observation][GATE_ROWS][segments + 1] */
	double *shift, *scan, *level; /* [GATE_ROWS][segments + 1] NEW - BASE; without what was seen; without what was found */
	double *window;             /* [nwindows] variance of an observation, over 1 / inside + 1 / rest; moderated in the end */
	double levels[GATE_LEVELS]; /* likewise of level windows; NAN: empty */
	double classes[GATE_CLASSES], contrasts[GATE_CLASSES], class_difference[GATE_CLASSES];
	size_t class_points[GATE_CLASSES];
	double own, launch; /* variances of an observation: a point's own (NAN with one point), a launch's */
};

/* -1: memory. Sets doubts of points that launches lack. A series without two launches on each side has clear == 0. */
int gate_study_make(struct gate_study *study, struct gate_series *series, const struct gate_alike *alike);
void gate_study_clear(struct gate_study *study);
/* Once study->layout is there: variances of the windows. -1: memory. */
int gate_study_windows(struct gate_study *study);
size_t gate_count(const struct gate_study *study, size_t row, size_t first, size_t end);
double gate_mean(const struct gate_study *study, const double *sums, size_t row, size_t first, size_t end);
double gate_contrast(const struct gate_study *study, const double *sums, const struct gate_window *window);
double gate_window_scale(const struct gate_study *study, const struct gate_window *window);
/* Of the mean over [first, end) of a row; NAN: memory. */
double gate_mean_variance(const struct gate_study *study, size_t row, size_t first, size_t end);
/* [npoints] of a series */
void gate_classes_of(const struct gate_series *series, unsigned char *classes);

/* --- judge_find.c, judge_level.c: findings */

struct gate_trial {
	struct gate_study *studies;
	size_t n, judged; /* series */
	const struct gate_settings *settings;
	double step;              /* the threshold as a difference */
	double rates[GATE_KINDS]; /* false alarms allowed in level and shape */
	struct gate_prior groups[GATE_GROUPS], levels[GATE_LEVELS], points, classes[GATE_CLASSES], contrasts[GATE_CLASSES];
	struct gate_judgement *judgement;
};

/* What is told of a window. */
struct gate_seen {
	size_t row, first, end;
	enum gate_kind kind;
	double effect, t, df, p, adjusted;
	double error; /* of the effect */
};

int gate_find_shapes(struct gate_trial *trial);
int gate_find_levels(struct gate_trial *trial);
int gate_add_finding(struct gate_trial *trial, size_t series, const struct gate_seen *seen);
/* exp of difference and of the ends of its 95 % interval */
struct gate_ratio gate_ratio_of(double difference, double error, double df);
int gate_order(const void *left, const void *right);

/* --- judge_words.c: verdicts; judge_plain.c: thresholds alone */
void gate_judge_words(struct gate_trial *trial);
/* Over what launches of the side have; NAN: nothing. */
double gate_side_mean(const struct gate_series *series, int side, size_t point);
/* NEW - BASE of those. */
double gate_plain_difference(const struct gate_series *series, size_t point);
int gate_judge_plain(struct gate_sheet *sheet, const struct gate_settings *settings, struct gate_judgement *judgement);

#endif
