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

/* A line whose left half waits for its right one: what two rows share beside the cells that the line starts with. */
struct half {
	struct line line; /* the whole left half */
	size_t start;     /* length of the cells that both halves share */
	int64_t bytes_requested;
	int64_t nranks;
	char group[24];
	char variant[64];
	char timestamp[40];
};

enum { SPREAD_CELLS = 4, VARIANT_WIDTH = 24 };

struct console {
	struct output output;
	const struct run_info *info;
	struct tally tally;
	struct half *left; /* [groups] of one point, in the order of rows; the first `waiting` wait from `first` on */
	size_t first, waiting, capacity;
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
	cell(line, 10, result->type[0] ? text_escape(result->type, type, sizeof(type)) : "none");
	cell(line, 8, result->redop[0] ? text_escape(result->redop, redop, sizeof(redop)) : "none");
	integer_cell(line, 8, result->root == RESULT_NONE ? -1 : result->root);
}

/* -I: least, most, 99th percentile and coefficient of variation of single calls. */
static void spread_cells(struct line *line, const struct result *result)
{
	number_cell(line, TIME_WIDTH, result->time_min * 1e6);
	number_cell(line, TIME_WIDTH, result->time_max * 1e6);
	number_cell(line, TIME_WIDTH, result->time_p99 * 1e6);
	number_cell(line, BANDWIDTH_WIDTH, result->time_mean > 0 ? result->time_stddev / result->time_mean * 100 : NAN);
}

static void placement_cells(struct line *line, const struct run_info *info, const struct result *result)
{
	char wrong[24];

	number_cell(line, TIME_WIDTH, (info->cpu_time ? result->enqueue : result->time) * 1e6);
	number_cell(line, BANDWIDTH_WIDTH, result->algbw * 1e-9);
	number_cell(line, BANDWIDTH_WIDTH, result->busbw * 1e-9);
	snprintf(wrong, sizeof(wrong), "%g", (double)result->wrong);
	/* N/A is one narrower than a count, as in nccl-tests. */
	cell(line, result->wrong == RESULT_NONE ? 7 : 8, result->wrong == RESULT_NONE ? "N/A" : wrong);
	if (info->per_iter)
		spread_cells(line, result);
}

static void missing_cells(struct line *line, const struct run_info *info)
{
	static const size_t widths[] = { 9, 8, 8, 8, 9, 9, 9, 8 };
	const size_t count = sizeof(widths) / sizeof(widths[0]) - (info->per_iter ? 0 : SPREAD_CELLS);

	for (size_t i = 0; i < count; i++)
		cell(line, widths[i], "N/A");
}

static int print_row(struct console *console, const struct line *line, const char *group, const char *variant,
		     const char *timestamp)
{
	fputs(line->text, console->output.file);
	if (console->info->ngroups > 1)
		fprintf(console->output.file, "  %6s", group);
	if (console->info->variants)
		fprintf(console->output.file, "  %-*s", VARIANT_WIDTH, *variant ? variant : "-");
	if (console->info->timestamps)
		fprintf(console->output.file, " %24s", timestamp);
	fputc('\n', console->output.file);
	return output_flush(&console->output);
}

/* Prints the left half that waits longest without a right one. */
static int print_left(struct console *console)
{
	struct half *left = &console->left[console->first++];

	console->waiting--;
	missing_cells(&left->line, console->info);
	return print_row(console, &left->line, left->group, left->variant, left->timestamp);
}

static int print_waiting(struct console *console)
{
	while (console->waiting > 0)
		if (print_left(console) != 0)
			return -1;
	return 0;
}

/* Without the blanks by which awk would take it for several cells. */
static const char *variant_of(const struct result *result, char *buffer, size_t size)
{
	text_escape(result->variant, buffer, size);
	for (char *blank = strchr(buffer, ' '); blank; blank = strchr(blank, ' '))
		*blank = '_';
	return buffer;
}

/* Whether the half stands to the left of this row. */
static bool belongs(const struct half *left, const struct line *right, const char *group, const struct result *result)
{
	char variant[sizeof left->variant];

	return strcmp(left->group, group) == 0 && strcmp(left->variant, variant_of(result, variant, sizeof variant)) == 0 &&
	       left->bytes_requested == result->bytes_requested && left->nranks == result->nranks &&
	       left->start == right->length && memcmp(left->line.text, right->text, right->length) == 0;
}

static bool is_one_point(const struct half *a, const struct result *b, const char *group)
{
	return a->bytes_requested == b->bytes_requested && strcmp(a->group, group) != 0;
}

/* Rows of several groups come out of place first, then in place: as many halves wait as there are groups. */
static struct half *new_half(struct console *console, const struct result *result, const char *group)
{
	const struct half *last = console->waiting > 0 ? &console->left[console->first + console->waiting - 1] : NULL;

	if ((last && !is_one_point(last, result, group)) || console->waiting == console->capacity)
		if (print_waiting(console) != 0)
			return NULL;
	if (console->waiting == 0)
		console->first = 0;
	return &console->left[console->first + console->waiting++];
}

