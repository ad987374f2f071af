/* SPDX-License-Identifier: Apache-2.0
 *
 * The launch by the environment, in jobs of forked ranks: every act gives what it promises, and a rank that dies or ends the job takes the others
 * with it, with one line and the code.
 */
#include "launch_job.h"

#include <math.h>

static void expect(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "test: %s\n", what);
	_exit(BAD);
}

static unsigned char byte_of(int rank, size_t i)
{
	return (unsigned char)((size_t)rank * 31 + i * 7 + i / 251);
}

static void do_broadcast(struct launch *launch, size_t size)
{
	unsigned char *data = calloc(size + 1, 1);

	for (size_t i = 0; launch->rank == 0 && i < size; i++)
		data[i] = byte_of(77, i);
	expect(launch->ops->broadcast(launch, data, size) == 0, "broadcast");
	for (size_t i = 0; i < size; i++)
		expect(data[i] == byte_of(77, i), "broadcast data");
	expect(data[size] == 0, "broadcast writes past its end");
	free(data);
}

static void do_gather(struct launch *launch, size_t size)
{
	const size_t total = size * (size_t)launch->size;
	unsigned char *mine = calloc(size + 1, 1), *all = launch->rank == 0 ? calloc(total + 1, 1) : NULL;

	for (size_t i = 0; i < size; i++)
		mine[i] = byte_of(launch->rank, i);
	expect(launch->ops->gather(launch, mine, size, all) == 0, "gather");
	for (size_t i = 0; all && i < total; i++)
		expect(all[i] == byte_of((int)(i / size), i % size), "gathered data");
	expect(!all || all[total] == 0, "gather writes past its end");
	free(mine);
	free(all);
}

static void do_agree(struct launch *launch, int base)
{
	int largest = -12345;

	/* The one in the middle has the largest. */
	expect(launch->ops->agree(launch, base - abs(launch->rank - launch->size / 2), &largest) == 0, "agree");
	expect(largest == base, "the largest");
}

/* Clocks that are 100 s apart from rank to rank. */
static double skewed(void *arg)
{
	const struct launch *launch = arg;

	return env_net_now() + 100.0 * launch->rank;
}

static double plain(void *arg)
{
	(void)arg;
	return env_net_now();
}

static void do_clocks(struct launch *launch)
{
	double offset = NAN, error = NAN;

	expect(launch->ops->clock_offset(launch, skewed, launch, &offset, &error) == 0, "clock_offset");
	expect(fabs(offset + 100.0 * launch->rank) <= error + 1e-9, "the offset is within its bound");
	expect(error < 5, "the bound");
	expect(launch->ops->clock_offset(launch, plain, NULL, &offset, &error) == 0, "clock_offset");
	expect(offset == 0 && error == 0, "one clock has no offset");
}

static int do_all(struct launch *launch)
{
	static const size_t sizes[] = { 0, 1, 8, 1000, 1008, 1009, 300000 };
	const int port = atoi(getenv("MASTER_PORT"));

	expect(launch->node == 0 && launch->nnodes == 1 && launch->local_size == launch->size, "one host");
	expect(!launch->simulated && strcmp(launch->name, "env") == 0, "its name");
	/* Nobody listens any more, as all are there. */
	expect(launch->ops->barrier(launch) == 0, "barrier");
	for (int i = 0; i < ENV_TRIES; i++)
		expect(knock_at(port + i) < 0, "the ports are closed");
	for (int round = 0; round < 3; round++) {
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			do_broadcast(launch, sizes[i]);
			do_gather(launch, sizes[i]);
		}
		do_agree(launch, round - 1);
		do_agree(launch, INT32_MIN + 10);
		do_agree(launch, INT32_MAX);
		expect(launch->ops->barrier(launch) == 0, "barrier");
		do_clocks(launch);
	}
	/* Some leave while rank 0 still waits for others. */
	if (launch->rank == launch->size - 1)
		env_net_wait(0.05);
	do_gather(launch, 8);
	return 0;
}

static void test_acts(void **state)
{
	static const int sizes[] = { 1, 2, 3, 5 };

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct job job = { .processes = sizes[i], .body = do_all };

		run_job(&job);
		for (int rank = 0; rank < job.processes; rank++)
			assert_end(&job, rank, 0, NULL);
	}
}

/* A barrier proves itself by time order: rank 2 is late, and nobody is through before it has come. */
static int wait_for_late(struct launch *launch)
{
	double come = env_net_now(), went, latest[3] = { 0 };

	if (launch->rank == 2) {
		env_net_wait(0.2);
		come = env_net_now();
	}
	expect(launch->ops->barrier(launch) == 0, "barrier");
	went = env_net_now();
	expect(launch->ops->gather(launch, &come, sizeof come, latest) == 0, "gather");
	expect(launch->ops->broadcast(launch, latest, sizeof latest) == 0, "broadcast");
	expect(went >= latest[2], "through the barrier before the last came");
	return 0;
}

static void test_barrier(void **state)
{
	struct job job = { .processes = 3, .body = wait_for_late };

	(void)state;
	run_job(&job);
	for (int rank = 0; rank < 3; rank++)
		assert_end(&job, rank, 0, NULL);
}

static void local_reversed(int index)
{
	set_number("LOCAL_RANK", 2 - index);
}

static void local_twice(int index)
{
	set_number("LOCAL_RANK", index / 2);
}

static void local_missing(int index)
{
	if (index != 1)
		local_reversed(index);
}

