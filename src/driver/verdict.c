/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of exit codes.
 */
#include "verdict.h"

#include <stddef.h>

enum verdict verdict_of(int exit_code, int signal_number, const struct verdict_rows *rows)
{
	if (signal_number != 0)
		return VERDICT_FAILED;
	if (rows->wrong > 0)
		return rows->complete ? VERDICT_WRONG : VERDICT_FAILED;
	switch (exit_code) {
	case VERDICT_OK:
	case VERDICT_USAGE:
	case VERDICT_SKIPPED:
		return (enum verdict)exit_code;
	default:
		return VERDICT_FAILED;
	}
}

static size_t badness(enum verdict verdict)
{
	static const enum verdict order[] = { VERDICT_NONE,         VERDICT_SKIPPED, VERDICT_OK,
					      VERDICT_INCONCLUSIVE, VERDICT_WRONG,   VERDICT_USAGE };
	size_t i = 0;

	while (i < sizeof(order) / sizeof(order[0]) && order[i] != verdict)
		i++;
	return i;
}

enum verdict verdict_worse(enum verdict a, enum verdict b)
{
	return badness(a) >= badness(b) ? a : b;
}
