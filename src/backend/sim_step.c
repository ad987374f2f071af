/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls beside compute on the fake clock: compute advances it, calls queue one after another on a network that needs nobody's help.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim.h"

struct sim_step {
	struct backend *backend;
	double free_at; /* when the network is done with what was started */
	double ends[];  /* [number] */
};

static int sim_step_open(struct backend *backend, const struct options *options, size_t calls, void **state)
{
	struct sim_step *step = calloc(1, sizeof *step + calls * sizeof step->ends[0]);

	(void)options;
	if (!step) {
		fprintf(stderr, "sim: out of memory for %zu calls\n", calls);
		return -1;
	}
	step->backend = backend;
	*state = step;
	return 0;
}

static void sim_step_close(void *state)
{
	free(state);
}

static int sim_step_start(void *state, size_t number, const struct backend_call *call)
{
	struct sim_step *step = state;
	const double begins = fmax(step->backend->ops->now(step->backend), step->free_at);

	step->free_at = begins + sim_duration(step->backend, call);
	step->ends[number] = step->free_at;
	return 0;
}

static int sim_step_wait(void *state, size_t number)
{
	struct sim_step *step = state;

	step->backend->ops->wait_until(step->backend, step->ends[number]);
	return 0;
}

static void sim_step_again(void *state)
{
	(void)state;
}

static int sim_step_compute(void *state, double seconds)
{
	struct sim_step *step = state;

	step->backend->ops->wait_until(step->backend, step->backend->ops->now(step->backend) + seconds);
	return 0;
}

const struct backend_step_ops sim_step = {
	.progress = "device",
	.open = sim_step_open,
	.close = sim_step_close,
	.start = sim_step_start,
	.wait = sim_step_wait,
	.again = sim_step_again,
	.compute = sim_step_compute,
};
