/* SPDX-License-Identifier: Apache-2.0
 *
 * The same table as launchers, terminals and NCCL's own lines leave it: the rows must be those of the clean log, or be left out and named.
 */
#include "import_log.h"

#define FRONT                                                                                                              \
	"# nThread 1 nGpus 2 minBytes 8 maxBytes 64 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 " \
	"graph: 0\n"                                                                                                       \
	"# Collective test starting: all_reduce_perf\n"                                                                    \
	"#  Rank  0 Group  0 Pid  1 on node1 device  0 x\n#  Rank  1 Group  0 Pid  1 on node1 device  1 x\n"               \
	"#    out-of-place     in-place\n#  size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n"
#define LEFT "   4000000     1000000     float     sum      -1"
#define MIDDLE "   1000.0    4.00    4.00       0"
#define RIGHT "   2000.0    2.00    2.00       0"
#define FOOT "# Out of bounds values : 0 OK\n"
#define INFO "node1:3442:3450 [0] NCCL INFO Launch mode Parallel"
#define FOREIGN "node2:3442:3450 [0] NCCL INFO Launch mode Parallel"

static const struct import_options none = { 0 };

static void same_text(const char *a, const char *b)
{
	assert_string_equal(a, b);
}

static void same_rows(const struct log *log, const struct log *clean)
{
	assert_int_equal(log->rc, 0);
	assert_int_equal(rows_count(log->rows), rows_count(clean->rows));
	for (size_t i = 0; i < rows_count(clean->rows); i++) {
		const struct result *row = rows_get(log->rows, i);
		const struct result *other = rows_get(clean->rows, i);

		same_text(row->collective, other->collective);
		same_text(row->type, other->type);
		same_text(row->redop, other->redop);
		same_text(row->placement, other->placement);
		same_text(row->flags, other->flags);
		assert_true(row->bytes == other->bytes && row->count == other->count && row->nranks == other->nranks);
		assert_true(row->nnodes == other->nnodes && row->wrong == other->wrong && row->iters == other->iters);
		assert_true(row->time == other->time && row->algbw == other->algbw && row->busbw == other->busbw);
	}
}

