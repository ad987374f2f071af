/* SPDX-License-Identifier: Apache-2.0
 *
 * --inject: a fault that would never come is refused, as a test that waits for it would pass for want of it.
 */
#include "options_table.h"
#include "size.h"

enum { SIZE_TEXT = 24 };

/* A factor or an addend may lead past the end after very many sizes, but never after more than options_check allows. */
static int check_size(const struct options *options, struct options_error *error)
{
	const uint64_t wanted = options->inject.bytes;
	uint64_t bytes = 0, below = 0, above = 0;
	char text[3][SIZE_TEXT];

	while (above == 0 && options_next_size(options, &bytes)) {
		if (bytes == wanted)
			return 0;
		if (bytes < wanted)
			below = bytes;
		else
			above = bytes;
	}
	size_format(wanted, text[0], SIZE_TEXT);
	size_format(below, text[1], SIZE_TEXT);
	size_format(above, text[2], SIZE_TEXT);
	if (below > 0 && above > 0)
		return option_fail(error, "--inject: the sweep has no size %s: the nearest are %s and %s", text[0], text[1],
				   text[2]);
	return option_fail(error, "--inject: the sweep has no size %s: the nearest is %s", text[0], text[below > 0 ? 1 : 2]);
}

int option_check_inject(const struct options *options, struct options_error *error)
{
	const struct inject *inject = &options->inject;

	if (inject->kind == INJECT_CORRUPT && options->check == 0)
		return option_fail(error, "--inject: corrupt data are never seen with -c 0");
	/* Sizes that are still to be read from a file are not known; a training step has others. */
	return inject->kind != INJECT_NONE && inject->bytes > 0 && options->min_bytes > 0 && !options->step
		       ? check_size(options, error)
		       : 0;
}
