/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic, written apart from the harness's, so that one checks the other. Integers are 64 bits wide and cut to size after each step; floating types
 * are double and rounded to nearest even after each step, which is exact for sums and products of half and smaller, and of float. FP8 saturates.
 */
#include <math.h>
#include <string.h>

#include "nccl_fake.h"

enum { BATCH = 256 };

struct format {
	int mantissa, exponent; /* bits */
	bool has_infinity;
	bool saturates;
	unsigned largest, nan; /* finite; codes without sign */
};

static const struct format half = { 10, 5, true, false, 0x7bff, 0x7e00 };
static const struct format bfloat16 = { 7, 8, true, false, 0x7f7f, 0x7fc0 };
static const struct format e5m2 = { 2, 5, true, true, 0x7b, 0x7f };
static const struct format e4m3 = { 3, 4, false, true, 0x7e, 0x7f };

static const struct format *format_of(int type)
{
	switch (type) {
	case ncclFloat16:
		return &half;
	case ncclBfloat16:
		return &bfloat16;
	case ncclFloat8e5m2:
		return &e5m2;
	case ncclFloat8e4m3:
		return &e4m3;
	default:
		return NULL;
	}
}

static double decode(const struct format *format, unsigned code)
{
	int bits = format->mantissa + format->exponent, bias = (1 << (format->exponent - 1)) - 1;
	unsigned magnitude = code & ((1u << bits) - 1), fraction = magnitude & ((1u << format->mantissa) - 1);
	int exponent = (int)(magnitude >> format->mantissa);
	double value;

	if (magnitude > format->largest)
		value = format->has_infinity && magnitude == format->largest + 1 ? INFINITY : NAN;
	else if (exponent == 0)
		value = ldexp(fraction, 1 - bias - format->mantissa);
	else
		value = ldexp(fraction + (1u << format->mantissa), exponent - bias - format->mantissa);
	return code >> bits ? -value : value;
}

/* The grid's spacing at |value| is a power of two, so the division and rint are exact; a carry into the next exponent is right by itself. */
static unsigned encode(const struct format *format, double value)
{
	int bits = format->mantissa + format->exponent, bias = (1 << (format->exponent - 1)) - 1, exponent;
	unsigned sign = signbit(value) ? 1u << bits : 0, code;

	if (isnan(value))
		return format->nan;
	value = fabs(value);
	if (value == 0)
		return sign;
	if (isinf(value))
		return sign | (format->saturates ? format->largest : format->largest + 1);
	(void)frexp(value, &exponent);
	exponent = exponent - 1 < 1 - bias ? 1 - bias : exponent - 1;
	if (exponent > bias + 1)
		return sign | (format->saturates ? format->largest : format->largest + 1);
	code = (unsigned)rint(ldexp(value, format->mantissa - exponent)) + ((unsigned)(exponent + bias - 1) << format->mantissa);
	if (code > format->largest)
		code = format->saturates ? format->largest : format->largest + 1;
	return sign | code;
}

static bool is_signed(int type)
{
	return type == ncclInt8 || type == ncclInt32 || type == ncclInt64;
}

static bool is_integer(int type)
{
	return type <= ncclUint64;
}

static void load_integers(int type, const void *from, uint64_t *to, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		switch (type) {
		case ncclInt8:
			to[i] = (uint64_t)((const int8_t *)from)[i];
			break;
		case ncclUint8:
			to[i] = ((const uint8_t *)from)[i];
			break;
		case ncclInt32: {
			int32_t value;

			memcpy(&value, (const char *)from + 4 * i, 4);
			to[i] = (uint64_t)(int64_t)value;
			break;
		}
		case ncclUint32: {
			uint32_t value;

			memcpy(&value, (const char *)from + 4 * i, 4);
			to[i] = value;
			break;
		}
		default:
			memcpy(&to[i], (const char *)from + 8 * i, 8);
			break;
		}
	}
}

/* The low bytes come first on every machine that this runs on. */
static void store_integers(int type, const uint64_t *from, void *to, size_t count)
{
	size_t size = fake_type_size(type);

	for (size_t i = 0; i < count; i++)
		memcpy((char *)to + i * size, &from[i], size);
}

static void load_floats(int type, const void *from, double *to, size_t count)
{
	const struct format *format = format_of(type);
	size_t size = fake_type_size(type);

	for (size_t i = 0; i < count; i++) {
		const char *at = (const char *)from + i * size;
		float single;
		uint16_t code = 0;

		if (format) {
			memcpy(&code, at, size);
			to[i] = decode(format, code);
		} else if (type == ncclFloat32) {
			memcpy(&single, at, size);
			to[i] = (double)single;
		} else {
			memcpy(&to[i], at, size);
		}
	}
}

