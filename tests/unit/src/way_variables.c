/* SPDX-License-Identifier: Apache-2.0
 *
 * Which variables are set so that a library writes its log, and which are the user's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "src/way_log.h"
#include "src/way_taken.h"

static const char *const variables[] = { "NCCL_DEBUG",           "NCCL_DEBUG_FILE", "NCCL_DEBUG_SUBSYS",
					 "NCCL_RUNTIME_CONNECT", "UCX_LOG_LEVEL",   "UCX_LOG_FILE",
					 "UCX_LOG_FILE_SIZE",    "UCX_TLS",         "NCCL_P2P_DISABLE" };

static int forget(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
		unsetenv(variables[i]);
	return 0;
}

static const char *value_of(const struct steer_variable *set, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (strcmp(set[i].name, name) == 0)
			return set[i].value;
	return NULL;
}

static void test_variables(void **state)
{
	struct steer_variable set[STEER_MOST];
	int n;

	(void)state;
	n = way_taken_variables("mpi", READBACK_PATH, set, STEER_MOST);
	assert_int_equal(n, 2);
	assert_string_equal(value_of(set, n, "UCX_LOG_LEVEL"), "info");
	assert_string_equal(set[0].name, "UCX_LOG_FILE");
	assert_true(way_log_own(set[0].value) >= 0);

	n = way_taken_variables("nccl", READBACK_PATH, set, STEER_MOST);
	assert_int_equal(n, 4);
	assert_string_equal(set[0].name, "NCCL_DEBUG_FILE");
	assert_string_equal(value_of(set, n, "NCCL_DEBUG"), "INFO");
	assert_string_equal(value_of(set, n, "NCCL_DEBUG_SUBSYS"), "INIT,ENV");
	assert_string_equal(value_of(set, n, "NCCL_RUNTIME_CONNECT"), "0");
	n = way_taken_variables("nccl", READBACK_ALL, set, STEER_MOST);
	assert_string_equal(value_of(set, n, "NCCL_DEBUG_SUBSYS"), "INIT,ENV,TUNING");
	assert_int_equal(way_taken_variables("nccl", READBACK_ALL, set, 1), 1);

	assert_int_equal(way_taken_variables("nccl", READBACK_OFF, set, STEER_MOST), 0);
	assert_int_equal(way_taken_variables("sim", READBACK_ALL, set, STEER_MOST), 0);
}

static void test_variables_of_the_user(void **state)
{
	static const struct {
		const char *name, *backend, *value;
	} users[] = {
		{ "NCCL_DEBUG", "nccl", "WARN" },
		{ "NCCL_DEBUG", "nccl", "" },
		{ "NCCL_DEBUG_FILE", "nccl", "/tmp/x.%p" },
		{ "NCCL_DEBUG_SUBSYS", "nccl", "ALL" },
		{ "UCX_LOG_LEVEL", "mpi", "warn" },
		{ "UCX_LOG_FILE", "mpi", "x" },
		{ "UCX_LOG_FILE_SIZE", "mpi", "1m" },
		{ "UCX_LOG_FILE", "mpi", "/proc/self/fd/0" },
		{ "UCX_LOG_FILE", "mpi", "/proc/self/fd/" },
	};
	struct steer_variable set[STEER_MOST];
	int n;

	(void)state;
	for (size_t i = 0; i < sizeof users / sizeof *users; i++) {
		forget(NULL);
		setenv(users[i].name, users[i].value, 1);
		assert_int_equal(way_taken_variables(users[i].backend, READBACK_ALL, set, STEER_MOST), 0);
	}
	/* Of another library, and one that says nothing of logs. */
	forget(NULL);
	setenv("NCCL_DEBUG", "WARN", 1);
	assert_int_equal(way_taken_variables("mpi", READBACK_PATH, set, STEER_MOST), 2);
	forget(NULL);
	setenv("NCCL_RUNTIME_CONNECT", "1", 1);
	n = way_taken_variables("nccl", READBACK_PATH, set, STEER_MOST);
	assert_int_equal(n, 3);
	assert_null(value_of(set, n, "NCCL_RUNTIME_CONNECT"));
}

static void test_variables_again(void **state)
{
	struct steer_variable set[STEER_MOST], again[STEER_MOST];
	int n;

	(void)state;
	setenv("NCCL_RUNTIME_CONNECT", "1", 1);
	n = way_taken_variables("nccl", READBACK_ALL, set, STEER_MOST);
	for (int i = 0; i < n; i++)
		setenv(set[i].name, set[i].value, 1);
	assert_int_equal(way_taken_variables("nccl", READBACK_ALL, again, STEER_MOST), n);
	for (int i = 0; i < n; i++) {
		assert_string_equal(again[i].name, set[i].name);
		assert_string_equal(again[i].value, set[i].value);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_variables, forget),
		cmocka_unit_test_setup(test_variables_of_the_user, forget),
		cmocka_unit_test_setup(test_variables_again, forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
