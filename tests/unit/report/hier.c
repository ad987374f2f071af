/* SPDX-License-Identifier: Apache-2.0
 *
 * Two-level bounds against tests/data/hier.csv, whose numbers are from an independent program, and the published caps.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/hier.h"

static void assert_near(double value, double expected, double tolerance)
{
	if (!(fabs(value - expected) <= tolerance * fabs(expected)))
		fail_msg("%.17g is not %.17g", value, expected);
}

enum { FIELDS = 12, LEAST_ROWS = 140 };

/* The fields of a line, as numbers; the first one stays in the line. NAN where empty. */
static void split(char *line, double fields[FIELDS])
{
	char *rest = line;

	for (int i = 0; i < FIELDS; i++) {
		char *field = strsep(&rest, ",\n");

		assert_non_null(field);
		fields[i] = *field ? strtod(field, NULL) : NAN;
	}
}

static void check_row(char *line)
{
	double f[FIELDS];
	const struct collective *coll;
	struct hier hier;

	split(line, f);
	coll = collective_find(line);
	assert_non_null(coll);
	hier = (struct hier){ .nnodes = (int)f[1],
			      .gpus = (int)f[2],
			      .alpha_in = f[4],
			      .link = f[5],
			      .alpha_out = f[6],
			      .nic = f[7],
			      .nics = (int)f[8] };
	assert_near(hier_sequential(coll->id, &hier, f[3]), f[9], 1e-12);
	if (hier.nnodes > 1)
		assert_near(hier_bound(coll->id, &hier, f[3]), f[10], 1e-12);
	assert_true(hier_overlapped(coll->id, &hier, f[3]) <= hier_sequential(coll->id, &hier, f[3]));
	assert_true(hier_nic_bound(coll->id, &hier, f[3]) <= hier_bound(coll->id, &hier, f[3]) * (1 + 1e-12));
	if (isfinite(f[11]))
		assert_near(hier_nic_cap(coll->id, &hier), f[11], 1e-12);
	else if (hier.nnodes == 1)
		/* No NIC is in the way, and none helps. */
		assert_true(isinf(hier_nic_cap(coll->id, &hier)));
}

static void times_are_those_of_another_program(void **state)
{
	FILE *file = fopen("tests/data/hier.csv", "r");
	char line[512];
	int rows = 0;

	(void)state;
	assert_non_null(file);
	assert_non_null(fgets(line, sizeof line, file));
	for (; fgets(line, sizeof line, file); rows++)
		check_row(line);
	fclose(file);
	assert_true(rows >= LEAST_ROWS);
}

static struct hier published(int nnodes)
{
	return (struct hier){
		.nnodes = nnodes, .gpus = 8, .alpha_in = 3e-6, .link = 450e9, .alpha_out = 8e-6, .nic = 50e9, .nics = 8
	};
}

static void a_worked_example(void **state)
{
	struct hier hier = published(4);
	double bytes = 1073741824;

	(void)state;
	assert_near(hier_sequential(COLL_ALL_REDUCE, &hier, bytes), 8292.19e-6, 1e-6);
	assert_near(hier_bound(COLL_ALL_REDUCE, &hier, bytes), 4160.75e-6, 1e-6);
	assert_near(hier_sequential(COLL_ALL_GATHER, &hier, bytes), 4146.10e-6, 2e-6);
	assert_near(hier_bound(COLL_REDUCE_SCATTER, &hier, bytes), 2080.37e-6, 3e-6);
	assert_near(hier_sequential(COLL_BROADCAST, &hier, bytes), 5115.45e-6, 2e-6);
	assert_near(hier_bound(COLL_REDUCE, &hier, bytes), 2684.35e-6, 2e-6);
	assert_near(hier_sequential(COLL_ALLTOALL, &hier, bytes), 16151.13e-6, 1e-6);
	assert_near(hier_bound(COLL_ALLTOALL, &hier, bytes), 16106.13e-6, 1e-6);
	assert_near(hier_sequential(COLL_SENDRECV, &hier, bytes), 21482.84e-6, 1e-6);
	assert_near(hier_bound(COLL_SENDRECV, &hier, bytes), 21474.84e-6, 1e-6);
}

/* The slower network counts: 2 * 7/8 * S / 450 GB/s inside, or 2 * 3/4 * S / 100 GB/s outside. */
static void overlapped_phases(void **state)
{
	struct hier hier = published(4);

	(void)state;
	assert_near(hier_overlapped(COLL_ALL_REDUCE, &hier, 1e9), 90e-6 + 1.75 / 450, 1e-12);
	hier.nics = 2;
	assert_near(hier_overlapped(COLL_ALL_REDUCE, &hier, 1e9), 90e-6 + 1.5 / 100, 1e-12);
	assert_near(hier_overlapped(COLL_BROADCAST, &hier, 1e9), 45e-6 + 1 / 100.0, 1e-12);
}

