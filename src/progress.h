/* SPDX-License-Identifier: Apache-2.0
 *
 * A line of progress on stderr when that is a terminal, wiped before every row of the table.
 */
#ifndef COLLPERF_PROGRESS_H
#define COLLPERF_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool shown; /* on a terminal, by rank 0, with a real clock */
	uint64_t points;
	double begun; /* wall clock, seconds */
};

void progress_open(struct progress *progress, bool wanted, uint64_t points);
void progress_wipe(const struct progress *progress);
/* `done` of the points are measured. */
void progress_show(const struct progress *progress, uint64_t done);

#endif
