/* SPDX-License-Identifier: Apache-2.0
 *
 * The thread of the watch: waits for signals, messages, lost connections and deadlines, and decides what each means. It never touches the
 * launch or the backend, as the main thread may be stuck in them.
 */
#include <errno.h>
#include <math.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "watch_parts.h"

enum { SIGNAL_EVENT, STATE_EVENT, LISTEN_EVENT, FIRST_PEER, BATCH = 64 };

static const double signal_limit = 5.0, answer_limit = 0.5, order_limit = 1.0, leave_limit = 2.0, linger_limit = 0.2;

/* No grace for rank 0: a launcher that sees the same death kills us a few milliseconds later. */
static const double others_grace = 0.1;

double watch_thread_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static enum watch_state state_of(struct watch *watch)
{
	return (enum watch_state)atomic_load_explicit(&watch->state, memory_order_acquire);
}

static bool is_lone(struct watch *watch)
{
	return state_of(watch) == WATCH_ALONE || watch->size == 1;
}

/* Whether another process speaks for this one. */
static bool is_led(struct watch *watch)
{
	return !is_lone(watch) && watch->rank > 0;
}

static void set_deadline(struct watch *watch, enum watch_deadline which, double seconds)
{
	watch->deadline[which] = watch_thread_now() + seconds;
}

static bool is_due(struct watch *watch, enum watch_deadline which, double now)
{
	if (watch->deadline[which] > now)
		return false;
	watch->deadline[which] = INFINITY;
	return true;
}

static void tell_all(struct watch *watch, enum watch_kind kind)
{
	for (size_t i = 0; i < watch->peer_count; i++)
		watch_net_send(&watch->peers[i], kind, 0, 0, NULL);
}

/* Ends after the others where it can: closing with their data unread would reset the connection under our own order. */
static void end_job(struct watch *watch)
{
	const double until = watch_thread_now() + linger_limit;

	if (is_lone(watch))
		_exit(WATCH_EXIT);
	tell_all(watch, WATCH_QUIT);
	for (size_t i = 0; i < watch->peer_count; i++) {
		struct watch_peer *peer = &watch->peers[i];

		if (peer->fd < 0)
			continue;
		shutdown(peer->fd, SHUT_WR);
		while (watch_net_receive_until(peer, until) == 1)
			;
	}
	_exit(WATCH_EXIT);
}

static void decide_timeout(struct watch *watch)
{
	struct watch_peer *self = &watch->peers[0];

	self->known = self->answered = true;
	self->calls = atomic_load(&watch->calls);
	watch_text_timeout(watch);
	end_job(watch);
}

static bool all_answered(const struct watch *watch)
{
	for (size_t i = 1; i < watch->peer_count; i++)
		if (watch->peers[i].known && !watch->peers[i].answered)
			return false;
	return true;
}

static void ask_all(struct watch *watch)
{
	if (isfinite(watch->deadline[WATCH_ANSWERS]))
		return;
	set_deadline(watch, WATCH_ANSWERS, answer_limit);
	tell_all(watch, WATCH_ASK);
}

/* Rank 0 prints, so that there is one line; when it does not react, the spokesman does, and then whoever is still alive. */
static void report(struct watch *watch, enum watch_kind kind, uint32_t value)
{
	const bool first = watch->rank == atomic_load(&watch->spokesman);

	if (watch->reported)
		return;
	watch->reported = kind;
	watch_net_send(&watch->peers[0], kind, value, 0, NULL);
	set_deadline(watch, WATCH_ORDER, first ? order_limit : 2 * order_limit);
}

static void speak_alone(struct watch *watch)
{
	if (watch->reported == WATCH_STUCK)
		watch_text_no_order(watch);
	else
		watch_text_interrupted(watch, watch->rank, watch->signals > 1);
	end_job(watch);
}

static void on_timeout(struct watch *watch)
{
	if (is_led(watch)) {
		report(watch, WATCH_STUCK, 0);
	} else if (is_lone(watch)) {
		watch_text_lone_timeout(watch);
		end_job(watch);
	} else {
		ask_all(watch);
	}
}

