/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulated backend with buffers, for tests of the data check: points, calls, and every combination of what a collective can be called with; where
 * the host sees the memory, where it does not, and where a device that works as verify.cu's kernels do seeds and checks. After cmocka.h.
 */
#ifndef COLLPERF_TESTS_CHECK_BENCH_H
#define COLLPERF_TESTS_CHECK_BENCH_H

#include <string.h>

#include "check_device.h"
#include "collectives/collective.h"
#include "src/backend.h"
#include "src/check.h"
#include "src/groups.h"
#include "src/options.h"
#include "src/pattern.h"
#include "src/point.h"

enum { MAX_BYTES = 1 << 20, GUARD = 64, MAX_RANKS = 16 };

/* How the data are reached. */
enum way { IN_PLACE, STAGED, ON_DEVICE, WAYS };

/* One number of ranks, with buffers. */
struct bench {
	struct groups groups;
	struct backend_ops ops; /* sim's, but for the way */
	struct backend backend;
	struct check *check;
	enum way way;
};

/* One pattern a group. */
struct patterns {
	const struct pattern *of[MAX_RANKS];
	int count;
};

/* What is wrong over all ranks. */
struct fold {
	uint64_t wrong;
	int rank; /* the first with something wrong, or -1 */
	size_t first;
};

static void *no_view(struct backend *backend, int local, void *memory)
{
	(void)backend, (void)local, (void)memory;
	return NULL;
}

static inline void open_split(struct bench *bench, enum way way, int nranks, const struct split *split, size_t shift)
{
	char ranks[16];
	char *line[] = { "all_reduce_perf", "--backend", "sim", "--sim-ranks", ranks, NULL };
	struct options options;
	struct options_error error;

	snprintf(ranks, sizeof ranks, "%d", nranks);
	assert_int_equal(options_parse(5, line, &options, &error), 0);
	assert_int_equal(groups_open(&bench->groups, split, nranks), 0);
	assert_int_equal(backend_sim.open(&bench->backend, NULL, &options, &bench->groups), 0);
	bench->way = way;
	bench->ops = backend_sim;
	if (way != IN_PLACE)
		bench->ops.host_view = no_view;
	if (way == ON_DEVICE)
		bench->ops.device = mock_device;
	bench->backend.ops = &bench->ops;
	bench->check = check_open(&bench->backend, MAX_BYTES, shift);
	assert_non_null(bench->check);
}

static inline void open_bench(struct bench *bench, enum way way, int nranks, size_t shift)
{
	const struct split whole = { SPLIT_NONE, 0 };

	open_split(bench, way, nranks, &whole, shift);
}

static inline void close_bench(struct bench *bench)
{
	check_close(bench->check);
	backend_sim.close(&bench->backend);
	groups_close(&bench->groups);
}

static inline size_t whole(const struct point *point)
{
	return point->shape.send > point->shape.recv ? point->shape.send : point->shape.recv;
}

static inline void set_type(struct point *point, enum dtype type)
{
	point->type = type;
	point->bytes = point->bytes_requested = whole(point) * dtypes[type].size;
}

/* A call of `count` elements (of one peer where the collective is split). */
static inline struct point make_point(const struct collective *coll, int nranks, size_t count)
{
	struct point point = { .coll = coll, .op = REDOP_SUM };

	point.shape = coll->shape(count, nranks, 1);
	if (point.shape.count != count)
		point.shape = coll->shape(count * (size_t)nranks, nranks, 1);
	assert_int_equal(point.shape.count, count);
	set_type(&point, DTYPE_FLOAT);
	return point;
}

static inline struct patterns make_patterns(const struct bench *bench, const struct point *point)
{
	const int reduces = (point->coll->flags & COLL_HAS_REDOP) != 0;
	struct patterns patterns = { .count = bench->groups.count };

	assert_true(patterns.count <= MAX_RANKS);
	for (int i = 0; i < patterns.count; i++) {
		patterns.of[i] = pattern_new(point->type, point->op, reduces, bench->groups.size[i], 1);
		assert_non_null(patterns.of[i]);
	}
	return patterns;
}

static inline void free_patterns(struct patterns *patterns)
{
	for (int i = 0; i < patterns->count; i++)
		pattern_free((struct pattern *)(uintptr_t)patterns->of[i]);
}

static inline void seed(const struct bench *bench, const struct point *point, const struct patterns *patterns,
			struct backend_call *call)
{
	check_call(bench->check, point, call);
	assert_int_equal(call->rotations, 1);
	assert_int_equal(check_seed(bench->check, point, patterns->of), 0);
}

