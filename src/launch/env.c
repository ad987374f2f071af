/* SPDX-License-Identifier: Apache-2.0
 *
 * Bring-up by a launcher's variables, without MPI: every rank keeps one connection, to rank 0. Messages are few and small and outside of every timed
 * region, so a star is enough. Each begins with a frame that says what it is: ranks that are not at the same act are told so.
 */
#include <errno.h>
#include <math.h>
#include <netdb.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "../launch.h"
#include "env.h"
#include "parts.h"

enum frame_kind { FRAME_BARRIER = 1, FRAME_BROADCAST, FRAME_GATHER, FRAME_AGREE, FRAME_PING, FRAME_ABORT, FRAME_BYE };

enum { SMALL = 1024 };

static const double default_limit = 60, last_words = 0.3, abort_limit = 0.3;

struct frame {
	uint32_t kind;
	int32_t value;
	uint64_t size; /* bytes that follow */
};

struct env_launch {
	const char *program;
	struct env_peer *peers; /* rank 0: of all but itself; the others: [0] */
	struct pollfd *polls;
	bool broken; /* it was said why */
};

static int fail(struct launch *launch, const char *what)
{
	struct env_launch *state = launch->state;

	state->broken = true;
	fprintf(stderr, "%s: launch: rank %d: %s\n", state->program, launch->rank, what);
	return -1;
}

/* A connection that ended or failed. Whoever watches over the job may know more, and ends it while we wait. */
static int lose(struct launch *launch, int peer, int error)
{
	struct env_launch *state = launch->state;
	char text[200];

	env_net_wait(last_words);
	snprintf(text, sizeof text, "rank %d on host %s %s%s", peer, state->peers[peer].name,
		 error == EPIPE || error == ECONNRESET ? "has gone" : "cannot be reached: ",
		 error == EPIPE || error == ECONNRESET ? "" : strerror(error));
	return fail(launch, text);
}

static void env_abort(struct launch *launch, int code)
{
	const struct env_launch *state = launch->state;
	const struct frame frame = { .kind = FRAME_ABORT, .value = code };
	const int count = launch->rank == 0 ? launch->size : 1;
	const double until = env_net_now() + abort_limit;
	char drained[SMALL];

	for (int i = 0; i < count; i++)
		if (state->peers[i].fd >= 0 && env_net_send(state->peers[i].fd, &frame, sizeof frame, 0) == 0)
			shutdown(state->peers[i].fd, SHUT_WR);
	/* Closing with unread data of theirs would reset the connection under our last word. */
	for (int i = 0; i < count; i++)
		while (state->peers[i].fd >= 0 && env_net_receive(state->peers[i].fd, drained, 1, until) == 0)
			;
	_Exit(code);
}

/* The last word of a peer that takes no more may have been an order. */
static void read_last(struct launch *launch, int fd)
{
	struct frame frame;
	char drained;

	while (env_net_receive(fd, &frame, sizeof frame, 0) == 0) {
		if (frame.kind == FRAME_ABORT)
			env_abort(launch, frame.value);
		while (frame.size > 0 && env_net_receive(fd, &drained, 1, 0) == 0)
			frame.size--;
	}
}

static int put(struct launch *launch, int peer, enum frame_kind kind, int value, const void *data, size_t size)
{
	struct env_launch *state = launch->state;
	const struct frame frame = { .kind = kind, .value = value, .size = size };
	const int fd = state->peers[peer].fd;
	char packet[SMALL];
	int rc;

	memcpy(packet, &frame, sizeof frame);
	if (size > 0 && size <= sizeof packet - sizeof frame)
		memcpy(packet + sizeof frame, data, size);
	if (size <= sizeof packet - sizeof frame)
		rc = env_net_send(fd, packet, sizeof frame + size, INFINITY);
	else
		rc = env_net_send(fd, &frame, sizeof frame, INFINITY) || env_net_send(fd, data, size, INFINITY);
	if (rc == 0)
		return 0;
	const int error = errno;

	read_last(launch, fd);
	return lose(launch, peer, error);
}

