/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the NCCL backend share, and nobody else includes.
 *   nccl.c            open, close, what cannot be measured, the table of operations
 *   nccl_api.c        finding the libraries and their functions; nccl_check.c says what of them failed
 *   nccl_features.c   what newer headers and libraries have: one place for every #if on NCCL_VERSION_CODE
 *   nccl_devices.c    which GPUs this process takes, their names and free memory; too few are said once, before anything starts
 *   nccl_comm.c       unique ids over the launch, communicators of the groups, registration, abort, asynchronous errors
 *   nccl_memory.c     buffers, copies; nccl_calls.c: the collectives as seen by one rank; nccl_threads.c: a thread for each -t, asleep or spinning
 *   nccl_time.c       one call, a sample, a loop, as the harness calls them; nccl_run.c does them on every thread
 *   nccl_graph.c      the same through CUDA graphs; nccl_hold.c: streams that wait until all calls of a loop are queued
 *   nccl_step.c       calls beside compute, for steps of training; nccl_step_run.c does them on every thread
 *   nccl_verify.c     seeding and checking by kernels (verify.cu), where they were built
 */
#ifndef COLLPERF_NCCL_STATE_H
#define COLLPERF_NCCL_STATE_H

#include <stdatomic.h>

#include "../backend.h"
#include "nccl_api.h"
#include "nccl_check.h"
#include "nccl_features.h"

struct nccl_threads;
struct nccl_graphs;
struct nccl_verify;
struct nccl_hold;
struct nccl_step;

/* A buffer of one rank, in the order of allocation, which is the same on all ranks. */
struct nccl_buffer {
	void *memory;
	size_t bytes;
	void *handle; /* of ncclCommRegister, or the window; NULL: none */
	bool registered;
	struct nccl_buffer *next;
};

/* One local rank. */
struct nccl_rank {
	int rank;   /* over all */
	int group;  /* and inside its group: */
	int member; /* number */
	int members;
	int device;
	char pci[20]; /* "0000:0f:00" */
	char name[96];
	cudaStream_t stream; /* NULL with -y: the null stream */
	ncclComm_t comm;
	cudaEvent_t begin, end; /* around a call, with timing */
	ncclRedOp_t premul[DTYPE_COUNT];
	bool has_premul[DTYPE_COUNT];
	struct nccl_buffer *buffers;
	atomic_bool busy;                       /* enqueued, not yet seen to be complete */
	atomic_bool inside;                     /* its thread (the first rank of each) is in a function of a communicator */
	double arrival, done, enqueued, kernel; /* of the last call or loop, on now()'s clock; kernel in seconds */
	double spent;                           /* seconds of the parts of a loop that count */
	cudaEvent_t *events;                    /* -I: two for each call of a loop, made when first needed */
	long nevents;
};

struct nccl_state {
	struct nccl_api api;
	struct launch *launch;
	const struct groups *groups;
	int first_rank, nlocal, nthreads, ngpus; /* nlocal = nthreads * ngpus; thread t drives ranks t * ngpus .. */
	struct nccl_rank *ranks;                 /* [nlocal] */
	/* options */
	long agg_iters, blocking, graph, local_register, cta_policy;
	bool parallel_init, stream_null, hold, memory_report, steps;
	char library[48], headers[40], flags[64], host[64];
	bool shared_gpu;
	bool unregistered; /* buffers were allocated since nccl_buffers_register */
	int capability;    /* the least of all ranks' GPUs: 90 is 9.0 */
	struct nccl_threads *threads;
	struct nccl_graphs *graphs;
	struct nccl_verify *verify;
	struct nccl_hold *holds;
	struct nccl_step *step; /* NULL until the first step */
	atomic_bool aborted;
	uint64_t memory_comms, memory_buffers; /* bytes on rank 0's GPU, for -M */
};