static int tell_local(struct launch *launch)
{
	return 10 + launch->local_rank;
}

static void test_local_ranks(void **state)
{
	static const struct {
		void (*disguise)(int index);
		int local[3];
	} rows[] = { { NULL, { 0, 1, 2 } },
		     { local_reversed, { 2, 1, 0 } },
		     { local_twice, { 0, 1, 2 } },
		     { local_missing, { 0, 1, 2 } } };

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct job job = { .processes = 3, .body = tell_local, .disguise = rows[i].disguise };

		run_job(&job);
		for (int rank = 0; rank < 3; rank++)
			assert_end(&job, rank, 10 + rows[i].local[rank], NULL);
	}
}

/* --- ends --- */

/* As a rank does whose act failed. */
static int meet_or_abort(struct launch *launch)
{
	for (int i = 0; i < 3; i++)
		if (launch->ops->barrier(launch))
			launch->ops->abort(launch, 3);
	return 0;
}

static int lose_rank_1(struct launch *launch)
{
	if (launch->ops->barrier(launch))
		return BAD;
	if (launch->rank == 1)
		raise(SIGKILL);
	return meet_or_abort(launch);
}

static int lose_rank_0(struct launch *launch)
{
	if (launch->ops->barrier(launch))
		return BAD;
	if (launch->rank == 0)
		raise(SIGKILL);
	return meet_or_abort(launch);
}

static void test_lost_rank(void **state)
{
	struct job job = { .processes = 3, .body = lose_rank_1 };

	(void)state;
	run_job(&job);
	assert_end(&job, 0, 3, "launch: rank 0: rank 1 on host ");
	assert_non_null(strstr(job.text[0], "has gone"));
	assert_end(&job, 1, -SIGKILL, NULL);
	assert_end(&job, 2, 3, NULL);
}

static void test_lost_rank_0(void **state)
{
	struct job job = { .processes = 3, .body = lose_rank_0 };

	(void)state;
	run_job(&job);
	assert_end(&job, 0, -SIGKILL, NULL);
	assert_end(&job, 1, 3, "launch: rank 1: rank 0 on host 127.0.0.1 has gone");
	assert_end(&job, 2, 3, "launch: rank 2: rank 0 on host 127.0.0.1 has gone");
}

/* One dies when its part is in already, while another is late: that one comes only when rank 0 is over. */
static int die_early(struct launch *launch)
{
	const int until[2] = { atoi(getenv("UNTIL")), atoi(getenv("UNTIL_WRITER")) };
	char mine = 0, all[3], unused;

	if (launch->rank > 0)
		close(until[1]);
	if (launch->rank == 1 && launch->ops->gather(launch, &mine, 1, NULL) == 0)
		raise(SIGKILL);
	if (launch->rank == 2)
		return read(until[0], &unused, 1) == 0 ? 0 : BAD;
	if (launch->ops->gather(launch, &mine, 1, all))
		launch->ops->abort(launch, 3);
	return BAD;
}

static void test_lost_while_another_is_late(void **state)
{
	struct job job = { .processes = 3, .body = die_early, .port = free_ports() };
	int until[2];

	(void)state;
	assert_int_equal(pipe(until), 0);
	set_number("UNTIL", until[0]);
	set_number("UNTIL_WRITER", until[1]);
	start_job(&job);
	close(until[0]);
	close(until[1]);
	end_job(&job);
	assert_end(&job, 0, 3, "rank 1 on host ");
	assert_end(&job, 1, -SIGKILL, NULL);
	assert_end(&job, 2, 0, NULL);
}

static int abort_by_1(struct launch *launch)
{
	if (launch->rank == 1)
		launch->ops->abort(launch, 7);
	meet_or_abort(launch);
	return BAD;
}

static int abort_by_0(struct launch *launch)
{
	char mine[100] = "", all[300];

	/* The others' messages are not read yet. */
	if (launch->rank == 0) {
		env_net_wait(0.1);
		launch->ops->abort(launch, 7);
	}
	launch->ops->gather(launch, mine, sizeof mine, all);
	meet_or_abort(launch);
	return BAD;
}

static void test_abort(void **state)
{
	int (*const bodies[])(struct launch *) = { abort_by_1, abort_by_0 };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct job job = { .processes = 3, .body = bodies[i] };

		run_job(&job);
		for (int rank = 0; rank < 3; rank++)
			assert_end(&job, rank, 7, NULL);
	}
}

static int disagree(struct launch *launch)
{
	int value, rc = launch->rank == 1 ? launch->ops->barrier(launch) : launch->ops->agree(launch, 1, &value);

	/* What is broken stays so, and is said once. */
	if (rc && launch->rank == 0 && launch->ops->barrier(launch) != -1)
		return BAD;
	return rc ? 4 : BAD;
}

static void test_different_acts(void **state)
{
	struct job job = { .processes = 2, .body = disagree };

	(void)state;
	run_job(&job);
	assert_end(&job, 0, 4, "rank 1 is at act 1 with 0 bytes, this rank at act 4 with 0");
	assert_end(&job, 1, 4, "rank 0 on host 127.0.0.1 has gone");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_acts),        cmocka_unit_test(test_barrier),
		cmocka_unit_test(test_local_ranks), cmocka_unit_test(test_lost_rank),
		cmocka_unit_test(test_lost_rank_0), cmocka_unit_test(test_lost_while_another_is_late),
		cmocka_unit_test(test_abort),       cmocka_unit_test(test_different_acts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