static int take(struct launch *launch, int peer, enum frame_kind kind, int *value, void *data, size_t size)
{
	struct env_launch *state = launch->state;
	const int fd = state->peers[peer].fd;
	struct frame frame;
	char text[160];

	if (env_net_receive(fd, &frame, sizeof frame, INFINITY))
		return lose(launch, peer, errno);
	if (frame.kind == FRAME_ABORT)
		env_abort(launch, frame.value);
	if (frame.kind != (uint32_t)kind || frame.size != size) {
		snprintf(text, sizeof text, "rank %d is at act %u with %llu bytes, this rank at act %d with %zu", peer,
			 frame.kind, (unsigned long long)frame.size, (int)kind, size);
		return fail(launch, text);
	}
	if (size > 0 && env_net_receive(fd, data, size, INFINITY))
		return lose(launch, peer, errno);
	if (value)
		*value = frame.value;
	return 0;
}

/* Rank 0: an event of a peer whose message is here already. It may leave after its last act, and must not otherwise. */
static int part(struct launch *launch, int peer)
{
	struct env_launch *state = launch->state;

	state->polls[peer].fd = -1;
	return take(launch, peer, FRAME_BYE, NULL, NULL, 0);
}

/* Rank 0: one message of every other rank, in the order in which they come, so that one that goes is noticed while others are late. */
static int collect(struct launch *launch, enum frame_kind kind, int *largest, char *all, size_t size)
{
	struct env_launch *state = launch->state;

	for (int i = 1; i < launch->size; i++)
		state->polls[i] = (struct pollfd){ .fd = state->peers[i].fd, .events = POLLIN | POLLRDHUP };
	for (int left = launch->size - 1; left > 0;) {
		if (poll(state->polls + 1, (nfds_t)launch->size - 1, -1) < 0 && errno != EINTR)
			return fail(launch, strerror(errno));
		for (int i = 1; i < launch->size; i++) {
			const bool here = !(state->polls[i].events & POLLIN);
			int value = *largest;

			if (!state->polls[i].revents)
				continue;
			if (here ? part(launch, i)
				 : take(launch, i, kind, &value, size > 0 ? all + (size_t)i * size : NULL, size))
				return -1;
			*largest = value > *largest ? value : *largest;
			left -= !here;
			state->polls[i].events = POLLRDHUP;
			state->polls[i].revents = 0;
		}
	}
	return 0;
}

static int spread(struct launch *launch, enum frame_kind kind, int value, const void *data, size_t size)
{
	for (int i = 1; i < launch->size; i++)
		if (put(launch, i, kind, value, data, size))
			return -1;
	return 0;
}

static int meet(struct launch *launch, enum frame_kind kind, int value, int *largest)
{
	struct env_launch *state = launch->state;
	int most = value;

	if (state->broken)
		return -1;
	if (launch->rank == 0 ? collect(launch, kind, &most, NULL, 0) || spread(launch, kind, most, NULL, 0)
			      : put(launch, 0, kind, value, NULL, 0) || take(launch, 0, kind, &most, NULL, 0))
		return -1;
	*largest = most;
	return 0;
}

static int env_barrier(struct launch *launch)
{
	int unused;

	return meet(launch, FRAME_BARRIER, 0, &unused);
}

static int env_agree(struct launch *launch, int value, int *largest)
{
	return meet(launch, FRAME_AGREE, value, largest);
}

static int env_broadcast(struct launch *launch, void *data, size_t size)
{
	struct env_launch *state = launch->state;

	if (state->broken)
		return -1;
	return launch->rank == 0 ? spread(launch, FRAME_BROADCAST, 0, data, size)
				 : take(launch, 0, FRAME_BROADCAST, NULL, data, size);
}

static int env_gather(struct launch *launch, const void *mine, size_t size, void *all)
{
	struct env_launch *state = launch->state;
	int unused = 0;

	if (state->broken)
		return -1;
	if (launch->rank > 0)
		return put(launch, 0, FRAME_GATHER, 0, mine, size);
	if (size > 0 && all != mine)
		memcpy(all, mine, size);
	return collect(launch, FRAME_GATHER, &unused, all, size);
}

