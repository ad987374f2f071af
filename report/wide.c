/* SPDX-License-Identifier: Apache-2.0
 *
 * Our own columns on the console: one row a placement, the median with its interval, no line without '#' but header and rows,
 * and no empty cell, so that awk reads it by header name.
 */
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "context.h"
#include "output.h"
#include "text.h"
#include "writer.h"

struct wide {
	struct output output;
	const struct run_info *info;
	struct tally tally;
};

/* The variant only where rows may have one. */
static bool is_shown(const struct run_info *info, const struct column *column)
{
	return column->width > 0 || (info->variants && strcmp(column->name, "variant") == 0);
}

static int width_of(const struct column *column)
{
	int name = (int)strlen(column->name);

	return column->width > name ? column->width : name;
}

static void print_header(FILE *file, const struct run_info *info)
{
	const char *gap = "";

	for (size_t i = 0; i < column_count; i++) {
		if (!is_shown(info, &columns[i]))
			continue;
		fprintf(file, "%s%*s", gap, width_of(&columns[i]), columns[i].name);
		gap = "  ";
	}
	fputc('\n', file);
}

static int begin(const struct run_info *info, const char *path, void **state)
{
	struct wide *wide = calloc(1, sizeof(*wide));

	if (!wide)
		return output_error(info->program, path, "out of memory");
	if (output_open(&wide->output, info->program, path) != 0) {
		free(wide);
		return -1;
	}
	wide->info = info;
	tally_clear(&wide->tally);
	context_begin(wide->output.file, info);
	print_header(wide->output.file, info);
	if (output_flush(&wide->output) != 0) {
		output_close(&wide->output);
		free(wide);
		return -1;
	}
	*state = wide;
	return 0;
}

/* A cell has no blank: awk would take it for two. */
static void join_words(char *text)
{
	for (; *text; text++)
		if (*text == ' ')
			*text = '_';
}

static int row(void *state, const struct result *result)
{
	struct wide *wide = state;
	const char *gap = "";
	char buffer[40];
	char shown[256];

	tally_add(&wide->tally, result);
	for (size_t i = 0; i < column_count; i++) {
		const char *text;

		if (!is_shown(wide->info, &columns[i]))
			continue;
		text = text_escape(column_print(&columns[i], result, buffer, sizeof(buffer)), shown, sizeof(shown));
		if (columns[i].width == 0)
			join_words(shown);
		fprintf(wide->output.file, "%s%*s", gap, width_of(&columns[i]), text[0] ? text : "-");
		gap = "  ";
	}
	fputc('\n', wide->output.file);
	return output_flush(&wide->output);
}

static int end(void *state, const struct run_summary *summary)
{
	struct wide *wide = state;
	int rc;

	context_end(wide->output.file, wide->info, &wide->tally, summary);
	rc = output_close(&wide->output);
	free(wide);
	return rc;
}

const struct writer_ops writer_wide = {
	.name = "wide",
	.summary = "one row a placement, with the interval of the median",
	.begin = begin,
	.row = row,
	.end = end,
};
