/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's compute between gradients: a chain in which every operation needs the one before, so that no core does two of them at once and no compiler can
 * make a vector of it.
 */
#ifndef COLLPERF_STEP_SPIN_H
#define COLLPERF_STEP_SPIN_H

#include <stdint.h>

struct clock;

struct step_spin {
	uint64_t whole;
	double real;
	double rate; /* links of the chain a second on this core */
};

/* Finds the rate, in some tens of milliseconds. */
void step_spin_calibrate(struct step_spin *spin, const struct clock *clock);

void step_spin_links(struct step_spin *spin, uint64_t links);

/* So many seconds' worth of links. */
void step_spin_seconds(struct step_spin *spin, double seconds);

#endif
