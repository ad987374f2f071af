/* SPDX-License-Identifier: Apache-2.0
 *
 * What the NCCL backend asks of its libraries when, for a call, a sample and a loop. Libraries of a few lines write it down in letters:
 *   ( )      a group         A0  the collective of rank 0, A0+64 with its buffers 64 bytes on
 *   S0>1+32  rank 0 sends to 1 what lies 32 bytes into its buffer      R1<0+32  receives
 *   b0 e0    the events before and after rank 0's calls                i0.3  its event number 3 of single calls
 *   w0       rank 0's stream is seen to be complete                    B  a barrier of the launch
 *   [0 ]0    capture         L0  the graph is launched     x0  and destroyed
 *   H0       a hold begins, that of the host
 * A stream is complete when it is asked for the third time; events are 6 ms apart, those of single calls one ms a number.
 */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "src/backend/nccl_run.h"
#include "src/launch.h"

enum { MAX_GPUS = 8, MAX_SINGLES = 4096, BEFORE = -1, AFTER = -2 };

struct event {
	int gpu, number;
};

struct gpu {
	int number;
	int queries; /* since its last work */
	bool hangs;
	long queued; /* calls since the last hold */
	bool is_held;
	struct event before, after, singles[MAX_SINGLES];
	int nsingles;
	char send[1024], recv[1024];
};

struct stand {
	struct nccl_state state;
	struct nccl_rank ranks[MAX_GPUS];
	struct gpu gpus[MAX_GPUS];
	struct launch launch;
	struct launch_ops ops;
	struct backend backend;
	struct backend_call call;
	size_t counts[MAX_GPUS];
	void *send[MAX_GPUS], *recv[MAX_GPUS];
	struct backend_sample samples[MAX_GPUS];
	pthread_mutex_t lock;
	char log[1 << 15];
	long calls, fail_at;
	long barriers, groups, holds, most_held;
	int open;     /* groups that are not ended */
	int spinning; /* host functions that hold */
	atomic_int *released[MAX_GPUS];
	int nreleased;
};

/* The one of the running test: what the libraries are called with has no place for it. */
static struct stand *stand(void)
{
	static struct stand one;

	return &one;
}

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *format, ...)
{
	struct stand *s = stand();
	va_list list;

	va_start(list, format);
	pthread_mutex_lock(&s->lock);
	const size_t used = strlen(s->log);

	vsnprintf(s->log + used, sizeof s->log - used, format, list);
	pthread_mutex_unlock(&s->lock);
	va_end(list);
}

/* --- the libraries --- */

static struct gpu *gpu_of(cudaStream_t stream)
{
	return (struct gpu *)(void *)stream;
}

static ncclResult_t note_call(struct gpu *gpu)
{
	struct stand *s = stand();

	pthread_mutex_lock(&s->lock);
	const bool fails = ++s->calls == s->fail_at;

	gpu->queries = 0;
	gpu->queued++;
	if (gpu->is_held && gpu->queued > s->most_held)
		s->most_held = gpu->queued;
	pthread_mutex_unlock(&s->lock);
	/* Time for the other threads to come to where they wait. */
	if (fails)
		nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
	return fails ? ncclSystemError : ncclSuccess;
}

static ncclResult_t all_reduce(const void *send, void *recv, size_t count, ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
			       cudaStream_t stream)
{
	struct gpu *gpu = gpu_of(stream);
	const ptrdiff_t shift = (const char *)send - gpu->send;

	(void)count, (void)type, (void)op;
	assert_ptr_equal(comm, stream);
	if (stand()->call.rotations > 1)
		assert_int_equal((const char *)recv - gpu->recv, shift);
	if (shift)
		say("A%d+%td ", gpu->number, shift);
	else
		say("A%d ", gpu->number);
	return note_call(gpu);
}

static ncclResult_t send_bytes(const void *from, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
			       cudaStream_t stream)
{
	struct gpu *gpu = gpu_of(stream);

	(void)comm;
	assert_int_equal(type, ncclInt8);
	assert_int_equal(count, 32);
	say("S%d>%d+%td ", gpu->number, peer, (const char *)from - gpu->send);
	return note_call(gpu);
}

