/* SPDX-License-Identifier: Apache-2.0
 *
 * What the numbers of a row may be, whoever wrote it.
 */
#ifndef COLLPERF_RANGE_H
#define COLLPERF_RANGE_H

#include "result.h"

/* 0, or -1 with the name of the first bad column and, in `why`, what is wrong with it ("is negative"). */
int range_check(const struct result *result, const char **column, char *why, size_t size);

#endif
