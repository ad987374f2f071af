/* SPDX-License-Identifier: Apache-2.0
 *
 * The hub of the watch: a child of rank 0 that sees every rank's connection, prints the one line about a lost or stuck rank, and ends the job. Every
 * process starts one before it knows its rank, while it is still small and has no thread, and ends it when it turns out not to be rank 0.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "watch_parts.h"

enum { ACCEPT_BATCH = 64, SPARE = 16 };

static const double answer_limit = 0.5, linger_limit = 0.2, leave_limit = 1.8;

/* Rank 0 last: once it has its goodbye, it ends us. */
static void tell_all(struct watch *watch, enum watch_kind kind, uint64_t number)
{
	for (size_t i = watch->peer_count; i-- > 0;)
		watch_net_send(&watch->peers[i], kind, 0, number, NULL);
}

/*
 * A stopped rank would be left to the launcher, which kills it, and hydra then ends with 1, not with our code. Only on our own host; to a rank that is
 * not stopped it is nothing.
 */
static void wake_all(const struct watch *watch)
{
	for (size_t i = 0; i < watch->peer_count; i++)
		if (watch->peers[i].pid > 1 && !watch->peers[i].lost && strcmp(watch->peers[i].host, watch->host) == 0)
			kill(watch->peers[i].pid, SIGCONT);
}

/* Ends after the others: closing with unread data of theirs would reset the connection under our order. */
static void end_job(struct watch *watch)
{
	const double until = watch_loop_now() + linger_limit;

	tell_all(watch, WATCH_QUIT, 0);
	wake_all(watch);
	for (size_t i = 0; i < watch->peer_count; i++)
		while (watch->peers[i].fd >= 0 && watch_net_receive_until(&watch->peers[i], until) == 1)
			;
	_exit(0);
}

static void ask_all(struct watch *watch)
{
	if (isfinite(watch->deadline[WATCH_ANSWERS]))
		return;
	for (size_t i = 0; i < watch->peer_count; i++)
		watch->peers[i].answered = false;
	watch_loop_set(watch, WATCH_ANSWERS, answer_limit);
	tell_all(watch, WATCH_ASK, 0);
}

static bool all_answered(const struct watch *watch)
{
	for (size_t i = 0; i < watch->peer_count; i++)
		if (watch->peers[i].known && !watch->peers[i].answered)
			return false;
	return true;
}

/* A rank that waits for another makes no progress itself. Of one that does not answer this time, what it said before still holds. */
static void judge(struct watch *watch, double now)
{
	double last = 0, left;

	for (size_t i = 0; i < watch->peer_count; i++)
		last = fmax(last, watch->peers[i].progress_time);
	left = last > 0 ? last + watch->timeout - now : 0;
	if (left > 0) {
		watch->deadline[WATCH_ANSWERS] = INFINITY;
		tell_all(watch, WATCH_GO_ON, (uint64_t)ceil(1e6 * left));
		return;
	}
	watch_text_timeout(watch);
	end_job(watch);
}

static void on_message(struct watch *watch, struct watch_peer *peer)
{
	switch (peer->in.kind) {
	case WATCH_STUCK:
		ask_all(watch);
		break;
	case WATCH_INTERRUPTED:
		watch_text_interrupted(watch, (int)(peer - watch->peers), peer->in.value == 1);
		end_job(watch);
		break;
	case WATCH_ANSWER:
		peer->answered = true;
		peer->calls = peer->in.number;
		peer->progress_time = watch_loop_now() - peer->in.idle;
		peer->tells_unfinished = peer->in.value == 1;
		peer->unfinished = peer->in.unfinished;
		break;
	case WATCH_QUIT:
	case WATCH_FAILED:
		end_job(watch);
		break;
	case WATCH_GOODBYE:
		peer->goodbye = true;
		break;
	default:
		break;
	}
}

static void on_deadlines(struct watch *watch, double now)
{
	/* No grace for other losses to show: a moment later they would be those that the launcher killed. */
	if (watch_loop_due(watch, WATCH_LOSS, now)) {
		if (watch_loop_state(watch) == WATCH_ALONE)
			_exit(0);
		watch_text_loss(watch);
		end_job(watch);
	}
	if (isfinite(watch->deadline[WATCH_ANSWERS]) && (all_answered(watch) || watch_loop_due(watch, WATCH_ANSWERS, now)))
		judge(watch, now);
}

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
	watch_loop_add(watch, EPOLL_CTL_MOD, peer->fd, WATCH_FIRST_PEER + (uint64_t)(peer - watch->peers));
	watch_loop_on_peer(watch, peer);
}

