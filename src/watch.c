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
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "launch.h"
#include "watch.h"
#include "watch_parts.h"

/* What was written before is published to the thread and the hub. */
static void move_state(struct watch *watch, enum watch_state state)
{
	const int fds[] = { watch->event_fd, watch->hub_event_fd };
	const uint64_t one = 1;

	atomic_store_explicit(&watch->shared->state, (int)state, memory_order_release);
	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
		while (write(fds[i], &one, sizeof one) < 0 && errno == EINTR)
			;
}

static bool is_ignored(int number)
{
	struct sigaction action;

	return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/*
 * SIGHUP comes when a terminal closes, or a connection to the machine. Where it is ignored somebody asked for exactly this (nohup); blocked it would come
 * all the same.
 */
static void wanted_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	if (!is_ignored(SIGHUP))
		sigaddset(set, SIGHUP);
}

/* The hub goes first: it must not inherit what the thread waits on. Without a listening socket ranks stay unknown, no more. */
static int open_descriptors(struct watch *watch)
{
	sigset_t set;

	wanted_signals(&set);
	watch->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	watch->hub_event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (watch->event_fd < 0 || watch->hub_event_fd < 0)
		return -1;
	watch_net_listen(watch);
	if (watch_hub_start(watch))
		return -1;
	watch->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return watch->signal_fd < 0 ? -1 : watch_loop_open(watch);
}

/* The thread takes no signal by a handler, so that handlers of libraries run where they expect to. */
static int start_thread(struct watch *watch)
{
	sigset_t all, before, wanted;
	int error;

	sigfillset(&all);
	wanted_signals(&wanted);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&watch->thread, NULL, watch_thread_run, watch);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!error) {
		watch->has_thread = true;
		pthread_setname_np(watch->thread, "watch");
		pthread_sigmask(SIG_BLOCK, &wanted, NULL);
	}
	errno = error;
	return error ? -1 : 0;
}

static struct watch_shared *new_shared(void)
{
	struct watch_shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_t attr;

	if (shared == MAP_FAILED)
		return NULL;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&shared->point_lock, &attr);
	pthread_mutexattr_destroy(&attr);
	atomic_init(&shared->spokesman, 1);
	atomic_init(&shared->nlocal, 1);
	return shared;
}

static struct watch *new_watch(const char *program, double timeout, bool simulated)
{
	struct watch *watch = calloc(1, sizeof *watch);

	if (!watch)
		return NULL;
	watch->shared = new_shared();
	if (!watch->shared) {
		free(watch);
		return NULL;
	}
	snprintf(watch->program, sizeof watch->program, "%s", program);
	if (gethostname(watch->host, sizeof watch->host) || !watch->host[0])
		snprintf(watch->host, sizeof watch->host, "unknown");
	watch->host[sizeof watch->host - 1] = '\0';
	pthread_mutex_init(&watch->hooks_lock, NULL);
	watch->timeout = timeout;
	watch->simulated = simulated;
	watch->listen_fd = watch->pair_fd = watch->event_fd = watch->hub_event_fd = watch->signal_fd = watch->epoll_fd = -1;
	for (int i = 0; i < WATCH_DEADLINE_COUNT; i++)
		watch->deadline[i] = INFINITY;
	return watch;
}

static void close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void release(struct watch *watch)
{
	watch_hub_end(watch);
	if (watch->peer_count > 0 && watch->peers[0].fd != watch->pair_fd)
		watch_net_close(&watch->peers[0]);
	free(watch->peers);
	close_one(&watch->listen_fd);
	close_one(&watch->pair_fd);
	close_one(&watch->event_fd);
	close_one(&watch->hub_event_fd);
	close_one(&watch->signal_fd);
	close_one(&watch->epoll_fd);
	munmap(watch->shared, sizeof *watch->shared);
	pthread_mutex_destroy(&watch->hooks_lock);
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
		fprintf(stderr, "%s: watch: cannot start: %s\n", program, strerror(errno));
		release(watch);
		return NULL;
	}
	return watch;
}

/* The one connection of a thread is to the hub. */
static int prepare_peer(struct watch *watch, const struct launch *launch)
{
	const bool has_hub = launch->rank == 0 && launch->size > 1;

	watch->peers = calloc(1, sizeof *watch->peers);
	if (!watch->peers) {
		fprintf(stderr, "%s: watch: out of memory\n", watch->program);
		return -1;
	}
	watch->peer_count = 1;
	watch->peers[0].fd = has_hub ? watch->pair_fd : -1;
	watch->shared->rank = launch->rank;
	watch->shared->size = launch->size;
	if (!has_hub)
		watch_hub_end(watch);
	return 0;
}

/*
 * The lowest rank but 0 that is connected, from the one reduction there is, a maximum. It also keeps the hub accepting until every
 * rank has tried.
 */
static int agree_spokesman(struct watch *watch, struct launch *launch)
{
	const bool connected = launch->rank > 0 && watch->peers[0].fd >= 0;
	int largest = 0;

	if (launch->ops->agree(launch, connected ? launch->size - launch->rank : 0, &largest))
		return -1;
	atomic_store(&watch->shared->spokesman, launch->size - largest);
	return 0;
}

int watch_connect(struct watch *watch, struct launch *launch)
{
	struct watch_invitation invitation = { 0 };
	int rc = 0;

	if (watch->simulated)
		return 0;
	if (prepare_peer(watch, launch))
		return -1;
	if (launch->size > 1) {
		if (launch->rank == 0) {
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
	close_one(&watch->listen_fd);
	move_state(watch, WATCH_JOINED);
	return rc;
}

void watch_point(struct watch *watch, const char *what)
{
	if (watch->simulated)
		return;
	pthread_mutex_lock(&watch->shared->point_lock);
	snprintf(watch->shared->point, sizeof watch->shared->point, "%s", what);
	pthread_mutex_unlock(&watch->shared->point_lock);
	atomic_fetch_add_explicit(&watch->shared->steps, 1, memory_order_relaxed);
}

void watch_phase(struct watch *watch, enum watch_phase phase)
{
	atomic_store_explicit(&watch->shared->phase, (int)phase, memory_order_relaxed);
	atomic_fetch_add_explicit(&watch->shared->steps, 1, memory_order_relaxed);
}

void watch_call(struct watch *watch)
{
	atomic_fetch_add_explicit(&watch->shared->calls, 1, memory_order_relaxed);
}

void watch_progress(struct watch *watch)
{
	atomic_fetch_add_explicit(&watch->shared->steps, 1, memory_order_relaxed);
}

bool watch_interrupted(const struct watch *watch)
{
	return atomic_load_explicit(&watch->shared->interrupted, memory_order_relaxed);
}

void watch_failed(struct watch *watch)
{
	if (!watch->simulated && watch->peer_count > 0 && watch->peers[0].fd >= 0)
		watch_net_send(&watch->peers[0], WATCH_FAILED, (uint32_t)watch->shared->rank, 0, NULL);
}

void watch_stop(struct watch *watch)
{
	sigset_t wanted;

	if (!watch)
		return;
	if (watch->has_thread) {
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
