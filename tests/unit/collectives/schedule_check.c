/* SPDX-License-Identifier: Apache-2.0
 *
 * What a schedule does, in known answers; that a fault planted in one is found, by its name; and what no schedule is made for.
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

static struct schedule make(const char *coll, const char *algo, int nranks, int root)
{
	struct schedule schedule;
	char error[200] = "";

	if (schedule_make(collective_find(coll), algo, nranks, root, 3, &schedule, error, sizeof(error)))
		fail_msg("%s %s of %d: %s", coll, algo, nranks, error);
	return schedule;
}

static uint64_t *values_after(const struct schedule *schedule, int rounds)
{
	size_t bytes = (size_t)schedule->nranks * (size_t)schedule->nitems * sizeof(uint64_t);
	uint64_t *values = malloc(bytes);

	assert_non_null(values);
	memcpy(values, schedule->start, bytes);
	assert_int_equal(schedule_play(schedule, rounds, values), 0);
	return values;
}

/* Of four ranks: reduce-scatter leaves rank 0 with block 1 complete, rank 1 with 2, rank 2 with 3, rank 3 with 0. */
static void a_ring_reduces_then_gathers(void **state)
{
	struct schedule schedule = make("all_reduce", "ring", 4, 0);
	uint64_t *half = values_after(&schedule, 3), *whole = values_after(&schedule, schedule.nrounds);
	int sent[4] = { 0 };

	(void)state;
	assert_int_equal(schedule.nrounds, 6);
	assert_int_equal(schedule.nitems, 4);
	for (int rank = 0; rank < 4; rank++) {
		for (int item = 0; item < 4; item++) {
			assert_int_equal(half[rank * 4 + item] == 0xf, item == (rank + 1) % 4);
			assert_int_equal(whole[rank * 4 + item], 0xf);
		}
	}
	for (size_t i = 0; i < schedule.nmessages; i++) {
		assert_int_equal(schedule.messages[i].nitems, 1);
		assert_int_equal(schedule.messages[i].to, (schedule.messages[i].from + 1) % 4);
		assert_int_equal(schedule.messages[i].combine, schedule.messages[i].round < 3);
		sent[schedule.messages[i].from]++;
	}
	for (int rank = 0; rank < 4; rank++)
		assert_int_equal(sent[rank], 6);
	free(half);
	free(whole);
	schedule_clear(&schedule);
	assert_null(schedule.memory);
}

static void nothing_has_happened_before_the_first_round(void **state)
{
	struct schedule schedule = make("alltoall", "bruck", 6, 0);
	uint64_t *values = values_after(&schedule, 0);

	(void)state;
	assert_int_equal(schedule.nitems, 36);
	for (int at = 0; at < 6 * 36; at++) {
		int rank = at / 36, item = at % 36;

		assert_int_equal(values[at], item / 6 == rank ? UINT64_C(1) << rank : 0);
		assert_int_equal(schedule.wanted[at], item % 6 == rank ? UINT64_C(1) << item / 6 : 0);
	}
	free(values);
	schedule_clear(&schedule);
}

static void assert_count(struct schedule_count count, int rounds, double most, double total, double wire, double combined)
{
	assert_int_equal(count.rounds, rounds);
	assert_true(fabs(count.sent_most - most) < 1e-12);
	assert_true(fabs(count.received_most - most) < 1e-12);
	assert_true(fabs(count.total - total) < 1e-12);
	assert_true(fabs(count.wire - wire) < 1e-12);
	assert_true(fabs(count.combined - combined) < 1e-12);
}

static void rounds_and_bytes_are_counted(void **state)
{
	static const struct coll_link link = { .alpha = 3, .beta = 5, .gamma = 7 };
	struct schedule ring = make("all_reduce", "ring", 4, 0), tree = make("reduce", "binomial", 8, 3),
			shift = make("sendrecv", "p2p", 3, 0);
	struct schedule alone = make("all_reduce", "ring", 1, 0);
	struct schedule_count count = schedule_count(&tree);

	(void)state;
	assert_count(schedule_count(&ring), 6, 1.5, 6, 1.5, 0.75);
	assert_true(fabs(schedule_time(&ring, 8, &link) - (6 * 3 + 12 * 5 + 6 * 7)) < 1e-12);
	assert_true(count.sent_most == 1 && count.received_most == 3);
	assert_true(count.total == 7 && count.wire == 3 && count.combined == 3);
	assert_count(schedule_count(&shift), 1, 1, 3, 1, 0);
	assert_count(schedule_count(&alone), 0, 0, 0, 0, 0);
	schedule_clear(&ring);
	schedule_clear(&tree);
	schedule_clear(&shift);
	schedule_clear(&alone);
}

enum { ROOM = 200 };

/* A schedule whose messages may be changed: its own are room for more, and good when they come. */
struct altered {
	struct schedule whole, schedule;
	struct schedule_message messages[ROOM];
};

