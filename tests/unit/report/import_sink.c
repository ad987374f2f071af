/* SPDX-License-Identifier: Apache-2.0
 *
 * What every format has in common: prefixes of lines, texts made harmless, rates held against size and time, rows that no reader would take.
 */
#include "import_log.h"

struct sunk {
	struct rows *rows;
	struct import_sink sink;
};

static struct sunk *sunk_new(void)
{
	struct sunk *sunk = malloc(sizeof(*sunk));

	sunk->rows = rows_new();
	assert_int_equal(sink_begin(&sunk->sink, sunk->rows, "x.log", "r1"), 0);
	return sunk;
}

static void sunk_free(struct sunk *sunk)
{
	sink_clear(&sunk->sink);
	rows_free(sunk->rows);
	free(sunk);
}

/* 1 MB in 1 ms by 4 ranks. */
static struct result plain_row(void)
{
	struct result row;

	result_clear(&row);
	row.collective = "all_reduce";
	row.backend = "mpi";
	row.nranks = 4;
	row.nnodes = 1;
	row.type = "float";
	row.redop = "sum";
	row.placement = RESULT_OUT_OF_PLACE;
	row.bytes = 1000000;
	row.time = 1e-3;
	return row;
}

static const struct result *only_row(const struct sunk *sunk)
{
	assert_int_equal(rows_count(sunk->rows), 1);
	return rows_get(sunk->rows, 0);
}

static void the_rest_is_filled_in(void **state)
{
	struct sunk *sunk = sunk_new();
	struct result row = plain_row();
	const struct result *out;

	(void)state;
	assert_int_equal(import_row(&sunk->sink, &row, NULL, 7), 0);
	out = only_row(sunk);
	assert_int_equal(out->schema, RESULT_SCHEMA);
	assert_int_equal(out->bytes_requested, 1000000);
	assert_string_equal(out->run, "r1");
	assert_string_equal(out->timing, "loop");
	assert_string_equal(out->flags, "imported");
	same_real(out->algbw, 1e9);
	same_real(out->busbw, 1.5e9);
	assert_true(isnan(row.algbw) && *row.flags == '\0');
	sunk_free(sunk);
}

static void spoilt_text(const char *text, const char *expected)
{
	struct sunk *sunk = sunk_new();
	struct result row = plain_row();

	row.type = row.library = row.timestamp = text;
	assert_int_equal(import_row(&sunk->sink, &row, NULL, 7), 0);
	assert_string_equal(only_row(sunk)->type, expected);
	assert_string_equal(only_row(sunk)->library, expected);
	assert_string_equal(only_row(sunk)->timestamp, expected);
	sunk_free(sunk);
}

static void no_text_is_a_formula(void **state)
{
	char longest[400];
	struct sunk *sunk = sunk_new();
	struct result row = plain_row();

	(void)state;
	spoilt_text("float", "float");
	spoilt_text("", "");
	spoilt_text("=1+1", "'=1+1");
	spoilt_text("+1", "'+1");
	spoilt_text("-1", "'-1");
	spoilt_text("@SUM(A1)", "'@SUM(A1)");
	spoilt_text(" \t =1", "'=1");
	spoilt_text("a=1", "a=1");
	spoilt_text("'", "'");
	spoilt_text("\t", "");
	spoilt_text("a\nb\x1b[1m\xff", "a\\x0ab\\x1b[1m\\xff");
	spoilt_text("b  ", "b");
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	row.type = longest;
	assert_int_equal(import_row(&sunk->sink, &row, NULL, 7), 0);
	assert_int_equal(strlen(only_row(sunk)->type), 200);
	assert_string_equal(only_row(sunk)->type + 197, "...");
	sunk_free(sunk);
}

/* Microseconds and GB/s, with their half units; whether they agree for a size and 4 ranks. */
static void rates(int64_t bytes, double time, double half, double algbw, double busbw, double half_rate, bool agree)
{
	struct sunk *sunk = sunk_new();
	struct result row = plain_row();
	const struct import_digits digits = { half * 1e-6, half_rate * 1e9, half_rate * 1e9 };

	row.bytes = bytes;
	row.time = time * 1e-6;
	row.algbw = algbw * 1e9;
	row.busbw = busbw * 1e9;
	assert_int_equal(import_row(&sunk->sink, &row, &digits, 7), 0);
	assert_int_equal(sunk->sink.disagree, !agree);
	assert_true(sink_is_bad(&sunk->sink) == !agree);
	assert_string_equal(only_row(sunk)->flags, agree ? "imported" : "imported rates");
	/* As the log says them. */
	same_real(only_row(sunk)->algbw, algbw * 1e9);
	sunk_free(sunk);
}

