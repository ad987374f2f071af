/* SPDX-License-Identifier: Apache-2.0
 *
 * The data that ranks send and what must come out. Element i of rank r is entry (i + 1009 r) mod 4093 of one of two tables (even and odd ranks), so
 * seeding and checking are copies and comparisons of long pieces of tables that stay in cache. 4093 is a prime: no block size is a multiple of it. With
 * one table, blocks of 1009 elements that stay where they were would look like swapped ones.
 * Values are such that every order of reduction gives the same bits: small integers where sums must be exact, powers of two for products.
 */
#ifndef COLLPERF_PATTERN_H
#define COLLPERF_PATTERN_H

#include <stddef.h>
#include <stdint.h>

#include "dtype.h"
#include "redop.h"

struct pattern;

/*
 * For one type, one number of ranks and one operation; `reduces` is false where the data are only moved (op is ignored then). `seed` changes the
 * values. NULL after one line on stderr when memory is short.
 */
struct pattern *pattern_new(enum dtype type, enum redop op, int reduces, int nranks, uint64_t seed);
void pattern_free(struct pattern *pattern);

/*
 * Values that repeat: host memory of 2 * period elements, the second half like the first, so that a piece of up to `period` never wraps. Good until
 * the pattern is freed; tables of one serial have the same bytes, whichever pattern they are of.
 */
struct pattern_table {
	const void *data;
	size_t period; /* elements */
	size_t size;   /* bytes of an element */
	uint64_t serial;
};

/* The table that what `rank` sends (COLL_REDUCED: the reduction over all ranks) is taken from; element `index` of it is the table's element *from. */
void pattern_table(const struct pattern *pattern, int rank, size_t index, struct pattern_table *table, size_t *from);

/* `count` elements of a table from element `from` < period on, wrapping. */
void pattern_table_fill(const struct pattern_table *table, size_t from, size_t count, void *to);
/* How many of the elements at `data` differ from these; *first is the position of the first that does (unchanged if none). */
size_t pattern_table_differs(const struct pattern_table *table, size_t from, size_t count, const void *data, size_t *first);

/* Elements index .. index + count - 1 of what `rank` sends (COLL_REDUCED: of the reduction over all ranks), to `to`. */
void pattern_fill(const struct pattern *pattern, int rank, size_t index, size_t count, void *to);

/* pattern_table_differs from these. */
size_t pattern_differs(const struct pattern *pattern, int rank, size_t index, size_t count, const void *data, size_t *first);

#endif
