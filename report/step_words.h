/* SPDX-License-Identifier: Apache-2.0
 *
 * What is said of training steps, in sentences that all renderings share. Texts may hold any bytes: to be escaped where they go.
 */
#ifndef COLLPERF_STEP_WORDS_H
#define COLLPERF_STEP_WORDS_H

#include "human.h"
#include "step_study.h"

enum { STEP_WORDS = 1024, STEP_DEFAULT_CAP = 25 << 20 };

/* Sentence i of a part, i from 0 up to STEP_SENTENCES; false where there is nothing to say. */
enum { STEP_SENTENCES = 14 };
bool step_words(const struct step_part *part, size_t i, char *text, size_t size);

/* One line for a terminal: "bucketed, polling: 14.2 ms at 8 MiB, flat 15 ms"; false where there is none. */
bool step_words_summary(const struct step_part *part, char *text, size_t size);

/* The overlap of a point with what is open of it: "12 % [9 % to 15 %]"; "-". */
struct human step_words_range(const struct step_point *point);

/* Where compute alone of two steps contradicts, of the first: "compute alone took 71 % more beside it"; what step_ratio is then; else "". */
struct human step_words_beside(const struct step_point *point, const struct step_point *than);
struct human step_words_by(const struct step_point *point, const struct step_point *than);

/* Of the communication, hidden behind compute: under it there is next to none. */
extern const double step_words_little;

/* Why the time of a line whose ranks take turns is none; of a line by nobody why it overlaps nothing. */
extern const char step_words_turns[];
extern const char step_words_nobody[];

#endif
