/* SPDX-License-Identifier: Apache-2.0
 *
 * What of a long curve is drawn: a figure has few columns that eyes tell apart, and of the points in one the least and the greatest
 * show all that can be seen.
 */
#ifndef COLLPERF_THIN_H
#define COLLPERF_THIN_H

#include <stddef.h>
#include <stdio.h>

enum { THIN_MOST = 160, THIN_COLUMNS = 64 };

/* Points by rising size. */
struct thin {
	const void *points;
	size_t n;
	double (*bytes)(const void *points, size_t i); /* > 0 */
	double (*value)(const void *points, size_t i);
	void (*put)(FILE *out, const void *points, size_t i);
};

/* Puts the points, all of them up to THIN_MOST, else two of each of THIN_COLUMNS columns on a logarithmic axis. */
void thin_put(FILE *out, const struct thin *thin);

#endif
