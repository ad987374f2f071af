/* SPDX-License-Identifier: Apache-2.0
 *
 * Two sides made row by row, the sheet of both, and what it says.
 */
#ifndef COLLPERF_TEST_GATE_PAIR_H
#define COLLPERF_TEST_GATE_PAIR_H

#include "gate_rows.h"

struct pair {
	struct gate_rows base, new;
	struct gate_sheet sheet;
};

static inline void begin(struct pair *pair)
{
	*pair = (struct pair){ 0 };
	gate_rows_file(&pair->base, "base");
	gate_rows_file(&pair->new, "new");
}

static inline void build(struct pair *pair, bool paired)
{
	struct gate_side sides[GATE_SIDES] = { gate_rows_side(&pair->base), gate_rows_side(&pair->new) };

	assert_int_equal(gate_sheet_build(sides, paired, &pair->sheet), 0);
}

static inline void end(struct pair *pair)
{
	gate_sheet_clear(&pair->sheet);
	gate_rows_clear(&pair->base);
	gate_rows_clear(&pair->new);
}

static inline void says(char *const *lines, size_t n, const char *line)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(lines[i], line) == 0)
			return;
	}
	for (size_t i = 0; i < n; i++)
		print_message("  %s\n", lines[i]);
	fail_msg("no line says '%s'", line);
}

static inline void differs(const struct pair *pair, const char *line)
{
	says(pair->sheet.differences, pair->sheet.ndifferences, line);
}

static inline void only(const struct pair *pair, size_t side, const char *line)
{
	says(pair->sheet.only[side], pair->sheet.nonly[side], line);
}

#endif