/* nccl_devices.c. Collective. Fills device, pci and name of every local rank and sets shared_gpu. 0, -1, or 1: all know. */
int nccl_devices_choose(struct nccl_state *state, bool may_share, long first_device);
int nccl_devices_memory(const struct nccl_state *state, int local, struct backend_memory *memory);

/* nccl_comm.c. Collective. Streams and events too. */
int nccl_comms_open(struct nccl_state *state);
void nccl_comms_close(struct nccl_state *state);
/* From any thread; makes calls that hang return. Never returns later than 2 s. */
void nccl_comms_abort(struct nccl_state *state);
/* False once aborted. Between enter and leave an abort holds off for half a second; `first` is the first rank of the calling thread. */
bool nccl_comms_enter(struct nccl_state *state, struct nccl_rank *first);
void nccl_comms_leave(struct nccl_rank *first);
/* Asynchronous errors of the thread's ranks that are busy: 0, or -1, after one line that names the rank or once aborted. To be asked each nccl_look. */
int nccl_comms_look(struct nccl_state *state, struct nccl_rank *first);
extern const double nccl_look; /* seconds */

/* nccl_memory.c */
int nccl_alloc(struct backend *backend, int local, size_t bytes, void **memory);
void nccl_release(struct backend *backend, int local, void *memory);
int nccl_upload(struct backend *backend, int local, void *to, const void *from, size_t bytes);
int nccl_download(struct backend *backend, int local, void *to, const void *from, size_t bytes);
/* Collective, outside timed regions and graphs: with -R, before a call uses new buffers; else nothing. One thread for all local ranks. */
int nccl_buffers_register(struct nccl_state *state);

/* nccl_calls.c: enqueues one round of call number k of one rank on its stream, inside a group. */
ncclResult_t nccl_enqueue(struct nccl_state *state, struct nccl_rank *rank, int local, const struct backend_call *call, long k,
			  int round);
/* The text of the NCCL call, for messages. */
const char *nccl_call_name(enum coll_id coll);

/* nccl_threads.c: runs `work(state, thread, arg)` on every thread at once, thread 0 being the caller, and waits; -1 when any returned -1. */
typedef int nccl_work_fn(struct nccl_state *state, int thread, void *arg);
struct nccl_threads *nccl_threads_open(struct nccl_state *state);
/* Frees graphs and events too: before nccl_comms_close. NULL allowed. */
void nccl_threads_close(struct nccl_threads *threads);
int nccl_threads_run(struct nccl_threads *threads, nccl_work_fn *work, void *arg);
/* Among the threads of the process, inside work. -1, silently, when one of them has failed or the state is aborted. */
int nccl_threads_barrier(struct nccl_threads *threads);

void nccl_graphs_forget(struct nccl_state *state); /* nccl_graph.c: as if none had been recorded */
/* nccl_time.c */
extern backend_call_fn *const nccl_calls[COLL_COUNT];
double nccl_now(struct backend *backend);
double nccl_wait_until(struct backend *backend, double until);
int nccl_sample(struct backend *backend, const struct backend_call *call, const struct backend_start *start,
		struct backend_sample *samples);
int nccl_loop(struct backend *backend, const struct backend_call *call, long calls, const struct backend_start *start,
	      struct backend_sample *samples, double *each);
uint64_t nccl_unfinished(const struct backend *backend);

/* nccl_hold.c: a stream of `rank` does nothing from begin until release. begin: 0 or -1. Bounded: a forgotten hold ends by itself. */
struct nccl_hold *nccl_hold_open(struct nccl_state *state);
void nccl_hold_close(struct nccl_state *state, struct nccl_hold *hold);
int nccl_hold_begin(struct nccl_state *state, int local);
void nccl_hold_release(struct nccl_state *state, int local);
/* After the release: -1 after one line when the hold had ended by itself before. */
int nccl_hold_check(struct nccl_state *state, int local);
/* The most calls that may be queued behind a hold without the risk that queueing itself blocks. */
enum { NCCL_HOLD_CALLS = 256 };

#include "nccl_kernels.h"

#endif
