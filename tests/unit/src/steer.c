/* SPDX-License-Identifier: Apache-2.0
 *
 * Steering: what is set, what of the user is kept, what is refused, and what the program knows of itself when it was started again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/session.h"
#include "src/steer.h"

static const char *const variables[] = { "UCX_TLS",
					 "UCX_LOG_LEVEL",
					 "UCX_LOG_FILE",
					 "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM",
					 "MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM",
					 "MPIR_CVAR_COLLECTIVE_FALLBACK",
					 "MPIR_CVAR_DEVICE_COLLECTIVES",
					 "NCCL_ALGO",
					 "NCCL_PROTO",
					 "NCCL_NET",
					 "NCCL_P2P_DISABLE",
					 "NCCL_SHM_DISABLE",
					 "NCCL_NVLS_ENABLE",
					 "NCCL_IB_DISABLE",
					 "NCCL_DEBUG",
					 "NCCL_DEBUG_FILE",
					 "NCCL_DEBUG_SUBSYS",
					 "NCCL_RUNTIME_CONNECT",
					 "PMI_SIZE",
					 "PMI_RANK",
					 "COLLPERF_STEERED" };

static int is_no_mpich(char *reason, size_t size)
{
	snprintf(reason, size, "the MPI library is another one");
	return -1;
}

static bool is_simulated(void)
{
	return true;
}

static const struct backend_ops mpi = { .name = "mpi" }, other = { .name = "mpi", .steerable = is_no_mpich },
				simulated = { .name = "mpi", .is_simulated = is_simulated }, nccl = { .name = "nccl" };

static int forget(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
		unsetenv(variables[i]);
	return 0;
}

static struct options options_with(const char *path, const char *algo)
{
	return (struct options){ .path = path, .algo = algo, .readback = READBACK_OFF };
}

/* The code, with stderr in `said`. */
static int begin(struct steer *steer, const char *coll, const struct options *options, const struct backend_ops *backend,
		 char *said)
{
	FILE *file = tmpfile();
	const int kept = dup(STDERR_FILENO);
	size_t length;

	assert_non_null(file);
	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	const int code = steer_begin(steer, "x_perf", collective_find(coll), options, backend);

	fflush(stderr);
	dup2(kept, STDERR_FILENO);
	close(kept);
	rewind(file);
	length = fread(said, 1, 1023, file);
	said[length] = '\0';
	fclose(file);
	return code;
}

static void expect(const char *coll, const char *path, const char *algo, const struct backend_ops *backend, int code,
		   const char *text)
{
	struct options options = options_with(path, algo);
	struct steer steer;
	char said[1024];

	assert_int_equal(begin(&steer, coll, &options, backend, said), code);
	if (!strstr(said, text) || (code == 0 && said[0]))
		fail_msg("'%s' and not '%s'", said, text);
	/* One line, of rank 0 alone. */
	assert_true(code == 0 || strchr(said, '\n') == said + strlen(said) - 1);
	setenv("PMI_RANK", "1", 1);
	assert_int_equal(begin(&steer, coll, &options, backend, said), code);
	assert_string_equal(said, "");
	unsetenv("PMI_RANK");
}

static void variables_are_set(void **state)
{
	struct options options = options_with("tcp", "recursive_doubling");
	struct steer steer;
	char said[1024];

	(void)state;
	assert_int_equal(begin(&steer, "all_reduce", &options, &mpi, said), SESSION_OK);
	assert_string_equal(getenv("UCX_TLS"), "tcp,self");
	assert_string_equal(getenv("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM"), "recursive_doubling");
	assert_string_equal(getenv("MPIR_CVAR_COLLECTIVE_FALLBACK"), "error");
	assert_int_equal(steer.nset, 4);
	assert_int_equal(steer.nasked, 4);
	assert_int_equal(steer.nkept, 0);
	assert_string_equal(steer.set[0].name, "UCX_TLS");
	assert_string_equal(steer.set[0].value, "tcp,self");
	assert_string_equal(steer.path, "tcp");
	assert_string_equal(steer.algo, "recdbl");
	assert_false(steer.again);
	assert_string_equal(said, "");
}

static void nothing_asked_is_nothing_set(void **state)
{
	struct options options = options_with("auto", NULL);
	struct steer steer;
	char said[1024];

	(void)state;
	assert_int_equal(begin(&steer, "all_reduce", &options, &mpi, said), SESSION_OK);
	assert_true(steer.nset == 0 && steer.nkept == 0 && !steer.again && steer.algo[0] == '\0');
	assert_null(getenv("UCX_TLS"));
	/* A library that cannot be told is no matter then. */
	options.readback = READBACK_PATH;
	assert_int_equal(begin(&steer, "all_reduce", &options, &other, said), SESSION_OK);
	assert_true(steer.nset == 0 && !steer.again);
}

