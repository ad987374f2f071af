/* SPDX-License-Identifier: Apache-2.0
 *
 * The ways of sendrecv: partners, names, packing and the time of a pipeline against values worked by hand; their command line; faults at sizes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "options_line.h"
#include "src/exchange.h"
#include "src/sweep.h"

struct expected {
	enum exchange_mode mode;
	int stride, nranks;
	int to[6], from[6];
};

static void partners(void **state)
{
	static const struct expected cases[] = {
		{ EXCHANGE_SHIFT, 1, 3, { 1, 2, 0 }, { 2, 0, 1 } },
		{ EXCHANGE_SHIFT, 2, 5, { 2, 3, 4, 0, 1 }, { 3, 4, 0, 1, 2 } },
		{ EXCHANGE_SHIFT, 7, 3, { 1, 2, 0 }, { 2, 0, 1 } },
		{ EXCHANGE_ONEWAY, 1, 5, { 1, -1, 3, -1, -1 }, { -1, 0, -1, 2, -1 } },
		{ EXCHANGE_ONEWAY, 2, 6, { 2, 3, -1, -1, -1, -1 }, { -1, -1, 0, 1, -1, -1 } },
		{ EXCHANGE_BIDIRECTIONAL, 3, 6, { 3, 4, 5, 0, 1, 2 }, { 3, 4, 5, 0, 1, 2 } },
		{ EXCHANGE_PINGPONG, 2, 4, { 2, 3, 0, 1 }, { 2, 3, 0, 1 } },
		{ EXCHANGE_PINGPONG, 2, 3, { 2, -1, 0 }, { 2, -1, 0 } },
		{ EXCHANGE_ONEWAY, INT32_MAX, 2, { -1, -1 }, { -1, -1 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct exchange exchange = { .mode = cases[i].mode, .stride = cases[i].stride };

		for (int rank = 0; rank < cases[i].nranks; rank++) {
			const struct exchange_peers peers = exchange_peers(&exchange, cases[i].nranks, rank);

			if (peers.to != cases[i].to[rank] || peers.from != cases[i].from[rank])
				fail_msg("case %zu, rank %d: to %d, from %d", i, rank, peers.to, peers.from);
		}
	}
}

static void who_is_sent_to_receives(void **state)
{
	(void)state;
	for (int mode = EXCHANGE_SHIFT; mode <= EXCHANGE_PINGPONG; mode++)
		for (int nranks = 2; nranks <= 33; nranks++)
			for (int rank = 0; rank < nranks; rank++)
				for (int stride = 1; stride <= nranks; stride++) {
					const struct exchange exchange = { .mode = (enum exchange_mode)mode, .stride = stride };
					const struct exchange_peers peers = exchange_peers(&exchange, nranks, rank);

					if (peers.to < 0)
						continue;
					const struct exchange_peers other = exchange_peers(&exchange, nranks, peers.to);

					assert_int_equal(other.from, rank);
					assert_true(mode != EXCHANGE_PINGPONG || peers.first != other.first);
				}
}

static void ranks_without_partner(void **state)
{
	const struct exchange shift = { .mode = EXCHANGE_SHIFT, .stride = 4 };
	const struct exchange oneway = { .mode = EXCHANGE_ONEWAY, .stride = 2 };

	(void)state;
	assert_int_equal(exchange_idle(&shift, 1), 0);
	assert_int_equal(exchange_idle(&shift, 2), 2);
	assert_int_equal(exchange_idle(&shift, 4), 4);
	assert_int_equal(exchange_idle(&shift, 5), 0);
	assert_false(exchange_wraps(&shift, 5));
	assert_false(exchange_wraps(&shift, 4));
	assert_false(exchange_wraps(&shift, 2));
	assert_true(exchange_wraps(&shift, 3));
	assert_true(exchange_wraps(&shift, 1));
	assert_false(exchange_wraps(&(struct exchange){ .mode = EXCHANGE_SHIFT, .stride = 1 }, 1));
	assert_false(exchange_wraps(&oneway, 1));
	assert_int_equal(exchange_idle(&oneway, 1), 1);
	assert_int_equal(exchange_idle(&oneway, 2), 2);
	assert_int_equal(exchange_idle(&oneway, 3), 1);
	assert_int_equal(exchange_idle(&oneway, 4), 0);
	assert_int_equal(exchange_idle(&oneway, 6), 2);
	assert_int_equal(exchange_idle(&oneway, 7), 1);
	assert_int_equal(exchange_trips(&oneway), 1);
	assert_int_equal(exchange_trips(&(struct exchange){ .mode = EXCHANGE_PINGPONG, .stride = 1 }), 2);
	assert_true(exchange_sits_out(&oneway, 3, 1));
	assert_false(exchange_sits_out(&oneway, 3, 0));
}

static void variant_is(const char *line, const char *serial, const char *name)
{
	const struct options options = parse_good(line);

	assert_string_equal(options.serial.name, serial);
	assert_string_equal(options.exchange.name, name);
}

static void names(void **state)
{
	(void)state;
	variant_is("", "", "");
	variant_is("--mode shift --stride 1", "", "");
	variant_is("--mode oneway", "oneway", "oneway");
	variant_is("--stride 2", "shift stride 2", "shift stride 2");
	variant_is("--mode bidirectional --stride 12", "bidirectional stride 12", "bidirectional stride 12");
	variant_is("--pipeline 2", "pipeline 1", "pipeline 2");
	variant_is("--mode oneway --stride 2147483647 --pipeline 16", "oneway stride 2147483647 pipeline 1",
		   "oneway stride 2147483647 pipeline 16");
}

/* Row by row 0 1 2 ... in 16 columns: the message begins with the first column. */
static void a_message_is_the_columns(void **state)
{
	uint16_t matrix[16 * 3 + 5], message[16 * 3 + 5], again[16 * 3 + 5];
	const size_t n = sizeof matrix / sizeof *matrix;

	(void)state;
	for (size_t i = 0; i < n; i++)
		matrix[i] = (uint16_t)i;
	exchange_pack(message, matrix, n, 0, n, sizeof *matrix);
	assert_int_equal(message[0], 0);
	assert_int_equal(message[1], 16);
	assert_int_equal(message[2], 32);
	assert_int_equal(message[3], 1);
	assert_int_equal(message[47], 47);
	assert_int_equal(message[46], 31);
	for (size_t i = 48; i < n; i++)
		assert_int_equal(message[i], i);
	memset(again, 0, sizeof again);
	exchange_spread(again, message, n, sizeof *matrix);
	assert_memory_equal(again, matrix, sizeof matrix);
}

