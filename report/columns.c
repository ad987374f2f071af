/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of columns, in the order of the CSV, and how one cell becomes text and comes back.
 * The only place that knows units other than seconds, bytes and bytes per second.
 */
#include "columns.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
const struct column columns[] = {
	{ "schema",           COLUMN_INTEGER, offsetof(struct result, schema),          1,    0 },
	{ "point",            COLUMN_INTEGER, offsetof(struct result, point),           1,    0 },
	{ "points",           COLUMN_INTEGER, offsetof(struct result, points),          1,    0 },
	{ "run",              COLUMN_TEXT,    offsetof(struct result, run),             1,    0 },
	{ "collective",       COLUMN_TEXT,    offsetof(struct result, collective),      1,    0 },
	{ "backend",          COLUMN_TEXT,    offsetof(struct result, backend),         1,    0 },
	{ "library",          COLUMN_TEXT,    offsetof(struct result, library),         1,    0 },
	{ "path",             COLUMN_TEXT,    offsetof(struct result, path),            1,    0 },
	{ "algo",             COLUMN_TEXT,    offsetof(struct result, algo),            1,    0 },
	{ "group",            COLUMN_TEXT,    offsetof(struct result, group),           1,    0 },
	{ "nranks",           COLUMN_INTEGER, offsetof(struct result, nranks),          1,    0 },
	{ "nnodes",           COLUMN_INTEGER, offsetof(struct result, nnodes),          1,    0 },
	{ "type",             COLUMN_TEXT,    offsetof(struct result, type),            1,    8 },
	{ "redop",            COLUMN_TEXT,    offsetof(struct result, redop),           1,    5 },
	{ "root",             COLUMN_INTEGER, offsetof(struct result, root),            1,    4 },
	{ "placement",        COLUMN_TEXT,    offsetof(struct result, placement),       1,   12 },
	{ "bytes_requested",  COLUMN_INTEGER, offsetof(struct result, bytes_requested), 1,    0 },
	{ "bytes",            COLUMN_INTEGER, offsetof(struct result, bytes),           1,   19 },
	{ "count",            COLUMN_INTEGER, offsetof(struct result, count),           1,   19 },
	{ "timing",           COLUMN_TEXT,    offsetof(struct result, timing),          1,    0 },
	{ "sync",             COLUMN_TEXT,    offsetof(struct result, sync),            1,    0 },
	{ "iters",            COLUMN_INTEGER, offsetof(struct result, iters),           1,    7 },
	{ "dropped",          COLUMN_INTEGER, offsetof(struct result, dropped),         1,    7 },
	{ "time_us",          COLUMN_REAL,    offsetof(struct result, time),            1e6, 14 },
	{ "time_ci_low_us",   COLUMN_REAL,    offsetof(struct result, time_ci_low),     1e6, 14 },
	{ "time_ci_high_us",  COLUMN_REAL,    offsetof(struct result, time_ci_high),    1e6, 15 },
	{ "time_min_us",      COLUMN_REAL,    offsetof(struct result, time_min),        1e6, 14 },
	{ "time_mean_us",     COLUMN_REAL,    offsetof(struct result, time_mean),       1e6,  0 },
	{ "time_stddev_us",   COLUMN_REAL,    offsetof(struct result, time_stddev),     1e6,  0 },
	{ "time_p95_us",      COLUMN_REAL,    offsetof(struct result, time_p95),        1e6, 14 },
	{ "time_p99_us",      COLUMN_REAL,    offsetof(struct result, time_p99),        1e6,  0 },
	{ "time_max_us",      COLUMN_REAL,    offsetof(struct result, time_max),        1e6, 14 },
	{ "rank_time_min_us", COLUMN_REAL,    offsetof(struct result, rank_time_min),   1e6,  0 },
	{ "rank_time_avg_us", COLUMN_REAL,    offsetof(struct result, rank_time_avg),   1e6,  0 },
	{ "rank_time_max_us", COLUMN_REAL,    offsetof(struct result, rank_time_max),   1e6,  0 },
	{ "slowest_rank",     COLUMN_INTEGER, offsetof(struct result, slowest_rank),    1,    0 },
	{ "algbw_GBps",       COLUMN_REAL,    offsetof(struct result, algbw),           1e-9, 14 },
	{ "busbw_GBps",       COLUMN_REAL,    offsetof(struct result, busbw),           1e-9, 14 },
	{ "wrong",            COLUMN_INTEGER, offsetof(struct result, wrong),           1,    5 },
	{ "flags",            COLUMN_TEXT,    offsetof(struct result, flags),           1,   14 },
	{ "timestamp",        COLUMN_TEXT,    offsetof(struct result, timestamp),       1,    0 },
	{ "kernel_us",        COLUMN_REAL,    offsetof(struct result, kernel),          1e6,  0 },
	{ "enqueue_us",       COLUMN_REAL,    offsetof(struct result, enqueue),         1e6,  0 },
	{ "from",             COLUMN_INTEGER, offsetof(struct result, from),            1,    0 },
	{ "to",               COLUMN_INTEGER, offsetof(struct result, to),              1,    0 },
	{ "load",             COLUMN_TEXT,    offsetof(struct result, load),            1,    0 },
	{ "strategy",         COLUMN_TEXT,    offsetof(struct result, strategy),        1,    0 },
	{ "bucket_cap",       COLUMN_INTEGER, offsetof(struct result, bucket_cap),      1,    0 },
	{ "calls",            COLUMN_INTEGER, offsetof(struct result, calls),           1,    0 },
	{ "tensors",          COLUMN_INTEGER, offsetof(struct result, tensors),         1,    0 },
	{ "prefetch",         COLUMN_INTEGER, offsetof(struct result, prefetch),        1,    0 },
	{ "progress",         COLUMN_TEXT,    offsetof(struct result, progress),        1,    0 },
	{ "compute_us",       COLUMN_REAL,    offsetof(struct result, compute),         1e6,  0 },
	{ "comm_us",          COLUMN_REAL,    offsetof(struct result, comm),            1e6,  0 },
	{ "exposed_us",       COLUMN_REAL,    offsetof(struct result, exposed),         1e6,  0 },
	{ "overlap",          COLUMN_REAL,    offsetof(struct result, overlap),         1,    0 },
	{ "variant",          COLUMN_TEXT,    offsetof(struct result, variant),         1,    0 },
	{ "imbalance",        COLUMN_REAL,    offsetof(struct result, imbalance),       1,    0 },
	{ "compute_asked_us", COLUMN_REAL,    offsetof(struct result, compute_asked),   1e6,  0 },
	{ "overlap_error",    COLUMN_REAL,    offsetof(struct result, overlap_error),   1,    0 },
};
/* clang-format on */

