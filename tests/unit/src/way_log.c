/* SPDX-License-Identifier: Apache-2.0
 *
 * The files that libraries write their logs to: ours in memory, read on line by line, and those of the user; what is passed on of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/way_log.h"

static void expect_text(char *text, size_t size, const char *expected)
{
	assert_non_null(text);
	assert_int_equal(size, strlen(expected));
	assert_memory_equal(text, expected, size);
	free(text);
}

static void expect_read(int log, const char *expected)
{
	size_t size = 0;
	char *text = way_log_read(log, &size);

	expect_text(text, size, expected);
}

static void test_names(void **state)
{
	static const char *const others[] = {
		"", "x", "/proc/self/fd/", "/proc/self/fd/0", "/proc/self/fd/0x", "/proc/self/fd/99999"
	};
	char name[WAY_LOG_NAME], longer[WAY_LOG_NAME + 1];
	const int log = way_log_make(name, sizeof name);

	(void)state;
	assert_true(log >= 0);
	assert_int_equal(strncmp(name, "/proc/self/fd/", 14), 0);
	assert_int_equal(way_log_own(name), log);
	snprintf(longer, sizeof longer, "%s.", name);
	assert_int_equal(way_log_own(longer), -1);
	/* What this process executes has it too. */
	assert_int_equal(fcntl(log, F_GETFD) & FD_CLOEXEC, 0);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		assert_int_equal(way_log_own(others[i]), -1);
	close(log);
	assert_int_equal(way_log_own(name), -1);
}

/* As a library does: it opens the file by its name, and its stream keeps what it is given. */
static void test_lines(void **state)
{
	char name[WAY_LOG_NAME];
	size_t size;
	const int log = way_log_make(name, sizeof name);
	FILE *file = fopen(name, "w");

	(void)state;
	assert_non_null(file);
	assert_null(way_log_read(log, &size));
	fputs("one\ntwo\nthr", file);
	expect_read(log, "one\ntwo\n");
	assert_null(way_log_read(log, &size));
	/* The end of the line comes later. */
	fputs("ee\n", file);
	expect_read(log, "three\n");
	assert_null(way_log_read(log, &size));
	fclose(file);
	close(log);
}

/* What a long run writes does not fill the memory. */
static void test_memory(void **state)
{
	static const char line[] = "AllReduce: 64 Bytes -> Algo RING proto LL128 channel{Lo..Hi}={0..1}\n";
	const size_t round_bytes = 4000 * (sizeof line - 1);
	char name[WAY_LOG_NAME], *text;
	struct stat file_state;
	size_t size;
	const int log = way_log_make(name, sizeof name);
	FILE *file = fopen(name, "w");

	(void)state;
	assert_non_null(file);
	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < 4000; i++)
			fputs(line, file);
		text = way_log_read(log, &size);
		assert_non_null(text);
		assert_int_equal(size, round_bytes);
		free(text);
	}
	assert_int_equal(stat(name, &file_state), 0);
	assert_int_equal(file_state.st_size, 20 * round_bytes);
	assert_true(file_state.st_blocks * 512 < 1000000);
	fclose(file);
	close(log);
}

static void expect_named(const char *pattern, const char *expected)
{
	size_t size = 0;
	char *text = way_log_read_named(pattern, &size);

	if (expected)
		expect_text(text, size, expected);
	else
		assert_null(text);
}

static void test_files_of_the_user(void **state)
{
	static const char *const others[] = { "", "%", "%x", "/dev/null", "/no/such/file.%h" };
	char folder[] = "/tmp/way_log.XXXXXX", name[256], pattern[512], host[128] = "";
	FILE *file;

	(void)state;
	assert_non_null(mkdtemp(folder));
	gethostname(host, sizeof host - 1);
	snprintf(name, sizeof name, "%s/%.100s.%ld", folder, host, (long)getpid());
	file = fopen(name, "w");
	assert_non_null(file);
	/* A last line without an end may be whole. */
	fputs("one\ntwo", file);
	fclose(file);
	snprintf(pattern, sizeof pattern, "%s/%%h.%%p", folder);
	expect_named(pattern, "one\ntwo");
	snprintf(pattern, sizeof pattern, "file:%s", name);
	expect_named(pattern, "one\ntwo");
	/* It stays, and is read from its beginning. */
	expect_named(name, "one\ntwo");
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		expect_named(others[i], NULL);
	/* Nobody writes into the pipe, and nobody waits for it. */
	unlink(name);
	assert_int_equal(mkfifo(name, 0600), 0);
	expect_named(name, NULL);
	unlink(name);
	rmdir(folder);
}

/* What fd 2 gets while `text` is passed on. */
static void passed_on(const char *text, int all, char *to, size_t size)
{
	FILE *file = tmpfile();
	const int kept = dup(STDERR_FILENO);

	assert_non_null(file);
	dup2(fileno(file), STDERR_FILENO);
	way_log_pass_on(text, strlen(text), all);
	fflush(stderr);
	dup2(kept, STDERR_FILENO);
	close(kept);
	rewind(file);
	to[fread(to, 1, size - 1, file)] = '\0';
	fclose(file);
}

static void test_warnings(void **state)
{
	static const char text[] = "[1.2] [vm:1 :0] x.c:1 UCX  INFO  nothing\n"
				   "[1.2] [vm:1 :0] x.c:1 UCX  WARN  a warning\n"
				   "h:1:2 [0] x.cc:3 NCCL WARN Call to connect failed\n"
				   "[1.2] [vm:1 :0] x.c:1 UCX  DIAG  nothing\n"
				   "[1.2] [vm:1 :0] x.c:1 UCX  ERROR an error";
	char said[512];

	(void)state;
	passed_on(text, 0, said, sizeof said);
	assert_string_equal(said, "[1.2] [vm:1 :0] x.c:1 UCX  WARN  a warning\n[1.2] [vm:1 :0] x.c:1 UCX  ERROR an error");
	passed_on(text, 1, said, sizeof said);
	assert_non_null(strstr(said, "NCCL WARN Call"));
	assert_null(strstr(said, "nothing"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),    cmocka_unit_test(test_lines),
		cmocka_unit_test(test_memory),   cmocka_unit_test(test_files_of_the_user),
		cmocka_unit_test(test_warnings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
