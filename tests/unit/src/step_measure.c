/* SPDX-License-Identifier: Apache-2.0
 *
 * Turns of steps in a world with a clock of its own: those that are late end in bounded time, and a signal to any rank ends a row before its next step.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "src/launch.h"
#include "src/options.h"
#include "src/step_measure.h"
#include "src/watch.h"

/* One process without local ranks: its steps are nothing but time. */
struct world {
	double time;
	double late; /* seconds that a start comes late */
	long steps;  /* made */
	long asked;  /* how often all agreed */
	long signal; /* the time of asking at which another rank has got one; 0: none has */
};

static double now(struct backend *backend)
{
	return ((struct world *)backend->state)->time;
}

static double wait_until(struct backend *backend, double until)
{
	struct world *world = backend->state;

	world->time = fmax(world->time, until + world->late);
	return world->time;
}

static int open_calls(struct backend *backend, const struct options *options, size_t calls, void **state)
{
	(void)options;
	(void)calls;
	*state = backend->state;
	return 0;
}

static void close_calls(void *state)
{
	(void)state;
}

static int compute(void *state, double seconds)
{
	((struct world *)state)->time += seconds;
	return 0;
}

static int start(void *state, size_t number, const struct backend_call *call)
{
	(void)number;
	(void)call;
	return compute(state, 1e-4);
}

static int wait_for(void *state, size_t number)
{
	(void)state;
	(void)number;
	return 0;
}

static void again(void *state)
{
	((struct world *)state)->steps++;
}

static int barrier(struct launch *launch)
{
	(void)launch;
	return 0;
}

static int broadcast(struct launch *launch, void *data, size_t size)
{
	(void)launch;
	(void)data;
	(void)size;
	return 0;
}

static int gather(struct launch *launch, const void *mine, size_t size, void *all)
{
	(void)launch;
	for (size_t i = 0; i < size; i++)
		((char *)all)[i] = ((const char *)mine)[i];
	return 0;
}

static int agree(struct launch *launch, int value, int *largest)
{
	struct world *world = launch->state;

	*largest = ++world->asked == world->signal ? 1 : value;
	return 0;
}

/* Calls `act` with parts of one second of compute and a call of 0.1 ms. */
static void in_world(struct world *world, const struct options *options,
		     void (*act)(const struct step_measure_parts *parts, void *out), void *out)
{
	static const struct backend_step_ops step_ops = {
		.open = open_calls, .close = close_calls, .start = start, .wait = wait_for, .again = again, .compute = compute
	};
	static const struct backend_ops backend_ops = { .now = now, .wait_until = wait_until, .step = &step_ops };
	static const struct launch_ops launch_ops = {
		.barrier = barrier, .broadcast = broadcast, .gather = gather, .agree = agree
	};
	struct backend backend = { .ops = &backend_ops, .state = world, .nranks = 1 };
	struct launch launch = { .size = 1, .ops = &launch_ops, .state = world };
	struct clock clock = { .backend = &backend };
	struct step_call call = { .coll = COLL_ALL_REDUCE, .elements = 1 };
	struct step_act acts[] = { { STEP_COMPUTE, 0, 1 }, { STEP_START, 0, 0 }, { STEP_WAIT, 0, 0 } };
	const struct step_plan plan = { .calls = &call, .ncalls = 1, .acts = acts, .nacts = 3, .units = 1 };
	const struct step_row row = { STEP_BUCKETED, 4 };
	struct step_options step = { .progress = STEP_NOBODY };
	struct options own = *options;
	struct watch *watch = watch_start("steps", 0, true);
	struct step_run run = { .parts = { .backend = &backend, .clock = &clock, .watch = watch, .options = &own },
				.compute = 1 };
	const struct step_measure_parts parts = { &launch, &backend, &clock, watch, &own, &run, false };

	own.step = &step;
	assert_non_null(watch);
	assert_int_equal(step_run_begin(&run, &plan, &row), 0);
	act(&parts, out);
	step_run_close(&run);
	watch_stop(watch);
}

