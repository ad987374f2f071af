/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of one primitive. Those without a value here may have one attached.
 */
#include "own.h"

#include <string.h>

const struct own_option own_options[] = {
	{ "pairs", COLL_SENDRECV, false, false }, { "mode", COLL_SENDRECV, true, false },
	{ "stride", COLL_SENDRECV, true, false }, { "pipeline", COLL_SENDRECV, true, false },
	{ "skew", COLL_ALLTOALLV, true, false },  { "matrix", COLL_ALLTOALLV, true, true },
};

const size_t own_option_count = sizeof own_options / sizeof *own_options;

const struct own_option *own_option_find(const char *word)
{
	const size_t length = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0;

	for (size_t i = 0; i < own_option_count; i++)
		if (strlen(own_options[i].name) == length && strncmp(own_options[i].name, word + 2, length) == 0)
			return &own_options[i];
	return NULL;
}
