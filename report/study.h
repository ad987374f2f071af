/* SPDX-License-Identifier: Apache-2.0
 *
 * What a report says, before it is put into words: rows sorted into machines (one alpha and B each), and for each primitive into the
 * series of its figures. Knows nothing of files or formats.
 */
#ifndef COLLPERF_STUDY_H
#define COLLPERF_STUDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../collectives/collective.h"
#include "fit.h"
#include "machine.h"
#include "options.h"
#include "reader.h"
#include "result.h"
#include "runs.h"
#include "totals.h"

enum {
	STUDY_SHOWN_SERIES = 6,   /* of a figure */
	STUDY_MOST_SERIES = 512,  /* of a primitive; rows beyond are counted in left_out */
	STUDY_MOST_RANKS = 65536, /* no bounds above */
};

/* One size of a series: the median over the launches that measured it. */
struct point {
	double bytes;
	double time;         /* seconds */
	double low, high;    /* one launch: its interval of the median; several: their least and greatest median; NAN: unknown */
	double below, above; /* several launches: how far the typical one's own interval reaches, in logarithms; 0: unknown */
	double busbw;        /* bytes per second, NAN where absent */
	double imbalance;    /* of uneven calls; NAN where absent or where launches differ */
	double least, p95;   /* of single calls, seconds: of the typical launch; NAN: unknown */
	size_t launches;
	bool oversubscribed, late; /* late: half of the launches or more */
};

/* What a series says of the link, when its calls use the algorithm of a model that is linear in alpha and 1 / B. */
struct link_fit {
	const struct coll_model *model; /* named by the rows' algo, else the collective's ring; NULL: none that is linear */
	double alphas;                  /* a of the call = alphas * alpha */
	double bytes;                   /* b of the call = bytes / B, per byte of S */
	struct fit_value alpha;         /* seconds; NAN where fit cannot tell it */
	struct fit_value bandwidth;     /* bytes per second */
};

/* A parameter over launches that were fitted alone. NAN where none told it. */
struct fit_range {
	double median, least, most;
};

struct series {
	const struct result *key; /* one of its rows */
	const char *source;       /* file name as given */
	const struct machine *machine;
	struct point *points; /* by rising bytes */
	size_t npoints;
	struct fit fit; /* of its points: alpha is a of the call, bandwidth is 1 / b of it; FIT_TOO_FEW where ranks took turns */
	struct link_fit link;
	size_t launches;           /* that were fitted alone, if there are several; else 0 */
	struct fit_range launch_a; /* seconds */
	struct fit_range launch_b; /* seconds per byte */
	char place[64]; /* what sets its machine apart from the others of the figure: "tcp"; of the safe alphabet, may be "" */
	char label[96]; /* place and placement, or only what differs; never "" */
	bool in_place;
};

struct facts;      /* facts.h */
struct comparison; /* compare.h */
struct scaling;    /* scaling.h */

struct figure {
	const struct collective *coll;
	struct series *series; /* those drawn come first; the very first is the one that the others are compared with */
	size_t nseries, nshown;
	bool mixed; /* those drawn differ in type, operation or root, as in nothing else (but the placement) */
	struct comparison *comparisons;
	size_t ncomparisons;
	struct scaling *scalings;
	size_t nscalings;
	size_t *rows; /* rows of this primitive, repeats too: their indices, rising */
	size_t nrows;
	size_t distinct;   /* rows of it that are no repeats */
	size_t above;      /* those of them that are faster than the lower bound, by however little */
	double most_above; /* the largest lower bound / time among them */
	size_t untimed;    /* rows without a usable size or time */
	size_t left_out;   /* rows over STUDY_MOST_SERIES */
	size_t duplicates; /* rows that repeat another one's run, point and size */
	bool singleton;    /* looks like several jobs of one rank: not to be drawn */
};

struct study {
	const struct report_options *options;
	const struct rows *rows;
	const struct facts *facts; /* [nfacts], one a run.json */
	size_t nfacts;
	struct machine *machines;
	size_t nmachines;
	size_t *machine_of; /* index into machines, of each row; STUDY_NO_MACHINE of pairs and steps, which have parts of their own (pair_study.h, step_study.h) */
	struct runs runs;
	struct totals totals;
	struct figure figures[COLL_COUNT];
	size_t foreign; /* rows of no known primitive */
};

/* Times of the models that are drawn, seconds; NAN where there is none or where it does not hold. */
struct bounds {
	double lb, ring, tree;
	double hier; /* two levels, their phases overlapped; on one node NAN */
	double nic;  /* what the NICs alone allow, likewise */
	double sum;  /* two levels, their phases one after the other, likewise */
	double cap;  /* busbw that nothing can be above, bytes per second */
	double link; /* busbw of a ring over the links at their peak (of --link, through the NICs), NAN where the links are not known */
};

/* With what is known of the runs, which may be nothing (NULL, 0). 0, or -1 after one line on stderr. All that is given must outlive it. */
int study_build(const struct report_options *options, const struct rows *rows, const struct facts *facts, size_t nfacts,
		struct study *study);
void study_clear(struct study *study);

#define STUDY_NO_MACHINE SIZE_MAX
/* The machine of row i, which is not of a pair nor a step; never NULL. */
const struct machine *study_machine(const struct study *study, size_t i);
/* A time that can be plotted and compared: a known primitive, at least one byte, a positive time. */
bool study_is_timed(const struct result *row);
/* A call without data (a barrier), at no size: its time has a line of its own (dataless.h). */
bool study_is_dataless(const struct result *row);

/* A model of a call on a machine that is known, NAN where it does not apply (one rank, too many, not defined for this number). */
double study_model_time(const struct collective *coll, const struct coll_model *model, const struct machine *machine,
			int64_t nranks, double bytes);
/* `key` is a row of the machine; its algo column tells whether switches reduce. */
struct bounds study_bounds(const struct collective *coll, const struct machine *machine, const struct result *key, double bytes);

/* Whether the network may reduce for such a row: --nvls, its algo column, or a link that is known to be behind such switches. */
bool study_may_reduce(const struct machine *machine, const struct result *key);

/* As study_bounds, all NAN for rows that may not be compared with bounds: untimed, oversubscribed. The second: for a point of a series. */
struct bounds study_row_bounds(const struct study *study, size_t i);
struct bounds study_point_bounds(const struct figure *figure, const struct series *series, const struct point *point);

/* Whether alpha and B come from a fit that describes the times badly. */
bool study_is_rough(const struct machine *machine);
/* How far below the lower bound a time may lie before it is called impossible: what the fit leaves unexplained. A fraction. */
double study_tolerance(const struct machine *machine);

#endif
