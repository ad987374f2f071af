/* SPDX-License-Identifier: Apache-2.0
 *
 * The watch over processes that have several ranks each: lines name ranks, those that have not finished a call too, and every process may abort
 * what hangs before it ends, but not for ever.
 */
#include "watch_jobs.h"

#include <stdatomic.h>
#include <sys/mman.h>

#define PLACE "test: no progress for 1 s in timing of all_reduce, 1024 bytes: "

/* What the ranks of a job do, in memory that all of them see. */
struct plan {
	int nlocal;
	uint64_t unfinished[MAX_RANKS]; /* by process */
	bool tells;                     /* has the hook */
	bool hang;                      /* in the abort */
	int lagging;                    /* this process has entered no further call */
	atomic_int asked, aborts;
};

static struct plan *shared_plan(void)
{
	struct plan *plan = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(plan, MAP_FAILED);
	plan->lagging = -1;
	return plan;
}

/* --- what ranks do --- */

static uint64_t unfinished(void *arg)
{
	struct rank *rank = arg;
	struct plan *plan = rank->shared;

	atomic_fetch_add(&plan->asked, 1);
	return plan->unfinished[rank->launch.rank];
}

static void abort_calls(void *arg)
{
	struct rank *rank = arg;
	struct plan *plan = rank->shared;

	atomic_fetch_add(&plan->aborts, 1);
	if (plan->hang)
		stuck();
}

static void begin_with_hooks(struct rank *rank)
{
	struct plan *plan = rank->shared;
	const struct watch_hooks hooks = {
		.nlocal = plan->nlocal, .unfinished = plan->tells ? unfinished : NULL, .abort = abort_calls, .arg = rank
	};

	begin(rank);
	watch_set_hooks(rank->watch, &hooks);
	meet(rank);
}

static int hang(struct rank *rank)
{
	struct plan *plan = rank->shared;

	begin_with_hooks(rank);
	if (plan->lagging >= 0 && rank->launch.rank != plan->lagging)
		watch_call(rank->watch);
	return stuck();
}

static int hang_without_hooks(struct rank *rank)
{
	begin_with_hooks(rank);
	watch_set_hooks(rank->watch, NULL);
	return stuck();
}

static int stop_process_1(struct rank *rank)
{
	begin_with_hooks(rank);
	if (rank->launch.rank == 1)
		raise(SIGSTOP);
	return stuck();
}

static int lose_process_1(struct rank *rank)
{
	begin_with_hooks(rank);
	if (rank->launch.rank == 1)
		raise(SIGKILL);
	return stuck();
}

static int lose_hub(struct rank *rank)
{
	begin_with_hooks(rank);
	if (rank->launch.rank == 0)
		kill(rank->watch->hub, SIGKILL);
	return stuck();
}

static int term_process_1_twice(struct rank *rank)
{
	begin_with_hooks(rank);
	if (rank->launch.rank == 1) {
		kill(getpid(), SIGTERM);
		kill(getpid(), SIGINT);
	}
	return stuck();
}

/* --- tests --- */

static struct job job_of(int size, int nlocal)
{
	struct job job = { .size = size, .timeout = 1, .shared = shared_plan() };
	struct plan *plan = job.shared;

	plan->nlocal = nlocal;
	plan->tells = true;
	return job;
}

/* Both at once, as they mostly sleep. */
static void run_two(struct job *one, struct job *other, int (*body)(struct rank *))
{
	start(one, body);
	start(other, body);
	finish(one);
	finish(other);
}

/* One line, exit code 3 everywhere, and every process aborted once before. */
static void assert_ended(struct job *job, const char *text)
{
	struct plan *plan = job->shared;

	assert_text(job, "%s", text);
	assert_status(job, 3, 3, 3);
	assert_int_equal(atomic_load(&plan->aborts), job->size);
	munmap(plan, sizeof *plan);
}

static void test_names_unfinished_ranks(void **state)
{
	struct job job = job_of(3, 4);
	struct plan *plan = job.shared;

	(void)state;
	plan->unfinished[0] = 0x8;
	plan->unfinished[1] = 0x2;
	run(&job, hang);
	/* Each process once; again where one had gone on a moment longer than who asked. */
	assert_true(atomic_load(&plan->asked) >= 3);
	assert_ended(&job, PLACE "ranks 3 and 5 had not finished (call 4)\n");
}

static void test_names_one_and_many_unfinished(void **state)
{
	struct job one = job_of(2, 4), many = job_of(2, 64);
	struct plan *plan = one.shared;

	(void)state;
	plan->unfinished[1] = 0x4;
	plan = many.shared;
	plan->unfinished[0] = 0x8000000000000000;
	plan->unfinished[1] = 0x5555555555555503;
	run_two(&one, &many, hang);
	assert_ended(&one, PLACE "rank 6 had not finished (call 4)\n");
	assert_ended(&many, PLACE "ranks 63-65, 72, 74, 76, 78, 80, 82, 84 and 21 more had not finished (call 4)\n");
}

static void test_all_or_none_unfinished_names_nobody(void **state)
{
	struct job all = job_of(2, 4), none = job_of(2, 4);
	struct plan *plan = all.shared;

	(void)state;
	plan->unfinished[0] = plan->unfinished[1] = 0xf;
	run_two(&all, &none, hang);
	assert_ended(&all, PLACE "no rank had finished (call 4)\n");
	assert_ended(&none, PLACE "no rank is behind the others (call 4)\n");
}

