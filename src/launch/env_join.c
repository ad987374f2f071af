/* SPDX-License-Identifier: Apache-2.0
 *
 * The way of all ranks but 0 to rank 0: try its ports in turn, again and again until the time is up, as it may start later, its name may become
 * known later, and another program may listen at one of the ports.
 */
#include <errno.h>
#include <math.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../launch.h"
#include "env.h"
#include "parts.h"

static const double try_limit = 2, first_pause = 0.02, last_pause = 0.5, start_slack = 5;

enum { BOOT_ID = 36 };

void env_join_host_key(char *key)
{
	char name[ENV_HOST_KEY] = "";

	gethostname(name, sizeof name - 1);
	parts_host_key(key, ENV_HOST_KEY, name);
}

const char *env_join_host_name(const char *key, char *buffer, size_t size)
{
	const size_t length = strnlen(key, ENV_HOST_KEY - 1);
	char name[ENV_HOST_KEY] = "";

	memcpy(name, key, length > BOOT_ID ? length - BOOT_ID : length);
	return env_words_quote(name, buffer, size);
}

enum env_reading env_join_greet(const struct addrinfo *addresses, int port, struct env_hello *hello, const struct env_key *key,
				double until, struct env_answer *answer, int *fd)
{
	unsigned char bytes[ENV_HELLO_BYTES], answered[ENV_ANSWER_BYTES];
	enum env_reading reading = ENV_GARBAGE;
	int connection = env_net_connect(addresses, port, until);

	if (connection < 0)
		return ENV_GARBAGE;
	if (getrandom(&hello->nonce, sizeof hello->nonce, 0) == (ssize_t)sizeof hello->nonce) {
		env_hello_write(hello, key, bytes);
		if (env_net_send(connection, bytes, sizeof bytes, until) == 0 &&
		    env_net_receive(connection, answered, sizeof answered, until) == 0) {
			reading = env_answer_read(answered, hello->nonce, key, answer);
			errno = 0;
		}
	}
	if (reading == ENV_GENUINE && answer->verdict == ENV_WELCOME) {
		*fd = connection;
	} else {
		const int error = errno;

		env_net_close(&connection);
		errno = error;
	}
	return reading;
}

struct search {
	const struct env_words *words;
	const char *program;
	struct env_hello hello;
	struct env_key key;
	struct addrinfo *addresses;
	double until;
	char why[ENV_REASON]; /* of the last try */
};

/* 0, or -1: not now, or never. */
static int resolve(struct search *search)
{
	const struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM };
	int rc;

	if (search->addresses)
		return 0;
	rc = getaddrinfo(search->words->host, NULL, &hints, &search->addresses);
	if (rc == 0)
		return 0;
	search->addresses = NULL;
	snprintf(search->why, sizeof search->why, "the name cannot be resolved: %s",
		 rc == EAI_SYSTEM ? strerror(errno) : gai_strerror(rc));
	return -1;
}

/* What a port that is not rank 0's says about it; a port where nobody listens says least. */
static void explain(struct search *search, int port, enum env_reading reading, const struct env_answer *answer)
{
	if (reading == ENV_OTHER)
		snprintf(search->why, sizeof search->why, "port %d: %.300s", port, answer->reason);
	else if (errno == 0 || errno == EPIPE || errno == ECONNRESET)
		snprintf(search->why, sizeof search->why, "another program listens at port %d", port);
	else if (errno != ECONNREFUSED || !search->why[0])
		snprintf(search->why, sizeof search->why, "port %d: %s", port, strerror(errno));
}

static int fail(const struct search *search, const char *what, const char *why)
{
	fprintf(stderr, "%s: launch: rank %d: %s%s%s\n", search->program, search->words->rank, what, *why ? ": " : "", why);
	return -1;
}

/* 1: connected; 0: not yet; -1: refused, and said. */
static int try_ports(struct search *search, int *fd)
{
	for (int i = 0; i < ENV_TRIES; i++) {
		const int port = env_words_port(search->words, i);
		const double limit = env_net_now() + try_limit;
		struct env_answer answer;
		enum env_reading reading;

		if (env_net_now() >= search->until)
			return 0;
		reading = env_join_greet(search->addresses, port, &search->hello, &search->key, fmin(limit, search->until),
					 &answer, fd);
		if (reading == ENV_GENUINE && answer.verdict == ENV_WELCOME)
			return 1;
		if (reading == ENV_GENUINE)
			return fail(search, "rank 0 refuses", answer.reason);
		explain(search, port, reading, &answer);
	}
	return 0;
}

static int search_rank0(struct search *search, double limit, int *fd)
{
	const struct env_words *words = search->words;
	double pause = first_pause;
	int rc = 0;
	char text[ENV_HOST + 160];

	for (;;) {
		search->why[0] = '\0';
		rc = resolve(search) ? 0 : try_ports(search, fd);
		if (rc || env_net_now() + pause >= search->until)
			break;
		/* Ranks that failed together do not come back together. */
		env_net_wait(pause * (0.75 + 0.5 * (words->rank % 64) / 64));
		pause = fmin(last_pause, 2 * pause);
	}
	if (rc)
		return rc > 0 ? 0 : -1;
	snprintf(text, sizeof text, "no rank 0 at %s (%s), ports %d to %d (%s), within %g s", words->host, words->host_said,
		 env_words_port(words, 0), env_words_port(words, ENV_TRIES - 1), words->port_said, limit);
	return fail(search, text, search->why);
}

/* Rank 0 keeps the time; ours only ends where its host is gone. */
static int await_start(const struct search *search, double limit, int fd, struct env_start *start)
{
	const double until = env_net_now() + limit + start_slack;

	if (env_net_receive(fd, start, sizeof *start, until))
		return fail(search, "rank 0 was there and has gone before all ranks came", errno == EPIPE ? "" : strerror(errno));
	start->reason[ENV_REASON - 1] = '\0';
	return start->nnodes > 0 ? 0 : fail(search, "rank 0 gave up", start->reason);
}

int env_join_meet(const struct env_words *words, const struct launch_setup *setup, struct env_peer *peers,
		  struct env_start *start)
{
	struct search search = {
		.words = words,
		.program = setup->program,
		.until = env_net_now() + setup->connect_timeout,
		.hello = { .rank = words->rank, .size = words->size, .local_rank = words->local_rank },
	};
	int rc;

	env_join_host_key(search.hello.host);
	env_hello_key(words->token, &search.key);
	env_words_quote(words->host, peers[0].name, sizeof peers[0].name);
	rc = search_rank0(&search, setup->connect_timeout, &peers[0].fd);
	if (search.addresses)
		freeaddrinfo(search.addresses);
	return rc ? -1 : await_start(&search, setup->connect_timeout, peers[0].fd, start);
}
