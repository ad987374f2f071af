/* SPDX-License-Identifier: Apache-2.0
 *
 * collperf ab: two plans with the same launches, by turns.
 */
#include "ab.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../report/report.h"
#include "job.h"
#include "launch.h"
#include "quote.h"
#include "record.h"
#include "rundir.h"
#include "say.h"
#include "seed.h"
#include "start.h"
#include "verdict.h"

struct ab {
	const char *program;
	struct ab_args args;
	struct plan plans[AB_SIDES];
	json_t *members[AB_SIDES];
	struct job_watch watch;
	struct launch_progress progress;
	struct words command;
	char stamp[48];
	char *dir;
	int locks[AB_SIDES + 1]; /* descriptors: of DIR, A and B; -1: none */
};

static struct ab_job job_of(const struct ab *ab)
{
	return (struct ab_job){
		.args = &ab->args, .dir = ab->dir, .stamp = ab->stamp, .plans = ab->plans, .command = &ab->command
	};
}

/* 0 or an exit code, as all steps below. */
static int fail_memory(void)
{
	say_as("ab", "out of memory");
	return VERDICT_FAILED;
}

static int set_places(struct ab *ab)
{
	const char *given = ab->args.output;

	plan_time(ab->stamp, sizeof(ab->stamp), true);
	if (given)
		ab->dir = strdup(given);
	else if (asprintf(&ab->dir, "runs/%s", ab->stamp) < 0)
		ab->dir = NULL;
	for (int side = AB_A; ab->dir && side < AB_SIDES; side++) {
		struct plan *plan = &ab->plans[side];

		plan->side = side == AB_A ? "A" : "B";
		/* Ids that differ, so that the rows of both can stand in one table. */
		snprintf(plan->stamp, sizeof(plan->stamp), "%s-%s", ab->stamp, plan->side);
		plan_time(plan->started, sizeof(plan->started), false);
		if (asprintf(&plan->dir, "%s/%s", ab->dir, plan->side) < 0)
			plan->dir = NULL;
	}
	return ab->dir && ab->plans[AB_A].dir && ab->plans[AB_B].dir ? 0 : fail_memory();
}

/* In the environment of the variant. */
static int prepare_plan(struct ab *ab, enum ab_side side)
{
	struct plan *plan = &ab->plans[side];
	int rc = start_open(plan, &ab->args.args[side]);

	if (rc == 0)
		rc = start_choose(plan, &ab->watch);
	if (rc == 0)
		rc = plan_launches(plan);
	if (rc == 0)
		rc = launch_dry(plan, &ab->watch);
	if (rc != 0)
		say_as("ab", "%s: the variant cannot be launched", plan->side);
	return rc;
}

static int with_variables(struct ab *ab, enum ab_side side, int (*step)(struct ab *ab, enum ab_side side))
{
	struct ab_before before = { 0 };
	int rc = VERDICT_FAILED;

	if (ab_spec_enter(&ab->args.spec[side], &before) == 0) {
		rc = step(ab, side);
		ab_spec_leave(&before);
	}
	return rc;
}

static bool is_same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static int check_alike(const struct ab *ab)
{
	const struct plan *a = &ab->plans[AB_A], *b = &ab->plans[AB_B];
	bool alike = a->count == b->count;

	for (size_t i = 0; alike && i < a->count; i++) {
		const struct variant *left = &a->launches[i].variant, *right = &b->launches[i].variant;

		alike = left->coll == right->coll && is_same_text(left->path, right->path) &&
			is_same_text(left->algo, right->algo);
	}
	if (alike)
		return 0;
	say_as("ab", "the variants do not have the same launches: one of them lacks an algorithm of --algos");
	return VERDICT_USAGE;
}

/* Noise that is simulated must not be the same on both sides. */
static void set_seeds(struct ab *ab)
{
	struct plan *plan = &ab->plans[AB_B];

	for (size_t i = 0; i < plan->count; i++)
		plan->launches[i].seed = seed_launch(plan->args->seed, plan->count + plan->launches[i].index);
}

