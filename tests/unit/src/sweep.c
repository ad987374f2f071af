/* SPDX-License-Identifier: Apache-2.0
 *
 * Which points a sweep has: their order, their sizes as asked and as moved, what is left out and why, and the totals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "options_line.h"
#include "src/sweep.h"
#include "src/uneven.h"

/* A backend of some ranks over the given command line. */
struct bench {
	struct options options;
	struct groups groups;
	struct backend backend;
};

static void open_bench(struct bench *bench, const char *line)
{
	bench->options = parse_good(line);
	assert_int_equal(groups_open(&bench->groups, &bench->options.split, backend_sim.local_ranks(&bench->options)), 0);
	assert_int_equal(backend_sim.open(&bench->backend, NULL, &bench->options, &bench->groups), 0);
}

static void close_bench(struct bench *bench)
{
	backend_sim.close(&bench->backend);
	groups_close(&bench->groups);
}

/* "float sum 0 8/8:2o" a point: type, operation, root, bytes asked and moved, count, o or i, and '!' where it is left out. */
static void describe(const struct bench *bench, enum coll_id id, char *text, size_t size)
{
	struct sweep sweep;
	struct point point;
	const char *skip;
	size_t used = 0;

	text[0] = '\0';
	sweep_begin(&sweep, &bench->options, &bench->backend, collectives[id]);
	while (sweep_next(&sweep, &point, &skip)) {
		assert_ptr_equal(point.coll, collectives[id]);
		assert_true(used < size);
		used += (size_t)snprintf(text + used, size - used, "%s%s %s %d %llu/%zu:%zu%c%s", used ? ", " : "",
					 dtypes[point.type].name, redop_names[point.op], point.root,
					 (unsigned long long)point.bytes_requested, point.bytes, point.shape.count,
					 point.in_place ? 'i' : 'o', skip ? "!" : "");
	}
	assert_false(sweep_next(&sweep, &point, &skip));
}

static void expect(const char *line, enum coll_id id, const char *expected)
{
	char text[8192];
	struct bench bench;

	open_bench(&bench, line);
	describe(&bench, id, text, sizeof text);
	assert_string_equal(text, expected);
	close_bench(&bench);
}

static void test_sizes_and_placements(void **state)
{
	(void)state;
	expect("--backend sim --sim-ranks 2 -b 8 -e 32 -f 2", COLL_ALL_REDUCE,
	       "float sum 0 8/8:2o, float sum 0 8/8:2i, float sum 0 16/16:4o, float sum 0 16/16:4i, float sum 0 32/32:8o, "
	       "float sum 0 32/32:8i");
	expect("--backend sim --sim-ranks 2 -b 1M -e 3M -d double", COLL_SENDRECV,
	       "double sum 0 1048576/1048576:131072o, double sum 0 1048576/1048576:131072i, double sum 0 "
	       "2097152/2097152:262144o, "
	       "double sum 0 2097152/2097152:262144i, double sum 0 3145728/3145728:393216o, double sum 0 "
	       "3145728/3145728:393216i");
	/* The last size only where a step meets it. */
	expect("--backend sim --sim-ranks 2 -b 8 -e 33 -f 4 -d int8", COLL_BROADCAST,
	       "int8 sum 0 8/8:8o, int8 sum 0 8/8:8i, int8 sum 0 32/32:32o, int8 sum 0 32/32:32i");
}

static void test_roots_turn_before_operations(void **state)
{
	(void)state;
	expect("--backend sim --sim-ranks 2 -b 8 -e 8 -r all -o all", COLL_REDUCE,
	       "float sum 0 8/8:2o, float sum 0 8/8:2i, float sum 1 8/8:2o, float sum 1 8/8:2i, float prod 0 8/8:2o, "
	       "float prod 0 8/8:2i, float prod 1 8/8:2o, float prod 1 8/8:2i, float max 0 8/8:2o, float max 0 8/8:2i, "
	       "float max 1 8/8:2o, float max 1 8/8:2i, float min 0 8/8:2o, float min 0 8/8:2i, float min 1 8/8:2o, "
	       "float min 1 8/8:2i, float avg 0 8/8:2o, float avg 0 8/8:2i, float avg 1 8/8:2o, float avg 1 8/8:2i, "
	       "float mulsum 0 8/8:2o, float mulsum 0 8/8:2i, float mulsum 1 8/8:2o, float mulsum 1 8/8:2i");
	expect("--backend sim --sim-ranks 3 -b 8 -e 16 -f 2 -r all -d int8", COLL_BROADCAST,
	       "int8 sum 0 8/8:8o, int8 sum 0 8/8:8i, int8 sum 0 16/16:16o, int8 sum 0 16/16:16i, int8 sum 1 8/8:8o, int8 sum 1 "
	       "8/8:8i, "
	       "int8 sum 1 16/16:16o, int8 sum 1 16/16:16i, int8 sum 2 8/8:8o, int8 sum 2 8/8:8i, int8 sum 2 16/16:16o, "
	       "int8 sum 2 16/16:16i");
}