static struct altered *alter(const char *coll, const char *algo, int nranks)
{
	struct altered *altered = malloc(sizeof(*altered));
	char error[200] = "";

	assert_non_null(altered);
	altered->whole = altered->schedule = make(coll, algo, nranks, 0);
	assert_in_range(altered->whole.nmessages, 1, ROOM - 1);
	memcpy(altered->messages, altered->whole.messages, altered->whole.nmessages * sizeof(altered->messages[0]));
	altered->schedule.messages = altered->messages;
	assert_int_equal(schedule_check(&altered->schedule, error, sizeof(error)), 0);
	return altered;
}

static void leave_out(struct altered *altered, size_t i)
{
	altered->schedule.nmessages--;
	memmove(&altered->messages[i], &altered->messages[i + 1],
		(altered->schedule.nmessages - i) * sizeof(altered->messages[0]));
}

static void put(struct altered *altered, size_t i, struct schedule_message message)
{
	memmove(&altered->messages[i + 1], &altered->messages[i],
		(altered->schedule.nmessages - i) * sizeof(altered->messages[0]));
	altered->messages[i] = message;
	altered->schedule.nmessages++;
}

static void assert_refused(struct altered *altered, const char *why)
{
	char error[200] = "";

	assert_int_equal(schedule_check(&altered->schedule, error, sizeof(error)), -1);
	if (!strstr(error, why))
		fail_msg("refused with '%s', not for '%s'", error, why);
	schedule_clear(&altered->whole);
	free(altered);
}

/* Whichever message it is, of every algorithm in which each one counts. */
static void a_message_left_out_is_found(void **state)
{
	static const char *const algos[][2] = { { "broadcast", "binomial" },   { "broadcast", "two_tree" },
						{ "reduce", "round_optimal" }, { "scatter", "ring" },
						{ "gather", "binomial" },      { "all_gather", "bruck" },
						{ "all_reduce", "circulant" }, { "reduce_scatter", "rechalving" },
						{ "alltoall", "bruck" },       { "all_reduce", "rabenseifner" },
						{ "alltoallv", "pairwise" },   { "alltoallv", "linear" } };

	(void)state;
	for (size_t a = 0; a < sizeof(algos) / sizeof(algos[0]); a++) {
		struct altered *first = alter(algos[a][0], algos[a][1], 6);
		size_t count = first->whole.nmessages;

		schedule_clear(&first->whole);
		free(first);
		for (size_t i = 0; i < count; i++) {
			struct altered *altered = alter(algos[a][0], algos[a][1], 6);

			leave_out(altered, i);
			assert_refused(altered, "");
		}
	}
}

static void what_is_lacking_at_the_end_is_told(void **state)
{
	struct altered *altered = alter("broadcast", "linear", 4);

	(void)state;
	leave_out(altered, 2);
	assert_refused(altered, "at the end: rank 3 lacks");
}

static void a_doubled_message_is_found(void **state)
{
	struct altered *altered = alter("all_gather", "ring", 4);

	(void)state;
	put(altered, 3, altered->messages[3]);
	assert_refused(altered, "two messages");
}

static void a_second_port_is_found(void **state)
{
	struct altered *sends = alter("broadcast", "linear", 4), *receives = alter("gather", "linear", 4);

	(void)state;
	sends->messages[1].round = 0;
	assert_refused(sends, "round 0, rank 0 to rank 2: the sender sends two messages");
	receives->messages[1].round = 0;
	assert_refused(receives, "round 0, rank 2 to rank 0: the receiver receives two messages");
}

static void data_reduced_twice_are_found(void **state)
{
	struct altered *again = alter("reduce", "linear", 4), *early = alter("all_reduce", "recdbl", 4);
	struct schedule_message message = again->messages[1];

	(void)state;
	message.round = 2;
	again->messages[2] = message;
	assert_refused(again, "twice");
	/* The second exchange with the partner of the first. */
	for (size_t i = 4; i < 8; i++)
		early->messages[i].to = early->messages[i].from ^ 1;
	assert_refused(early, "twice");
}

static void what_is_not_held_is_not_sent(void **state)
{
	struct altered *early = alter("broadcast", "ring", 4), *nothing = alter("gather", "linear", 4),
		       *back = alter("broadcast", "ring", 4);
	struct schedule_message message = back->messages[0];

	(void)state;
	message.from = 1;
	message.to = 0;
	put(back, 0, message);
	assert_refused(back, "round 0, rank 1 to rank 0: sends what it does not hold");
	early->messages[0].from = 3;
	assert_refused(early, "does not hold");
	nothing->messages[0].combine = true;
	assert_refused(nothing, "into nothing");
}