static int prepare(struct ab *ab)
{
	int rc = set_places(ab);

	for (int side = AB_A; rc == 0 && side < AB_SIDES; side++)
		rc = with_variables(ab, (enum ab_side)side, prepare_plan);
	if (rc == 0)
		rc = check_alike(ab);
	if (rc != 0)
		return rc;
	set_seeds(ab);
	for (int side = AB_A; side < AB_SIDES; side++) {
		const struct ab_job job = job_of(ab);

		ab->members[side] = ab_member(&job, (enum ab_side)side);
		ab->plans[side].ab = ab->members[side];
	}
	return ab->members[AB_A] && ab->members[AB_B] ? 0 : fail_memory();
}

static int make_directories(struct ab *ab)
{
	int rc = rundir_create(ab->dir, &ab->locks[AB_SIDES]);

	for (int side = AB_A; rc == 0 && side < AB_SIDES; side++) {
		rc = rundir_create(ab->plans[side].dir, &ab->locks[side]);
		if (rc == 0)
			rc = start_folder(&ab->plans[side]);
	}
	return rc;
}

static int write_all(const struct ab *ab)
{
	const struct ab_job job = job_of(ab);
	int rc = ab_write(&job);

	for (int side = AB_A; rc == 0 && side < AB_SIDES; side++)
		rc = record_write(&ab->plans[side], &ab->command);
	return rc == 0 ? 0 : VERDICT_FAILED;
}

/* The verdict over all launches; the first one that fails is the last, as a pair without it is none. */
static enum verdict launch_one(struct ab *ab, size_t i, enum ab_side side)
{
	struct ab_before before = { 0 };
	struct plan *plan = &ab->plans[side];
	enum verdict verdict = VERDICT_FAILED;

	ab->progress.others = plan_left(&ab->plans[AB_SIDES - 1 - side], i);
	if (ab_spec_enter(&ab->args.spec[side], &before) != 0)
		return VERDICT_FAILED;
	verdict = launch_run(plan, i, &ab->watch, &ab->progress);
	ab_spec_leave(&before);
	if (verdict == VERDICT_FAILED || verdict == VERDICT_USAGE) {
		if (ab->watch.caught == 0)
			say_as("ab", "%s: %s failed in pair %d: no more launches", plan->side,
			       plan->launches[i].variant.coll->name, plan->launches[i].repeat);
		return VERDICT_FAILED;
	}
	return write_all(ab) == 0 ? verdict : VERDICT_FAILED;
}

static enum verdict launch_all(struct ab *ab)
{
	const struct plan *first = &ab->plans[AB_A];
	enum verdict worst = VERDICT_NONE;

	if (write_all(ab) != 0)
		return VERDICT_FAILED;
	for (size_t i = 0; i < AB_SIDES * first->count && worst != VERDICT_FAILED; i++) {
		const enum ab_side side = ab_turn(first->launches[i / AB_SIDES].repeat, (int)(i % AB_SIDES));

		worst = job_is_interrupted(&ab->watch) ? VERDICT_FAILED
						       : verdict_worse(worst, launch_one(ab, i / AB_SIDES, side));
	}
	return ab->watch.caught != 0 ? VERDICT_FAILED : worst;
}

static bool has_pair(const struct ab *ab)
{
	for (size_t i = 0; i < ab->plans[AB_A].count; i++)
		if (ab->plans[AB_A].launches[i].status == PLAN_OK && ab->plans[AB_B].launches[i].status == PLAN_OK)
			return true;
	return false;
}

static enum verdict finish(struct ab *ab, enum verdict verdict)
{
	for (int side = AB_A; side < AB_SIDES; side++)
		plan_time(ab->plans[side].ended, sizeof(ab->plans[side].ended), false);
	if (write_all(ab) != 0)
		verdict = VERDICT_FAILED;
	/* stdout is for the verdict, which may be a document. */
	say_plain("run directories: %s, %s", ab->plans[AB_A].dir, ab->plans[AB_B].dir);
	if (verdict != VERDICT_FAILED)
		return verdict;
	say_as("ab", "nothing is judged%s%s", ab->watch.caught != 0 ? ": interrupted" : "",
	       has_pair(ab) ? "; to judge the pairs that there are:" : "; there is no pair that could be");
	if (!has_pair(ab))
		return verdict;
	fflush(stdout);
	for (size_t i = 0; i < 4; i++) {
		if (i < 2)
			quote_word(stderr, i == 0 ? ab->program : "compare");
		else
			quote_path(stderr, ab->plans[i - 2].dir);
		fputc(i == 3 ? '\n' : ' ', stderr);
	}
	return verdict;
}