/* The clean log with something done to each line. `number` counts lines from 0. */
static void survives(void (*spoil)(FILE *, const char *line, int number), size_t skipped)
{
	char *data = sample_read("tests/data/import/nccl_modern.log");
	struct log clean = log_read(&import_nccl_text, data, none);
	char *spoilt;
	size_t size;
	FILE *file = open_memstream(&spoilt, &size);
	char *save;
	int number = 0;
	struct log log;

	for (char *line = strtok_r(data, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		spoil(file, line, number++);
	fclose(file);
	log = log_bytes(&import_nccl_text, spoilt, size, none);
	same_rows(&log, &clean);
	assert_int_equal(log.sink.skipped, skipped);
	assert_true(import_nccl_text.recognise(&(struct import_text){ "x", spoilt, size }) >= 90);
	log_free(&log);
	log_free(&clean);
	free(spoilt);
	free(data);
}

static void with_tags(FILE *file, const char *line, int number)
{
	(void)number;
	fprintf(file, "[1,0]<stdout>:%s\n", line);
}

static void with_ranks(FILE *file, const char *line, int number)
{
	fprintf(file, "%s%s\n", number % 3 ? "[0] " : "  0: ", line);
}

static void with_everything(FILE *file, const char *line, int number)
{
	fprintf(file, "2025-03-04T05:06:07.1234567Z \x1b[0;32m[1,0]<stdout>:\x1b[0m%s\x1b[K\r\n", line);
	if (number % 2)
		fputs("2025-03-04T05:06:07.1234567Z [1,3]<stderr>:" FOREIGN "\r\n", file);
}

static void with_hosts(FILE *file, const char *line, int number)
{
	fprintf(file, "%s%s\n", number % 2 ? "gpu-a1: " : "worker-0  | ", line);
}

/* A tag for each line: "[default0]:", "(pid=123) " and so on. */
static void with_others(FILE *file, const char *line, int number)
{
	static const char *const tags[] = {
		"[default0]:", "[1,0]<stdout>: ", "[prterun-host-1@1,0]<stdout>:",    "<rank 0> ",         "rank 0: ",
		"0:",          "(pid=123) ",      "Nov 29 12:34:56 host prog[123]: ", "1732872896.123456 "
	};

	fprintf(file, "%s%s\n", tags[(size_t)number % (sizeof(tags) / sizeof(tags[0]))], line);
}

static void with_info_between(FILE *file, const char *line, int number)
{
	if (number > 0)
		fputs(INFO "\n" FOREIGN "\n\nnode1:3442:3450 [1] transport/net.cc:120 NCCL WARN it is slow\n", file);
	fprintf(file, "%s\n", line);
}

/* A tag with each piece that the program wrote. */
static void with_tags_inside(FILE *file, const char *line, int number)
{
	const char *cut = line[0] != '#' && strlen(line) > 100 ? strstr(line, "-1") : NULL;

	(void)number;
	if (cut)
		fprintf(file, "[1,0]<stdout>:%.*s[1,0]<stdout>:%s\n", (int)(cut + 2 - line), line, cut + 2);
	else
		fprintf(file, "[1,0]<stdout>:%s\n", line);
}

static void with_rank_inside(FILE *file, const char *line, int number)
{
	const char *cut = line[0] != '#' && strlen(line) > 100 ? strstr(line, "-1") : NULL;

	if (cut && number % 2)
		fprintf(file, "[0] %.*s [0] %s\n", (int)(cut + 2 - line), line, cut + 2);
	else if (cut)
		fprintf(file, "%.*s [0] %s\n", (int)(cut + 2 - line), line, cut + 2);
	else
		fprintf(file, "%s\n", line);
}

static void with_label_inside(FILE *file, const char *line, int number)
{
	const char *cut = line[0] != '#' && strlen(line) > 100 ? strstr(line, "-1") : NULL;

	if (cut)
		fprintf(file, "  %d: %.*s %d: %s\n", number, (int)(cut + 2 - line), line, number, cut + 2);
	else
		fprintf(file, "  0: %s\n", line);
}

/* Colours, and devices as old versions print them. */
static void with_brackets(FILE *file, const char *line, int number)
{
	const char *bus = strstr(line, "[0000:");

	(void)number;
	if (bus)
		fprintf(file, "[1,0]<stdout>:%.*s\x1b[1m[0x0f] %s\x1b[K\n", (int)(bus - line), line, bus + 15);
	else
		fprintf(file, "[1,0]<stdout>:%s\x1b[K\n", line);
}

static void with_info_inside(FILE *file, const char *line, int number)
{
	const char *cut = line[0] != '#' && strlen(line) > 100 ? strstr(line, "-1") : NULL;

	if (cut && number % 2)
		fprintf(file, "%.*sgpu-a1:3101:3150 [0] NCCL INFO Launch mode\ngpu-a2:8801:8850 [1] NCCL INFO more\n%s\n",
			(int)(cut + 2 - line), line, cut + 2);
	else if (cut)
		fprintf(file, "%sgpu-a1:3101:3150 [0] NCCL INFO Launch mode\n\n", line);
	else
		fprintf(file, "%s\n", line);
}

static void with_chatter(FILE *file, const char *line, int number)
{
	fprintf(file, "%s\n", line);
	if (number == 14)
		fputs("Warning: Permanently added 'gpu-a2' to the list of known hosts.\n", file);
}

static void tables_survive_their_logs(void **state)
{
	(void)state;
	survives(with_tags, 0);
	survives(with_ranks, 0);
	survives(with_everything, 0);
	survives(with_hosts, 0);
	survives(with_others, 0);
	survives(with_info_between, 0);
	survives(with_tags_inside, 0);
	survives(with_rank_inside, 0);
	survives(with_label_inside, 0);
	survives(with_brackets, 0);
	survives(with_info_inside, 0);
	survives(with_chatter, 1);
}

/* `nrows` rows are read; with `why`, line 7 is left out for it. */
static void reads(const char *body, size_t nrows, const char *why)
{
	char text[3000];
	struct log log;

	snprintf(text, sizeof(text), FRONT "%s", body);
	log = log_read(&import_nccl_text, text, none);
	assert_int_equal(log.rc, 0);
	assert_int_equal(rows_count(log.rows), nrows);
	if (why)
		has_skip(&log, 0, 7, why);
	else
		assert_int_equal(log.sink.skipped, 0);
	log_free(&log);
}

#define CUT "a row that another line cut in two"

static void halves_are_joined_where_it_is_certain(void **state)
{
	(void)state;
	reads(LEFT MIDDLE RIGHT "\n" FOOT, 2, NULL);
	reads(LEFT INFO "\n" MIDDLE RIGHT "\n" FOOT, 2, NULL);
	reads(LEFT MIDDLE INFO "\n" RIGHT "\n" FOOT, 2, NULL);
	reads(LEFT INFO "\n" MIDDLE INFO "\n" RIGHT "\n" FOOT, 2, NULL);
	reads(LEFT MIDDLE RIGHT INFO "\n" FOOT, 2, NULL);
	reads(LEFT MIDDLE RIGHT INFO "\n" LEFT MIDDLE RIGHT "\n" FOOT, 4, NULL);
	/* A host that is no rank's: where its name begins is not known. */
	reads(LEFT FOREIGN "\n" MIDDLE RIGHT "\n" FOOT, 0, "a row and a line of NCCL in one");
	reads(LEFT " " FOREIGN "\n" MIDDLE RIGHT "\n" FOOT, 0, "a row and a line of NCCL in one");
	/* Cut in a figure: 74.78 may have been 74.7 and 8. */
	reads(LEFT "   1000" INFO "\n.0    4.00    4.00       0" RIGHT "\n" FOOT, 0, CUT);
	reads(LEFT "   1000." INFO "\n0    4.00    4.00       0" RIGHT "\n" FOOT, 0, CUT);
	reads(LEFT MIDDLE "   2000.0    2.00    2.00       1" INFO "\n2\n" FOOT, 0, CUT);
	/* What belongs to it was lost. */
	reads(LEFT MIDDLE INFO "\n" FOOT, 0, CUT);
	reads(LEFT INFO "\n" LEFT MIDDLE RIGHT "\n" FOOT, 2, CUT);
	reads(LEFT INFO "\n" RIGHT "\n" FOOT, 0, CUT);
}

static void what_is_cut_or_mixed_is_left_out(void **state)
{
	(void)state;
	/* In place was not reached, or it alone was measured. */
	reads(LEFT MIDDLE "\n" FOOT, 1, NULL);
	reads(LEFT "                                " RIGHT "\n" FOOT, 1, NULL);
	reads(LEFT MIDDLE "   2000.0    2.00    2.0", 0, "its columns are not those of the header");
	reads(LEFT "   1000.0    4.00    4.00\n" FOOT, 0, "its columns are not those of the header");
	reads(LEFT MIDDLE RIGHT MIDDLE "\n" FOOT, 0, "its columns are not those of the header");
	reads(LEFT MIDDLE LEFT MIDDLE RIGHT RIGHT "\n" FOOT, 0, "its columns are not those of the header");
	reads("[1,0]<stdout>:" LEFT MIDDLE "[1,4]<stdout>:" RIGHT "\n" FOOT, 0, "lines of two processes in one");
	reads("Traceback (most recent call last):\n" FOOT, 0, "no row: 'Traceback (most recent call last):'");
	reads(LEFT "   1000.0    0x4    4.00       0" RIGHT "\n" FOOT, 0, "its columns are not those of the header");
	reads("   99999999999999999999     1000000     float     sum      -1" MIDDLE RIGHT "\n" FOOT, 0,
	      "no row: '99999999999999999999     1000000     float     s'");
	reads(LEFT "   nan    4.00    4.00       0" RIGHT "\n" FOOT, 1, "its time is not above 0");
	reads(LEFT "   0.00    inf    inf       0" RIGHT "\n" FOOT, 1, "its time is not above 0");
}

static void a_half_is_of_its_placement(void **state)
{
	struct log log = log_read(&import_nccl_text, FRONT LEFT "                                " RIGHT "\n" FOOT, none);

	(void)state;
	assert_string_equal(rows_get(log.rows, 0)->placement, RESULT_IN_PLACE);
	log_free(&log);
	log = log_read(&import_nccl_text, FRONT LEFT MIDDLE "\n" FOOT, none);
	assert_string_equal(rows_get(log.rows, 0)->placement, RESULT_OUT_OF_PLACE);
	log_free(&log);
}

static void long_lines_are_left_out(void **state)
{
	size_t head = strlen(FRONT);
	char *text = malloc(head + IMPORT_MOST_LINE + 2);
	struct log log;

	(void)state;
	memcpy(text, FRONT, head);
	memset(text + head, '7', IMPORT_MOST_LINE + 1);
	text[head + IMPORT_MOST_LINE + 1] = '\0';
	log = log_read(&import_nccl_text, text, none);
	has_skip(&log, 0, 7, "a line of more than 1 MiB");
	log_free(&log);
	for (size_t i = 1; i < IMPORT_MOST_LINE; i += 2)
		text[head + i] = ' ';
	text[head + IMPORT_MOST_LINE] = '\0';
	log = log_read(&import_nccl_text, text, none);
	has_skip(&log, 0, 7, "its columns are not those of the header");
	log_free(&log);
	free(text);
}

static void skips_are_counted_when_they_are_many(void **state)
{
	char text[8000] = FRONT;
	struct log log;

	(void)state;
	for (int i = 0; i < 60; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "chatter %d\n", i / 2);
	log = log_read(&import_nccl_text, text, none);
	assert_int_equal(log.sink.skipped, 60);
	assert_int_equal(log.sink.nshown, IMPORT_SHOWN_SKIPS);
	assert_int_equal(log.sink.unshown, 20);
	assert_int_equal(log.sink.shown[1].line, 9);
	assert_int_equal(log.sink.shown[1].last, 10);
	log_free(&log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_survive_their_logs),        cmocka_unit_test(halves_are_joined_where_it_is_certain),
		cmocka_unit_test(what_is_cut_or_mixed_is_left_out), cmocka_unit_test(a_half_is_of_its_placement),
		cmocka_unit_test(long_lines_are_left_out),          cmocka_unit_test(skips_are_counted_when_they_are_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
