/* SPDX-License-Identifier: Apache-2.0
 *
 * TCP for the env launch: sockets that never block and waits that end. Knows nothing of ranks or messages.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "env.h"

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

double env_net_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void env_net_wait(double seconds)
{
	const struct timespec time = { .tv_sec = (time_t)seconds, .tv_nsec = (long)(1e9 * (seconds - floor(seconds))) };

	if (seconds > 0)
		nanosleep(&time, NULL);
}

void env_net_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* One descriptor a rank, and some. */
void env_net_allow(int descriptors)
{
	const rlim_t need = (rlim_t)descriptors + 128;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= need)
		return;
	limit.rlim_cur = limit.rlim_max < need ? limit.rlim_max : need;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Keep-alive probes find a host that vanished: two minutes at most. */
void env_net_prepare(int fd)
{
	const int on = 1, idle = 60, interval = 15, probes = 4;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
}

static int open_listener(const union address *address, socklen_t length)
{
	const int on = 1;
	const int fd = socket(address->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int error;

	if (fd < 0)
		return -1;
	/* A socket for each family, so that neither depends on the other being there. */
	if (address->any.sa_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	if (bind(fd, &address->any, length) == 0 && listen(fd, SOMAXCONN) == 0)
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

/* A family that this machine lacks is none to listen on. */
static bool is_absent(int error)
{
	return error == EAFNOSUPPORT || error == EADDRNOTAVAIL || error == EPROTONOSUPPORT;
}

int env_net_listen(const char *host, int port, int fds[2])
{
	union address v4 = {
		.v4 = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = { htonl(INADDR_ANY) } }
	};
	union address v6 = { .v6 = { .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port), .sin6_addr = in6addr_any } };
	const bool local4 = inet_pton(AF_INET, host, &v4.v4.sin_addr) == 1 && ntohl(v4.v4.sin_addr.s_addr) >> 24 == 127;
	const bool local6 = strcmp(host, "::1") == 0;
	int count = 0;

	/* A name may mean loopback on its own host alone; an address means it everywhere. */
	if (!local4)
		v4.v4.sin_addr.s_addr = htonl(INADDR_ANY);
	if (local6)
		v6.v6.sin6_addr = in6addr_loopback;
	if (!local6) {
		fds[count] = open_listener(&v4, sizeof v4.v4);
		if (fds[count] < 0 && !is_absent(errno))
			return 0;
		count += fds[count] >= 0;
	}
	if (!local4) {
		fds[count] = open_listener(&v6, sizeof v6.v6);
		if (fds[count] >= 0)
			return count + 1;
		if (!is_absent(errno)) {
			const int error = errno;

			if (count == 1)
				env_net_close(&fds[0]);
			errno = error;
			return 0;
		}
	}
	return count;
}

/* 0 when it is ready, else -1 with errno. */
static int wait_for(int fd, short events, double until)
{
	struct pollfd item = { .fd = fd, .events = events };
	int rc;

	do {
		const double left = until - env_net_now();

		rc = poll(&item, 1, left > 0 ? (int)fmin(60e3, ceil(left * 1e3)) : 0);
	} while ((rc < 0 && errno == EINTR) || (rc == 0 && env_net_now() < until));
	if (rc == 0)
		errno = ETIMEDOUT;
	return rc == 1 ? 0 : -1;
}

static int connect_one(union address *address, socklen_t length, double until)
{
	int fd = socket(address->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), error = 0;
	socklen_t size = sizeof error;

	if (fd < 0)
		return -1;
	if (connect(fd, &address->any, length)) {
		error = errno;
		if (error == EINPROGRESS) {
			if (wait_for(fd, POLLOUT, until) || getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size))
				error = errno;
		}
	}
	if (error == 0) {
		env_net_prepare(fd);
		return fd;
	}
	env_net_close(&fd);
	errno = error;
	return -1;
}

/* Of the kind that we can use. */
static bool to_address(const struct addrinfo *item, int port, union address *address)
{
	if ((item->ai_family != AF_INET && item->ai_family != AF_INET6) || item->ai_addrlen > sizeof *address)
		return false;
	memcpy(address, item->ai_addr, item->ai_addrlen);
	if (item->ai_family == AF_INET)
		address->v4.sin_port = htons((uint16_t)port);
	else
		address->v6.sin6_port = htons((uint16_t)port);
	return true;
}

int env_net_connect(const struct addrinfo *addresses, int port, double until)
{
	union address address;
	int fd = -1, left = 0;

	errno = EADDRNOTAVAIL;
	for (const struct addrinfo *item = addresses; item; item = item->ai_next)
		left++;
	/* An address that swallows packets leaves time for the others. */
	for (const struct addrinfo *item = addresses; item && fd < 0; item = item->ai_next, left--) {
		const double now = env_net_now();

		if (to_address(item, port, &address))
			fd = connect_one(&address, item->ai_addrlen, now + (until - now) / left);
	}
	return fd;
}

int env_net_send(int fd, const void *data, size_t size, double until)
{
	const char *at = data;

	while (size > 0) {
		const ssize_t sent = send(fd, at, size, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (sent > 0) {
			at += sent;
			size -= (size_t)sent;
		} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
			if (wait_for(fd, POLLOUT, until))
				return -1;
		} else if (errno != EINTR) {
			return -1;
		}
	}
	return 0;
}

int env_net_receive(int fd, void *data, size_t size, double until)
{
	char *at = data;

	while (size > 0) {
		const ssize_t got = recv(fd, at, size, MSG_DONTWAIT);

		if (got > 0) {
			at += got;
			size -= (size_t)got;
		} else if (got == 0) {
			errno = EPIPE;
			return -1;
		} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
			if (wait_for(fd, POLLIN, until))
				return -1;
		} else if (errno != EINTR) {
			return -1;
		}
	}
	return 0;
}
