/* SPDX-License-Identifier: Apache-2.0
 *
 * What is said of pairs, in sentences that the console and the report share. Texts may hold any bytes of host names: to be escaped where they go.
 */
#ifndef COLLPERF_PAIR_WORDS_H
#define COLLPERF_PAIR_WORDS_H

#include "pair_set.h"

enum { PAIR_WORDS = 512, PAIR_MOST_NAMED = 12 };

/* Names of hosts: of a rank, or NULL where it is not known. `context` is its own. */
struct pair_hosts {
	const char *(*name)(const void *context, int rank);
	const void *context;
};

/* "rank 5 (host n2) is slow: its 7 pairs take 1.22 times as long as others at 8 B, 1.2 times at 4 MiB". Returns text. */
const char *pair_words_slow(const struct pair_set *set, const struct pair_hosts *hosts, const struct pair_slow *slow, char *text,
			    size_t size);

/* What cannot be said: nobody where ranks take turns, nobody of two ranks, no host of two; NULL where there is nothing to add. */
const char *pair_words_limits(const struct pair_set *set);

/* "latency of pairs alone at 8 B: median 2.1 us, worst 3.5 us (ranks 1 and 3)"; false where there is none. */
bool pair_words_summary(const struct pair_set *set, int load, enum pair_figure figure, char *text, size_t size);

/* "while others exchange too a pair takes 1.3 times as long at 4 MiB, in the worst case (ranks 0 and 3) 2.1 times"; false where there is none. */
bool pair_words_disturbance(const struct pair_set *set, enum pair_figure figure, char *text, size_t size);

/* "8 B", "4 MiB" */
const char *pair_words_size(int64_t bytes, char text[24]);

#endif
