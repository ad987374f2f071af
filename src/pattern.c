/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of values for the data check. Where a type cannot count all ranks exactly (a bfloat16 sum: 256), each rank has the operation's neutral value at
 * most places, such that at every place only as many others meet as the type can hold.
 */
#include "pattern.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../collectives/collective.h"
#include "pattern_position.h"

enum { PERIOD = PATTERN_PERIOD };

struct pattern {
	size_t size;   /* of an element */
	int active;    /* ranks below this send from `wide`, others from `narrow` */
	char *wide[2]; /* of even and odd ranks; each of 2 * PERIOD elements, so that a piece of up to PERIOD never wraps */
	char *narrow;
	char *reduced;
	uint64_t serial[4]; /* of the four tables, in this order */
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

	if (type == DTYPE_DOUBLE)
		memcpy(to, &value, sizeof value);
	else if (type == DTYPE_FLOAT)
		memcpy(to, &single, sizeof single);
	else
		dtype_narrow(type, to, &single, 1);
}

/* Products: 2 or 4 with a sign. Whatever the other ranks send, their product changes a factor, and all of them stay in the exponent's range. */
static double prod_value(uint64_t random, int active)
{
	const double magnitude = random & 256 ? 4 : 2;

	return (random & 1 ? -1 : 1) * (active ? magnitude : 1);
}

static int is_sum(enum redop op)
{
	return op == REDOP_SUM || op == REDOP_AVG || op == REDOP_MULSUM;
}

/*
 * Libraries divide the sum, or multiply each rank's data by 1/n as the type rounds it. Both ways end alike where n is a power of two, and where a single
 * rank sends a power of two and all others nothing.
 */
static int is_lone(enum redop op, int nranks)
{
	return op == REDOP_AVG && !coll_is_power_of_two(nranks);
}

static double lone_value(uint64_t random, int active)
{
	return active ? (random & 1 ? -1 : 1) * (double)(1 << (random >> 8) % 8) : 0;
}

