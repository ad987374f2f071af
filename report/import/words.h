/* SPDX-License-Identifier: Apache-2.0
 *
 * The words and numbers of a line of a log, and the names that other tools give to primitives. Lines have no NUL behind them.
 */
#ifndef COLLPERF_IMPORT_WORDS_H
#define COLLPERF_IMPORT_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../collectives/collective.h"

enum {
	WORDS_MOST = 32,  /* of a line */
	WORDS_SHOWN = 80, /* room for a piece of a log in a message */
};

struct word {
	const char *text; /* borrowed */
	size_t length;
};

/* The words between blanks; how many there are, those over `most` counted but not stored. */
size_t words_split(const char *line, size_t length, struct word *words, size_t most);

bool word_is(struct word word, const char *text);

/* The same, capitals or not. */
bool word_is_like(struct word word, const char *text);

/* A decimal number, at least 0, of digits, one point and an exponent, nothing else. *half: half a unit of its last place. */
bool word_real(struct word word, double *value, double *half);

/* Digits alone. */
bool word_whole(struct word word, int64_t *value);

bool words_start(const char *line, size_t length, const char *text);

/* Where `text` starts in the line, or `length`. */
size_t words_find(const char *line, size_t length, const char *text);

/* The word, safe in a message; returns buffer (at least WORDS_SHOWN bytes). */
const char *word_show(struct word word, char *buffer);

/* AllReduce, all_reduce, alltoall, AllToAll: by its letters. NULL when there is none. */
const struct collective *word_collective(struct word word);

/* size * times into *total; false when that is no int64_t. */
bool words_multiply(int64_t size, int64_t times, int64_t *total);

#endif