/* Of 5 ranks, 3 and 2: a root that both groups have, and sizes of which the larger group has a block. */
static void test_groups_share_roots_and_sizes(void **state)
{
	struct bench bench;
	struct sweep_total total;
	struct point own, point = { .coll = collectives[COLL_SCATTER], .type = DTYPE_FLOAT, .bytes_requested = 64 };

	(void)state;
	expect("--backend sim --sim-ranks 5 --split MOD2 -b 32 -e 64 -f 2 -r all", COLL_SCATTER,
	       "float sum 0 32/0:0o!, float sum 0 32/0:0i!, float sum 0 64/48:4o, float sum 0 64/48:4i, float sum 1 32/0:0o!, "
	       "float sum 1 32/0:0i!, float sum 1 64/48:4o, float sum 1 64/48:4i");
	own = point_in_group(&point, 2);
	assert_int_equal(own.bytes, 64);
	assert_int_equal(own.shape.count, 8);
	own = point_in_group(&point, 3);
	assert_int_equal(own.bytes, 48);
	open_bench(&bench, "--backend sim --sim-ranks 5 --split MOD2 -b 64 -e 64");
	sweep_count(&bench.options, &bench.backend, collectives[COLL_SCATTER], &total);
	/* Not the 48 of the larger group: buffers must hold the 64 of the smaller one. */
	assert_int_equal(total.max_bytes, 64);
	close_bench(&bench);
}

/* -r and -o have no meaning there: no second round of the same. */
static void test_wheels_without_meaning_stand_still(void **state)
{
	(void)state;
	expect("--backend sim --sim-ranks 4 -b 64 -e 64 -r all -o all", COLL_ALL_GATHER,
	       "float sum 0 64/64:4o, float sum 0 64/64:4i");
	expect("--backend sim --sim-ranks 4 -b 64 -e 64 -r 3 -o max", COLL_ALLTOALL,
	       "float sum 0 64/64:4o, float sum 0 64/64:4i");
	expect("--backend sim --sim-ranks 4 -b 64 -e 64 -r 3 -o max", COLL_ALL_REDUCE,
	       "float max 0 64/64:16o, float max 0 64/64:16i");
	expect("--backend sim --sim-ranks 4 -b 64 -e 64 -r 3 -o max", COLL_SCATTER, "float sum 3 64/64:4o, float sum 3 64/64:4i");
}

static void test_types_turn_last(void **state)
{
	struct bench bench;
	struct sweep sweep;
	struct point point;
	const char *skip;
	int n = 0;

	(void)state;
	open_bench(&bench, "--backend sim --sim-ranks 3 -b 960 -e 1920 -f 2 -r all -o all -d all");
	sweep_begin(&sweep, &bench.options, &bench.backend, collectives[COLL_REDUCE]);
	for (; sweep_next(&sweep, &point, &skip); n++) {
		assert_null(skip);
		assert_int_equal(point.in_place, n % 2);
		assert_int_equal(point.bytes_requested, n / 2 % 2 ? 1920 : 960);
		assert_int_equal(point.root, n / 4 % 3);
		assert_int_equal(point.op, n / 12 % REDOP_COUNT);
		assert_int_equal(point.type, n / 12 / REDOP_COUNT);
		assert_int_equal(point.shape.count * dtypes[point.type].size, point.bytes);
	}
	assert_int_equal(n, 2 * 2 * 3 * REDOP_COUNT * DTYPE_COUNT);
	close_bench(&bench);
}

