/* SPDX-License-Identifier: Apache-2.0
 *
 * Clock synchronisation. Offsets by Cristian's method (the launch does the round trips); drift by the line through the first and the latest offset, as
 * oscillators of two hosts differ by microseconds a second.
 */
#include "clock.h"

#include <math.h>

#include "launch.h"

double clock_now(const struct clock *clock)
{
	return clock->backend->ops->now(clock->backend) + clock->skew;
}

double clock_wait(const struct clock *clock, double until)
{
	return clock->backend->ops->wait_until(clock->backend, until - clock->skew) + clock->skew;
}

double clock_from_rank0(const struct clock *clock, double time)
{
	const double local = time - clock->offset;

	return local - clock->rate * (local - clock->reference);
}

static double now_of(void *arg)
{
	return clock_now(arg);
}

static void measure_cost(struct clock *clock)
{
	enum { READINGS = 2000 };
	const double first = clock_now(clock);
	double last = first, step = INFINITY;

	for (int i = 0; i < READINGS; i++) {
		const double now = clock_now(clock);

		if (now > last && now - last < step)
			step = now - last;
		last = now;
	}
	clock->cost = (last - first) / READINGS;
	clock->step = isfinite(step) ? step : 0;
}

/* The drift needs a base long enough that the error of two offsets is small against it. */
static void update_rate(struct clock *clock, double offset, double now)
{
	enum { BASE_SECONDS = 1 };

	if (now - clock->first_reference >= BASE_SECONDS)
		clock->rate = (offset - clock->first_offset) / (now - clock->first_reference);
}

static int measure_offset(struct clock *clock, struct launch *launch)
{
	double offset, error;

	if (launch->ops->clock_offset(launch, now_of, clock, &offset, &error))
		return -1;
	const double now = clock_now(clock);
	const double expected = clock->offset + clock->rate * (now - clock->reference);

	/* Between two measurements a clock may drift by 100 ppm; more than that and both error bounds is a clock that jumps. */
	if (clock->measured > 0 && fabs(offset - expected) > error + clock->error + 1e-4 * (now - clock->reference))
		clock->unstable = true;
	if (clock->measured++ == 0) {
		clock->first_offset = offset;
		clock->first_reference = now;
	}
	update_rate(clock, offset, now);
	clock->offset = offset;
	clock->reference = now;
	clock->error = error;
	return 0;
}

/* Rank 0 plans the starts, so it must know of every clock that jumps. */
static int agree_unstable(struct clock *clock, struct launch *launch)
{
	int unstable = clock->unstable;

	if (launch->ops->agree(launch, unstable, &unstable))
		return -1;
	clock->unstable = unstable;
	return 0;
}

int clock_open(struct clock *clock, struct backend *backend, struct launch *launch, double skew)
{
	*clock = (struct clock){ .backend = backend, .skew = skew };
	if (!backend->fake_clock && !launch->simulated)
		measure_cost(clock);
	if (measure_offset(clock, launch) || measure_offset(clock, launch) || agree_unstable(clock, launch))
		return -1;
	/* One rank whose clock differs is enough for all to measure, as measuring takes all of them. */
	int differs = launch->nnodes > 1 || clock->offset != 0;

	if (launch->ops->agree(launch, differs, &differs))
		return -1;
	clock->differs = differs;
	return 0;
}

int clock_refresh(struct clock *clock, struct launch *launch)
{
	if (!clock->differs)
		return 0;
	return measure_offset(clock, launch) || agree_unstable(clock, launch) ? -1 : 0;
}