static ncclResult_t receive_bytes(void *to, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream)
{
	struct gpu *gpu = gpu_of(stream);

	(void)comm;
	assert_int_equal(type, ncclInt8);
	assert_int_equal(count, 32);
	say("R%d<%d+%td ", gpu->number, peer, (char *)to - (stand()->call.in_place ? gpu->send : gpu->recv));
	return note_call(gpu);
}

static ncclResult_t group_start(void)
{
	say("( ");
	pthread_mutex_lock(&stand()->lock);
	stand()->groups++;
	stand()->open++;
	pthread_mutex_unlock(&stand()->lock);
	return ncclSuccess;
}

static ncclResult_t group_end(void)
{
	say(") ");
	pthread_mutex_lock(&stand()->lock);
	stand()->open--;
	pthread_mutex_unlock(&stand()->lock);
	return ncclSuccess;
}

static ncclResult_t async_error(ncclComm_t comm, ncclResult_t *error)
{
	(void)comm;
	*error = ncclSuccess;
	return ncclSuccess;
}

static const char *nccl_text(ncclResult_t result)
{
	(void)result;
	return "text of the error";
}

static cudaError_t set_device(int device)
{
	(void)device;
	return cudaSuccess;
}

static cudaError_t last_error(void)
{
	return cudaSuccess;
}

/* Single calls are told apart for rank 0 alone. */
static cudaError_t event_create(cudaEvent_t *event, unsigned flags)
{
	struct gpu *gpu = &stand()->gpus[0];

	(void)flags;
	assert_in_range(gpu->nsingles, 0, MAX_SINGLES - 1);
	gpu->singles[gpu->nsingles] = (struct event){ gpu->number, gpu->nsingles };
	*event = (cudaEvent_t)(void *)&gpu->singles[gpu->nsingles++];
	return cudaSuccess;
}

static cudaError_t event_destroy(cudaEvent_t event)
{
	(void)event;
	return cudaSuccess;
}

static cudaError_t event_record(cudaEvent_t event, cudaStream_t stream)
{
	const struct event *e = (const struct event *)(const void *)event;

	(void)stream;
	if (e->number >= 0)
		say("i%d.%d ", e->gpu, e->number);
	else
		say("%c%d ", e->number == BEFORE ? 'b' : 'e', e->gpu);
	return cudaSuccess;
}

static cudaError_t event_elapsed(float *ms, cudaEvent_t from, cudaEvent_t to)
{
	const struct event *a = (const struct event *)(const void *)from, *b = (const struct event *)(const void *)to;

	*ms = a->number >= 0 ? (float)(b->number - a->number) : 6;
	return cudaSuccess;
}

static cudaError_t stream_query(cudaStream_t stream)
{
	struct gpu *gpu = gpu_of(stream);

	if (gpu->hangs || ++gpu->queries < 3)
		return cudaErrorNotReady;
	say("w%d ", gpu->number);
	return cudaSuccess;
}

static cudaError_t begin_capture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
	assert_int_equal(mode, cudaStreamCaptureModeThreadLocal);
	say("[%d ", gpu_of(stream)->number);
	return cudaSuccess;
}

static cudaError_t end_capture(cudaStream_t stream, cudaGraph_t *graph)
{
	say("]%d ", gpu_of(stream)->number);
	*graph = (cudaGraph_t)(void *)stream;
	return cudaSuccess;
}

static cudaError_t graph_instantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
	(void)flags;
	*exec = (cudaGraphExec_t)(void *)graph;
	return cudaSuccess;
}

static cudaError_t graph_launch(cudaGraphExec_t exec, cudaStream_t stream)
{
	assert_ptr_equal(exec, stream);
	say("L%d ", gpu_of(stream)->number);
	gpu_of(stream)->queries = 0;
	return cudaSuccess;
}

static cudaError_t graph_exec_destroy(cudaGraphExec_t exec)
{
	say("x%d ", ((struct gpu *)(void *)exec)->number);
	return cudaSuccess;
}

static cudaError_t graph_destroy(cudaGraph_t graph)
{
	(void)graph;
	return cudaSuccess;
}

static cudaError_t host_allocate(void **memory, size_t bytes, unsigned flags)
{
	(void)flags;
	*memory = calloc(1, bytes);
	assert_non_null(*memory);
	stand()->released[stand()->nreleased++] = *memory;
	return cudaSuccess;
}

