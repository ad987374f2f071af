/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of element types, and the 16-bit floats in plain float arithmetic: compilers and processors without such types do.
 * No conversion branches, so loops over blocks of a known length become vector instructions.
 */
#include "dtype.h"

#include <string.h>

const struct dtype_info dtypes[DTYPE_COUNT] = {
	[DTYPE_INT8] = { "int8", 1, 0, 1, 7 },    [DTYPE_UINT8] = { "uint8", 1, 0, 0, 8 },
	[DTYPE_INT32] = { "int32", 4, 0, 1, 31 }, [DTYPE_UINT32] = { "uint32", 4, 0, 0, 32 },
	[DTYPE_INT64] = { "int64", 8, 0, 1, 63 }, [DTYPE_UINT64] = { "uint64", 8, 0, 0, 64 },
	[DTYPE_HALF] = { "half", 2, 1, 1, 11 },   [DTYPE_BFLOAT16] = { "bfloat16", 2, 1, 1, 8 },
	[DTYPE_FLOAT] = { "float", 4, 1, 1, 24 }, [DTYPE_DOUBLE] = { "double", 8, 1, 1, 53 },
};

enum {
	BLOCK = 64,
	HALF_INFINITY = 0x7c00,
	HALF_QUIET_NAN = 0x7e00,
	FLOAT_INFINITY = 0x7f800000,
	FLOAT_HALF_OVERFLOW = 0x477ff000, /* 65520: the middle between the largest half and the next power of two */
	FLOAT_HALF_NORMAL = 0x38800000,   /* 2^-14, the smallest normal half */
	EXPONENT_SHIFT = 0x38000000,      /* the biases' difference, 127 - 15, in place */
};

int dtype_find(const char *name)
{
	for (int i = 0; i < DTYPE_COUNT; i++)
		if (strcmp(dtypes[i].name, name) == 0)
			return i;
	return -1;
}

static uint32_t bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

static float float_of(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

/* Written with a mask: a conditional expression around float arithmetic becomes a branch, since the arithmetic might trap. */
static inline uint32_t choose(int condition, uint32_t yes, uint32_t no)
{
	return no ^ ((yes ^ no) & (0U - (uint32_t)condition));
}

static inline float widen_half(uint16_t half)
{
	uint32_t sign = (uint32_t)(half & 0x8000) << 16;
	uint32_t magnitude = (uint32_t)(half & 0x7fff) << 13;
	/* With the exponent of 2^-14 put in front, a subnormal is its value plus 2^-14. */
	uint32_t subnormal = bits_of(float_of(FLOAT_HALF_NORMAL | magnitude) - float_of(FLOAT_HALF_NORMAL));
	uint32_t bits = magnitude + EXPONENT_SHIFT;

	bits = choose(magnitude >= (uint32_t)HALF_INFINITY << 13, bits + EXPONENT_SHIFT, bits);
	bits = choose(magnitude < 0x0400U << 13, subnormal, bits);
	return float_of(sign | bits);
}

static inline uint16_t narrow_half(float value)
{
	uint32_t sign = (bits_of(value) >> 16) & 0x8000;
	uint32_t magnitude = bits_of(value) & 0x7fffffff;
	/* One unit in the last place of 0.5 is the smallest half: the addition rounds. */
	uint32_t subnormal = bits_of(float_of(magnitude) + 0.5F) - bits_of(0.5F);
	uint32_t bits = (magnitude - EXPONENT_SHIFT + 0xfff + ((magnitude >> 13) & 1)) >> 13;

	bits = choose(magnitude < FLOAT_HALF_NORMAL, subnormal, bits);
	bits = choose(magnitude >= FLOAT_HALF_OVERFLOW, HALF_INFINITY, bits);
	bits = choose(magnitude > FLOAT_INFINITY, HALF_QUIET_NAN | ((magnitude >> 13) & 0x1ff), bits);
	return (uint16_t)(sign | bits);
}

static inline float widen_bfloat16(uint16_t value)
{
	return float_of((uint32_t)value << 16);
}

static inline uint16_t narrow_bfloat16(float value)
{
	uint32_t bits = bits_of(value);
	uint32_t rounded = bits + 0x7fff + ((bits >> 16) & 1);

	rounded = (bits & 0x7fffffff) > FLOAT_INFINITY ? bits | 0x400000 : rounded;
	return (uint16_t)(rounded >> 16);
}

float half_to_float(uint16_t half)
{
	return widen_half(half);
}

uint16_t half_from_float(float value)
{
	return narrow_half(value);
}

float bfloat16_to_float(uint16_t value)
{
	return widen_bfloat16(value);
}

uint16_t bfloat16_from_float(float value)
{
	return narrow_bfloat16(value);
}

void half_widen(float *restrict to, const uint16_t *restrict from, size_t count)
{
	for (; count >= BLOCK; count -= BLOCK, to += BLOCK, from += BLOCK)
		for (size_t i = 0; i < BLOCK; i++)
			to[i] = widen_half(from[i]);
	for (size_t i = 0; i < count; i++)
		to[i] = widen_half(from[i]);
}

void half_narrow(uint16_t *restrict to, const float *restrict from, size_t count)
{
	for (; count >= BLOCK; count -= BLOCK, to += BLOCK, from += BLOCK)
		for (size_t i = 0; i < BLOCK; i++)
			to[i] = narrow_half(from[i]);
	for (size_t i = 0; i < count; i++)
		to[i] = narrow_half(from[i]);
}

void bfloat16_widen(float *restrict to, const uint16_t *restrict from, size_t count)
{
	for (; count >= BLOCK; count -= BLOCK, to += BLOCK, from += BLOCK)
		for (size_t i = 0; i < BLOCK; i++)
			to[i] = widen_bfloat16(from[i]);
	for (size_t i = 0; i < count; i++)
		to[i] = widen_bfloat16(from[i]);
}

void bfloat16_narrow(uint16_t *restrict to, const float *restrict from, size_t count)
{
	for (; count >= BLOCK; count -= BLOCK, to += BLOCK, from += BLOCK)
		for (size_t i = 0; i < BLOCK; i++)
			to[i] = narrow_bfloat16(from[i]);
	for (size_t i = 0; i < count; i++)
		to[i] = narrow_bfloat16(from[i]);
}