/* Blocks are multiples of 16 bytes, whatever the type; a rank without one is no point. */
static void test_blocks(void **state)
{
	(void)state;
	expect("--backend sim --sim-ranks 3 -b 8 -e 128 -f 2", COLL_ALL_GATHER,
	       "float sum 0 8/0:0o!, float sum 0 8/0:0i!, float sum 0 16/0:0o!, float sum 0 16/0:0i!, float sum 0 32/0:0o!, "
	       "float sum 0 32/0:0i!, float sum 0 64/48:4o, float sum 0 64/48:4i, float sum 0 128/96:8o, float sum 0 128/96:8i");
	expect("--backend sim --sim-ranks 8 -b 1000 -e 1000 -d half", COLL_REDUCE_SCATTER,
	       "half sum 0 1000/896:56o, half sum 0 1000/896:56i");
	expect("--backend sim --sim-ranks 5 -b 1K -e 1K -d int64", COLL_GATHER,
	       "int64 sum 0 1024/960:24o, int64 sum 0 1024/960:24i");
}

static void test_skips_have_reasons(void **state)
{
	struct bench bench;
	struct sweep sweep;
	struct point point;
	const char *skip;

	(void)state;
	open_bench(&bench, "--backend sim --sim-ranks 3 -b 8 -e 64 -f 8 --sim-model recdbl");
	sweep_begin(&sweep, &bench.options, &bench.backend, collectives[COLL_ALL_GATHER]);
	assert_true(sweep_next(&sweep, &point, &skip));
	assert_ptr_equal(skip, sweep_too_small);
	assert_true(sweep_next(&sweep, &point, &skip));
	assert_ptr_equal(skip, sweep_too_small);
	assert_true(sweep_next(&sweep, &point, &skip));
	assert_non_null(skip);
	assert_non_null(strstr(skip, "does not hold for this number of ranks"));
	sweep_begin(&sweep, &bench.options, &bench.backend, collectives[COLL_ALLTOALL]);
	for (int i = 0; i < 3; i++)
		assert_true(sweep_next(&sweep, &point, &skip));
	assert_non_null(strstr(skip, "names no cost model"));
	close_bench(&bench);
}

static void test_totals(void **state)
{
	struct bench bench;
	struct sweep_total total;

	(void)state;
	open_bench(&bench, "--backend sim --sim-ranks 3 -b 8 -e 1K -f 2 -d all");
	sweep_count(&bench.options, &bench.backend, collectives[COLL_ALL_GATHER], &total);
	assert_int_equal(total.points, 2 * 5 * DTYPE_COUNT);
	assert_int_equal(total.skipped, 2 * 3 * DTYPE_COUNT);
	assert_int_equal(total.max_bytes, 1008);
	assert_int_equal(total.max_requested, 1024);
	assert_int_equal(total.zero_below, 32);
	assert_null(total.skips[0].reason);
	assert_int_equal(total.smallest.bytes, 48);
	assert_int_equal(total.smallest.type, 0);
	assert_false(total.smallest.in_place);
	close_bench(&bench);
}

static void test_totals_of_nothing(void **state)
{
	struct bench bench;
	struct sweep_total total;

	(void)state;
	open_bench(&bench, "--backend sim --sim-ranks 3 -b 1K -e 2K -f 2 --sim-model recdbl");
	sweep_count(&bench.options, &bench.backend, collectives[COLL_ALL_GATHER], &total);
	assert_int_equal(total.points, 0);
	assert_int_equal(total.skipped, 4);
	assert_int_equal(total.max_bytes, 0);
	assert_int_equal(total.zero_below, 0);
	assert_non_null(total.skips[0].reason);
	assert_null(total.skips[1].reason);
	assert_int_equal(total.skips[0].first.bytes_requested, 1024);
	close_bench(&bench);
}

static void expect_uneven(const char *line, const struct uneven *uneven, uint64_t points, const char *expected)
{
	struct sweep_total total;
	struct bench bench;
	char text[8192];

	open_bench(&bench, line);
	bench.options.uneven = uneven;
	bench.options.variant = "uneven";
	describe(&bench, COLL_ALLTOALLV, text, sizeof text);
	assert_string_equal(text, expected);
	sweep_count(&bench.options, &bench.backend, collectives[COLL_ALLTOALLV], &total);
	assert_int_equal(total.points, points);
	assert_int_equal(total.zero_below, 0);
	close_bench(&bench);
}

