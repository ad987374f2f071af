/* SPDX-License-Identifier: Apache-2.0
 *
 * `collperf import`: each file is read by the format that knows it, and all rows go to one CSV.
 */
#include "import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../report.h"
#include "../text.h"
#include "../writer.h"
#include "load.h"
#include "nccl_log.h"
#include "options.h"
#include "recognise.h"
#include "sink.h"

enum { EXIT_OK = 0, EXIT_BAD = 1, EXIT_USAGE = 2, EXIT_IO = 3 };

/* What became of all files. */
struct outcome {
	struct rows *rows;
	bool bad;
	bool failed;
};

static int refuse(const char *name, const char *why)
{
	char shown[300];

	fprintf(stderr, "collperf import: %s: %s\n", text_escape(name, shown, sizeof(shown)), why);
	return -1;
}

/* As it was given: files of the same name in different folders are different runs, also when they are imported one by one. */
static const char *run_name(const struct import_command *command, size_t input)
{
	if (command->options.run)
		return command->options.run;
	return strcmp(command->inputs[input], "-") == 0 ? "stdin" : command->inputs[input];
}

static const char cr_alone[] = "line ends are CR alone: convert them to LF first";

static const char *why_unknown(const struct import_text *text)
{
	if (import_is_cr_alone(text))
		return cr_alone;
	if (text->size > IMPORT_LOOK_AT)
		return "is of no format that is known by its first 64 MiB; say which with --from, see 'collperf import --help'";
	return "is of no format that is known; see --from in 'collperf import --help'";
}

static int read_rows(const struct import_text *text, const struct import_options *options, const char *run,
		     struct outcome *outcome)
{
	const struct import_format *format = options->from ? import_format_find(options->from) : import_recognise(text);
	struct import_sink sink;
	int rc = -1;

	if (!format)
		return refuse(text->name, why_unknown(text));
	if (sink_begin(&sink, outcome->rows, text->name, run) == 0) {
		rc = format->read(text, options, &sink);
		sink_tell(&sink, stderr, text->name, format->name);
		if (rc == 0 && sink_count(&sink) == 0)
			rc = refuse(text->name, import_is_cr_alone(text) ? cr_alone : "no row could be read");
		outcome->bad |= sink_is_bad(&sink);
	}
	sink_clear(&sink);
	return rc;
}

static void import_file(const struct import_command *command, size_t input, struct outcome *outcome)
{
	struct import_text text;
	char *memory;

	if (load_text(command->inputs[input], &text, &memory) != 0) {
		outcome->failed = true;
		return;
	}
	if (read_rows(&text, &command->options, run_name(command, input), outcome) != 0)
		outcome->failed = true;
	free(memory);
}

/* Where a row stands: `point` of the `points` rows of its run and collective. */
struct place {
	const struct result *row;
	size_t index;
	int64_t point;
	int64_t points;
};

/* Texts of one pool are equal when their addresses are; which comes first does not matter. */
static int by_sweep(const void *one, const void *other)
{
	const struct place *a = one;
	const struct place *b = other;

	if (a->row->run != b->row->run)
		return (uintptr_t)a->row->run < (uintptr_t)b->row->run ? -1 : 1;
	if (a->row->collective != b->row->collective)
		return (uintptr_t)a->row->collective < (uintptr_t)b->row->collective ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static int by_index(const void *one, const void *other)
{
	const struct place *a = one;
	const struct place *b = other;

	return a->index < b->index ? -1 : a->index > b->index;
}

static void number(struct place *places, size_t count)
{
	qsort(places, count, sizeof(*places), by_sweep);
	for (size_t first = 0, end; first < count; first = end) {
		for (end = first; end < count && places[end].row->run == places[first].row->run &&
				  places[end].row->collective == places[first].row->collective;
		     end++)
			places[end].point = (int64_t)(end - first + 1);
		for (size_t i = first; i < end; i++)
			places[i].points = (int64_t)(end - first);
	}
	qsort(places, count, sizeof(*places), by_index);
}

static int write_to(void *state, const struct rows *rows)
{
	size_t count = rows_count(rows);
	struct place *places = calloc(count, sizeof(*places));
	int rc = 0;

	if (!places) {
		fputs("collperf import: out of memory\n", stderr);
		return -1;
	}
	for (size_t i = 0; i < count; i++)
		places[i] = (struct place){ .row = rows_get(rows, i), .index = i };
	number(places, count);
	for (size_t i = 0; i < count && rc == 0; i++) {
		struct result row = *places[i].row;

		row.point = places[i].point;
		row.points = places[i].points;
		rc = writer_csv.row(state, &row);
	}
	free(places);
	return rc;
}

static int write_rows(const char *path, const struct rows *rows)
{
	const struct run_info info = { .program = "collperf import" };
	const struct run_summary summary = { .complete = true, .why = "" };
	void *state;
	int rc;

	if (writer_csv.begin(&info, path, &state) != 0)
		return -1;
	rc = write_to(state, rows);
	return writer_csv.end(state, &summary) != 0 ? -1 : rc;
}

/* Writing over a log would lose it. */
static bool output_is_input(const struct import_command *command)
{
	struct stat output;
	struct stat input;

	if (strcmp(command->output, "-") == 0 || stat(command->output, &output) != 0 || !S_ISREG(output.st_mode))
		return false;
	for (size_t i = 0; i < command->ninputs; i++)
		if (stat(command->inputs[i], &input) == 0 && input.st_dev == output.st_dev && input.st_ino == output.st_ino)
			return true;
	return false;
}

static int import_all(const struct import_command *command, struct outcome *outcome)
{
	for (size_t i = 0; i < command->ninputs; i++)
		import_file(command, i, outcome);
	if (rows_count(outcome->rows) == 0)
		return EXIT_IO;
	if (write_rows(command->output, outcome->rows) != 0 || outcome->failed)
		return EXIT_IO;
	return outcome->bad ? EXIT_BAD : EXIT_OK;
}

int import_main(int argc, char **argv)
{
	struct import_command command;
	struct outcome outcome = { 0 };
	int rc = EXIT_IO;

	if (import_options_parse(argc, argv, &command) != 0)
		return EXIT_USAGE;
	if (command.help) {
		import_options_help();
		return EXIT_OK;
	}
	if (output_is_input(&command)) {
		refuse(command.output, "is one of the logs; it would be lost");
		return EXIT_USAGE;
	}
	if (command.nccl_log)
		return nccl_log_summary(&command);
	outcome.rows = rows_new();
	if (outcome.rows)
		rc = import_all(&command, &outcome);
	else
		fputs("collperf import: out of memory\n", stderr);
	rows_free(outcome.rows);
	return rc;
}
