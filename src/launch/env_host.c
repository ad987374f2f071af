/* SPDX-License-Identifier: Apache-2.0
 *
 * Rank 0 waits for the others. Nobody who connects can hold it up: all connections are watched at once, each has a moment to say who it is, and when
 * there are too many, the oldest that has not said so makes room. The ports are closed before this returns.
 */
#include <errno.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "../launch.h"
#include "env.h"
#include "parts.h"

enum { PENDING = 128, ACCEPT_BATCH = 64 };

static const double hello_limit = 2, twin_limit = 0.5, tell_limit = 2;

struct pending {
	int fd; /* -1: none */
	double until;
	size_t filled;
	unsigned char bytes[ENV_HELLO_BYTES];
};

struct meeting {
	const struct env_words *words;
	const char *program;
	double limit, until;
	struct env_key key;
	struct env_peer *peers;
	int missing;
	int port;
	int listeners[2], nlisteners;
	struct pending pending[PENDING];
	size_t next;
	struct pollfd *polls;     /* listeners, pending, peers */
	char refused[ENV_REASON]; /* the last of our kind that was */
};

__attribute__((format(printf, 2, 3))) static int fail(const struct meeting *meeting, const char *format, ...)
{
	char text[ENV_REASON];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	fprintf(stderr, "%s: launch: rank 0: %s\n", meeting->program, text);
	return -1;
}

/* Another rank 0 with our token at a port that is taken: the same job was started twice. */
static int find_twin(const struct meeting *meeting, int port)
{
	struct sockaddr_in loopback = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	const struct addrinfo address = { .ai_family = AF_INET,
					  .ai_addrlen = sizeof loopback,
					  .ai_addr = (struct sockaddr *)&loopback };
	struct env_hello hello = { .size = meeting->words->size, .local_rank = meeting->words->local_rank };
	struct env_answer answer;
	int fd = -1;

	env_join_host_key(hello.host);
	if (env_join_greet(&address, port, &hello, &meeting->key, env_net_now() + twin_limit, &answer, &fd) != ENV_GENUINE)
		return 0;
	env_net_close(&fd);
	return fail(meeting, "port %d: %s", port, answer.reason);
}

static int listen_somewhere(struct meeting *meeting)
{
	const struct env_words *words = meeting->words;
	int error = 0;

	for (int i = 0; i < ENV_TRIES; i++) {
		meeting->port = env_words_port(words, i);
		meeting->nlisteners = env_net_listen(words->host, meeting->port, meeting->listeners);
		if (meeting->nlisteners > 0)
			return 0;
		error = errno;
		if (error == EADDRINUSE && find_twin(meeting, meeting->port))
			return -1;
	}
	return fail(meeting, "none of the ports %d to %d (%s) can be had: %s", env_words_port(words, 0),
		    env_words_port(words, ENV_TRIES - 1), words->port_said, strerror(error));
}

static void reply(const struct meeting *meeting, int fd, uint64_t nonce, enum env_verdict verdict, const char *reason)
{
	struct env_answer answered = { .verdict = verdict };
	unsigned char bytes[ENV_ANSWER_BYTES];

	snprintf(answered.reason, sizeof answered.reason, "%s", reason);
	env_answer_write(&answered, nonce, &meeting->key, bytes);
	/* It fits the buffer of a new connection: no waiting for who does not read. */
	env_net_send(fd, bytes, sizeof bytes, 0);
}

static bool is_alive(int fd)
{
	char byte;
	const ssize_t got = recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);

	return got > 0 || (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
}

static void forget(struct meeting *meeting, int rank)
{
	env_net_close(&meeting->peers[rank].fd);
	meeting->missing++;
}

/* Why not, in text; NULL: welcome. */
static const char *objection(struct meeting *meeting, const struct env_hello *hello, char *text, size_t size)
{
	const struct env_peer *peer = &meeting->peers[hello->rank < meeting->words->size ? hello->rank : 0];
	char name[64];

	env_join_host_name(hello->host, name, sizeof name);
	if (hello->size != meeting->words->size) {
		snprintf(text, size, "rank %d on host %s counts %d ranks, rank 0 counts %d", hello->rank, name, hello->size,
			 meeting->words->size);
		return text;
	}
	if (hello->rank > 0 && peer->fd >= 0 && !is_alive(peer->fd))
		forget(meeting, hello->rank);
	if (hello->rank > 0 && peer->fd < 0)
		return NULL;
	snprintf(text, size, "rank %d on host %s came, but rank %d on host %s is there already: two jobs with the same %s?",
		 hello->rank, name, hello->rank, peer->name, meeting->words->port_said);
	return text;
}

