/* SPDX-License-Identifier: Apache-2.0
 *
 * An empty row, and the words of its flags.
 */
#include "result.h"

#include <string.h>

#include "columns.h"

void result_clear(struct result *result)
{
	const char *text = "";
	int64_t integer = RESULT_NONE;
	double real = NAN;

	for (size_t i = 0; i < column_count; i++) {
		char *place = (char *)result + columns[i].offset;

		switch (columns[i].type) {
		case COLUMN_TEXT:
			memcpy(place, &text, sizeof(text));
			break;
		case COLUMN_INTEGER:
			memcpy(place, &integer, sizeof(integer));
			break;
		case COLUMN_REAL:
			memcpy(place, &real, sizeof(real));
			break;
		}
	}
}

bool result_has_flag(const struct result *result, const char *flag)
{
	size_t length = strlen(flag);

	for (const char *word = result->flags; *word;) {
		size_t n = strcspn(word, " ");

		if (n == length && n > 0 && memcmp(word, flag, n) == 0)
			return true;
		word += n;
		word += strspn(word, " ");
	}
	return false;
}

bool result_is_pair(const struct result *result)
{
	return result->from != RESULT_NONE || result->to != RESULT_NONE || *result->load;
}

bool result_is_step(const struct result *result)
{
	return strcmp(result->collective, RESULT_STEP) == 0 || *result->strategy;
}

bool result_is_matrix(const struct result *result)
{
	return strcmp(result->collective, "alltoallv") == 0 && strncmp(result->variant, "matrix ", strlen("matrix ")) == 0;
}

bool result_is_evened(const struct result *result)
{
	return strcmp(result->collective, "alltoallv") == 0 && !*result->variant && isfinite(result->imbalance);
}

bool result_takes_turns(const struct result *result)
{
	return result_has_flag(result, RESULT_FLAG_OVERSUBSCRIBED) || result_has_flag(result, RESULT_FLAG_SHARED_GPU);
}