static void on_tick(struct watch *watch, double now)
{
	const unsigned long progress = atomic_load_explicit(&watch->calls, memory_order_relaxed) +
				       atomic_load_explicit(&watch->steps, memory_order_relaxed);

	if (progress != watch->progress) {
		watch->progress = progress;
		watch->progress_time = now;
	} else if (now - watch->progress_time >= watch->timeout) {
		on_timeout(watch);
		return;
	}
	set_deadline(watch, WATCH_TICK, fmax(0.25, watch->timeout / 16));
}

static void give_up_sweep(struct watch *watch)
{
	if (is_led(watch)) {
		report(watch, WATCH_INTERRUPTED, watch->signals > 1);
		return;
	}
	watch_text_interrupted(watch, is_lone(watch) ? -1 : 0, watch->signals > 1);
	end_job(watch);
}

static void on_signals(struct watch *watch)
{
	struct signalfd_siginfo info;

	while (read(watch->signal_fd, &info, sizeof info) == (ssize_t)sizeof info)
		watch->signals++;
	if (!watch->signals)
		return;
	if (!atomic_exchange(&watch->interrupted, true))
		set_deadline(watch, WATCH_SIGNAL, signal_limit);
	if (watch->signals > 2)
		_exit(WATCH_EXIT);
	if (watch->signals > 1)
		give_up_sweep(watch);
}

static void take(struct watch *watch, struct watch_peer *peer)
{
	const struct watch_message *message = &peer->in;

	switch (message->kind) {
	case WATCH_STUCK:
		if (watch->rank == 0)
			ask_all(watch);
		break;
	case WATCH_INTERRUPTED:
		if (watch->rank == 0) {
			watch_text_interrupted(watch, (int)(peer - watch->peers), message->value == 1);
			end_job(watch);
		}
		break;
	case WATCH_ASK:
		watch_net_send(peer, WATCH_ANSWER, (uint32_t)atomic_load(&watch->phase), atomic_load(&watch->calls), NULL);
		break;
	case WATCH_ANSWER:
		peer->answered = true;
		peer->phase = message->value;
		peer->calls = message->number;
		break;
	case WATCH_QUIT:
		if (watch->rank == 0)
			end_job(watch);
		_exit(WATCH_EXIT);
	case WATCH_GOODBYE:
		peer->goodbye = true;
		break;
	}
}

static void on_peer(struct watch *watch, struct watch_peer *peer)
{
	int rc;

	while ((rc = watch_net_receive(peer)) == 1)
		take(watch, peer);
	if (rc == 0)
		return;
	watch_net_close(peer);
	if (peer->goodbye)
		return;
	peer->lost = true;
	if (isinf(watch->deadline[WATCH_LOSS]))
		set_deadline(watch, WATCH_LOSS,
			     !is_led(watch) || watch->rank == atomic_load(&watch->spokesman) ? 0 : others_grace);
}

static void watch_fd(struct watch *watch, int operation, int fd, uint64_t index)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = index };

	epoll_ctl(watch->epoll_fd, operation, fd, &event);
}

/* Indices of events: peers first, then pending ones, in one array. */
static void on_pending(struct watch *watch, struct watch_peer *pending)
{
	const int rc = watch_net_receive(pending);
	struct watch_peer *peer;

	if (rc == 0)
		return;
	peer = rc == 1 ? watch_net_admit(watch, pending) : NULL;
	if (!peer) {
		watch_net_close(pending);
		return;
	}
	watch_fd(watch, EPOLL_CTL_MOD, peer->fd, FIRST_PEER + (uint64_t)(peer - watch->peers));
	on_peer(watch, peer);
}

