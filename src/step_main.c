/* SPDX-License-Identifier: Apache-2.0
 *
 * main of bucket_perf.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../collectives/training.h"
#include "backend.h"
#include "list.h"
#include "memory.h"
#include "options_step.h"
#include "perf.h"

static const char program[] = "bucket_perf";
static const char summary[] = "a training step in miniature: gradients in buckets, overlapped with compute";
static const char thread_variable[] = "MPIR_CVAR_ASYNC_PROGRESS";

static void list_steps(FILE *out, const struct collective *coll)
{
	list_all(out, coll);
	for (const struct backend_entry *entry = backends; entry->name; entry++) {
		const struct backend_step_ops *step = entry->ops ? entry->ops->step : NULL;
		char reason[256];

		if (step && step->possible && step->possible(reason, sizeof reason))
			fprintf(out, "steps: %s: %s\n", entry->name, reason);
		else
			fprintf(out, "steps: %s: %s\n", entry->name,
				!entry->ops ? "not built"
				: step      ? "calls beside compute"
					    : perf_no_steps);
	}
	fprintf(out, "models:");
	for (const struct train_shape *shape = train_shapes; shape->name; shape++)
		fprintf(out, " %s", shape->name);
	fprintf(out, "\n");
}

/* --help and its like: whether there was one. */
static bool tell(const struct options *options, const struct collective *coll)
{
	if (options->help)
		options_step_help(stdout, program, summary);
	else if (options->version)
		printf("collperf %s\n", COLLPERF_VERSION);
	else if (options->man)
		options_step_man(stdout);
	else if (options->list)
		list_steps(stdout, coll);
	else
		return false;
	return true;
}

/* MPICH reads its variable when it starts. NULL, or what is the matter. */
static const char *set_progress(struct step_options *step)
{
	const char *setting = getenv(thread_variable);
	const bool has_thread = setting && strcmp(setting, "1") == 0;

	if (has_thread && step->progress_given && step->progress != STEP_THREAD)
		return "--progress: MPIR_CVAR_ASYNC_PROGRESS=1 in the environment starts MPICH's thread all the same";
	if (has_thread && !step->progress_given)
		step->progress = STEP_THREAD;
	if (step->progress == STEP_THREAD && setenv(thread_variable, "1", 1))
		return "--progress thread: the environment is full";
	return NULL;
}

static int run(const struct perf_job *job, struct options_step *given)
{
	struct options *options = job->options;
	struct options_error error;
	const char *why = set_progress(&given->step);

	if (why)
		return perf_usage(program, job->argv, why);
	if (options_environment(options, &error))
		return perf_usage(program, job->argv, error.text);
	if (options->split.op != SPLIT_NONE)
		return perf_usage(program, job->argv, "NCCL_TESTS_SPLIT: a step is of all ranks");
	if (!options->malloc_system)
		memory_tune_malloc();
	return perf_run(job);
}

int main(int argc, char **argv)
{
	struct collective coll = *collectives[COLL_ALL_REDUCE];
	struct options options;
	struct options_step given;
	struct options_error error;
	int code;

	perf_begin();
	/* Rows and messages have a name of their own. */
	coll.name = "bucket";
	coll.summary = summary;
	const struct perf_job job = { .program = program, .coll = &coll, .options = &options, .argc = argc, .argv = argv };

	if (options_step_parse(argc, argv, &options, &given, &error))
		code = perf_usage(program, argv, error.text);
	else if (tell(&options, &coll))
		code = perf_printed(program);
	else
		code = run(&job, &given);
	step_gradients_free(&given.step.gradients);
	return code;
}
