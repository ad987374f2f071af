/* SPDX-License-Identifier: Apache-2.0
 *
 * Schedules of what is not cut into equal parts: blocks of any size, whose empty ones are not sent, and messages without data.
 */
#include "collectives/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectives/layout.h"

enum { MOST = 33, ELEMENT = 4 };

static const char *const algos[] = { "pairwise", "linear" };

static const struct coll_link link = { .alpha = 1e-6, .beta = 3e-10, .gamma = 7e-10 };

static struct schedule make(const char *coll, const char *algo, int nranks, const int *sizes)
{
	struct schedule schedule;
	char error[200] = "";
	int status;

	if (sizes)
		status = schedule_make_uneven(collective_find(coll), algo, nranks, sizes, &schedule, error, sizeof(error));
	else
		status = schedule_make(collective_find(coll), algo, nranks, 0, 1, &schedule, error, sizeof(error));
	if (status || schedule_check(&schedule, error, sizeof(error)))
		fail_msg("%s %s of %d: %s", coll, algo, nranks, error);
	return schedule;
}

static void sizes_of(const struct coll_layout *layout, int nranks, int *sizes)
{
	for (int pair = 0; pair < nranks * nranks; pair++)
		sizes[pair] = (int)coll_layout_block(layout, nranks, pair / nranks, pair % nranks);
}

static double of_busiest(const struct coll_layout *layout, int nranks)
{
	const struct coll_shape shape = coll_layout_shape(layout, nranks);

	return (double)(shape.send > shape.recv ? shape.send : shape.recv);
}

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-12 * fmax(1, fabs(b));
}

/* Every non-empty block of another rank goes once, at once to where it belongs, and the busiest port is that of the layout. */
static void judge(const struct coll_layout *layout, int nranks, const struct schedule *schedule)
{
	const struct schedule_count count = schedule_count(schedule);
	const double busiest = of_busiest(layout, nranks), port = (double)coll_layout_port(layout, nranks) / busiest;
	size_t blocks = 0;

	for (int pair = 0; pair < nranks * nranks; pair++)
		blocks += pair / nranks != pair % nranks && schedule->sizes[pair] > 0;
	assert_int_equal(schedule->nmessages, blocks);
	for (size_t i = 0; i < schedule->nmessages; i++) {
		const struct schedule_message *message = &schedule->messages[i];

		assert_int_equal(message->nitems, 1);
		assert_int_equal(message->items[0], message->from * nranks + message->to);
		assert_true(schedule_size(schedule, message) > 0);
	}
	assert_true(near(schedule->share, 1 / busiest));
	assert_true(near(fmax(count.sent_most, count.received_most), port));
	assert_true(count.wire >= port - 1e-12);
}

/* Where one rank is busier than the others, as --skew has it, every round carries one of its blocks, and the model is exact. */
static void skewed_blocks_take_the_time_of_the_model(void **state)
{
	static const double skews[] = { 0, 0.1, 0.5, 0.9, 1 };
	const struct coll_model *model = collective_model(collective_find("alltoallv"), "pairwise");
	int sizes[MOST * MOST];

	(void)state;
	for (size_t k = 0; k < 2 * sizeof(skews) / sizeof(skews[0]); k++) {
		for (int nranks = 1; nranks <= MOST; nranks++) {
			const struct coll_layout layout = coll_layout_skewed(skews[k / 2], (size_t)nranks * 300, nranks, 1);
			const double bytes = ELEMENT * of_busiest(&layout, nranks);
			struct schedule schedule;

			sizes_of(&layout, nranks, sizes);
			schedule = make("alltoallv", algos[k % 2], nranks, sizes);
			judge(&layout, nranks, &schedule);
			assert_int_equal(schedule.nrounds, nranks - 1);
			assert_true(near(schedule_time(&schedule, bytes, &link) * 1e6, model->time(nranks, bytes, &link) * 1e6));
			schedule_clear(&schedule);
		}
	}
}

/* Cells of 0 to 5, half of them 0. */
static void any_blocks_are_exchanged(void **state)
{
	uint64_t cells[MOST * MOST];
	int sizes[MOST * MOST];
	unsigned seed = 1;

	(void)state;
	for (int nranks = 2; nranks <= MOST; nranks++) {
		struct coll_layout layout = { .cells = cells, .element = 1 };
		struct coll_shape shape;
		struct schedule schedule;

		for (int pair = 0; pair < nranks * nranks; pair++) {
			seed = seed * 1103515245 + 12345;
			cells[pair] = seed >> 16 & 1 ? (seed >> 17) % 6 : 0;
		}
		cells[1] = 7; /* one of them at least */
		layout.busiest = layout.bytes = 1;
		shape = coll_layout_shape(&layout, nranks);
		layout.busiest = layout.bytes = shape.send > shape.recv ? shape.send : shape.recv;
		sizes_of(&layout, nranks, sizes);
		schedule = make("alltoallv", algos[nranks % 2], nranks, sizes);
		judge(&layout, nranks, &schedule);
		assert_true(schedule.nrounds < nranks);
		schedule_clear(&schedule);
	}
}

