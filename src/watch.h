/* SPDX-License-Identifier: Apache-2.0
 *
 * The watch over a job: signals, time-outs and lost ranks. One thread a process, asleep except when something happens; the threads talk over
 * TCP of their own, so they still answer when every main thread is stuck inside a collective. Rank 0 also has a child process, the hub, in a
 * session of its own: it outlives a launcher's killing of all ranks for the moment that the message takes. Knows nothing of what is measured.
 */
#ifndef COLLPERF_WATCH_H
#define COLLPERF_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct launch;
struct watch;

enum watch_phase {
	WATCH_LAUNCH,  /* bring-up, MPI_Init */
	WATCH_PREPARE, /* allocation, touching pages */
	WATCH_CHECK,   /* seeding and checking data, with its calls */
	WATCH_WARMUP,
	WATCH_TIMING,
	WATCH_OUTPUT, /* rows, files */
	WATCH_FINISH, /* MPI_Finalize and after */
	WATCH_PHASE_COUNT
};

/*
 * Before the launch (MPI_Init) and before any thread, once a process: forks the hub, blocks SIGINT, SIGTERM and, unless ignored, SIGHUP (in every thread made
 * later, too) and starts the thread that takes them. `timeout` in seconds, 0: none; it limits the time in which no process calls watch_phase, watch_point,
 * watch_call or watch_progress. A process stuck before watch_connect (in MPI_Init) is ended with a message by its own thread alone. NULL after one line on
 * stderr.
 * simulated: no thread, no signals; every function below then does next to nothing.
 */
struct watch *watch_start(const char *program, double timeout, bool simulated);

/*
 * Collective, after the launch: the hub listens, the others connect to it (the loopback address on rank 0's node, else rank 0's addresses). When
 * some cannot, that is no error: messages then say that the missing ranks are not known.
 */
int watch_connect(struct watch *watch, struct launch *launch);

/* What the watch asks of the backend, both from a thread of its own while the main thread may be stuck in it. */
struct watch_hooks {
	int nlocal;                        /* ranks of this process, the same in all: launch rank * nlocal .. */
	uint64_t (*unfinished)(void *arg); /* bit i: local rank i has not finished its call; may be NULL. Must not block */
	void (*abort)(void *arg);          /* before the process ends by the watch, for at most 2.5 s; may be NULL */
	void *arg;
};

/*
 * Main thread, before the first call (with both functions NULL as soon as nlocal is known, so that lines name ranks from then on). Copied. NULL:
 * none again, before the backend closes; not returning while a hook runs. Ranks keep their numbers.
 */
void watch_set_hooks(struct watch *watch, const struct watch_hooks *hooks);

/* What is being measured: "all_reduce, 1048576 bytes, float sum, in-place". Copied. */
void watch_point(struct watch *watch, const char *what);
void watch_phase(struct watch *watch, enum watch_phase phase);

/* Just before a rank enters a backend call: one relaxed atomic increment, may stand in a timed region. */
void watch_call(struct watch *watch);

/* Inside a call that may be long: it goes on. As cheap. */
void watch_progress(struct watch *watch);

/* Whether this process got one of these signals: the sweep then stops at the next agreed point, keeps its rows and returns 3. */
bool watch_interrupted(const struct watch *watch);

/*
 * What happens by itself:
 * - signal: sets the flag; if the main thread has not finished 5 s later, or on a second signal, ONE line is printed and every process ends with 3.
 * - time-out on any process: it tells the hub, which asks all for their call count and their last progress. While anybody's is less than `timeout` ago
 *   the job goes on: others wait for it. Else the hub prints ONE line on stderr:
 *   "all_reduce_perf: no progress for 5 s in timing of all_reduce, 1024 bytes, ...: rank 1 is missing (reached call 40, the others 41)" and has every
 *   process _exit(3). Missing are the ranks that do not answer, else those with the lowest call count when counts differ (both by the process); else
 *   "ranks 3 and 5 had not finished (call 40)", when that is true of some ranks alone.
 * - ranks on rank 0's host that are stopped (SIGSTOP) when the hub ends all are woken, to end with 3, too; elsewhere the launcher kills them.
 * - before a process ends by any of this, its abort hook runs; only a third signal does not wait for it.
 * - a rank's connection ends before watch_stop: the hub prints ONE line "... rank 2 on host x died in timing of ..., ..." and ends all with 3. The
 *   phase and the point are rank 0's. A launcher that kills the ranks itself then decides their exit codes.
 */

/*
 * This process has printed what failed and will end the job: the hub ends all others without a word, and nobody is called dead for it. Before the
 * launch's abort.
 */
void watch_failed(struct watch *watch);

/* Collective, when no rank will call the backend again: the connections close in good order. Frees watch. */
void watch_stop(struct watch *watch);

#endif