static int launch_and_finish(struct ab *ab)
{
	int rc = prepare(ab);

	if (rc == 0 && ab->args.dry_run) {
		const struct ab_job job = job_of(ab);

		ab_show(&job, stdout);
		return VERDICT_OK;
	}
	if (rc == 0)
		rc = make_directories(ab);
	return rc == 0 ? (int)finish(ab, launch_all(ab)) : rc;
}

/* By the options of compare. Before the launches, `dirs` NULL, only whether these options are right: hours later would be late. */
static int judge(struct ab *ab, const char *const *dirs)
{
	const struct words *options = &ab->args.compare;
	char *names[AB_SIDES] = { NULL, NULL };
	struct words words = { 0 };
	int rc = VERDICT_FAILED;

	words_add(&words, "ab");
	words_append(&words, options);
	for (int side = AB_A; side < AB_SIDES; side++) {
		const char *text = ab->args.spec[side].text;

		if (asprintf(&names[side], "%c: %s", "AB"[side], *text != '\0' ? text : "as it is") < 0)
			names[side] = NULL;
	}
	if (words.failed || !names[AB_A] || !names[AB_B])
		fail_memory();
	else
		rc = compare_pairs((int)words.count, words.list, ab->args.output, dirs, (const char *const *)names);
	for (int side = AB_A; side < AB_SIDES; side++)
		free(names[side]);
	words_clear(&words);
	return rc;
}

/* An output of an earlier comparison is not to pass for one of this. */
static void judge_nothing(struct ab *ab)
{
	struct words words = { 0 };

	words_add(&words, "ab");
	words_append(&words, &ab->args.compare);
	if (!words.failed)
		compare_pairs_fail((int)words.count, words.list, "a launch failed or none could run: nothing is judged");
	words_clear(&words);
}

static int run_with_signals(struct ab *ab)
{
	int rc;

	if (job_open(&ab->watch) != 0)
		return VERDICT_FAILED;
	rc = launch_and_finish(ab);
	job_close(&ab->watch);
	if (!ab->args.dry_run && rc != VERDICT_OK && rc != VERDICT_WRONG && rc != VERDICT_USAGE)
		judge_nothing(ab);
	if ((rc != VERDICT_OK && rc != VERDICT_WRONG) || ab->args.dry_run)
		return rc;
	return judge(ab, (const char *const[]){ ab->plans[AB_A].dir, ab->plans[AB_B].dir });
}

static void warn_equal(const struct ab_args *args)
{
	if (ab_spec_equal(&args->spec[AB_A], &args->spec[AB_B]))
		say_as("ab", "A and B are the same: what is found is chance or drift");
}

static int start(struct ab *ab, int argc, char **argv)
{
	int rc;

	words_add(&ab->command, "collperf");
	for (int i = 0; i < argc; i++)
		words_add(&ab->command, argv[i]);
	rc = ab->command.failed ? fail_memory() : judge(ab, NULL);
	if (rc != 0)
		return rc;
	warn_equal(&ab->args);
	return run_with_signals(ab);
}

int ab_main(const char *program, int argc, char **argv)
{
	struct ab ab = { .program = program, .locks = { -1, -1, -1 } };
	int rc;

	if (start_words("ab", argc, argv) != 0) {
		rc = VERDICT_USAGE;
	} else if (ab_args_parse(argc, argv, &ab.args) != 0) {
		say_plain("Try 'collperf ab --help'.");
		rc = VERDICT_USAGE;
	} else if (ab.args.help) {
		ab_args_help(stdout);
		rc = VERDICT_OK;
	} else {
		rc = start(&ab, argc, argv);
	}
	for (int side = AB_A; side < AB_SIDES; side++) {
		plan_clear(&ab.plans[side]);
		json_decref(ab.members[side]);
	}
	for (size_t i = 0; i < sizeof(ab.locks) / sizeof(ab.locks[0]); i++)
		if (ab.locks[i] >= 0)
			close(ab.locks[i]);
	ab_args_clear(&ab.args);
	words_clear(&ab.command);
	free(ab.dir);
	return rc;
}