static cudaError_t host_release(void *memory)
{
	free(memory);
	return cudaSuccess;
}

static cudaError_t host_device_pointer(void **device, void *host, unsigned flags)
{
	(void)flags;
	*device = host;
	return cudaSuccess;
}

struct host_work {
	cudaHostFn_t run;
	void *arg;
	struct gpu *gpu;
};

static void *run_host_work(void *arg)
{
	struct host_work *work = arg;

	work->run(work->arg);
	pthread_mutex_lock(&stand()->lock);
	work->gpu->is_held = false;
	stand()->spinning--;
	pthread_mutex_unlock(&stand()->lock);
	free(work);
	return NULL;
}

static cudaError_t launch_host_function(cudaStream_t stream, cudaHostFn_t run, void *arg)
{
	struct host_work *work = malloc(sizeof *work);
	pthread_t thread;

	assert_non_null(work);
	*work = (struct host_work){ run, arg, gpu_of(stream) };
	say("H%d ", work->gpu->number);
	pthread_mutex_lock(&stand()->lock);
	work->gpu->queued = 0;
	work->gpu->is_held = true;
	stand()->holds++;
	stand()->spinning++;
	pthread_mutex_unlock(&stand()->lock);
	assert_int_equal(pthread_create(&thread, NULL, run_host_work, work), 0);
	pthread_detach(thread);
	return cudaSuccess;
}

/* No kernels: the host holds. */
const struct backend_device *nccl_device(struct backend *backend)
{
	(void)backend;
	return NULL;
}

int nccl_verify_spin(struct nccl_state *state, int local, const int *flag, uint64_t limit_ns)
{
	(void)state, (void)local, (void)flag, (void)limit_ns;
	return -1;
}

static int launch_barrier(struct launch *launch)
{
	(void)launch;
	say("B ");
	stand()->barriers++;
	return 0;
}

/* --- a backend over them --- */

static void fill_api(struct nccl_api *api)
{
	*api = (struct nccl_api){ .nccl_version = 21000, /* alltoall, gather and scatter are sends and receives */
				  .error_string = NULL,
				  .last_error = last_error,
				  .set_device = set_device,
				  .host_allocate = host_allocate,
				  .host_release = host_release,
				  .host_device_pointer = host_device_pointer,
				  .stream_query = stream_query,
				  .event_create = event_create,
				  .event_destroy = event_destroy,
				  .event_record = event_record,
				  .event_elapsed = event_elapsed,
				  .begin_capture = begin_capture,
				  .end_capture = end_capture,
				  .graph_instantiate = graph_instantiate,
				  .graph_launch = graph_launch,
				  .graph_exec_destroy = graph_exec_destroy,
				  .graph_destroy = graph_destroy,
				  .launch_host_function = launch_host_function,
				  .nccl_error_string = nccl_text,
				  .async_error = async_error,
				  .group_start = group_start,
				  .group_end = group_end,
				  .all_reduce = all_reduce,
				  .send = send_bytes,
				  .recv = receive_bytes };
}

static void set_rank(struct stand *s, int i, int members)
{
	struct gpu *gpu = &s->gpus[i];

	gpu->number = i;
	gpu->before = (struct event){ i, BEFORE };
	gpu->after = (struct event){ i, AFTER };
	s->ranks[i].rank = s->ranks[i].member = s->ranks[i].device = i;
	s->ranks[i].members = members;
	s->ranks[i].stream = (cudaStream_t)(void *)gpu;
	s->ranks[i].comm = (ncclComm_t)(void *)gpu;
	s->ranks[i].begin = (cudaEvent_t)(void *)&gpu->before;
	s->ranks[i].end = (cudaEvent_t)(void *)&gpu->after;
	s->counts[i] = 8;
	s->send[i] = gpu->send;
	s->recv[i] = gpu->recv;
}

static struct stand *open_stand(int nthreads, int ngpus)
{
	struct stand *s = stand();