static void caps_by_the_number_of_nodes(void **state)
{
	static const struct {
		int nnodes;
		double all_reduce, alltoall;
	} caps[] = { { 2, 750, 93.75 }, { 3, 575, 71.88 },     { 4, 516.67, 64.58 },
		     { 8, 450, 56.25 }, { 16, 423.33, 52.92 }, { 128, 402.76, 50.34 } };
	struct hier p4d = { .nnodes = 2, .gpus = 8, .link = 300e9, .nic = 12.5e9, .nics = 4 };

	(void)state;
	for (size_t i = 0; i < sizeof caps / sizeof *caps; i++) {
		struct hier hier = published(caps[i].nnodes);

		assert_near(hier_nic_cap(COLL_ALL_REDUCE, &hier), caps[i].all_reduce * 1e9, 1e-4);
		assert_near(hier_nic_cap(COLL_REDUCE_SCATTER, &hier), caps[i].all_reduce * 1e9, 1e-4);
		assert_near(hier_nic_cap(COLL_ALLTOALL, &hier), caps[i].alltoall * 1e9, 1e-4);
		assert_near(hier_nic_cap(COLL_BROADCAST, &hier), 400e9, 1e-12);
		/* A flat ring stays at what the NICs inject. */
		assert_near(hier_ring_rate(COLL_ALL_REDUCE, &hier), 400e9, 1e-12);
		assert_near(hier_ring_rate(COLL_ALLTOALL, &hier), caps[i].alltoall * 1e9, 1e-4);
	}
	/* 57.2 GB/s was measured on two of these: over the NICs' 50, under the cap. */
	assert_near(hier_nic_cap(COLL_ALL_REDUCE, &p4d), 93.75e9, 1e-12);
	assert_near(hier_ring_rate(COLL_ALL_REDUCE, &p4d), 50e9, 1e-12);
	assert_near(hier_ring_rate(COLL_SENDRECV, &p4d), 12.5e9, 1e-12);
	p4d.nnodes = 1;
	assert_near(hier_bound(COLL_ALL_REDUCE, &p4d, 3e9), 2 * 7 / 8.0 * 3 / 300, 1e-12);
	assert_near(hier_ring_rate(COLL_ALL_REDUCE, &p4d), 300e9, 1e-12);
}

static void a_root_serves_all(void **state)
{
	struct hier hier = published(4);
	double bytes = 1e9, p = 32;

	(void)state;
	assert_near(hier_nic_bound(COLL_SCATTER, &hier, bytes), 0.75 * bytes / 400e9, 1e-12);
	assert_near(hier_bound(COLL_GATHER, &hier, bytes), fmax(0.75 / 400, (p - 1) / p / 850), 1e-12);
	assert_near(hier_nic_cap(COLL_GATHER, &hier), (p - 1) / p / 0.75 * 400e9, 1e-12);
	assert_near(hier_ring_rate(COLL_GATHER, &hier), 450e9, 1e-12);
	hier.nics = 4;
	assert_near(hier_ring_rate(COLL_GATHER, &hier), (p - 1) / p / 0.75 * 200e9, 1e-12);
	assert_true(isnan(hier_sequential(COLL_SCATTER, &hier, bytes)));
	assert_true(isnan(hier_overlapped(COLL_SCATTER, &hier, bytes)));
}

static void switches_that_reduce(void **state)
{
	static const struct {
		int nranks;
		double times;
	} caps[] = { { 2, .667 }, { 4, 1.200 }, { 8, 1.556 }, { 16, 1.765 }, { 36, 1.892 }, { 72, 1.945 } };

	(void)state;
	for (size_t i = 0; i < sizeof caps / sizeof *caps; i++)
		assert_near(hier_nvls_cap(COLL_ALL_REDUCE, caps[i].nranks, 450e9), caps[i].times * 450e9, 1e-3);
	assert_near(hier_nvls_cap(COLL_ALL_GATHER, 8, 450e9), 7 / 8.0 * 450e9, 1e-12);
	assert_near(hier_nvls_bound(COLL_ALL_REDUCE, 8, 450e9, 8e9), 9 / 450.0, 1e-12);
	assert_true(isnan(hier_nvls_cap(COLL_ALLTOALL, 8, 450e9)));
	assert_true(isnan(hier_nvls_cap(COLL_ALL_REDUCE, 1, 450e9)));
	assert_near(hier_sharp_cap(COLL_ALL_REDUCE, 32, 400e9), 775e9, 1e-12);
	assert_true(isnan(hier_sharp_cap(COLL_BROADCAST, 32, 400e9)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_those_of_another_program),
		cmocka_unit_test(a_worked_example),
		cmocka_unit_test(overlapped_phases),
		cmocka_unit_test(caps_by_the_number_of_nodes),
		cmocka_unit_test(a_root_serves_all),
		cmocka_unit_test(switches_that_reduce),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