/* The even exchange of as much comes after each uneven one, unless it has no blocks or came already. */
static void test_uneven_points_come_with_even_ones(void **state)
{
	uint64_t same[] = { 100, 100, 100, 100 }, turned[] = { 0, 320, 320, 0 };
	const struct uneven skew = { .skew = 0.5 };
	const struct uneven even = { .nranks = 2, .cells = same, .busiest = 200 };
	const struct uneven turn = { .nranks = 2, .cells = turned, .busiest = 320 };

	(void)state;
	expect_uneven("--backend sim --sim-ranks 4 -b 64 -e 4096 -f 8", &skew, 5,
		      "float sum 0 64/64:4o, float sum 0 64/0:0o!, float sum 0 512/512:32o, float sum 0 512/128:8o, "
		      "float sum 0 4096/4096:256o, float sum 0 4096/1600:100o");
	expect_uneven("--backend sim --sim-ranks 1 -b 64 -e 64", &skew, 1, "float sum 0 64/64:16o");
	/* The group of one comes along. */
	expect_uneven("--backend sim --sim-ranks 3 --split MOD2 -b 64 -e 64", &skew, 2,
		      "float sum 0 64/64:8o, float sum 0 64/32:4o");
	expect_uneven("--backend sim --sim-ranks 2 -b 200 -e 200", &even, 1, "float sum 0 200/200:25o");
	expect_uneven("--backend sim --sim-ranks 2 -b 320 -e 320", &turn, 2, "float sum 0 320/320:80o, float sum 0 320/320:40o");
}

/* What is even has no variant and is never in place. */
static void test_an_even_point_beside_an_uneven_one(void **state)
{
	const struct uneven skew = { .skew = 0.5 };
	struct sweep sweep;
	struct point point;
	struct bench bench;
	const char *skip;

	(void)state;
	open_bench(&bench, "--backend sim --sim-ranks 4 -b 64 -e 64");
	bench.options.uneven = &skew;
	bench.options.variant = "uneven";
	sweep_begin(&sweep, &bench.options, &bench.backend, collectives[COLL_ALLTOALLV]);
	assert_true(sweep_next(&sweep, &point, &skip));
	assert_true(!point.evened && !point.in_place && !skip);
	assert_string_equal(point.variant, "uneven");
	assert_true(sweep_next(&sweep, &point, &skip));
	assert_true(point.evened && !point.in_place && !point.variant);
	assert_ptr_equal(skip, sweep_even_too_small);
	assert_false(sweep_next(&sweep, &point, &skip));
	close_bench(&bench);
}

static void test_large_sizes(void **state)
{
	(void)state;
	expect("--backend sim --sim-ranks 3 -b 4294967312 -e 4294967312 -d int8", COLL_ALL_GATHER,
	       "int8 sum 0 4294967312/4294967280:1431655760o, int8 sum 0 4294967312/4294967280:1431655760i");
	expect("--backend sim --sim-ranks 8 -b 1T -e 4P -f 4096 -d double", COLL_ALLTOALL,
	       "double sum 0 1099511627776/1099511627776:17179869184o, double sum 0 1099511627776/1099511627776:17179869184i, "
	       "double sum 0 4503599627370496/4503599627370496:70368744177664o, double sum 0 "
	       "4503599627370496/4503599627370496:70368744177664i");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes_and_placements),
		cmocka_unit_test(test_roots_turn_before_operations),
		cmocka_unit_test(test_groups_share_roots_and_sizes),
		cmocka_unit_test(test_wheels_without_meaning_stand_still),
		cmocka_unit_test(test_types_turn_last),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_skips_have_reasons),
		cmocka_unit_test(test_totals),
		cmocka_unit_test(test_totals_of_nothing),
		cmocka_unit_test(test_uneven_points_come_with_even_ones),
		cmocka_unit_test(test_an_even_point_beside_an_uneven_one),
		cmocka_unit_test(test_large_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
