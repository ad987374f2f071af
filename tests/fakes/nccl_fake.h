/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the stand-in of libnccl share. Ranks meet in a piece of memory that all of their processes map: a seat for each rank, room where
 * ranks lay their data for the others to read, and a letter box for every ordered pair of ranks. A collective is a series of steps; in each, every rank
 * lays a piece of its data down, waits until all have done so, and takes what it needs.
 *   nccl_process.c   communicators of this process, what a thread has in its group, messages
 *   nccl_meeting.c   unique ids, the shared memory, waiting
 *   nccl_comm.c      communicators
 *   nccl_group.c     groups, and from there to the streams
 *   nccl_calls.c     the calls that move data: arguments and buffers
 *   nccl_move.c      collectives
 *   nccl_letters.c   send and receive
 *   nccl_reduce.c    arithmetic
 *   nccl_log.c       the log that NCCL_DEBUG_FILE asks for
 *   nccl_new.c       what NCCL has since 2.11; nccl_old.c takes its place in the library that lacks it
 */
#ifndef COLLPERF_NCCL_FAKE_H
#define COLLPERF_NCCL_FAKE_H

#include <nccl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "fake.h"

enum {
	FAKE_RANKS = 64,
	FAKE_ROOM = 64 * 1024, /* bytes that a rank lays down in a step */
	FAKE_LETTER = 32 * 1024,
	FAKE_TOKEN = 160 * 1024,  /* bytes of device memory that a communicator takes */
	FAKE_WINDOWS = 16,        /* that may be registered in one group */
	FAKE_PREMUL = ncclNumOps, /* as an operation in a heading: any that was created */
};

enum fake_kind {
	FAKE_ALL_REDUCE,
	FAKE_BROADCAST,
	FAKE_REDUCE,
	FAKE_ALL_GATHER,
	FAKE_REDUCE_SCATTER,
	FAKE_ALLTOALL,
	FAKE_GATHER,
	FAKE_SCATTER,
	FAKE_SEND,
	FAKE_RECV,
};

/* What all ranks must agree on. */
struct fake_heading {
	enum fake_kind kind;
	int type;
	int redop;
	int root;
	uint64_t count;
	uint64_t number; /* collectives of the communicator before it */
};

enum fake_presence { FAKE_ABSENT, FAKE_ARRIVING, FAKE_PRESENT, FAKE_DESTROYED, FAKE_ABORTED };

struct fake_seat {
	_Alignas(64) atomic_int presence; /* enum fake_presence */
	atomic_uint event;                /* rung for this rank alone */
	atomic_ullong step;               /* steps that this rank has laid down */
	atomic_ullong windows;            /* that it has registered */
	atomic_llong alone;               /* the thread that last called without a group */
	pid_t pid;
	uint64_t host;
	char bus[32];
	uint64_t window_bytes[FAKE_WINDOWS]; /* of the last ones */
	struct fake_heading heading[2];      /* of even and odd steps */
};

struct fake_letter {
	_Alignas(64) atomic_uint full;
	int type;
	uint64_t count;
	size_t bytes;
	unsigned char data[FAKE_LETTER];
};

/* Rooms [rank][2] and letters [from][to] follow. All zero is the state at the start. */
struct fake_meeting {
	uint64_t nonce;
	atomic_int nranks;
	atomic_uint bell; /* rung for all */
	struct fake_seat seats[FAKE_RANKS];
};

struct fake_redop {
	struct fake_redop *next;
	int handle;
	ncclDataType_t type;
	unsigned char scalar[8];
	const void *device_scalar; /* NULL: scalar */
};

struct fake_registration {
	struct fake_registration *next;
	const void *memory;
	size_t bytes;
	bool is_window;
};

struct ncclComm {
	struct ncclComm *next; /* of all that this process ever had: a stale handle is known as such */
	struct fake_meeting *meeting;
	size_t mapped;
	int rank, nranks, device;
	const char *gone; /* "ncclCommDestroy", "ncclCommAbort"; NULL: alive */
	void *token;      /* device memory that all work on the communicator writes: unordered work conflicts */
	atomic_bool aborted;
	atomic_int running; /* pieces of work at this moment */
	atomic_int graphs;  /* pieces of work that graphs hold */
	atomic_int async;   /* ncclResult_t */
	uint64_t step, number;
	struct fake_redop *redops;
	struct fake_registration *registrations;
	uint64_t windows;
};