static inline void make_call(struct bench *bench, const struct backend_call *call)
{
	assert_int_equal(backend_sim.call[call->coll->id](&bench->backend, call), 0);
}

static inline void seed_and_call(struct bench *bench, const struct point *point, const struct patterns *patterns,
				 struct backend_call *call)
{
	seed(bench, point, patterns, call);
	make_call(bench, call);
}

static inline struct fold verify(const struct bench *bench, const struct point *point, const struct patterns *patterns)
{
	struct check_result results[MAX_RANKS];
	struct fold fold = { 0, -1, 0 };

	memset(results, 0xee, sizeof results);
	assert_int_equal(check_verify(bench->check, point, patterns->of, results), 0);
	for (int rank = bench->backend.nlocal - 1; rank >= 0; rank--) {
		fold.wrong += results[rank].wrong;
		if (results[rank].wrong > 0) {
			fold.rank = rank;
			fold.first = results[rank].first;
		}
	}
	return fold;
}

static inline void expect_right(const struct bench *bench, const struct point *point, const struct patterns *patterns)
{
	const struct fold result = verify(bench, point, patterns);

	if (result.wrong != 0 || result.rank != -1)
		fail_msg("way %d: %s %s op %d root %d %s on %d ranks, count %zu: %llu wrong, first on rank %d at %zu", bench->way,
			 point->coll->name, dtypes[point->type].name, point->op, point->root,
			 point->in_place ? "in place" : "out of place", bench->backend.nranks, point->shape.count,
			 (unsigned long long)result.wrong, result.rank, result.first);
}

static inline void expect_wrong(const struct bench *bench, const struct point *point, const struct patterns *patterns)
{
	if (verify(bench, point, patterns).wrong == 0)
		fail_msg("way %d: %s %s op %d root %d %s on %d ranks: not noticed", bench->way, point->coll->name,
			 dtypes[point->type].name, point->op, point->root, point->in_place ? "in place" : "out of place",
			 bench->backend.nranks);
}

/* Every root, operation, type and placement, as far as the collective has them. */
typedef void each_point(struct bench *bench, const struct point *point, const struct patterns *patterns);

static inline void for_roots(struct bench *bench, struct point *point, each_point *function)
{
	struct patterns patterns = make_patterns(bench, point);
	const int roots = point->coll->flags & COLL_HAS_ROOT ? bench->groups.least : 1;
	const int placements = point->coll->flags & COLL_OUT_OF_PLACE ? 1 : 2;

	for (point->root = 0; point->root < roots; point->root++) {
		for (int placement = 0; placement < placements; placement++) {
			point->in_place = placement == 1;
			function(bench, point, &patterns);
		}
	}
	point->root = 0;
	free_patterns(&patterns);
}

static inline void for_collective(struct bench *bench, const struct collective *coll, size_t count, each_point *function)
{
	const int ops = coll->flags & COLL_HAS_REDOP ? REDOP_COUNT : 1;

	if (coll->flags & COLL_NO_DATA)
		return;
	struct point point = make_point(coll, bench->groups.most, count);

	for (int type = 0; type < DTYPE_COUNT; type++) {
		for (int op = 0; op < ops; op++) {
			set_type(&point, (enum dtype)type);
			point.op = (enum redop)op;
			for_roots(bench, &point, function);
		}
	}
}

static inline void for_all(const int *ranks, size_t n, size_t count, each_point *function)
{
	for (size_t i = 0; i < n * WAYS; i++) {
		struct bench bench;

		open_bench(&bench, (enum way)(i % WAYS), ranks[i / WAYS], 0);
		for (int id = 0; id < COLL_COUNT; id++)
			for_collective(&bench, collectives[id], count, function);
		close_bench(&bench);
	}
}

static inline void expect_one(const struct bench *bench, const struct point *point, const struct patterns *patterns, int rank,
			      size_t element)
{
	const struct fold result = verify(bench, point, patterns);

	if (result.wrong != 1 || result.rank != rank || result.first != element)
		fail_msg("way %d: %s %s root %d %s on %d ranks, element %zu of rank %d: %llu wrong, first on rank %d at %zu",
			 bench->way, point->coll->name, dtypes[point->type].name, point->root,
			 point->in_place ? "in place" : "out of place", bench->backend.nranks, element, rank,
			 (unsigned long long)result.wrong, result.rank, result.first);
}

#endif
