/* SPDX-License-Identifier: Apache-2.0
 *
 * What launchers' variables mean, and what is refused: torchrun's, Slurm's with its lists of nodes, none, some, garbage; and which way of launch they
 * ask for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/launch.h"
#include "src/launch/env.h"

static const char *const known[] = {
	"RANK",
	"WORLD_SIZE",
	"LOCAL_RANK",
	"MASTER_ADDR",
	"MASTER_PORT",
	"TORCHELASTIC_USE_AGENT_STORE",
	"TORCHELASTIC_RUN_ID",
	"TORCHELASTIC_RESTART_COUNT",
	"COLLPERF_TOKEN",
	"SLURM_PROCID",
	"SLURM_STEP_NUM_TASKS",
	"SLURM_NTASKS",
	"SLURM_LOCALID",
	"SLURM_JOB_ID",
	"SLURM_STEP_ID",
	"SLURM_STEP_NODELIST",
	"SLURM_JOB_NODELIST",
	"PMI_RANK",
	"PMI_SIZE",
	"PMIX_RANK",
	"OMPI_COMM_WORLD_RANK",
	"OMPI_COMM_WORLD_SIZE",
};

/* "A=1 B=2"; a '~' in a value stands for a blank. */
static void set(const char *text)
{
	char copy[4096], *at = copy;

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		unsetenv(known[i]);
	snprintf(copy, sizeof copy, "%s", text);
	for (char *word; (word = strsep(&at, " "));) {
		char *value = strchr(word, '=');

		if (!value)
			continue;
		*value++ = '\0';
		for (char *c = value; *c; c++)
			*c = *c == '~' ? ' ' : *c;
		setenv(word, value, 1);
	}
}

#define TORCH "RANK=1 WORLD_SIZE=4 MASTER_ADDR=h MASTER_PORT=29500"
#define SLURM "SLURM_PROCID=2 SLURM_STEP_NUM_TASKS=4 SLURM_JOB_ID=17 SLURM_STEP_ID=0 SLURM_STEP_NODELIST=n[07,01-03],x"

