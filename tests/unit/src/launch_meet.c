/* SPDX-License-Identifier: Apache-2.0
 *
 * How the ranks of the launch by the environment meet: ranks that never come, come twice or miscount. Always one line from each that fails,
 * within the time limit, and never a hang.
 */
#include "launch_job.h"

#include <poll.h>

static void test_absent(void **state)
{
	struct job job = { .processes = 2, .size = 5, .limit = short_limit, .body = meet };

	(void)state;
	run_job(&job);
	assert_end(&job, 0, 3, "launch: rank 0: ranks 2-4 of 5 did not come to port ");
	assert_end(&job, 1, 3, "launch: rank 1: rank 0 gave up: ranks 2-4 of 5 did not come");
}

static void be_4(int index)
{
	if (index == 1)
		setenv("RANK", "4", 1);
}

static void be_1(int index)
{
	(void)index;
	setenv("RANK", "1", 1);
}

static void test_names_of_the_absent(void **state)
{
	struct job job = { .processes = 2, .size = 6, .limit = short_limit, .body = meet, .disguise = be_4 };

	(void)state;
	run_job(&job);
	assert_end(&job, 0, 3, "ranks 1-3, 5 of 6 did not come");
}

static void test_no_rank_0(void **state)
{
	struct job job = { .processes = 1, .size = 2, .limit = short_limit, .body = meet, .disguise = be_1 };

	(void)state;
	run_job(&job);
	assert_end(&job, 0, 3, "rank 1: no rank 0 at 127.0.0.1 (MASTER_ADDR), ports ");
	assert_non_null(strstr(job.text[0], "within 1.2 s: port "));
	assert_non_null(strstr(job.text[0], "Connection refused"));
}

static void at_nowhere(int index)
{
	/* A part of more than 63 bytes is no name: nobody is asked. */
	(void)index;
	setenv("RANK", "1", 1);
	setenv("MASTER_ADDR", "no.such.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 1);
	setenv("RES_OPTIONS", "timeout:1 attempts:1", 1);
}

static void test_name_that_is_none(void **state)
{
	struct job job = { .processes = 1, .size = 2, .limit = short_limit, .body = meet, .disguise = at_nowhere };

	(void)state;
	run_job(&job);
	assert_end(&job, 0, 3, "the name cannot be resolved");
}

static void garbage(int index)
{
	setenv("RANK", index == 0 ? "abc" : "2", 1);
}

static void test_garbage(void **state)
{
	struct job job = { .processes = 2, .body = meet, .disguise = garbage };

	(void)state;
	run_job(&job);
	assert_end(&job, 0, 3, "launch by the environment: RANK='abc' is not a whole number");
	assert_end(&job, 1, 3, "launch by the environment: RANK='2' is not a whole number from 0 to 1");
}

static void count_3(int index)
{
	if (index == 1)
		setenv("WORLD_SIZE", "3", 1);
}

static void test_wrong_size(void **state)
{
	struct job job = { .processes = 2, .limit = short_limit, .body = meet, .disguise = count_3 };

	(void)state;
	run_job(&job);
	assert_end(&job, 0, 3, "rank 1 of 2 did not come");
	assert_non_null(strstr(job.text[0], "counts 3 ranks, rank 0 counts 2"));
	assert_end(&job, 1, 3, "rank 1: rank 0 refuses: rank 1 on host ");
	assert_non_null(strstr(job.text[1], "counts 3 ranks, rank 0 counts 2"));
}

/* Process 2 says that it is rank 1, too; process 3 is rank 2. */
static void twice_1(int index)
{
	if (index >= 2)
		set_number("RANK", index - 1);
}

static void test_duplicate(void **state)
{
	struct job job = { .processes = 4, .size = 3, .body = meet, .disguise = twice_1, .port = free_ports() };
	struct pollfd ends[2];
	int twin;

	(void)state;
	for (int i = 0; i < 3; i++)
		start_rank(&job, i);
	for (int i = 0; i < 2; i++)
		ends[i] = (struct pollfd){ .fd = job.error_fd[i + 1], .events = POLLIN };
	assert_true(poll(ends, 2, 20000) > 0);
	twin = ends[0].revents ? 1 : 2;
	start_rank(&job, 3);
	end_job(&job);
	for (int i = 0; i < 4; i++)
		if (i != twin)
			assert_end(&job, i, 0, NULL);
	assert_end(&job, twin, 3, "rank 1: rank 0 refuses: rank 1 on host ");
	assert_non_null(strstr(job.text[twin], "is there already: two jobs with the same MASTER_PORT?"));
}

/* A rank that came and died may be started again. */
static void test_second_try(void **state)
{
	struct job job = { .processes = 3, .body = meet, .port = free_ports() };

	(void)state;
	start_rank(&job, 0);
	start_rank(&job, 1);
	env_net_wait(0.3);
	kill(job.pid[1], SIGKILL);
	end_rank(&job, 1);
	start_rank(&job, 1);
	start_rank(&job, 2);
	end_job(&job);
	for (int rank = 0; rank < 3; rank++)
		assert_end(&job, rank, 0, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_absent),    cmocka_unit_test(test_names_of_the_absent),
		cmocka_unit_test(test_no_rank_0), cmocka_unit_test(test_name_that_is_none),
		cmocka_unit_test(test_garbage),   cmocka_unit_test(test_wrong_size),
		cmocka_unit_test(test_duplicate), cmocka_unit_test(test_second_try),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