static void misshapen_messages_are_found(void **state)
{
	static const int fallen[] = { 1, 0 }, beyond[] = { 4 };
	struct altered *altered = alter("broadcast", "binomial", 4);

	(void)state;
	altered->messages[0].to = 4;
	assert_refused(altered, "no such pair");
	altered = alter("broadcast", "binomial", 4);
	altered->messages[0].to = 0;
	assert_refused(altered, "no such pair");
	altered = alter("broadcast", "binomial", 4);
	altered->messages[0].round = 1;
	altered->messages[1].round = 0;
	assert_refused(altered, "out of order");
	altered = alter("broadcast", "binomial", 4);
	altered->schedule.nrounds = 1;
	assert_refused(altered, "out of order");
	altered = alter("broadcast", "binomial", 4);
	altered->messages[0].nitems = 0;
	assert_refused(altered, "empty");
	altered = alter("scatter", "binomial", 4);
	altered->messages[0].items = fallen;
	assert_refused(altered, "not rising");
	altered = alter("scatter", "linear", 4);
	altered->messages[0].items = beyond;
	assert_refused(altered, "not rising");
}

static void assert_not_made(const char *coll, const char *algo, int nranks, int root, int segments, const char *why)
{
	struct schedule schedule = { .nranks = -7 };
	char error[200] = "";

	assert_int_equal(schedule_make(collective_find(coll), algo, nranks, root, segments, &schedule, error, sizeof(error)), -1);
	assert_string_equal(error, why);
	assert_int_equal(schedule.nranks, -7);
}

static void impossible_schedules_are_not_made(void **state)
{
	(void)state;
	assert_not_made("broadcast", "lb", 4, 0, 1, "broadcast has no schedule of 'lb'");
	assert_not_made("all_reduce", "tree_ideal", 4, 0, 1, "all_reduce has no schedule of 'tree_ideal'");
	assert_not_made("alltoall", "", 4, 0, 1, "alltoall has no schedule of ''");
	assert_not_made("all_gather", "recdbl", 6, 0, 1,
			"all_gather has no schedule of 'recdbl' for 6 ranks, only for 1, 2, 4, 8, 16, 32, 64");
	assert_not_made("hypercube", "recdbl", 6, 0, 1,
			"hypercube has no schedule of 'recdbl' for 6 ranks, only for 2, 4, 8, 16, 32, 64: a hypercube needs a "
			"power of two of ranks");
	assert_not_made("hypercube", "recdbl", 1, 0, 1,
			"hypercube has no schedule of 'recdbl' for 1 rank, only for 2, 4, 8, 16, 32, 64: one rank has nobody to "
			"exchange with");
	assert_not_made("hypercube", "recdbl", 0, 0, 1,
			"hypercube has no schedule of 'recdbl' for 0 ranks, only for 2, 4, 8, 16, 32, 64");
	assert_not_made("barrier", "lb", 4, 0, 1, "barrier has no schedule of 'lb'");
	assert_not_made("all_reduce", "ring", 0, 0, 1, "all_reduce has no schedule of 'ring' for 0 ranks, only for 1-64");
	assert_not_made("all_reduce", "ring", 65, 0, 1, "all_reduce has no schedule of 'ring' for 65 ranks, only for 1-64");
	assert_not_made("broadcast", "ring", 4, 4, 1, "broadcast has no schedule of 'ring' with this root");
	assert_not_made("broadcast", "ring", 4, -1, 1, "broadcast has no schedule of 'ring' with this root");
	assert_not_made("broadcast", "ring_pipe", 4, 0, 0, "broadcast has no schedule of 'ring_pipe' in so many segments");
	assert_not_made("broadcast", "ring_pipe", 4, 0, SCHEDULE_MOST_ITEMS + 1,
			"broadcast has no schedule of 'ring_pipe' in so many segments");
	assert_not_made("broadcast", "two_tree", 4, 0, INT32_MAX, "broadcast has no schedule of 'two_tree' in so many segments");
}

static void a_root_means_nothing_where_there_is_none(void **state)
{
	struct schedule schedule = make("all_reduce", "ring", 4, 9);

	(void)state;
	assert_int_equal(schedule.root, 0);
	schedule_clear(&schedule);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ring_reduces_then_gathers),
		cmocka_unit_test(nothing_has_happened_before_the_first_round),
		cmocka_unit_test(rounds_and_bytes_are_counted),
		cmocka_unit_test(a_message_left_out_is_found),
		cmocka_unit_test(what_is_lacking_at_the_end_is_told),
		cmocka_unit_test(a_doubled_message_is_found),
		cmocka_unit_test(a_second_port_is_found),
		cmocka_unit_test(data_reduced_twice_are_found),
		cmocka_unit_test(what_is_not_held_is_not_sent),
		cmocka_unit_test(misshapen_messages_are_found),
		cmocka_unit_test(impossible_schedules_are_not_made),
		cmocka_unit_test(a_root_means_nothing_where_there_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
