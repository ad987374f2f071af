/* SPDX-License-Identifier: Apache-2.0
 *
 * The thread of the watch in every rank: takes signals, notices missing progress, reports both to the hub and obeys it. It never touches the
 * launch or, but for the hooks, the backend, as the main thread may be stuck in them.
 */
#include <math.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "watch_parts.h"

static const double signal_limit = 5.0, order_limit = 1.0, leave_limit = 2.0, others_grace = 0.2, others_moment = 0.3;

static bool is_lone(const struct watch *watch)
{
	return watch_loop_state(watch) == WATCH_ALONE || watch->shared->size == 1;
}

static bool is_spokesman(const struct watch *watch)
{
	return watch->shared->rank == atomic_load(&watch->shared->spokesman);
}

/*
 * The hub prints, so that there is one line; when it does not react, the spokesman does, and then whoever is still alive. A time-out may turn out to be
 * none, a signal not.
 */
static void report(struct watch *watch, enum watch_kind kind, uint32_t value)
{
	if (watch->reported && (watch->reported != WATCH_STUCK || kind == WATCH_STUCK))
		return;
	watch->reported = kind;
	watch_net_send(&watch->peers[0], kind, value, 0, NULL);
	watch_loop_set(watch, WATCH_ORDER, is_spokesman(watch) ? order_limit : 2 * order_limit + watch_hooks_longest(watch));
}

static _Noreturn void leave(struct watch *watch)
{
	watch_hooks_abort(watch);
	_exit(WATCH_EXIT);
}

static void on_order_missing(struct watch *watch)
{
	if (watch->reported == WATCH_STUCK)
		watch_text_no_order(watch);
	else
		watch_text_interrupted(watch, watch->shared->rank, watch->signals > 1);
	watch_net_send(&watch->peers[0], WATCH_QUIT, 0, 0, NULL);
	leave(watch);
}

static void on_timeout(struct watch *watch)
{
	if (!is_lone(watch)) {
		report(watch, WATCH_STUCK, 0);
		return;
	}
	watch_text_lone_timeout(watch);
	leave(watch);
}

/* Seconds since our main thread was last seen to go on. */
static double idle_time(struct watch *watch, double now)
{
	const unsigned long progress = atomic_load_explicit(&watch->shared->calls, memory_order_relaxed) +
				       atomic_load_explicit(&watch->shared->steps, memory_order_relaxed);

	if (progress != watch->progress) {
		watch->progress = progress;
		watch->progress_time = now;
	}
	return now - watch->progress_time;
}

static void on_tick(struct watch *watch, double now)
{
	if (idle_time(watch, now) >= watch->timeout && now >= watch->patience)
		on_timeout(watch);
	watch_loop_set(watch, WATCH_TICK, fmax(0.25, watch->timeout / 16));
}

static void give_up_sweep(struct watch *watch)
{
	if (!is_lone(watch)) {
		report(watch, WATCH_INTERRUPTED, watch->signals > 1);
		return;
	}
	watch_text_interrupted(watch, -1, watch->signals > 1);
	leave(watch);
}

static void on_signals(struct watch *watch, uint64_t index)
{
	struct signalfd_siginfo info;

	if (index != WATCH_SIGNAL_EVENT)
		return;
	while (read(watch->signal_fd, &info, sizeof info) == (ssize_t)sizeof info)
		watch->signals++;
	if (!watch->signals)
		return;
	if (!atomic_exchange(&watch->shared->interrupted, true))
		watch_loop_set(watch, WATCH_SIGNAL, signal_limit);
	if (watch->signals > 2)
		_exit(WATCH_EXIT);
	if (watch->signals > 1)
		give_up_sweep(watch);
}

/*
 * hydra kills the other ranks when a rank's PMI connection closes, and then reports that signal instead of our code. So a child keeps the
 * connection, and nothing else, for the moment that the others need to exit, too. _Fork, as the main thread may hold any lock.
 */
