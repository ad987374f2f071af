/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers on the command line: what is accepted, exactly as which value, and what is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/size.h"

#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)
#define TIB (UINT64_C(1) << 40)
#define PIB (UINT64_C(1) << 50)

static void sizes_are_exact(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
	} cases[] = {
		{ "0", 0 },
		{ "8", 8 },
		{ "010", 10 },
		{ "64K", 64 * KIB },
		{ "64k", 64 * KIB },
		{ "1.5G", 3 * GIB / 2 },
		{ "0.5K", 512 },
		{ ".5K", 512 },
		{ "0.125M", 128 * KIB },
		{ "2T", 2 * TIB },
		{ "1P", PIB },
		{ "8191P", 8191 * PIB },
		{ "4MiB", 4 * MIB },
		{ "4mib", 4 * MIB },
		{ "8KB", 8 * KIB },
		{ "8B", 8 },
		{ "1.0", 1 },
		{ "1.000", 1 },
		{ "9223372036854775807", INT64_MAX },
		{ "8191.9990234375P", 8191 * PIB + 1023 * TIB },
		{ "0.0009765625K", 1 },
		{ "0.00000000000000088817841970012523233890533447265625P", 1 },
		{ "000000000000000000000000000000000000000000001", 1 },
		{ "1.0000000000000000000000000000000000000000000000000000000000000000000000000000000000", 1 },
		{ "2147483648", UINT64_C(1) << 31 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint64_t value = 77;

		if (size_parse(cases[i].text, &value))
			fail_msg("%s is refused", cases[i].text);
		if (value != cases[i].value)
			fail_msg("%s is %llu", cases[i].text, (unsigned long long)value);
	}
}

static void what_is_no_size_is_refused(void **state)
{
	static const char *const cases[] = {
		"",
		" ",
		" 8",
		"8 ",
		"-5",
		"+5",
		"-0",
		"abc",
		"nan",
		"inf",
		"infinity",
		"0x10",
		"1e3",
		"1E",
		"16E",
		"4Mxyz",
		"12Q",
		"1,024",
		"1.5",
		"1..5",
		"1.5.2",
		".",
		"K",
		".K",
		"B",
		"8iB",
		"8KiBs",
		"8KBB",
		"8KK",
		"0.3K",
		"0.1G",
		"8bits",
		"8\n",
		"8192P",
		"9999999P",
		"\xff\xfe",
		"8\xc2\xb5",
		"$(id)",
		"`id`",
		"%s%n",
		"1/2",
		"--",
		"-b",
		"8;",
		"9223372036854775808",
		"18446744073709551616",
		"99999999999999999999999999999999999999999999999",
		"9007199254740992K",
		"0.00000000000000000000000000000000000000000000000000000000000000000000000000000000000001P",
		"0.000000000000000888178419700125232338905334472656251P",
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint64_t value = 77;

		if (size_parse(cases[i], &value) != -1 || value != 77)
			fail_msg("'%s' is taken as %llu", cases[i], (unsigned long long)value);
	}
}

static void a_long_text_is_refused(void **state)
{
	size_t length = 1 << 20;
	char *text = malloc(length + 1);
	uint64_t value = 77;
	double real = 77;

	(void)state;
	assert_non_null(text);
	memset(text, '9', length);
	text[length] = '\0';
	assert_int_equal(size_parse(text, &value), -1);
	assert_int_equal(real_parse(text, &real), -1);
	memset(text, '0', length);
	text[1] = '.';
	assert_int_equal(size_parse(text, &value), 0);
	assert_int_equal(value, 0);
	free(text);
}

static void counts(void **state)
{
	static const struct {
		const char *text;
		long min, max;
		int result;
		long value;
	} cases[] = {
		{ "0", 0, 10, 0, 0 },
		{ "10", 0, 10, 0, 10 },
		{ "11", 0, 10, -1, 0 },
		{ "010", 0, 10, 0, 10 },
		{ "-1", -1, 10, 0, -1 },
		{ "+1", -1, 10, 0, 1 },
		{ "-2", -1, 10, -1, 0 },
		{ "-0", 0, 10, -1, 0 },
		{ "+1", 0, 10, -1, 0 },
		{ "", 0, 10, -1, 0 },
		{ "10k", 0, 100000, -1, 0 },
		{ "abc", 0, 10, -1, 0 },
		{ "1.5", 0, 10, -1, 0 },
		{ " 1", 0, 10, -1, 0 },
		{ "1 ", 0, 10, -1, 0 },
		{ "0x10", 0, 100, -1, 0 },
		{ "-", -1, 10, -1, 0 },
		{ "--1", -1, 10, -1, 0 },
		{ "1e1", 0, 10, -1, 0 },
		{ "\t1", -1, 10, -1, 0 },
		{ "9223372036854775807", 0, LONG_MAX, 0, LONG_MAX },
		{ "9223372036854775808", 0, LONG_MAX, -1, 0 },
		{ "-9223372036854775809", LONG_MIN, LONG_MAX, -1, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		long value = 77;
		int result = count_parse(cases[i].text, cases[i].min, cases[i].max, &value);

		if (result != cases[i].result || value != (result ? 77 : cases[i].value))
			fail_msg("'%s': %d, %ld", cases[i].text, result, value);
	}
}

struct real_case {
	const char *text;
	double value; /* negative: refused */
};

static void check_reals(const char *what, int (*parse)(const char *, double *), const struct real_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double value = 77;
		int result = parse(cases[i].text, &value);

		if (result != (cases[i].value < 0 ? -1 : 0) || value != (result ? 77 : cases[i].value))
			fail_msg("%s '%s': %d, %.17g", what, cases[i].text, result, value);
	}
}

