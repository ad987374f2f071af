/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of values for the data check. Ranks beyond what a type can count exactly (a bfloat16 sum: 256) send the operation's neutral values.
 */
#include "pattern.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../collectives/collective.h"

enum { PERIOD = 4093, STRIDE = 1009 };

struct pattern {
	size_t size;   /* of an element */
	int active;    /* ranks below this send from `wide`, others from `narrow` */
	char *wide[2]; /* of even and odd ranks; each of 2 * PERIOD elements, so that a piece of up to PERIOD never wraps */
	char *narrow;
	char *reduced;
};

static uint64_t mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static void store(enum dtype type, void *to, double value)
{
	const float single = (float)value;
	const uint16_t half = type == DTYPE_HALF ? half_from_float(single) : bfloat16_from_float(single);

	if (type == DTYPE_DOUBLE)
		memcpy(to, &value, sizeof value);
	else if (type == DTYPE_FLOAT)
		memcpy(to, &single, sizeof single);
	else
		memcpy(to, &half, sizeof half);
}

/* Products: 2 or 4 with a sign. Whatever the other active ranks send, their product changes a factor, and all of them stay in the exponent's range. */
static double prod_value(uint64_t random, int active)
{
	const double magnitude = random & 256 ? 4 : 2;

	return (random & 1 ? -1 : 1) * (active ? magnitude : 1);
}

static double float_value(enum redop op, uint64_t random, double limit, int active)
{
	if (op == REDOP_PROD)
		return prod_value(random, active);
	if (op == REDOP_SUM || op == REDOP_AVG)
		/* Above 0 while there is room, so that what few other ranks send never adds up to nothing. */
		return !active     ? 0
		       : limit < 4 ? (double)((random >> 8) % (uint64_t)(limit + 1))
				   : 1 + (double)((random >> 8) % (uint64_t)limit);
	return (double)((int64_t)((random >> 8) % (uint64_t)(2 * limit + 1)) - (int64_t)limit);
}

/* Integers wrap alike in every order. Odd factors keep a product from running into 0. */
static uint64_t integer_value(enum redop op, uint64_t random, int reduces)
{
	return reduces && op == REDOP_PROD ? random | 1 : random;
}

static int active_ranks(enum dtype type, enum redop op, int nranks)
{
	/* Ranks whose factors, 4 at most, multiply to less than the type's largest number. */
	const int factors = type == DTYPE_HALF ? 7 : type == DTYPE_DOUBLE ? 511 : 63;
	const int bits = dtypes[type].exact_bits;
	const int most = op == REDOP_PROD ? factors : bits >= 30 ? 1 << 30 : 1 << bits;

	return nranks < most ? nranks : most;
}

static void fill_table(const struct pattern *pattern, char *table, enum dtype type, enum redop op, int reduces, int nranks,
		       uint64_t seed)
{
	const int active = table != pattern->narrow;
	const int sums = reduces && (op == REDOP_SUM || op == REDOP_AVG);
	double limit = ldexp(1, dtypes[type].exact_bits < 15 ? dtypes[type].exact_bits : 15);

	if (sums)
		limit = fmax(1, floor(fmin(ldexp(1, dtypes[type].exact_bits) / nranks, limit)));
	for (size_t i = 0; i < PERIOD; i++) {
		const uint64_t random = mix(seed * 0x9e3779b97f4a7c15u + i + 1);

		if (dtypes[type].is_float) {
			store(type, table + i * pattern->size, float_value(reduces ? op : REDOP_MAX, random, limit, active));
		} else {
			const uint64_t value = integer_value(op, random, reduces);

			memcpy(table + i * pattern->size, &value, pattern->size);
		}
	}
	memcpy(table + PERIOD * pattern->size, table, PERIOD * pattern->size);
}

static const char *source(const struct pattern *pattern, int rank, size_t index)
{
	if (rank == COLL_REDUCED)
		return pattern->reduced + index % PERIOD * pattern->size;
	const char *table = rank < pattern->active ? pattern->wide[rank % 2] : pattern->narrow;

	return table + (index + (size_t)rank * STRIDE) % PERIOD * pattern->size;
}

static void reduce_table(struct pattern *pattern, enum dtype type, enum redop op, int nranks)
{
	memcpy(pattern->reduced, source(pattern, 0, 0), PERIOD * pattern->size);
	for (int r = 1; r < nranks; r++)
		redop_combine(op, type, pattern->reduced, source(pattern, r, 0), PERIOD);
	if (op == REDOP_AVG)
		redop_divide(type, pattern->reduced, PERIOD, nranks);
	memcpy(pattern->reduced + PERIOD * pattern->size, pattern->reduced, PERIOD * pattern->size);
}

struct pattern *pattern_new(enum dtype type, enum redop op, int reduces, int nranks, uint64_t seed)
{
	struct pattern *pattern = calloc(1, sizeof *pattern);
	const size_t table = 2 * PERIOD * dtypes[type].size;

	if (pattern)
		pattern->wide[0] = malloc(4 * table);
	if (!pattern || !pattern->wide[0]) {
		fprintf(stderr, "pattern: out of memory\n");
		free(pattern);
		return NULL;
	}
	pattern->size = dtypes[type].size;
	pattern->wide[1] = pattern->wide[0] + table;
	pattern->narrow = pattern->wide[0] + 2 * table;
	pattern->reduced = pattern->wide[0] + 3 * table;
	pattern->active = reduces && dtypes[type].is_float ? active_ranks(type, op, nranks) : nranks;
	fill_table(pattern, pattern->wide[0], type, op, reduces, nranks, 3 * seed);
	fill_table(pattern, pattern->wide[1], type, op, reduces, nranks, 3 * seed + 1);
	fill_table(pattern, pattern->narrow, type, op, reduces, nranks, 3 * seed + 2);
	if (reduces)
		reduce_table(pattern, type, op, nranks);
	return pattern;
}

void pattern_free(struct pattern *pattern)
{
	if (pattern)
		free(pattern->wide[0]);
	free(pattern);
}

void pattern_fill(const struct pattern *pattern, int rank, size_t index, size_t count, void *to)
{
	char *out = to;

	while (count > 0) {
		const size_t piece = count < PERIOD ? count : PERIOD;

		memcpy(out, source(pattern, rank, index), piece * pattern->size);
		out += piece * pattern->size;
		index += piece;
		count -= piece;
	}
}

static size_t count_differences(const char *a, const char *b, size_t count, size_t size, size_t base, size_t *first, int is_first)
{
	size_t wrong = 0;

	for (size_t i = 0; i < count; i++) {
		if (memcmp(a + i * size, b + i * size, size) == 0)
			continue;
		if (is_first && wrong == 0)
			*first = base + i;
		wrong++;
	}
	return wrong;
}

size_t pattern_differs(const struct pattern *pattern, int rank, size_t index, size_t count, const void *data, size_t *first)
{
	const char *in = data;
	size_t wrong = 0, done = 0;

	while (done < count) {
		const size_t piece = count - done < PERIOD ? count - done : PERIOD;
		const char *expected = source(pattern, rank, index + done);
		const char *found = in + done * pattern->size;

		if (memcmp(found, expected, piece * pattern->size) != 0)
			wrong += count_differences(found, expected, piece, pattern->size, done, first, wrong == 0);
		done += piece;
	}
	return wrong;
}
