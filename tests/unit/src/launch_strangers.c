/* SPDX-License-Identifier: Apache-2.0
 *
 * The launch by the environment among others: strangers of all kinds at its port, other jobs, the same job again, other programs. The ranks of one
 * job meet all the same, or say in one line what is in their way.
 */
#include "launch_job.h"

#include <fcntl.h>

enum { STRANGERS = 300 };

struct strangers {
	int fd[STRANGERS];
	int count;
};

static void send_stranger(struct strangers *strangers, int port, const void *data, size_t size)
{
	const int fd = strangers->fd[strangers->count++] = knock_until(port);

	if (size > 0)
		assert_true(send(fd, data, size, MSG_NOSIGNAL) > 0);
}

static void end_strangers(const struct strangers *strangers)
{
	for (int i = 0; i < strangers->count; i++)
		close(strangers->fd[i]);
}

/* Silent ones, more than are waited for at a time; half a hello; garbage of all lengths; hellos that are not for this job, or that cannot be. */
static void send_all_strangers(struct strangers *strangers, int port)
{
	struct env_hello hello = { .nonce = 5, .rank = 1, .size = 2, .host = "h" };
	unsigned char bytes[4096];
	struct env_key key;

	env_hello_key("port 1\n\n", &key);
	env_hello_write(&hello, &key, bytes);
	send_stranger(strangers, port, bytes, ENV_HELLO_BYTES);
	send_stranger(strangers, port, bytes, ENV_HELLO_BYTES / 2);
	close(strangers->fd[--strangers->count]);
	send_stranger(strangers, port, bytes, ENV_HELLO_BYTES / 2);
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)(i * 2654435761u >> 13);
	for (size_t size = 1; size <= sizeof bytes; size *= 2)
		send_stranger(strangers, port, bytes, size);
	send_stranger(strangers, port, "GET / HTTP/1.1\r\n\r\n", 18);
	while (strangers->count < STRANGERS - 1)
		send_stranger(strangers, port, NULL, 0);
}

static void test_strangers(void **state)
{
	struct job job = { .processes = 3, .body = meet, .port = free_ports() };
	struct strangers strangers = { .count = 0 };

	(void)state;
	start_rank(&job, 0);
	send_all_strangers(&strangers, job.port);
	start_rank(&job, 1);
	send_stranger(&strangers, job.port, "x", 1);
	start_rank(&job, 2);
	end_job(&job);
	end_strangers(&strangers);
	for (int rank = 0; rank < 3; rank++)
		assert_end(&job, rank, 0, NULL);
}

/* Who is not of this job is answered, so that it need not wait, and nothing is told that only the job knows. */
static void test_stranger_is_answered(void **state)
{
	struct job job = { .processes = 2, .body = meet, .port = free_ports(), .token = "sesame" };
	struct env_hello hello = { .nonce = 5, .rank = 1, .size = 2, .host = "h" };
	unsigned char bytes[ENV_ANSWER_BYTES];
	struct env_answer answer;
	struct env_key key;
	ssize_t got;
	int fd;

	(void)state;
	start_rank(&job, 0);
	fd = knock_until(job.port);
	env_hello_key("other", &key);
	env_hello_write(&hello, &key, bytes);
	assert_int_equal(send(fd, bytes, ENV_HELLO_BYTES, 0), ENV_HELLO_BYTES);
	got = recv(fd, bytes, sizeof bytes, MSG_WAITALL);
	assert_int_equal(got, sizeof bytes);
	assert_int_equal(env_answer_read(bytes, hello.nonce, &key, &answer), ENV_OTHER);
	assert_int_equal(answer.verdict, ENV_REFUSED);
	assert_int_equal(recv(fd, bytes, 1, 0), 0);
	assert_null(memmem(bytes, sizeof bytes, "sesame", 6));
	close(fd);
	start_rank(&job, 1);
	end_job(&job);
	assert_end(&job, 0, 0, NULL);
	assert_end(&job, 1, 0, NULL);
}

/* A connection that says nothing is not kept until the others come. */
static void test_silence_ends(void **state)
{
	struct job job = { .processes = 2, .body = meet, .port = free_ports() };
	char byte;
	int fd;

	(void)state;
	start_rank(&job, 0);
	fd = knock_until(job.port);
	assert_int_equal(recv(fd, &byte, 1, 0), 0);
	close(fd);
	start_rank(&job, 1);
	end_job(&job);
	assert_end(&job, 0, 0, NULL);
	assert_end(&job, 1, 0, NULL);
}

/* --- others at the same ports --- */