static int out_of_place_row(struct console *console, const struct line *line, const struct result *result, const char *group)
{
	struct half *left = new_half(console, result, group);

	if (!left)
		return -1;
	*left = (struct half){
		.line = *line, .start = line->length, .bytes_requested = result->bytes_requested, .nranks = result->nranks
	};
	snprintf(left->group, sizeof(left->group), "%s", group);
	variant_of(result, left->variant, sizeof(left->variant));
	text_escape(result->timestamp, left->timestamp, sizeof(left->timestamp));
	placement_cells(&left->line, console->info, result);
	return 0;
}

static int in_place_row(struct console *console, struct line *line, const struct result *result, const char *group)
{
	char timestamp[40], variant[64];

	while (console->waiting > 0 && !belongs(&console->left[console->first], line, group, result))
		if (print_left(console) != 0)
			return -1;
	if (console->waiting > 0) {
		*line = console->left[console->first++].line;
		console->waiting--;
	} else {
		missing_cells(line, console->info);
	}
	placement_cells(line, console->info, result);
	return print_row(console, line, group, variant_of(result, variant, sizeof(variant)),
			 text_escape(result->timestamp, timestamp, sizeof(timestamp)));
}

static int row(void *state, const struct result *result)
{
	struct console *console = state;
	struct line line = { .length = 0 };
	char group[24];

	text_escape(result->group, group, sizeof(group));
	tally_add(&console->tally, result);
	point_cells(&line, result);
	if (strcmp(result->placement, RESULT_IN_PLACE) == 0)
		return in_place_row(console, &line, result, group);
	return out_of_place_row(console, &line, result, group);
}

static void print_header(FILE *file, const struct run_info *info)
{
	const int spread = info->per_iter ? 35 : 0;
	char variant[VARIANT_WIDTH + 3];

	snprintf(variant, sizeof(variant), "%s%-*s", info->ngroups > 1 ? "  " : " ", VARIANT_WIDTH, "variant");
	fprintf(file, "#%54sout-of-place%*sin-place%*s\n", "", 23 + spread, "", 10 + spread, "");
	fprintf(file, "#%11s%14s%10s%8s%8s", "size", "count", "type", "redop", "root");
	for (int i = 0; i < 2; i++) {
		fprintf(file, "%9s%8s%8s%8s", info->cpu_time ? "cputime" : "time", "algbw", "busbw", "#wrong");
		if (info->per_iter)
			fprintf(file, "%9s%9s%9s%8s", "i_min", "i_max", "i_p99", "i_cv%");
	}
	fprintf(file, " %s%s%s\n", info->ngroups > 1 ? "  group" : "", info->variants ? variant : "",
		info->timestamps ? "               timestamp" : "");
	fprintf(file, "#%11s%14s%10s%8s%8s", "(B)", "(elements)", "", "", "");
	for (int i = 0; i < 2; i++) {
		fprintf(file, "%9s%8s%8s%*s", "(us)", "(GB/s)", "(GB/s)", i && !info->per_iter ? 7 : 8, "");
		if (info->per_iter)
			fprintf(file, "%9s%9s%9s%8s", "(us)", "(us)", "(us)", "(%)");
	}
	snprintf(variant, sizeof(variant), "%*s", VARIANT_WIDTH + (info->ngroups > 1 ? 2 : 1), "");
	fprintf(file, "  %s%s%s\n", info->ngroups > 1 ? "       " : "", info->variants ? variant : "",
		info->timestamps ? "                   (UTC)" : "");
}

static void close_console(struct console *console)
{
	free(console->left);
	free(console);
}

static int begin(const struct run_info *info, const char *path, void **state)
{
	struct console *console = calloc(1, sizeof(*console));

	if (console) {
		console->capacity = info->ngroups > 1 ? (size_t)info->ngroups : 1;
		console->left = calloc(console->capacity, sizeof(*console->left));
	}
	if (!console || !console->left) {
		free(console);
		return output_error(info->program, path, "out of memory");
	}
	if (output_open(&console->output, info->program, path) != 0) {
		close_console(console);
		return -1;
	}
	console->info = info;
	tally_clear(&console->tally);
	context_begin(console->output.file, info);
	print_header(console->output.file, info);
	if (output_flush(&console->output) != 0) {
		output_close(&console->output);
		close_console(console);
		return -1;
	}
	*state = console;
	return 0;
}

static int end(void *state, const struct run_summary *summary)
{
	struct console *console = state;
	int rc = print_waiting(console);

	context_end(console->output.file, console->info, &console->tally, summary);
	if (output_close(&console->output) != 0)
		rc = -1;
	close_console(console);
	return rc;
}

const struct writer_ops writer_console = {
	.name = "nccl",
	.summary = "nccl-tests' table: both placements in a line",
	.begin = begin,
	.row = row,
	.end = end,
};
