/* SPDX-License-Identifier: Apache-2.0
 *
 * What a sheet says of its sides: points that one of them lacks, and in what machines, libraries and ways of measuring differ.
 */
#include "collectives/collective.h"
#include "gate_pair.h"

static void sizes_of_one_side_are_one_line(void **state)
{
	struct pair pair;
	const char *const names[] = { "all_reduce", "reduce", "broadcast" };

	(void)state;
	begin(&pair);
	for (size_t c = 0; c < 3; c++) {
		for (int i = 0; i < 24; i++) {
			struct result row = gate_row("r-1", (int64_t)8 << i, 5);

			row.collective = names[c];
			row.placement = RESULT_IN_PLACE;
			gate_rows_put(&pair.base, &row);
			if (i > 1 && i < 18)
				gate_rows_put(&pair.new, &row);
			row.placement = RESULT_OUT_OF_PLACE;
			gate_rows_put(&pair.base, &row);
			if (i > 1 && i < 18)
				gate_rows_put(&pair.new, &row);
		}
	}
	gate_rows_add(&pair.new, "r-1", 100, 5);
	build(&pair, false);
	assert_int_equal(pair.sheet.nseries, 3);
	assert_int_equal(pair.sheet.points_only[GATE_BASE], 3 * 2 * 8);
	assert_int_equal(pair.sheet.nonly[GATE_BASE], 1);
	only(&pair, GATE_BASE,
	     "broadcast, reduce, all_reduce (mpi, shm, 2 ranks): 8 sizes, 8 B to 64 MiB (48 points in 3 series)");
	assert_int_equal(pair.sheet.points_only[GATE_NEW], 1);
	only(&pair, GATE_NEW, "all_reduce (mpi, shm, 2 ranks, float sum): 100 B, out-of-place");
	end(&pair);
}

static void sizes_over_and_under(void **state)
{
	struct pair pair;

	(void)state;
	begin(&pair);
	for (int i = 0; i < 10; i++) {
		if (i < 7)
			gate_rows_add(&pair.base, "r-1", 8 << i, 5);
		if (i > 1)
			gate_rows_add(&pair.new, "r-1", 8 << i, 5);
	}
	build(&pair, false);
	assert_int_equal(pair.sheet.series->npoints, 5);
	only(&pair, GATE_BASE, "all_reduce (mpi, shm, 2 ranks, float sum): 2 sizes under 32 B, out-of-place (2 points)");
	only(&pair, GATE_NEW, "all_reduce (mpi, shm, 2 ranks, float sum): 3 sizes over 512 B, out-of-place (3 points)");
	end(&pair);
}

static void what_a_side_lacks_altogether_is_one_line(void **state)
{
	struct pair pair;

	(void)state;
	begin(&pair);
	gate_rows_add(&pair.new, "r-1", 8, 5);
	for (size_t c = 0; c < COLL_COUNT && !(collectives[c]->flags & COLL_BY_NAME); c++) {
		for (int i = 0; i < 8; i++) {
			struct result row = gate_row("r-1", 8 << i, 5);

			row.collective = collectives[c]->name;
			row.path = "tcp";
			gate_rows_put(&pair.base, &row);
			row.path = "shm";
			row.type = i % 2 ? "half" : "float";
			gate_rows_put(&pair.new, &row);
		}
	}
	build(&pair, false);
	assert_int_equal(pair.sheet.nseries, 0);
	assert_int_equal(pair.sheet.nonly[GATE_BASE], 1);
	only(&pair, GATE_BASE,
	     "path tcp: broadcast, scatter, gather, reduce, all_gather, reduce_scatter, all_reduce, alltoall, sendrecv, all of "
	     "it, "
	     "8 B to 1 KiB (72 points in 9 series)");
	assert_int_equal(pair.sheet.nonly[GATE_NEW], 1);
	assert_int_equal(pair.sheet.points_only[GATE_NEW], 72);
	end(&pair);
}

