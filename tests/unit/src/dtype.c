/* SPDX-License-Identifier: Apache-2.0
 *
 * Element types and narrow floats, against a reference that rounds in double arithmetic and shares nothing with the code.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "src/dtype.h"

/* A narrow binary float: exponent and fraction bits; whether the largest exponent holds numbers too, but for the last, which is NaN. */
struct layout {
	int exponent_bits;
	int fraction_bits;
	int is_finite;
};

static const struct layout half = { 5, 10, 0 };
static const struct layout bfloat16 = { 8, 7, 0 };
static const struct layout f8e4m3 = { 4, 3, 1 };
static const struct layout f8e5m2 = { 5, 2, 0 };

static int bias(const struct layout *layout)
{
	return (1 << (layout->exponent_bits - 1)) - 1;
}

static unsigned sign_bit(const struct layout *layout)
{
	return 1U << (layout->exponent_bits + layout->fraction_bits);
}

static double decode(const struct layout *layout, unsigned bits)
{
	int exponent = (int)(bits >> layout->fraction_bits & ((1U << layout->exponent_bits) - 1));
	int fraction = (int)(bits & ((1U << layout->fraction_bits) - 1));
	double sign = bits & sign_bit(layout) ? -1 : 1;

	if (layout->is_finite && (bits & (sign_bit(layout) - 1)) == sign_bit(layout) - 1)
		return NAN;
	if (!layout->is_finite && exponent == (1 << layout->exponent_bits) - 1)
		return fraction ? NAN : sign * INFINITY;
	if (exponent == 0)
		return sign * ldexp(fraction, 1 - bias(layout) - layout->fraction_bits);
	return sign * ldexp(fraction + (1 << layout->fraction_bits), exponent - bias(layout) - layout->fraction_bits);
}

/* Nearest, ties to even, for values that are not NaN: in units of the last place, where rint() decides. */
static unsigned encode(const struct layout *layout, double value)
{
	unsigned sign = signbit(value) ? sign_bit(layout) : 0;
	/* Infinity, or the NaN in its stead. */
	unsigned infinity = layout->is_finite ? sign_bit(layout) - 1
					      : ((1U << layout->exponent_bits) - 1) << layout->fraction_bits;
	int smallest = 1 - bias(layout), exponent;
	double units;

	value = fabs(value);
	if (isinf(value))
		return sign | infinity;
	frexp(value, &exponent);
	exponent = value == 0 || exponent - 1 < smallest ? smallest : exponent - 1;
	units = rint(ldexp(value, layout->fraction_bits - exponent));
	/* Adding the units to the exponent field carries into it as it should, also to infinity. */
	units += ldexp(exponent - smallest, layout->fraction_bits);
	return sign | (units > infinity ? infinity : (unsigned)units);
}

