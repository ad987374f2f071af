/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulated backend with buffers, for tests of the data check: points, calls, and every combination of what a collective can be called with.
 * After cmocka.h.
 */
#ifndef COLLPERF_TESTS_CHECK_BENCH_H
#define COLLPERF_TESTS_CHECK_BENCH_H

#include <string.h>

#include "collectives/collective.h"
#include "src/backend.h"
#include "src/check.h"
#include "src/options.h"
#include "src/pattern.h"
#include "src/point.h"

enum { MAX_BYTES = 1 << 20, GUARD = 64 };

/* One number of ranks, with buffers. */
struct bench {
	struct backend backend;
	struct check *check;
};

static inline void open_bench(struct bench *bench, int nranks, size_t shift)
{
	char ranks[16];
	char *line[] = { "all_reduce_perf", "--backend", "sim", "--sim-ranks", ranks, NULL };
	struct options options;
	struct options_error error;

	snprintf(ranks, sizeof ranks, "%d", nranks);
	assert_int_equal(options_parse(5, line, &options, &error), 0);
	assert_int_equal(backend_sim.open(&bench->backend, NULL, &options), 0);
	bench->check = check_open(&bench->backend, MAX_BYTES, shift);
	assert_non_null(bench->check);
}

static inline void close_bench(struct bench *bench)
{
	check_close(bench->check);
	backend_sim.close(&bench->backend);
}

/* A call of `count` elements (of one peer where the collective is split). */
static inline struct point make_point(const struct collective *coll, int nranks, size_t count)
{
	struct point point = { .coll = coll, .type = DTYPE_FLOAT, .op = REDOP_SUM };

	point.shape = coll->shape(count, nranks, 1);
	if (point.shape.count != count)
		point.shape = coll->shape(count * (size_t)nranks, nranks, 1);
	assert_int_equal(point.shape.count, count);
	return point;
}

static inline struct pattern *make_pattern(const struct bench *bench, const struct point *point)
{
	struct pattern *pattern = pattern_new(point->type, point->op, (point->coll->flags & COLL_HAS_REDOP) != 0,
					      bench->backend.nranks, 1);

	assert_non_null(pattern);
	return pattern;
}

static inline void seed(const struct bench *bench, const struct point *point, const struct pattern *pattern,
			struct backend_call *call)
{
	check_call(bench->check, point, call);
	assert_int_equal(check_seed(bench->check, point, pattern), 0);
}

static inline void seed_and_call(struct bench *bench, const struct point *point, const struct pattern *pattern,
				 struct backend_call *call)
{
	seed(bench, point, pattern, call);
	assert_int_equal(backend_sim.call[point->coll->id](&bench->backend, call), 0);
}

static inline struct check_result verify(const struct bench *bench, const struct point *point, const struct pattern *pattern)
{
	struct check_result result;

	assert_int_equal(check_verify(bench->check, point, pattern, &result), 0);
	return result;
}

static inline void expect_right(const struct bench *bench, const struct point *point, const struct pattern *pattern)
{
	const struct check_result result = verify(bench, point, pattern);

	if (result.wrong != 0 || result.rank != -1)
		fail_msg("%s %s op %d root %d %s on %d ranks, count %zu: %llu wrong, first on rank %d at %zu", point->coll->name,
			 dtypes[point->type].name, point->op, point->root, point->in_place ? "in place" : "out of place",
			 bench->backend.nranks, point->shape.count, (unsigned long long)result.wrong, result.rank, result.first);
}

static inline void expect_wrong(const struct bench *bench, const struct point *point, const struct pattern *pattern)
{
	if (verify(bench, point, pattern).wrong == 0)
		fail_msg("%s %s op %d root %d %s on %d ranks: not noticed", point->coll->name, dtypes[point->type].name,
			 point->op, point->root, point->in_place ? "in place" : "out of place", bench->backend.nranks);
}

/* Every root, operation, type and placement, as far as the collective has them. */
typedef void each_point(struct bench *bench, const struct point *point, const struct pattern *pattern);

static inline void for_roots(struct bench *bench, struct point *point, each_point *function)
{
	struct pattern *pattern = make_pattern(bench, point);
	const int roots = point->coll->flags & COLL_HAS_ROOT ? bench->backend.nranks : 1;

	for (point->root = 0; point->root < roots; point->root++) {
		for (int placement = 0; placement < 2; placement++) {
			point->in_place = placement == 1;
			function(bench, point, pattern);
		}
	}
	pattern_free(pattern);
}

static inline void for_collective(struct bench *bench, const struct collective *coll, size_t count, each_point *function)
{
	const int ops = coll->flags & COLL_HAS_REDOP ? REDOP_COUNT : 1;
	struct point point = make_point(coll, bench->backend.nranks, count);

	for (int type = 0; type < DTYPE_COUNT; type++) {
		for (int op = 0; op < ops; op++) {
			point.type = (enum dtype)type;
			point.op = (enum redop)op;
			for_roots(bench, &point, function);
		}
	}
}

static inline void for_all(const int *ranks, size_t n, size_t count, each_point *function)
{
	for (size_t i = 0; i < n; i++) {
		struct bench bench;

		open_bench(&bench, ranks[i], 0);
		for (int id = 0; id < COLL_COUNT; id++)
			for_collective(&bench, collectives[id], count, function);
		close_bench(&bench);
	}
}

static inline void expect_one(const struct bench *bench, const struct point *point, const struct pattern *pattern, int rank,
			      size_t element)
{
	const struct check_result result = verify(bench, point, pattern);

	if (result.wrong != 1 || result.rank != rank || result.first != element)
		fail_msg("%s %s root %d %s on %d ranks, element %zu of rank %d: %llu wrong, first on rank %d at %zu",
			 point->coll->name, dtypes[point->type].name, point->root, point->in_place ? "in place" : "out of place",
			 bench->backend.nranks, element, rank, (unsigned long long)result.wrong, result.rank, result.first);
}

#endif
