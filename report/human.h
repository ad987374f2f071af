/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers for people: three significant digits and a unit that fits. Pure; the text is part of the value returned, so
 * `human_time(t).text` lives to the end of the statement.
 */
#ifndef COLLPERF_HUMAN_H
#define COLLPERF_HUMAN_H

#include <stdint.h>

struct human {
	char text[64];
};

/* "-" stands for a number that is absent (NAN, RESULT_NONE). */
struct human human_size(double bytes);            /* "8 B", "1.5 MiB" */
struct human human_time(double seconds);          /* "1.23 us", "45.6 ms" */
struct human human_rate(double bytes_per_second); /* "12.3 GB/s", 1 GB = 1e9 B */
struct human human_percent(double fraction);      /* "87 %" */
struct human human_times(double ratio);           /* "2.5", "41667" */
struct human human_ratio(double ratio);           /* "0.87", "1.00", "12.5", "4657" */
struct human human_integer(int64_t value);

#endif
