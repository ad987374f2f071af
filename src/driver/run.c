/* SPDX-License-Identifier: Apache-2.0
 *
 * collperf run: from the options to a run directory, one launch after another.
 */
#include "run.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "inputs.h"
#include "job.h"
#include "launch.h"
#include "plan.h"
#include "quote.h"
#include "record.h"
#include "rundir.h"
#include "say.h"
#include "seed.h"
#include "sheet.h"
#include "start.h"
#include "verdict.h"

struct run {
	const char *program; /* as it was started */
	struct args args;
	struct plan plan;
	struct job_watch watch;
	struct words command;
	json_t *source; /* the run.json that is resumed; texts of args may lie in it */
	int dir;        /* descriptor that holds the lock, -1: none */
};

/* 0 or an exit code, as all steps below. */
static int set_directory(struct run *run)
{
	struct plan *plan = &run->plan;
	const char *given = run->args.resume ? run->args.resume : run->args.output;

	if (given)
		plan->dir = strdup(given);
	else if (asprintf(&plan->dir, "runs/%s", plan->stamp) < 0)
		plan->dir = NULL;
	if (plan->dir)
		return 0;
	say("out of memory");
	return VERDICT_FAILED;
}

static int prepare_new(struct run *run, int argc, char *const *argv)
{
	int rc, dir = -1;

	if (!(run->args.given & ARGS_SEED))
		run->args.seed = seed_random();
	variant_sizes(&run->args);
	words_add(&run->command, "collperf");
	for (int i = 0; i < argc; i++)
		words_add(&run->command, argv[i]);
	if (inputs_resolve(&run->args.sweep) != 0)
		return VERDICT_USAGE;
	rc = start_open(&run->plan, &run->args);
	if (rc == 0)
		rc = start_choose(&run->plan, &run->watch);
	if (rc == 0)
		rc = set_directory(run);
	if (rc == 0)
		rc = plan_launches(&run->plan);
	if (rc == 0)
		rc = launch_dry(&run->plan, &run->watch);
	run->plan.inputs = inputs_digests(&run->args.sweep);
	if (rc == 0)
		rc = rundir_create(run->plan.dir, &dir);
	run->dir = dir;
	if (rc == 0)
		variant_tell(&run->args, run->plan.choice.likely);
	return rc;
}

static int prepare_resumed(struct run *run)
{
	int rc = set_directory(run), dir = -1;

	if (rc == 0)
		rc = rundir_open(run->plan.dir, &dir);
	run->dir = dir;
	if (rc != 0)
		return rc;
	if (record_read(&run->plan, &run->args, &run->command, &run->source) != 0)
		return VERDICT_FAILED;
	rc = start_open(&run->plan, &run->args);
	if (rc != 0)
		return rc;
	rc = plan_launches(&run->plan);
	if (rc != 0)
		return rc;
	if (record_restore(run->source, &run->plan) != 0)
		return VERDICT_FAILED;
	if (plan_next(&run->plan, 0) == run->plan.count)
		return 0;
	return inputs_check(&run->args.sweep, run->plan.inputs) == 0 ? launch_dry(&run->plan, &run->watch) : VERDICT_FAILED;
}

/* The verdict over all launches. */
static enum verdict run_launches(struct run *run)
{
	struct plan *plan = &run->plan;
	enum verdict worst = VERDICT_NONE;
	struct launch_progress progress = { 0 };

	if (start_folder(plan) != 0 || record_write(plan, &run->command) != 0)
		return VERDICT_FAILED;
	for (size_t i = 0; i < plan->count; i++) {
		if (plan->launches[i].status == PLAN_OK) {
			worst = verdict_worse(worst, VERDICT_OK);
			continue;
		}
		if (job_is_interrupted(&run->watch))
			return VERDICT_FAILED;
		worst = verdict_worse(worst, launch_run(plan, i, &run->watch, &progress));
		if (record_write(plan, &run->command) != 0)
			return VERDICT_FAILED;
	}
	return run->watch.caught != 0 ? VERDICT_FAILED : worst;
}

