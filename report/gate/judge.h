/* SPDX-License-Identifier: Apache-2.0
 *
 * The test: did NEW become slower than BASE? Pure arithmetic on a sheet.
 *
 * Model: the log time of a point in a launch = its mean on that side + what all points of the launch share + what is the point's own. A launch is one
 * observation. Each series is looked at through windows: means of log times over all sizes from one on, or up to one ("level": they carry the launch's
 * common part), such a mean against the rest of the same launch ("shape": the common part cancels), and single points against their neighbours ("point").
 * A window's statistic is the difference of the sides over its standard error, whose variance is estimated between launches and moderated over the series of
 * the sheet (empirical Bayes: Smyth 2004). As windows overlap, the largest statistic of a series is held against the distribution of that largest under the
 * fitted two-component model (seeded simulation), and the series' p values against each other by Benjamini and Hochberg.
 */
#ifndef COLLPERF_GATE_JUDGE_H
#define COLLPERF_GATE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sheet.h"

struct gate_settings {
	double threshold;    /* a fraction: 0.05; slower by more than this is a regression where it is significant */
	double false_alarms; /* of comparisons of equals that report anything slower: 0.02 */
	uint64_t seed;
};

enum gate_kind { GATE_LEVEL, GATE_SHAPE, GATE_POINT, GATE_KINDS };
enum gate_class { GATE_LATENCY, GATE_MIDDLE, GATE_BANDWIDTH, GATE_CLASSES };
extern const char *const gate_class_names[GATE_CLASSES];

enum gate_word { GATE_SAME, GATE_SLOWER, GATE_FASTER, GATE_UNDECIDED };

/* A ratio NEW / BASE of times with its 95 % interval (NAN where no statistics stand behind it). */
struct gate_ratio {
	double value, low, high;
};

struct gate_point_verdict {
	enum gate_word word;
	struct gate_ratio ratio;
	double p; /* one-sided, raw; NAN */
};

struct gate_class_verdict {
	enum gate_word word;
	size_t points; /* 0: the series has none of this class */
	struct gate_ratio ratio;
	double visible;  /* the loss that would be found four times in five, a fraction; NAN: never */
	double launches; /* of each side that would do to see the threshold so; NAN where they do already or R = 1 */
};

/* What was found: sizes first .. last (indices of points of one or both placements). */
struct gate_finding {
	size_t series;
	enum gate_kind kind;
	bool slower; /* else faster */
	double first_bytes, last_bytes;
	bool in_place, out_of_place;
	struct gate_ratio
		ratio; /* as tested: of a level NEW / BASE, of a shape or point this over that of the rest of the same launches */
	struct gate_ratio direct; /* NEW / BASE, the launches' part included */
	double p, adjusted;       /* raw, and after all corrections: at most settings.false_alarms */
};

struct gate_series_verdict {
	enum gate_word word;
	struct gate_point_verdict *points; /* [npoints] */
	struct gate_class_verdict classes[GATE_CLASSES];
};

struct gate_judgement {
	struct gate_series_verdict *series; /* [nseries] */
	struct gate_finding *findings;      /* worst first */
	size_t nfindings;
	size_t slower, faster, same, undecided; /* points */
	bool statistics;                        /* false: one launch on a side, thresholds only */
	bool blind; /* the spread is too wide: a loss of the threshold's size in some series would not be seen even half the time */
	double launches; /* of each side that would do, NAN */
	double launch_spread,
		point_spread; /* standard deviations of log times: shared by a launch, own; NAN without statistics */
};

/* 0, or -1 after one line on stderr (memory). Sets doubts of points that are too noisy. */
int gate_judge(struct gate_sheet *sheet, const struct gate_settings *settings, struct gate_judgement *judgement);
void gate_judgement_clear(struct gate_judgement *judgement);

/* Which class a size belongs to, by the base's own curve: latency where time is within twice that of the smallest, bandwidth where rate is over half of the best. */
enum gate_class gate_class_of(const struct gate_series *series, size_t point);

#endif