	memset(s, 0, sizeof *s);
	pthread_mutex_init(&s->lock, NULL);
	fill_api(&s->state.api);
	s->ops.barrier = launch_barrier;
	s->launch = (struct launch){ .size = 1, .local_size = 1, .ops = &s->ops };
	s->state.launch = &s->launch;
	s->state.ranks = s->ranks;
	s->state.nthreads = nthreads;
	s->state.ngpus = ngpus;
	s->state.nlocal = nthreads * ngpus;
	for (int i = 0; i < s->state.nlocal; i++)
		set_rank(s, i, s->state.nlocal);
	s->call = (struct backend_call){ .coll = collectives[COLL_ALL_REDUCE],
					 .count = s->counts,
					 .type = DTYPE_FLOAT,
					 .send = s->send,
					 .recv = s->recv,
					 .rotations = 1 };
	s->backend.state = &s->state;
	s->state.hold = true;
	s->state.threads = nccl_threads_open(&s->state);
	s->state.holds = nccl_hold_open(&s->state);
	s->state.hold = false;
	assert_non_null(s->state.threads);
	assert_non_null(s->state.holds);
	return s;
}

static void close_stand(struct stand *s)
{
	for (bool spins = true; spins; sched_yield()) {
		pthread_mutex_lock(&s->lock);
		spins = s->spinning > 0;
		pthread_mutex_unlock(&s->lock);
	}
	for (int i = 0; i < s->state.nlocal; i++)
		atomic_store(&s->ranks[i].busy, false);
	nccl_hold_close(&s->state, s->state.holds);
	nccl_threads_close(s->state.threads);
	pthread_mutex_destroy(&s->lock);
}

static int call_coll(struct stand *s, enum coll_id coll)
{
	s->call.coll = collectives[coll];
	return nccl_calls[coll](&s->backend, &s->call);
}

static int take_sample(struct stand *s)
{
	const struct backend_start start = { .start = nccl_now(&s->backend), .delayed = -1 };

	return nccl_sample(&s->backend, &s->call, &start, s->samples);
}

static int take_loop(struct stand *s, long calls, double *each)
{
	const struct backend_start start = { .start = nccl_now(&s->backend), .delayed = -1 };

	return nccl_loop(&s->backend, &s->call, calls, &start, s->samples, each);
}

/* What was said since the last time, without the blank at its end. */
static void assert_said(struct stand *s, const char *expected)
{
	const size_t length = strlen(s->log);

	if (length > 0)
		s->log[length - 1] = '\0';
	assert_string_equal(s->log, expected);
	s->log[0] = '\0';
}

static void assert_about(double got, double expected)
{
	assert_true(fabs(got - expected) <= 1e-6 * expected);
}

/* --- tests --- */

static void test_call(void **unused)
{
	struct stand *s = open_stand(1, 2);

	(void)unused;
	assert_int_equal(call_coll(s, COLL_ALL_REDUCE), 0);
	assert_said(s, "( A0 A1 ) w0 w1");
	assert_int_equal(nccl_unfinished(&s->backend), 0);
	close_stand(s);
}

static void test_sample(void **unused)
{
	struct stand *s = open_stand(1, 2);

	(void)unused;
	assert_int_equal(take_sample(s), 0);
	assert_said(s, "b0 b1 ( A0 A1 ) e0 e1 w0 w1");
	assert_about(s->samples[1].kernel, 6e-3);
	assert_true(s->samples[1].arrival >= 0 && s->samples[1].enqueue > 0);
	assert_true(s->samples[1].end >= s->samples[1].arrival + s->samples[1].enqueue);
	s->state.agg_iters = 3;
	s->call.rotations = 2;
	s->call.rotate_bytes = 64;
	assert_int_equal(take_sample(s), 0);
	assert_said(s, "b0 b1 ( A0 A1 A0+64 A1+64 A0 A1 ) e0 e1 w0 w1");
	assert_about(s->samples[0].kernel, 2e-3);
	close_stand(s);
}

