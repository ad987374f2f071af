/* SPDX-License-Identifier: Apache-2.0
 *
 * The watch, in jobs of forked ranks: a normal end is silent, and each way to end badly gives one line in all and exit code 3 on every
 * surviving rank.
 */
#include "watch_jobs.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>

/* --- what ranks do --- */

static int end_well(struct rank *rank)
{
	begin(rank);
	/* A launcher that kills the ranks by their sessions or groups must not reach it. */
	if (rank->launch.rank == 0 && rank->launch.size > 1 && getsid(rank->watch->hub) != rank->watch->hub)
		return 91;
	watch_stop(rank->watch);
	return 0;
}

static int lose_rank_1(struct rank *rank)
{
	begin(rank);
	if (rank->launch.rank == 1)
		raise(SIGKILL);
	return stuck();
}

static int lose_rank_0(struct rank *rank)
{
	begin(rank);
	if (rank->launch.rank == 0)
		raise(SIGKILL);
	return stuck();
}

/* As when rank 0's host is lost: its process and its hub. */
static int lose_hub(struct rank *rank)
{
	begin(rank);
	if (rank->launch.rank == 0)
		kill(rank->watch->hub, SIGKILL);
	return stuck();
}

static int hang_rank_2(struct rank *rank)
{
	begin(rank);
	if (rank->launch.rank != 2)
		watch_call(rank->watch);
	return stuck();
}

static int hang_all(struct rank *rank)
{
	begin(rank);
	return stuck();
}

static int stop_rank_1(struct rank *rank)
{
	begin(rank);
	if (rank->launch.rank == 1)
		raise(SIGSTOP);
	return stuck();
}

static int stop_rank_0(struct rank *rank)
{
	begin(rank);
	if (rank->launch.rank == 0)
		raise(SIGSTOP);
	return stuck();
}

static int hang_alone(struct rank *rank)
{
	rank->watch = watch_start("test", rank->timeout, false);
	return stuck();
}

static int progress_slowly(struct rank *rank)
{
	begin(rank);
	for (int i = 0; i < 6; i++) {
		usleep(300000);
		if (i % 2)
			watch_call(rank->watch);
		else
			watch_phase(rank->watch, WATCH_OUTPUT);
	}
	watch_stop(rank->watch);
	return 0;
}

/* Who of a job goes on while the others wait, and what comes of it. */
struct busy {
	int rank;
	void (*progress)(struct watch *watch);
	void (*end)(struct rank *rank);
};

/* Longer than everybody's patience with a hub that does not answer, too. */
static int work_for_all(struct rank *rank)
{
	const struct busy *busy = rank->shared;

	begin(rank);
	if (rank->launch.rank != busy->rank) {
		watch_call(rank->watch);
		if (busy->end)
			return stuck();
	}
	for (int i = busy->end ? 8 : 0; i < 14 && rank->launch.rank == busy->rank; i++) {
		usleep(300000);
		busy->progress(rank->watch);
	}
	if (rank->launch.rank == busy->rank && write(STDERR_FILENO, "done\n", 5) != 5)
		return 94;
	if (busy->end)
		busy->end(rank);
	meet(rank);
	watch_stop(rank->watch);
	return 0;
}

static void hang(struct rank *rank)
{
	(void)rank;
	stuck();
}

static void halt(struct rank *rank)
{
	(void)rank;
	raise(SIGSTOP);
	stuck();
}

static int term_rank_1(struct rank *rank)
{
	int largest = 0;

	begin(rank);
	if (rank->launch.rank == 1) {
		if (watch_interrupted(rank->watch))
			return 96;
		kill(getpid(), rank->shared ? *(int *)rank->shared : SIGTERM);
		while (!watch_interrupted(rank->watch))
			usleep(1000);
	}
	agree(&rank->launch, watch_interrupted(rank->watch), &largest);
	if (largest != 1 || watch_interrupted(rank->watch) != (rank->launch.rank == 1))
		return 95;
	watch_stop(rank->watch);
	return 3;
}

static int ignore_hangup(struct rank *rank)
{
	begin(rank);
	/* A thread that takes it would have taken the second one by then, which ends the job. */
	kill(getpid(), SIGHUP);
	usleep(100000);
	kill(getpid(), SIGHUP);
	usleep(100000);
	if (watch_interrupted(rank->watch))
		return 94;
	watch_stop(rank->watch);
	return 0;
}