const size_t column_count = sizeof(columns) / sizeof(columns[0]);

int column_find(const char *name)
{
	for (size_t i = 0; i < column_count; i++)
		if (strcmp(columns[i].name, name) == 0)
			return (int)i;
	return -1;
}

const char *column_text(const struct column *column, const struct result *result)
{
	const char *text;

	memcpy(&text, (const char *)result + column->offset, sizeof(text));
	return text;
}

int64_t column_integer(const struct column *column, const struct result *result)
{
	int64_t integer;

	memcpy(&integer, (const char *)result + column->offset, sizeof(integer));
	return integer;
}

double column_real(const struct column *column, const struct result *result)
{
	double real;

	memcpy(&real, (const char *)result + column->offset, sizeof(real));
	real *= column->scale;
	/* + 0.0 makes zero of a negative zero. */
	return isfinite(real) ? real + 0.0 : NAN;
}

/* Of a real from 1e-4 to under 1e9: its first nine digits as a number, and how many of them stand after the point. -1 where printf must tell. */
static int nine_digits(double real, int64_t *digits)
{
	static const long double powers[] = { 1e0L, 1e1L, 1e2L, 1e3L, 1e4L, 1e5L, 1e6L, 1e7L, 1e8L, 1e9L, 1e10L, 1e11L, 1e12L };
	long double scaled, rest;
	int after = 0;

	if (!(real >= 1e-4 && real < 1e9))
		return -1;
	while (after < 12 && real * (double)powers[after] < 1e8)
		after++;
	scaled = (long double)real * powers[after];
	*digits = (int64_t)scaled;
	rest = scaled - (long double)*digits;
	/* Too near to the middle to be sure, or not nine digits after all. */
	if (fabsl(rest - 0.5L) < 1e-6L)
		return -1;
	*digits += rest > 0.5L;
	return *digits >= 100000000 && *digits < 1000000000 ? after : -1;
}

