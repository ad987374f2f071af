/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether what a log says of a point agrees with itself, as far as its digits go.
 */
#ifndef COLLPERF_IMPORT_RATES_H
#define COLLPERF_IMPORT_RATES_H

#include "import.h"

/* Fills absent rates from bytes, time and ranks; one rank has no busbw. False when a rate that was there does not agree. */
bool rates_complete(struct result *row, const struct import_digits *digits);

/* Whether `value`, known to half a unit `half`, can be amount / time where time is known to `half_time`. */
bool rates_agree(double value, double half, double amount, double time, double half_time);

#endif