static void test_words(void **state)
{
	static const struct {
		const char *environment;
		int rank, size, local_rank, port; /* port 0: whichever */
		const char *host;
	} rows[] = {
		{ TORCH, 1, 4, -1, 29500, "h" },
		{ TORCH " LOCAL_RANK=0", 1, 4, 0, 29500, "h" },
		{ TORCH " TORCHELASTIC_USE_AGENT_STORE=True", 1, 4, -1, 29501, "h" },
		{ TORCH " TORCHELASTIC_USE_AGENT_STORE=False", 1, 4, -1, 29500, "h" },
		{ "RANK=0 WORLD_SIZE=1", 0, 1, -1, 0, "" },
		{ SLURM, 2, 4, -1, 0, "n07" },
		{ SLURM " SLURM_LOCALID=1 SLURM_NTASKS=9", 2, 4, 1, 0, "n07" },
		{ SLURM " MASTER_ADDR=m MASTER_PORT=1", 2, 4, -1, 1, "m" },
		{ SLURM " WORLD_SIZE=4", 2, 4, -1, 0, "n07" },
		{ SLURM " " TORCH, 1, 4, -1, 29500, "h" },
		{ "SLURM_PROCID=0 SLURM_NTASKS=2 SLURM_JOB_ID=3 SLURM_JOB_NODELIST=a,b", 0, 2, -1, 0, "a" },
		{ "SLURM_PROCID=0 SLURM_NTASKS=1", 0, 1, -1, 0, "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct env_words words;
		struct env_error error = { "" };

		set(rows[i].environment);
		if (env_words_read(&words, &error))
			fail_msg("%s: %s", rows[i].environment, error.text);
		assert_int_equal(words.rank, rows[i].rank);
		assert_int_equal(words.size, rows[i].size);
		assert_int_equal(words.local_rank, rows[i].local_rank);
		assert_string_equal(words.host, rows[i].host);
		if (rows[i].port)
			assert_int_equal(words.first_port, rows[i].port);
	}
}

static void test_errors(void **state)
{
	static const struct {
		const char *environment, *text;
	} rows[] = {
		{ "", "neither RANK, WORLD_SIZE" },
		{ "RANK=0", "WORLD_SIZE is not set" },
		{ "WORLD_SIZE=2", "RANK is not set" },
		{ "RANK= WORLD_SIZE=2", "RANK is not set" },
		{ "RANK=0 WORLD_SIZE=2", "MASTER_ADDR is not set" },
		{ "RANK=0 WORLD_SIZE=2 MASTER_ADDR=h", "MASTER_PORT is not set" },
		{ "RANK=0 WORLD_SIZE=2 MASTER_PORT=5", "MASTER_ADDR is not set" },
		{ "RANK=abc WORLD_SIZE=2", "RANK='abc' is not a whole number from 0 to 1" },
		{ "RANK=2 WORLD_SIZE=2", "RANK='2' is not a whole number from 0 to 1" },
		{ "RANK=-1 WORLD_SIZE=2", "RANK='-1'" },
		{ "RANK=+1 WORLD_SIZE=2", "RANK='+1'" },
		{ "RANK=1~ WORLD_SIZE=2", "RANK='1?'" },
		{ "RANK=0x1 WORLD_SIZE=2", "RANK='0x1'" },
		{ "RANK=99999999999999999999 WORLD_SIZE=2", "RANK='9999" },
		{ "RANK=0 WORLD_SIZE=0", "WORLD_SIZE='0' is not a whole number from 1" },
		{ "RANK=0 WORLD_SIZE=2.5", "WORLD_SIZE='2.5'" },
		{ "RANK=0 WORLD_SIZE=1048577", "WORLD_SIZE='1048577'" },
		{ "RANK=0 WORLD_SIZE=2 LOCAL_RANK=2", "LOCAL_RANK='2' is not a whole number from 0 to 1" },
		{ "RANK=0 WORLD_SIZE=2 MASTER_ADDR=a~b MASTER_PORT=5", "MASTER_ADDR='a?b' is not the name of a host" },
		{ "RANK=0 WORLD_SIZE=2 MASTER_ADDR=a\033[2J MASTER_PORT=5", "MASTER_ADDR='a?[2J' is not the name of a host" },
		{ "RANK=0 WORLD_SIZE=2 MASTER_ADDR=a MASTER_PORT=0", "MASTER_PORT='0' is not a whole number from 1 to 65535" },
		{ "RANK=0 WORLD_SIZE=2 MASTER_ADDR=a MASTER_PORT=65536", "MASTER_PORT='65536'" },
		{ "RANK=0 " SLURM, "WORLD_SIZE is not set" },
		{ "SLURM_PROCID=4 SLURM_STEP_NUM_TASKS=4", "SLURM_PROCID='4' is not a whole number from 0 to 3" },
		{ "SLURM_PROCID=0", "neither RANK" },
		{ SLURM " WORLD_SIZE=5", "WORLD_SIZE is not SLURM_STEP_NUM_TASKS, which is 4" },
		{ "SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2", "MASTER_ADDR is not set" },
		{ "SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2 SLURM_JOB_NODELIST=n[1",
		  "SLURM_JOB_NODELIST='n[1' is not a list of nodes" },
		{ "SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2 SLURM_JOB_NODELIST=n1", "MASTER_PORT is not set" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct env_words words = { .rank = -7 };
		struct env_error error = { "" };

		set(rows[i].environment);
		if (env_words_read(&words, &error) == 0)
			fail_msg("accepted: %s", rows[i].environment);
		if (strncmp(error.text, rows[i].text, strlen(rows[i].text)) != 0)
			fail_msg("%s: %s", rows[i].environment, error.text);
		assert_int_equal(words.rank, -7);
	}
}

static void test_long_words(void **state)
{
	struct env_words words;
	struct env_error error;
	char text[2000];

	(void)state;
	memset(text, 'a', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	set(TORCH);
	setenv("COLLPERF_TOKEN", text, 1);
	assert_int_equal(env_words_read(&words, &error), -1);
	assert_non_null(strstr(error.text, "COLLPERF_TOKEN is longer than"));
	text[900] = '\0';
	setenv("COLLPERF_TOKEN", text, 1);
	assert_int_equal(env_words_read(&words, &error), 0);
	set(TORCH);
	setenv("MASTER_ADDR", text, 1);
	assert_int_equal(env_words_read(&words, &error), -1);
	assert_non_null(strstr(error.text, "aaa...' is too long"));
}

/* The environments of one job give one token, those of others another. */
static void test_token(void **state)
{
	static const struct {
		const char *one, *other;
		bool same;
	} rows[] = {
		{ TORCH, "RANK=2 WORLD_SIZE=5 MASTER_ADDR=localhost MASTER_PORT=29500 LOCAL_RANK=1", true },
		{ TORCH, "RANK=1 WORLD_SIZE=4 MASTER_ADDR=h MASTER_PORT=29501", false },
		{ TORCH " COLLPERF_TOKEN=a", TORCH " COLLPERF_TOKEN=b", false },
		{ TORCH " COLLPERF_TOKEN=a", TORCH " COLLPERF_TOKEN=a TORCHELASTIC_RUN_ID=2", true },
		{ TORCH " TORCHELASTIC_RUN_ID=1", TORCH " TORCHELASTIC_RUN_ID=2", false },
		{ TORCH " TORCHELASTIC_RESTART_COUNT=0", TORCH " TORCHELASTIC_RESTART_COUNT=1", false },
		{ TORCH " SLURM_JOB_ID=1 SLURM_STEP_ID=2", TORCH, true },
		{ SLURM, SLURM " SLURM_STEP_ID=1", false },
		{ SLURM, SLURM " SLURM_JOB_ID=18", false },
		{ SLURM, SLURM " SLURM_PROCID=0", true },
		{ SLURM " MASTER_PORT=5", SLURM " MASTER_PORT=5 SLURM_JOB_ID=18", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct env_words one, other;
		struct env_error error;

		set(rows[i].one);
		assert_int_equal(env_words_read(&one, &error), 0);
		set(rows[i].other);
		assert_int_equal(env_words_read(&other, &error), 0);
		if ((strcmp(one.token, other.token) == 0) != rows[i].same)
			fail_msg("%s | %s", rows[i].one, rows[i].other);
	}
}

static void test_ports(void **state)
{
	struct env_words words = { .first_port = 65533 };
	struct env_error error;
	char text[256];

	(void)state;
	for (int i = 0; i < ENV_TRIES; i++)
		assert_true(env_words_port(&words, i) >= 1024 && env_words_port(&words, i) <= 65535);
	assert_int_equal(env_words_port(&words, 2), 65535);
	assert_int_equal(env_words_port(&words, 3), 1024);
	for (int job = 0; job < 3000; job++) {
		snprintf(text, sizeof text, SLURM " SLURM_JOB_ID=%d", job);
		set(text);
		assert_int_equal(env_words_read(&words, &error), 0);
		assert_true(words.first_port >= 15000 && env_words_port(&words, ENV_TRIES - 1) < 32768);
	}
}

static void test_nodes(void **state)
{
	static const struct {
		const char *list, *host; /* NULL: no list */
	} rows[] = {
		{ "n[01-03,07]a,x9", "n01a" },
		{ "x9", "x9" },
		{ "x9,n[1-2]", "x9" },
		{ "a.b-c_d[5]", "a.b-c_d5" },
		{ "rack[2-3]n[04,09-10]-ib", "rack2n04-ib" },
		{ "[3-4]", "3" },
		{ "n[000-999]", "n000" },
		{ "n[9-10]", "n9" },
		{ "n[007-10]", "n007" },
		{ "n[18446744073709551617-18446744073709551618]", "n18446744073709551617" },
		{ "", NULL },
		{ ",", NULL },
		{ "a,", NULL },
		{ ",a", NULL },
		{ "a,,b", NULL },
		{ "n[", NULL },
		{ "n[]", NULL },
		{ "n]", NULL },
		{ "n[1", NULL },
		{ "n[1-", NULL },
		{ "n[1-]", NULL },
		{ "n[0-]", NULL },
		{ "n[-2]", NULL },
		{ "n[1,]", NULL },
		{ "n[,1]", NULL },
		{ "n[2-1]", NULL },
		{ "n[10-9]", NULL },
		{ "n[1-2-3]", NULL },
		{ "n[[1]]", NULL },
		{ "n[a-b]", NULL },
		{ "n[1 ]", NULL },
		{ "a b", NULL },
		{ "a;b", NULL },
		{ "$(id)", NULL },
		{ "-x", NULL },
		{ "a,-x", NULL },
		{ "a\n", NULL },
		{ "ok,n[1", NULL },
		{ "\xc3\xa9", NULL },
	};
	char host[ENV_HOST];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		memcpy(host, "kept", 5);
		if ((env_nodes_first(rows[i].list, host, sizeof host) == 0) != (rows[i].host != NULL))
			fail_msg("'%s'", rows[i].list);
		assert_string_equal(host, rows[i].host ? rows[i].host : "kept");
	}
	assert_int_equal(env_nodes_first("abc", host, 4), 0);
	assert_int_equal(env_nodes_first("abcd", host, 4), -1);
	assert_int_equal(env_nodes_first("a,bcdefgh", host, 2), 0);
	assert_int_equal(env_nodes_first("a", host, 0), -1);
}

static void test_promise(void **state)
{
	static const struct {
		const char *environment;
		int size, rank;
		const char *variable;
	} rows[] = {
		{ "", 0, 0, NULL },
		{ TORCH, 4, 1, "WORLD_SIZE" },
		{ SLURM, 4, 2, "SLURM_STEP_NUM_TASKS" },
		{ "PMI_SIZE=3 PMI_RANK=2 " TORCH, 3, 2, "PMI_SIZE" },
		{ "PMIX_RANK=3 " TORCH, 0, 3, NULL },
		{ "OMPI_COMM_WORLD_SIZE=8 OMPI_COMM_WORLD_RANK=7 PMIX_RANK=7", 8, 7, "OMPI_COMM_WORLD_SIZE" },
		{ "WORLD_SIZE=x RANK=y", 0, 0, NULL },
		{ "WORLD_SIZE=-4", 0, 0, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *variable = "?";

		set(rows[i].environment);
		assert_int_equal(launch_promised_size(&variable), rows[i].size);
		assert_int_equal(launch_env_rank(), rows[i].rank);
		if (rows[i].variable)
			assert_string_equal(variable, rows[i].variable);
		else
			assert_null(variable);
	}
}

/* This program was built without MPI. */
static void test_choose(void **state)
{
	const unsigned mpi = 1U << LAUNCH_BY_MPI, env = 1U << LAUNCH_BY_ENV, self = 1U << LAUNCH_BY_SELF;
	const struct {
		const char *environment;
		unsigned allowed;
		enum launch_way way;
	} rows[] = {
		{ "", mpi | env | self, LAUNCH_BY_SELF },
		{ "", mpi, LAUNCH_BY_MPI },
		{ "", mpi | env, LAUNCH_BY_MPI },
		{ "", env, LAUNCH_BY_ENV },
		{ TORCH, mpi | env | self, LAUNCH_BY_ENV },
		{ TORCH, mpi, LAUNCH_BY_MPI },
		{ TORCH, self, LAUNCH_BY_SELF },
		{ "RANK=0", env | self, LAUNCH_BY_ENV },
		{ "WORLD_SIZE=2", env | self, LAUNCH_BY_ENV },
		{ SLURM, mpi | env | self, LAUNCH_BY_ENV },
		{ SLURM " PMI_RANK=0 PMI_SIZE=4", mpi | env | self, LAUNCH_BY_ENV },
		{ "SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_JOB_ID=1", mpi | env | self, LAUNCH_BY_SELF },
		{ "LOCAL_RANK=0 MASTER_ADDR=a MASTER_PORT=1", mpi | env | self, LAUNCH_BY_SELF },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		set(rows[i].environment);
		if (launch_choose(rows[i].allowed) != rows[i].way)
			fail_msg("%s, allowed %u: %d", rows[i].environment, rows[i].allowed, (int)launch_choose(rows[i].allowed));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),   cmocka_unit_test(test_errors), cmocka_unit_test(test_long_words),
		cmocka_unit_test(test_token),   cmocka_unit_test(test_ports),  cmocka_unit_test(test_nodes),
		cmocka_unit_test(test_promise), cmocka_unit_test(test_choose),

	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