static void many_series_are_few_lines(void **state)
{
	struct pair pair;
	char algo[32];

	(void)state;
	begin(&pair);
	gate_rows_add(&pair.base, "r-1", 8, 5);
	gate_rows_add(&pair.new, "r-1", 8, 5);
	for (int i = 0; i < 100; i++) {
		struct result row = gate_row("r-1", 8, 5);

		snprintf(algo, sizeof algo, "a%d", i);
		row.algo = algo;
		gate_rows_put(&pair.new, &row);
		row.bytes = 16;
		gate_rows_put(&pair.new, &row);
	}
	build(&pair, false);
	assert_int_equal(pair.sheet.points_only[GATE_NEW], 200);
	assert_int_equal(pair.sheet.nonly[GATE_NEW], 25);
	only(&pair, GATE_NEW, "algo a7: all_reduce, all of it, 8 B to 16 B (2 points)");
	only(&pair, GATE_NEW, "and 152 points in 76 more series");
	end(&pair);
}

static void foreign_rows_are_counted(void **state)
{
	struct pair pair;
	struct result row = gate_row("r-1", 8, 5);

	(void)state;
	begin(&pair);
	gate_rows_put(&pair.base, &row);
	gate_rows_put(&pair.new, &row);
	row.collective = "bar\trier";
	gate_rows_put(&pair.base, &row);
	build(&pair, false);
	assert_int_equal(pair.sheet.nseries, 1);
	only(&pair, GATE_BASE, "1 rows of no known primitive (such as 'bar rier') are not compared");
	end(&pair);
}

static void flags_of_one_side_are_told(void **state)
{
	struct pair pair;
	struct result row = gate_row("r-1", 8, 5);

	(void)state;
	begin(&pair);
	row.flags = "host_bound unchecked";
	row.timing = "loop";
	gate_rows_put(&pair.base, &row);
	row.flags = "unchecked other_path";
	row.timing = "sync";
	gate_rows_put(&pair.new, &row);
	row.run = "r-2";
	row.flags = "";
	gate_rows_put(&pair.new, &row);
	/* Nothing says that these were checked; another tool's log seldom does. */
	row.run = "r-3";
	row.wrong = RESULT_NONE;
	gate_rows_put(&pair.new, &row);
	row.run = "r-4";
	row.flags = "imported";
	gate_rows_put(&pair.new, &row);
	build(&pair, false);
	differs(&pair, "unchecked: 2 of 4 rows of NEW, 1 of BASE: wrong data would not be seen");
	differs(&pair, "imported: 1 of 4 rows of NEW, 0 of BASE");
	differs(&pair, "host_bound: 1 of 1 rows of BASE, 0 of NEW");
	differs(&pair, "other_path: 1 of 4 rows of NEW, 0 of BASE");
	differs(&pair, "timing: loop in BASE, sync in NEW: calls alone and calls in a loop do not take the same time");
	assert_int_equal(pair.sheet.ndifferences, 5);
	end(&pair);
}

static void put_machine(struct gate_rows *side, const char *cores, const char *host, const char *gpu)
{
	gate_rows_fact(side, "launches.0.status", "ok");
	gate_rows_fact(side, "launches.0.facts.facts.cores", cores);
	gate_rows_fact(side, "launches.0.facts.ranks.0.host", host);
	gate_rows_fact(side, "launches.0.facts.ranks.0.detail", gpu);
	gate_rows_fact(side, "launches.0.facts.facts.malloc", "tuned");
}

static void machines_that_differ_are_told(void **state)
{
	struct pair pair;

	(void)state;
	begin(&pair);
	gate_rows_add(&pair.base, "r-1", 8, 5);
	gate_rows_add(&pair.new, "r-1", 8, 5);
	put_machine(&pair.base, "8", "n1", "[0000:0f:00] NVIDIA H100");
	put_machine(&pair.new, "16", "n2\n", "[0000:1f:00] NVIDIA H200");
	gate_rows_fact(&pair.base, "launches.0.facts.environment.NCCL_ALGO", "Ring");
	gate_rows_fact(&pair.base, "launches.0.facts.environment.NCCL_P2P_LEVEL", "SYS");
	gate_rows_fact(&pair.new, "launches.0.facts.environment.NCCL_P2P_LEVEL", "SYS");
	gate_rows_fact(&pair.new, "launches.0.facts.environment.UCX_LOG_FILE", "/proc/self/fd/100");
	gate_rows_fact(&pair.new, "launches.0.facts.labels.malloc", "system");
	gate_rows_fact(&pair.new, "launches.0.artefacts.malloc", "system");
	gate_rows_fact(&pair.new, "launches.0.facts.config.graph", "1");
	gate_rows_fact(&pair.base, "launches.0.facts.config.graph", "0");
	gate_rows_fact(&pair.new, "launches.1.status", "timeout");
	gate_rows_fact(&pair.new, "launches.2.status", "skipped");
	gate_rows_fact(&pair.new, "launches.0.facts.summary.facts.foreign_cpu_cores", "1.370");
	gate_rows_fact(&pair.base, "launches.0.facts.summary.facts.foreign_cpu_cores", "0.05");
	build(&pair, false);
	differs(&pair, "cores: 8 in BASE, 16 in NEW");
	differs(&pair, "devices: NVIDIA H100 in BASE, NVIDIA H200 in NEW");
	differs(&pair, "hosts: n1 in BASE, n2  in NEW (the same kind of machine, unless more is said here)");
	differs(&pair, "CUDA graphs: 0 in BASE, 1 in NEW");
	differs(&pair, "NCCL_ALGO: Ring in BASE, not set in NEW");
	differs(&pair, "NEW: 1 launches did not end well (first: timeout)");
	differs(&pair, "NEW: other programs used up to 1.4 cores of a host during the run: times are disturbed");
	assert_int_equal(pair.sheet.ndifferences, 7);
	assert_int_equal(pair.sheet.failed[GATE_NEW], 1);
	assert_int_equal(pair.sheet.failed[GATE_BASE], 0);
	end(&pair);
}