static void measure_row(const struct step_measure_parts *parts, void *out)
{
	assert_int_equal(step_measure_row(parts, out), 0);
}

static struct step_measured row_of(struct world *world, const struct options *options)
{
	struct step_measured measured;

	in_world(world, options, measure_row, &measured);
	return measured;
}

static void late_turns_are_kept_in_the_end(void **state)
{
	struct world late = { .late = 3e-6 }, other = late, punctual = { .late = 1.9e-6 };
	struct step_measured measured = row_of(&late, &(struct options){ .iters = 3, .max_time = 0.5 });

	(void)state;
	/* Three turns of two seconds: thrice that is gone with the ninth, or the tenth. */
	assert_true(measured.late && measured.precise && measured.step.n == 3);
	assert_in_range(measured.dropped, 8, 9);
	measured = row_of(&other, &(struct options){ .max_time = 1, .ci = 0.1 });
	assert_true(measured.late && measured.step.n >= 6);
	assert_int_equal(measured.dropped, 1); /* the second ends after four seconds, more than thrice one */
	measured = row_of(&punctual, &(struct options){ .iters = 3, .max_time = 0.5 });
	assert_true(!measured.late && measured.dropped == 0 && measured.step.n == 3);
	assert_float_equal(measured.compute, 1, 1e-5);
	assert_float_equal(measured.comm, 1e-4, 1e-5);
}

/* While --max-time lasts it is no matter how short the turns asked for are. */
static void time_is_used_before_late_turns_are(void **state)
{
	struct world late = { .late = 3e-6 };
	const struct step_measured measured = row_of(&late, &(struct options){ .iters = 1, .max_time = 4 });

	(void)state;
	assert_true(measured.late && measured.step.n == 1);
	assert_in_range(measured.dropped, 5, 6); /* twelve seconds, not six */
}

/* A check, two warm-ups, two turns of three parts, a check. */
static void a_signal_ends_a_row_before_the_next_step(void **state)
{
	enum { STEPS = 10 };

	(void)state;
	for (long signal = 1; signal <= STEPS + 1; signal++) {
		struct world world = { .signal = signal };
		const struct options options = { .iters = 2, .warmup = 2, .check = 1, .max_time = 0.5 };
		const struct step_measured measured = row_of(&world, &options);

		assert_int_equal(world.steps, signal - 1);
		assert_int_equal(measured.stop, signal <= STEPS);
	}
}

static void nor_does_an_unchecked_one_begin(void **state)
{
	struct world world = { .signal = 1 };

	(void)state;
	assert_true(row_of(&world, &(struct options){ .iters = 1 }).stop && world.steps == 0);
}

struct yardstick {
	double seconds;
	bool stop;
};

static void measure_comm(const struct step_measure_parts *parts, void *out)
{
	struct yardstick *yardstick = out;

	assert_int_equal(step_measure_comm(parts, &yardstick->seconds, &yardstick->stop), 0);
}

static void the_yardstick_stops_too(void **state)
{
	struct yardstick yardstick = { 0 };

	(void)state;
	for (long signal = 1; signal <= 10; signal++) {
		struct world world = { .signal = signal };

		in_world(&world, &(struct options){ .iters = 1 }, measure_comm, &yardstick);
		assert_true(yardstick.stop && world.steps == signal - 1);
	}
	in_world(&(struct world){ 0 }, &(struct options){ .iters = 1 }, measure_comm, &yardstick);
	assert_false(yardstick.stop);
	assert_float_equal(yardstick.seconds, 1e-4, 1e-9);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(late_turns_are_kept_in_the_end),
		cmocka_unit_test(time_is_used_before_late_turns_are),
		cmocka_unit_test(a_signal_ends_a_row_before_the_next_step),
		cmocka_unit_test(nor_does_an_unchecked_one_begin),
		cmocka_unit_test(the_yardstick_stops_too),
	};

	return cmocka_run_group_tests_name("step_measure", tests, NULL, NULL);
}