static void rounds_in_which_nobody_sends_are_none(void **state)
{
	static const int next_but_one[] = { 1, 0, 2, 0, 0, 1, 0, 3, 4, 0, 1, 0, 0, 5, 0, 1 }, own[] = { 1, 0, 0, 2 };
	struct schedule schedule = make("alltoallv", "linear", 4, next_but_one), alone = make("alltoallv", "pairwise", 2, own);
	const struct schedule_count count = schedule_count(&schedule);

	(void)state;
	assert_int_equal(schedule.nrounds, 1);
	assert_int_equal(schedule.nmessages, 4);
	assert_int_equal(count.rounds, 1);
	assert_true(near(count.wire, 5.0 / 6) && near(count.total, 14.0 / 6) && count.combined == 0);
	assert_true(near(count.sent_most, 5.0 / 6) && near(count.received_most, 5.0 / 6));
	assert_int_equal(schedule.start[2], 1);
	assert_int_equal(schedule.start[1], 0);
	assert_int_equal(schedule.wanted[1], 0);
	assert_int_equal(alone.nrounds, 0);
	assert_int_equal(alone.nmessages, 0);
	schedule_clear(&schedule);
	schedule_clear(&alone);
}

static void an_empty_block_that_is_sent_is_found(void **state)
{
	static const int sizes[] = { 1, 2, 3, 4 }, empty[] = { 1, 0, 3, 4 };
	struct schedule schedule = make("alltoallv", "pairwise", 2, sizes);
	char error[200] = "";

	(void)state;
	schedule.sizes = empty;
	assert_int_equal(schedule_check(&schedule, error, sizeof(error)), -1);
	assert_string_equal(error, "round 0, rank 0 to rank 1: sends an empty block");
	schedule_clear(&schedule);
}

static void other_uneven_schedules_are_not_made(void **state)
{
	static const int none[16] = { 0 }, some[16] = { 1 };
	struct schedule schedule = { .nranks = -7 };
	char error[200] = "";

	(void)state;
	assert_int_equal(schedule_make_uneven(collective_find("alltoallv"), "linear", 4, none, &schedule, error, sizeof(error)),
			 -1);
	assert_string_equal(error, "alltoallv has no schedule of 'linear' of such blocks");
	assert_int_equal(schedule_make_uneven(collective_find("alltoall"), "bruck", 4, some, &schedule, error, sizeof(error)),
			 -1);
	assert_string_equal(error, "alltoall has no schedule of 'bruck' of such blocks");
	assert_int_equal(schedule.nranks, -7);
}

/* Each rank has heard of itself and as many ranks before it, twice as many in every round. */
static void a_barrier_is_told_on_without_data(void **state)
{
	(void)state;
	for (int nranks = 1; nranks <= MOST; nranks++) {
		struct schedule schedule = make("barrier", "dissemination", nranks, NULL);
		const struct schedule_count count = schedule_count(&schedule);
		uint64_t values[MOST];

		assert_int_equal(schedule.nitems, 1);
		assert_int_equal(count.rounds, coll_log2_ceil(nranks));
		assert_int_equal(schedule.nmessages, nranks * count.rounds);
		assert_true(count.wire == 0 && count.total == 0 && count.combined == 0 && count.sent_most == 0);
		for (int round = 0; round <= count.rounds; round++) {
			memcpy(values, schedule.start, (size_t)nranks * sizeof(values[0]));
			assert_int_equal(schedule_play(&schedule, round, values), 0);
			for (int rank = 0; rank < nranks; rank++) {
				uint64_t heard = 0;

				for (int back = 0; back < 1 << round && back < nranks; back++)
					heard |= UINT64_C(1) << (rank - back + nranks) % nranks;
				assert_true(values[rank] == heard);
			}
		}
		schedule_clear(&schedule);
	}
}

/* Of eight ranks nobody hears anything twice, so every message counts. */
static void a_barrier_lacks_every_message(void **state)
{
	struct schedule schedule = make("barrier", "dissemination", 8, NULL);
	struct schedule_message messages[24];
	char error[200];

	(void)state;
	assert_int_equal(schedule.nmessages, 24);
	for (size_t i = 0; i < 24; i++) {
		struct schedule altered = schedule;

		memcpy(messages, schedule.messages, i * sizeof(messages[0]));
		memcpy(messages + i, schedule.messages + i + 1, (23 - i) * sizeof(messages[0]));
		altered.messages = messages;
		altered.nmessages = 23;
		assert_int_equal(schedule_check(&altered, error, sizeof(error)), -1);
		assert_non_null(strstr(error, "lacks what is promised"));
	}
	schedule_clear(&schedule);
}

/* In round k a rank and the one whose number differs in bit k swap all they have; S leaves the own block out. */
static void a_hypercube_swaps_along_its_edges(void **state)
{
	struct schedule schedule = make("hypercube", "recdbl", 8, NULL);
	const struct schedule_count count = schedule_count(&schedule);

	(void)state;
	assert_int_equal(schedule.nmessages, 24);
	for (size_t i = 0; i < schedule.nmessages; i++) {
		const struct schedule_message *message = &schedule.messages[i];

		assert_int_equal(message->from ^ message->to, 1 << message->round);
		assert_int_equal(message->nitems, 1 << message->round);
	}
	assert_int_equal(count.rounds, 3);
	assert_true(near(count.wire, 1) && near(count.sent_most, 1) && near(count.received_most, 1) && near(count.total, 8));
	schedule_clear(&schedule);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(skewed_blocks_take_the_time_of_the_model),
		cmocka_unit_test(any_blocks_are_exchanged),
		cmocka_unit_test(rounds_in_which_nobody_sends_are_none),
		cmocka_unit_test(an_empty_block_that_is_sent_is_found),
		cmocka_unit_test(other_uneven_schedules_are_not_made),
		cmocka_unit_test(a_barrier_is_told_on_without_data),
		cmocka_unit_test(a_barrier_lacks_every_message),
		cmocka_unit_test(a_hypercube_swaps_along_its_edges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
