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
struct plan_word plan_word_marked(const struct plan_strategy *strategy);

/* One sentence: whether the strategy waits for the network, with its number. */
void plan_sentence(const struct plan *plan, const struct plan_strategy *strategy, char *sentence, size_t size);
/* What is best among those that are known, or what the network is too slow for; "" where nothing can be said. */
void plan_advice(const struct plan *plan, char *sentence, size_t size);
/* What of buckets; "" where nothing is known. */
void plan_buckets_sentence(const struct plan *plan, char *sentence, size_t size);
/* The network in one line: the link as given, or the rows that all-reduces are read from. */
void plan_network_sentence(const struct plan *plan, char *sentence, size_t size);

/* Whether communication takes longer than compute: 1, 0; -1: not known. */
int plan_is_bound(const struct plan_strategy *strategy);

#endif
