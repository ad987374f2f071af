/* SPDX-License-Identifier: Apache-2.0
 *
 * Fractions and seeds from texts.
 */
#include "settings.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIGITS = 30 };

struct gate_settings gate_settings_default(void)
{
	return (struct gate_settings){ .threshold = 0.05, .false_alarms = 0.02, .seed = 1 };
}

int gate_settings_fraction(const char *text, int most, double *fraction)
{
	const size_t length = strspn(text, "0123456789.");
	const char *point = memchr(text, '.', length);
	const bool percent = strcmp(text + length, "%") == 0;
	double value;

	if (length == 0 || length > MOST_DIGITS || !isdigit((unsigned char)text[0]) ||
	    !isdigit((unsigned char)text[length - 1]) || (point && memchr(point + 1, '.', length - (size_t)(point + 1 - text))))
		return -1;
	if (!percent && text[length])
		return -1;
	value = strtod(text, NULL) / (percent ? 100 : 1);
	if (!(value > 0) || value > most / 100.0 || (!percent && value >= 1))
		return -1;
	*fraction = value;
	return 0;
}

int gate_settings_seed(const char *text, uint64_t *seed)
{
	unsigned long long value;

	if (!*text || text[strspn(text, "0123456789")])
		return -1;
	errno = 0;
	value = strtoull(text, NULL, 10);
	if (errno || value > INT64_MAX)
		return -1;
	*seed = value;
	return 0;
}
