/* SPDX-License-Identifier: Apache-2.0
 *
 * The threads of -t, alive for the whole run. Between samples they spin, so that none comes late to a start; after some milliseconds without work they
 * sleep, and leave the cores to the thread that seeds and checks data.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../launch.h"
#include "../memory.h"
#include "nccl_run.h"

enum { LINE = 64 };

struct worker {
	struct nccl_threads *threads;
	int number;
	pthread_t id;
};

/* What many threads look at while others write has a line of cache of its own. */
struct nccl_threads {
	_Alignas(LINE) atomic_long round; /* a new one: there is work, or with none the end */
	nccl_work_fn *work;
	void *arg;
	_Alignas(LINE) atomic_int finished; /* workers, of this round */
	_Alignas(LINE) atomic_long arrived; /* at barriers of this round */
	_Alignas(LINE) atomic_bool failed;
	atomic_int asleep;
	struct nccl_state *state;
	struct worker *workers; /* [count - 1] */
	int count, started;
	bool share_cores;
	double spin; /* seconds without work until a worker sleeps */
	pthread_mutex_t lock;
	pthread_cond_t wake;
};

static void relax(const struct nccl_threads *threads)
{
	if (threads->share_cores)
		sched_yield();
}

static int do_work(struct nccl_threads *threads, int number)
{
	struct nccl_state *state = threads->state;
	const struct nccl_rank *rank = nccl_ranks_of(state, number);
	int rc = nccl_use_device(state, rank);

	if (!rc)
		rc = threads->work(state, number, threads->arg);
	if (rc)
		atomic_store(&threads->failed, true);
	return rc;
}

/* Sequentially consistent on both sides: who starts a round sees that somebody sleeps, or the sleeper sees the round. */
static void doze(struct nccl_threads *threads, long seen)
{
	pthread_mutex_lock(&threads->lock);
	atomic_fetch_add(&threads->asleep, 1);
	while (atomic_load(&threads->round) == seen)
		pthread_cond_wait(&threads->wake, &threads->lock);
	atomic_fetch_sub(&threads->asleep, 1);
	pthread_mutex_unlock(&threads->lock);
}

static void *work_for_ever(void *arg)
{
	const struct worker *worker = arg;
	struct nccl_threads *threads = worker->threads;

	for (long seen = 0;;) {
		const double idle = nccl_clock();

		while (atomic_load_explicit(&threads->round, memory_order_acquire) == seen) {
			relax(threads);
			if (nccl_clock() - idle > threads->spin)
				doze(threads, seen);
		}
		seen++;
		if (!threads->work)
			return NULL;
		do_work(threads, worker->number);
		atomic_fetch_add(&threads->finished, 1);
	}
}

static void begin_round(struct nccl_threads *threads, nccl_work_fn *work, void *arg)
{
	threads->work = work;
	threads->arg = arg;
	atomic_store(&threads->finished, 0);
	atomic_store(&threads->arrived, 0);
	atomic_store(&threads->failed, false);
	atomic_fetch_add(&threads->round, 1);
	if (atomic_load(&threads->asleep) == 0)
		return;
	pthread_mutex_lock(&threads->lock);
	pthread_cond_broadcast(&threads->wake);
	pthread_mutex_unlock(&threads->lock);
}

/* Signals are the main thread's. */
static int start_worker(struct nccl_threads *threads, struct worker *worker)
{
	char name[16];
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	const int error = pthread_create(&worker->id, NULL, work_for_ever, worker);

	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error) {
		fprintf(stderr, "nccl: pthread_create: %s (thread %d of %d)\n", strerror(error), worker->number, threads->count);
		return -1;
	}
	snprintf(name, sizeof name, "nccl %d", worker->number);
	pthread_setname_np(worker->id, name);
	threads->started++;
	return 0;
}

struct nccl_threads *nccl_threads_open(struct nccl_state *state)
{
	struct nccl_threads *threads = aligned_alloc(LINE, sizeof *threads);

	if (threads) {
		memset(threads, 0, sizeof *threads);
		threads->state = state;
		threads->count = state->nthreads;
		threads->share_cores = state->launch->local_size * state->nthreads > memory_cores();
		threads->spin = threads->share_cores ? 50e-6 : 5e-3;
		threads->workers = calloc((size_t)state->nthreads, sizeof *threads->workers);
		pthread_mutex_init(&threads->lock, NULL);
		pthread_cond_init(&threads->wake, NULL);
	}
	if (!state->graphs)
		state->graphs = nccl_graphs_open(state);
	if (!threads || !threads->workers || !state->graphs) {
		fprintf(stderr, "nccl: out of memory for %d threads\n", state->nthreads);
		nccl_threads_close(threads);
		return NULL;
	}
	for (int i = 0; i < state->nthreads - 1; i++) {
		threads->workers[i] = (struct worker){ .threads = threads, .number = i + 1 };
		if (start_worker(threads, &threads->workers[i])) {
			nccl_threads_close(threads);
			return NULL;
		}
	}
	return threads;
}

void nccl_threads_close(struct nccl_threads *threads)
{
	if (!threads)
		return;
	begin_round(threads, NULL, NULL);
	for (int i = 0; i < threads->started; i++)
		pthread_join(threads->workers[i].id, NULL);
	nccl_graphs_close(threads->state);
	pthread_cond_destroy(&threads->wake);
	pthread_mutex_destroy(&threads->lock);
	free(threads->workers);
	free(threads);
}

int nccl_threads_run(struct nccl_threads *threads, nccl_work_fn *work, void *arg)
{
	begin_round(threads, work, arg);
	do_work(threads, 0);
	while (atomic_load_explicit(&threads->finished, memory_order_acquire) < threads->started)
		relax(threads);
	return atomic_load(&threads->failed) ? -1 : 0;
}

int nccl_threads_barrier(struct nccl_threads *threads)
{
	const long ticket = atomic_fetch_add(&threads->arrived, 1);
	const long all = (ticket / threads->count + 1) * threads->count;

	while (atomic_load_explicit(&threads->arrived, memory_order_acquire) < all) {
		if (nccl_threads_failed(threads))
			return -1;
		relax(threads);
	}
	return 0;
}

bool nccl_threads_failed(const struct nccl_threads *threads)
{
	return atomic_load_explicit(&threads->failed, memory_order_relaxed) ||
	       atomic_load_explicit(&threads->state->aborted, memory_order_relaxed);
}

bool nccl_threads_share_cores(const struct nccl_threads *threads)
{
	return threads->share_cores;
}
