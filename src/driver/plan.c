/* SPDX-License-Identifier: Apache-2.0
 *
 * The launches of a run.
 */
#include "plan.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "say.h"
#include "seed.h"
#include "share.h"

enum { AUTO_MIN_NP = 2, AUTO_MAX_NP = 8 };

const char *const plan_status_names[PLAN_STATUS_COUNT] = { "pending", "ok", "failed", "skipped", "interrupted" };

static int count_cores(void)
{
	cpu_set_t cores;

	if (sched_getaffinity(0, sizeof(cores), &cores) == 0)
		return CPU_COUNT(&cores);
	/* More cores than the set holds. */
	return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

static bool takes(const struct plan *plan, const char *backend)
{
	return plan->choice.backend && strcmp(plan->choice.backend, backend) == 0;
}

static int choose_np(const struct plan *plan)
{
	const struct args *args = plan->args;
	int cores = plan->cores;

	if (args->np > 0 || (args->given & ARGS_LAUNCHER) || takes(plan, "nccl"))
		return args->np;
	if (cores < AUTO_MIN_NP)
		return AUTO_MIN_NP;
	return cores < AUTO_MAX_NP ? cores : AUTO_MAX_NP;
}

void plan_time(char *buffer, size_t size, bool compact)
{
	struct timespec now;
	struct tm utc;
	char seconds[32];

	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &utc);
	strftime(seconds, sizeof(seconds), compact ? "%Y%m%dT%H%M%S" : "%Y-%m-%dT%H:%M:%S", &utc);
	snprintf(buffer, size, "%s.%03ldZ", seconds, now.tv_nsec / 1000000);
}

static char *own_directory(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (n < 0)
		return NULL;
	path[n] = '\0';
	*strrchr(path, '/') = '\0';
	return strdup(path[0] != '\0' ? path : "/");
}

static int find_binaries(struct plan *plan)
{
	const struct args *args = plan->args;

	/* Absolute: a name that starts with a dash must not look like a launcher's option. */
	plan->bin = args->bin ? realpath(args->bin, NULL) : own_directory();
	if (!plan->bin)
		return say("--bin: '%s': %s", args->bin ? args->bin : "/proc/self/exe", strerror(errno));
	for (size_t i = 0; i < args->ncolls; i++) {
		char path[PATH_MAX];
		int n = snprintf(path, sizeof(path), "%s/%s_perf", plan->bin, args->colls[i]->name);

		if (n >= (int)sizeof(path))
			return say("--bin: the name is too long");
		if (access(path, X_OK) != 0)
			return say("%s: %s (--bin DIR says where the binaries are)", path, strerror(errno));
	}
	return 0;
}

int plan_open(struct plan *plan, const struct args *args)
{
	plan->args = args;
	plan->cores = count_cores();
	plan->choice.backend = args->backend;
	if (!plan->choice.likely)
		plan->choice.likely = choice_likely(args->backend);
	plan->np = choose_np(plan);
	if (plan->stamp[0] == '\0') {
		plan_time(plan->stamp, sizeof(plan->stamp), true);
		plan_time(plan->started, sizeof(plan->started), false);
	}
	return find_binaries(plan) == 0 ? 0 : VERDICT_FAILED;
}

void plan_choose(struct plan *plan, const struct choice *choice)
{
	plan->choice = *choice;
	plan->np = choose_np(plan);
}

bool plan_joins(const struct plan *plan)
{
	return plan->args->repeat > 1 || plan->args->paths.count > 0 || plan->args->algos.count > 0;
}

static int fill_launch(const struct plan *plan, const struct variant *variant, size_t index, struct plan_launch *launch)
{
	const char *name = variant->coll->name;
	char suffix[VARIANT_WORDS];

	variant_suffix(variant, suffix);
	launch->variant = *variant;
	launch->index = index;
	launch->repeat = (int)(index / plan->round) + 1;
	launch->seed = seed_launch(plan->args->seed, index);
	if (asprintf(&launch->run, "%s-%s%s-%d", plan->stamp, name, suffix, launch->repeat) < 0)
		launch->run = NULL;
	if (asprintf(&launch->facts_file, "%s/.%s%s-%d.facts", plan->dir, name, suffix, launch->repeat) < 0)
		launch->facts_file = NULL;
	if (!plan_joins(plan))
		launch->csv = plan_file(plan, variant->coll, "csv");
	else if (asprintf(&launch->csv, "%s/launches/%s%s-%d.csv", plan->dir, name, suffix, launch->repeat) < 0)
		launch->csv = NULL;
	return launch->run && launch->facts_file && launch->csv ? 0 : say("out of memory");
}

