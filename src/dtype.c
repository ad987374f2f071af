/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of element types, and the floats of 16 and 8 bits in plain float arithmetic: compilers and processors without such types do.
 * No conversion branches, so loops over blocks of a known length become vector instructions.
 */
#include "dtype.h"

#include <assert.h>
#include <string.h>

const struct dtype_info dtypes[DTYPE_COUNT] = {
	[DTYPE_INT8] = { "int8", 1, 0, 1, 7 },     [DTYPE_UINT8] = { "uint8", 1, 0, 0, 8 },
	[DTYPE_INT32] = { "int32", 4, 0, 1, 31 },  [DTYPE_UINT32] = { "uint32", 4, 0, 0, 32 },
	[DTYPE_INT64] = { "int64", 8, 0, 1, 63 },  [DTYPE_UINT64] = { "uint64", 8, 0, 0, 64 },
	[DTYPE_HALF] = { "half", 2, 1, 1, 11 },    [DTYPE_BFLOAT16] = { "bfloat16", 2, 1, 1, 8 },
	[DTYPE_FLOAT] = { "float", 4, 1, 1, 24 },  [DTYPE_DOUBLE] = { "double", 8, 1, 1, 53 },
	[DTYPE_F8E4M3] = { "f8e4m3", 1, 1, 1, 4 }, [DTYPE_F8E5M2] = { "f8e5m2", 1, 1, 1, 3 },
};

enum {
	BLOCK = 64,
	HALF_INFINITY = 0x7c00,
	HALF_QUIET_NAN = 0x7e00,
	FLOAT_INFINITY = 0x7f800000,
	FLOAT_HALF_OVERFLOW = 0x477ff000, /* 65520: the middle between the largest half and the next power of two */
	FLOAT_HALF_NORMAL = 0x38800000,   /* 2^-14, the smallest normal half */
	EXPONENT_SHIFT = 0x38000000,      /* the biases' difference, 127 - 15, in place */
	E4M3_NAN = 0x7f,                  /* and no infinity */
	FLOAT_E4M3_LARGEST = 0x43e80000,  /* 464: the middle between the largest, 448, and what would follow; a tie goes to 448 */
	FLOAT_E4M3_NORMAL = 0x3c800000,   /* 2^-6 */
	E4M3_EXPONENT_SHIFT = 0x3c000000, /* 127 - 7 */
	E5M2_INFINITY = 0x7c,
	E5M2_QUIET_NAN = 0x7e,
	FLOAT_E5M2_OVERFLOW = 0x47700000, /* 61440: the middle between the largest, 57344, and the next power of two */
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

static inline float widen_f8e4m3(uint8_t value)
{
	uint32_t sign = (uint32_t)(value & 0x80) << 24;
	uint32_t magnitude = (uint32_t)(value & 0x7f) << 20;
	uint32_t subnormal = bits_of(float_of(FLOAT_E4M3_NORMAL | magnitude) - float_of(FLOAT_E4M3_NORMAL));
	uint32_t bits = magnitude + E4M3_EXPONENT_SHIFT;

	bits = choose(magnitude < 0x08U << 20, subnormal, bits);
	bits = choose(magnitude == (uint32_t)E4M3_NAN << 20, 0x7fc00000, bits);
	return float_of(sign | bits);
}

static inline uint8_t narrow_f8e4m3(float value)
{
	uint32_t sign = (bits_of(value) >> 24) & 0x80;
	uint32_t magnitude = bits_of(value) & 0x7fffffff;
	/* One unit in the last place of 2^14 is the smallest of the type. */
	uint32_t subnormal = bits_of(float_of(magnitude) + 0x1p14F) - bits_of(0x1p14F);
	uint32_t bits = (magnitude - E4M3_EXPONENT_SHIFT + 0x7ffff + ((magnitude >> 20) & 1)) >> 20;

	bits = choose(magnitude < FLOAT_E4M3_NORMAL, subnormal, bits);
	bits = choose(magnitude > FLOAT_E4M3_LARGEST, E4M3_NAN, bits);
	return (uint8_t)(sign | bits);
}

/* The upper byte of a half. */
static inline float widen_f8e5m2(uint8_t value)
{
	return widen_half((uint16_t)(value << 8));
}

/* Not by way of a half: that would round twice. */
static inline uint8_t narrow_f8e5m2(float value)
{
	uint32_t sign = (bits_of(value) >> 24) & 0x80;
	uint32_t magnitude = bits_of(value) & 0x7fffffff;
	uint32_t subnormal = bits_of(float_of(magnitude) + 0x1p7F) - bits_of(0x1p7F);
	uint32_t bits = (magnitude - EXPONENT_SHIFT + 0xfffff + ((magnitude >> 21) & 1)) >> 21;

	bits = choose(magnitude < FLOAT_HALF_NORMAL, subnormal, bits);
	bits = choose(magnitude >= FLOAT_E5M2_OVERFLOW, E5M2_INFINITY, bits);
	bits = choose(magnitude > FLOAT_INFINITY, E5M2_QUIET_NAN, bits);
	return (uint8_t)(sign | bits);
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

float f8e4m3_to_float(uint8_t value)
{
	return widen_f8e4m3(value);
}

uint8_t f8e4m3_from_float(float value)
{
	return narrow_f8e4m3(value);
}

float f8e5m2_to_float(uint8_t value)
{
	return widen_f8e5m2(value);
}

uint8_t f8e5m2_from_float(float value)
{
	return narrow_f8e5m2(value);
}

#define ELEMENT uint16_t
#define WIDEN_ONE widen_half
#define NARROW_ONE narrow_half
#define WIDEN half_widen
#define NARROW half_narrow
#include "dtype_loop.h"

#define ELEMENT uint16_t
#define WIDEN_ONE widen_bfloat16
#define NARROW_ONE narrow_bfloat16
#define WIDEN bfloat16_widen
#define NARROW bfloat16_narrow
#include "dtype_loop.h"

#define ELEMENT uint8_t
#define WIDEN_ONE widen_f8e4m3
#define NARROW_ONE narrow_f8e4m3
#define WIDEN f8e4m3_widen
#define NARROW f8e4m3_narrow
#include "dtype_loop.h"

#define ELEMENT uint8_t
#define WIDEN_ONE widen_f8e5m2
#define NARROW_ONE narrow_f8e5m2
#define WIDEN f8e5m2_widen
#define NARROW f8e5m2_narrow
#include "dtype_loop.h"

/* Functions of arrays, NULL where elements are no narrow floats. */
static const struct {
	void (*widen)(float *restrict to, const void *restrict from, size_t count);
	void (*narrow)(void *restrict to, const float *restrict from, size_t count);
} narrow_types[DTYPE_COUNT] = {
	[DTYPE_HALF] = { half_widen, half_narrow },
	[DTYPE_BFLOAT16] = { bfloat16_widen, bfloat16_narrow },
	[DTYPE_F8E4M3] = { f8e4m3_widen, f8e4m3_narrow },
	[DTYPE_F8E5M2] = { f8e5m2_widen, f8e5m2_narrow },
};

bool dtype_is_narrow(enum dtype type)
{
	return narrow_types[type].widen != NULL;
}

void dtype_widen(enum dtype type, float *restrict to, const void *restrict from, size_t count)
{
	assert(dtype_is_narrow(type));
	narrow_types[type].widen(to, from, count);
}

void dtype_narrow(enum dtype type, void *restrict to, const float *restrict from, size_t count)
{
	assert(dtype_is_narrow(type));
	narrow_types[type].narrow(to, from, count);
}
