/* SPDX-License-Identifier: Apache-2.0
 *
 * The training steps of a study. Rows of the same gradients on the same ranks are one part, whichever file they come from, as progress is often chosen by
 * the environment of a launch; in it, a file's rows of one strategy, progress and compute are a line over the sizes of buckets, launches taken together.
 * Rows that contradict themselves are left out, and those with wrong data are in no point.
 */
#ifndef COLLPERF_STEP_STUDY_H
#define COLLPERF_STEP_STUDY_H

#include <stdio.h>

#include "../collectives/training.h"
#include "study.h"

enum { STEP_MOST_PARTS = 64, STEP_SHOWN_PARTS = 3, STEP_MOST_LINES = 64, STEP_SHOWN_LINES = 5, STEP_LABEL = 160 };

/* One size of buckets, or the strategy's one way where it has none. Medians over launches: seconds, NAN where no row says it. */
struct step_point {
	int64_t cap;      /* bytes; RESULT_NONE */
	int64_t calls;    /* of a step; RESULT_NONE */
	double time;      /* > 0 */
	double low, high; /* as of struct point */
	double compute, comm, exposed, overlap;
	double overlap_low,
		overlap_high; /* of one launch its error to either side, of several the least and largest; NAN where overlap is or no row says it */
	double asked; /* the compute that was asked for */
	size_t launches;
	bool turns; /* ranks took turns in one of them */
};

struct step_line {
	const struct result *key; /* one of its rows */
	const char *source;       /* file name as given */
	size_t number;            /* in the order of reading */
	const char *run;          /* of study->runs */
	const struct result **rows;
	size_t nrows;
	size_t taken, turns, disturbed; /* rows of points; of them of ranks that took turns, late or noisy */
	size_t wrong;                   /* rows beside them */
	const struct result *first_wrong;
	struct step_point *points; /* by rising cap, that without one first */
	size_t npoints;
	size_t best;                      /* the point of the least time */
	double compute_low, compute_high; /* compute alone over the points of the file; NAN where no row says it */
	char label
		[STEP_LABEL]; /* "bucketed, polling"; with its file where another file has such a line too. May hold any bytes */
};

/* Where the model's a and b are from. */
enum step_origin {
	STEP_NOTHING,
	STEP_SWEEP, /* a line through all_reduce's times at the sizes of the buckets */
	STEP_STEPS  /* communication alone of the steps, calls * a + bytes * b */
};

struct step_model {
	enum step_origin origin;
	const char *why;              /* STEP_NOTHING: why there is none */
	const struct series *sweep;   /* STEP_SWEEP: of study->figures */
	const struct series *refused; /* a sweep that would do, but that the steps' communication alone does not bear out; NULL */
	double off;                   /* what its line says / communication alone */
	bool checked;                 /* STEP_SWEEP: that the steps' communication alone bears it out */
	double residual;              /* of the line that a and b are of, about its relative error */
	struct train_buckets buckets;
	double exact;              /* the number of buckets where it is least, not rounded */
	double calls, bytes, time; /* the better whole number beside it, the size of such buckets, seconds */
	double cap; /* about the cap that makes so many calls; NAN where they are more than any cap measured makes, which are too small for its tensors */
	const struct step_point *under, *over; /* those measured that it lies between, or is; NULL where it is beyond */
};

struct step_part {
	const struct result *key;
	const char *run;         /* of study->runs */
	struct step_line *lines; /* bucketed, zero, fsdp, flat, naive; those of one strategy by progress */
	size_t nlines, nlost;    /* lost: of wrong data alone, behind the others and without points */
	const struct step_line
		*best; /* the bucketed line with the least time, of those that take no turns if there are any; NULL */
	bool mixed;    /* not all lines are of the same compute: least is step / compute instead */
	struct step_model model;
};

struct step_study {
	struct step_part *parts;
	size_t count;               /* the first STEP_SHOWN_PARTS have figures */
	size_t left_out;            /* rows over STEP_MOST_PARTS or STEP_MOST_LINES */
	size_t contradictory;       /* rows that are left out as they contradict themselves */
	size_t contradictory_wrong; /* of them with wrong data */
	size_t contradiction;       /* of the study's rows the first of them */
};

/* 0, or -1 after one line on stderr; *steps is to be cleared in either case. The study must outlive it. */
int step_study_build(const struct study *study, struct step_study *steps);
void step_study_clear(struct step_study *steps);

/* Of n >= 1 finite values, which are sorted. */
double step_median(double *values, size_t n);

bool step_is_strategy(const struct step_line *line, const char *strategy);
/* Whether its calls may run while ranks compute: not those of flat and naive. */
bool step_may_overlap(const struct step_line *line);

/* The point of the least time over a line's sizes of buckets, or its only one. */
const struct step_point *step_best(const struct step_line *line);

/* The part's line of that strategy with the least time, of those that take no turns if there are any; NULL where there is none. */
const struct step_line *step_find(const struct step_part *part, const char *strategy);
/* Likewise of those of the same compute as `line`. */
const struct step_line *step_find_beside(const struct step_part *part, const char *strategy, const struct step_line *line);
/* Whether a line is to be told before another one of its part; `other` may be NULL. */
bool step_precedes(const struct step_part *part, const struct step_line *line, const struct step_line *other);

/* Whether two lines are of the same compute: what was asked for, within 1 %; where rows do not say it, of one launch, or compute alone that meets. */
bool step_same_compute(const struct step_line *left, const struct step_line *right);
/* The same of rows, as far as launches that ask for a ratio may differ. */
bool step_near_compute(const struct result *left, const struct result *right);
/* Step / compute alone; NAN where that is not known. */
double step_over_compute(const struct step_point *point);
/*
 * Whether a step of the same compute takes more time, beyond what the intervals leave open (5 % where there are none) and what compute alone took longer
 * beside it: the machine was another then.
 */
bool step_is_slower(const struct step_point *point, const struct step_point *than);
/* Whether compute alone of two steps of the same compute is over 10 % apart, so that the machine was another beside one of them. */
bool step_compute_contradicts(const struct step_point *point, const struct step_point *than);
/* Time / time; of step / compute alone where compute alone contradicts. */
double step_ratio(const struct step_point *point, const struct step_point *than);
/* Why a row of a step cannot be believed: NULL where it can. */
const char *step_contradiction(const struct result *row);

/* What sets a part apart: "8 ranks, 13.4 GiB, float"; nothing where there is one alone. May hold any bytes. */
void step_part_label(const struct step_study *steps, const struct step_part *part, char *text, size_t size);

/* Fills part->model; the lines are complete. */
void step_model_learn(const struct study *study, struct step_part *part);
/* Seconds of a step with so many calls, or with that cap; of a bucketed point, by its line's own compute. NAN where there is no model. */
double step_model_time(const struct step_part *part, double calls);
double step_model_at(const struct step_part *part, double cap);
double step_model_of(const struct step_part *part, const struct step_line *line, const struct step_point *point);
/* A bucketed point's step where data moves by itself, by its own compute and communication alone, in any buckets that the cap lets pass. NAN: no model. */
struct step_span {
	double least, most;
};
struct step_span step_model_span(const struct step_part *part, const struct step_line *line, const struct step_point *point);
/* The calls that a cap makes, read between those that were measured: tensors are not cut. */
double step_model_calls(const struct step_part *part, double cap);

/* steps.csv: a line a point of every part, with what the model says of bucketed ones. */
void step_study_csv(FILE *out, const struct step_study *steps);

#endif
