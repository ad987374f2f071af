/* SPDX-License-Identifier: Apache-2.0
 *
 * The '#' lines around a table on the console, in nccl-tests' words and order as far as it has them.
 */
#ifndef COLLPERF_CONTEXT_H
#define COLLPERF_CONTEXT_H

#include "writer.h"

/* What the lines after the table say of its rows. */
struct tally {
	double busbw_sum; /* over rows where busbw applies */
	size_t busbw_count;
	size_t checked; /* rows whose data were */
	struct tally_point {
		double value; /* NAN: no such row */
		int64_t bytes;
		char placement[16];
	} peak, latency; /* largest busbw; time of the smallest size above 0 */
};

void tally_clear(struct tally *tally);
void tally_add(struct tally *tally, const struct result *result);
/* What tally_add does with a row of no sweep: it counts whether data were checked. */
void tally_check(struct tally *tally, const struct result *result);

void context_begin(FILE *file, const struct run_info *info);
void context_end(FILE *file, const struct run_info *info, const struct tally *tally, const struct run_summary *summary);

#endif