/* The oldest stranger makes room, so that silent connections cannot keep ranks out. */
static void on_connection(struct watch *watch)
{
	for (int i = 0; i < BATCH; i++) {
		struct watch_peer *pending = &watch->pending[watch->pending_next];
		const int fd = accept4(watch->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd < 0 && errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
			watch_net_stop_accepting(watch); /* out of descriptors: asking again would spin */
		if (fd < 0)
			return;
		watch->pending_next = (watch->pending_next + 1) % watch->pending_count;
		watch_net_close(pending);
		*pending = (struct watch_peer){ .fd = fd };
		watch_fd(watch, EPOLL_CTL_ADD, fd, FIRST_PEER + (uint64_t)(pending - watch->peers));
		on_pending(watch, pending);
	}
}

static void on_state(struct watch *watch)
{
	enum watch_state state;
	uint64_t count;

	/* First the event, then the state: a state that moves in between brings another event. */
	if (read(watch->event_fd, &count, sizeof count) < 0)
		return;
	state = state_of(watch);
	if (state >= WATCH_JOINING && !watch->attached) {
		watch->attached = true;
		if (watch->listen_fd >= 0)
			watch_fd(watch, EPOLL_CTL_ADD, watch->listen_fd, LISTEN_EVENT);
		if (watch->rank > 0 && watch->peers[0].fd >= 0)
			watch_fd(watch, EPOLL_CTL_ADD, watch->peers[0].fd, FIRST_PEER);
	}
	if (state >= WATCH_JOINED)
		watch_net_stop_accepting(watch);
	if (state == WATCH_STOPPING) {
		watch->deadline[WATCH_TICK] = INFINITY;
		set_deadline(watch, WATCH_LEAVE, leave_limit);
		if (watch->rank > 0)
			tell_all(watch, WATCH_GOODBYE);
	}
}

/* Everybody has said goodbye, or what remains of them has had its time. */
static bool is_over(struct watch *watch, double now)
{
	if (state_of(watch) != WATCH_STOPPING || isinf(watch->deadline[WATCH_LEAVE]))
		return false;
	if (isfinite(watch->deadline[WATCH_LOSS]))
		return false;
	if (is_due(watch, WATCH_LEAVE, now))
		return true;
	for (size_t i = 0; i < watch->peer_count; i++)
		if (watch->peers[i].fd >= 0 && !watch->peers[i].goodbye)
			return false;
	return true;
}

static void on_loss(struct watch *watch)
{
	if (is_led(watch) && watch->rank != atomic_load(&watch->spokesman))
		_exit(WATCH_EXIT);
	watch_text_loss(watch);
	end_job(watch);
}

static void on_deadlines(struct watch *watch, double now)
{
	if (is_due(watch, WATCH_LOSS, now))
		on_loss(watch);
	if (watch->deadline[WATCH_ANSWERS] < INFINITY && (all_answered(watch) || is_due(watch, WATCH_ANSWERS, now)))
		decide_timeout(watch);
	if (is_due(watch, WATCH_ORDER, now))
		speak_alone(watch);
	if (is_due(watch, WATCH_SIGNAL, now))
		give_up_sweep(watch);
	if (is_due(watch, WATCH_TICK, now))
		on_tick(watch, now);
}

static int wait_ms(const struct watch *watch)
{
	double first = INFINITY;

	for (int i = 0; i < WATCH_DEADLINE_COUNT; i++)
		first = fmin(first, watch->deadline[i]);
	if (isinf(first))
		return -1;
	return (int)fmin(60e3, ceil(1e3 * fmax(0, first - watch_thread_now())));
}

static void on_event(struct watch *watch, uint64_t index)
{
	if (index == SIGNAL_EVENT)
		on_signals(watch);
	else if (index == STATE_EVENT)
		on_state(watch);
	else if (index == LISTEN_EVENT)
		on_connection(watch);
	else if (index - FIRST_PEER < watch->peer_count)
		on_peer(watch, &watch->peers[index - FIRST_PEER]);
	else
		on_pending(watch, &watch->peers[index - FIRST_PEER]);
}

void *watch_thread_run(void *arg)
{
	struct watch *watch = arg;
	struct epoll_event events[BATCH];

	if (watch->timeout > 0) {
		watch->progress_time = watch_thread_now();
		set_deadline(watch, WATCH_TICK, 0);
	}
	while (!is_over(watch, watch_thread_now())) {
		const int count = epoll_wait(watch->epoll_fd, events, BATCH, wait_ms(watch));

		for (int i = 0; i < count; i++)
			on_event(watch, events[i].data.u64);
		on_deadlines(watch, watch_thread_now());
	}
	if (watch->rank == 0)
		tell_all(watch, WATCH_GOODBYE);
	return NULL;
}
