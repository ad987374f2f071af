/* SPDX-License-Identifier: Apache-2.0
 *
 * Between the parts that look for findings: curves by what they share, and what was seen in them, the worst of each kind to be told.
 */
#ifndef COLLPERF_FINDING_PARTS_H
#define COLLPERF_FINDING_PARTS_H

#include "findings.h"

/* A file's rows. */
struct finding_source {
	const char *name; /* the pointer of rows_source */
	size_t run;       /* index into study->runs */
	size_t first, end;
};

/* A series that can be judged: two ranks or more, none of them taking turns, no singleton jobs. */
struct finding_curve {
	const struct figure *figure;
	const struct series *series;
	const struct finding_source *source;
};

struct finding_view {
	const struct study *study;
	struct finding_source *sources;
	size_t nsources;
	/* Curves of one setting follow each other, those that differ in placement alone too: by primitive, operation, root, file. */
	struct finding_curve *curves;
	size_t ncurves;
};

/* 0, or -1 after one line on stderr; *view is to be cleared in either case. The study must outlive it. */
int finding_view_build(const struct study *study, struct finding_view *view);
void finding_view_clear(struct finding_view *view);

/* Whether curves are of one run and differ in primitive, operation, root and placement at most; and not in placement. */
bool finding_same_machine(const struct finding_curve *left, const struct finding_curve *right);
bool finding_same_setting(const struct finding_curve *left, const struct finding_curve *right);

/* A time with what it may be off by: its interval, and where there is none what a mean of many calls is usually off by. */
struct finding_span {
	double low, high;
};
struct finding_span finding_span(const struct point *point);

/* Index of the one of series->points with about these bytes, looked for from `from` on; npoints where there is none. */
size_t finding_point(const struct series *series, size_t from, double bytes);

/* Something seen in a curve. What the reals mean is up to its kind. */
struct finding_sight {
	enum finding_level level;
	double factor; /* how bad: those of one level are told by falling factor */
	const struct finding_curve *curve;
	double bytes, time;   /* where it is worst, and the time there */
	double bytes2, time2; /* what that is held against */
	size_t count, of;     /* sizes */
	size_t kind;          /* index into a table of the part's own */
	bool flag;            /* likewise */
};

struct finding_sights {
	struct finding_sight *items;
	size_t count;
};

/* 0, or -1 after one line on stderr. */
int finding_sights_add(struct finding_sights *sights, const struct finding_sight *sight);

/*
 * Tells the worst ones, each through `say` (with findings->run set), and how many more `what` there are. Empties the sights, also on
 * failure. 0, or -1 after one line on stderr.
 */
typedef int finding_say_fn(struct findings *findings, const struct finding_view *view, const struct finding_sight *sight);
int finding_sights_tell(struct findings *findings, const struct finding_view *view, struct finding_sights *sights,
			finding_say_fn *say, const char *what);

/* Texts that are part of the value returned, as those of human.h; they may hold any bytes. */
struct finding_text {
	char text[400];
};
struct finding_text finding_setting(const struct finding_curve *curve); /* "out-of-place, 8 ranks, float sum" */
/* "run/all_reduce.csv, point 13", or "..., 3 launches" */
struct finding_text finding_row(const struct finding_view *view, const struct finding_curve *curve, double bytes);

/* What the parts look for; each 0, or -1 after one line on stderr. */
int finding_launches(struct findings *findings, const struct finding_view *view); /* pooled, and not the same */
int finding_shapes(struct findings *findings, const struct finding_view *view);   /* one curve alone */
int finding_pairs(struct findings *findings, const struct finding_view *view);    /* curves that should agree */
int finding_guides(struct findings *findings, const struct finding_view *view);   /* calls that others can stand in for */
int finding_uneven(struct findings *findings, const struct finding_view *view);   /* uneven calls that cost more than they must */
int finding_rows(struct findings *findings, const struct study *study);           /* what single rows say */
int finding_ranks(struct findings *findings, const struct study *study);          /* one rank slowest all the time */
int finding_topology(struct findings *findings, const struct study *study);       /* links, NICs and cores */
int finding_machines(struct findings *findings, const struct study *study, size_t run); /* no bounds, or poor ones */

/* The host of a rank of a run by its run.json; NULL where that is not known, or not the same in all launches. */
const char *finding_host(const struct findings *findings, const char *run, int64_t rank);

#endif
