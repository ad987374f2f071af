/* SPDX-License-Identifier: Apache-2.0
 *
 * Progress by the mean time of the points so far: crude for sizes that grow, good enough to decide whether to wait.
 */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "facts.h"

void progress_open(struct progress *progress, bool wanted, uint64_t points)
{
	*progress = (struct progress){ wanted && isatty(STDERR_FILENO), points, facts_wall_clock() };
}

void progress_wipe(const struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
}

void progress_show(const struct progress *progress, uint64_t done)
{
	if (!progress->shown || done == 0 || done >= progress->points)
		return;
	const double left = (facts_wall_clock() - progress->begun) / (double)done * (double)(progress->points - done);

	fprintf(stderr, "\r\033[K%" PRIu64 "/%" PRIu64 " points, about %.0f s left", done, progress->points, left);
	fflush(stderr);
}
