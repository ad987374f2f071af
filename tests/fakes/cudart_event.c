/* SPDX-License-Identifier: Apache-2.0
 *
 * Events. The time of an event is when the stream's thread comes to it.
 */
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>

#include "cudart_state.h"

/* All that ever were: handles are known to be good, and to be reachable. Under fake_lock. */
static struct {
	struct CUevent_st **all;
	size_t count, size;
} events;

struct recording {
	struct CUevent_st *event;
	uint64_t generation;
};

static struct CUevent_st *event_of(cudaEvent_t handle, const char *function)
{
	size_t i = events.count;

	while (i > 0 && events.all[i - 1] != handle)
		i--;
	if (i == 0)
		fake_fail("%s: %p is no event", function, (void *)handle);
	if (handle->dead)
		fake_fail("%s: the event is destroyed already", function);
	return handle;
}

static void record(void *arg)
{
	const struct recording *recording = arg;

	pthread_mutex_lock(&fake_lock);
	if (recording->event->generation == recording->generation)
		recording->event->time = fake_now();
	pthread_mutex_unlock(&fake_lock);
}

static struct CUevent_st *add_event(int device, unsigned flags)
{
	struct CUevent_st *event = calloc(1, sizeof *event);

	if (events.count == events.size) {
		events.size = events.size ? 2 * events.size : 64;
		events.all = realloc(events.all, events.size * sizeof(struct CUevent_st *));
	}
	if (!event || !events.all)
		fake_fail("out of memory");
	event->device = device;
	event->flags = flags;
	events.all[events.count++] = event;
	return event;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *handle, unsigned int flags)
{
	const unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
	cudaError_t error = fake_begin("cudaEventCreateWithFlags");

	if (!error && (flags & ~known || ((flags & cudaEventInterprocess) && !(flags & cudaEventDisableTiming))))
		error = cudaErrorInvalidValue;
	if (error)
		return fake_end(error);
	pthread_mutex_lock(&fake_lock);
	*handle = add_event(fake_current_device(), flags);
	pthread_mutex_unlock(&fake_lock);
	return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t handle)
{
	cudaError_t error = fake_begin("cudaEventDestroy");

	if (error)
		return fake_end(error);
	pthread_mutex_lock(&fake_lock);
	event_of(handle, "cudaEventDestroy")->dead = true;
	pthread_mutex_unlock(&fake_lock);
	return cudaSuccess;
}

static cudaError_t record_on(struct CUevent_st *event, struct CUstream_st *stream)
{
	struct recording *recording;
	struct fake_work work = { .name = "cudaEventRecord", .run = record, .dispose = free };
	cudaError_t error;

	if (stream->device != event->device)
		return cudaErrorInvalidResourceHandle;
	/* In a graph an event marks an order between streams, and has no time. */
	if (stream->capture) {
		event->captured = true;
		return stream->broken ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
	}
	recording = malloc(sizeof *recording);
	if (!recording)
		fake_fail("out of memory");
	*recording = (struct recording){ .event = event, .generation = event->generation + 1 };
	work.arg = recording;
	event->generation++;
	error = fake_stream_add(stream, &work, &event->number);
	if (error)
		free(recording);
	event->stream = stream;
	event->captured = false;
	return error;
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream)
{
	cudaError_t error = fake_begin("cudaEventRecord");

	if (error)
		return fake_end(error);
	pthread_mutex_lock(&fake_lock);
	error = record_on(event_of(handle, "cudaEventRecord"), fake_stream_of(stream, fake_current_device(), "cudaEventRecord"));
	pthread_mutex_unlock(&fake_lock);
	return fake_end(error);
}

static void wait_for(void *arg)
{
	const struct fake_after *after = arg;

	pthread_mutex_lock(&fake_lock);
	fake_stream_await(after->stream, after->number);
	pthread_mutex_unlock(&fake_lock);
}

/* What the event stands for now: a later record changes nothing. One that was never recorded is no wait. */
static cudaError_t wait_on(struct CUstream_st *stream, const struct CUevent_st *event)
{
	struct fake_after *after;
	struct fake_work work = { .name = "cudaStreamWaitEvent", .run = wait_for, .dispose = free };
	cudaError_t error;
	uint64_t number;

	if (stream->capture || event->captured)
		fake_fail("cudaStreamWaitEvent: waits inside a capture are not here");
	if (!event->stream)
		return cudaSuccess;
	after = malloc(sizeof *after);
	if (!after)
		fake_fail("out of memory");
	*after = (struct fake_after){ .stream = event->stream, .number = event->number };
	work.arg = after;
	error = fake_stream_add(stream, &work, &number);
	if (error)
		free(after);
	return error;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t handle, unsigned int flags)
{
	cudaError_t error = fake_begin("cudaStreamWaitEvent");

	if (!error && flags != 0)
		error = cudaErrorInvalidValue;
	if (error || fake_fault("deaf", NULL, -1, fake_current_device()))
		return fake_end(error);
	pthread_mutex_lock(&fake_lock);
	error = wait_on(fake_stream_of(stream, fake_current_device(), "cudaStreamWaitEvent"),
			event_of(handle, "cudaStreamWaitEvent"));
	pthread_mutex_unlock(&fake_lock);
	return fake_end(error);
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle)
{
	cudaError_t error = fake_begin("cudaEventSynchronize");
	const struct CUevent_st *event;

	if (error)
		return fake_end(error);
	pthread_mutex_lock(&fake_lock);
	event = event_of(handle, "cudaEventSynchronize");
	if (event->captured)
		error = cudaErrorCapturedEvent;
	else if (event->stream)
		fake_stream_wait(event->stream, event->number);
	pthread_mutex_unlock(&fake_lock);
	return fake_end(error);
}

static cudaError_t elapsed(float *milliseconds, const struct CUevent_st *start, const struct CUevent_st *end)
{
	if (start->captured || end->captured)
		return cudaErrorCapturedEvent;
	if ((start->flags | end->flags) & cudaEventDisableTiming || !start->stream || !end->stream ||
	    start->device != end->device)
		return cudaErrorInvalidResourceHandle;
	if (start->stream->completed < start->number || end->stream->completed < end->number)
		return cudaErrorNotReady;
	fake_order_observe(start->stream, start->number);
	fake_order_observe(end->stream, end->number);
	*milliseconds = (float)(1e3 * (end->time - start->time));
	return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
	cudaError_t error = fake_begin("cudaEventElapsedTime");

	if (error)
		return fake_end(error);
	pthread_mutex_lock(&fake_lock);
	error = elapsed(milliseconds, event_of(start, "cudaEventElapsedTime"), event_of(end, "cudaEventElapsedTime"));
	pthread_mutex_unlock(&fake_lock);
	if (error == cudaErrorNotReady)
		sched_yield();
	return fake_end(error);
}