static void test_two_jobs(void **state)
{
	const int port = free_ports();
	struct job one = { .processes = 3, .body = meet, .port = port, .token = "one" };
	struct job two = { .processes = 3, .body = meet, .port = port, .token = "two" };

	(void)state;
	start_rank(&one, 0);
	close(knock_until(port));
	start_rank(&two, 2);
	start_rank(&two, 0);
	close(knock_until(port + 1));
	start_rank(&one, 2);
	start_rank(&two, 1);
	end_job(&two);
	start_rank(&one, 1);
	end_job(&one);
	for (int rank = 0; rank < 3; rank++) {
		assert_end(&one, rank, 0, NULL);
		assert_end(&two, rank, 0, NULL);
	}
}

static void test_same_job_twice(void **state)
{
	const int port = free_ports();
	struct job one = { .processes = 2, .body = meet, .port = port }, two = one;

	(void)state;
	start_rank(&one, 0);
	close(knock_until(port));
	start_rank(&two, 0);
	end_rank(&two, 0);
	assert_end(&two, 0, 3, "launch: rank 0: port ");
	assert_non_null(strstr(two.text[0], "rank 0 on host "));
	assert_non_null(strstr(two.text[0], "is there already: two jobs with the same MASTER_PORT?"));
	start_rank(&one, 1);
	end_job(&one);
	assert_end(&one, 0, 0, NULL);
	assert_end(&one, 1, 0, NULL);
}

/* Another job at all ports that there are: its name is not known, but what it is. */
static void test_only_another_job(void **state)
{
	const int port = free_ports();
	struct job one = { .processes = 2, .body = meet, .port = port, .token = "one" };
	struct job two = { .processes = 2, .body = meet, .port = port, .token = "two", .limit = short_limit };

	(void)state;
	start_rank(&one, 0);
	close(knock_until(port));
	start_rank(&two, 1);
	end_rank(&two, 1);
	assert_end(&two, 1, 3, "another job, or another version of this program, listens there");
	start_rank(&one, 1);
	end_job(&one);
	assert_end(&one, 0, 0, NULL);
	assert_end(&one, 1, 0, NULL);
}

/* Programs that listen there already: one that never answers, one that never even accepts. */
static void test_foreign_listeners(void **state)
{
	struct job job = { .processes = 2, .body = meet, .port = free_ports() };
	const int silent = listen_at(job.port), full = listen_at(job.port + 1);

	(void)state;
	assert_true(silent >= 0 && full >= 0);
	assert_int_equal(listen(full, 0), 0);
	run_job(&job);
	close(silent);
	close(full);
	assert_end(&job, 0, 0, NULL);
	assert_end(&job, 1, 0, NULL);
}

/* One that answers with garbage. */
static void test_foreign_answers(void **state)
{
	struct job job = { .processes = 2, .body = meet, .port = free_ports() };
	const int fd = listen_at(job.port);
	pid_t child;

	(void)state;
	assert_true(fd >= 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;) {
			char text[1000];
			const int peer = accept(fd, NULL, NULL);

			memset(text, 'x', sizeof text);
			send(peer, text, sizeof text, MSG_NOSIGNAL);
			close(peer);
		}
	}
	run_job(&job);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(fd);
	assert_end(&job, 0, 0, NULL);
	assert_end(&job, 1, 0, NULL);
}

static void with_agent(int index)
{
	(void)index;
	setenv("TORCHELASTIC_USE_AGENT_STORE", "True", 1);
}

/* torchrun's own listener keeps MASTER_PORT: nobody asks there. */
static void test_agent(void **state)
{
	struct job job = { .processes = 2, .body = meet, .port = free_ports(), .disguise = with_agent };
	const int fd = listen_at(job.port);
	int peer;

	(void)state;
	assert_true(fd >= 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0);
	run_job(&job);
	peer = accept(fd, NULL, NULL);
	assert_int_equal(peer, -1);
	close(fd);
	assert_end(&job, 0, 0, NULL);
	assert_end(&job, 1, 0, NULL);
}

static void test_no_port(void **state)
{
	struct job job = { .processes = 1, .size = 2, .body = meet, .port = free_ports() };
	int fds[ENV_TRIES];

	(void)state;
	for (int i = 0; i < ENV_TRIES; i++)
		assert_true((fds[i] = listen_at(job.port + i)) >= 0);
	run_job(&job);
	for (int i = 0; i < ENV_TRIES; i++)
		close(fds[i]);
	assert_end(&job, 0, 3, "(MASTER_PORT) can be had: Address already in use");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strangers),
		cmocka_unit_test(test_stranger_is_answered),
		cmocka_unit_test(test_silence_ends),
		cmocka_unit_test(test_two_jobs),
		cmocka_unit_test(test_same_job_twice),
		cmocka_unit_test(test_only_another_job),
		cmocka_unit_test(test_foreign_listeners),
		cmocka_unit_test(test_foreign_answers),
		cmocka_unit_test(test_agent),
		cmocka_unit_test(test_no_port),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