static void rates_agree_as_far_as_their_digits_go(void **state)
{
	(void)state;
	rates(1000000, 1000, 0.5, 1.00, 1.50, 0.005, true);
	rates(8, 34.66, 0.005, 0.00, 0.00, 0.005, true);
	rates(8, 34.66, 0.005, 0.01, 0.00, 0.005, false);
	rates(8, 34.66, 0.005, 0.00, 0.01, 0.005, false);
	rates(176, 34.66, 0.005, 0.01, 0.01, 0.005, true);
	/* 4000 B in 3.5 .. 4.5 us are 0.889 .. 1.143 GB/s */
	rates(4000, 4, 0.5, 1.14, 1.71, 0.005, true);
	rates(4000, 4, 0.5, 1.15, 1.50, 0.005, false);
	rates(4000, 4, 0.5, 0.89, 1.34, 0.005, true);
	rates(4000, 4, 0.5, 0.88, 1.34, 0.005, false);
	rates(4000, 4, 0.5, 1.00, 1.73, 0.005, false);
	/* A time that may be 0 allows any rate above. */
	rates(1000000, 0.4, 0.5, 99999, 99999, 0.5, true);
	rates(1000000, 1000, 0, 1, 1.5, 0, true);
	rates(1000000, 1000, 0, 1.000001, 1.5, 0, false);
	/* For another number of ranks. */
	rates(1000000, 1000, 0.5, 1.00, 1.75, 0.005, false);
	rates(1000000, 1000, 0.5, 1.00, 0.00, 0.005, false);
}

static void a_primitive_that_is_not_ours_keeps_its_rates(void **state)
{
	struct sunk *sunk = sunk_new();
	struct result row = plain_row();

	(void)state;
	row.collective = "scan";
	row.busbw = 7e9;
	assert_int_equal(import_row(&sunk->sink, &row, NULL, 7), 0);
	same_real(only_row(sunk)->busbw, 7e9);
	assert_int_equal(sunk->sink.disagree, 0);
	sunk_free(sunk);
}

static void refused(struct result row, const char *why)
{
	struct sunk *sunk = sunk_new();

	assert_int_equal(import_row(&sunk->sink, &row, NULL, 7), 0);
	assert_int_equal(rows_count(sunk->rows), 0);
	assert_int_equal(sunk->sink.skipped, 1);
	assert_int_equal(sunk->sink.shown[0].line, 7);
	assert_string_equal(sunk->sink.shown[0].why, why);
	sunk_free(sunk);
}

static void what_no_reader_takes_is_left_out(void **state)
{
	struct result row = plain_row();

	(void)state;
	row.time = 0;
	refused(row, "its time is not above 0");
	row.time = NAN;
	refused(row, "its time is not above 0");
	row = plain_row();
	row.bytes = 0;
	refused(row, "size 0: nothing was moved");
	row.bytes = RESULT_NONE;
	refused(row, "bytes is empty");
	row = plain_row();
	row.nranks = RESULT_NONE;
	refused(row, "nranks is empty");
	row = plain_row();
	row.root = 4;
	refused(row, "root is no rank");
	row = plain_row();
	row.collective = "";
	refused(row, "collective is empty");
	row = plain_row();
	row.time = INFINITY;
	refused(row, "its time is not finite");
}

static void begins(const char *line, const char *rest)
{
	size_t n = import_prefix(line, strlen(line));

	assert_string_equal(line + n, rest);
	for (size_t length = 0; length < strlen(line); length++)
		assert_true(import_prefix(line, length) <= length);
}

