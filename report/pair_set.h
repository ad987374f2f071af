/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of pairs of one run as matrices: latency is the time at the smallest size, bandwidth that at the largest; for pairs that exchanged alone and for
 * those that did so together; and what of it is slow. Libc only: the console and the report say the same.
 */
#ifndef COLLPERF_PAIR_SET_H
#define COLLPERF_PAIR_SET_H

#include "pair_judge.h"
#include "result.h"

enum pair_load { PAIR_ALONE, PAIR_TOGETHER, PAIR_LOADS };
enum pair_figure { PAIR_LATENCY, PAIR_BANDWIDTH, PAIR_FIGURES };
enum { PAIR_SAME_HOST, PAIR_OTHER_HOSTS, PAIR_CLASSES, PAIR_MOST_RANKS = 1024 };

struct pair_cell {
	int from, to;
	int load;
	int class;
	bool unsteady; /* it stayed noisy, and a rank kept coming late */
	int64_t bytes;
	double time;  /* seconds */
	double noise; /* relative */
};

/* All values of one load and figure. */
struct pair_matrix {
	double *time; /* [nranks * nranks] seconds, symmetric; NAN: no such pair */
	size_t pairs; /* 0: nothing was measured so */
	int64_t bytes;
	double median;
	int worst_from, worst_to; /* the longest time; -1 */
	struct pair_verdict verdict;
};

/* Something slow, over all matrices. factor: NAN where it was not named. */
struct pair_slow {
	enum pair_kind kind;
	int a, b;
	int class; /* of its pairs; -1: all classes tell it */
	size_t pairs;
	double factor[PAIR_LOADS][PAIR_FIGURES];
};

struct pair_set {
	int nranks;
	int nhosts;
	int *host;           /* [nranks], numbered by their lowest ranks */
	int *lowest;         /* [nhosts] the lowest rank of each */
	size_t left_out;     /* rows of ranks from PAIR_MOST_RANKS on */
	bool oversubscribed; /* ranks took turns on cores or GPUs, of whatever load: nobody is named */
	bool unsteady;       /* a matrix is of unsteady times, more than one rank explains: it names nobody */
	struct pair_matrix matrix[PAIR_LOADS][PAIR_FIGURES];
	struct pair_slow *slow; /* hosts, ranks, pairs; the slowest of each first */
	size_t nslow;
	/* while rows are added */
	struct pair_cell *cells;
	size_t ncells, room;
};

/* A row of a pair; others are left out. 0, or -1 when memory is out. Starts from a zeroed set. */
int pair_set_add(struct pair_set *set, const struct result *row);

/* After the last row. 0, or -1 when memory is out. */
int pair_set_finish(struct pair_set *set);

void pair_set_clear(struct pair_set *set);

/* Of a matrix; NAN where there is none. */
double pair_time(const struct pair_set *set, const struct pair_matrix *matrix, int from, int to);
/* Bytes each way over the time. */
double pair_rate(const struct pair_set *set, const struct pair_matrix *matrix, int from, int to);

/* Up to three ranks are one pair at a time: no others exchange, also where load is `all`. */
bool pair_has_others(const struct pair_set *set);

/* How many times as long the exchange takes when others exchange too: the median and the worst over pairs; 0 pairs: not measured, or no others. */
struct pair_disturbance {
	size_t pairs;
	double median, worst;
	int from, to;
};
struct pair_disturbance pair_disturbance(const struct pair_set *set, enum pair_figure figure);

#endif
