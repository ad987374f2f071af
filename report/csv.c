/* SPDX-License-Identifier: Apache-2.0
 *
 * One tidy RFC 4180 table, a row flushed as soon as it is there: what a killed run leaves behind is still a table.
 */
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "output.h"
#include "writer.h"

/* Blanks at the ends are quoted too, as many readers drop them otherwise. */
static bool needs_quotes(const char *text)
{
	size_t length = strlen(text);

	return text[strcspn(text, ",\"\r\n")] != '\0' || text[0] == ' ' || (length > 0 && text[length - 1] == ' ');
}

/* Texts come from users and libraries: one that a spreadsheet would take for a formula has a ' in front, which the reader takes off. */
static const char *disarm(const struct column *column, const char *text)
{
	return column->type == COLUMN_TEXT && text[0] && strchr("=+-@", text[0]) ? "'" : "";
}

static void print_field(FILE *file, const struct column *column, const char *text)
{
	if (!needs_quotes(text)) {
		fprintf(file, "%s%s", disarm(column, text), text);
		return;
	}
	fprintf(file, "\"%s", disarm(column, text));
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', file);
		fputc(*text, file);
	}
	fputc('"', file);
}

static int begin(const struct run_info *info, const char *path, void **state)
{
	struct output *output = calloc(1, sizeof(*output));

	if (!output)
		return output_error(info->program, path, "out of memory");
	if (output_open(output, info->program, path) != 0) {
		free(output);
		return -1;
	}
	for (size_t i = 0; i < column_count; i++)
		fprintf(output->file, "%s%s", i ? "," : "", columns[i].name);
	fputc('\n', output->file);
	if (output_flush(output) != 0) {
		output_close(output);
		free(output);
		return -1;
	}
	*state = output;
	return 0;
}

static int row(void *state, const struct result *result)
{
	struct output *output = state;
	char buffer[40];

	if (output->failed)
		return -1;
	for (size_t i = 0; i < column_count; i++) {
		if (i > 0)
			fputc(',', output->file);
		print_field(output->file, &columns[i], column_print(&columns[i], result, buffer, sizeof(buffer)));
	}
	fputc('\n', output->file);
	return output_flush(output);
}

static int end(void *state, const struct run_summary *summary)
{
	struct output *output = state;
	int rc = output_close(output);

	(void)summary;
	free(output);
	return rc;
}

const struct writer_ops writer_csv = {
	.name = "csv",
	.summary = "one row a placement, RFC 4180, flushed as it is measured",
	.begin = begin,
	.row = row,
	.end = end,
};