static void the_users_values_are_kept(void **state)
{
	struct options options = options_with("socket", "tree/ll");
	struct steer steer;
	struct notes notes = { .count = 0 };
	struct fact_list facts = { 0 };
	char said[1024];

	(void)state;
	setenv("NCCL_NET", "IB", 1);
	setenv("NCCL_SHM_DISABLE", "1", 1);
	assert_int_equal(begin(&steer, "all_reduce", &options, &nccl, said), SESSION_OK);
	assert_string_equal(getenv("NCCL_NET"), "IB");
	assert_int_equal(steer.nkept, 2);
	assert_int_equal(steer.nset, 5);
	assert_string_equal(said,
			    "x_perf: warning: NCCL_NET=IB of the environment is kept; what was asked for would be Socket\n");
	steer_tell(&steer, &notes);
	assert_int_equal(notes.count, 1);
	assert_non_null(strstr(notes.lines[0], "NCCL_NET=IB"));
	assert_int_equal(steer_facts(&steer, &facts), 0);
	assert_int_equal(facts.count, 4);
	assert_string_equal(facts.items[0].name, "steer_path");
	assert_string_equal(facts.items[1].value, "tree/ll");
	assert_string_equal(facts.items[2].value,
			    "NCCL_P2P_DISABLE=1 NCCL_NVLS_ENABLE=0 NCCL_IB_DISABLE=1 NCCL_ALGO=Tree NCCL_PROTO=LL");
	assert_string_equal(facts.items[3].value, "NCCL_SHM_DISABLE=1 NCCL_NET=IB");
	facts_free(&facts);
	notes_free(&notes);
}

/* The column says what is certain, not what was asked for. */
static void the_users_algorithm_is_told(void **state)
{
	struct options options = options_with("auto", "ring");
	struct steer steer;
	char said[1024];

	(void)state;
	setenv("NCCL_ALGO", "allreduce:tree", 1);
	assert_int_equal(begin(&steer, "all_reduce", &options, &nccl, said), SESSION_OK);
	assert_string_equal(steer.algo, "tree");
	setenv("NCCL_ALGO", "tree,ring", 1);
	options.algo = NULL;
	assert_int_equal(begin(&steer, "all_reduce", &options, &nccl, said), SESSION_OK);
	assert_string_equal(steer.algo, "");
	assert_int_equal(steer.nkept, 0);
}

static void what_cannot_be_is_refused(void **state)
{
	(void)state;
	expect("all_reduce", "nvlink", NULL, &mpi, SESSION_USAGE,
	       "--path nvlink: not with --backend mpi, which has: auto shm ib tcp");
	expect("all_reduce", "tcp", NULL, &nccl, SESSION_USAGE, "--path tcp: not with --backend nccl");
	expect("all_reduce", "auto", "ring", &mpi, SESSION_USAGE,
	       "all_reduce has no algorithm 'ring' with --backend mpi; there are: recdbl, rabenseifner");
	expect("sendrecv", "auto", "ring", &mpi, SESSION_USAGE, "nothing chooses an algorithm of sendrecv");
	expect("broadcast", "auto", "tree", &nccl, SESSION_USAGE, "there are: ring[/ll|/ll128|/simple]");
	expect("all_reduce", "tcp", NULL, &other, SESSION_FAILED, "--path: the MPI library is another one");
	expect("all_reduce", "auto", "recdbl", &other, SESSION_FAILED, "--algo: the MPI library is another one");
	expect("all_reduce", "tcp", NULL, &simulated, SESSION_USAGE, "a simulator of clusters has options of its own");
	expect("all_reduce", "auto", NULL, &simulated, SESSION_OK, "");
	setenv("PMI_SIZE", "6", 1);
	expect("all_gather", "auto", "recdbl", &mpi, SESSION_NOTHING,
	       "--algo recdbl: the algorithm needs a power of two of ranks, there are 6");
	setenv("PMI_SIZE", "8", 1);
	expect("all_gather", "auto", "recdbl", &mpi, SESSION_OK, "");
	expect("alltoall", "auto", "pairwise_replace", &mpi, SESSION_OK, "");
	assert_null(getenv("UCX_TLS"));
}

static void simulated_ranks_have_models(void **state)
{
	struct options options = options_with("auto", "recursive_doubling");
	struct steer steer;
	char said[1024];

	(void)state;
	assert_int_equal(begin(&steer, "all_reduce", &options, &backend_sim, said), SESSION_OK);
	assert_string_equal(steer.algo, "recdbl");
	options.algo = "circulant";
	assert_int_equal(begin(&steer, "all_reduce", &options, &backend_sim, said), SESSION_OK);
	assert_string_equal(steer.algo, "circulant");
	assert_int_equal(steer.nset, 0);
	expect("all_reduce", "auto", "pairwise", &backend_sim, SESSION_USAGE,
	       "no cost model 'pairwise'; there are: ring, binomial,");
	expect("all_reduce", "shm", NULL, &backend_sim, SESSION_USAGE, "--path shm: simulated ranks have no paths");
}

