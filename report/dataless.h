/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls without data (barriers). They are at no size, so no figure has them: a line of the summary for each setting, and a sentence.
 */
#ifndef COLLPERF_DATALESS_H
#define COLLPERF_DATALESS_H

#include <stdbool.h>
#include <stddef.h>

#include "study.h"

enum { DATALESS_MOST = 8, DATALESS_WORDS = 400 };

struct dataless_setting {
	const struct result *key; /* one of its rows */
	size_t run;               /* index into study->runs */
	double *times;            /* [launches] seconds, rising; owned */
	size_t launches;
	double time;  /* their median */
	double least; /* ceil(log2 n) alpha; NAN where alpha is not known or ranks take turns */
	bool turns;   /* some row's ranks do */
};

struct dataless {
	struct dataless_setting settings[DATALESS_MOST];
	size_t count;
	size_t left_out; /* rows of settings beyond */
};

/* Repeats count once. 0, or -1 after one line on stderr; *dataless is to be cleared in either case. */
int dataless_build(const struct study *study, struct dataless *dataless);
void dataless_clear(struct dataless *dataless);

/* What sets it apart from the others of the list: "ev, tcp"; "plain" where nothing does. May hold any bytes. */
void dataless_label(const struct study *study, const struct dataless *dataless, size_t s, char *text, size_t size);

/* "ceil(log2 4) alpha = 10 us", or why it is not known; never "". */
void dataless_verdict(const struct dataless_setting *setting, char *text, size_t size);

/* Likewise behind the name of the call: " (ev, tcp)"; "" where there is only one. */
void dataless_whose(const struct study *study, const struct dataless *dataless, size_t s, char *text, size_t size);

/* "10 us of 4 ranks, the median of 2 launches from 9 us to 11 us; at least it needs ceil(log2 4) alpha = 10 us" */
void dataless_sentence(const struct dataless_setting *setting, char *text, size_t size);

#endif
