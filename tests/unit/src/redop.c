/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions of every type and operation, element by element, against the same arithmetic done in wider types.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <math.h>
#include <string.h>

#include "src/redop.h"

enum { N = 300 }; /* more than two blocks and a rest */

/* Patterns of bits that reach the ends of every integer type; floats get small values instead. */
static void fill(enum dtype type, unsigned char *data, uint64_t seed)
{
	for (size_t i = 0; i < N; i++) {
		double small = (double)((int)(seed = seed * 48271 % 2147483647) % 64) / 4 - 8;
		float single = (float)small;
		uint64_t bits = i % 5 ? seed * UINT64_C(0x9e3779b97f4a7c15) : i % 2 ? UINT64_MAX : UINT64_C(0x8000000080000080);
		size_t size = dtypes[type].size;

		if (!dtypes[type].is_float)
			memcpy(data + i * size, &bits, size);
		else if (size == 8)
			memcpy(data + i * size, &small, size);
		else if (size == 4)
			memcpy(data + i * size, &single, size);
		else
			dtype_narrow(type, data + i * size, &single, 1);
	}
}

/* An integer element as a 64-bit pattern, sign-extended where the type has a sign. */
static uint64_t load(enum dtype type, const unsigned char *data, size_t i)
{
	size_t size = dtypes[type].size;
	uint64_t bits = 0;

	memcpy(&bits, data + i * size, size);
	if (dtypes[type].is_signed && size < 8 && bits >> (8 * size - 1))
		bits |= UINT64_MAX << (8 * size);
	return bits;
}

static double load_float(enum dtype type, const unsigned char *data, size_t i)
{
	double d;
	float f;

	if (type == DTYPE_DOUBLE)
		return memcpy(&d, data + 8 * i, 8), d;
	if (type == DTYPE_FLOAT)
		return memcpy(&f, data + 4 * i, 4), (double)f;
	dtype_widen(type, &f, data + i * dtypes[type].size, 1);
	return (double)f;
}

static double round_to(enum dtype type, double value)
{
	unsigned char bits[2];
	float single = (float)value;

	if (type == DTYPE_DOUBLE)
		return value;
	if (type == DTYPE_FLOAT)
		return (double)single;
	dtype_narrow(type, bits, &single, 1);
	dtype_widen(type, &single, bits, 1);
	return (double)single;
}

static int less(enum dtype type, uint64_t a, uint64_t b)
{
	if (dtypes[type].is_signed)
		return (a ^ UINT64_C(1) << 63) < (b ^ UINT64_C(1) << 63);
	return a < b;
}

static uint64_t expected(enum redop op, enum dtype type, uint64_t a, uint64_t b)
{
	switch (op) {
	case REDOP_PROD:
		return a * b;
	case REDOP_MAX:
		return less(type, a, b) ? b : a;
	case REDOP_MIN:
		return less(type, a, b) ? a : b;
	default:
		return a + b;
	}
}

static double expected_float(enum redop op, double a, double b)
{
	switch (op) {
	case REDOP_PROD:
		return a * b;
	case REDOP_MAX:
		return fmax(a, b);
	case REDOP_MIN:
		return fmin(a, b);
	default:
		return a + b;
	}
}

static void check_element(enum redop op, enum dtype type, const unsigned char *before, const unsigned char *from,
			  const unsigned char *after, size_t i)
{
	uint64_t mask = UINT64_MAX >> (64 - 8 * dtypes[type].size);
	uint64_t want = expected(op, type, load(type, before, i), load(type, from, i)) & mask;
	int right = (load(type, after, i) & mask) == want;

	if (dtypes[type].is_float)
		right = load_float(type, after, i) ==
			round_to(type, expected_float(op, load_float(type, before, i), load_float(type, from, i)));
	if (!right)
		fail_msg("%s of %s, element %zu", redop_names[op], dtypes[type].name, i);
}