static void say_failures(const struct plan *plan)
{
	size_t counts[PLAN_STATUS_COUNT] = { 0 };

	for (size_t i = 0; i < plan->count; i++)
		counts[plan->launches[i].status]++;
	if (counts[PLAN_OK] == plan->count)
		return;
	say("of %zu launches %zu ok, %zu failed, %zu skipped, %zu interrupted, %zu not started", plan->count, counts[PLAN_OK],
	    counts[PLAN_FAILED], counts[PLAN_SKIPPED], counts[PLAN_INTERRUPTED], counts[PLAN_PENDING]);
}

static bool is_word(const char *word, const char *other)
{
	return word && strcmp(word, other) == 0;
}

/* A way or an algorithm by which nothing was measured is easily missed among many launches. */
static void say_barren(const struct plan *plan, const struct words *words, bool paths)
{
	for (size_t w = 0; w < words->count; w++) {
		size_t ended = 0, ok = 0;

		for (size_t i = 0; i < plan->count; i++) {
			const struct plan_launch *launch = &plan->launches[i];

			if (!is_word(paths ? launch->variant.path : launch->variant.algo, words->list[w]))
				continue;
			ended += launch->status == PLAN_FAILED || launch->status == PLAN_SKIPPED;
			ok += launch->status == PLAN_OK;
		}
		if (ended > 0 && ok == 0)
			say("%s %s: nothing could be measured by it (%zu launch%s)", paths ? "path" : "algorithm", words->list[w],
			    ended, ended == 1 ? "" : "es");
	}
}

static bool has_rows(const struct plan *plan)
{
	struct sheet sheet = { 0 };

	for (size_t i = 0; i < plan->count && sheet.rows == 0; i++)
		sheet_check(plan->launches[i].csv, &sheet);
	return sheet.rows > 0;
}

static void show_place(const struct run *run)
{
	printf("run directory: %s\n", run->plan.dir);
	if (!has_rows(&run->plan))
		return;
	fputs("to see it: ", stdout);
	quote_word(stdout, run->program);
	fputs(" report ", stdout);
	quote_path(stdout, run->plan.dir);
	fputc('\n', stdout);
}

static int finish(struct run *run, enum verdict verdict)
{
	struct plan *plan = &run->plan;

	plan_time(plan->ended, sizeof(plan->ended), false);
	if (record_write(plan, &run->command) != 0)
		verdict = VERDICT_FAILED;
	say_failures(plan);
	say_barren(plan, &plan->args->paths, true);
	say_barren(plan, &plan->args->algos, false);
	show_place(run);
	if (fflush(stdout) != 0) {
		say("stdout: %s", strerror(errno));
		verdict = VERDICT_FAILED;
	}
	return verdict;
}

static int run_with_signals(struct run *run, int argc, char **argv)
{
	int rc;

	if (job_open(&run->watch) != 0)
		return VERDICT_FAILED;
	rc = run->args.resume ? prepare_resumed(run) : prepare_new(run, argc, argv);
	if (rc == 0)
		rc = finish(run, run_launches(run));
	job_close(&run->watch);
	return rc;
}

int run_main(const char *program, int argc, char **argv)
{
	struct run run = { .program = program, .dir = -1 };
	int rc = VERDICT_OK;

	if (start_words("run", argc, argv) != 0) {
		rc = VERDICT_USAGE;
	} else if (args_parse(argc, argv, &run.args) != 0) {
		say_plain("Try 'collperf run --help'.");
		rc = VERDICT_USAGE;
	} else if (run.args.given & ARGS_HELP) {
		args_help(stdout);
	} else {
		rc = run_with_signals(&run, argc, argv);
	}
	plan_clear(&run.plan);
	args_clear(&run.args);
	words_clear(&run.command);
	json_decref(run.source);
	if (run.dir >= 0)
		close(run.dir);
	return rc;
}