static void test_graph(void **unused)
{
	struct stand *s = open_stand(1, 2);

	(void)unused;
	s->state.graph = 2;
	s->state.agg_iters = 3;
	assert_int_equal(take_sample(s), 0);
	assert_said(s, "[0 [1 ( A0 A1 A0 A1 A0 A1 ) ]0 ]1 b0 b1 L0 L1 L0 L1 e0 e1 w0 w1");
	assert_about(s->samples[0].kernel, 1e-3);
	assert_int_equal(take_sample(s), 0);
	assert_said(s, "b0 b1 L0 L1 L0 L1 e0 e1 w0 w1");
	s->state.agg_iters = 1;
	assert_int_equal(take_loop(s, 2, NULL), 0);
	assert_said(s, "x0 x1 [0 [1 ( A0 A1 ) ( A0 A1 ) ]0 ]1 b0 b1 L0 L1 L0 L1 e0 e1 w0 w1");
	assert_about(s->samples[0].kernel, 3e-3);
	close_stand(s);
	assert_said(s, "x0 x1");
}

/* Everything that makes another call of it. */
static void test_graph_is_of_one_call(void **unused)
{
	struct stand *s = open_stand(1, 1);
	const struct backend_call call = s->call;

	(void)unused;
	s->state.graph = 1;
	for (int change = 0; change < 8; change++) {
		s->call = call;
		s->counts[0] = 8;
		s->send[0] = s->gpus[0].send;
		s->recv[0] = s->gpus[0].recv;
		assert_int_equal(take_sample(s), 0);
		s->log[0] = '\0';
		s->call.type = change == 0 ? DTYPE_INT32 : DTYPE_FLOAT;
		s->call.op = change == 1 ? REDOP_MAX : REDOP_SUM;
		s->call.root = change == 2;
		s->call.in_place = change == 3;
		s->call.rotate_bytes = change == 4 ? 16 : 0;
		s->counts[0] += change == 5;
		s->send[0] = s->gpus[0].send + (change == 6 ? 16 : 0);
		s->recv[0] = s->gpus[0].recv + (change == 7 ? 16 : 0);
		assert_int_equal(take_sample(s), 0);
		assert_said(s, change == 6 ? "x0 [0 ( A0+16 ) ]0 b0 L0 e0 w0" : "x0 [0 ( A0 ) ]0 b0 L0 e0 w0");
	}
	close_stand(s);
}

/* How a loop waits; -z 3 and a hold time each piece, which the device's time shows: 6 ms a pair of events. */
static void test_blocking(void **unused)
{
	static const struct {
		const char *said;
		double kernel;
	} modes[] = {
		{ "b0 ( A0 ) ( A0 ) ( A0 ) e0 w0", 6e-3 },
		{ "b0 ( A0 ) w0 B ( A0 ) w0 B ( A0 ) e0 w0 B", 6e-3 },
		{ "b0 ( A0 ) w0 ( A0 ) w0 ( A0 ) e0 w0", 6e-3 },
		{ "b0 ( A0 ) e0 w0 B b0 ( A0 ) e0 w0 B b0 ( A0 ) e0 w0", 18e-3 },
	};
	struct stand *s = open_stand(1, 1);

	(void)unused;
	for (int mode = 0; mode < 4; mode++) {
		s->state.blocking = mode;
		assert_int_equal(take_loop(s, 3, NULL), 0);
		assert_said(s, modes[mode].said);
		assert_about(s->samples[0].kernel, modes[mode].kernel);
	}
	close_stand(s);
}

/* Single calls run to the start of the next, but for the last and, with -z 3, all. */
static void test_each(void **unused)
{
	struct stand *s = open_stand(1, 1);
	double each[3];

	(void)unused;
	assert_int_equal(take_loop(s, 3, each), 0);
	assert_said(s, "b0 i0.0 ( A0 ) i0.2 ( A0 ) i0.4 ( A0 ) i0.5 e0 w0");
	assert_about(each[0], 2e-3);
	assert_about(each[1], 2e-3);
	assert_about(each[2], 1e-3);
	s->state.blocking = 3;
	s->state.agg_iters = 2;
	assert_int_equal(take_loop(s, 2, each), 0);
	assert_said(s, "b0 i0.0 ( A0 A0 ) i0.1 e0 w0 B b0 i0.2 ( A0 A0 ) i0.3 e0 w0");
	assert_about(each[0], 0.5e-3);
	assert_about(each[1], 0.5e-3);
	close_stand(s);
}