static void test_more_ranks_than_bits(void **state)
{
	struct job job = job_of(1, 65);
	struct plan *plan = job.shared;

	(void)state;
	plan->unfinished[0] = 0x3;
	run(&job, hang);
	assert_ended(&job, PLACE "ranks 0 and 1 and perhaps others had not finished (call 4)\n");
}

static void test_the_only_process_names_its_ranks(void **state)
{
	struct job job = job_of(1, 8), silent = job_of(1, 8);
	struct plan *plan = job.shared;

	(void)state;
	plan->unfinished[0] = 0x2a;
	plan = silent.shared;
	plan->tells = false;
	run_two(&job, &silent, hang);
	assert_ended(&job, PLACE "ranks 1, 3 and 5 had not finished (call 4)\n");
	assert_ended(&silent, PLACE "no rank is behind the others (call 4)\n");
}

static void test_lowest_count_comes_before_unfinished(void **state)
{
	struct job job = job_of(3, 4);
	struct plan *plan = job.shared;

	(void)state;
	plan->lagging = 2;
	plan->unfinished[0] = 0x1;
	run(&job, hang);
	assert_ended(&job, PLACE "ranks 8-11 are missing (reached call 4, the others 5)\n");
}

static void test_silent_process_is_missing_with_all_ranks(void **state)
{
	struct job job = job_of(3, 2);
	struct plan *plan = job.shared;

	(void)state;
	plan->unfinished[0] = 0x1;
	run(&job, stop_process_1);
	assert_ended(&job, PLACE "ranks 2 and 3 are missing (no answer)\n");
}

static void test_lost_process_is_named_by_its_ranks(void **state)
{
	struct job job = job_of(3, 4);
	struct plan *plan = job.shared;

	(void)state;
	run(&job, lose_process_1);
	assert_text(&job, "test: ranks 4-7 on host %s died in timing of all_reduce, 1024 bytes\n", job.host);
	assert_status(&job, 3, -SIGKILL, 3);
	assert_int_equal(atomic_load(&plan->aborts), 2);
	munmap(plan, sizeof *plan);
}

static void test_lost_hub_aborts_too(void **state)
{
	struct job job = job_of(3, 4);
	char text[256];

	(void)state;
	run(&job, lose_hub);
	snprintf(text, sizeof text, "test: ranks 0-3 on host %s died in timing of all_reduce, 1024 bytes\n", job.host);
	assert_ended(&job, text);
}

static void test_second_signal_aborts_too(void **state)
{
	struct job job = job_of(2, 4);

	(void)state;
	job.timeout = 0;
	run(&job, term_process_1_twice);
	assert_ended(&job, "test: interrupted in timing of all_reduce, 1024 bytes: ranks 4-7 got a second signal\n");
}

/* read_errors gives up sooner than an abort that nobody bounds. */
static void test_hanging_abort_is_bounded(void **state)
{
	struct job job = job_of(3, 4), lone = job_of(1, 4);
	struct plan *plan = job.shared;

	(void)state;
	plan->hang = true;
	plan = lone.shared;
	plan->hang = true;
	run_two(&job, &lone, hang);
	assert_ended(&job, PLACE "no rank is behind the others (call 4)\n");
	assert_ended(&lone, PLACE "no rank is behind the others (call 4)\n");
}

static void test_hooks_can_be_taken_away(void **state)
{
	struct job job = job_of(2, 4);
	struct plan *plan = job.shared;

	(void)state;
	plan->unfinished[0] = 1;
	run(&job, hang_without_hooks);
	assert_text(&job, PLACE "no rank is behind the others (call 4)\n");
	assert_status(&job, 3, 3, 0);
	assert_int_equal(atomic_load(&plan->asked), 0);
	assert_int_equal(atomic_load(&plan->aborts), 0);
	munmap(plan, sizeof *plan);
}

static void test_simulated_takes_no_hooks(void **state)
{
	struct watch *watch = watch_start("test", 1, true);
	const struct watch_hooks hooks = { .nlocal = 4, .abort = abort_calls };

	(void)state;
	assert_non_null(watch);
	watch_set_hooks(watch, &hooks);
	watch_set_hooks(watch, NULL);
	watch_stop(watch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_unfinished_ranks),
		cmocka_unit_test(test_names_one_and_many_unfinished),
		cmocka_unit_test(test_all_or_none_unfinished_names_nobody),
		cmocka_unit_test(test_more_ranks_than_bits),
		cmocka_unit_test(test_the_only_process_names_its_ranks),
		cmocka_unit_test(test_lowest_count_comes_before_unfinished),
		cmocka_unit_test(test_silent_process_is_missing_with_all_ranks),
		cmocka_unit_test(test_lost_process_is_named_by_its_ranks),
		cmocka_unit_test(test_lost_hub_aborts_too),
		cmocka_unit_test(test_second_signal_aborts_too),
		cmocka_unit_test(test_hanging_abort_is_bounded),
		cmocka_unit_test(test_hooks_can_be_taken_away),
		cmocka_unit_test(test_simulated_takes_no_hooks),
	};

	return cmocka_run_group_tests_name("watch hooks", tests, NULL, NULL);
}