static void prefixes_are_taken_off(void **state)
{
	(void)state;
	begins("[1,0]<stdout>:# nThread", "# nThread");
	begins("[1,12]<stderr>:        8", "        8");
	begins("[prterun-a-7@1,0]<stdout>: # x", "# x");
	begins("[prterun-host-1234@1,0]<stdout>:# x", "# x");
	begins("[1,0]<stdout>: 8 2", "8 2");
	begins("[1,0]<stdout>:  8 2", "  8 2");
	begins("[default0]:# x", "# x");
	begins("[default0]:           8", "           8");
	begins("<rank 0> # x", "# x");
	begins("<stdout>:  8", "  8");
	begins("rank 0: # x", "# x");
	begins("Rank 11:  8 2", "  8 2");
	begins("0:# x", "# x");
	begins("0:4   1.50", "4   1.50");
	begins("12:          8", "         8");
	begins("(pid=123) # x", "# x");
	begins("\x1b[36m(worker pid=123, ip=10.0.0.1)\x1b[0m # x", "# x");
	begins("1732872896.123456 # x", "# x");
	begins("1732872896.123   8 2", "  8 2");
	begins("Nov 29 12:34:56 # x", "# x");
	begins("Nov  9 12:34:56   8 2", "  8 2");
	begins("Nov 29 12:34:56 host prog[123]: # x", "# x");
	begins("Nov 29 12:34:56 host prog:   8 2", "  8 2");
	begins("2024-05-06T09:15:42+0200 host prog[1]: # x", "# x");
	begins("Nov 29 12:34:56 1048576 262144 float", "1048576 262144 float");
	begins("[0]            8", "           8");
	begins("0: # x", "# x");
	begins(" 12:            8", "           8");
	begins("0: text", "text");
	begins("node1: # x", "# x");
	begins("gpu-a1.site.org:            8    2", "           8    2");
	begins("worker-0  | # x", "# x");
	begins("2024-05-06T09:15:42.123Z # x", "# x");
	begins("2024-05-06 09:15:42,123 [0] # x", "# x");
	begins("[2024-05-06 09:15:42] # x", "# x");
	begins("[pod/launcher-x7/nccl] # x", "# x");
	begins("09:15:42 # x", "# x");
	begins("\x1b[0;32m# x", "# x");
	begins("[0] [1,2]<stdout>:node1: # x", "# x");
	begins("2024-05-06T09:15:42+02:00 node1: \x1b[1m[0] # x", "# x");
}

static void a_line_keeps_its_own(void **state)
{
	static const char *const lines[] = { "",
					     "           8             2     float     sum",
					     "# Out of bounds values : 0 OK",
					     "WARNING: nothing",
					     "host:3442:3442 [0] NCCL INFO x",
					     "8 2 float",
					     "[",
					     "[]",
					     "[0",
					     "[0]",
					     "[0]x",
					     "[a b] x",
					     "\x1b",
					     "\x1b[",
					     "2024-05-06",
					     "09:15 # x",
					     ": # x",
					     "1.5,2",
					     "{\"size\": 8}",
					     "[1,0]<stdout> x",
					     "1732872896 4 float",
					     "1732872896 433218224 float sum",
					     "10:64 1.5",
					     "Nov 29",
					     "Nov 29 12:34",
					     "Nov 29 12:34:56",
					     "Novel 12:34:56 x",
					     "(x) 8",
					     "(pid=123",
					     "<",
					     "<> x",
					     "rank 0",
					     "rank : x",
					     "12345:3442:3450 [0] NCCL INFO x",
					     "4 1.50 1.20 1.70 1000" };

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		begins(lines[i], lines[i]);
}

static void lines_are_numbered(void **state)
{
	static const char data[] = "a\r\n\nb\0c\n\rlast";
	static const struct import_text text = { "x", data, sizeof(data) - 1 };
	static const struct {
		const char *line;
		size_t length;
	} lines[] = { { "a", 1 }, { "", 0 }, { "b\0c", 3 }, { "\rlast", 5 } };
	const char *line;
	size_t length;
	size_t number = 0;
	size_t at = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		assert_true(import_next_line(&text, &at, &line, &length, &number));
		assert_int_equal(number, i + 1);
		assert_int_equal(length, lines[i].length);
		assert_memory_equal(line, lines[i].line, length);
	}
	assert_false(import_next_line(&text, &at, &line, &length, &number));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rest_is_filled_in),
		cmocka_unit_test(no_text_is_a_formula),
		cmocka_unit_test(rates_agree_as_far_as_their_digits_go),
		cmocka_unit_test(a_primitive_that_is_not_ours_keeps_its_rates),
		cmocka_unit_test(what_no_reader_takes_is_left_out),
		cmocka_unit_test(prefixes_are_taken_off),
		cmocka_unit_test(a_line_keeps_its_own),
		cmocka_unit_test(lines_are_numbered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