static void a_machine_that_is_not_known(void **state)
{
	struct pair pair;

	(void)state;
	begin(&pair);
	gate_rows_add(&pair.base, "r-1", 8, 5);
	gate_rows_add(&pair.new, "r-1", 8, 5);
	put_machine(&pair.base, "8", "n1", "mpi");
	gate_rows_fact(&pair.base, "launches.0.facts.environment.NCCL_ALGO", "Ring");
	build(&pair, false);
	assert_int_equal(pair.sheet.ndifferences, 1);
	differs(&pair, "the machine of NEW is not known: it has no run.json");
	end(&pair);
}

static void names_of_sides(void **state)
{
	struct pair pair;
	struct gate_side sides[GATE_SIDES];
	struct result row = gate_row("r-1", 8, 5);

	(void)state;
	begin(&pair);
	gate_rows_put(&pair.base, &row);
	row.library = "";
	gate_rows_put(&pair.new, &row);
	row.library = "MPICH 5";
	row.run = "r-2";
	gate_rows_put(&pair.new, &row);
	sides[GATE_BASE] = gate_rows_side(&pair.base);
	sides[GATE_NEW] = gate_rows_side(&pair.new);
	sides[GATE_BASE].name = "A";
	sides[GATE_NEW].name = "B";
	assert_int_equal(gate_sheet_build(sides, false, &pair.sheet), 0);
	differs(&pair, "library: MPICH 4.0.2 in A, MPICH 5 in B");
	end(&pair);
}

static void topologies_that_differ_are_told(void **state)
{
	struct pair pair;
	struct topo_host *host;

	(void)state;
	begin(&pair);
	gate_rows_add(&pair.base, "r-1", 8, 5);
	gate_rows_add(&pair.new, "r-1", 8, 5);
	for (int side = 0; side < 2; side++) {
		struct gate_rows *rows = side ? &pair.new : &pair.base;

		gate_rows_fact(rows, "x", "y");
		host = topo_add_host(&rows->facts[0].wiring.topo);
		assert_non_null(host);
		host->packages = 1;
		host->cores = side ? 4 : 2;
		host->threads = 4;
		assert_int_equal(topo_set(&host->cpu, "EPYC"), 0);
	}
	build(&pair, false);
	assert_int_equal(pair.sheet.ndifferences, 1);
	assert_non_null(strstr(pair.sheet.differences[0], "topology: 1 package, 2 cores"));
	assert_non_null(strstr(pair.sheet.differences[0], "in BASE, 1 package, 4 cores"));
	end(&pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_of_one_side_are_one_line),
		cmocka_unit_test(sizes_over_and_under),
		cmocka_unit_test(what_a_side_lacks_altogether_is_one_line),
		cmocka_unit_test(many_series_are_few_lines),
		cmocka_unit_test(foreign_rows_are_counted),
		cmocka_unit_test(flags_of_one_side_are_told),
		cmocka_unit_test(machines_that_differ_are_told),
		cmocka_unit_test(a_machine_that_is_not_known),
		cmocka_unit_test(names_of_sides),
		cmocka_unit_test(topologies_that_differ_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
