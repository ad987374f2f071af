/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines and tables.
 */
#include "layout.h"

#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "../escape.h"

static enum escape escape_of(const struct plan_page *page)
{
	return page->markdown ? ESCAPE_MARKDOWN : ESCAPE_PLAIN;
}

void plan_page_heading(const struct plan_page *page, const char *text)
{
	fputs(page->markdown ? "\n### " : "\n", page->out);
	escape_text(page->out, escape_of(page), text);
	fputs(page->markdown ? "\n\n" : "\n", page->out);
}

void plan_page_line(const struct plan_page *page, const char *text)
{
	escape_text(page->out, escape_of(page), text);
	fputs(page->markdown ? "\n\n" : "\n", page->out);
}

void plan_page_item(const struct plan_page *page, const char *text)
{
	fputs(page->markdown ? "- " : "  ", page->out);
	escape_text(page->out, escape_of(page), text);
	fputc('\n', page->out);
}

char (*plan_table_row(struct plan_table *table))[PAGE_CELL]
{
	char(*grown)[PAGE_CELL] = NULL;
	char(*row)[PAGE_CELL];

	if (!table->failed)
		grown = realloc(table->cells, (table->nrows + 1) * table->ncolumns * sizeof *grown);
	if (!grown) {
		if (!table->failed)
			array_failed();
		table->failed = true;
		return NULL;
	}
	table->cells = grown;
	row = grown + table->nrows++ * table->ncolumns;
	memset(row, 0, table->ncolumns * sizeof *row);
	return row;
}

void plan_table_begin(struct plan_table *table, const char *const *head)
{
	char(*row)[PAGE_CELL];

	*table = (struct plan_table){ 0 };
	while (table->ncolumns < PAGE_MOST_COLUMNS && head[table->ncolumns])
		table->ncolumns++;
	row = plan_table_row(table);
	for (size_t c = 0; row && c < table->ncolumns; c++)
		snprintf(row[c], PAGE_CELL, "%s", head[c]);
}

static void print_plain(const struct plan_page *page, const struct plan_table *table, size_t words)
{
	size_t widths[PAGE_MOST_COLUMNS] = { 0 };

	for (size_t i = 0; i < table->nrows * table->ncolumns; i++) {
		const size_t length = strlen(table->cells[i]);

		if (length > widths[i % table->ncolumns])
			widths[i % table->ncolumns] = length;
	}
	for (size_t i = 0; i < table->nrows * table->ncolumns; i++) {
		const size_t c = i % table->ncolumns;
		const int width = (int)widths[c];
		const bool last = c + 1 == table->ncolumns;

		fprintf(page->out, c == 0 || c >= words ? "%s%-*s" : "%s%*s", c == 0 ? "  " : "  ",
			last && c >= words ? 0 : width, table->cells[i]);
		if (last)
			fputc('\n', page->out);
	}
}

static void print_markdown(const struct plan_page *page, const struct plan_table *table, size_t words)
{
	for (size_t r = 0; r < table->nrows; r++) {
		for (size_t c = 0; c < table->ncolumns; c++) {
			fputs(c == 0 ? "| " : " | ", page->out);
			escape_text(page->out, ESCAPE_MARKDOWN, table->cells[r * table->ncolumns + c]);
		}
		fputs(" |\n", page->out);
		for (size_t c = 0; r == 0 && c < table->ncolumns; c++)
			fputs(c == 0 || c >= words ? "|---" : "|---:", page->out);
		if (r == 0)
			fputs("|\n", page->out);
	}
}

int plan_table_end(const struct plan_page *page, struct plan_table *table, size_t words)
{
	const bool failed = table->failed;

	if (!failed && page->markdown)
		print_markdown(page, table, words);
	else if (!failed)
		print_plain(page, table, words);
	free(table->cells);
	*table = (struct plan_table){ 0 };
	return failed ? -1 : 0;
}