const char *column_number(double real, char *buffer, size_t size)
{
	int64_t digits;
	int after = nine_digits(real, &digits), n = 0;
	char *end = buffer + size - 1;

	if (after < 0) {
		snprintf(buffer, size, "%.9g", real);
		return buffer;
	}
	for (; after > 0 && digits % 10 == 0; after--)
		digits /= 10;
	*end = '\0';
	for (; digits > 0 || n <= after; n++) {
		if (n == after && n > 0)
			*--end = '.';
		*--end = (char)('0' + digits % 10);
		digits /= 10;
	}
	return end;
}

const char *column_print(const struct column *column, const struct result *result, char *buffer, size_t size)
{
	int64_t integer;
	double real;

	switch (column->type) {
	case COLUMN_TEXT:
		return column_text(column, result);
	case COLUMN_INTEGER:
		integer = column_integer(column, result);
		if (integer == RESULT_NONE)
			return "";
		snprintf(buffer, size, "%lld", (long long)integer);
		return buffer;
	case COLUMN_REAL:
		real = column_real(column, result);
		if (isnan(real))
			return "";
		return column_number(real, buffer, size);
	}
	return "";
}

static int parse_integer(const char *text, int64_t *integer)
{
	const char *digits = text + (*text == '-');
	long long value;

	/* strtoll alone would take blanks and a plus sign. */
	if (*digits == '\0' || digits[strspn(digits, "0123456789")] != '\0')
		return -1;
	errno = 0;
	value = strtoll(text, NULL, 10);
	if (errno != 0 || value == RESULT_NONE)
		return -1;
	*integer = value;
	return 0;
}

/*
 * Plain decimals of up to 15 digits, as nearly all cells are: both numbers are exact, so their quotient is the nearest double, as strtod's would be.
 * -1: something else.
 */
static int parse_decimal(const char *text, double *real)
{
	static const double powers[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15 };
	int64_t digits = 0;
	size_t n = 0, after = 0;
	bool point = false;

	for (; *text && n <= 15; text++) {
		if (*text == '.' && !point) {
			point = true;
			continue;
		}
		if (*text < '0' || *text > '9')
			return -1;
		digits = 10 * digits + (*text - '0');
		after += point;
		n++;
	}
	if (n == 0 || n > 15)
		return -1;
	*real = (double)digits / powers[after];
	return 0;
}

static int parse_real(const char *text, double scale, double *real)
{
	char *end;
	double value;

	if (parse_decimal(text, &value) == 0) {
		*real = value / scale;
		return 0;
	}
	/* strtod alone would take blanks, hexadecimal, "inf" and "nan". */
	if (text[0] == '\0' || text[strspn(text, "0123456789.eE+-")] != '\0')
		return -1;
	value = strtod(text, &end) / scale;
	if (*end != '\0' || end == text || !isfinite(value))
		return -1;
	*real = value;
	return 0;
}

int column_parse(const struct column *column, const char *text, struct result *result)
{
	char *place = (char *)result + column->offset;
	int64_t integer = RESULT_NONE;
	double real = NAN;

	switch (column->type) {
	case COLUMN_TEXT:
		memcpy(place, &text, sizeof(text));
		return 0;
	case COLUMN_INTEGER:
		if (*text != '\0' && parse_integer(text, &integer) != 0)
			return -1;
		memcpy(place, &integer, sizeof(integer));
		return 0;
	case COLUMN_REAL:
		if (*text != '\0' && parse_real(text, column->scale, &real) != 0)
			return -1;
		memcpy(place, &real, sizeof(real));
		return 0;
	}
	return -1;
}
