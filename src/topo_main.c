/* SPDX-License-Identifier: Apache-2.0
 *
 * collperf-topo: what `collperf topo` becomes when a launcher started it as one of several processes. Rank 0 prints the hosts of all of them, as `collperf
 * topo` prints one.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../topo/show.h"
#include "launch.h"
#include "topology.h"

enum { CODE_OK = 0, CODE_USAGE = 2, CODE_FAILED = 3, MOST_DEVICE = 1 << 16 };

static const double connect_timeout = 60;

/*
 * The GPU that CUDA would give to this process: its local rank among those that the environment leaves. TOPO_UNKNOWN where they are named by something else
 * than numbers.
 */
static int own_gpu(int local_rank)
{
	const char *text = getenv("CUDA_VISIBLE_DEVICES");
	int first = TOPO_UNKNOWN, count = 0;

	if (!text || !*text)
		return text ? TOPO_UNKNOWN : local_rank;
	for (;; text++) {
		char *end;
		const long device = strtol(text, &end, 10);

		if (end == text || device < 0 || device > MOST_DEVICE || (*end && *end != ','))
			return TOPO_UNKNOWN;
		if (count++ == local_rank)
			return (int)device;
		if (count == 1)
			first = (int)device;
		text = end;
		if (!*text)
			return count == 1 ? first : TOPO_UNKNOWN;
	}
}

static void set_gpus(struct topo *topo, const int *gpus)
{
	for (size_t i = 0; i < topo->nhosts; i++) {
		const struct topo_host *like = topo_host_of(topo, i);
		struct topo_host *host = &topo->hosts[i];

		for (size_t k = 0; k < host->nranks; k++) {
			const int gpu = gpus[host->ranks[k].rank];

			host->ranks[k].gpu = gpu >= 0 && (size_t)gpu < like->ngpus ? gpu : TOPO_UNKNOWN;
		}
	}
}

/* Collective. */
static int gather(struct launch *launch, struct topo *topo)
{
	const struct topology_rank own = { .rank = launch->rank };
	const int gpu = own_gpu(launch->local_rank);
	int *gpus = calloc((size_t)launch->size, sizeof *gpus);
	int rc = -1, failed = !gpus;

	if (launch->ops->agree(launch, failed, &failed) == 0 && !failed &&
	    launch->ops->gather(launch, &gpu, sizeof gpu, gpus) == 0)
		rc = topology_gather(launch, &own, 1, topo);
	if (failed && launch->rank == 0)
		fputs("collperf topo: out of memory\n", stderr);
	/* What went wrong without the launch failing was said. */
	if (rc == 0 && launch->rank == 0 && topo->nhosts == 0)
		rc = -1;
	if (rc == 0 && launch->rank == 0)
		set_gpus(topo, gpus);
	free(gpus);
	return rc;
}

/* Collective. */
static int show(struct launch *launch, const struct topo_command *command)
{
	struct topo topo = { 0 };
	int rc = gather(launch, &topo);

	if (rc == 0 && launch->rank == 0)
		rc = topo_command_print(command, &topo);
	topo_clear(&topo);
	return rc ? CODE_FAILED : CODE_OK;
}

/* Each of four processes that believe to be alone would print a machine of its own. */
static int check_promise(const struct launch *launch)
{
	const char *variable;
	const int promised = launch_promised_size(&variable);

	if (launch->size > 1 || promised <= 1)
		return 0;
	if (launch_env_rank() == 0)
		fprintf(stderr,
			"collperf topo: the environment promises %d processes (%s), %s sees 1: start them by the mpiexec or srun "
			"of the MPI "
			"library that collperf was built with, or give --alone for this host\n",
			promised, variable, launch->name);
	return -1;
}

static int run(const struct topo_command *command, int argc, char **argv)
{
	const struct launch_setup setup = {
		.program = "collperf topo", .argc = &argc, .argv = &argv, .connect_timeout = connect_timeout
	};
	const enum launch_way way = command->alone ? LAUNCH_BY_SELF : launch_choose((1U << LAUNCH_WAYS) - 1);
	struct launch launch;
	int code = CODE_FAILED;

	if (way == LAUNCH_BY_SELF && !command->alone && launch_is_one_of_several()) {
		if (launch_env_rank() == 0)
			fprintf(stderr, "collperf topo: started by a process manager of MPI, but %s; --alone shows this host\n",
				launches[LAUNCH_BY_MPI].missing);
		return CODE_FAILED;
	}
	if (launches[way].open(&launch, &setup))
		return CODE_FAILED;
	if (command->alone || check_promise(&launch) == 0)
		code = show(&launch, command);
	/* Who waits here for a rank that failed hears of it by the launch. */
	if (launch.ops->agree(&launch, code, &code))
		code = CODE_FAILED;
	launch.ops->close(&launch);
	return code;
}

/* Files need no peers: the first process reads them, and the others have nothing to say. */
static int show_files(const struct topo_command *command)
{
	struct topo topo = { 0 };
	int rc = 0;

	if (command->alone || launch_env_rank() == 0)
		rc = topo_command_read(command, &topo) || topo_command_print(command, &topo);
	topo_clear(&topo);
	return rc ? CODE_FAILED : CODE_OK;
}

/* Under a launcher only rank 0 is heard. */
static int help(void)
{
	if (launch_env_rank() != 0)
		return CODE_OK;
	topo_command_help(stdout);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return CODE_OK;
	perror("collperf topo: cannot write to stdout");
	return CODE_FAILED;
}

int main(int argc, char **argv)
{
	struct topo_command command;
	int code;

	/* A reader that goes away is a failed write, not a death without a word. */
	signal(SIGPIPE, SIG_IGN);
	code = topo_command_parse(argc, argv, launch_env_rank() != 0, &command);
	if (code)
		return code == -1 ? CODE_USAGE : CODE_FAILED;
	if (command.help)
		code = help();
	else
		code = command.ninputs > 0 ? show_files(&command) : run(&command, argc, argv);
	topo_command_clear(&command);
	return code;
}
