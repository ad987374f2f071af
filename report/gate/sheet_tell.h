/* SPDX-License-Identifier: Apache-2.0
 *
 * How parts of the sheet put into words what is not compared, and what differs.
 */
#ifndef COLLPERF_GATE_SHEET_TELL_H
#define COLLPERF_GATE_SHEET_TELL_H

#include <stdio.h>

#include "sheet_parts.h"

/* A text under construction. */
struct gate_line {
	FILE *out;
	char *text;
	size_t size;
};
int gate_line_open(struct gate_line *line);
/* Appends it to a list, which owns it. -1 after one line on stderr; the text is then freed. */
int gate_line_close(struct gate_line *line, char ***lines, size_t *count);

/* Different texts, borrowed: the first GATE_SET_MOST of them. */
enum { GATE_SET_MOST = 64 };
struct gate_set {
	const char *items[GATE_SET_MOST];
	size_t count, more;
};
/* The empty text is not added. */
void gate_set_add(struct gate_set *set, const char *text);
bool gate_set_equal(const struct gate_set *left, const struct gate_set *right);
/* "a, b and 3 more". */
void gate_set_put(FILE *out, const struct gate_set *set);
/* Appends "WHAT: a in BASE, b in NEW" and `end` to the differences where both sides have something and it is not the same. -1 after one line on stderr. */
int gate_set_tell(struct gate_sheet *sheet, const struct gate_gathered gathered[GATE_SIDES],
		  const struct gate_set sets[GATE_SIDES], const char *what, const char *end);

/* The lines of sheet->only[id]. `lone`: by key, placement, bytes. -1 after one line on stderr. */
int gate_only_tell(struct gate_sheet *sheet, enum gate_side_id id, const struct gate_keys *keys,
		   const struct gate_gathered *gathered, const struct gate_lone *lone, size_t nlone);

/* Appends to sheet->differences: what rows say, and what run.json says. -1 after one line on stderr. */
int gate_differences_of_rows(struct gate_sheet *sheet, const struct gate_gathered gathered[GATE_SIDES], bool loose);
int gate_differences_of_machines(struct gate_sheet *sheet, const struct gate_gathered gathered[GATE_SIDES]);
int gate_differences_of_launches(struct gate_sheet *sheet, const struct gate_gathered gathered[GATE_SIDES]);
/* Wrong data of NEW at points that are not compared, of which lone are some. */
int gate_differences_of_wrong(struct gate_sheet *sheet, const struct gate_lone *lone, size_t nlone);
/* Whether a fact's path ends so; '#' stands for a number. */
bool gate_fact_ends(const char *name, const char *path);
int gate_differences_of_environment(struct gate_sheet *sheet, const struct gate_gathered gathered[GATE_SIDES]);

#endif