static void every_operation_of_every_type(void **state)
{
	_Alignas(64) unsigned char before[8 * N], from[8 * N], after[8 * N];
	static const size_t counts[] = { 0, 1, 2, 7, 127, 128, 129, 256, N };

	(void)state;
	for (int t = 0; t < DTYPE_COUNT; t++)
		for (int o = 0; o < REDOP_COUNT; o++)
			for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
				enum dtype type = (enum dtype)t;
				size_t moved = counts[k] * dtypes[type].size;

				fill(type, before, 1 + k);
				fill(type, from, 1000 + k);
				memcpy(after, before, sizeof after);
				redop_combine((enum redop)o, type, after, from, counts[k]);
				for (size_t i = 0; i < counts[k]; i++)
					check_element((enum redop)o, type, before, from, after, i);
				assert_memory_equal(after + moved, before + moved, sizeof after - moved);
			}
}

static void integers_wrap(void **state)
{
	int8_t a8 = 127, b8 = 1, p8 = -128, q8 = -128;
	int32_t a32 = INT32_MAX, b32 = INT32_MAX;
	int64_t a64 = INT64_MIN, b64 = -1;
	uint8_t u8 = 255, v8 = 255;

	(void)state;
	redop_combine(REDOP_SUM, DTYPE_INT8, &a8, &b8, 1);
	assert_int_equal(a8, -128);
	redop_combine(REDOP_PROD, DTYPE_INT8, &p8, &q8, 1);
	assert_int_equal(p8, 0);
	redop_combine(REDOP_PROD, DTYPE_INT32, &a32, &b32, 1);
	assert_int_equal(a32, 1);
	redop_combine(REDOP_SUM, DTYPE_INT64, &a64, &b64, 1);
	assert_true(a64 == INT64_MAX);
	redop_combine(REDOP_PROD, DTYPE_UINT8, &u8, &v8, 1);
	assert_int_equal(u8, 1);
}

static void eight_bit_floats_do(void)
{
	uint8_t sum = f8e4m3_from_float(16), one = f8e4m3_from_float(1), big = f8e4m3_from_float(448);
	uint8_t c = f8e5m2_from_float(8), d = f8e5m2_from_float(1), large = f8e5m2_from_float(57344);

	redop_combine(REDOP_SUM, DTYPE_F8E4M3, &sum, &one, 1);
	redop_combine(REDOP_SUM, DTYPE_F8E4M3, &sum, &one, 1);
	assert_true(f8e4m3_to_float(sum) == 16);
	sum = big;
	redop_combine(REDOP_SUM, DTYPE_F8E4M3, &sum, &big, 1);
	assert_int_equal(sum, 0x7f);
	redop_combine(REDOP_SUM, DTYPE_F8E5M2, &c, &d, 1);
	redop_combine(REDOP_SUM, DTYPE_F8E5M2, &c, &d, 1);
	assert_true(f8e5m2_to_float(c) == 8);
	c = large;
	redop_combine(REDOP_SUM, DTYPE_F8E5M2, &c, &large, 1);
	assert_int_equal(c, 0x7c);
}

static void narrow_floats_round_at_each_step(void **state)
{
	uint16_t sum = half_from_float(2048), one = half_from_float(1), big = half_from_float(65504),
		 b = bfloat16_from_float(256);
	uint16_t c = bfloat16_from_float(1);

	(void)state;
	redop_combine(REDOP_SUM, DTYPE_HALF, &sum, &one, 1);
	redop_combine(REDOP_SUM, DTYPE_HALF, &sum, &one, 1);
	assert_true(half_to_float(sum) == 2048);
	sum = big;
	redop_combine(REDOP_SUM, DTYPE_HALF, &sum, &big, 1);
	assert_int_equal(sum, 0x7c00);
	redop_combine(REDOP_SUM, DTYPE_BFLOAT16, &b, &c, 1);
	assert_true(bfloat16_to_float(b) == 256);
	eight_bit_floats_do();
}