static void pieces_are_the_whole(void **state)
{
	enum { MOST = 4000 };
	static const size_t sizes[] = { 1, 2, 4, 8 }, counts[] = { 1, 15, 16, 17, 31, 32, 100, 499 }, steps[] = { 1, 3, 31, 64 };
	char matrix[MOST], whole[MOST], parts[MOST];

	(void)state;
	for (size_t i = 0; i < MOST; i++)
		matrix[i] = (char)(i * 7 + i / 251);
	for (size_t s = 0; s < 4; s++)
		for (size_t c = 0; c < 8; c++)
			for (size_t k = 0; k < 4; k++) {
				const size_t size = sizes[s], count = counts[c];

				exchange_pack(whole, matrix, count, 0, count, size);
				for (size_t i = 0; i < count; i++)
					assert_memory_equal(whole + i * size, matrix + exchange_place(count, i) * size, size);
				memset(parts, 0, sizeof parts);
				for (size_t i = count - count % steps[k]; i < count + steps[k]; i -= steps[k])
					exchange_pack(parts + i * size, matrix, count, i,
						      count - i < steps[k] ? count - i : steps[k], size);
				assert_memory_equal(parts, whole, count * size);
				parts[size] = 0x55;
				exchange_pack(parts, matrix, count, 0, 1, size);
				assert_int_equal(parts[size], 0x55);
			}
}

