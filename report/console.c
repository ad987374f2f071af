/* SPDX-License-Identifier: Apache-2.0
 *
 * nccl-tests' table, so that scripts made for it read ours: both placements of a point in one line, its widths and its roundings.
 * Where a number is wider than its column, the columns to its right give up blanks, so that rows stay aligned as long as they can.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "output.h"
#include "text.h"
#include "writer.h"

enum { TIME_WIDTH = 7, BANDWIDTH_WIDTH = 6 };

struct line {
	char text[512];
	size_t length;
	size_t end; /* of the last cell, had all of them fitted */
};

/* What two rows share that are the two halves of one line, beside the cells that the line starts with. */
struct half {
	struct line line; /* the whole left half */
	size_t start;     /* length of the cells that both halves share */
	int64_t bytes_requested;
	int64_t nranks;
	char *group;
	char timestamp[40];
};

struct console {
	struct output output;
	const struct run_info *info;
	struct tally tally;
	struct half left; /* waits for its in-place half; group is NULL when there is none */
};

/* The next cell, right-aligned; `width` counts from the end of the cell before. */
static void cell(struct line *line, size_t width, const char *text)
{
	size_t length = strlen(text);
	size_t pad = line->length > 0;

	line->end += width;
	if (line->end > line->length + length + pad)
		pad = line->end - line->length - length;
	if (pad + length >= sizeof(line->text) - line->length)
		return;
	memset(line->text + line->length, ' ', pad);
	memcpy(line->text + line->length + pad, text, length + 1);
	line->length += pad + length;
}

static void integer_cell(struct line *line, size_t width, int64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, value);
	cell(line, width, text);
}

/* As many decimals, up to two, as the width has room for; else with an exponent. */
static void number_cell(struct line *line, int width, double value)
{
	char text[400];

	if (!isfinite(value)) {
		cell(line, (size_t)width + 2, "n/a");
		return;
	}
	for (int decimals = 2; decimals >= 0; decimals--) {
		if (snprintf(text, sizeof(text), "%.*f", decimals, value) <= width) {
			cell(line, (size_t)width + 2, text);
			return;
		}
	}
	snprintf(text, sizeof(text), "%.*e", width >= TIME_WIDTH, value);
	cell(line, (size_t)width + 2, text);
}

static void point_cells(struct line *line, const struct result *result)
{
	char type[32];
	char redop[32];

	integer_cell(line, 12, result->bytes);
	integer_cell(line, 14, result->count);
	cell(line, 10, text_escape(result->type, type, sizeof(type)));
	cell(line, 8, result->redop[0] ? text_escape(result->redop, redop, sizeof(redop)) : "none");
	integer_cell(line, 8, result->root == RESULT_NONE ? -1 : result->root);
}

static void placement_cells(struct line *line, const struct result *result)
{
	char wrong[24];

	number_cell(line, TIME_WIDTH, result->time * 1e6);
	number_cell(line, BANDWIDTH_WIDTH, result->algbw * 1e-9);
	number_cell(line, BANDWIDTH_WIDTH, result->busbw * 1e-9);
	if (result->wrong == RESULT_NONE) {
		/* One narrower than a count, as in nccl-tests. */
		cell(line, 7, "N/A");
		return;
	}
	snprintf(wrong, sizeof(wrong), "%g", (double)result->wrong);
	cell(line, 8, wrong);
}

static void missing_cells(struct line *line)
{
	static const size_t widths[] = { 9, 8, 8, 8 };

	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++)
		cell(line, widths[i], "N/A");
}

static int print_row(struct console *console, const struct line *line, const char *timestamp)
{
	fputs(line->text, console->output.file);
	if (console->info->timestamps)
		fprintf(console->output.file, " %24s", timestamp);
	fputc('\n', console->output.file);
	return output_flush(&console->output);
}

/* Prints the left half that waits, if any, without a right one. */
static int print_left(struct console *console)
{
	if (!console->left.group)
		return 0;
	missing_cells(&console->left.line);
	free(console->left.group);
	console->left.group = NULL;
	return print_row(console, &console->left.line, console->left.timestamp);
}

static bool belongs(const struct half *left, const struct line *right, const struct result *result)
{
	return left->group && strcmp(left->group, result->group) == 0 && left->bytes_requested == result->bytes_requested &&
	       left->nranks == result->nranks && left->start == right->length &&
	       memcmp(left->line.text, right->text, right->length) == 0;
}

static int out_of_place_row(struct console *console, const struct line *line, const struct result *result)
{
	struct half *left = &console->left;

	if (print_left(console) != 0)
		return -1;
	left->group = strdup(result->group);
	if (!left->group)
		return output_error(console->info->program, console->output.path, "out of memory");
	left->line = *line;
	left->start = line->length;
	left->bytes_requested = result->bytes_requested;
	left->nranks = result->nranks;
	text_escape(result->timestamp, left->timestamp, sizeof(left->timestamp));
	placement_cells(&left->line, result);
	return 0;
}

static int in_place_row(struct console *console, struct line *line, const struct result *result)
{
	char timestamp[40];

	if (belongs(&console->left, line, result)) {
		*line = console->left.line;
		free(console->left.group);
		console->left.group = NULL;
	} else {
		if (print_left(console) != 0)
			return -1;
		missing_cells(line);
	}
	placement_cells(line, result);
	return print_row(console, line, text_escape(result->timestamp, timestamp, sizeof(timestamp)));
}

static int row(void *state, const struct result *result)
{
	struct console *console = state;
	struct line line = { .length = 0 };

	tally_add(&console->tally, result);
	point_cells(&line, result);
	if (strcmp(result->placement, RESULT_IN_PLACE) == 0)
		return in_place_row(console, &line, result);
	return out_of_place_row(console, &line, result);
}

static void print_header(FILE *file, bool timestamps)
{
	fprintf(file, "#%54sout-of-place%23sin-place%10s\n", "", "", "");
	fprintf(file, "#%11s%14s%10s%8s%8s", "size", "count", "type", "redop", "root");
	for (int i = 0; i < 2; i++)
		fprintf(file, "%9s%8s%8s%8s", "time", "algbw", "busbw", "#wrong");
	fprintf(file, " %s\n", timestamps ? "               timestamp" : "");
	fprintf(file, "#%11s%14s%10s%8s%8s", "(B)", "(elements)", "", "", "");
	for (int i = 0; i < 2; i++)
		fprintf(file, "%9s%8s%8s%*s", "(us)", "(GB/s)", "(GB/s)", i ? 7 : 8, "");
	fprintf(file, "  %s\n", timestamps ? "                   (UTC)" : "");
}

static int begin(const struct run_info *info, const char *path, void **state)
{
	struct console *console = calloc(1, sizeof(*console));

	if (!console)
		return output_error(info->program, path, "out of memory");
	if (output_open(&console->output, info->program, path) != 0) {
		free(console);
		return -1;
	}
	console->info = info;
	tally_clear(&console->tally);
	context_begin(console->output.file, info);
	print_header(console->output.file, info->timestamps);
	if (output_flush(&console->output) != 0) {
		output_close(&console->output);
		free(console);
		return -1;
	}
	*state = console;
	return 0;
}

static int end(void *state, const struct run_summary *summary)
{
	struct console *console = state;
	int rc = print_left(console);

	context_end(console->output.file, console->info, &console->tally, summary);
	if (output_close(&console->output) != 0)
		rc = -1;
	free(console);
	return rc;
}

const struct writer_ops writer_console = {
	.name = "nccl",
	.summary = "nccl-tests' table: both placements in a line",
	.begin = begin,
	.row = row,
	.end = end,
};
