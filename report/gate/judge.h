/* SPDX-License-Identifier: Apache-2.0
 *
 * The test: did NEW become slower than BASE? Pure arithmetic on a sheet.
 *
 * Model: the log time of a point in a launch = its mean on that side + what all points of the launch share + what is the point's own. A launch is one
 * observation; of pairs (sheet.paired) their difference is, one sample. Where a side has several eras (runs) its mean is that of
 * theirs, NEW is one more era, and to the launches' variance comes that of eras, half the mean square of steps from one to the next as far as it is over what
 * launches explain, so that a slow drift does not hide itself. Whether eras differ at all, and whether launches of the sides vary alike, all series say together.
 *
 * Each series is looked at through windows of its sizes:
 *   LEVEL  means over all sizes, over those from a quarter, half or three quarters of them on, or up to there: the launches' common part is in them
 *   SHAPE  up to half of the sizes against as many neighbours (2 at least) on each side, all from a size on against the rest, each for both placements and
 *          one of them, and one placement against the other: what the launch shares cancels, so that a slowdown from 1 MiB on is seen at once
 *   POINT  such a window of one size
 * Of a contrast either side may have changed; which, is told by the odds under what launches vary by, and where these are below 7 to 1 nothing is.
 * A window's statistic is the difference of the sides over its standard error, whose variance is moderated over windows alike and all series of the sheet
 * (empirical Bayes: Smyth 2004). As windows overlap, the largest of a series is held against the distribution of that largest under the fitted components
 * (seeded draws), and the series' p values against each other by Benjamini and Hochberg. Of the false alarms allowed LEVEL has most, as its statistics are
 * the weakest, and less where series vary differently. A window is found where it is significant and its ratio is over the threshold; it is taken out and the
 * rest looked at again, up to 8 times a series.
 *
 * Beyond 32 sizes widths grow by a third or a half, beyond 256 neighbouring sizes are put together: 11,000 windows a series at most.
 * Only points without doubt that every launch has are judged. In a sheet with statistics a series of one launch on a side is undecided.
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

/* A ratio NEW / BASE of times, each the geometric mean over launches, with its 95 % interval (NAN where no statistics stand behind it). */
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
	double visible; /* the loss of this class alone that would be found four times in five, a fraction; over the threshold; NAN: unknown */
};

/* What was found: sizes first .. last (indices of points of one or both placements). */
struct gate_finding {
	size_t series;
	enum gate_kind kind;
	bool slower; /* else faster */
	double first_bytes, last_bytes;
	bool in_place, out_of_place;
	/* As tested: of a level NEW / BASE, of a shape or point this over that of the rest of the same launches. */
	struct gate_ratio ratio;
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
	/* The 95 % interval of some series as a whole reaches further than the threshold: such a loss would not be seen even half the time. */
	bool blind;
	/* Of each side, with a margin, until no series' interval does; NAN: not blind, or eras differ, which launches cannot help. */
	double launches;
	size_t runs; /* of BASE where blind and these may differ: so few cannot tell by how much; 0 */
	/* Standard deviations of log times: shared by a launch, a point's own; NAN without statistics. */
	double launch_spread, point_spread;
};

/* 0, or -1 after one line on stderr (memory). Sets doubts of points that are too noisy. */
int gate_judge(struct gate_sheet *sheet, const struct gate_settings *settings, struct gate_judgement *judgement);
void gate_judgement_clear(struct gate_judgement *judgement);

/* Which class a size belongs to, by the base's own curve: latency where time is within twice that of the smallest, bandwidth where rate is over half of the best. */
enum gate_class gate_class_of(const struct gate_series *series, size_t point);

#endif