static void sizes_of_pieces(void **state)
{
	const struct exchange two = { .buffers = 2 };

	(void)state;
	assert_int_equal(exchange_piece(1 << 20, 4), 1 << 16);
	assert_int_equal(exchange_piece((1 << 20) + 1, 4), (1 << 16) + 1);
	assert_int_equal(exchange_piece(100, 4), 1024);
	assert_int_equal(exchange_piece(100, 1), 4096);
	assert_true(exchange_staging(&two, 1 << 20) >= 2 * exchange_piece(1 << 20, 1));
	assert_true(exchange_staging(&two, 1) >= 2 * 4096);
}

static void seconds_are(int buffers, double pack, double seconds)
{
	const struct exchange exchange = { .buffers = buffers };
	/* 16 pieces of 65536 B, each 10 us + 65536 * 1 ns = 75.536 us on the way. */
	const double time = exchange_pipeline_time(&exchange, 1 << 20, 1, 10e-6, 1e-9, pack);

	if (time < seconds * (1 - 1e-12) || time > seconds * (1 + 1e-12))
		fail_msg("%d buffers: %.9g s instead of %.9g", buffers, time, seconds);
}

/* One buffer: the sum. More: the slower stage sixteen times, the other once. */
static void time_of_a_pipeline(void **state)
{
	(void)state;
	seconds_are(1, 0.5e-9, 16 * (75.536e-6 + 32.768e-6));
	seconds_are(2, 0.5e-9, 16 * 75.536e-6 + 32.768e-6);
	seconds_are(16, 0.5e-9, 16 * 75.536e-6 + 32.768e-6);
	seconds_are(2, 2e-9, 16 * 131.072e-6 + 75.536e-6);
	seconds_are(2, 0, 16 * 75.536e-6);
}

static void refused(const char *line, const char *text)
{
	struct options options;
	struct options_error error;

	assert_int_equal(parse(line, &options, &error), -1);
	if (!strstr(error.text, text))
		fail_msg("'%s': %s", line, error.text);
}

static void what_has_no_meaning_is_refused(void **state)
{
	(void)state;
	refused("--pairs --mode oneway", "--pairs: ");
	refused("--pairs --stride 2", "--pairs: ");
	refused("--mode pingpong --pipeline 1", "--pipeline: with --mode pingpong");
	parse_good("--pairs --mode shift --stride 1");
	parse_good("--mode oneway --pipeline 2");
}

static void faults_at_sizes_of_the_sweep(void **state)
{
	(void)state;
	parse_good("-b 8 -e 1K -f 2 --inject hang=1@64");
	parse_good("-b 8 -e 1K -f 2 --inject hang=1@1K");
	parse_good("-b 8 -e 1K -f 2 --inject hang=1");
	parse_good("-b 1K -e 3K -i 1K --inject delay=0:5@3K");
	refused("-b 8 -e 1K -f 2 --inject hang=1@65", "the sweep has no size 65: the nearest are 64 and 128");
	refused("-b 8 -e 1K -f 2 --inject hang=1@7", "the sweep has no size 7: the nearest is 8");
	refused("-b 8 -e 1K -f 2 --inject hang=1@1M", "the sweep has no size 1M: the nearest is 1K");
	refused("-b 8 -e 1000 -f 2 --inject hang=1@1000", "the sweep has no size 1000: the nearest is 512");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(partners),
		cmocka_unit_test(who_is_sent_to_receives),
		cmocka_unit_test(ranks_without_partner),
		cmocka_unit_test(names),
		cmocka_unit_test(a_message_is_the_columns),
		cmocka_unit_test(pieces_are_the_whole),
		cmocka_unit_test(sizes_of_pieces),
		cmocka_unit_test(time_of_a_pipeline),
		cmocka_unit_test(what_has_no_meaning_is_refused),
		cmocka_unit_test(faults_at_sizes_of_the_sweep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