/* The oldest stranger makes room, so that silent connections cannot keep ranks out. */
static void on_connections(struct watch *watch)
{
	for (int i = 0; i < ACCEPT_BATCH; i++) {
		struct watch_peer *pending = &watch->pending[watch->pending_next];
		const int fd = accept4(watch->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd < 0 && errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
			watch_net_stop_accepting(watch); /* out of descriptors: asking again would spin */
		if (fd < 0)
			return;
		watch->pending_next = (watch->pending_next + 1) % watch->pending_count;
		watch_net_close(pending);
		*pending = (struct watch_peer){ .fd = fd };
		watch_loop_add(watch, EPOLL_CTL_ADD, fd, WATCH_FIRST_PEER + (uint64_t)(pending - watch->peers));
		on_pending(watch, pending);
	}
}

static void on_other(struct watch *watch, uint64_t index)
{
	if (index == WATCH_LISTEN_EVENT)
		on_connections(watch);
	else
		on_pending(watch, &watch->peers[index - WATCH_FIRST_PEER]);
}

/* A descriptor for every rank. */
static void allow_descriptors(size_t count)
{
	const rlim_t need = (rlim_t)count + 64;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= need)
		return;
	limit.rlim_cur = limit.rlim_max < need ? limit.rlim_max : need;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* The one peer so far, our own rank, becomes the first of all. */
static void make_room(struct watch *watch)
{
	const size_t size = (size_t)watch->shared->size, pending = size + SPARE;
	struct watch_peer *peers = realloc(watch->peers, (size + pending) * sizeof *peers);

	if (!peers)
		_exit(0);
	allow_descriptors(size + pending);
	for (size_t i = 1; i < size + pending; i++)
		peers[i] = (struct watch_peer){ .fd = -1 };
	watch->peers = peers;
	watch->peer_count = size;
	watch->pending = peers + size;
	watch->pending_count = pending;
}

static void on_state(struct watch *watch, enum watch_state state)
{
	if (state >= WATCH_JOINING && !watch->joined) {
		watch->joined = true;
		make_room(watch);
		if (watch->listen_fd >= 0)
			watch_loop_add(watch, EPOLL_CTL_ADD, watch->listen_fd, WATCH_LISTEN_EVENT);
	}
	if (state >= WATCH_JOINED)
		watch_net_stop_accepting(watch);
	if (state == WATCH_STOPPING)
		watch_loop_set(watch, WATCH_LEAVE, leave_limit);
}

static int compare(const void *a, const void *b)
{
	const int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

/* What the rank inherited must end with the rank: launchers wait for their own descriptors to close. */
static void keep_only(struct watch *watch)
{
	int kept[] = { STDERR_FILENO, watch->event_fd, watch->pair_fd, watch->listen_fd };
	const size_t count = sizeof kept / sizeof *kept;
	unsigned from = 0;

	qsort(kept, count, sizeof *kept, compare);
	for (size_t i = 0; i < count; i++) {
		if (kept[i] < 0)
			continue;
		if ((unsigned)kept[i] > from)
			close_range(from, (unsigned)kept[i] - 1, 0);
		from = (unsigned)kept[i] + 1;
	}
	close_range(from, ~0U, 0);
	/* No later descriptor may be taken for standard input or output. */
	if (open("/dev/null", O_RDWR) == 0 && dup(0) < 0)
		return;
}

static _Noreturn void run(struct watch *watch)
{
	static const struct watch_role role = {
		.on_state = on_state,
		.on_message = on_message,
		.on_other = on_other,
		.on_deadlines = on_deadlines,
	};
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	prctl(PR_SET_NAME, "watch");
	watch->role = &role;
	watch->event_fd = watch->hub_event_fd;
	keep_only(watch);
	watch->peers = calloc(1, sizeof *watch->peers);
	if (!watch->peers || watch_loop_open(watch))
		_exit(0);
	watch->peers[0] = (struct watch_peer){ .fd = watch->pair_fd, .known = true, .pid = getppid() };
	memcpy(watch->peers[0].host, watch->host, sizeof watch->host);
	watch->peer_count = 1;
	watch_loop_add(watch, EPOLL_CTL_ADD, watch->pair_fd, WATCH_FIRST_PEER);
	watch_loop_run(watch);
	tell_all(watch, WATCH_GOODBYE, 0);
	_exit(0);
}

int watch_hub_start(struct watch *watch)
{
	int pair[2];
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return -1;
	child = fork();
	if (child == 0) {
		watch->pair_fd = pair[1];
		run(watch);
	}
	close(pair[1]);
	watch->pair_fd = pair[0];
	if (child < 0)
		return -1;
	watch->hub = child;
	return 0;
}

void watch_hub_end(struct watch *watch)
{
	if (watch->hub <= 0)
		return;
	kill(watch->hub, SIGKILL);
	while (waitpid(watch->hub, NULL, 0) < 0 && errno == EINTR)
		;
	watch->hub = 0;
}
