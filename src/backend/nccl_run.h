/* SPDX-License-Identifier: Apache-2.0
 *
 * How calls are queued and waited for on every thread: what nccl_time.c asks of nccl_run.c, nccl_graph.c and nccl_threads.c. Nobody else includes this.
 */
#ifndef COLLPERF_NCCL_RUN_H
#define COLLPERF_NCCL_RUN_H

#include "nccl_state.h"

/* One call, a sample or a loop. A unit is what is queued at once: a group of `together` calls, or a launch of the graph that holds all groups. */
struct nccl_course {
	const struct backend_call *call;
	const struct backend_start *start; /* NULL: at once */
	long groups;
	long together;
	long units;
	bool graph;
	long blocking; /* as -z */
	bool hold;     /* units are queued behind a hold */
	bool events;   /* rank->kernel is wanted */
	bool each; /* rank->events are wanted: [2 * i] before unit i, [2 * i + 1] after it where the next one does not follow at once */
};

/* An nccl_work_fn; arg is a struct nccl_course. Sets arrival, done, enqueued, kernel and spent of the thread's ranks. */
int nccl_run(struct nccl_state *state, int thread, void *arg);

/* The thread's ranks: state->ngpus of them. */
struct nccl_rank *nccl_ranks_of(const struct nccl_state *state, int thread);

/* Queues calls first .. first + count - 1 on the streams of all of the thread's ranks, in one group. */
int nccl_queue_group(struct nccl_state *state, int thread, const struct backend_call *call, long first, long count);

/* After unit i of a course its event [2 * i + 1] is recorded. */
bool nccl_course_ends_event(const struct nccl_course *course, long i);

/* nccl_time.c */
double nccl_clock(void);
double nccl_clock_wait(const struct nccl_state *state, double until);

/* nccl_graph.c: the thread's graphs of `groups` groups of `together` calls; kept for as long as the same is asked for. */
struct nccl_graphs *nccl_graphs_open(const struct nccl_state *state);
void nccl_graphs_close(struct nccl_state *state);
int nccl_graph_prepare(struct nccl_state *state, int thread, const struct nccl_course *course);
int nccl_graph_launch(struct nccl_state *state, int thread);

/* nccl_threads.c: whether work is over for all, because a thread failed or the state is aborted. */
bool nccl_threads_failed(const struct nccl_threads *threads);
/* Whether there are fewer cores than threads: who waits gives its core away. */
bool nccl_threads_share_cores(const struct nccl_threads *threads);

/* nccl_calls.c. Rounds of a call, each a group of its own, as what one receives the next sends: the most that one of `count` ranks has. */
int nccl_rounds(const struct nccl_rank *ranks, int count, const struct backend_call *call);

#endif
