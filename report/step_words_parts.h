/* SPDX-License-Identifier: Apache-2.0
 *
 * Between the parts that make sentences on training steps.
 */
#ifndef COLLPERF_STEP_WORDS_PARTS_H
#define COLLPERF_STEP_WORDS_PARTS_H

#include "human.h"
#include "step_study.h"

/* Steps that differ by less are as good as one another, and T(k), whose buckets are equal, tells no less. */
extern const double step_words_same;

struct human step_words_more(double ratio);                      /* "4 % more", "as much" */
struct human step_words_apart(double ratio);                     /* "4 % more than", "as much as" */
struct human step_words_at_cap(const struct step_point *point);  /* " at 8 MiB", "" */
struct human step_words_overlap(const struct step_point *point); /* "overlap 12 % [9 % to 15 %]", "overlap none", "" */

struct human step_words_cap(const struct step_model *model); /* about the cap of the optimum: "8 MiB", "4 MiB to 8 MiB" */

/* The line that is told before all others; NULL where there is none. */
const struct step_line *step_words_fastest(const struct step_part *part);

/* Sentences, as of step_words. */
bool step_words_wrong(const struct step_part *part, char *text, size_t size);
bool step_words_best(const struct step_part *part, char *text, size_t size);
bool step_words_movers(const struct step_part *part, char *text, size_t size);
bool step_words_price(const struct step_part *part, char *text, size_t size);
bool step_words_asked(const struct step_part *part, char *text, size_t size);
bool step_words_thread(const struct step_part *part, char *text, size_t size);
bool step_words_model(const struct step_part *part, char *text, size_t size);
bool step_words_origin(const struct step_part *part, char *text, size_t size);

#endif
