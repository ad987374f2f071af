/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams: a queue and a thread each. The null stream of a device waits for the blocking streams of that device, and they for it.
 */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cudart_state.h"

pthread_mutex_t fake_lock = PTHREAD_MUTEX_INITIALIZER;

static struct {
	struct CUstream_st *first; /* all that ever were, under fake_lock */
} streams;

struct CUstream_st *fake_streams(void)
{
	return streams.first;
}

static struct CUstream_st *add_stream(int device, bool null, bool blocking)
{
	struct CUstream_st *stream = calloc(1, sizeof *stream);

	if (!stream)
		fake_fail("out of memory");
	stream->device = device;
	stream->null = null;
	stream->blocking = blocking;
	stream->last = &stream->first;
	pthread_cond_init(&stream->work, NULL);
	pthread_cond_init(&stream->progress, NULL);
	stream->next = streams.first;
	streams.first = stream;
	return stream;
}

struct CUstream_st *fake_stream_of(cudaStream_t handle, int device, const char *function)
{
	struct CUstream_st *stream = streams.first;

	while (stream && (handle ? stream != handle : !stream->null || stream->device != device))
		stream = stream->next;
	if (!handle)
		return stream ? stream : add_stream(device, true, true);
	if (!stream || stream->null)
		fake_fail("%s: %p is no stream", function, (void *)handle);
	if (stream->dead)
		fake_fail("%s: the stream is destroyed already", function);
	return stream;
}

bool fake_ordered(const struct CUstream_st *one, const struct CUstream_st *other)
{
	return one->device == other->device && one->blocking && other->blocking && one->null != other->null;
}

void fake_stream_await(struct CUstream_st *stream, uint64_t number)
{
	while (stream->completed < number)
		pthread_cond_wait(&stream->progress, &fake_lock);
}

void fake_stream_wait(struct CUstream_st *stream, uint64_t number)
{
	fake_stream_await(stream, number);
	fake_order_observe(stream, number);
}

void fake_pause(long us)
{
	struct timespec time = { .tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000 };

	if (us > 0)
		nanosleep(&time, NULL);
}

/* One call a line: threads and processes share stderr. */
static void trace(const struct CUstream_st *stream, const struct fake_piece *piece, double begun)
{
	fprintf(stderr, "fake: ran: %s on %p device %d queued %.0f began %.0f ended %.0f\n", piece->work.name,
		(const void *)stream, stream->device, piece->queued * 1e9, begun * 1e9, fake_now() * 1e9);
}

static void run_piece(const struct CUstream_st *stream, struct fake_piece *piece)
{
	const double begun = fake_now();

	fake_pause(fake_setting("slow"));
	piece->work.run(piece->work.arg);
	if (fake_setting("trace"))
		trace(stream, piece, begun);
	fake_work_dispose(&piece->work);
	free((void *)piece->work.ranges);
	free(piece->after);
	free(piece);
}

static void *run_stream(void *arg)
{
	struct CUstream_st *stream = arg;

	fake_enter_stream();
	pthread_mutex_lock(&fake_lock);
	for (;;) {
		struct fake_piece *piece;
		uint64_t number;

		while (!stream->first && !stream->dead)
			pthread_cond_wait(&stream->work, &fake_lock);
		piece = stream->first;
		if (!piece)
			break;
		for (size_t i = 0; i < piece->nafter; i++)
			fake_stream_await(piece->after[i].stream, piece->after[i].number);
		stream->first = piece->next;
		if (!stream->first)
			stream->last = &stream->first;
		number = piece->number;
		pthread_mutex_unlock(&fake_lock);
		run_piece(stream, piece);
		pthread_mutex_lock(&fake_lock);
		stream->completed = number;
		pthread_cond_broadcast(&stream->progress);
	}
	pthread_mutex_unlock(&fake_lock);
	return NULL;
}

static void start_thread(struct CUstream_st *stream)
{
	pthread_attr_t attributes;
	pthread_t thread;

	if (stream->started)
		return;
	/* Detached: a stream that is destroyed finishes its work on its own, and one that hangs holds up nobody. */
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	if (pthread_create(&thread, &attributes, run_stream, stream) != 0)
		fake_fail("no thread for a stream");
	pthread_attr_destroy(&attributes);
	stream->started = true;
}

/* What the null stream asks for: the piece waits for streams of its device, and these have to know. */
static void order_by_null(struct CUstream_st *stream, struct fake_piece *piece)
{
	size_t count = 0;

	for (struct CUstream_st *other = streams.first; other; other = other->next)
		count += fake_ordered(stream, other) && other->submitted > other->completed;
	piece->after = count ? calloc(count, sizeof *piece->after) : NULL;
	if (count && !piece->after)
		fake_fail("out of memory");
	for (struct CUstream_st *other = streams.first; other; other = other->next) {
		if (!fake_ordered(stream, other))
			continue;
		if (other->submitted > other->completed)
			piece->after[piece->nafter++] = (struct fake_after){ .stream = other, .number = other->submitted };
		if (stream->null && other->covered != other->submitted) {
			other->covered = other->submitted;
			other->covered_by = piece->number;
		}
		if (other->null && stream->behind_null != other->submitted) {
			stream->behind_null = other->submitted;
			stream->behind = piece->number;
		}
	}
}

/* A capture must not come to depend on the null stream, nor it on a capture. */
static bool captures_break(const struct CUstream_st *stream)
{
	bool broken = false;

	for (struct CUstream_st *other = streams.first; other; other = other->next) {
		if (stream->null && fake_ordered(stream, other) && other->capture && !other->dead) {
			other->broken = true;
			broken = true;
		}
	}
	return broken;
}

