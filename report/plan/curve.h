/* SPDX-License-Identifier: Apache-2.0
 *
 * How long a call of one primitive takes at any size: read off measured rows, or a cost model. Sizes are S as the primitive counts it
 * (reduce_scatter and all_gather: the whole, not a rank's share). Units: bytes, seconds.
 */
#ifndef COLLPERF_CURVE_H
#define COLLPERF_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../collectives/collective.h"
#include "../facts.h"
#include "../fit.h"
#include "../reader.h"

/* Where a time comes from. */
enum curve_source {
	CURVE_MEASURED, /* at this very size */
	CURVE_BETWEEN,  /* between two measured sizes: on the straight line of log time against log size */
	CURVE_BELOW, /* smaller than all measured sizes: as the smallest one, less in proportion to the line of the fit's first segment */
	CURVE_ABOVE, /* larger than all: as the largest one, and the slope of the last segment from there */
	CURVE_MODEL, /* a cost model with a given link; or one rank, whose calls take no time */
	CURVE_SOURCES
};

struct curve_time {
	double seconds; /* finite, >= 0 */
	enum curve_source source;
	bool scaled;   /* measured with another number of ranks */
	bool stand_in; /* set by plan_timer_time: measured on other nodes, or without the calls that go on beside it */
	/*
	 * Outside of the measured sizes only: the fit does not tell what is needed there (alpha below, the bandwidth above), is over 15 % off the outermost
	 * size, or there is none (under four sizes). It is a time at most: of the smallest size, or in proportion to the largest one.
	 */
	bool guess;
};

struct curve_point {
	double bytes, time; /* the median over launches, at the number of ranks asked for */
	size_t launches;
	const struct coll_model *model; /* that the algorithm of this size names (fit_named_model), NULL: none that is linear */
	const char *algo;               /* of one of its rows */
};

/* Flags of rows that a reader should know of. */
enum curve_flag {
	CURVE_NOISY,
	CURVE_LATE,
	CURVE_HOST_BOUND,
	CURVE_TRACED,
	CURVE_OTHER_PATH,
	CURVE_UNCHECKED,
	CURVE_RATES,
	CURVE_FLAGS
};

struct curve_noise {
	size_t rows; /* that the points were made of */
	size_t flagged[CURVE_FLAGS];
	size_t set_aside; /* rows that were late, host_bound, traced or of another path, where as many others were of that size */
};

/* Beyond the measured sizes: a + b * bytes of the fit's outermost segments, at the number of ranks asked for. */
struct curve_end {
	double a, b;
	bool guess;
};

struct curve {
	const struct collective *coll;
	int nranks; /* of the calls asked about */
	/* CURVE_MODEL: of its times; else of the largest size: by it, and by that of the smallest, the fit tells the link. */
	const struct coll_model *model;
	struct coll_link link; /* alpha and beta: as given; else what the fit tells by the models, NAN where it does not */
	/* Measured; all 0 and NULL of a model and of one rank. */
	const struct result *key; /* the first of the rows */
	const char *source;       /* its file, as given: the rows' */
	int measured_nranks;
	struct curve_point *points; /* by rising bytes */
	size_t npoints;
	struct fit fit; /* of the times as they were measured */
	struct curve_end below, above;
	struct curve_noise noise;
	/* One sentence each, of safe characters, never NULL: which series it is (or which model and link); what was passed over, "" for nothing. */
	char *choice;
	char *passed_over;
};

/* Which rows: NULL, 0 and RESULT_NONE mean any. Texts must be the same as the column's. */
struct curve_wish {
	const struct collective *coll;
	int nranks;            /* of the calls asked about, >= 1 */
	bool scale;            /* rows of other numbers of ranks will do where this one was not measured */
	int64_t nnodes;        /* rows without it never match a number */
	int each;              /* > 0: rows of two nodes or more alone, of so many ranks a node or about so many before others */
	double element_bytes;  /* rows of a type that long come before others */
	const char *placement; /* any: out-of-place where there is such a series */
	const char *type, *redop, *backend, *library, *path, *algo, *group;
	const char *variant;       /* any: only the plain calls ("") */
	const struct facts *facts; /* [nfacts] of the files' folders: which files are of other machines */
	size_t nfacts;
};

/*
 * A row counts when it has a size, a time and two ranks or more, repeats no other, belongs to no pair and no training step, had no wrong element, and its
 * ranks did not take turns on cores or a GPU. Rows that differ in anything but size, launch, algorithm and file are different series; files are different
 * ones where run.json says that host, processor, library or variant differ. Algorithms of one series that no size has two of are one curve; else what the
 * library chose (no algorithm, or "auto", or launches that go from one to another with the size) is one, and each other algorithm its own. Of those that
 * the wish allows, taken is: with `each` the ranks a node nearest by ratio, then so the nodes; the number of ranks asked for before others, then the
 * number nearest by ratio (at a tie the larger), then measured before simulated, sums before other operations, the type of the wish before other floating
 * types before any, out-of-place before in-place, all ranks before a group of them, synchronised calls before loops, the library's choice before
 * algorithms, the most sizes, the most launches, and the first in the files. A number of ranks that was not measured is refused, unless wish->scale: then
 * the time of each size is multiplied by what the model of its algorithm (with alpha and B of the fit) takes at this number of ranks over what it takes at
 * the measured one, as if all ranks had such links; refused where some has no linear model or the fit is not usable, unless that goes with the next
 * nearest rows. One rank needs no rows. 0, or -1 with one line in `error` that names what there is instead. The rows must outlive the curve.
 */
int curve_from_rows(const struct rows *rows, const struct curve_wish *wish, struct curve *curve, char *error, size_t size);

/*
 * The times of a model of coll by name, NULL: its ring, else its "lb". alpha >= 0, beta > 0, gamma >= 0, all finite. 0, or -1 with one line in
 * `error`: no such model, not for this number of ranks, a bad link.
 */
int curve_from_link(const struct collective *coll, const char *model, const struct coll_link *link, int nranks,
		    struct curve *curve, char *error, size_t size);

/* What the wish allows and no curve of these keys is made of, and what does not count. The caller's to free; NULL: no memory, which was said. */
char *curve_tell_unused(const struct rows *rows, const struct curve_wish *wish, const struct result *const *used, size_t n);
const char *curve_flag_word(enum curve_flag flag);

void curve_clear(struct curve *curve);

/* Of a call of `bytes`, finite, need not be whole. 0 bytes and less: 0 seconds by CURVE_MODEL, as such a call is not made. */
struct curve_time curve_time(const struct curve *curve, double bytes);

/*
 * The curve as a + b * bytes, for formulas that need a line: of a linear model exactly; measured: a of the fit's first segment, b of its last, scaled
 * likewise. false (and nothing set) where there is none: a model that is not linear, a fit without alpha or bandwidth.
 */
bool curve_line(const struct curve *curve, double *a, double *b);

/* The smallest and largest measured size; 0 and INFINITY of a model. */
double curve_least(const struct curve *curve);
double curve_most(const struct curve *curve);

/* Words for a column: "measured", "interpolated", "below", "above", "model". */
const char *curve_word(enum curve_source source);

#endif
