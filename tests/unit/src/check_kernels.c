/* SPDX-License-Identifier: Apache-2.0
 *
 * The bodies of the kernels that seed and check on a GPU, thread after thread: every size of an element, alignment, place in a table and number of threads
 * gives what the host's own functions give; every wrong element is counted once and the first is named. And the host's staging.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check_device.h"
#include "src/check_host.h"
#include "src/pattern_position.h"

enum { MARGIN = 64, MOST = 4 * 4096 * 8, SHORT_PERIOD = 37 };

/* One comparison or filling. */
struct trial {
	size_t size, period, from, count, offset;
	uint64_t threads;
};

struct yard {
	uint64_t random;
	unsigned char *table; /* 2 * PATTERN_PERIOD elements of 8 bytes */
	unsigned char *data;  /* MARGIN + MOST + MARGIN, aligned to 64 */
	unsigned char *expected;
};

static uint64_t draw(struct yard *yard, uint64_t below)
{
	yard->random = yard->random * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (yard->random >> 33) % below;
}

static void open_yard(struct yard *yard)
{
	*yard = (struct yard){ .random = 7,
			       .table = malloc((size_t)2 * PATTERN_PERIOD * 8),
			       .data = aligned_alloc(64, MOST + 2 * MARGIN),
			       .expected = malloc(MOST + 2 * MARGIN) };
	assert_true(yard->table && yard->data && yard->expected);
}

static void close_yard(struct yard *yard)
{
	free(yard->table);
	free(yard->data);
	free(yard->expected);
}

static struct pattern_table new_table(struct yard *yard, const struct trial *trial)
{
	const size_t bytes = trial->period * trial->size;

	for (size_t i = 0; i < bytes; i++)
		yard->table[i] = (unsigned char)draw(yard, 256);
	memcpy(yard->table + bytes, yard->table, bytes);
	return (struct pattern_table){ yard->table, trial->period, trial->size, 1 };
}

static struct trial draw_trial(struct yard *yard, size_t period, uint64_t most_threads)
{
	struct trial trial = { .size = (size_t)1 << draw(yard, 4), .period = period };

	trial.from = draw(yard, 4) ? (size_t)draw(yard, period) : period - 1;
	trial.count = (size_t)draw(yard, draw(yard, 2) ? 4 * period : 40);
	/* One in four lies across elements' own bounds. */
	trial.offset = (size_t)draw(yard, 16);
	if (draw(yard, 4))
		trial.offset -= trial.offset % trial.size;
	trial.threads = 1 + draw(yard, most_threads);
	return trial;
}

static void fail_trial(const struct trial *trial, const char *what)
{
	fail_msg("%s: %zu elements of %zu bytes at offset %zu from %zu of %zu, %llu threads", what, trial->count, trial->size,
		 trial->offset, trial->from, trial->period, (unsigned long long)trial->threads);
}

static void fill(const struct trial *trial, void *to, const struct pattern_table *table)
{
	const uint64_t parameters[] = { number(to), number(table->data), table->period, table->size, trial->from, trial->count };

	launch_threads("collperf_fill", trial->threads, parameters);
}

static struct verify_counters compare(const struct trial *trial, const void *data, const struct pattern_table *table)
{
	struct verify_counters counters = { 0, 0 };
	const uint64_t parameters[] = {
		number(data), number(table->data), table->period, table->size, trial->from, trial->count, number(&counters),
	};

	launch_threads("collperf_differs", trial->threads, parameters);
	return counters;
}

static struct verify_counters compare_byte(const struct trial *trial, const void *data, unsigned char byte)
{
	struct verify_counters counters = { 0, 0 };
	const uint64_t parameters[] = { number(data), byte, trial->size, trial->count, number(&counters) };

	launch_threads("collperf_differs_from", trial->threads, parameters);
	return counters;
}

/* Some bytes change; how many elements are wrong then, and how many are left from the first of them. */
static struct verify_counters spoil(struct yard *yard, const struct trial *trial, unsigned char *data)
{
	struct verify_counters counters = { 0, 0 };
	const size_t bytes = trial->count * trial->size;

	memcpy(yard->expected, data, bytes);
	for (uint64_t i = draw(yard, 6); i > 0; i--)
		data[draw(yard, bytes)] ^= (unsigned char)(1 + draw(yard, 255));
	if (draw(yard, 3) == 0)
		data[0] ^= 1;
	if (draw(yard, 3) == 0)
		data[bytes - 1] ^= 0x80;
	for (size_t i = trial->count; i-- > 0;) {
		if (memcmp(data + i * trial->size, yard->expected + i * trial->size, trial->size) == 0)
			continue;
		counters.wrong++;
		counters.left = trial->count - i;
	}
	return counters;
}

static void expect_counters(const struct trial *trial, struct verify_counters found, struct verify_counters expected)
{
	if (found.wrong != expected.wrong)
		fail_trial(trial, "wrong elements are miscounted");
	if (found.left != expected.left)
		fail_trial(trial, "another first wrong element");
}

static void try(struct yard *yard, const struct trial *trial)
{
	const struct verify_counters none = { 0, 0 };
	const struct pattern_table table = new_table(yard, trial);
	const size_t bytes = trial->count * trial->size;
	unsigned char *data = yard->data + MARGIN + trial->offset;

	memset(yard->data, 0x5c, bytes + trial->offset + 2 * MARGIN);
	memset(yard->expected, 0x5c, bytes + trial->offset + 2 * MARGIN);
	pattern_table_fill(&table, trial->from, trial->count, yard->expected + MARGIN + trial->offset);
	fill(trial, data, &table);
	if (memcmp(yard->data, yard->expected, bytes + trial->offset + 2 * MARGIN) != 0)
		fail_trial(trial, "filled otherwise than by the host");
	expect_counters(trial, compare(trial, data, &table), none);
	if (trial->count == 0)
		return;
	const struct verify_counters expected = spoil(yard, trial, data);

	expect_counters(trial, compare(trial, data, &table), expected);
	memset(data, 0xa7, bytes);
	expect_counters(trial, compare_byte(trial, data, 0xa7), none);
	const struct verify_counters unlike = spoil(yard, trial, data);

	expect_counters(trial, compare_byte(trial, data, 0xa7), unlike);
}