static int term_rank_1_twice(struct rank *rank)
{
	begin(rank);
	if (rank->launch.rank == 1) {
		kill(getpid(), SIGTERM);
		kill(getpid(), SIGINT);
	}
	return stuck();
}

static int term_and_hang(struct rank *rank)
{
	begin(rank);
	if (rank->launch.rank == 0)
		kill(getpid(), SIGTERM);
	return stuck();
}

static int term_after_stop(struct rank *rank)
{
	end_well(rank);
	raise(SIGTERM);
	return 0;
}

static int stop_without(struct rank *rank)
{
	begin(rank);
	if (rank->launch.rank == 1)
		raise(SIGSTOP);
	watch_stop(rank->watch);
	if (rank->launch.rank == 0 && write(STDERR_FILENO, "left\n", 5) != 5)
		return 94;
	return 0;
}

/* --- strangers --- */

static int knock(const struct watch_invitation *invitation, const struct watch_message *hello, size_t size)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = invitation->port };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (connect(fd, (struct sockaddr *)&address, sizeof address))
		_exit(93);
	if (size)
		put(fd, hello, size);
	return fd;
}

static void assert_refused(const struct watch_invitation *invitation, const struct watch_message *hello)
{
	int fd = knock(invitation, hello, sizeof *hello);
	char byte;

	if (recv(fd, &byte, 1, 0) > 0)
		_exit(92);
	close(fd);
}

static void attack(struct rank *rank, struct watch_invitation *invitation)
{
	/* Rank 2 has not connected yet, so its place is free whatever the others have done. */
	struct watch_message hello = { .kind = WATCH_HELLO, .value = 2, .number = invitation->cookie + 1 };

	if (rank->launch.rank != 2)
		return;
	assert_refused(invitation, &hello);
	hello.number = invitation->cookie;
	hello.value = 0;
	assert_refused(invitation, &hello);
	hello.value = UINT32_MAX;
	assert_refused(invitation, &hello);
	hello.value = 2;
	hello.kind = WATCH_QUIT;
	assert_refused(invitation, &hello);
	close(knock(invitation, &hello, 7));
	for (int i = 0; i < 100; i++)
		knock(invitation, &hello, (size_t)i % 3);
}

static void unplug_rank_2(struct rank *rank, struct watch_invitation *invitation)
{
	if (rank->launch.rank == 2)
		invitation->port = 0;
}

/* --- tests --- */

static void test_normal_end_is_silent(void **state)
{
	(void)state;
	for (int size = 1; size <= 3; size++) {
		struct job job = { .size = size };

		run(&job, end_well);
		assert_text(&job, "");
		assert_status(&job, 0, 0, 0);
	}
}

static void test_lost_rank(void **state)
{
	struct job job = { .size = 3 };

	(void)state;
	run(&job, lose_rank_1);
	assert_text(&job, "test: rank 1 on host %s died in timing of all_reduce, 1024 bytes\n", job.host);
	assert_status(&job, 3, -SIGKILL, 3);
}

static void test_lost_rank_0(void **state)
{
	struct job job = { .size = 3 };

	(void)state;
	run(&job, lose_rank_0);
	assert_text(&job, "test: rank 0 on host %s died in timing of all_reduce, 1024 bytes\n", job.host);
	assert_status(&job, -SIGKILL, 3, 3);
}

static void test_lost_hub(void **state)
{
	struct job job = { .size = 3 };

	(void)state;
	run(&job, lose_hub);
	assert_text(&job, "test: rank 0 on host %s died in timing of all_reduce, 1024 bytes\n", job.host);
	assert_status(&job, 3, 3, 3);
}

static void test_hang_names_the_lowest_count(void **state)
{
	struct job job = { .size = 3, .timeout = 1 };

	(void)state;
	run(&job, hang_rank_2);
	assert_text(&job, "test: no progress for 1 s in timing of all_reduce, 1024 bytes: "
			  "rank 2 is missing (reached call 4, the others 5)\n");
	assert_status(&job, 3, 3, 3);
}

static void test_hang_of_all(void **state)
{
	struct job job = { .size = 3, .timeout = 1 };

	(void)state;
	run(&job, hang_all);
	assert_text(&job, "test: no progress for 1 s in timing of all_reduce, 1024 bytes: "
			  "no rank is behind the others (call 4)\n");
	assert_status(&job, 3, 3, 3);
}

