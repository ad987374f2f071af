/* SPDX-License-Identifier: Apache-2.0
 *
 * What the thread and the hub of the watch have in common: one wait for descriptors and deadlines. Without a deadline it sleeps for ever, so that
 * a watched job costs its ranks nothing.
 */
#include <math.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "watch_parts.h"

enum { BATCH = 64 };

double watch_loop_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void watch_loop_set(struct watch *watch, enum watch_deadline which, double seconds)
{
	watch->deadline[which] = watch_loop_now() + seconds;
}

bool watch_loop_due(struct watch *watch, enum watch_deadline which, double now)
{
	if (watch->deadline[which] > now)
		return false;
	watch->deadline[which] = INFINITY;
	return true;
}

enum watch_state watch_loop_state(const struct watch *watch)
{
	return (enum watch_state)atomic_load_explicit(&watch->shared->state, memory_order_acquire);
}

void watch_loop_add(struct watch *watch, int operation, int fd, uint64_t index)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = index };

	epoll_ctl(watch->epoll_fd, operation, fd, &event);
}

int watch_loop_open(struct watch *watch)
{
	watch->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (watch->epoll_fd < 0)
		return -1;
	watch_loop_add(watch, EPOLL_CTL_ADD, watch->event_fd, WATCH_STATE_EVENT);
	return 0;
}

void watch_loop_on_peer(struct watch *watch, struct watch_peer *peer)
{
	int rc;

	while ((rc = watch_net_receive(peer)) == 1)
		watch->role->on_message(watch, peer);
	if (rc == 0)
		return;
	watch_net_close(peer);
	if (peer->goodbye)
		return;
	peer->lost = true;
	if (isinf(watch->deadline[WATCH_LOSS]))
		watch_loop_set(watch, WATCH_LOSS, 0);
}

/* First the event, then the state: a state that moves in between brings another event. */
static void on_state(struct watch *watch)
{
	uint64_t count;

	if (read(watch->event_fd, &count, sizeof count) == (ssize_t)sizeof count)
		watch->role->on_state(watch, watch_loop_state(watch));
}

static void on_event(struct watch *watch, uint64_t index)
{
	if (index == WATCH_STATE_EVENT)
		on_state(watch);
	else if (index >= WATCH_FIRST_PEER && index - WATCH_FIRST_PEER < watch->peer_count)
		watch_loop_on_peer(watch, &watch->peers[index - WATCH_FIRST_PEER]);
	else
		watch->role->on_other(watch, index);
}

static int wait_ms(const struct watch *watch)
{
	double first = INFINITY;

	for (int i = 0; i < WATCH_DEADLINE_COUNT; i++)
		first = fmin(first, watch->deadline[i]);
	if (isinf(first))
		return -1;
	return (int)fmin(60e3, ceil(1e3 * fmax(0, first - watch_loop_now())));
}

/* The role sets WATCH_LEAVE when it has seen that the state is WATCH_STOPPING. */
static bool is_over(struct watch *watch)
{
	if (isinf(watch->deadline[WATCH_LEAVE]) || isfinite(watch->deadline[WATCH_LOSS]))
		return false;
	if (watch_loop_due(watch, WATCH_LEAVE, watch_loop_now()))
		return true;
	for (size_t i = 0; i < watch->peer_count; i++)
		if (watch->peers[i].fd >= 0 && !watch->peers[i].goodbye)
			return false;
	return true;
}

void watch_loop_run(struct watch *watch)
{
	struct epoll_event events[BATCH];

	while (!is_over(watch)) {
		const int count = epoll_wait(watch->epoll_fd, events, BATCH, wait_ms(watch));

		for (int i = 0; i < count; i++)
			on_event(watch, events[i].data.u64);
		watch->role->on_deadlines(watch, watch_loop_now());
	}
}
