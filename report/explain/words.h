/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers, items and messages in words. All cut to what fits, then ending in "..", and return buffer.
 */
#ifndef COLLPERF_EXPLAIN_WORDS_H
#define COLLPERF_EXPLAIN_WORDS_H

#include "example.h"
#include "lore.h"

/* "10", "2.5", "6.02e+23"; whole numbers up to 2^53 in full, "~" before larger ones of which this is not all. */
const char *words_number(double number, char *buffer, size_t size);

/* "block", "segment", "buffer": what an item of it is. */
const char *words_item_kind(const struct example *example);

/* "block 3", "blocks 0-1,4", "buffer", "0:3 1:3", "empty message". Items of nobody: "nothing". */
const char *words_items(const struct example *example, const int *items, int nitems, char *buffer, size_t size);

/* "of block", "from rank": above narrow columns; "": a column says all. */
const char *words_columns(const struct example *example);

/* "block 2", "from 2", "received": above a column of what ranks hold; `narrow`: "2". */
const char *words_column(const struct example *example, int column, bool narrow, char *buffer, size_t size);

/* The numbers of items, or the ranks heard of, parted by blanks, as a rank has them whose values are `values` [nitems of the schedule]. */
const char *words_values(const struct example *example, const uint64_t *values, const int *items, int nitems, char *buffer,
			 size_t size);

/* What a rank has before the call, and what it has got from it: as words_buffer, or blocks parted by "|", or the ranks that it has heard of. */
const char *words_before(const struct example *example, int rank, int width, char *buffer, size_t size);
const char *words_after(const struct example *example, int rank, int width, char *buffer, size_t size);

/* All that a rank has for which `mask` is not 0, in the order of items, each at least `width` wide; "-": nothing. */
const char *words_buffer(const struct example *example, const uint64_t *values, const uint64_t *mask, int width, char *buffer,
			 size_t size);

/* "0-1,3": the ranks whose data are in a value. */
const char *words_ranks(uint64_t set, char *buffer, size_t size);

/* What a reducing message does: "+", "x", "max", "min"; "" for one that is kept. */
const char *words_sign(const struct example *example, bool combine);

/* One sentence on how the buffer is cut. */
const char *words_cut(const struct example *example, char *buffer, size_t size);

/* "2(p-1) alpha + 2(p-1)/p S beta + (p-1)/p S gamma" of a cost; parts that are "0" are left out. */
const char *words_cost(const struct lore_cost *cost, char *buffer, size_t size);

/* Likewise of what was counted. */
const char *words_counted(const struct example *example, char *buffer, size_t size);

/* What the formulas say at this p: what was counted, no less than it, or something is less. */
enum words_fit { WORDS_EXACT, WORDS_ABOVE, WORDS_BELOW };
enum words_fit words_cost_fit(const struct example *example, const struct lore_cost *cost);

/* A letter of formulas beside p and what it is at this p; false: the cost has no i-th one. */
bool words_letter(const struct example *example, const struct lore_cost *cost, int i, char *letter, double *value);

/* "L = ceil(log2 p) = 2, m = segments = 4": the letters of a cost beside p; "": none. */
const char *words_letters(const struct example *example, const struct lore_cost *cost, char *buffer, size_t size);

/* "S is the size of the call, here 4 numbers of 4 bytes", or "messages without data". */
const char *words_size(const struct example *example, char *buffer, size_t size);

/* Where blocks differ: sentences on the rank that has most to send or to get, whatever the algorithm. */
const char *words_busiest(const struct example *example, char *buffer, size_t size);

/* 3/2 of a part of S. */
const char *words_share(const struct example *example, double value, char *buffer, size_t size);

#endif
