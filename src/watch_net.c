/* SPDX-License-Identifier: Apache-2.0
 *
 * The connections of the watch: TCP over IPv4, messages of one fixed size in the byte order of the machine. Whoever connects is a stranger until it
 * has sent the cookie that rank 0 broadcast over the launch; strangers are dropped without a word.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <limits.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "watch_parts.h"

static const double join_limit = 2.0;

static size_t local_addresses(uint32_t *addresses)
{
	struct ifaddrs *list, *item;
	size_t count = 0;

	if (getifaddrs(&list))
		return 0;
	for (item = list; item && count < WATCH_ADDRESSES; item = item->ifa_next) {
		struct sockaddr_in address;

		if (!item->ifa_addr || item->ifa_addr->sa_family != AF_INET)
			continue;
		if (!(item->ifa_flags & IFF_UP) || (item->ifa_flags & IFF_LOOPBACK))
			continue;
		memcpy(&address, item->ifa_addr, sizeof address);
		addresses[count++] = address.sin_addr.s_addr;
	}
	freeifaddrs(list);
	return count;
}

int watch_net_listen(struct watch *watch)
{
	const struct sockaddr_in any = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY) };
	int fd;

	if (getrandom(&watch->cookie, sizeof watch->cookie, 0) != (ssize_t)sizeof watch->cookie)
		return -1;
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -1;
	if (bind(fd, (const struct sockaddr *)&any, sizeof any) || listen(fd, SOMAXCONN)) {
		close(fd);
		return -1;
	}
	watch->listen_fd = fd;
	return 0;
}

void watch_net_invite(const struct watch *watch, struct watch_invitation *invitation)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t length = sizeof address;

	*invitation = (struct watch_invitation){ 0 };
	if (watch->listen_fd < 0 || getsockname(watch->listen_fd, (struct sockaddr *)&address, &length))
		return;
	invitation->cookie = watch->cookie;
	invitation->port = address.sin_port;
	invitation->count = (uint16_t)local_addresses(invitation->addresses);
}

/* Keep-alive probes find a host that vanished; they are the kernel's, so no thread of ours wakes. */
static void set_options(int fd)
{
	const int on = 1, idle = 30, interval = 10, probes = 3;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
}

static bool wait_for(int fd, short events, double until)
{
	struct pollfd item = { .fd = fd, .events = events };
	int rc;

	do {
		const double left = until - watch_loop_now();

		rc = poll(&item, 1, left > 0 ? (int)(left * 1e3) + 1 : 0);
	} while (rc < 0 && errno == EINTR);
	return rc == 1;
}

static int connect_to(uint32_t host, uint16_t port, double until)
{
	const struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = port, .sin_addr.s_addr = host };
	socklen_t length = sizeof(int);
	int error = 0;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -1;
	if (!connect(fd, (const struct sockaddr *)&address, sizeof address))
		return fd;
	if (errno == EINPROGRESS && wait_for(fd, POLLOUT, until) && !getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) &&
	    !error)
		return fd;
	close(fd);
	return -1;
}

/* Whether the hub itself answers at this address: a private address may well belong to another machine here. */
static bool greet(struct watch *watch, uint32_t host, const struct watch_invitation *invitation, double until)
{
	struct watch_peer *peer = &watch->peers[0];
	int rc;

	peer->fd = connect_to(host, invitation->port, until);
	peer->filled = 0;
	if (peer->fd < 0)
		return false;
	set_options(peer->fd);
	rc = watch_net_send(peer, WATCH_HELLO, (uint32_t)watch->shared->rank, invitation->cookie, watch->host);
	if (!rc)
		rc = watch_net_receive_until(peer, until);
	if (rc == 1 && peer->in.kind == WATCH_WELCOME && peer->in.number == invitation->cookie) {
		memcpy(peer->host, peer->in.host, sizeof peer->host - 1);
		peer->known = true;
		return true;
	}
	watch_net_close(peer);
	return false;
}

void watch_net_join(struct watch *watch, const struct watch_invitation *invitation, bool same_node)
{
	uint32_t hosts[WATCH_ADDRESSES + 1];
	const double until = watch_loop_now() + join_limit;
	size_t count = 0;

	if (!invitation->port)
		return;
	if (same_node)
		hosts[count++] = htonl(INADDR_LOOPBACK);
	for (size_t i = 0; i < invitation->count && i < WATCH_ADDRESSES; i++)
		hosts[count++] = invitation->addresses[i];
	for (size_t i = 0; i < count; i++) {
		const double now = watch_loop_now();

		if (greet(watch, hosts[i], invitation, now + (until - now) / (double)(count - i)))
			return;
	}
}

/* A handful of messages always fits the socket's buffer; a peer that does not read gets no more. */
static int put(const struct watch_peer *peer, const struct watch_message *message)
{
	if (peer->fd < 0)
		return -1;
	return send(peer->fd, message, sizeof *message, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof *message ? 0 : -1;
}

int watch_net_send(const struct watch_peer *peer, enum watch_kind kind, uint32_t value, uint64_t number, const char *host)
{
	struct watch_message message = { .kind = kind, .value = value, .number = number, .pid = getpid() };

	if (host)
		memcpy(message.host, host, strnlen(host, sizeof message.host));
	return put(peer, &message);
}

int watch_net_answer(const struct watch_peer *peer, uint64_t calls, double idle, bool tells_unfinished, uint64_t unfinished)
{
	const struct watch_message message = {
		.kind = WATCH_ANSWER, .value = tells_unfinished, .number = calls, .unfinished = unfinished, .idle = idle
	};

	return put(peer, &message);
}

int watch_net_receive(struct watch_peer *peer)
{
	ssize_t got;

	if (peer->fd < 0)
		return 0;
	if (peer->filled == sizeof peer->in)
		peer->filled = 0;
	do {
		got = recv(peer->fd, (char *)&peer->in + peer->filled, sizeof peer->in - peer->filled, MSG_DONTWAIT);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -1;
	if (got == 0)
		return -1;
	peer->filled += (size_t)got;
	return peer->filled == sizeof peer->in ? 1 : 0;
}

int watch_net_receive_until(struct watch_peer *peer, double until)
{
	int rc;

	while ((rc = watch_net_receive(peer)) == 0 && wait_for(peer->fd, POLLIN, until))
		;
	return rc;
}

void watch_net_close(struct watch_peer *peer)
{
	if (peer->fd >= 0)
		close(peer->fd);
	peer->fd = -1;
}

struct watch_peer *watch_net_admit(struct watch *watch, struct watch_peer *pending)
{
	const struct watch_message *hello = &pending->in;
	struct watch_peer *peer;

	if (hello->kind != WATCH_HELLO || hello->number != watch->cookie)
		return NULL;
	if (hello->value == 0 || hello->value >= (uint32_t)watch->shared->size)
		return NULL;
	peer = &watch->peers[hello->value];
	if (peer->known || watch_net_send(pending, WATCH_WELCOME, 0, watch->cookie, watch->host))
		return NULL;
	peer->fd = pending->fd;
	peer->known = true;
	memcpy(peer->host, hello->host, sizeof peer->host - 1);
	/* None that kill would take for a group. */
	peer->pid = hello->pid > 1 && hello->pid <= INT_MAX ? (pid_t)hello->pid : 0;
	set_options(peer->fd);
	pending->fd = -1;
	return peer;
}

void watch_net_stop_accepting(struct watch *watch)
{
	if (watch->listen_fd >= 0)
		close(watch->listen_fd);
	watch->listen_fd = -1;
	for (size_t i = 0; i < watch->pending_count; i++)
		watch_net_close(&watch->pending[i]);
}
