/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines and tables, for a terminal or as Markdown. Texts may hold any bytes.
 */
#ifndef COLLPERF_PLAN_LAYOUT_H
#define COLLPERF_PLAN_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { PAGE_MOST_COLUMNS = 12, PAGE_CELL = 64 };

struct plan_page {
	FILE *out;
	bool markdown;
};

/* Rows are of ncolumns cells; the first row is the head. */
struct plan_table {
	size_t ncolumns, nrows;
	char (*cells)[PAGE_CELL]; /* nrows x ncolumns, owned */
	bool failed;              /* memory ran out, which was said */
};

void plan_page_heading(const struct plan_page *page, const char *text);
/* A paragraph of its own; an item of a list. */
void plan_page_line(const struct plan_page *page, const char *text);
void plan_page_item(const struct plan_page *page, const char *text);

/* The head, NULL behind its last cell. */
void plan_table_begin(struct plan_table *table, const char *const *head);
/* Appends a row of empty cells; the caller fills them. NULL where memory ran out. */
char (*plan_table_row(struct plan_table *table))[PAGE_CELL];
/* Prints and frees it: the first column to the left, the others to the right but those from `words` on. -1 where memory had run out. */
int plan_table_end(const struct plan_page *page, struct plan_table *table, size_t words);

#endif
