/* SPDX-License-Identifier: Apache-2.0
 *
 * The messages and connections of the watch, for its own files. A connection is between the hub and a thread; every message goes to or from the hub.
 */
#ifndef COLLPERF_WATCH_NET_H
#define COLLPERF_WATCH_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct watch;

enum { WATCH_HOST_SIZE = 64, WATCH_ADDRESSES = 8 };

enum watch_kind {
	WATCH_HELLO = 1,   /* number: cookie, value: rank, host and pid: the sender's */
	WATCH_WELCOME,     /* number: cookie, host: rank 0's */
	WATCH_STUCK,       /* to the hub: a time-out here */
	WATCH_INTERRUPTED, /* to the hub: the signal did not end the sweep; value: 1 after a second signal */
	WATCH_ASK,         /* from the hub: answer with your state */
	WATCH_ANSWER,      /* number: calls, idle, value: 1 when `unfinished` is known */
	WATCH_GO_ON,       /* from the hub: others make progress; number: microseconds in which nobody need report a time-out */
	WATCH_QUIT,        /* the line is printed: exit */
	WATCH_FAILED,      /* to the hub: this process has said why it ends the job */
	WATCH_GOODBYE      /* the connection may end */
};

struct watch_message {
	uint32_t kind;
	uint32_t value;
	uint64_t number;
	uint64_t unfinished;        /* bit i: the process's rank i, of its first 64 */
	double idle;                /* seconds since the sender last saw progress of its own */
	int64_t pid;                /* on the sender's host */
	char host[WATCH_HOST_SIZE]; /* perhaps not terminated */
};

/* What rank 0 broadcasts. port 0: it cannot listen. */
struct watch_invitation {
	uint64_t cookie;
	uint32_t addresses[WATCH_ADDRESSES]; /* IPv4, network order */
	uint16_t port;                       /* network order */
	uint16_t count;
};

struct watch_peer {
	int fd; /* -1: never connected, or gone */
	bool known;
	bool goodbye;
	bool lost; /* gone without a goodbye */
	bool answered;
	bool chosen; /* for the line being written */
	uint64_t calls;
	bool tells_unfinished;
	uint64_t unfinished;
	double progress_time; /* when it last made any; 0: not known */
	pid_t pid;            /* hub: on `host`; 0: not known */
	char host[WATCH_HOST_SIZE];
	struct watch_message in;
	size_t filled; /* bytes of `in` */
};

/* Opens the listening socket and draws the cookie. -1: cannot listen. */
int watch_net_listen(struct watch *watch);
/* port is 0 when watch_net_listen failed. */
void watch_net_invite(const struct watch *watch, struct watch_invitation *invitation);
/* Ranks but 0: peers[0] is the hub afterwards, or has fd -1. */
void watch_net_join(struct watch *watch, const struct watch_invitation *invitation, bool same_node);
/* Never blocks. -1 when the peer cannot be reached. */
int watch_net_send(const struct watch_peer *peer, enum watch_kind kind, uint32_t value, uint64_t number, const char *host);
/* The same with WATCH_ANSWER. */
int watch_net_answer(const struct watch_peer *peer, uint64_t calls, double idle, bool tells_unfinished, uint64_t unfinished);
/* Never blocks. 1: peer->in is a message; 0: nothing more for now; -1: the connection has ended. */
int watch_net_receive(struct watch_peer *peer);
/* The same, but waits for a message until that moment. */
int watch_net_receive_until(struct watch_peer *peer, double until);
void watch_net_close(struct watch_peer *peer);
/* Closes the listening socket and what has not become a peer. */
void watch_net_stop_accepting(struct watch *watch);
/* The peer that a pending connection turned into, or NULL: no greeting of ours. */
struct watch_peer *watch_net_admit(struct watch *watch, struct watch_peer *pending);

#endif
