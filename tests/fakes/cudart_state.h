/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the stand-in of libcudart share.
 *   cudart_setup.c    COLLPERF_FAKE: settings and faults; how wrong use ends
 *   cudart_device.c   GPUs, the calling thread's device and last error
 *   cudart_memory.c   device memory behind its two addresses, pinned host memory
 *   cudart_stream.c   streams: queues, their threads, waiting
 *   cudart_order.c    which work on which memory no host thread has seen to be complete
 *   cudart_event.c    events
 *   cudart_graph.c    capture, graphs
 *   cudart_copy.c     copies, fills, host functions
 * Streams and events are never given back to the allocator, so that a use after their end is seen.
 */
#ifndef COLLPERF_CUDART_STATE_H
#define COLLPERF_CUDART_STATE_H

#include <pthread.h>
#include <stdint.h>

#include "fake.h"

/* Work that belongs together because it was captured: by a graph, by what was instantiated from it, by launches that are pending. */
struct fake_nodes {
	int references; /* under fake_lock */
	size_t count, size, nranges;
	struct fake_work *work;
	struct fake_range *ranges; /* of all */
};

struct CUgraph_st {
	struct fake_nodes *nodes;
};

struct CUgraphExec_st {
	struct fake_nodes *nodes;
	int device;
};

/* Until a stream has completed its piece `number`. */
struct fake_after {
	struct CUstream_st *stream;
	uint64_t number;
};

struct fake_piece {
	struct fake_work work;
	uint64_t number;
	double queued;            /* when */
	struct fake_after *after; /* the null stream waits for others, and they for it */
	size_t nafter;
	struct fake_piece *next;
};

/* Memory that pieces up to `number` read or write. */
struct fake_touched {
	uintptr_t begin, end;
	bool writes;
	uint64_t number;
	const char *name;
};

/* All members are under fake_lock. */
struct CUstream_st {
	int device;
	bool null, blocking, dead, started;
	pthread_cond_t work, progress;
	struct fake_piece *first, **last;
	uint64_t submitted, completed;
	/* what a host thread has seen to be complete, and what was touched since */
	uint64_t observed;
	struct fake_touched *touched;
	size_t ntouched, touched_size;
	/*
	 * The null stream's order. A blocking stream's pieces up to `covered` are complete before piece covered_by of the null stream; its pieces from
	 * `behind` on start after piece behind_null of the null stream.
	 */
	uint64_t covered, covered_by, behind, behind_null;
	/* capture */
	struct fake_nodes *capture;
	enum cudaStreamCaptureMode mode;
	pthread_t capturer;
	bool broken;
	struct CUstream_st *next;
};

struct CUevent_st {
	unsigned flags;
	int device;
	bool dead, captured;
	struct CUstream_st *stream; /* of the last record, or NULL */
	uint64_t number;            /* its piece */
	uint64_t generation;        /* how often recorded */
	double time;                /* seconds, of the last record; valid once its piece is complete */
};

extern pthread_mutex_t fake_lock;

/* cudart_setup.c */
double fake_now(void);

/* cudart_device.c. fake_begin: enters a function; an error that is due, or that there is no device. fake_end remembers what a function returns. */
cudaError_t fake_begin(const char *function);
cudaError_t fake_end(cudaError_t error);
/* Marks the calling thread as one of a stream, where no function may be called. */
void fake_enter_stream(void);
bool fake_on_stream(void);

/* cudart_memory.c: every range of device memory is inside one live allocation, or wrong use. */
void fake_check_ranges(const struct fake_work *work);

/* cudart_stream.c, under fake_lock unless told otherwise. */
struct CUstream_st *fake_stream_of(cudaStream_t stream, int device, const char *function);
struct CUstream_st *fake_streams(void);
/* Waits until the piece is complete; no host thread has seen it thereby. */
void fake_stream_await(struct CUstream_st *stream, uint64_t number);
/* The same, and it is observed. */
void fake_stream_wait(struct CUstream_st *stream, uint64_t number);
/* Enqueued by the calling thread as a piece; *number: which. */
cudaError_t fake_stream_add(struct CUstream_st *stream, const struct fake_work *work, uint64_t *number);
/* Where it was ordered by the null stream, all of it counts. */
bool fake_ordered(const struct CUstream_st *one, const struct CUstream_st *other);

/* cudart_order.c, under fake_lock. */
void fake_order_check(const struct CUstream_st *stream, const struct fake_work *work);
void fake_order_note(struct CUstream_st *stream, const struct fake_work *work, uint64_t number);
void fake_order_observe(struct CUstream_st *stream, uint64_t number);
/* Name of the work that may still use this memory, or NULL. */
const char *fake_order_pending(const void *memory, size_t bytes);

/* cudart_graph.c, under fake_lock. */
cudaError_t fake_capture_add(struct CUstream_st *stream, const struct fake_work *work);
/* For functions that no capture allows: an error where one is going on that forbids it, which is then broken. Takes fake_lock. */
cudaError_t fake_capture_forbids(void);
void fake_work_dispose(const struct fake_work *work);

#endif
