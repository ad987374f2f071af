/* SPDX-License-Identifier: Apache-2.0
 *
 * --skew and --matrix: how uneven the blocks of alltoallv_perf are.
 */
#include "options_table.h"
#include "size.h"

int option_parse_skew(const struct option_row *row, const char *text, struct options *options, struct options_error *error)
{
	double value;

	if (fraction_parse(text, &value) || value > 1)
		return option_fail(error, "is not a fraction from 0 to 1 (such as 0.5 or 50%%)");
	*(double *)option_place(row, options) = value;
	return 0;
}

int option_check_uneven(const struct options *options, struct options_error *error)
{
	if (options->skew > 0 && options->matrix)
		return option_fail(error, "--skew and --matrix both say how uneven blocks are: give one");
	return 0;
}

void option_default_sizes(struct options *options)
{
	if (options->matrix && options->min_bytes == 0 && options->max_bytes == 0)
		return;
	if (options->min_bytes == 0)
		options->min_bytes = options->matrix ? options->max_bytes : option_defaults.min_bytes;
	if (options->max_bytes == 0)
		options->max_bytes = options->matrix ? options->min_bytes : option_defaults.max_bytes;
}
