/* SPDX-License-Identifier: Apache-2.0
 *
 * The four operations of the data check on host memory.
 */
#include "check_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One operation on `count` elements of `size` bytes. */
struct job {
	const struct pattern_table *table; /* NULL: all bytes are `byte` */
	size_t from;
	int byte;
	size_t size;
	uint64_t wrong;
	size_t first;
};

/* Elements done .. done + count - 1 of a job, which are at `data`. */
typedef void piece_fn(struct job *job, size_t done, size_t count, char *data);

static size_t from_of(const struct job *job, size_t done)
{
	return (job->from + done) % job->table->period;
}

static void put(struct job *job, size_t done, size_t count, char *data)
{
	if (job->table)
		pattern_table_fill(job->table, from_of(job, done), count, data);
	else
		memset(data, job->byte, count * job->size);
}

static bool all_bytes(const char *data, int byte, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (data[i] != (char)byte)
			return false;
	return true;
}

static size_t byte_differs(const char *data, int byte, size_t size, size_t count, size_t *first)
{
	size_t wrong = 0;

	/* Equal to itself one byte on: all bytes are like the first. */
	if (count == 0 || (data[0] == (char)byte && memcmp(data, data + 1, count * size - 1) == 0))
		return 0;
	for (size_t i = 0; i < count; i++) {
		if (all_bytes(data + i * size, byte, size))
			continue;
		if (wrong++ == 0)
			*first = i;
	}
	return wrong;
}

static void compare(struct job *job, size_t done, size_t count, char *data)
{
	size_t first = 0;
	const size_t wrong = job->table ? pattern_table_differs(job->table, from_of(job, done), count, data, &first)
					: byte_differs(data, job->byte, job->size, count, &first);

	if (wrong > 0 && job->wrong == 0)
		job->first = done + first;
	job->wrong += wrong;
}

static int by_pieces(struct backend *backend, int local, char *memory, size_t count, struct job *job, piece_fn *work,
		     char *staging)
{
	const size_t most = CHECK_PIECE / job->size;

	for (size_t done = 0; done < count; done += most) {
		const size_t piece = count - done < most ? count - done : most, bytes = piece * job->size;
		char *at = memory + done * job->size;

		if (work == compare && backend->ops->download(backend, local, staging, at, bytes))
			return -1;
		work(job, done, piece, staging);
		if (work == put && backend->ops->upload(backend, local, at, staging, bytes))
			return -1;
	}
	return 0;
}

static int run(struct backend *backend, int local, void *memory, size_t count, struct job *job, piece_fn *work)
{
	const size_t bytes = count > CHECK_PIECE / job->size ? (size_t)CHECK_PIECE : count * job->size;
	char *view = backend->ops->host_view(backend, local, memory), *staging;
	int status;

	if (count == 0)
		return 0;
	if (view) {
		work(job, 0, count, view);
		return 0;
	}
	staging = malloc(bytes);
	if (!staging) {
		fprintf(stderr, "check: out of memory for a staging buffer of %zu bytes\n", bytes);
		return -1;
	}
	status = by_pieces(backend, local, memory, count, job, work, staging);
	free(staging);
	return status;
}

static int host_fill(struct backend *backend, int local, void *to, const struct pattern_table *table, size_t from, size_t count)
{
	struct job job = { .table = table, .from = from, .size = table->size };

	return run(backend, local, to, count, &job, put);
}

static int host_set(struct backend *backend, int local, void *to, int byte, size_t bytes)
{
	struct job job = { .byte = byte, .size = 1 };

	return run(backend, local, to, bytes, &job, put);
}

static int compare_all(struct backend *backend, int local, const void *data, size_t count, struct job *job, uint64_t *wrong,
		       size_t *first)
{
	if (run(backend, local, (void *)(uintptr_t)data, count, job, compare))
		return -1;
	*wrong = job->wrong;
	if (job->wrong > 0)
		*first = job->first;
	return 0;
}

static int host_differs(struct backend *backend, int local, const void *data, const struct pattern_table *table, size_t from,
			size_t count, uint64_t *wrong, size_t *first)
{
	struct job job = { .table = table, .from = from, .size = table->size };

	return compare_all(backend, local, data, count, &job, wrong, first);
}

static int host_differs_from(struct backend *backend, int local, const void *data, int byte, size_t size, size_t count,
			     uint64_t *wrong, size_t *first)
{
	struct job job = { .byte = byte, .size = size };

	return compare_all(backend, local, data, count, &job, wrong, first);
}

const struct backend_device check_host = {
	.fill = host_fill,
	.set = host_set,
	.differs = host_differs,
	.differs_from = host_differs_from,
};
