/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan in words: numbers with the digits that a reader may check, one sentence a strategy. Numbers that are not known are "-".
 */
#ifndef COLLPERF_PLAN_WORDS_H
#define COLLPERF_PLAN_WORDS_H

#include "plan.h"

struct plan_word {
	char text[48];
};

struct plan_word plan_word_time(double seconds);     /* "61.25 ms" */
struct plan_word plan_word_percent(double fraction); /* "3.560 %" */
struct plan_word plan_word_number(double number);    /* "583.3", "16384" */
struct plan_word plan_word_bytes(double bytes);      /* "31.406 GB", powers of 1000 */
struct plan_word plan_word_fixed(double number, int decimals);

/*
 * "61.25 ms~*?!", of all calls: with ~ where some lie outside of the measured sizes, * where they were measured with another number of ranks, ? where they
 * are a guess, ! where other rows stand in for them.
 */
struct plan_word plan_word_marked(double seconds, const struct plan_marks *marks);
/* The same behind any word but "-". */
struct plan_word plan_word_signs(struct plan_word word, const struct plan_marks *marks);

/* Adds to a text, as far as there is room. */
void plan_word_append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The same of marks: "; some of these times are outside of the measured sizes (~)"; nothing without marks. */
void plan_word_marks(const struct plan_marks *marks, char *text, size_t size);

/* One sentence: whether the strategy waits for the network, with its number. */
void plan_sentence(const struct plan *plan, const struct plan_strategy *strategy, char *sentence, size_t size);
/*
 * What is best among those that are known (all communication where it is not known what overlap hides, then "at most"; waits that are the same to 1e-6, or to 5 % where times are marked, tie: the one that stores least), or what the network is too slow for; ""
 * where nothing can be said.
 */
void plan_advice(const struct plan *plan, char *sentence, size_t size);
/* What of buckets; "" where nothing is known. */
void plan_buckets_sentence(const struct plan *plan, char *sentence, size_t size);
/* Of the times in that sentence. */
struct plan_marks plan_buckets_marks(const struct plan *plan);
/* The best splits, what may be better, the most ranks; "" where no split's time is known. */
void plan_splits_sentence(const struct plan *plan, char *sentence, size_t size);
/* The network in one line: the link as given, or the rows that all-reduces are read from. */
void plan_network_sentence(const struct plan *plan, char *sentence, size_t size);

/* Whether communication takes longer than compute, or overlap leaves over a tenth of the compute visible: 1, 0; -1: not known. */
int plan_is_bound(const struct plan_strategy *strategy);

#endif