static double float_value(enum redop op, uint64_t random, double limit, int active)
{
	if (op == REDOP_PROD)
		return prod_value(random, active);
	if (is_sum(op))
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

/* How many ranks may send something else than the neutral value at one place. */
static int most_at_once(enum dtype type, enum redop op, int nranks)
{
	/* Factors, 4 at most, whose product is no more than the type's largest number. */
	static const int factors[DTYPE_COUNT] = { [DTYPE_HALF] = 7,     [DTYPE_BFLOAT16] = 63, [DTYPE_FLOAT] = 63,
						  [DTYPE_DOUBLE] = 511, [DTYPE_F8E4M3] = 4,    [DTYPE_F8E5M2] = 7 };
	const int bits = dtypes[type].exact_bits;

	if (op == REDOP_PROD && dtypes[type].is_float)
		return factors[type];
	if (dtypes[type].is_float && is_lone(op, nranks))
		return 1;
	if (!dtypes[type].is_float || bits >= 30 || !is_sum(op))
		return 1 << 30;
	return op == REDOP_MULSUM ? 1 << (bits - 1) : 1 << bits;
}

/* So many ranks find places enough to take turns; more send neutral values alone. */
static int active_ranks(enum dtype type, enum redop op, int nranks)
{
	const int most = most_at_once(type, op, nranks);

	return nranks / PERIOD < most ? nranks : most * PERIOD;
}

/* Entries are taken in steps of the distance between ranks: along them lie those that successive ranks send to one place. */
static int is_loud(int step, int nranks, int most)
{
	const int distance = nranks <= most ? 1 : nranks / PERIOD >= most ? PERIOD : (nranks + most - 1) / most;

	return step % distance == 0 && step + distance <= PERIOD;
}

/* The largest value in a sum that is exact in every order. */
static double sum_limit(enum dtype type, enum redop op, int nranks)
{
	const int most = most_at_once(type, op, nranks);
	const double room = ldexp(1, dtypes[type].exact_bits) / (op == REDOP_MULSUM ? 2 : 1);

	return fmax(1, floor(room / (nranks < most ? nranks : most)));
}

static void fill_table(const struct pattern *pattern, char *table, enum dtype type, enum redop op, int reduces, int nranks,
		       uint64_t seed)
{
	const int active = table != pattern->narrow, most = reduces ? most_at_once(type, op, nranks) : nranks;
	const int lone = reduces && is_lone(op, nranks);
	/* Where nothing is reckoned any bits do, and a narrow type has too few small numbers. */
	const int reckons = dtypes[type].is_float && (reduces || pattern->size > 1);
	double limit = ldexp(1, dtypes[type].exact_bits < 15 ? dtypes[type].exact_bits : 15);

	if (reduces && is_sum(op))
		limit = fmin(limit, sum_limit(type, op, nranks));
	for (int step = 0; step < PERIOD; step++) {
		const size_t i = (size_t)pattern_position(step, 0);
		const uint64_t random = mix(seed * 0x9e3779b97f4a7c15u + i + 1);
		const uint64_t integer = integer_value(op, random, reduces);
		const int counts = active && is_loud(step, nranks, most);

		if (reckons)
			store(type, table + i * pattern->size,
			      lone ? lone_value(random, counts) : float_value(reduces ? op : REDOP_MAX, random, limit, counts));
		else
			memcpy(table + i * pattern->size, &integer, pattern->size);
	}
	memcpy(table + PERIOD * pattern->size, table, PERIOD * pattern->size);
}

/* Which of the four tables a rank's data, or the reduced ones, are taken from. */
static int table_of(const struct pattern *pattern, int rank)
{
	return rank == COLL_REDUCED ? 3 : rank < pattern->active ? rank % 2 : 2;
}

static const char *source(const struct pattern *pattern, int rank, size_t index)
{
	struct pattern_table table;
	size_t from;

	pattern_table(pattern, rank, index, &table, &from);
	return (const char *)table.data + from * table.size;
}

/* From the bytes alone, so that patterns alike share what a device has kept. */
static uint64_t table_serial(const char *table, size_t size)
{
	uint64_t serial = mix(size);

	for (size_t i = 0; i < PERIOD; i++) {
		uint64_t value = 0;

		memcpy(&value, table + i * size, size);
		serial = mix(serial + 0x9e3779b97f4a7c15u + value);
	}
	return serial;
}

static void reduce_table(struct pattern *pattern, enum dtype type, enum redop op, int nranks)
{
	memcpy(pattern->reduced, source(pattern, 0, 0), PERIOD * pattern->size);
	for (int r = 1; r < nranks; r++)
		for (int times = redop_factor(op, r); times > 0; times--)
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
	for (size_t i = 0; i < (reduces ? 4u : 3u); i++)
		pattern->serial[i] = table_serial(pattern->wide[0] + i * table, pattern->size);
	return pattern;
}

void pattern_free(struct pattern *pattern)
{
	if (pattern)
		free(pattern->wide[0]);
	free(pattern);
}

void pattern_table(const struct pattern *pattern, int rank, size_t index, struct pattern_table *table, size_t *from)
{
	const int which = table_of(pattern, rank);

	*table = (struct pattern_table){
		.data = pattern->wide[0] + (size_t)which * 2 * PERIOD * pattern->size,
		.period = PERIOD,
		.size = pattern->size,
		.serial = pattern->serial[which],
	};
	*from = rank == COLL_REDUCED ? pattern_wrap(0, index, PATTERN_PERIOD) : pattern_position(rank, index);
}

void pattern_table_fill(const struct pattern_table *table, size_t from, size_t count, void *to)
{
	const char *data = table->data;
	char *out = to;

	while (count > 0) {
		const size_t piece = count < table->period ? count : table->period;

		memcpy(out, data + from * table->size, piece * table->size);
		out += piece * table->size;
		from = (from + piece) % table->period;
		count -= piece;
	}
}

void pattern_fill(const struct pattern *pattern, int rank, size_t index, size_t count, void *to)
{
	struct pattern_table table;
	size_t from;

	pattern_table(pattern, rank, index, &table, &from);
	pattern_table_fill(&table, from, count, to);
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

size_t pattern_table_differs(const struct pattern_table *table, size_t from, size_t count, const void *data, size_t *first)
{
	const char *in = data;
	size_t wrong = 0, done = 0;

	while (done < count) {
		const size_t piece = count - done < table->period ? count - done : table->period;
		const char *expected = (const char *)table->data + from * table->size;
		const char *found = in + done * table->size;

		if (memcmp(found, expected, piece * table->size) != 0)
			wrong += count_differences(found, expected, piece, table->size, done, first, wrong == 0);
		from = (from + piece) % table->period;
		done += piece;
	}
	return wrong;
}

size_t pattern_differs(const struct pattern *pattern, int rank, size_t index, size_t count, const void *data, size_t *first)
{
	struct pattern_table table;
	size_t from;

	pattern_table(pattern, rank, index, &table, &from);
	return pattern_table_differs(&table, from, count, data, first);
}
