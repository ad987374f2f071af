/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the watch share, and nobody else includes: its state, the messages between the threads, and the calls from one file to another.
 * Rank 0 holds a connection to every other rank; a star is enough, as a message only ever goes to or from rank 0.
 */
#ifndef COLLPERF_WATCH_PARTS_H
#define COLLPERF_WATCH_PARTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "watch.h"

enum { WATCH_HOST_SIZE = 64, WATCH_POINT_SIZE = 256, WATCH_ADDRESSES = 8, WATCH_SPARE = 16, WATCH_EXIT = 3 };

/* Moved forward by the main thread alone; what it wrote before is the thread's from then on. */
enum watch_state {
	WATCH_ALONE,   /* no rank yet */
	WATCH_JOINING, /* rank and size known, rank 0 accepts */
	WATCH_JOINED,  /* nobody new is accepted */
	WATCH_STOPPING
};

enum watch_kind {
	WATCH_HELLO = 1,   /* number: cookie, value: rank, host: the sender's */
	WATCH_WELCOME,     /* number: cookie, host: rank 0's */
	WATCH_STUCK,       /* to rank 0: a time-out here */
	WATCH_INTERRUPTED, /* to rank 0: the signal did not end the sweep; value: 1 after a second signal */
	WATCH_ASK,         /* from rank 0: answer with your state */
	WATCH_ANSWER,      /* number: calls, value: phase */
	WATCH_QUIT,        /* the line is printed: exit */
	WATCH_GOODBYE      /* the connection may end */
};

struct watch_message {
	uint32_t kind;
	uint32_t value;
	uint64_t number;
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
	uint32_t phase;
	uint64_t calls;
	char host[WATCH_HOST_SIZE];
	struct watch_message in;
	size_t filled; /* bytes of `in` */
};

/* Moments at which the thread must do something. */
enum watch_deadline {
	WATCH_TICK,    /* look whether there was progress */
	WATCH_SIGNAL,  /* a signal is too long ago */
	WATCH_ANSWERS, /* rank 0: who has not answered is missing */
	WATCH_ORDER,   /* others: rank 0 did not react to our report */
	WATCH_LOSS,    /* enough time for other losses to show */
	WATCH_LEAVE,   /* longest wait in watch_stop */
	WATCH_DEADLINE_COUNT
};

struct watch {
	char program[WATCH_HOST_SIZE];
	char host[WATCH_HOST_SIZE];
	double timeout;
	bool simulated;
	pthread_t thread;
	int epoll_fd;
	int signal_fd;
	int event_fd; /* the state has moved */

	pthread_mutex_t point_lock;
	char point[WATCH_POINT_SIZE];
	atomic_int phase;
	atomic_ulong steps; /* calls of watch_phase and watch_point */
	atomic_ulong calls;
	atomic_bool interrupted;
	atomic_int state;
	atomic_int spokesman; /* speaks when rank 0 is gone: the lowest other rank with a connection */

	/* The main thread's until the state is WATCH_JOINING. */
	int rank;
	int size;
	int listen_fd;
	uint64_t cookie;
	struct watch_peer *peers; /* by rank; those not on rank 0 use only peers[0] */
	size_t peer_count;
	struct watch_peer *pending; /* connections that have not said who they are */
	size_t pending_count;
	size_t pending_next;

	/* The thread's. */
	bool attached;
	uint32_t reported; /* the kind of our report to rank 0 */
	int signals;
	unsigned long progress;
	double progress_time;
	double deadline[WATCH_DEADLINE_COUNT];
};

void *watch_thread_run(void *watch);
/* Seconds of a clock that never goes back. */
double watch_thread_now(void);

/* Rank 0: opens the socket and fills *invitation; port is 0 on failure. */
void watch_net_invite(struct watch *watch, struct watch_invitation *invitation);
/* Others: peers[0] is rank 0 afterwards, or has fd -1. */
void watch_net_join(struct watch *watch, const struct watch_invitation *invitation, bool same_node);
/* Never blocks. -1 when the peer cannot be reached. */
int watch_net_send(const struct watch_peer *peer, enum watch_kind kind, uint32_t value, uint64_t number, const char *host);
/* Never blocks. 1: peer->in is a message; 0: nothing more for now; -1: the connection has ended. */
int watch_net_receive(struct watch_peer *peer);
/* The same, but waits for a message until that moment. */
int watch_net_receive_until(struct watch_peer *peer, double until);
void watch_net_close(struct watch_peer *peer);
/* Closes the listening socket and what has not become a peer. */
void watch_net_stop_accepting(struct watch *watch);
/* The peer that a pending connection turned into, or NULL: no greeting of ours. */
struct watch_peer *watch_net_admit(struct watch *watch, struct watch_peer *pending);

/* Each prints one line on stderr with a single write. */
void watch_text_lone_timeout(struct watch *watch);
void watch_text_timeout(struct watch *watch);
void watch_text_no_order(struct watch *watch);
void watch_text_loss(struct watch *watch);
void watch_text_interrupted(struct watch *watch, int rank, bool second_signal);

#endif
