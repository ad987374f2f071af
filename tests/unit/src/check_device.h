/* SPDX-License-Identifier: Apache-2.0
 *
 * A device that seeds and checks on host memory by the very bodies of verify.cu's kernels, thread after thread; how many threads changes from call to
 * call. After cmocka.h.
 */
#ifndef COLLPERF_TESTS_CHECK_DEVICE_H
#define COLLPERF_TESTS_CHECK_DEVICE_H

#include "src/backend.h"
#include "src/backend/verify_run.h"

static inline uint64_t number(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

static inline void launch_threads(const char *kernel, uint64_t threads, const uint64_t *parameters)
{
	for (uint64_t thread = 0; thread < threads; thread++)
		assert_true(verify_run(kernel, thread, threads, parameters));
}

/* From a few to as many as there are vectors, and more. */
static inline uint64_t threads_for(const void *data, size_t size, size_t count)
{
	const uint64_t some[] = { 1, 7, 64, 1000 }, vectors = count * size / 16 + 1;
	const uint64_t threads = some[(number(data) / 16 + count) % 4];

	return threads < 2 * vectors ? threads : 2 * vectors;
}

static int mock_fill(struct backend *backend, int local, void *to, const struct pattern_table *table, size_t from, size_t count)
{
	const uint64_t parameters[] = { number(to), number(table->data), table->period, table->size, from, count };

	(void)backend, (void)local;
	launch_threads("collperf_fill", threads_for(to, table->size, count), parameters);
	return 0;
}

static int mock_set(struct backend *backend, int local, void *to, int byte, size_t bytes)
{
	(void)backend, (void)local;
	memset(to, byte, bytes);
	return 0;
}

static int counted(const struct verify_counters *counters, size_t count, uint64_t *wrong, size_t *first)
{
	*wrong = counters->wrong;
	if (counters->wrong > 0)
		*first = count - (size_t)counters->left;
	return 0;
}

static int mock_differs(struct backend *backend, int local, const void *data, const struct pattern_table *table, size_t from,
			size_t count, uint64_t *wrong, size_t *first)
{
	struct verify_counters counters = { 0, 0 };
	const uint64_t parameters[] = {
		number(data), number(table->data), table->period, table->size, from, count, number(&counters),
	};

	(void)backend, (void)local;
	launch_threads("collperf_differs", threads_for(data, table->size, count), parameters);
	return counted(&counters, count, wrong, first);
}

static int mock_differs_from(struct backend *backend, int local, const void *data, int byte, size_t size, size_t count,
			     uint64_t *wrong, size_t *first)
{
	struct verify_counters counters = { 0, 0 };
	const uint64_t parameters[] = { number(data), (unsigned char)byte, size, count, number(&counters) };

	(void)backend, (void)local;
	launch_threads("collperf_differs_from", threads_for(data, size, count), parameters);
	return counted(&counters, count, wrong, first);
}

static inline const struct backend_device *mock_device(struct backend *backend)
{
	static const struct backend_device device = {
		.fill = mock_fill,
		.set = mock_set,
		.differs = mock_differs,
		.differs_from = mock_differs_from,
	};

	(void)backend;
	return &device;
}

#endif