static void test_stopped_rank_is_missing(void **state)
{
	struct job job = { .size = 3, .timeout = 1 };

	(void)state;
	run(&job, stop_rank_1);
	assert_text(&job, "test: no progress for 1 s in timing of all_reduce, 1024 bytes: rank 1 is missing (no answer)\n");
	assert_status(&job, 3, 3, 3);
}

static void test_stopped_rank_0_is_missing(void **state)
{
	struct job job = { .size = 3, .timeout = 1 };

	(void)state;
	run(&job, stop_rank_0);
	assert_text(&job, "test: no progress for 1 s in timing of all_reduce, 1024 bytes: rank 0 is missing (no answer)\n");
	assert_status(&job, 3, 3, 3);
}

static void test_unconnected_rank_is_not_known(void **state)
{
	struct job job = { .size = 3, .timeout = 1, .on_invitation = unplug_rank_2 };
	struct job good = { .size = 3, .on_invitation = unplug_rank_2 };

	(void)state;
	start(&job, hang_all);
	read_errors(&job, true);
	kill(job.pid[2], SIGKILL);
	finish(&job);
	assert_text(&job, "test: no progress for 1 s in timing of all_reduce, 1024 bytes: "
			  "no rank is behind the others (call 4); nothing is known of rank 2 (no connection)\n");
	run(&good, end_well);
	assert_text(&good, "");
	assert_status(&good, 0, 0, 0);
}

static void test_hang_before_the_launch(void **state)
{
	struct job job = { .size = 1, .timeout = 1 };

	(void)state;
	run(&job, hang_alone);
	assert_text(&job, "test: no progress for 1 s in launch: process %ld on host %s had no connection to the others yet\n",
		    (long)job.pid[0], job.host);
	assert_status(&job, 3, 0, 0);
}

static void test_progress_is_no_hang(void **state)
{
	struct job job = { .size = 2, .timeout = 1 };

	(void)state;
	run(&job, progress_slowly);
	assert_text(&job, "");
	assert_status(&job, 0, 0, 0);
}

/* Side by side, as they take seconds. */
static void test_who_waits_for_progress_is_patient(void **state)
{
	struct busy first = { .rank = 0, .progress = watch_progress }, last = { .rank = 2, .progress = watch_call };
	struct job jobs[] = { { .size = 3, .timeout = 1, .shared = &first }, { .size = 3, .timeout = 1, .shared = &last } };

	(void)state;
	for (int i = 0; i < 2; i++)
		start(&jobs[i], work_for_all);
	for (int i = 0; i < 2; i++) {
		finish(&jobs[i]);
		assert_text(&jobs[i], "done\n");
		assert_status(&jobs[i], 0, 0, 0);
	}
}

static void test_hang_after_progress(void **state)
{
	struct busy first = { .rank = 0, .progress = watch_progress, .end = hang },
		    last = { .rank = 2, .progress = watch_progress, .end = halt };
	struct job jobs[] = { { .size = 3, .timeout = 1, .shared = &first }, { .size = 3, .timeout = 1, .shared = &last } };
	static const char *const culprits[] = { "rank 0 is missing (reached call 4, the others 5)",
						"rank 2 is missing (no answer)" };

	(void)state;
	for (int i = 0; i < 2; i++)
		start(&jobs[i], work_for_all);
	for (int i = 0; i < 2; i++) {
		finish(&jobs[i]);
		assert_text(&jobs[i], "done\ntest: no progress for 1 s in timing of all_reduce, 1024 bytes: %s\n", culprits[i]);
		assert_status(&jobs[i], 3, 3, 3);
	}
}

static void test_signal_sets_the_flag(void **state)
{
	struct job job = { .size = 2 };

	(void)state;
	run(&job, term_rank_1);
	assert_text(&job, "");
	assert_status(&job, 3, 3, 0);
}

/* Only where it is not ignored (nohup). */
static void test_hangup(void **state)
{
	int hangup = SIGHUP;
	struct job job = { .size = 2, .shared = &hangup };

	(void)state;
	signal(SIGHUP, SIG_DFL);
	run(&job, term_rank_1);
	assert_text(&job, "");
	assert_status(&job, 3, 3, 0);

	signal(SIGHUP, SIG_IGN);
	job = (struct job){ .size = 2 };
	run(&job, ignore_hangup);
	signal(SIGHUP, SIG_DFL);
	assert_text(&job, "");
	assert_status(&job, 0, 0, 0);
}