/* One call as one rank made it. */
struct fake_op {
	enum fake_kind kind;
	ncclComm_t comm;
	cudaStream_t stream;
	const void *send;
	void *recv;
	size_t send_bytes, recv_bytes; /* of the buffers that this rank uses; send and recv are NULL where it uses none */
	size_t count;
	ncclDataType_t type;
	int redop; /* below FAKE_PREMUL, or FAKE_PREMUL with a scalar */
	int root;  /* or the peer */
	unsigned char scalar[8];
	const void *device_scalar;
	bool hang, async, flip, taken;
};

/* What a group does besides calls: begin for all, then finish for all. */
struct fake_job {
	ncclResult_t (*begin)(struct fake_job *job);
	ncclResult_t (*finish)(struct fake_job *job);
	bool is_init;
	ncclComm_t comm;
	ncclComm_t *to;
	ncclUniqueId id;
	int nranks, rank, device;
	void *memory;
	size_t bytes;
	ncclWindow_t *window;
	uint64_t number; /* of the window */
};

/* Of one thread. */
struct fake_group {
	int depth;
	ncclResult_t error; /* of a call inside it */
	struct fake_op *ops;
	size_t nops;
	struct fake_job *jobs;
	size_t njobs;
	char last_error[512];
};

/* Nobody outside the library sees these. */
#pragma GCC visibility push(hidden)

/* nccl_process.c */
struct fake_group *fake_group(void);
/* The communicator is one of ours and alive, else wrong use. */
void fake_comm_check(ncclComm_t comm, const char *function);
void fake_comm_add(ncclComm_t comm);
/* A number never given before. */
int fake_next_handle(void);
/* Remembers the text for ncclGetLastError and returns `result`. */
ncclResult_t fake_error(ncclResult_t result, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* fake_enter for a function of a communicator, which may be NULL; an error that is due is remembered in the group. */
ncclResult_t fake_call_begin(const char *function, ncclComm_t comm);
int fake_version(void);
/* The least of what the library can be: nccl_new.c or nccl_old.c. */
extern const int fake_newest;
const char *fake_kind_name(enum fake_kind kind);
const char *fake_type_name(int type);
size_t fake_type_size(int type);
const char *fake_redop_name(int redop);

/* nccl_meeting.c */
ncclResult_t fake_meeting_make(ncclUniqueId *id);
ncclResult_t fake_meeting_open(ncclComm_t comm, const ncclUniqueId *id);
void fake_meeting_close(ncclComm_t comm);
struct fake_seat *fake_own_seat(ncclComm_t comm);
unsigned char *fake_room(const struct ncclComm *comm, int rank, uint64_t step);
struct fake_letter *fake_letter(const struct ncclComm *comm, int from, int to);
void fake_ring(atomic_uint *word);
/*
 * Waits until `ready`, asked again after each ring of `word`. false: aborted. After the limit `late` is called, which must not return; NULL: no limit.
 */
struct fake_wait {
	atomic_uint *word;
	bool (*ready)(void *arg);
	void (*late)(void *arg);
	void *arg;
};
bool fake_wait(ncclComm_t comm, const struct fake_wait *wait);
long fake_limit(void); /* seconds */

/* nccl_comm.c */
ncclResult_t fake_comm_init(const char *function, ncclComm_t *comm, int nranks, const ncclUniqueId *id, int rank);

/* nccl_log.c: once all ranks are there, and for each collective as it is queued */
void fake_log_connect(const struct ncclComm *comm);
void fake_log_call(const struct fake_op *op);

/* nccl_group.c */
void fake_group_alone(const struct fake_op *op); /* before an operation of a caller that is in no group */
void fake_group_add_op(const struct fake_op *op);
void fake_group_add_job(const struct fake_job *job);
void fake_group_enter(void);
ncclResult_t fake_group_leave(void);

/* nccl_calls.c: checks the arguments and adds the call to the thread's group. */
ncclResult_t fake_call(const char *function, struct fake_op *op);

/* nccl_move.c, nccl_letters.c: on a stream's thread */
void fake_move(const struct fake_op *op);
void fake_exchange(const struct fake_op *ops, size_t nops);
/* Before: of one group, by the thread that calls. */
void fake_exchange_check(const struct fake_op *const *ops, size_t nops);

/* nccl_reduce.c. Each element of small types is rounded after each step. Elements times *scalar; divided by nranks (floats alone). */
void fake_scale(int type, const void *scalar, void *data, size_t count);
void fake_share(int type, int nranks, void *data, size_t count);
/* to = from[first] op from[first + 1] ..., round. avg: as sum; integers are divided by nranks at the end. */
void fake_reduce(int type, int redop, const void *const *from, int nranks, int first, void *to, size_t count);

#pragma GCC visibility pop

#endif
