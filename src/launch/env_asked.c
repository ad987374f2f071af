/* SPDX-License-Identifier: Apache-2.0
 *
 * What a launcher's environment says about this process, read without any library: a program that was started four times must not run as
 * four jobs of one rank, and a usage error must be printed once. torchrun's variables come before Slurm's, as torchrun runs inside of Slurm.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../launch.h"
#include "env.h"

struct launcher_words {
	const char *size;
	const char *rank;
	bool of_mpi;
};

/* SLURM_NTASKS is an allocation's, SLURM_STEP_NUM_TASKS what srun really started. */
static const struct launcher_words launchers[] = {
	{ "PMI_SIZE", "PMI_RANK", true },
	{ "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", true },
	{ "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK", true },
	{ "PMIX_SIZE", "PMIX_RANK", true },
	{ "WORLD_SIZE", "RANK", false },
	{ "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", false },
	{ "SLURM_NTASKS", "SLURM_PROCID", false },
};

const char *env_get(const char *name)
{
	const char *text = getenv(name);

	return text && *text ? text : NULL;
}

long env_number(const char *name, long most)
{
	const char *text = env_get(name);
	char *end;

	if (!text || !isdigit((unsigned char)*text) || strlen(text) > 9)
		return -1;
	long value = strtol(text, &end, 10);
	return *end || value > most ? -1 : value;
}

int launch_promised_size(const char **variable)
{
	for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
		long size = env_number(launchers[i].size, ENV_MAX_RANKS);

		if (size > 0) {
			*variable = launchers[i].size;
			return (int)size;
		}
		/* Its process manager keeps the size to itself; what the variables of others say is not about us. */
		if (launchers[i].of_mpi && env_get(launchers[i].rank))
			break;
	}
	*variable = NULL;
	return 0;
}

int launch_env_rank(void)
{
	for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
		long rank = env_number(launchers[i].rank, ENV_MAX_RANKS);

		if (rank >= 0)
			return (int)rank;
	}
	return 0;
}

bool env_asks_mpi(void)
{
	for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
		if (launchers[i].of_mpi && (env_get(launchers[i].rank) || env_get(launchers[i].size)))
			return true;
	return false;
}

/* Inside a batch script, too, SLURM_PROCID is set: a step's own variables tell that srun started us. */
bool env_asks_env(void)
{
	return env_get("RANK") || env_get("WORLD_SIZE") ||
	       (env_get("SLURM_PROCID") && (env_get("SLURM_STEP_NUM_TASKS") || env_get("SLURM_STEP_ID")));
}

bool launch_is_one_of_several(void)
{
	const char *variable;

	return (env_asks_mpi() || env_asks_env()) && launch_promised_size(&variable) != 1;
}