static void test_second_signal_ends(void **state)
{
	struct job job = { .size = 3 };

	(void)state;
	run(&job, term_rank_1_twice);
	assert_text(&job, "test: interrupted in timing of all_reduce, 1024 bytes: rank 1 got a second signal\n");
	assert_status(&job, 3, 3, 3);
}

static void test_signal_to_a_stuck_rank_ends(void **state)
{
	struct job job = { .size = 2 };

	(void)state;
	run(&job, term_and_hang);
	assert_text(&job,
		    "test: interrupted in timing of all_reduce, 1024 bytes: rank 0 did not finish within 5 s of the signal\n");
	assert_status(&job, 3, 3, 0);
}

static void test_signal_after_stop(void **state)
{
	struct job job = { .size = 2 };

	(void)state;
	run(&job, term_after_stop);
	assert_text(&job, "");
	assert_status(&job, -SIGTERM, -SIGTERM, 0);
}

static void test_stop_does_not_wait_for_ever(void **state)
{
	struct job job = { .size = 2 };

	(void)state;
	start(&job, stop_without);
	read_errors(&job, true);
	kill(job.pid[1], SIGCONT);
	finish(&job);
	assert_text(&job, "left\n");
	assert_status(&job, 0, 0, 0);
}

static void test_strangers_are_dropped(void **state)
{
	struct job job = { .size = 3, .on_invitation = attack };

	(void)state;
	run(&job, end_well);
	assert_text(&job, "");
	assert_status(&job, 0, 0, 0);

	job = (struct job){ .size = 3, .on_invitation = attack };
	run(&job, lose_rank_1);
	assert_text(&job, "test: rank 1 on host %s died in timing of all_reduce, 1024 bytes\n", job.host);
}

static int hostile_point(struct rank *rank)
{
	begin(rank);
	watch_point(rank->watch, "\033[2J%s%n\nforged line");
	meet(rank);
	if (rank->launch.rank == 1)
		raise(SIGKILL);
	return stuck();
}

static void test_text_cannot_forge_lines(void **state)
{
	struct job job = { .size = 2 };

	(void)state;
	run(&job, hostile_point);
	assert_text(&job, "test: rank 1 on host %s died in timing of ?[2J%%s%%n?forged line\n", job.host);
}

static int count_threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	int count = 0;

	assert_non_null(tasks);
	for (struct dirent *task; (task = readdir(tasks));)
		count += task->d_name[0] != '.';
	closedir(tasks);
	return count;
}

static void test_simulated_has_no_thread(void **state)
{
	const int before = count_threads();
	struct launch launch = { .rank = 3, .size = 8, .simulated = true };
	struct watch *watch = watch_start("test", 1, true);
	sigset_t set;

	(void)state;
	assert_non_null(watch);
	assert_int_equal(watch_connect(watch, &launch), 0);
	watch_point(watch, "all_reduce");
	watch_phase(watch, WATCH_TIMING);
	watch_call(watch);
	assert_false(watch_interrupted(watch));
	assert_int_equal(count_threads(), before);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	sigprocmask(SIG_BLOCK, NULL, &set);
	assert_false(sigismember(&set, SIGTERM));
	watch_stop(watch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_normal_end_is_silent),
		cmocka_unit_test(test_lost_rank),
		cmocka_unit_test(test_lost_rank_0),
		cmocka_unit_test(test_lost_hub),
		cmocka_unit_test(test_hang_names_the_lowest_count),
		cmocka_unit_test(test_hang_of_all),
		cmocka_unit_test(test_stopped_rank_is_missing),
		cmocka_unit_test(test_stopped_rank_0_is_missing),
		cmocka_unit_test(test_unconnected_rank_is_not_known),
		cmocka_unit_test(test_hang_before_the_launch),
		cmocka_unit_test(test_progress_is_no_hang),
		cmocka_unit_test(test_who_waits_for_progress_is_patient),
		cmocka_unit_test(test_hang_after_progress),
		cmocka_unit_test(test_signal_sets_the_flag),
		cmocka_unit_test(test_hangup),
		cmocka_unit_test(test_second_signal_ends),
		cmocka_unit_test(test_signal_to_a_stuck_rank_ends),
		cmocka_unit_test(test_signal_after_stop),
		cmocka_unit_test(test_stop_does_not_wait_for_ever),
		cmocka_unit_test(test_strangers_are_dropped),
		cmocka_unit_test(test_text_cannot_forge_lines),
		cmocka_unit_test(test_simulated_has_no_thread),
	};

	return cmocka_run_group_tests_name("watch", tests, NULL, NULL);
}
