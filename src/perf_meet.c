/* SPDX-License-Identifier: Apache-2.0
 *
 * The first act of all processes. One whose command line is wrong takes part in it as well: the others would wait for it in the launch for ever.
 */
#include "perf_meet.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "backend.h"
#include "launch.h"
#include "perf.h"
#include "session.h"

/* Seconds for the others to come where one refuses: who has said why need not wait long. */
enum { SAID_LIMIT = 10, UNSAID_LIMIT = 30 };

static const char unsaid[] = "--path or --algo cannot be had";

const struct backend_entry *perf_backend(const char *name)
{
	const struct backend_entry *entry = backends;

	while (entry->name && strcmp(entry->name, name) != 0)
		entry++;
	return entry;
}

static void print_refusal(const char *program, int code, const char *text, const char *who)
{
	fprintf(stderr, "%s: %s%s\n", program, text, who);
	if (code == SESSION_USAGE)
		fprintf(stderr, "Try '%s --help'.\n", program);
}

/* A code of the session. */
static int tell_difference(const char *program, const struct perf_finding *all, int rank)
{
	const struct perf_finding *other = &all[rank];
	char who[128] = "";

	if (rank > 0)
		snprintf(who, sizeof who, " (rank %d on host %.63s)", rank, other->host);
	if (other->refusal[0]) {
		if (rank > 0)
			print_refusal(program, other->code, other->refusal, who);
		return other->code;
	}
	if (other->backend == all->backend && other->reason[0])
		fprintf(stderr, "%s: --backend %s: %.255s%s\n", program, backends[other->backend].name, other->reason, who);
	else if (other->options != all->options)
		fprintf(stderr, "%s: rank %d on host %.63s was started as another program or with other options than rank 0\n",
			program, rank, other->host);
	else
		fprintf(stderr,
			"%s: rank 0 on host %.63s takes backend %s, rank %d on host %.63s takes %s%s%.399s: use --backend\n",
			program, all->host, backends[all->backend].name, rank, other->host, backends[other->backend].name,
			other->note[0] || all->note[0] ? ": " : "", other->note[0] ? other->note : all->note);
	return SESSION_FAILED;
}

/* The rank of which there is something to say: who will not run before who differs; -1: none. */
static int find_spoiler(const struct perf_finding *all, int size)
{
	for (int i = 0; i < size; i++)
		if (all[i].refusal[0])
			return i;
	for (int i = 0; i < size; i++)
		if (all[i].reason[0] || all[i].backend != all->backend || all[i].options != all->options)
			return i;
	return -1;
}

int perf_meet(const char *program, struct launch *launch, struct perf_finding *own)
{
	struct perf_finding *all = NULL;
	int code = SESSION_OK, spoiler = -1;

	gethostname(own->host, sizeof own->host - 1);
	if (launch->rank == 0) {
		all = calloc((size_t)launch->size, sizeof *all);
		if (!all)
			launch->ops->abort(launch, SESSION_FAILED);
	}
	if (launch->ops->gather(launch, own, sizeof *own, all))
		code = SESSION_FAILED;
	else if (all)
		spoiler = find_spoiler(all, launch->size);
	if (spoiler >= 0)
		code = tell_difference(program, all, spoiler);
	free(all);
	return launch->ops->agree(launch, code, &code) ? SESSION_FAILED : code;
}

/* What follows an option, wherever it stands; NULL: it is not there. */
static const char *find_word(char *const *argv, const char *option)
{
	const size_t length = strlen(option);

	for (; *argv; argv++) {
		if (strncmp(*argv, option, length) != 0)
			continue;
		if ((*argv)[length] == '=')
			return *argv + length + 1;
		if ((*argv)[length] == '\0')
			return argv[1];
	}
	return NULL;
}

/* How the others find each other, as far as a command line tells that was not understood. */
static enum launch_way find_way(char *const *argv)
{
	const char *said = find_word(argv, "--launch");

	for (int way = 0; said && way < LAUNCH_WAYS; way++)
		if (strcmp(said, launches[way].name) == 0)
			return (enum launch_way)way;
	return launch_choose((1U << LAUNCH_WAYS) - 1);
}

struct refusal {
	const char *program, *text;
	int code;
	bool said;
};

/* Nobody came, or they came by another way. */
static void *end_later(void *arg)
{
	const struct refusal *refusal = arg;
	const struct timespec patience = { .tv_sec = refusal->said ? SAID_LIMIT : UNSAID_LIMIT };

	nanosleep(&patience, NULL);
	if (!refusal->said)
		print_refusal(refusal->program, refusal->code, refusal->text, "");
	_Exit(refusal->code);
}

static void meet_others(struct refusal *refusal, enum launch_way way)
{
	char *none[] = { NULL }, **argv = none;
	int argc = 0;
	const struct launch_setup setup = {
		.program = refusal->program, .argc = &argc, .argv = &argv, .connect_timeout = 2 * UNSAID_LIMIT
	};
	struct perf_finding own = { .code = refusal->code };
	struct launch launch;
	pthread_t guard;

	snprintf(own.refusal, sizeof own.refusal, "%s", refusal->text);
	if (pthread_create(&guard, NULL, end_later, refusal) || launches[way].open(&launch, &setup))
		return;
	perf_meet(refusal->program, &launch, &own);
	launch.ops->close(&launch);
}

int perf_refuse(const char *program, char *const *argv, int code, const char *text)
{
	struct refusal refusal = { program, text ? text : unsaid, code, launch_env_rank() == 0 };
	const enum launch_way way = find_way(argv);

	if (refusal.said && text)
		print_refusal(program, code, text, "");
	if (way != LAUNCH_BY_SELF && launches[way].open && launch_is_one_of_several())
		meet_others(&refusal, way);
	return code;
}

int perf_usage(const char *program, char *const *argv, const char *text)
{
	return perf_refuse(program, argv, SESSION_USAGE, text);
}
