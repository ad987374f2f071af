/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds things by what they are equal in, among up to millions: a hash table of their numbers. The things themselves stay with the caller, who
 * gives a hash of each and says whether one is the one that is looked for.
 */
#ifndef COLLPERF_INDEX_H
#define COLLPERF_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INDEX_MOST = 1 << 30 }; /* things */

struct index_slot {
	uint32_t number; /* + 1; 0 is free */
	uint32_t hash;
};

/* All zeros at first. */
struct index {
	struct index_slot *slots; /* a power of two, at most half full */
	size_t nslots;
	size_t count;
};

#define INDEX_NONE SIZE_MAX

/* Of an integer, and of a text: start from 0 and go on with what came out. */
uint64_t index_mix(uint64_t hash, uint64_t value);
uint64_t index_mix_text(uint64_t hash, const char *text);

/* The number of the thing with this hash for which same(context, number) holds, else INDEX_NONE. */
size_t index_find(const struct index *index, uint64_t hash, bool (*same)(const void *context, size_t number),
		  const void *context);

/* 0, or -1 when memory is out or there are INDEX_MOST. Nothing is printed. */
int index_add(struct index *index, uint64_t hash, size_t number);

void index_clear(struct index *index);

#endif
