/* SPDX-License-Identifier: Apache-2.0
 *
 * What all tellings of a comparison say, in one wording. Texts may hold any bytes: whoever prints them escapes them. Pure; a text is part of the value
 * returned.
 */
#ifndef COLLPERF_GATE_WORDS_H
#define COLLPERF_GATE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "tell.h"

/* Why a point has no verdict: its doubt, or none and yet the data leave it open. */
enum { GATE_OPEN = GATE_NOISY + 1, GATE_REASONS };

struct gate_words {
	char text[640];
};
/* Appends; what is too long is cut. */
void __attribute__((format(printf, 2, 3))) gate_words_add(struct gate_words *words, const char *format, ...);

/* With one launch on a side a loss counts from this many times as long on: two launches of equals differed by half now and then, hardly ever by this. */
enum { GATE_FAR = 2 };

struct gate_tally {
	size_t points;
	size_t reasons[GATE_REASONS];                /* of the points that are undecided */
	size_t barred;                               /* points that nobody can judge, however many launches there are */
	size_t barred_series;                        /* none of whose points can be judged */
	size_t first_barred;                         /* of these; nseries: none */
	size_t slower, faster;                       /* findings */
	size_t lost;                                 /* points */
	size_t missed;                               /* gates */
	size_t fewest[GATE_SIDES], most[GATE_SIDES]; /* launches of a series */
};
struct gate_tally gate_tally(const struct gate_sheet *sheet, const struct gate_judgement *judgement,
			     const struct gate_rules *rules, const struct gate_outcome *outcomes);
struct gate_tally gate_story_tally(const struct gate_story *story);

/*
 * Whether NEW lost there. Where all became faster, a size that did so less than its neighbours was found to be slower than these, and yet is no loss.
 */
bool gate_is_loss(const struct gate_finding *finding);
bool gate_is_lost(const struct gate_point_verdict *verdict);
/* Whether a loss of that ratio makes the exit code 1. */
bool gate_fails(const struct gate_judgement *judgement, double ratio);
/* Whether a gate is missed; one whose points are no measurements (GATE_NOT_JUDGED) is open. */
bool gate_is_missed(const struct gate_outcome *outcome);

/* Noise can be overcome by more launches; what else is in doubt cannot. */
bool gate_is_barred(enum gate_doubt doubt);

/* "regression", "no regression", "inconclusive". */
const char *gate_words_code(enum gate_exit code);
const char *gate_words_word(enum gate_word word);
const char *gate_words_reason(size_t reason);
/* Why a point has no verdict; "" where it has. */
const char *gate_words_why(const struct gate_point *point, enum gate_word word);
const char *gate_words_met(enum gate_met met);
/* How the loss was seen: "together", "1.32 over the rest", "1.32 over others". */
struct gate_words gate_words_seen(const struct gate_finding *finding);

/* What sentences call a side. */
const char *gate_words_call(const struct gate_story *story, enum gate_side_id side);
/* Appends what gate_words_reason says, with the side's name. */
void gate_words_add_reason(struct gate_words *words, const struct gate_story *story, size_t reason);

/* The whole in one sentence. */
struct gate_words gate_words_verdict(const struct gate_story *story);
/* The primitive and what sets the series apart from others of the sheet: "all_reduce tcp, 4 ranks". */
struct gate_words gate_words_series(const struct gate_sheet *sheet, size_t series);
/* "from 1 MiB on", "at 1 MiB, in-place". */
struct gate_words gate_words_sizes(const struct gate_sheet *sheet, const struct gate_finding *finding);
/* Points of NEW with wrong data, "reduce at 1 MiB, in-place: 12 elements": the first `most` of them; returns how many there are. */
size_t gate_words_wrong(const struct gate_sheet *sheet, struct gate_words *lines, size_t most);
/* "1.32 (1.20 to 1.45)". */
struct gate_words gate_words_ratio(const struct gate_ratio *ratio);
struct gate_words gate_words_p(double p);
/* "3.1 %", "over 1000 %", "-". */
struct gate_words gate_words_loss(double fraction);
/* Of the table of losses, or of gains. */
const char *gate_words_heading(const struct gate_story *story, bool slower);
/* What to look at. */
const char *gate_words_hint(const struct gate_sheet *sheet, const struct gate_finding *finding);
/* "" where there is nothing to say. */
struct gate_words gate_words_apart(const struct gate_sheet *sheet);
struct gate_words gate_words_counts(const struct gate_story *story);
struct gate_words gate_words_undecided(const struct gate_story *story);
struct gate_words gate_words_launches(const struct gate_tally *tally, enum gate_side_id side);
/* What it would take to be conclusive, "; about 6 launches of each side would be conclusive (--repeat 6)"; "" where it is. */
struct gate_words gate_words_enough(const struct gate_story *story);
/* The loss that would have been seen four times in five in all classes of sizes that were judged; NAN. */
double gate_words_visible(const struct gate_story *story);
/* What the ratio of a finding is to: "BASE", "its other sizes" or "the other placement" of the same launches. */
const char *gate_words_against(const struct gate_sheet *sheet, const struct gate_finding *finding);
/* What could have been seen, and what it would take to be conclusive. */
struct gate_words gate_words_sight(const struct gate_story *story);
/* Which test, which correction; that there is none. */
struct gate_words gate_words_method(const struct gate_story *story);
/* Whether the classes of a series are worth a table. */
bool gate_words_has_classes(const struct gate_series_verdict *verdict);

#endif
