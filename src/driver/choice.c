/* SPDX-License-Identifier: Apache-2.0
 *
 * GPUs first where there are two: a collective among one moves nothing.
 */
#include "choice.h"

#include <stdio.h>
#include <string.h>

#include "../size.h"
#include "say.h"
#include "verdict.h"

enum { MIN_GPUS = 2 };

static bool counts_gpus(const struct args *args)
{
	return args_sweep_has(args, 'g', "ngpus") || args_sweep_has(args, 't', "nthreads");
}

bool choice_needs_look(const struct args *args)
{
	if ((args->given & ARGS_LAUNCHER) || args->np == 1)
		return false;
	return args_is_auto(args) || (args_is_nccl(args) && (args->np > 1 || !counts_gpus(args)));
}

/* Those from the first one on that is ours; where there is none the binaries say so. */
static int count_usable(const struct look *look, const char *first)
{
	long skipped;

	if (!first || count_parse(first, 0, look->gpus - 1, &skipped) != 0)
		return look->gpus;
	return look->gpus - (int)skipped;
}

static void set_why(struct choice *choice, int gpus, const char *more)
{
	snprintf(choice->why, sizeof(choice->why), "%d usable GPU%s%s", gpus, gpus == 1 ? "" : "s", more);
}

static int refuse_processes(const struct args *args)
{
	say("--np %d: the binaries were built without MPI, so mpiexec cannot start their processes. Give one process all GPUs "
	    "(no --np), or "
	    "--launcher \"torchrun --no-python --nproc-per-node %d\" or \"srun -n %d\", or whatever sets RANK, WORLD_SIZE, "
	    "LOCAL_RANK, "
	    "MASTER_ADDR and MASTER_PORT for each",
	    args->np, args->np, args->np);
	return VERDICT_USAGE;
}

/* Several processes, each with a GPU of its own unless the sweep says more. */
static int choose_for_processes(const struct args *args, const struct look *look, int gpus, struct choice *choice)
{
	char ranks[32];

	if (!look->has_mpi && (args_is_nccl(args) ? look->has_nccl : gpus > 0))
		return refuse_processes(args);
	if (!args_is_auto(args) || gpus == 0 || args->np <= gpus || counts_gpus(args) || args_sweep_has(args, '\0', "share-gpus"))
		return 0;
	snprintf(ranks, sizeof(ranks), " for %d ranks", args->np);
	choice->backend = "mpi";
	set_why(choice, gpus, ranks);
	return 0;
}

/* Where MPI cannot do it either the binaries say so. */
static void choose_any(const struct look *look, int gpus, struct choice *choice)
{
	if (gpus >= MIN_GPUS || (gpus > 0 && !look->has_mpi)) {
		choice->backend = "nccl";
		set_why(choice, gpus, "");
	} else if (look->has_nccl && look->has_mpi) {
		choice->backend = "mpi";
		if (gpus > 0)
			set_why(choice, gpus, "");
		else
			snprintf(choice->why, sizeof(choice->why), "nccl: %s", look->reason);
	}
}

/* How many GPUs to give is not known where none can be used. */
static int check_nccl(const struct look *look)
{
	if (look->gpus > 0)
		return 0;
	say("--backend nccl: %s", look->has_nccl ? look->reason : "the binaries were built without NCCL");
	return VERDICT_FAILED;
}

const char *choice_likely(const char *backend)
{
	static const char *const names[] = { "nccl", "mpi", "sim" };

	for (size_t i = 0; backend && i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], backend) == 0)
			return names[i];
	return NULL;
}

int choice_make(const struct args *args, const struct look *look, const char *first, struct choice *choice)
{
	struct choice made = { .backend = args->backend };
	int gpus = count_usable(look, first), rc = 0;

	if (args->np > 1)
		rc = choose_for_processes(args, look, gpus, &made);
	else if (args_is_auto(args))
		choose_any(look, gpus, &made);
	else
		rc = check_nccl(look);
	if (rc != 0)
		return rc;
	made.likely = choice_likely(made.backend);
	if (!made.likely && gpus == 0)
		made.likely = "mpi";
	if (args->np <= 1 && made.backend && strcmp(made.backend, "nccl") == 0 && !counts_gpus(args))
		made.gpus = gpus;
	*choice = made;
	return 0;
}