static void reals(void **state)
{
	static const struct real_case cases[] = {
		{ "0", 0 },         { "2.5", 2.5 },  { "1e-3", 1e-3 }, { "1E+3", 1e3 },   { ".5", .5 },    { "5.", 5 },
		{ "1e308", 1e308 }, { "1e309", -1 }, { "nan", -1 },    { "inf", -1 },     { "0x10", -1 },  { "-1", -1 },
		{ "+1", -1 },       { "", -1 },      { "1e", -1 },     { "e5", -1 },      { ".", -1 },     { "1,5", -1 },
		{ " 1", -1 },       { "1 ", -1 },    { "1.2.3", -1 },  { "garbage", -1 }, { "1e-400", 0 }, { "1ee5", -1 },
	};

	(void)state;
	check_reals("real", real_parse, cases, sizeof cases / sizeof *cases);
}

static void durations(void **state)
{
	static const struct real_case cases[] = {
		{ "5us", 5e-6 }, { "1.5ms", 1.5e-3 }, { "2s", 2 },    { "800ns", 800e-9 }, { "3", 3 },
		{ "0", 0 },      { "1e-3s", 1e-3 },   { "5 us", -1 }, { "us", -1 },        { "5m", -1 },
		{ "5US", -1 },   { "-5us", -1 },      { "5uss", -1 }, { "", -1 },          { "5min", -1 },
		{ "nan", -1 },   { "inf", -1 },       { "5e", -1 },   { "5ps", -1 },
	};

	(void)state;
	check_reals("duration", duration_parse, cases, sizeof cases / sizeof *cases);
}

static void bandwidths(void **state)
{
	static const struct real_case cases[] = {
		{ "100G", 100e9 },      { "12.5GB/s", 12.5e9 },
		{ "12.5GBps", 12.5e9 }, { "900M", 900e6 },
		{ "1000", 1000 },       { "1T", 1e12 },
		{ "2KB/s", 2000 },      { "2kBps", 2000 },
		{ "5B/s", 5 },          { "1e9", 1e9 },
		{ "1e9B/s", 1e9 },      { "0", -1 },
		{ "0.5", -1 },          { "0G", -1 },
		{ "1e308G", -1 },       { "100Gb/s", -1 },
		{ "100Gbps", -1 },      { "100GiB/s", -1 },
		{ "100GB", -1 },        { "G", -1 },
		{ "-1G", -1 },          { "", -1 },
		{ "100 G", -1 },        { "nan", -1 },
		{ "100Gx", -1 },
	};

	(void)state;
	check_reals("bandwidth", bandwidth_parse, cases, sizeof cases / sizeof *cases);
}

static void fractions(void **state)
{
	static const struct real_case cases[] = {
		{ "2%", .02 }, { "2.5%", .025 }, { "0.025", .025 }, { "1", 1 }, { "0", 0 },    { "200%", 2 }, { "1.1", -1 },
		{ "2", -1 },   { "%", -1 },      { "-1%", -1 },     { "", -1 }, { "2%%", -1 }, { "2 %", -1 }, { "nan%", -1 },
	};

	(void)state;
	check_reals("fraction", fraction_parse, cases, sizeof cases / sizeof *cases);
}

static void sizes_are_formatted_exactly(void **state)
{
	static const struct {
		uint64_t value;
		const char *text;
	} cases[] = {
		{ 0, "0" },
		{ 8, "8" },
		{ 1000, "1000" },
		{ 1024, "1K" },
		{ 1280, "1.25K" },
		{ 1536, "1.5K" },
		{ 1025, "1025" },
		{ 64 * KIB, "64K" },
		{ 1000000, "1000000" },
		{ 3 * MIB / 2, "1.5M" },
		{ MIB + MIB / 8, "1152K" },
		{ 3 * GIB, "3G" },
		{ TIB + TIB / 4, "1.25T" },
		{ 5 * PIB, "5P" },
		{ UINT64_C(37748744), "37748744" },
		{ 20 * KIB + 512 + 256, "20.75K" },
		{ INT64_MAX, "9223372036854775807" },
		{ UINT64_MAX, "18446744073709551615" },
	};
	char buffer[24];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(size_format(cases[i].value, buffer, sizeof buffer), cases[i].text);
}

static void a_formatted_size_reads_back(void **state)
{
	uint64_t value = 1;
	char buffer[24];

	(void)state;
	for (int i = 0; i < 100000; i++) {
		uint64_t tried, read;

		value = value * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		tried = (value >> 1) >> (value & 63);
		tried = tried >> (value >> 6 & 31) << (value >> 6 & 31);
		assert_int_equal(size_parse(size_format(tried, buffer, sizeof buffer), &read), 0);
		assert_true(read == tried);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_exact),
		cmocka_unit_test(what_is_no_size_is_refused),
		cmocka_unit_test(a_long_text_is_refused),
		cmocka_unit_test(counts),
		cmocka_unit_test(reals),
		cmocka_unit_test(durations),
		cmocka_unit_test(bandwidths),
		cmocka_unit_test(fractions),
		cmocka_unit_test(sizes_are_formatted_exactly),
		cmocka_unit_test(a_formatted_size_reads_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
