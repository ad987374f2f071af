/* SPDX-License-Identifier: Apache-2.0
 *
 * What the watch asks of the backend. The main thread sets and takes away, the watch's thread calls; a lock keeps the backend open meanwhile.
 * An abort may hang like the call that it shall end, so it has a thread that nobody waits for longer than a moment.
 */
#include <math.h>
#include <signal.h>
#include <time.h>

#include "watch_parts.h"

static const double abort_limit = 2.5;

void watch_set_hooks(struct watch *watch, const struct watch_hooks *hooks)
{
	if (watch->simulated)
		return;
	pthread_mutex_lock(&watch->hooks_lock);
	watch->hooks = hooks ? *hooks : (struct watch_hooks){ 0 };
	pthread_mutex_unlock(&watch->hooks_lock);
	if (hooks && hooks->nlocal > 0)
		atomic_store(&watch->shared->nlocal, hooks->nlocal);
}

bool watch_hooks_unfinished(struct watch *watch, uint64_t *unfinished)
{
	bool tells;

	*unfinished = 0;
	pthread_mutex_lock(&watch->hooks_lock);
	tells = watch->hooks.unfinished;
	if (tells)
		*unfinished = watch->hooks.unfinished(watch->hooks.arg);
	pthread_mutex_unlock(&watch->hooks_lock);
	return tells;
}

double watch_hooks_longest(struct watch *watch)
{
	double longest;

	pthread_mutex_lock(&watch->hooks_lock);
	longest = watch->hooks.abort ? abort_limit : 0;
	pthread_mutex_unlock(&watch->hooks_lock);
	return longest;
}

static void *run_abort(void *arg)
{
	struct watch *watch = arg;

	watch->hooks.abort(watch->hooks.arg);
	return NULL;
}

/* The lock is never given back: the backend must not close under the abort. */
double watch_hooks_abort(struct watch *watch)
{
	const double until = watch_loop_now() + abort_limit;
	struct timespec limit = { .tv_sec = (time_t)until };
	pthread_t thread;

	limit.tv_nsec = (long)(1e9 * (until - floor(until)));
	pthread_mutex_lock(&watch->hooks_lock);
	if (!watch->hooks.abort || pthread_create(&thread, NULL, run_abort, watch))
		return 0;
	pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &limit);
	return fmax(0, until - watch_loop_now());
}
