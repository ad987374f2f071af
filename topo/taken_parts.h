/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of taken share. Nobody else includes this.
 */
#ifndef COLLPERF_TAKEN_PARTS_H
#define COLLPERF_TAKEN_PARTS_H

#include "taken.h"

/* A line that is being read; every taker moves `at` on where it finds what it wants, and leaves it where it does not. */
struct taken_text {
	const char *at, *end;
};

enum { TAKEN_LINE = 4096 };

bool taken_word(struct taken_text *text, const char *word);
/* Up to `most`; no sign, at least one digit. */
bool taken_number(struct taken_text *text, unsigned long long most, unsigned long long *number);
void taken_blanks(struct taken_text *text);
/* Moves to what is behind the first `word`. */
bool taken_skip_to(struct taken_text *text, const char *word);
/* Copies what is printable ASCII and moves on by `length`; `to` of `size` bytes is always ended. */
void taken_copy(struct taken_text *text, size_t length, char *to, size_t size);

/* The pair, a new one where there is none (with how = `how` for from -1); NULL: no more are kept, or out of memory with *failed. */
struct taken_pair *taken_find_pair(struct taken *taken, int from, int to, const char *how, bool *failed);
/* What the pair's channels go through, a new one where there is none; NULL as above. */
struct taken_transport *taken_find_transport(struct taken *taken, struct taken_pair *pair, const char *how, bool *failed);
/* The same of choices; counts one call. -1: out of memory. */
int taken_count_choice(struct taken *taken, const struct taken_choice *choice);

/* 0 not such a line, 1 understood, -1 out of memory. */
int taken_tuning_line(struct taken *taken, struct taken_text text);

#endif
