/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the watch share, and nobody else includes. Every process has a thread; rank 0 also has a child process, the hub, that holds a
 * connection to every thread. The hub is a session of its own: launchers kill all ranks within milliseconds of the first death, sooner than a
 * thread among them can always print, but they leave the hub its moment.
 */
#ifndef COLLPERF_WATCH_PARTS_H
#define COLLPERF_WATCH_PARTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "watch.h"
#include "watch_net.h"

enum { WATCH_POINT_SIZE = 256, WATCH_EXIT = 3 };

/* Moved forward by the main thread alone; what it wrote before is the thread's from then on. */
enum watch_state {
	WATCH_ALONE,   /* no rank yet */
	WATCH_JOINING, /* rank and size known, rank 0 accepts */
	WATCH_JOINED,  /* nobody new is accepted */
	WATCH_STOPPING
};

/* Moments at which something must be done. */
enum watch_deadline {
	WATCH_TICK,    /* thread: look whether there was progress */
	WATCH_SIGNAL,  /* thread: a signal is too long ago */
	WATCH_ORDER,   /* thread: the hub did not react to our report */
	WATCH_ANSWERS, /* hub: who has not answered is missing */
	WATCH_LOSS,    /* a connection was lost */
	WATCH_LEAVE,   /* longest wait in watch_stop */
	WATCH_DEADLINE_COUNT
};

/* Seen by a rank's main thread, its watch and the hub: a mapping shared with the child. */
struct watch_shared {
	pthread_mutex_t point_lock; /* robust: the rank may be killed while it holds it */
	char point[WATCH_POINT_SIZE];
	atomic_int phase;
	atomic_ulong steps; /* calls of watch_phase, watch_point and watch_progress */
	atomic_ulong calls;
	atomic_bool interrupted;
	atomic_int state;
	atomic_int spokesman; /* speaks when the hub is gone: the lowest rank but 0 with a connection */
	atomic_int nlocal;    /* ranks of a process */
	/* Written before the state is WATCH_JOINING. Of processes: */
	int rank;
	int size;
};

/* How the thread and the hub differ. */
struct watch_role {
	void (*on_state)(struct watch *watch, enum watch_state state);
	void (*on_message)(struct watch *watch, struct watch_peer *peer);
	void (*on_other)(struct watch *watch, uint64_t index); /* any event but a state's and a peer's */
	void (*on_deadlines)(struct watch *watch, double now);
};

/* What an event stands for; peers follow in the order of their array. */
enum { WATCH_STATE_EVENT, WATCH_SIGNAL_EVENT, WATCH_LISTEN_EVENT, WATCH_FIRST_PEER };

struct watch {
	char program[WATCH_HOST_SIZE];
	char host[WATCH_HOST_SIZE];
	double timeout;
	bool simulated;
	struct watch_shared *shared;
	const struct watch_role *role;
	pthread_t thread;
	bool has_thread;
	pid_t hub; /* 0: none */
	uint64_t cookie;
	int listen_fd;
	int pair_fd;  /* between thread and hub of one process */
	int event_fd; /* the state has moved */
	int hub_event_fd;
	int signal_fd;
	int epoll_fd;

	pthread_mutex_t hooks_lock; /* held while a hook runs */
	struct watch_hooks hooks;

	struct watch_peer *peers; /* hub: by rank; thread: peers[0] is the hub */
	size_t peer_count;
	struct watch_peer *pending; /* hub, after the peers: connections that have not said who they are */
	size_t pending_count;
	size_t pending_next;

	bool joined;       /* has seen WATCH_JOINING */
	uint32_t reported; /* the kind of our report to the hub */
	int signals;
	unsigned long progress;
	double progress_time;
	double patience; /* thread: no report of a time-out before, as others made progress */
	double deadline[WATCH_DEADLINE_COUNT];
};

/* Makes the epoll descriptor, with the state's event in it. */
int watch_loop_open(struct watch *watch);
/* Runs until everybody has said goodbye after the state became WATCH_STOPPING. */
void watch_loop_run(struct watch *watch);
void watch_loop_add(struct watch *watch, int operation, int fd, uint64_t index);
void watch_loop_on_peer(struct watch *watch, struct watch_peer *peer);
/* Seconds of a clock that never goes back. */
double watch_loop_now(void);
void watch_loop_set(struct watch *watch, enum watch_deadline which, double seconds);
/* Whether it has passed; it is then unset. */
bool watch_loop_due(struct watch *watch, enum watch_deadline which, double now);
enum watch_state watch_loop_state(const struct watch *watch);

/* For pthread_create; takes the signals. */
void *watch_thread_run(void *watch);

/* The hooks of this process, from its thread. Whether it can tell what is unfinished. */
bool watch_hooks_unfinished(struct watch *watch, uint64_t *unfinished);
/* The longest that watch_hooks_abort may take, in seconds. 0: there is nothing to abort. */
double watch_hooks_longest(struct watch *watch);
/* Just before this process ends; hooks can no longer be set. Returns how much longer it might have taken, as those of other processes may. */
double watch_hooks_abort(struct watch *watch);

/* Before any thread exists. -1 with errno. */
int watch_hub_start(struct watch *watch);
/* Once its work is done, or not wanted. */
void watch_hub_end(struct watch *watch);

/* Each prints one line on stderr with a single write. `process`: -1, this one, which knows no rank. */
void watch_text_lone_timeout(struct watch *watch);
void watch_text_timeout(struct watch *watch);
void watch_text_no_order(struct watch *watch);
void watch_text_loss(struct watch *watch);
void watch_text_interrupted(struct watch *watch, int process, bool second_signal);

#endif
