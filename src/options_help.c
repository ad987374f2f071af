/* SPDX-License-Identifier: Apache-2.0
 *
 * --help: the table of options for a terminal of 80 columns.
 */
#include <string.h>

#include "options_table.h"

enum { COLUMN = 32, WIDTH = 80, TEXT = 512 };

/* Words of text up to WIDTH columns, from column `indent`, where the cursor stands, on every line. */
void option_print_wrapped(FILE *out, const char *text, size_t indent)
{
	size_t column = indent;

	while (*text) {
		size_t word = strcspn(text, " ");

		if (column > indent && column + 1 + word > WIDTH) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			fputc(' ', out);
			column++;
		}
		fprintf(out, "%.*s", (int)word, text);
		column += word;
		text += word + strspn(text + word, " ");
	}
	fputc('\n', out);
}

void option_print_row(FILE *out, const struct option_row *row)
{
	char text[TEXT];
	int used;

	used = row->letter ? fprintf(out, "  -%c, --%s", row->letter, row->name) : fprintf(out, "      --%s", row->name);
	if (row->argument)
		used += fprintf(out, "%s%s", option_is_optional(row) ? "" : " ", row->argument);
	if (used >= COLUMN - 1)
		fprintf(out, "\n%*s", COLUMN, "");
	else
		fprintf(out, "%*s", COLUMN - used, "");
	if (row->preset)
		snprintf(text, sizeof text, "%s [%s]", row->help, row->preset);
	else
		snprintf(text, sizeof text, "%s", row->help);
	option_print_wrapped(out, text, COLUMN);
}

void options_help(FILE *out, const char *program, const char *summary)
{
	fprintf(out, "Usage: %s [OPTION]...\n%s\n\n", program, summary);
	option_print_wrapped(out, option_units, 0);
	fprintf(out, "Values in brackets are defaults.\n");
	for (int group = 0; group < GROUP_COUNT; group++) {
		fprintf(out, "\n%s:\n", option_groups[group].name);
		for (size_t i = 0; i < option_row_count; i++)
			if ((int)option_rows[i].group == group)
				option_print_row(out, &option_rows[i]);
	}
	fprintf(out, "\nExit codes:\n");
	for (size_t i = 0; option_exit_codes[i].meaning; i++)
		fprintf(out, "  %2d  %s\n", option_exit_codes[i].code, option_exit_codes[i].meaning);
	fprintf(out, "\nExamples:\n");
	for (size_t i = 0; option_examples[i].launcher; i++)
		fprintf(out, "  %s\n    %s%s %s\n", option_examples[i].what, option_examples[i].launcher, program,
			option_examples[i].arguments);
}
