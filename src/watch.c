/* SPDX-License-Identifier: Apache-2.0
 *
 * The watch as the main thread sees it: start, connect, report progress, stop. What it writes for the thread is published by moving the state.
 */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "launch.h"
#include "watch.h"
#include "watch_parts.h"

static void move_state(struct watch *watch, enum watch_state state)
{
	const uint64_t one = 1;

	atomic_store_explicit(&watch->state, (int)state, memory_order_release);
	while (write(watch->event_fd, &one, sizeof one) < 0 && errno == EINTR)
		;
}

static void wanted_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
}

static int add_descriptor(struct watch *watch, int fd, uint64_t index)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = index };

	return epoll_ctl(watch->epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

static void close_descriptors(struct watch *watch)
{
	const int fds[] = { watch->epoll_fd, watch->signal_fd, watch->event_fd, watch->listen_fd };

	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

static int open_descriptors(struct watch *watch)
{
	sigset_t set;

	wanted_signals(&set);
	watch->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	watch->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	watch->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (watch->epoll_fd < 0 || watch->signal_fd < 0 || watch->event_fd < 0)
		return -1;
	return add_descriptor(watch, watch->signal_fd, 0) || add_descriptor(watch, watch->event_fd, 1) ? -1 : 0;
}

/* The thread takes no signal of its own, so that handlers of libraries run where they expect to. */
static int start_thread(struct watch *watch)
{
	sigset_t all, before, wanted;
	pthread_attr_t attr;
	int error;

	sigfillset(&all);
	wanted_signals(&wanted);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 256 << 10);
	error = pthread_create(&watch->thread, &attr, watch_thread_run, watch);
	pthread_attr_destroy(&attr);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!error) {
		pthread_setname_np(watch->thread, "watch");
		pthread_sigmask(SIG_BLOCK, &wanted, NULL);
	}
	errno = error;
	return error ? -1 : 0;
}

static struct watch *new_watch(const char *program, double timeout, bool simulated)
{
	struct watch *watch = calloc(1, sizeof *watch);

	if (!watch)
		return NULL;
	snprintf(watch->program, sizeof watch->program, "%s", program);
	if (gethostname(watch->host, sizeof watch->host) || !watch->host[0])
		strcpy(watch->host, "unknown");
	watch->host[sizeof watch->host - 1] = '\0';
	watch->timeout = timeout;
	watch->simulated = simulated;
	watch->epoll_fd = watch->signal_fd = watch->event_fd = watch->listen_fd = -1;
	pthread_mutex_init(&watch->point_lock, NULL);
	atomic_init(&watch->spokesman, 1);
	for (int i = 0; i < WATCH_DEADLINE_COUNT; i++)
		watch->deadline[i] = INFINITY;
	return watch;
}

static void release(struct watch *watch)
{
	for (size_t i = 0; i < watch->peer_count + watch->pending_count; i++)
		watch_net_close(&watch->peers[i]);
	free(watch->peers);
	close_descriptors(watch);
	pthread_mutex_destroy(&watch->point_lock);
	free(watch);
}

struct watch *watch_start(const char *program, double timeout, bool simulated)
{
	struct watch *watch = new_watch(program, timeout, simulated);

	if (!watch) {
		fprintf(stderr, "%s: watch: out of memory\n", program);
		return NULL;
	}
	if (!simulated && (open_descriptors(watch) || start_thread(watch))) {
		fprintf(stderr, "%s: watch: cannot start its thread: %s\n", program, strerror(errno));
		release(watch);
		return NULL;
	}
	return watch;
}

/* Rank 0 needs a descriptor for every other rank. */
static void allow_descriptors(int size)
{
	const rlim_t need = 2 * (rlim_t)size + 256;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= need)
		return;
	limit.rlim_cur = limit.rlim_max < need ? limit.rlim_max : need;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int make_peers(struct watch *watch, const struct launch *launch)
{
	const size_t count = launch->rank == 0 ? (size_t)launch->size : 1;
	const size_t pending = launch->rank == 0 ? count + WATCH_SPARE : 0;
	struct watch_peer *peers = calloc(count + pending, sizeof *peers);

	if (!peers) {
		fprintf(stderr, "%s: watch: out of memory\n", watch->program);
		return -1;
	}
	for (size_t i = 0; i < count + pending; i++)
		peers[i].fd = -1;
	watch->rank = launch->rank;
	watch->size = launch->size;
	watch->peers = peers;
	watch->peer_count = count;
	watch->pending = peers + count;
	watch->pending_count = pending;
	return 0;
}

/*
 * The lowest other rank that is connected, from the one reduction there is, a maximum. It also keeps rank 0 accepting until every
 * rank has tried.
 */
static int agree_spokesman(struct watch *watch, struct launch *launch)
{
	const bool connected = watch->rank > 0 && watch->peers[0].fd >= 0;
	int largest = 0;

	if (launch->ops->agree(launch, connected ? watch->size - watch->rank : 0, &largest))
		return -1;
	atomic_store(&watch->spokesman, watch->size - largest);
	return 0;
}

int watch_connect(struct watch *watch, struct launch *launch)
{
	struct watch_invitation invitation = { 0 };
	int rc = 0;

	if (watch->simulated)
		return 0;
	if (make_peers(watch, launch))
		return -1;
	if (launch->size > 1) {
		if (launch->rank == 0) {
			allow_descriptors(launch->size);
			watch_net_invite(watch, &invitation);
			move_state(watch, WATCH_JOINING);
		}
		rc = launch->ops->broadcast(launch, &invitation, sizeof invitation);
		if (!rc && launch->rank > 0) {
			watch_net_join(watch, &invitation, launch->node == 0);
			move_state(watch, WATCH_JOINING);
		}
		if (!rc)
			rc = agree_spokesman(watch, launch);
	}
	move_state(watch, WATCH_JOINED);
	return rc;
}

void watch_point(struct watch *watch, const char *what)
{
	if (watch->simulated)
		return;
	pthread_mutex_lock(&watch->point_lock);
	snprintf(watch->point, sizeof watch->point, "%s", what);
	pthread_mutex_unlock(&watch->point_lock);
	atomic_fetch_add_explicit(&watch->steps, 1, memory_order_relaxed);
}

void watch_phase(struct watch *watch, enum watch_phase phase)
{
	atomic_store_explicit(&watch->phase, (int)phase, memory_order_relaxed);
	atomic_fetch_add_explicit(&watch->steps, 1, memory_order_relaxed);
}

void watch_call(struct watch *watch)
{
	atomic_fetch_add_explicit(&watch->calls, 1, memory_order_relaxed);
}

bool watch_interrupted(const struct watch *watch)
{
	return atomic_load_explicit(&watch->interrupted, memory_order_relaxed);
}

void watch_stop(struct watch *watch)
{
	sigset_t wanted;

	if (!watch)
		return;
	if (!watch->simulated) {
		move_state(watch, WATCH_STOPPING);
		pthread_join(watch->thread, NULL);
		/* From here on a signal ends the process, also where a shell had it ignored for a background job. */
		wanted_signals(&wanted);
		signal(SIGINT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		pthread_sigmask(SIG_UNBLOCK, &wanted, NULL);
	}
	release(watch);
}
