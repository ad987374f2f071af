/* SPDX-License-Identifier: Apache-2.0
 *
 * What a launcher's environment says about this process, read without any library: a program that was started four times must not run as
 * four jobs of one rank, and a usage error must be printed once.
 */
#include <stdlib.h>

#include "../launch.h"

struct launcher_words {
	const char *size;
	const char *rank;
};

/* SLURM_NTASKS is an allocation's, SLURM_STEP_NUM_TASKS what srun really started. */
static const struct launcher_words words[] = {
	{ "PMI_SIZE", "PMI_RANK" },
	{ "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK" },
	{ "SLURM_STEP_NUM_TASKS", "SLURM_PROCID" },
	{ "SLURM_NTASKS", "SLURM_PROCID" },
};

static long read_number(const char *name)
{
	const char *text = getenv(name);
	char *end;

	if (!text || !*text)
		return -1;
	long value = strtol(text, &end, 10);
	return *end || value < 0 || value > 1 << 30 ? -1 : value;
}

int launch_promised_size(const char **variable)
{
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		long size = read_number(words[i].size);

		if (size > 0) {
			*variable = words[i].size;
			return (int)size;
		}
	}
	*variable = NULL;
	return 0;
}

int launch_env_rank(void)
{
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		long rank = read_number(words[i].rank);

		if (rank >= 0)
			return (int)rank;
	}
	return 0;
}