static float float_of(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

static void every_value_comes_back(void **state)
{
	(void)state;
	for (unsigned i = 0; i <= 0xffff; i++) {
		float h = half_to_float((uint16_t)i), b = bfloat16_to_float((uint16_t)i);

		if (isnan(decode(&half, i)))
			assert_true(isnan(h) && isnan(half_to_float(half_from_float(h))));
		else if (!(h == decode(&half, i)) || half_from_float(h) != i)
			fail_msg("half %04x: %a, back %04x", i, (double)h, (unsigned)half_from_float(h));
		if (isnan(decode(&bfloat16, i)))
			assert_true(isnan(b) && isnan(bfloat16_to_float(bfloat16_from_float(b))));
		else if (!(b == decode(&bfloat16, i)) || bfloat16_from_float(b) != i)
			fail_msg("bfloat16 %04x: %a, back %04x", i, (double)b, (unsigned)bfloat16_from_float(b));
	}
}

static void every_value_of_eight_bits_comes_back(void **state)
{
	(void)state;
	for (unsigned i = 0; i <= 0xff; i++) {
		float a = f8e4m3_to_float((uint8_t)i), b = f8e5m2_to_float((uint8_t)i);

		if (isnan(decode(&f8e4m3, i)))
			assert_true(isnan(a) && isnan(f8e4m3_to_float(f8e4m3_from_float(a))));
		else if (!(a == decode(&f8e4m3, i)) || f8e4m3_from_float(a) != i)
			fail_msg("f8e4m3 %02x: %a, back %02x", i, (double)a, (unsigned)f8e4m3_from_float(a));
		if (isnan(decode(&f8e5m2, i)))
			assert_true(isnan(b) && isnan(f8e5m2_to_float(f8e5m2_from_float(b))));
		else if (!(b == decode(&f8e5m2, i)) || f8e5m2_from_float(b) != i)
			fail_msg("f8e5m2 %02x: %a, back %02x", i, (double)b, (unsigned)f8e5m2_from_float(b));
	}
}

static void check_rounding(float value)
{
	if (f8e4m3_from_float(value) != encode(&f8e4m3, (double)value))
		fail_msg("f8e4m3 of %a: %02x, not %02x", (double)value, (unsigned)f8e4m3_from_float(value),
			 encode(&f8e4m3, (double)value));
	if (f8e5m2_from_float(value) != encode(&f8e5m2, (double)value))
		fail_msg("f8e5m2 of %a: %02x, not %02x", (double)value, (unsigned)f8e5m2_from_float(value),
			 encode(&f8e5m2, (double)value));
	if (half_from_float(value) != encode(&half, (double)value))
		fail_msg("half of %a: %04x, not %04x", (double)value, (unsigned)half_from_float(value),
			 encode(&half, (double)value));
	if (bfloat16_from_float(value) != encode(&bfloat16, (double)value))
		fail_msg("bfloat16 of %a: %04x, not %04x", (double)value, (unsigned)bfloat16_from_float(value),
			 encode(&bfloat16, (double)value));
}

/* At every value, at every middle between two, and one float to either side of both. */
static void every_tie_goes_to_even(void **state)
{
	(void)state;
	for (unsigned i = 0; i <= 0xffff; i++) {
		float here[4] = { half_to_float((uint16_t)i), bfloat16_to_float((uint16_t)i), f8e4m3_to_float((uint8_t)i),
				  f8e5m2_to_float((uint8_t)i) };
		float next[4] = { half_to_float((uint16_t)(i + 1)), bfloat16_to_float((uint16_t)(i + 1)),
				  f8e4m3_to_float((uint8_t)(i + 1)), f8e5m2_to_float((uint8_t)(i + 1)) };

		for (int k = 0; k < (i <= 0xff ? 4 : 2); k++) {
			float middle = (float)(((double)here[k] + (double)next[k]) / 2);

			if (isnan(here[k]) || isnan(middle))
				continue;
			check_rounding(here[k]);
			check_rounding(middle);
			check_rounding(nextafterf(middle, INFINITY));
			check_rounding(nextafterf(middle, -INFINITY));
			check_rounding(nextafterf(here[k], INFINITY));
		}
	}
}

static void floats_all_over_the_range_round_right(void **state)
{
	(void)state;
	for (uint64_t bits = 0; bits < UINT64_C(1) << 32; bits += 4093)
		if (!isnan(float_of((uint32_t)bits)))
			check_rounding(float_of((uint32_t)bits));
}

static void the_known_values(void **state)
{
	(void)state;
	assert_int_equal(half_from_float(1.0F), 0x3c00);
	assert_int_equal(half_from_float(-2.0F), 0xc000);
	assert_int_equal(half_from_float(65504.0F), 0x7bff);
	assert_int_equal(half_from_float(65519.99F), 0x7bff);
	assert_int_equal(half_from_float(65520.0F), 0x7c00);
	assert_int_equal(half_from_float(0x1p-24F), 0x0001);
	assert_int_equal(half_from_float(0x1p-25F), 0x0000);
	assert_int_equal(half_from_float(0x1.000002p-25F), 0x0001);
	assert_int_equal(half_from_float(-0.0F), 0x8000);
	assert_int_equal(half_from_float(2049.0F), 0x6800);
	assert_int_equal(half_from_float(2051.0F), 0x6802);
	assert_int_equal(bfloat16_from_float(1.0F), 0x3f80);
	assert_int_equal(bfloat16_from_float(257.0F), 0x4380);
	assert_int_equal(bfloat16_from_float(259.0F), 0x4382);
	assert_int_equal(bfloat16_from_float(0x1.fffffep127F), 0x7f80);
	assert_int_equal(f8e4m3_from_float(1.0F), 0x38);
	assert_int_equal(f8e4m3_from_float(-448.0F), 0xfe);
	assert_int_equal(f8e4m3_from_float(464.0F), 0x7e);
	assert_int_equal(f8e4m3_from_float(0x1.d00002p8F), 0x7f);
	assert_int_equal(f8e4m3_from_float(1e9F), 0x7f);
	assert_int_equal(f8e4m3_from_float(-INFINITY), 0xff);
	assert_int_equal(f8e4m3_from_float(0x1p-9F), 0x01);
	assert_int_equal(f8e4m3_from_float(0x1p-10F), 0x00);
	assert_int_equal(f8e4m3_from_float(17.0F), 0x58);
	assert_int_equal(f8e5m2_from_float(1.0F), 0x3c);
	assert_int_equal(f8e5m2_from_float(57344.0F), 0x7b);
	assert_int_equal(f8e5m2_from_float(61439.99F), 0x7b);
	assert_int_equal(f8e5m2_from_float(61440.0F), 0x7c);
	assert_int_equal(f8e5m2_from_float(-INFINITY), 0xfc);
	assert_int_equal(f8e5m2_from_float(0x1p-16F), 0x01);
	assert_int_equal(f8e5m2_from_float(0x1p-17F), 0x00);
	/* By way of a half this would be a tie. */
	assert_int_equal(f8e5m2_from_float(0x1.200002p0F), 0x3d);
}

static void a_nan_stays_one(void **state)
{
	static const uint32_t nans[] = { 0x7f800001, 0x7fc00000, 0x7fffffff, 0xff800001, 0x7f801fff, 0x7f80ffff };

	(void)state;
	for (size_t i = 0; i < sizeof nans / sizeof *nans; i++) {
		assert_true(isnan(half_to_float(half_from_float(float_of(nans[i])))));
		assert_true(isnan(bfloat16_to_float(bfloat16_from_float(float_of(nans[i])))));
		assert_true(isnan(f8e4m3_to_float(f8e4m3_from_float(float_of(nans[i])))));
		assert_true(isnan(f8e5m2_to_float(f8e5m2_from_float(float_of(nans[i])))));
	}
}

static void arrays_are_converted_as_single_values(void **state)
{
	enum { N = 64 * 3 + 17 };
	float f[N], wide[N];
	uint16_t n[N];

	(void)state;
	for (int i = 0; i < N; i++)
		f[i] = (float)(i * 7919 % 1000) / 37.0F - 11.0F;
	for (size_t count = 0; count <= N; count += count < 66 ? 1 : 13) {
		memset(n, 0x5a, sizeof n);
		dtype_narrow(DTYPE_HALF, n, f, count);
		dtype_widen(DTYPE_HALF, wide, n, count);
		for (size_t i = 0; i < N; i++)
			assert_int_equal(n[i], i < count ? half_from_float(f[i]) : 0x5a5a);
		for (size_t i = 0; i < count; i++)
			assert_true(wide[i] == half_to_float(n[i]));
		dtype_narrow(DTYPE_BFLOAT16, n, f, count);
		dtype_widen(DTYPE_BFLOAT16, wide, n, count);
		for (size_t i = 0; i < count; i++)
			assert_true(n[i] == bfloat16_from_float(f[i]) && wide[i] == bfloat16_to_float(n[i]));
	}
}

static void arrays_of_eight_bits_too(void **state)
{
	enum { N = 64 * 3 + 17 };
	float f[N], wide[N];
	uint8_t n[N];

	(void)state;
	for (int i = 0; i < N; i++)
		f[i] = (float)(i * 7919 % 1000) / 37.0F - 11.0F;
	for (size_t count = 0; count <= N; count += count < 66 ? 1 : 13) {
		memset(n, 0x5a, sizeof n);
		dtype_narrow(DTYPE_F8E4M3, n, f, count);
		dtype_widen(DTYPE_F8E4M3, wide, n, count);
		for (size_t i = 0; i < N; i++)
			assert_int_equal(n[i], i < count ? f8e4m3_from_float(f[i]) : 0x5a);
		for (size_t i = 0; i < count; i++)
			assert_true(wide[i] == f8e4m3_to_float(n[i]));
		dtype_narrow(DTYPE_F8E5M2, n, f, count);
		dtype_widen(DTYPE_F8E5M2, wide, n, count);
		for (size_t i = 0; i < count; i++)
			assert_true(n[i] == f8e5m2_from_float(f[i]) && wide[i] == f8e5m2_to_float(n[i]));
	}
}

static void the_table(void **state)
{
	static const size_t sizes[DTYPE_COUNT] = { 1, 1, 4, 4, 8, 8, 2, 2, 4, 8, 1, 1 };

	(void)state;
	for (int i = 0; i < DTYPE_COUNT; i++) {
		assert_int_equal(dtype_find(dtypes[i].name), i);
		assert_int_equal(dtypes[i].size, sizes[i]);
		if (!dtypes[i].is_float)
			assert_int_equal(dtypes[i].exact_bits, 8 * (int)sizes[i] - dtypes[i].is_signed);
	}
	assert_int_equal(dtype_find("float16"), -1);
	assert_int_equal(dtype_find(""), -1);
	assert_int_equal(dtype_find("FLOAT"), -1);
	/* 2^exact_bits is exact, the number after it is not. */
	assert_true(half_to_float(half_from_float(2048)) == 2048 && half_to_float(half_from_float(2049)) != 2049);
	assert_int_equal(dtypes[DTYPE_HALF].exact_bits, 11);
	assert_true(bfloat16_to_float(bfloat16_from_float(256)) == 256 && bfloat16_to_float(bfloat16_from_float(257)) != 257);
	assert_int_equal(dtypes[DTYPE_BFLOAT16].exact_bits, 8);
	assert_true(f8e4m3_to_float(f8e4m3_from_float(16)) == 16 && f8e4m3_to_float(f8e4m3_from_float(17)) != 17);
	assert_int_equal(dtypes[DTYPE_F8E4M3].exact_bits, 4);
	assert_true(f8e5m2_to_float(f8e5m2_from_float(8)) == 8 && f8e5m2_to_float(f8e5m2_from_float(9)) != 9);
	assert_int_equal(dtypes[DTYPE_F8E5M2].exact_bits, 3);
	for (int i = 0; i < DTYPE_COUNT; i++)
		assert_true(dtype_is_narrow((enum dtype)i) == (dtypes[i].is_float && sizes[i] < 4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_value_comes_back),
		cmocka_unit_test(every_value_of_eight_bits_comes_back),
		cmocka_unit_test(every_tie_goes_to_even),
		cmocka_unit_test(floats_all_over_the_range_round_right),
		cmocka_unit_test(the_known_values),
		cmocka_unit_test(a_nan_stays_one),
		cmocka_unit_test(arrays_are_converted_as_single_values),
		cmocka_unit_test(arrays_of_eight_bits_too),
		cmocka_unit_test(the_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
