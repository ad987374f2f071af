/* SPDX-License-Identifier: Apache-2.0
 *
 * --mode, --stride and --pipeline: the names of what they ask for, and what has no meaning beside them.
 */
#include "options_table.h"

void option_name_exchange(struct options *options)
{
	exchange_name(&options->exchange);
	options->serial = options->exchange;
	if (options->exchange.buffers > 0)
		options->serial.buffers = 1;
	exchange_name(&options->serial);
}

int option_check_exchange(const struct options *options, struct options_error *error)
{
	const struct exchange *exchange = &options->exchange;

	if (exchange_is_plain(exchange))
		return 0;
	if (options->pairs != PAIRS_NONE)
		return option_fail(error,
				   "--pairs: each two ranks exchange both ways; --mode, --stride and --pipeline do not apply");
	if (exchange->mode == EXCHANGE_PINGPONG && exchange->buffers > 0)
		return option_fail(error, "--pipeline: with --mode pingpong a message waits for the one before, nothing is sent "
					  "while the next piece is packed");
	if (exchange->mode == EXCHANGE_PINGPONG && options->agg_iters > 1)
		return option_fail(error, "-m: %ld calls cannot be one group with --mode pingpong, each waits for the one before",
				   options->agg_iters);
	return 0;
}