/* Each piece is behind a hold of its own, and small enough for any driver's queue. */
static void test_hold(void **unused)
{
	struct stand *s = open_stand(1, 2);

	(void)unused;
	s->state.hold = true;
	assert_int_equal(take_loop(s, 2, NULL), 0);
	assert_said(s, "H0 H1 b0 b1 ( A0 A1 ) ( A0 A1 ) e0 e1 B w0 w1");
	assert_int_equal(take_loop(s, 5000, NULL), 0);
	assert_int_equal(s->calls, 2 * 5002);
	assert_int_equal(s->holds, 2 * (1 + (5000 + NCCL_HOLD_CALLS - 1) / NCCL_HOLD_CALLS));
	assert_int_equal(s->most_held, NCCL_HOLD_CALLS);
	s->state.agg_iters = 100;
	s->most_held = 0;
	assert_int_equal(take_loop(s, 5, NULL), 0);
	assert_int_equal(s->most_held, 200);
	close_stand(s);
}

/* The stream is not left held, the group is ended, and one line says which rank's call it was. */
static void test_failing_call(void **unused)
{
	struct stand *s = open_stand(1, 2);

	(void)unused;
	s->state.hold = true;
	s->fail_at = 4;
	assert_int_equal(take_loop(s, 3, NULL), -1);
	assert_said(s, "H0 H1 b0 b1 ( A0 A1 ) ( A0 A1 )");
	assert_int_equal(s->open, 0);
	assert_int_equal(atomic_load(s->released[0]), 1);
	assert_int_equal(atomic_load(s->released[1]), 1);
	close_stand(s);
}

static void test_messages(void **unused)
{
	struct stand *s = open_stand(1, 2);

	(void)unused;
	s->call.root = 1;
	assert_int_equal(call_coll(s, COLL_GATHER), 0);
	assert_said(s, "( S0>1+0 R1<0+0 R1<1+32 S1>1+0 ) w0 w1");
	assert_int_equal(call_coll(s, COLL_SCATTER), 0);
	assert_said(s, "( R0<1+0 S1>0+0 S1>1+32 R1<1+0 ) w0 w1");
	assert_int_equal(call_coll(s, COLL_ALLTOALL), 0);
	assert_said(s, "( S0>0+0 R0<0+0 S0>1+32 R0<1+32 S1>0+0 R1<0+0 S1>1+32 R1<1+32 ) w0 w1");
	assert_int_equal(call_coll(s, COLL_SENDRECV), 0);
	assert_said(s, "( S0>1+0 R0<1+0 S1>0+0 R1<0+0 ) w0 w1");
	close_stand(s);
}

/* The root's own block lies where it belongs; the ring of three has a direction. */
static void test_messages_in_place(void **unused)
{
	struct stand *s = open_stand(1, 3);

	(void)unused;
	assert_int_equal(call_coll(s, COLL_SENDRECV), 0);
	assert_said(s, "( S0>1+0 R0<2+0 S1>2+0 R1<0+0 S2>0+0 R2<1+0 ) w0 w1 w2");
	s->call.root = 1;
	s->call.in_place = true;
	for (int i = 0; i < 3; i++) {
		s->send[i] = s->gpus[i].send + 32 * i;
		s->recv[i] = s->gpus[i].send;
	}
	assert_int_equal(call_coll(s, COLL_GATHER), 0);
	assert_said(s, "( S0>1+0 R1<0+0 R1<2+64 S2>1+64 ) w0 w1 w2");
	for (int i = 0; i < 3; i++) {
		s->send[i] = s->gpus[i].send;
		s->recv[i] = s->gpus[i].send + 32 * i;
	}
	assert_int_equal(call_coll(s, COLL_SCATTER), 0);
	assert_said(s, "( R0<1+0 S1>0+0 S1>2+64 R2<1+64 ) w0 w1 w2");
	close_stand(s);
}

/* Every thread has a group of its own ranks; the launch knows one of them. */
static void test_threads(void **unused)
{
	struct stand *s = open_stand(4, 2);

	(void)unused;
	for (int i = 0; i < 200; i++) {
		s->calls = s->groups = s->barriers = 0;
		s->state.blocking = i % 4;
		s->state.hold = i % 3 == 0 && s->state.blocking == 0;
		assert_int_equal(take_loop(s, 3, NULL), 0);
		assert_int_equal(s->calls, 3 * 8);
		assert_int_equal(s->groups, 3 * 4);
		assert_int_equal(s->barriers, s->state.hold ? 1 : s->state.blocking == 1 ? 3 : s->state.blocking == 3 ? 2 : 0);
		s->log[0] = '\0';
	}
	close_stand(s);
}

