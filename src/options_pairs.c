/* SPDX-License-Identifier: Apache-2.0
 *
 * --pairs: its argument, which may be left out, and what has no meaning beside it.
 */
#include <string.h>

#include "options_table.h"

bool option_is_optional(const struct option_row *row)
{
	return row->argument && row->argument[0] == '[';
}

int option_parse_pairs(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	(void)row;
	if (*text && strcmp(text, "alone") != 0 && strcmp(text, "all") != 0)
		return option_fail(error, "is not one of alone, all");
	options->pairs = strcmp(text, "all") == 0 ? PAIRS_ALL : PAIRS_ALONE;
	return 0;
}

int option_check_pairs(const struct options *options, struct options_error *error)
{
	if (options->pairs == PAIRS_NONE)
		return 0;
	if (options->split.op != SPLIT_NONE)
		return option_fail(error, "--pairs: with --split the pairs of other groups would disturb them");
	if (options->timing == TIMING_LOOP)
		return option_fail(error,
				   "--pairs: every exchange is timed alone (--timing sync), so that the other ranks can sleep");
	if (options->sync == START_BARRIER)
		return option_fail(error, "--pairs: a barrier (--sync barrier) would wake the ranks that sleep");
	if (options->graph != 0)
		return option_fail(error, "--pairs: a graph (-G) would have to be recorded anew for each pair");
	if (options->agg_iters > 1)
		return option_fail(error, "--pairs: -m %ld calls together hide the latency of one", options->agg_iters);
	if (options->per_iter)
		return option_fail(error, "--pairs: the table has no columns for -I; the CSV has the spread in any case");
	if (options->format == FORMAT_WIDE)
		return option_fail(error, "--pairs has a table of its own: --format wide has no columns for it");
	return 0;
}