static void average_divides_towards_zero(void **state)
{
	int8_t i8[] = { 7, -7, -128, 127, 0 };
	uint8_t u8[] = { 255, 7 };
	int32_t i32[] = { -7, INT32_MIN };
	uint32_t u32[] = { UINT32_MAX, 7 };
	int64_t i64[] = { -7, INT64_MIN };
	uint64_t u64[] = { UINT64_MAX, 7 };

	(void)state;
	redop_divide(DTYPE_INT8, i8, 5, 2);
	assert_memory_equal(i8, ((int8_t[]){ 3, -3, -64, 63, 0 }), 5);
	redop_divide(DTYPE_UINT8, u8, 2, 2);
	assert_memory_equal(u8, ((uint8_t[]){ 127, 3 }), 2);
	redop_divide(DTYPE_INT32, i32, 2, 2);
	assert_true(i32[0] == -3 && i32[1] == INT32_MIN / 2);
	redop_divide(DTYPE_UINT32, u32, 2, 2);
	assert_true(u32[0] == INT32_MAX && u32[1] == 3);
	redop_divide(DTYPE_INT64, i64, 2, 2);
	assert_true(i64[0] == -3 && i64[1] == INT64_MIN / 2);
	redop_divide(DTYPE_UINT64, u64, 2, 2);
	assert_true(u64[0] == INT64_MAX && u64[1] == 3);
	redop_divide(DTYPE_INT8, i8, 5, 1000);
	assert_memory_equal(i8, ((int8_t[]){ 0, 0, 0, 0, 0 }), 5);
}

static void average_of_floats(void **state)
{
	uint16_t h[N], b[N];
	uint8_t e4m3[2] = { f8e4m3_from_float(10), f8e4m3_from_float(10) }, e5m2 = f8e5m2_from_float(7);
	float f = 7;
	double d = 7;

	(void)state;
	for (int i = 0; i < N; i++) {
		h[i] = half_from_float((float)i);
		b[i] = bfloat16_from_float((float)i);
	}
	redop_divide(DTYPE_HALF, h, N - 1, 3);
	redop_divide(DTYPE_BFLOAT16, b, N - 1, 3);
	for (int i = 0; i < N - 1; i++) {
		assert_int_equal(h[i], half_from_float((float)i / 3));
		assert_int_equal(b[i], bfloat16_from_float(bfloat16_to_float(bfloat16_from_float((float)i)) / 3));
	}
	assert_int_equal(h[N - 1], half_from_float(N - 1));
	redop_divide(DTYPE_F8E4M3, e4m3, 1, 3);
	assert_true(f8e4m3_to_float(e4m3[0]) == 3.25F && f8e4m3_to_float(e4m3[1]) == 10);
	redop_divide(DTYPE_F8E5M2, &e5m2, 1, 2);
	assert_true(f8e5m2_to_float(e5m2) == 3.5F);
	redop_divide(DTYPE_FLOAT, &f, 1, 2);
	redop_divide(DTYPE_DOUBLE, &d, 1, 3);
	assert_true(f == 3.5F && d == 7.0 / 3);
}

static void only_mulsum_multiplies_and_only_on_odd_ranks(void **state)
{
	(void)state;
	for (int op = 0; op < REDOP_COUNT; op++)
		for (int rank = 0; rank < 9; rank++)
			assert_int_equal(redop_factor((enum redop)op, rank), op == REDOP_MULSUM && rank % 2 ? 2 : 1);
}

static void names(void **state)
{
	(void)state;
	for (int i = 0; i < REDOP_COUNT; i++)
		assert_int_equal(redop_find(redop_names[i]), i);
	assert_int_equal(redop_find("premulsum"), -1);
	assert_int_equal(redop_find(""), -1);
	assert_int_equal(redop_find("SUM"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_operation_of_every_type),
		cmocka_unit_test(integers_wrap),
		cmocka_unit_test(narrow_floats_round_at_each_step),
		cmocka_unit_test(average_divides_towards_zero),
		cmocka_unit_test(average_of_floats),
		cmocka_unit_test(only_mulsum_multiplies_and_only_on_odd_ranks),
		cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