cudaError_t fake_stream_add(struct CUstream_st *stream, const struct fake_work *work, uint64_t *number)
{
	struct fake_piece *piece;
	struct fake_range *ranges = NULL;

	if (captures_break(stream))
		return cudaErrorStreamCaptureImplicit;
	while (stream->submitted - stream->completed >= FAKE_QUEUE)
		pthread_cond_wait(&stream->progress, &fake_lock);
	fake_order_check(stream, work);
	piece = calloc(1, sizeof *piece);
	if (work->nranges)
		ranges = calloc(work->nranges, sizeof *ranges);
	if (!piece || (work->nranges && !ranges))
		fake_fail("out of memory");
	if (ranges)
		memcpy(ranges, work->ranges, work->nranges * sizeof *ranges);
	piece->work = *work;
	piece->work.ranges = ranges;
	piece->number = ++stream->submitted;
	piece->queued = fake_now();
	*number = piece->number;
	fake_order_note(stream, work, piece->number);
	order_by_null(stream, piece);
	*stream->last = piece;
	stream->last = &piece->next;
	start_thread(stream);
	pthread_cond_signal(&stream->work);
	return cudaSuccess;
}

cudaError_t fake_stream_enqueue(cudaStream_t handle, int device, const struct fake_work *work)
{
	struct CUstream_st *stream;
	cudaError_t error;
	uint64_t number;

	fake_check_ranges(work);
	pthread_mutex_lock(&fake_lock);
	stream = fake_stream_of(handle, device, work->name);
	if (device != stream->device)
		fake_fail("%s: for device %d, on a stream of device %d", work->name, device, stream->device);
	error = stream->capture ? fake_capture_add(stream, work) : fake_stream_add(stream, work, &number);
	pthread_mutex_unlock(&fake_lock);
	if (error)
		fake_work_dispose(work);
	return error;
}

int fake_stream_device(cudaStream_t handle, int device, const char *function)
{
	pthread_mutex_lock(&fake_lock);
	device = fake_stream_of(handle, device, function)->device;
	pthread_mutex_unlock(&fake_lock);
	return device;
}

bool fake_stream_is_capturing(cudaStream_t handle)
{
	bool capturing;

	pthread_mutex_lock(&fake_lock);
	capturing = fake_stream_of(handle, fake_current_device(), "a query for capture")->capture != NULL;
	pthread_mutex_unlock(&fake_lock);
	return capturing;
}

static cudaError_t create(const char *function, cudaStream_t *handle, unsigned int flags)
{
	cudaError_t error = fake_begin(function);

	if (!error && (flags & ~(unsigned)cudaStreamNonBlocking))
		error = cudaErrorInvalidValue;
	if (error)
		return fake_end(error);
	pthread_mutex_lock(&fake_lock);
	*handle = add_stream(fake_current_device(), false, !(flags & cudaStreamNonBlocking));
	pthread_mutex_unlock(&fake_lock);
	return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *handle, unsigned int flags)
{
	return create("cudaStreamCreateWithFlags", handle, flags);
}

/* Priorities change nothing here: every stream has a thread. One outside of the range is brought into it, as CUDA does. */
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *handle, unsigned int flags, int priority)
{
	(void)priority;
	return create("cudaStreamCreateWithPriority", handle, flags);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
	cudaError_t error = fake_begin("cudaDeviceGetStreamPriorityRange");

	if (!error) {
		*least = 0;
		*greatest = -5;
	}
	return fake_end(error);
}

cudaError_t cudaStreamDestroy(cudaStream_t handle)
{
	cudaError_t error = fake_begin("cudaStreamDestroy");
	struct CUstream_st *stream;

	if (!error && !handle)
		error = cudaErrorInvalidResourceHandle;
	if (error)
		return fake_end(error);
	pthread_mutex_lock(&fake_lock);
	stream = fake_stream_of(handle, -1, "cudaStreamDestroy");
	if (stream->capture)
		fake_fail("cudaStreamDestroy: the stream is capturing");
	stream->dead = true;
	pthread_cond_signal(&stream->work);
	pthread_mutex_unlock(&fake_lock);
	return cudaSuccess;
}

/* Waits for the stream, or only asks whether its work is complete; with the null stream go the streams that it orders. */
static cudaError_t finish(cudaStream_t handle, const char *function, bool wait)
{
	cudaError_t error = fake_begin(function);
	struct CUstream_st *stream, *other;

	if (error)
		return fake_end(error);
	pthread_mutex_lock(&fake_lock);
	stream = fake_stream_of(handle, fake_current_device(), function);
	if (stream->capture) {
		stream->broken = true;
		error = cudaErrorStreamCaptureUnsupported;
	} else if (captures_break(stream)) {
		error = cudaErrorStreamCaptureImplicit;
	}
	for (other = streams.first; other && !error; other = other->next) {
		if (other != stream && !(stream->null && fake_ordered(stream, other)))
			continue;
		if (wait || other->completed == other->submitted)
			fake_stream_wait(other, other->submitted);
		else
			error = cudaErrorNotReady;
	}
	pthread_mutex_unlock(&fake_lock);
	/* Threads that poll leave the cores to those who work. */
	if (error == cudaErrorNotReady)
		sched_yield();
	return fake_end(error);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
	return finish(stream, "cudaStreamSynchronize", true);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
	return finish(stream, "cudaStreamQuery", false);
}
