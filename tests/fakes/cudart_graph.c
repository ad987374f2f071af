/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs, made by capturing one stream alone: a list of work, run in its order at every launch.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cudart_state.h"

void fake_work_dispose(const struct fake_work *work)
{
	if (work->dispose)
		work->dispose(work->arg);
}

static void free_nodes(struct fake_nodes *nodes)
{
	for (size_t i = 0; i < nodes->count; i++)
		fake_work_dispose(&nodes->work[i]);
	free(nodes->work);
	free(nodes->ranges);
	free(nodes);
}

static void drop_nodes(void *arg)
{
	struct fake_nodes *nodes = arg;
	bool last;

	pthread_mutex_lock(&fake_lock);
	last = --nodes->references == 0;
	pthread_mutex_unlock(&fake_lock);
	if (last)
		free_nodes(nodes);
}

static void run_nodes(void *arg)
{
	const struct fake_nodes *nodes = arg;

	for (size_t i = 0; i < nodes->count; i++)
		nodes->work[i].run(nodes->work[i].arg);
}

cudaError_t fake_capture_add(struct CUstream_st *stream, const struct fake_work *work)
{
	struct fake_nodes *nodes = stream->capture;
	size_t ranges = nodes->nranges + work->nranges;

	if (stream->broken)
		return cudaErrorStreamCaptureInvalidated;
	if (nodes->count == nodes->size) {
		nodes->size = nodes->size ? 2 * nodes->size : 16;
		nodes->work = realloc(nodes->work, nodes->size * sizeof *nodes->work);
	}
	if (work->nranges)
		nodes->ranges = realloc(nodes->ranges, ranges * sizeof *nodes->ranges);
	if (!nodes->work || (ranges && !nodes->ranges))
		fake_fail("out of memory");
	if (work->nranges)
		memcpy(nodes->ranges + nodes->nranges, work->ranges, work->nranges * sizeof *nodes->ranges);
	nodes->nranges = ranges;
	nodes->work[nodes->count] = *work;
	nodes->work[nodes->count].ranges = NULL;
	nodes->count++;
	return cudaSuccess;
}

cudaError_t fake_capture_forbids(void)
{
	cudaError_t error = cudaSuccess;

	pthread_mutex_lock(&fake_lock);
	for (struct CUstream_st *stream = fake_streams(); stream; stream = stream->next) {
		if (!stream->capture || stream->mode == cudaStreamCaptureModeRelaxed ||
		    (stream->mode == cudaStreamCaptureModeThreadLocal && !pthread_equal(stream->capturer, pthread_self())))
			continue;
		stream->broken = true;
		error = cudaErrorStreamCaptureUnsupported;
	}
	pthread_mutex_unlock(&fake_lock);
	return error;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, enum cudaStreamCaptureMode mode)
{
	cudaError_t error = fake_begin("cudaStreamBeginCapture");
	struct CUstream_st *stream;

	if (!error && !handle)
		error = cudaErrorStreamCaptureUnsupported;
	if (!error && (unsigned)mode > cudaStreamCaptureModeRelaxed)
		error = cudaErrorInvalidValue;
	if (error)
		return fake_end(error);
	pthread_mutex_lock(&fake_lock);
	stream = fake_stream_of(handle, -1, "cudaStreamBeginCapture");
	if (stream->capture) {
		error = cudaErrorIllegalState;
	} else {
		stream->capture = calloc(1, sizeof *stream->capture);
		if (!stream->capture)
			fake_fail("out of memory");
		stream->capture->references = 1;
		stream->mode = mode;
		stream->capturer = pthread_self();
		stream->broken = false;
	}
	pthread_mutex_unlock(&fake_lock);
	return fake_end(error);
}

/* Takes what was captured off the stream: *nodes, NULL where the capture failed. */
static cudaError_t end_capture(struct CUstream_st *stream, struct fake_nodes **nodes, struct fake_nodes **failed)
{
	if (!stream->capture)
		return cudaErrorIllegalState;
	if (stream->mode != cudaStreamCaptureModeRelaxed && !pthread_equal(stream->capturer, pthread_self()))
		return cudaErrorStreamCaptureWrongThread;
	*(stream->broken ? failed : nodes) = stream->capture;
	stream->capture = NULL;
	return stream->broken ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *graph)
{
	cudaError_t error = fake_begin("cudaStreamEndCapture");
	struct fake_nodes *nodes = NULL, *failed = NULL;

	if (!error && !handle)
		error = cudaErrorIllegalState;
	if (error)
		return fake_end(error);
	pthread_mutex_lock(&fake_lock);
	error = end_capture(fake_stream_of(handle, -1, "cudaStreamEndCapture"), &nodes, &failed);
	pthread_mutex_unlock(&fake_lock);
	if (failed)
		free_nodes(failed);
	*graph = NULL;
	if (!nodes)
		return fake_end(error);
	*graph = calloc(1, sizeof **graph);
	if (!*graph)
		fake_fail("out of memory");
	(*graph)->nodes = nodes;
	return cudaSuccess;
}

static struct fake_nodes *share(struct fake_nodes *nodes)
{
	pthread_mutex_lock(&fake_lock);
	nodes->references++;
	pthread_mutex_unlock(&fake_lock);
	return nodes;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
	cudaError_t error = fake_begin("cudaGraphInstantiateWithFlags");

	if (!error && (!graph || flags > 15))
		error = cudaErrorInvalidValue;
	if (error)
		return fake_end(error);
	*exec = calloc(1, sizeof **exec);
	if (!*exec)
		fake_fail("out of memory");
	(*exec)->nodes = share(graph->nodes);
	return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
	cudaError_t error = fake_begin("cudaGraphLaunch");
	struct fake_work work = { .name = "cudaGraphLaunch", .run = run_nodes, .dispose = drop_nodes };
	int device;

	if (!error && !exec)
		error = cudaErrorInvalidValue;
	if (error)
		return fake_end(error);
	device = fake_stream_device(stream, fake_current_device(), "cudaGraphLaunch");
	work.arg = share(exec->nodes);
	work.ranges = exec->nodes->ranges;
	work.nranges = exec->nodes->nranges;
	return fake_end(fake_stream_enqueue(stream, device, &work));
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
	cudaError_t error = fake_begin("cudaGraphExecDestroy");

	if (!error && !exec)
		error = cudaErrorInvalidValue;
	if (error)
		return fake_end(error);
	drop_nodes(exec->nodes);
	free(exec);
	return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
	cudaError_t error = fake_begin("cudaGraphDestroy");

	if (!error && !graph)
		error = cudaErrorInvalidValue;
	if (error)
		return fake_end(error);
	drop_nodes(graph->nodes);
	free(graph);
	return cudaSuccess;
}