/* A pending connection has said who it is, or is nobody. */
static void admit(struct meeting *meeting, struct pending *pending)
{
	struct env_hello hello = { 0 };
	const enum env_reading reading = env_hello_read(pending->bytes, &meeting->key, &hello);
	const char *reason = reading == ENV_GENUINE ? objection(meeting, &hello, meeting->refused, sizeof meeting->refused)
						    : "another job, or another version of this program, listens there";

	if (reading == ENV_GENUINE && !reason) {
		struct env_peer *peer = &meeting->peers[hello.rank];

		*peer = (struct env_peer){ .fd = pending->fd, .local_rank = hello.local_rank };
		memcpy(peer->host, hello.host, sizeof peer->host);
		env_join_host_name(peer->host, peer->name, sizeof peer->name);
		env_net_prepare(peer->fd);
		reply(meeting, peer->fd, hello.nonce, ENV_WELCOME, "");
		meeting->missing--;
		pending->fd = -1;
		return;
	}
	if (reading != ENV_GARBAGE)
		reply(meeting, pending->fd, hello.nonce, ENV_REFUSED, reason);
	env_net_close(&pending->fd);
}

static void on_pending(struct meeting *meeting, struct pending *pending)
{
	const ssize_t got = recv(pending->fd, pending->bytes + pending->filled, sizeof pending->bytes - pending->filled,
				 MSG_DONTWAIT);

	if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
		return;
	if (got <= 0) {
		env_net_close(&pending->fd);
		return;
	}
	pending->filled += (size_t)got;
	if (pending->filled == sizeof pending->bytes)
		admit(meeting, pending);
}

static void on_connections(struct meeting *meeting, int listener)
{
	for (int i = 0; i < ACCEPT_BATCH; i++) {
		struct pending *pending = &meeting->pending[meeting->next];
		const int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		/* Out of descriptors: whoever waits longest gives one back. */
		if (fd < 0 && errno != EMFILE && errno != ENFILE)
			return;
		env_net_close(&pending->fd);
		meeting->next = (meeting->next + 1) % PENDING;
		if (fd < 0)
			continue;
		*pending = (struct pending){ .fd = fd, .until = env_net_now() + hello_limit };
		on_pending(meeting, pending);
	}
}

static int fill_polls(struct meeting *meeting, double now, double *wake)
{
	struct pollfd *at = meeting->polls;

	*wake = meeting->until;
	for (int i = 0; i < meeting->nlisteners; i++)
		*at++ = (struct pollfd){ .fd = meeting->listeners[i], .events = POLLIN };
	for (size_t i = 0; i < PENDING; i++) {
		struct pending *pending = &meeting->pending[i];

		if (pending->fd >= 0 && pending->until <= now)
			env_net_close(&pending->fd);
		if (pending->fd >= 0)
			*wake = fmin(*wake, pending->until);
		*at++ = (struct pollfd){ .fd = pending->fd, .events = POLLIN };
	}
	for (int i = 1; i < meeting->words->size; i++)
		*at++ = (struct pollfd){ .fd = meeting->peers[i].fd, .events = POLLRDHUP };
	return (int)(at - meeting->polls);
}

/* Who went away comes first, so that it may come again. */
static void look(struct meeting *meeting)
{
	const struct pollfd *pending = meeting->polls + meeting->nlisteners, *peers = pending + PENDING - 1;

	for (int i = 1; i < meeting->words->size; i++)
		if (peers[i].revents && meeting->peers[i].fd == peers[i].fd)
			forget(meeting, i);
	for (size_t i = 0; i < PENDING; i++)
		if (pending[i].revents && meeting->pending[i].fd == pending[i].fd)
			on_pending(meeting, &meeting->pending[i]);
	for (int i = 0; i < meeting->nlisteners; i++)
		if (meeting->polls[i].revents)
			on_connections(meeting, meeting->listeners[i]);
}

/* "1, 4-6" of the ranks that are missing; a long list ends in "...". */
static void name_missing(const struct meeting *meeting, char *text, size_t size)
{
	const struct env_peer *peers = meeting->peers;
	size_t used = 0;

	text[0] = '\0';
	for (int i = 1; i < meeting->words->size && used < size - 40; i++) {
		const int first = i;

		if (peers[i].fd >= 0)
			continue;
		while (i + 1 < meeting->words->size && peers[i + 1].fd < 0)
			i++;
		used += (size_t)snprintf(text + used, size - used, "%s%d", used > 0 ? ", " : "", first);
		if (i > first)
			used += (size_t)snprintf(text + used, size - used, "%s%d", i > first + 1 ? "-" : ", ", i);
		if (used >= size - 40)
			snprintf(text + used, size - used, ", ...");
	}
}