static void store_floats(int type, const double *from, void *to, size_t count)
{
	const struct format *format = format_of(type);
	size_t size = fake_type_size(type);

	for (size_t i = 0; i < count; i++) {
		char *at = (char *)to + i * size;
		float single = (float)from[i];
		uint16_t code = format ? (uint16_t)encode(format, from[i]) : 0;

		memcpy(at, format ? (void *)&code : type == ncclFloat32 ? (void *)&single : (const void *)&from[i], size);
	}
}

static void combine_integers(int type, int redop, uint64_t *into, const uint64_t *from, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		bool less = is_signed(type) ? (int64_t)from[i] < (int64_t)into[i] : from[i] < into[i];

		if (redop == ncclProd)
			into[i] *= from[i];
		else if (redop == ncclMax)
			into[i] = less ? into[i] : from[i];
		else if (redop == ncclMin)
			into[i] = less ? from[i] : into[i];
		else
			into[i] += from[i];
	}
}

static void combine_floats(int redop, double *into, const double *from, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (redop == ncclProd)
			into[i] *= from[i];
		else if (redop == ncclMax)
			into[i] = fmax(into[i], from[i]);
		else if (redop == ncclMin)
			into[i] = fmin(into[i], from[i]);
		else
			into[i] += from[i];
	}
}

static void divide_integers(int type, int nranks, uint64_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		values[i] = is_signed(type) ? (uint64_t)((int64_t)values[i] / nranks) : values[i] / (uint64_t)nranks;
}

static void reduce_integers(int type, int redop, const char *const *from, int nranks, int first, char *to, size_t count)
{
	uint64_t values[BATCH], others[BATCH];

	load_integers(type, from[first], values, count);
	for (int i = 1; i < nranks; i++) {
		load_integers(type, from[(first + i) % nranks], others, count);
		combine_integers(type, redop, values, others, count);
		store_integers(type, values, to, count);
		load_integers(type, to, values, count);
	}
	if (redop == ncclAvg)
		divide_integers(type, nranks, values, count);
	store_integers(type, values, to, count);
}

static void reduce_floats(int type, int redop, const char *const *from, int nranks, int first, char *to, size_t count)
{
	double values[BATCH], others[BATCH];

	load_floats(type, from[first], values, count);
	for (int i = 1; i < nranks; i++) {
		load_floats(type, from[(first + i) % nranks], others, count);
		combine_floats(redop, values, others, count);
		store_floats(type, values, to, count);
		load_floats(type, to, values, count);
	}
	store_floats(type, values, to, count);
}

/* `to` may be none of `from`: it holds what was rounded. */
void fake_reduce(int type, int redop, const void *const *from, int nranks, int first, void *to, size_t count)
{
	size_t size = fake_type_size(type);

	for (size_t at = 0; at < count; at += BATCH) {
		size_t batch = count - at < BATCH ? count - at : BATCH;
		const char *pieces[FAKE_RANKS];

		for (int i = 0; i < nranks; i++)
			pieces[i] = (const char *)from[i] + at * size;
		if (is_integer(type))
			reduce_integers(type, redop, pieces, nranks, first, (char *)to + at * size, batch);
		else
			reduce_floats(type, redop, pieces, nranks, first, (char *)to + at * size, batch);
	}
}

static void multiply_floats(int type, double scalar, char *data, size_t count)
{
	double values[BATCH];

	load_floats(type, data, values, count);
	for (size_t i = 0; i < count; i++)
		values[i] *= scalar;
	store_floats(type, values, data, count);
}

void fake_scale(int type, const void *scalar, void *data, size_t count)
{
	size_t size = fake_type_size(type);

	for (size_t at = 0; at < count; at += BATCH) {
		size_t batch = count - at < BATCH ? count - at : BATCH;
		char *piece = (char *)data + at * size;
		uint64_t values[BATCH], integer;
		double real;

		if (is_integer(type)) {
			load_integers(type, scalar, &integer, 1);
			load_integers(type, piece, values, batch);
			for (size_t i = 0; i < batch; i++)
				values[i] *= integer;
			store_integers(type, values, piece, batch);
		} else {
			load_floats(type, scalar, &real, 1);
			multiply_floats(type, real, piece, batch);
		}
	}
}

void fake_share(int type, int nranks, void *data, size_t count)
{
	double part = 1.0 / nranks;
	char scalar[8];

	if (is_integer(type))
		return;
	store_floats(type, &part, scalar, 1);
	fake_scale(type, scalar, data, count);
}