static int fill_launches(struct plan *plan, const struct variant *variants, size_t *order)
{
	const size_t round = plan->round;

	for (size_t i = 0; i < plan->count; i++) {
		/* Each round has everything once, so that a machine's drift meets all of it alike. */
		if (i % round == 0) {
			for (size_t k = 0; k < round; k++)
				order[k] = i + k;
			if (plan->args->repeat > 1)
				seed_shuffle(plan->args->seed, i / round, order, round);
		}
		const size_t index = order[i % round];

		if (fill_launch(plan, &variants[index % round], index, &plan->launches[i]) != 0)
			return -1;
	}
	return 0;
}

int plan_launches(struct plan *plan)
{
	struct variant *variants = NULL;
	size_t *order;
	int rc = variant_round(plan->args, plan->choice.likely, &variants, &plan->round);

	if (rc != 0)
		return rc;
	plan->count = plan->round * (size_t)plan->args->repeat;
	plan->launches = calloc(plan->count, sizeof(*plan->launches));
	order = calloc(plan->round, sizeof(*order));
	if (!plan->launches || !order) {
		say("out of memory");
		plan->count = 0;
		rc = VERDICT_FAILED;
	} else if (fill_launches(plan, variants, order) != 0) {
		rc = VERDICT_FAILED;
	}
	free(order);
	free(variants);
	return rc;
}

void plan_clear(struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		free(plan->launches[i].run);
		free(plan->launches[i].csv);
		free(plan->launches[i].facts_file);
		json_decref(plan->launches[i].facts);
	}
	free(plan->launches);
	free(plan->dir);
	free(plan->bin);
	json_decref(plan->inputs);
	*plan = (struct plan){ 0 };
}

size_t plan_next(const struct plan *plan, size_t from)
{
	while (from < plan->count && plan->launches[from].status == PLAN_OK)
		from++;
	return from;
}

size_t plan_left(const struct plan *plan, size_t from)
{
	size_t left = 0;

	for (size_t i = from; i < plan->count; i++)
		left += plan->launches[i].status != PLAN_OK;
	return left;
}

void plan_launcher(const struct plan *plan, struct words *words)
{
	if (args_is_sim(plan->args))
		return;
	if (plan->args->given & ARGS_LAUNCHER) {
		words_append(words, &plan->args->launcher);
		return;
	}
	if (takes(plan, "nccl") && plan->np <= 1)
		return;
	words_add(words, "mpiexec");
	words_add(words, "-n");
	words_format(words, "%d", plan->np);
}

static void add_binary(const struct plan *plan, const struct collective *coll, struct words *words)
{
	words_format(words, "%s/%s_perf", plan->bin, coll->name);
}

void plan_question(const struct plan *plan, struct words *words)
{
	add_binary(plan, plan->args->colls[0], words);
	words_add(words, "--list");
}

static void add_ours(const struct plan_launch *launch, struct words *words)
{
	const char *const ours[] = { "--csv", launch->csv, "--facts", launch->facts_file, "--run-id", launch->run, "--seed" };

	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		words_add(words, ours[i]);
	words_format(words, "%llu", (unsigned long long)launch->seed);
	if (launch->variant.path) {
		words_add(words, "--path");
		words_add(words, launch->variant.path);
	}
	if (launch->variant.algo) {
		words_add(words, "--algo");
		words_add(words, launch->variant.algo);
	}
}

/* What follows from the options for the binary of any launch. */
static void add_asked(const struct plan *plan, const struct collective *coll, struct words *words)
{
	if (plan->choice.backend) {
		words_add(words, "--backend");
		words_add(words, plan->choice.backend);
	}
	if (plan->choice.gpus > 0) {
		words_add(words, "-g");
		words_format(words, "%d", plan->choice.gpus);
	}
	if (args_is_sim(plan->args)) {
		words_add(words, "--sim-ranks");
		words_format(words, "%d", plan->np);
	}
	share_words(&plan->args->sweep, coll, words);
}

void plan_command(const struct plan *plan, const struct plan_launch *launch, struct words *words)
{
	plan_launcher(plan, words);
	add_binary(plan, launch->variant.coll, words);
	add_ours(launch, words);
	add_asked(plan, launch->variant.coll, words);
}

void plan_dry(const struct plan *plan, const struct collective *coll, struct words *words)
{
	plan_launcher(plan, words);
	add_binary(plan, coll, words);
	words_add(words, "--dry-run");
	add_asked(plan, coll, words);
}

char *plan_file(const struct plan *plan, const struct collective *coll, const char *kind)
{
	char *path;

	return asprintf(&path, "%s/%s.%s", plan->dir, coll->name, kind) < 0 ? NULL : path;
}

void plan_sheets(const struct plan *plan, const struct collective *coll, struct words *files)
{
	/* Of each repetition, which stand together, in the order before it was shuffled. */
	for (size_t index = 0; index < plan->count; index++) {
		const size_t first = index - index % plan->round;

		for (size_t i = first; i < first + plan->round; i++)
			if (plan->launches[i].variant.coll == coll && plan->launches[i].index == index)
				words_add(files, plan->launches[i].csv);
	}
}
