/* SPDX-License-Identifier: Apache-2.0
 *
 * The chain and how long a link of it takes.
 */
#include "step_spin.h"

#include <stddef.h>

#include "clock.h"
#include "stats.h"

enum { TRIALS = 9 };

static const double TRIAL_SECONDS = 2e-3;

void step_spin_links(struct step_spin *spin, uint64_t links)
{
	uint64_t whole = spin->whole;
	double real = spin->real;

	/* The real needs the whole number, and the whole number the real: one chain, and both stay in range. */
	for (uint64_t i = 0; i < links; i++) {
		real = real * 0.5 + (double)(uint32_t)(whole >> 40);
		whole = whole * UINT64_C(6364136223846793005) + (uint64_t)real;
	}
	spin->whole = whole;
	spin->real = real;
}

static double time_links(struct step_spin *spin, const struct clock *clock, uint64_t links)
{
	const double begun = clock_now(clock);

	step_spin_links(spin, links);
	return clock_now(clock) - begun;
}

void step_spin_calibrate(struct step_spin *spin, const struct clock *clock)
{
	double times[TRIALS];
	uint64_t links = 1024;

	*spin = (struct step_spin){ .whole = 1, .real = 1 };
	while (time_links(spin, clock, links) < TRIAL_SECONDS && links < UINT64_C(1) << 40)
		links *= 2;
	for (int i = 0; i < TRIALS; i++)
		times[i] = time_links(spin, clock, links);
	spin->rate = (double)links / stats_median(times, TRIALS);
}

void step_spin_seconds(struct step_spin *spin, double seconds)
{
	step_spin_links(spin, (uint64_t)(seconds * spin->rate));
}