static _Noreturn void exit_together(struct watch *watch)
{
	const double seconds = others_moment + watch_hooks_abort(watch), whole = floor(seconds);
	const struct timespec moment = { .tv_sec = (time_t)whole, .tv_nsec = (long)(1e9 * (seconds - whole)) };
	const char *text = getenv("PMI_FD");
	const int fd = text ? (int)strtol(text, NULL, 10) : -1;

	if (fd > 0 && _Fork() == 0) {
		setsid();
		if (dup2(fd, 0) == 0 && close_range(1, ~0U, 0) == 0)
			nanosleep(&moment, NULL);
	}
	_exit(WATCH_EXIT);
}

static void answer(struct watch *watch, const struct watch_peer *hub)
{
	uint64_t unfinished;
	const bool tells = watch_hooks_unfinished(watch, &unfinished);

	watch_net_answer(hub, atomic_load(&watch->shared->calls), idle_time(watch, watch_loop_now()), tells, unfinished);
}

/* What goes on may be what our main thread waits for. */
static void on_patience(struct watch *watch, double seconds)
{
	watch->patience = watch_loop_now() + seconds;
	if (watch->reported != WATCH_STUCK)
		return;
	watch->reported = 0;
	watch->deadline[WATCH_ORDER] = INFINITY;
}

static void on_message(struct watch *watch, struct watch_peer *hub)
{
	switch (hub->in.kind) {
	case WATCH_ASK:
		answer(watch, hub);
		break;
	case WATCH_GO_ON:
		on_patience(watch, 1e-6 * (double)hub->in.number);
		break;
	case WATCH_QUIT:
		exit_together(watch);
	case WATCH_GOODBYE:
		hub->goodbye = true;
		break;
	default:
		break;
	}
}

static void on_state(struct watch *watch, enum watch_state state)
{
	if (state >= WATCH_JOINING && !watch->joined) {
		watch->joined = true;
		if (watch->peer_count > 0 && watch->peers[0].fd >= 0)
			watch_loop_add(watch, EPOLL_CTL_ADD, watch->peers[0].fd, WATCH_FIRST_PEER);
	}
	if (state == WATCH_STOPPING) {
		watch->deadline[WATCH_TICK] = INFINITY;
		watch_loop_set(watch, WATCH_LEAVE, leave_limit);
		if (watch->peer_count > 0)
			watch_net_send(&watch->peers[0], WATCH_GOODBYE, 0, 0, NULL);
	}
}

/* The hub only ends without an order when rank 0's host is lost: the text then speaks of rank 0. */
static void on_loss(struct watch *watch)
{
	if (is_spokesman(watch)) {
		watch_text_loss(watch);
		leave(watch);
	}
	if (watch->reported == WATCH_GOODBYE)
		leave(watch);
	watch->reported = WATCH_GOODBYE;
	watch_loop_set(watch, WATCH_LOSS, others_grace);
}

static void on_deadlines(struct watch *watch, double now)
{
	if (watch_loop_due(watch, WATCH_LOSS, now))
		on_loss(watch);
	if (watch_loop_due(watch, WATCH_ORDER, now))
		on_order_missing(watch);
	if (watch_loop_due(watch, WATCH_SIGNAL, now))
		give_up_sweep(watch);
	if (watch_loop_due(watch, WATCH_TICK, now))
		on_tick(watch, now);
}

void *watch_thread_run(void *arg)
{
	static const struct watch_role role = {
		.on_state = on_state,
		.on_message = on_message,
		.on_other = on_signals,
		.on_deadlines = on_deadlines,
	};
	struct watch *watch = arg;

	watch->role = &role;
	watch_loop_add(watch, EPOLL_CTL_ADD, watch->signal_fd, WATCH_SIGNAL_EVENT);
	if (watch->timeout > 0) {
		watch->progress_time = watch_loop_now();
		watch_loop_set(watch, WATCH_TICK, 0);
	}
	watch_loop_run(watch);
	return NULL;
}
