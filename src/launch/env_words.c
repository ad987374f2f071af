/* SPDX-License-Identifier: Apache-2.0
 *
 * What a launcher's environment says about the job: which launch it asks for, where ranks meet, and what tells the job from others.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../launch.h"
#include "env.h"

enum { PORTS = 65536, FIRST_FREE_PORT = 1024, JOB_PORTS = 15000, JOB_PORT_GROUPS = 1600 };

enum launch_way launch_choose(unsigned allowed)
{
	int way = LAUNCH_BY_MPI;

	if ((allowed & 1U << LAUNCH_BY_MPI) && launches[LAUNCH_BY_MPI].open && env_asks_mpi())
		return LAUNCH_BY_MPI;
	if ((allowed & 1U << LAUNCH_BY_ENV) && env_asks_env())
		return LAUNCH_BY_ENV;
	if (allowed & 1U << LAUNCH_BY_SELF)
		return LAUNCH_BY_SELF;
	while (way < LAUNCH_WAYS - 1 && !(allowed & 1U << way))
		way++;
	return (enum launch_way)way;
}

const char *env_words_quote(const char *text, char *buffer, size_t size)
{
	size_t length = strnlen(text, size - 1 < 60 ? size - 1 : 60);

	for (size_t i = 0; i < length; i++)
		buffer[i] = text[i] > ' ' && text[i] <= '~' ? text[i] : '?';
	buffer[length] = '\0';
	return buffer;
}

__attribute__((format(printf, 2, 3))) static int fail(struct env_error *error, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(error->text, sizeof error->text, format, list);
	va_end(list);
	return -1;
}

/* A number that must be there. */
static int need_number(const char *name, long least, long most, int *value, struct env_error *error)
{
	const char *text = env_get(name);
	const long number = env_number(name, most);
	char quoted[64];

	if (!text)
		return fail(error, "%s is not set", name);
	if (number < least)
		return fail(error, "%s='%s' is not a whole number from %ld to %ld", name,
			    env_words_quote(text, quoted, sizeof quoted), least, most);
	*value = (int)number;
	return 0;
}

static int read_ranks(struct env_words *words, const char *rank, const char *size, const char *local, struct env_error *error)
{
	if (need_number(size, 1, ENV_MAX_RANKS, &words->size, error) ||
	    need_number(rank, 0, words->size - 1, &words->rank, error))
		return -1;
	words->local_rank = -1;
	return env_get(local) ? need_number(local, 0, words->size - 1, &words->local_rank, error) : 0;
}

static int read_who(struct env_words *words, struct env_error *error)
{
	const char *step = env_get("SLURM_STEP_NUM_TASKS") ? "SLURM_STEP_NUM_TASKS" : "SLURM_NTASKS";
	const bool slurm = env_get("SLURM_PROCID") && env_get(step);
	int world = 0;

	if (env_get("RANK") || (env_get("WORLD_SIZE") && !slurm))
		return read_ranks(words, "RANK", "WORLD_SIZE", "LOCAL_RANK", error);
	if (!slurm)
		return fail(error,
			    "neither RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT nor the variables of a Slurm job step are set");
	if (read_ranks(words, "SLURM_PROCID", step, "SLURM_LOCALID", error))
		return -1;
	if (env_get("WORLD_SIZE") && (need_number("WORLD_SIZE", 1, ENV_MAX_RANKS, &world, error) || world != words->size))
		return fail(error, "WORLD_SIZE is not %s, which is %d", step, words->size);
	return 0;
}

static int read_host(struct env_words *words, struct env_error *error)
{
	const char *nodes = env_get("SLURM_STEP_NODELIST") ? "SLURM_STEP_NODELIST" : "SLURM_JOB_NODELIST";
	const char *text = env_get("MASTER_ADDR");
	char quoted[64];

	if (text) {
		words->host_said = "MASTER_ADDR";
		env_words_quote(text, quoted, sizeof quoted);
		for (const char *c = text; *c; c++)
			if (*c <= ' ' || *c > '~')
				return fail(error, "MASTER_ADDR='%s' is not the name of a host", quoted);
		if (strlen(text) >= sizeof words->host)
			return fail(error, "MASTER_ADDR='%s...' is too long", quoted);
		memcpy(words->host, text, strlen(text) + 1);
		return 0;
	}
	text = env_get(nodes);
	if (env_get("RANK") || !text)
		return fail(error, "MASTER_ADDR is not set");
	words->host_said = nodes;
	if (env_nodes_first(text, words->host, sizeof words->host))
		return fail(error, "%s='%s' is not a list of nodes", nodes, env_words_quote(text, quoted, sizeof quoted));
	return 0;
}

/* Ports of its own for every job and step, below those that systems hand out by themselves. */
static int job_port(const char *job, const char *step)
{
	uint32_t mixed = 2166136261u;

	for (const char *c = job; *c; c++)
		mixed = (mixed ^ (unsigned char)*c) * 16777619u;
	for (const char *c = step; *c; c++)
		mixed = ((mixed ^ 0x2e) * 16777619u ^ (unsigned char)*c) * 16777619u;
	return JOB_PORTS + (int)(mixed % JOB_PORT_GROUPS) * ENV_TRIES;
}

/* torchrun's agent may keep MASTER_PORT for itself, and then says so. */
static int read_port(struct env_words *words, struct env_error *error)
{
	const char *job = env_get("SLURM_JOB_ID"), *step = env_get("SLURM_STEP_ID"),
		   *agent = env_get("TORCHELASTIC_USE_AGENT_STORE");

	words->port_said = "MASTER_PORT";
	if (env_get("MASTER_PORT")) {
		if (need_number("MASTER_PORT", 1, PORTS - 1, &words->first_port, error))
			return -1;
		words->first_port += agent && strcmp(agent, "True") == 0;
		return 0;
	}
	if (env_get("RANK") || !job)
		return fail(error, "MASTER_PORT is not set");
	words->port_said = "SLURM_JOB_ID";
	words->first_port = job_port(job, step ? step : "");
	return 0;
}

int env_words_port(const struct env_words *words, int i)
{
	const int port = words->first_port + i;

	return port < PORTS ? port : port - PORTS + FIRST_FREE_PORT;
}

/*
 * Not the size: whoever says another one is to be told. Not MASTER_ADDR: rank 0 may call itself localhost. Slurm's only where the rank is Slurm's:
 * torchrun may have been started by a job step of its own on every host.
 */
static int read_token(struct env_words *words, struct env_error *error)
{
	static const char *const variables[2][2] = { { "SLURM_JOB_ID", "SLURM_STEP_ID" },
						     { "TORCHELASTIC_RUN_ID", "TORCHELASTIC_RESTART_COUNT" } };
	const char *const *job = variables[env_get("RANK") != NULL];
	const char *own = env_get("COLLPERF_TOKEN"), *first = own ? own : env_get(job[0]), *second = own ? NULL : env_get(job[1]);
	const int length = snprintf(words->token, sizeof words->token, "port %d\n%s\n%s", words->first_port, first ? first : "",
				    second ? second : "");

	if (length >= (int)sizeof words->token)
		return fail(error, "%s is longer than %zu bytes", own ? "COLLPERF_TOKEN" : job[0], sizeof words->token - 32);
	return 0;
}

int env_words_read(struct env_words *words, struct env_error *error)
{
	struct env_words read = { 0 };

	if (read_who(&read, error))
		return -1;
	if (read.size > 1 && (read_host(&read, error) || read_port(&read, error) || read_token(&read, error)))
		return -1;
	*words = read;
	return 0;
}