static int answer_pings(struct launch *launch, int peer, double (*now)(void *), void *arg)
{
	for (int i = 0; i < PARTS_PINGS; i++) {
		if (take(launch, peer, FRAME_PING, NULL, NULL, 0))
			return -1;
		const double seen = now(arg);

		if (put(launch, peer, FRAME_PING, 0, &seen, sizeof seen))
			return -1;
	}
	return 0;
}

static int send_pings(struct launch *launch, double (*now)(void *), void *arg, struct parts_clock *clock)
{
	for (int i = 0; i < PARTS_PINGS; i++) {
		const double sent = now(arg);
		double seen;

		if (put(launch, 0, FRAME_PING, 0, NULL, 0) || take(launch, 0, FRAME_PING, NULL, &seen, sizeof seen))
			return -1;
		parts_ping(clock, sent, seen, now(arg));
	}
	return 0;
}

static int env_clock_offset(struct launch *launch, double (*now)(void *), void *arg, double *offset, double *error)
{
	struct env_launch *state = launch->state;
	struct parts_clock clock = { .best = 1e9 };

	if (state->broken || (launch->rank > 0 && send_pings(launch, now, arg, &clock)))
		return -1;
	for (int peer = 1; launch->rank == 0 && peer < launch->size; peer++)
		if (answer_pings(launch, peer, now, arg))
			return -1;
	parts_clock_read(&clock, launch->node == 0, offset, error);
	return 0;
}

static void release(struct launch *launch)
{
	struct env_launch *state = launch->state;

	for (int i = 0; state && state->peers && i < launch->size; i++)
		env_net_close(&state->peers[i].fd);
	if (state) {
		free(state->peers);
		free(state->polls);
	}
	free(state);
	launch->state = NULL;
}

static void env_close(struct launch *launch)
{
	const struct env_launch *state = launch->state;
	const struct frame frame = { .kind = FRAME_BYE };

	if (launch->rank > 0)
		env_net_send(state->peers[0].fd, &frame, sizeof frame, 0);
	release(launch);
}

static const struct launch_ops env_ops = {
	.barrier = env_barrier,
	.broadcast = env_broadcast,
	.gather = env_gather,
	.agree = env_agree,
	.clock_offset = env_clock_offset,
	.abort = env_abort,
	.close = env_close,
};

static struct env_launch *state_new(const char *program, int size)
{
	struct env_launch *state = calloc(1, sizeof *state);

	if (!state)
		return NULL;
	state->program = program;
	state->peers = calloc((size_t)size, sizeof *state->peers);
	state->polls = calloc((size_t)size, sizeof *state->polls);
	for (int i = 0; state->peers && i < size; i++)
		state->peers[i].fd = -1;
	return state;
}

static int find_peers(struct launch *launch, const struct env_words *words, const struct launch_setup *setup)
{
	struct env_launch *state = launch->state = state_new(setup->program, words->size);
	struct launch_setup limited = *setup;
	struct env_start start = { .nnodes = 1, .local_size = 1 };
	int rc = 0;

	if (!state || !state->peers || !state->polls) {
		fprintf(stderr, "%s: launch: out of memory for %d ranks\n", setup->program, words->size);
		return -1;
	}
	if (!(limited.connect_timeout > 0))
		limited.connect_timeout = default_limit;
	if (words->size > 1)
		rc = words->rank == 0 ? env_host_meet(words, &limited, state->peers, &start)
				      : env_join_meet(words, &limited, state->peers, &start);
	launch->node = start.node;
	launch->nnodes = start.nnodes;
	launch->local_rank = start.local_rank;
	launch->local_size = start.local_size;
	return rc;
}

int launch_open_env(struct launch *launch, const struct launch_setup *setup)
{
	struct env_words words;
	struct env_error error;

	if (env_words_read(&words, &error)) {
		fprintf(stderr, "%s: launch by the environment: %s\n", setup->program, error.text);
		return -1;
	}
	*launch = (struct launch){ .name = "env", .rank = words.rank, .size = words.size, .ops = &env_ops };
	if (find_peers(launch, &words, setup) == 0)
		return 0;
	release(launch);
	return -1;
}