/* UCX opens its log before main: the program must start again, and then knows what it set itself. */
static void started_again_it_knows_its_own(void **state)
{
	struct options options = options_with("tcp", NULL);
	struct steer steer;
	char said[1024], mark[128];

	(void)state;
	options.readback = READBACK_PATH;
	assert_int_equal(begin(&steer, "all_reduce", &options, &mpi, said), SESSION_OK);
	assert_true(steer.again);
	assert_int_equal(steer.nasked, 1);
	assert_true(steer.nset > 1);
	snprintf(mark, sizeof mark, "%ld:UCX_TLS,UCX_LOG_FILE,UCX_LOG_LEVEL", (long)getpid());
	setenv("COLLPERF_STEERED", mark, 1);
	assert_int_equal(begin(&steer, "all_reduce", &options, &mpi, said), SESSION_OK);
	assert_false(steer.again);
	assert_true(steer.nset == 3 && steer.nasked == 1 && steer.nkept == 0);
	assert_null(getenv("COLLPERF_STEERED"));
	assert_string_equal(steer.set[0].value, "tcp,self");
}

static const char *fact(const struct fact_list *facts, const char *name)
{
	for (size_t i = 0; i < facts->count; i++)
		if (strcmp(facts->items[i].name, name) == 0)
			return facts->items[i].value;
	return NULL;
}

/* What is set for the log alone is no environment that somebody wished for; what --path set is, and what the user set. */
static void what_the_log_needs_is_recorded_apart(void **state)
{
	static const struct {
		const struct backend_ops *ops;
		const char *path, *asked, *user, *hidden[3], *begins;
	} cases[] = {
		{ &mpi, "tcp", "UCX_TLS", "UCX_NET_DEVICES", { "UCX_LOG_FILE", "UCX_LOG_LEVEL" }, "UCX_LOG_FILE=/proc/self/fd/" },
		{ &nccl,
		  "socket",
		  "NCCL_NET",
		  "NCCL_RUNTIME_CONNECT",
		  { "NCCL_DEBUG_FILE", "NCCL_DEBUG", "NCCL_DEBUG_SUBSYS" },
		  "NCCL_DEBUG_FILE=/proc/self/fd/" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct options options = options_with(cases[i].path, NULL);
		struct fact_list facts = { 0 }, environment = { 0 }, all = { 0 };
		struct steer steer;
		char said[1024];

		options.readback = READBACK_PATH;
		setenv(cases[i].user, "1", 1);
		assert_int_equal(begin(&steer, "all_reduce", &options, cases[i].ops, said), SESSION_OK);
		assert_int_equal(
			facts_environment(&environment, &steer) | facts_environment(&all, NULL) | steer_facts(&steer, &facts), 0);
		for (size_t k = 0; k < 3 && cases[i].hidden[k]; k++) {
			assert_null(fact(&environment, cases[i].hidden[k]));
			assert_non_null(fact(&all, cases[i].hidden[k]));
			assert_non_null(strstr(fact(&facts, "readback_set"), cases[i].hidden[k]));
			assert_null(strstr(fact(&facts, "steer_set"), cases[i].hidden[k]));
		}
		assert_non_null(fact(&environment, cases[i].asked));
		assert_string_equal(fact(&environment, cases[i].user), "1");
		assert_ptr_equal(strstr(fact(&facts, "readback_set"), cases[i].begins), fact(&facts, "readback_set"));
		assert_null(strstr(fact(&facts, "readback_set"), cases[i].user));
		facts_free(&facts);
		facts_free(&environment);
		facts_free(&all);
		unsetenv(cases[i].user);
	}
}

/* A program that a steered one started inherits its environment, and none of it is its own. */
static void a_mark_of_another_process_is_nothing(void **state)
{
	static const char *const marks[] = { "1:UCX_TLS", "", ":", "UCX_TLS", "x:UCX_TLS" };
	struct options options = options_with("tcp", NULL);
	struct steer steer;
	char said[1024];

	(void)state;
	setenv("UCX_TLS", "posix,self", 1);
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		setenv("COLLPERF_STEERED", marks[i], 1);
		assert_int_equal(begin(&steer, "all_reduce", &options, &mpi, said), SESSION_OK);
		assert_int_equal(steer.nset, 0);
		assert_int_equal(steer.nkept, 1);
		assert_non_null(strstr(said, "UCX_TLS=posix,self of the environment is kept"));
		assert_null(getenv("COLLPERF_STEERED"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(variables_are_set, forget),
		cmocka_unit_test_setup(nothing_asked_is_nothing_set, forget),
		cmocka_unit_test_setup(the_users_values_are_kept, forget),
		cmocka_unit_test_setup(the_users_algorithm_is_told, forget),
		cmocka_unit_test_setup(what_cannot_be_is_refused, forget),
		cmocka_unit_test_setup(simulated_ranks_have_models, forget),
		cmocka_unit_test_setup(started_again_it_knows_its_own, forget),
		cmocka_unit_test_setup(what_the_log_needs_is_recorded_apart, forget),
		cmocka_unit_test_setup(a_mark_of_another_process_is_nothing, forget),
	};

	return cmocka_run_group_tests_name("src/steer", tests, NULL, NULL);
}