static int count_in_step(struct nccl_state *state, int thread, void *arg)
{
	atomic_int *count = arg;

	(void)thread;
	for (int round = 1; round <= 300; round++) {
		atomic_fetch_add(count, 1);
		if (nccl_threads_barrier(state->threads) || atomic_load(count) != round * state->nthreads ||
		    nccl_threads_barrier(state->threads))
			return -1;
	}
	return 0;
}

static void test_barrier(void **unused)
{
	struct stand *s = open_stand(4, 1);
	atomic_int count = 0;

	(void)unused;
	assert_int_equal(nccl_threads_run(s->state.threads, count_in_step, &count), 0);
	close_stand(s);
}

/* A thread that fails takes the others with it, also from a barrier; the next work starts anew. */
static void test_failing_thread(void **unused)
{
	struct stand *s = open_stand(3, 1);

	(void)unused;
	for (int mode = 0; mode < 4; mode++) {
		s->state.blocking = mode;
		s->fail_at = s->calls + 5;
		assert_int_equal(take_loop(s, 4, NULL), -1);
		assert_int_equal(s->open, 0);
		assert_int_equal(take_loop(s, 4, NULL), 0);
		s->log[0] = '\0';
	}
	close_stand(s);
}

/* What a hanging call shows to another thread, and how that thread ends it. */
static void *end_hang(void *arg)
{
	struct stand *s = arg;

	for (long calls = 0; calls < 4 || nccl_unfinished(&s->backend) != 2; sched_yield()) {
		pthread_mutex_lock(&s->lock);
		calls = s->calls;
		pthread_mutex_unlock(&s->lock);
	}
	atomic_store(&s->state.aborted, true);
	return NULL;
}

static void test_hang(void **unused)
{
	struct stand *s = open_stand(2, 2);
	pthread_t thread;

	(void)unused;
	s->gpus[1].hangs = true;
	assert_int_equal(pthread_create(&thread, NULL, end_hang, s), 0);
	assert_int_equal(take_sample(s), -1);
	pthread_join(thread, NULL);
	assert_int_equal(nccl_unfinished(&s->backend), 2);
	close_stand(s);
}

/* The thread of the delayed rank comes late, and the delay is in its end. */
static void test_delay(void **unused)
{
	struct stand *s = open_stand(2, 2);
	struct backend_start start = { .delayed = 3, .delay = 0.1 };

	(void)unused;
	start.start = nccl_now(&s->backend);
	assert_int_equal(nccl_sample(&s->backend, &s->call, &start, s->samples), 0);
	assert_true(s->samples[2].arrival >= 0.1 && s->samples[3].arrival >= 0.1 && s->samples[3].end >= 0.1);
	assert_true(s->samples[0].arrival < s->samples[2].arrival && s->samples[1].arrival < s->samples[2].arrival);
	start.start = nccl_now(&s->backend);
	s->state.hold = true;
	assert_int_equal(nccl_loop(&s->backend, &s->call, 2, &start, s->samples, NULL), 0);
	assert_true(s->samples[3].end >= 0.1);
	s->state.hold = false;
	start.start = nccl_now(&s->backend);
	assert_int_equal(nccl_loop(&s->backend, &s->call, 3, &start, s->samples, NULL), 0);
	assert_true(s->samples[2].end >= 0.3);
	close_stand(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_call),           cmocka_unit_test(test_sample),
		cmocka_unit_test(test_graph),          cmocka_unit_test(test_graph_is_of_one_call),
		cmocka_unit_test(test_blocking),       cmocka_unit_test(test_each),
		cmocka_unit_test(test_hold),           cmocka_unit_test(test_failing_call),
		cmocka_unit_test(test_messages),       cmocka_unit_test(test_messages_in_place),
		cmocka_unit_test(test_threads),        cmocka_unit_test(test_barrier),
		cmocka_unit_test(test_failing_thread), cmocka_unit_test(test_hang),
		cmocka_unit_test(test_delay),
	};

	return cmocka_run_group_tests_name("nccl course", tests, NULL, NULL);
}
