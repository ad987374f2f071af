/* SPDX-License-Identifier: Apache-2.0
 *
 * What sides have of something, and how that differs.
 */
#include <string.h>

#include "../escape.h"
#include "sheet_tell.h"

enum { MOST_SHOWN = 6 };

static bool holds(const struct gate_set *set, const char *text)
{
	for (size_t i = 0; i < set->count; i++) {
		if (set->items[i] == text || strcmp(set->items[i], text) == 0)
			return true;
	}
	return false;
}

void gate_set_add(struct gate_set *set, const char *text)
{
	if (!*text || holds(set, text))
		return;
	if (set->count < GATE_SET_MOST)
		set->items[set->count++] = text;
	else
		set->more++;
}

bool gate_set_equal(const struct gate_set *left, const struct gate_set *right)
{
	if (left->count != right->count)
		return false;
	for (size_t i = 0; i < left->count; i++) {
		if (!holds(right, left->items[i]))
			return false;
	}
	return true;
}

void gate_set_put(FILE *out, const struct gate_set *set)
{
	for (size_t i = 0; i < set->count && i < MOST_SHOWN; i++)
		escape_put(out, ESCAPE_PLAIN, "%s%s", i > 0 ? ", " : "", set->items[i]);
	if (set->count > MOST_SHOWN)
		escape_put(out, ESCAPE_PLAIN, " and %zu%s more", set->count - MOST_SHOWN, set->more > 0 ? " or" : "");
}

int gate_set_tell(struct gate_sheet *sheet, const struct gate_gathered gathered[GATE_SIDES],
		  const struct gate_set sets[GATE_SIDES], const char *what, const char *end)
{
	struct gate_line line;

	if (sets[GATE_BASE].count == 0 || sets[GATE_NEW].count == 0 || gate_set_equal(&sets[GATE_BASE], &sets[GATE_NEW]))
		return 0;
	if (gate_line_open(&line))
		return -1;
	escape_put(line.out, ESCAPE_PLAIN, "%s: ", what);
	gate_set_put(line.out, &sets[GATE_BASE]);
	escape_put(line.out, ESCAPE_PLAIN, " in %s, ", gathered[GATE_BASE].name);
	gate_set_put(line.out, &sets[GATE_NEW]);
	escape_put(line.out, ESCAPE_PLAIN, " in %s%s", gathered[GATE_NEW].name, end);
	return gate_line_close(&line, &sheet->differences, &sheet->ndifferences);
}
