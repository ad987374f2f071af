/* SPDX-License-Identifier: Apache-2.0
 *
 * The tournament of --pairs: who meets whom, and those pairs as groups; and its command line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "options_line.h"
#include "src/pairs.h"

enum { MOST = 33 };

static int peers_of_round(int nranks, int round, int *peer)
{
	int left_out = 0;

	for (int rank = 0; rank < nranks; rank++)
		peer[rank] = -7;
	pairs_round(nranks, round, peer);
	for (int rank = 0; rank < nranks; rank++) {
		assert_in_range(peer[rank] + 1, 0, nranks);
		left_out += peer[rank] < 0;
		if (peer[rank] >= 0) {
			assert_int_not_equal(peer[rank], rank);
			assert_int_equal(peer[peer[rank]], rank);
		}
	}
	return left_out;
}

static void every_pair_meets_once(void **state)
{
	(void)state;
	for (int nranks = 2; nranks <= MOST; nranks++) {
		int met[MOST][MOST] = { { 0 } }, peer[MOST], left_out[MOST] = { 0 };
		uint64_t all = 0;

		for (int round = 0; round < pairs_rounds(nranks); round++) {
			assert_int_equal(peers_of_round(nranks, round, peer), nranks % 2);
			for (int rank = 0; rank < nranks; rank++) {
				left_out[rank] += peer[rank] < 0;
				if (peer[rank] > rank) {
					met[rank][peer[rank]]++;
					all++;
				}
			}
		}
		assert_int_equal(all, pairs_count(nranks));
		for (int a = 0; a < nranks; a++) {
			assert_int_equal(left_out[a], nranks % 2);
			for (int b = a + 1; b < nranks; b++)
				assert_int_equal(met[a][b], 1);
		}
	}
}

static void rounds_are_as_few_as_they_can_be(void **state)
{
	(void)state;
	assert_int_equal(pairs_rounds(1), 0);
	assert_int_equal(pairs_count(1), 0);
	assert_int_equal(pairs_rounds(2), 1);
	assert_int_equal(pairs_rounds(3), 3);
	assert_int_equal(pairs_rounds(4), 3);
	assert_int_equal(pairs_rounds(64), 63);
	assert_int_equal(pairs_count(64), 2016);
	assert_int_equal(pairs_of_round(5), 2);
	assert_int_equal(pairs_count(100000), UINT64_C(4999950000));
}

static void one_pair_of_a_round_is_kept(void **state)
{
	(void)state;
	for (int nranks = 2; nranks <= MOST; nranks++) {
		int round[MOST], peer[MOST], seen = 0;

		peers_of_round(nranks, 0, round);
		for (int k = 0; k < pairs_of_round(nranks); k++) {
			int kept = 0;

			memcpy(peer, round, sizeof peer);
			pairs_keep(nranks, k, peer);
			for (int rank = 0; rank < nranks; rank++) {
				kept += peer[rank] >= 0;
				assert_true(peer[rank] < 0 || peer[rank] == round[rank]);
				seen += peer[rank] > rank;
			}
			assert_int_equal(kept, 2);
		}
		assert_int_equal(seen, pairs_of_round(nranks));
	}
}

static void pairs_are_groups_of_two(void **state)
{
	const int peer[] = { 3, -1, 4, 0, 2 };
	struct groups groups;

	(void)state;
	assert_int_equal(pairs_open(&groups, 5), 0);
	assert_int_equal(groups.count, 2);
	assert_int_equal(groups.least, 2);
	assert_int_equal(groups.most, 2);
	pairs_group(&groups, peer);
	assert_int_equal(groups.count, 2);
	assert_int_equal(groups.first[0], 0);
	assert_int_equal(groups.first[1], 2);
	for (int rank = 0; rank < 5; rank++)
		assert_int_equal(groups.peer[rank], peer[rank]);
	assert_int_equal(groups.of[0], 0);
	assert_int_equal(groups.of[3], 0);
	assert_int_equal(groups.of[1], -1);
	assert_int_equal(groups.of[2], 1);
	assert_int_equal(groups.of[4], 1);
	assert_int_equal(groups.rank[0], 0);
	assert_int_equal(groups.rank[3], 1);
	assert_int_equal(groups.size[0], 2);
	assert_int_equal(groups.size[1], 2);
	/* Those of before are forgotten. */
	pairs_group(&groups, (const int[]){ -1, 2, 1, -1, -1 });
	assert_int_equal(groups.count, 1);
	assert_int_equal(groups.first[0], 1);
	assert_int_equal(groups.of[0], -1);
	assert_int_equal(groups.peer[3], -1);
	groups_close(&groups);
}

static void the_argument_may_be_left_out(void **state)
{
	struct options options;

	(void)state;
	options = parse_good("-b 8");
	assert_int_equal(options.pairs, PAIRS_NONE);
	assert_true(options.max_time > 0.4);
	options = parse_good("--pairs -b 8");
	assert_int_equal(options.pairs, PAIRS_ALONE);
	assert_int_equal(options.min_bytes, 8);
	assert_true(options.max_time < 0.03);
	options = parse_good("--pairs=alone");
	assert_int_equal(options.pairs, PAIRS_ALONE);
	options = parse_good("--pairs=all --max-time 0.5");
	assert_int_equal(options.pairs, PAIRS_ALL);
	assert_true(options.max_time > 0.4);
	options = parse_good("--max-time 1 --pairs");
	assert_true(options.max_time > 0.9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_pair_meets_once),        cmocka_unit_test(rounds_are_as_few_as_they_can_be),
		cmocka_unit_test(one_pair_of_a_round_is_kept),  cmocka_unit_test(pairs_are_groups_of_two),
		cmocka_unit_test(the_argument_may_be_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