static void test_short_tables(void **state)
{
	struct yard yard;

	(void)state;
	open_yard(&yard);
	for (int i = 0; i < 20000; i++) {
		const struct trial trial = draw_trial(&yard, SHORT_PERIOD, i % 2 ? 1000 : 50);

		try(&yard, &trial);
	}
	close_yard(&yard);
}

static void test_real_tables(void **state)
{
	struct yard yard;

	(void)state;
	open_yard(&yard);
	for (int i = 0; i < 300; i++) {
		const struct trial trial = draw_trial(&yard, PATTERN_PERIOD, i % 2 ? 10000 : 1000);

		try(&yard, &trial);
	}
	close_yard(&yard);
}

/* All wrong: every element counts, whatever its size. */
static void test_everything_is_wrong(void **state)
{
	struct yard yard;

	(void)state;
	open_yard(&yard);
	for (size_t size = 1; size <= 8; size *= 2) {
		const struct trial trial = { size, PATTERN_PERIOD, 1, 3 * PATTERN_PERIOD + 5, size, 640 };

		memset(yard.data, 0xff, MOST + 2 * MARGIN);
		assert_int_equal(compare_byte(&trial, yard.data + MARGIN + size, 0).wrong, trial.count);
		assert_int_equal(compare_byte(&trial, yard.data + MARGIN + size, 0).left, trial.count);
	}
	close_yard(&yard);
}

static void test_kernels_by_name(void **state)
{
	const int set = 1, unset = 0;
	const uint64_t passed[] = { number(&set), UINT64_MAX }, limited[] = { number(&unset), 1000 };

	(void)state;
	assert_int_equal(verify_parameters("collperf_fill"), 6);
	assert_int_equal(verify_parameters("collperf_differs"), 7);
	assert_int_equal(verify_parameters("collperf_differs_from"), 5);
	assert_int_equal(verify_parameters("collperf_spin"), 2);
	assert_int_equal(verify_parameters("collperf"), 0);
	assert_true(verify_run("collperf_spin", 0, 1, passed));
	assert_true(verify_run("collperf_spin", 0, 1, limited));
	assert_false(verify_run("collperf", 0, 1, passed));
}

/* Memory that the host reaches by copies alone, none of them larger than a piece. */
static int piece_copy(struct backend *backend, int local, void *to, const void *from, size_t bytes)
{
	size_t *copies = backend->state;

	(void)local;
	assert_in_range(bytes, 1, CHECK_PIECE);
	(*copies)++;
	memcpy(to, from, bytes);
	return 0;
}

static void *no_view(struct backend *backend, int local, void *memory)
{
	(void)backend, (void)local, (void)memory;
	return NULL;
}

static void test_staging_is_bounded(void **state)
{
	enum { COUNT = CHECK_PIECE / 4 + CHECK_PIECE / 16 };
	static const struct backend_ops ops = { .upload = piece_copy, .download = piece_copy, .host_view = no_view };
	size_t copies = 0, first = 9;
	struct backend backend = { .ops = &ops, .state = &copies };
	struct trial trial = { .size = 4, .period = PATTERN_PERIOD };
	struct yard yard;
	uint32_t *data = malloc(COUNT * sizeof *data);
	uint64_t wrong = 9;

	(void)state;
	assert_non_null(data);
	open_yard(&yard);
	const struct pattern_table table = new_table(&yard, &trial);

	assert_int_equal(check_host.fill(&backend, 0, data, &table, 5, COUNT), 0);
	assert_int_equal(copies, 2);
	assert_int_equal(pattern_table_differs(&table, 5, COUNT, data, &first), 0);
	assert_int_equal(check_host.differs(&backend, 0, data, &table, 5, COUNT, &wrong, &first), 0);
	assert_int_equal(wrong, 0);
	assert_int_equal(first, 9);
	data[CHECK_PIECE / 4 + 3] ^= 1;
	data[COUNT - 1] ^= 1;
	assert_int_equal(check_host.differs(&backend, 0, data, &table, 5, COUNT, &wrong, &first), 0);
	assert_int_equal(wrong, 2);
	assert_int_equal(first, CHECK_PIECE / 4 + 3);
	data[7] ^= 1;
	assert_int_equal(check_host.differs(&backend, 0, data, &table, 5, COUNT, &wrong, &first), 0);
	assert_int_equal(wrong, 3);
	assert_int_equal(first, 7);
	assert_int_equal(check_host.set(&backend, 0, data, 0xa7, COUNT * sizeof *data), 0);
	data[COUNT - 2] ^= 1;
	assert_int_equal(check_host.differs_from(&backend, 0, data, 0xa7, 4, COUNT, &wrong, &first), 0);
	assert_int_equal(wrong, 1);
	assert_int_equal(first, COUNT - 2);
	close_yard(&yard);
	free(data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_short_tables),        cmocka_unit_test(test_real_tables),
		cmocka_unit_test(test_everything_is_wrong), cmocka_unit_test(test_kernels_by_name),
		cmocka_unit_test(test_staging_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