static int give_up(struct meeting *meeting)
{
	struct env_start start = { 0 };
	char missing[160];

	name_missing(meeting, missing, sizeof missing);
	snprintf(start.reason, sizeof start.reason, "%s %s of %d did not come to port %d within %g s%s%.140s",
		 meeting->missing > 1 ? "ranks" : "rank", missing, meeting->words->size, meeting->port, meeting->limit,
		 meeting->refused[0] ? "; " : "", meeting->refused);
	for (int i = 1; i < meeting->words->size; i++)
		if (meeting->peers[i].fd >= 0)
			env_net_send(meeting->peers[i].fd, &start, sizeof start, 0);
	return fail(meeting, "%s", start.reason);
}

static int await_all(struct meeting *meeting)
{
	while (meeting->missing > 0) {
		const double now = env_net_now();
		double wake;
		const int count = fill_polls(meeting, now, &wake);

		if (now >= meeting->until)
			return give_up(meeting);
		if (poll(meeting->polls, (nfds_t)count, (int)fmin(60e3, ceil(1e3 * fmax(0, wake - now)))) > 0)
			look(meeting);
	}
	return 0;
}

/* Whether what the ranks of a host say of their own order is an order. */
static bool is_ordered(const struct env_peer *peers, const int *host, int size, int rank, int local_size)
{
	for (int i = 0; i < size; i++) {
		if (host[i] != host[rank])
			continue;
		if (peers[i].local_rank < 0 || peers[i].local_rank >= local_size)
			return false;
		for (int j = 0; j < i; j++)
			if (host[j] == host[i] && peers[j].local_rank == peers[i].local_rank)
				return false;
	}
	return true;
}

/* Tells all where they are. */
static int begin(struct meeting *meeting, struct env_start *own)
{
	const int size = meeting->words->size;
	struct env_peer *peers = meeting->peers;
	char *keys = calloc((size_t)size, ENV_HOST_KEY);
	int *host = malloc((size_t)size * sizeof *host), nnodes, rc = 0;

	if (!keys || !host) {
		free(keys);
		free(host);
		return fail(meeting, "out of memory for %d host names", size);
	}
	for (int i = 0; i < size; i++)
		memcpy(keys + (size_t)i * ENV_HOST_KEY, peers[i].host, ENV_HOST_KEY);
	nnodes = parts_number_hosts(keys, ENV_HOST_KEY, size, host);
	for (int i = size - 1; i >= 0 && rc == 0; i--) {
		struct env_start start = { .node = host[i], .nnodes = nnodes };
		int rank, count;

		parts_place(host, size, i, &rank, &count);
		start.local_size = count;
		start.local_rank = is_ordered(peers, host, size, i, count) ? peers[i].local_rank : rank;
		if (i == 0)
			*own = start;
		else if (env_net_send(peers[i].fd, &start, sizeof start, env_net_now() + tell_limit))
			rc = fail(meeting, "rank %d on host %s came and has gone", i, peers[i].name);
	}
	free(keys);
	free(host);
	return rc;
}

static void close_all(struct meeting *meeting)
{
	for (int i = 0; i < meeting->nlisteners; i++)
		env_net_close(&meeting->listeners[i]);
	for (size_t i = 0; i < PENDING; i++)
		env_net_close(&meeting->pending[i].fd);
	free(meeting->polls);
	free(meeting);
}

int env_host_meet(const struct env_words *words, const struct launch_setup *setup, struct env_peer *peers,
		  struct env_start *start)
{
	struct meeting *meeting = calloc(1, sizeof *meeting);
	int rc = -1;

	if (!meeting) {
		fprintf(stderr, "%s: launch: out of memory\n", setup->program);
		return -1;
	}
	*meeting = (struct meeting){ .words = words,
				     .program = setup->program,
				     .limit = setup->connect_timeout,
				     .peers = peers,
				     .until = env_net_now() + setup->connect_timeout,
				     .missing = words->size - 1 };
	meeting->polls = calloc((size_t)words->size + PENDING + 2, sizeof *meeting->polls);
	for (size_t i = 0; i < PENDING; i++)
		meeting->pending[i].fd = -1;
	env_net_allow(words->size + PENDING);
	env_join_host_key(peers[0].host);
	env_join_host_name(peers[0].host, peers[0].name, sizeof peers[0].name);
	peers[0].local_rank = words->local_rank;
	env_hello_key(words->token, &meeting->key);
	if (!meeting->polls)
		fail(meeting, "out of memory for %d ranks", words->size);
	else if (listen_somewhere(meeting) == 0 && await_all(meeting) == 0)
		rc = begin(meeting, start);
	close_all(meeting);
	return rc;
}
