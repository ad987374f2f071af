/* SPDX-License-Identifier: Apache-2.0
 *
 * Jobs of forked ranks with a launch over socket pairs, for the tests of the watch. What a job printed and how its ranks ended is compared whole.
 */
#ifndef COLLPERF_TEST_WATCH_JOBS_H
#define COLLPERF_TEST_WATCH_JOBS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/launch.h"
#include "src/watch.h"
#include "src/watch_parts.h"

enum { MAX_RANKS = 4 };

struct rank {
	struct launch launch;
	int fd[MAX_RANKS]; /* rank 0: to each; others: fd[0] */
	double timeout;
	void (*on_invitation)(struct rank *rank, struct watch_invitation *invitation);
	struct watch *watch;
	void *shared; /* the job's */
};

struct job {
	int size;
	double timeout;
	int error_fd;
	pid_t pid[MAX_RANKS];
	int status[MAX_RANKS];
	char text[4096];
	char host[WATCH_HOST_SIZE];
	void (*on_invitation)(struct rank *rank, struct watch_invitation *invitation);
	void *shared; /* seen by all ranks */
};

/* --- a launch over socket pairs --- */

static void put(int fd, const void *data, size_t size)
{
	if (send(fd, data, size, MSG_NOSIGNAL) != (ssize_t)size)
		_exit(99);
}

static void get(int fd, void *data, size_t size)
{
	if (recv(fd, data, size, MSG_WAITALL) != (ssize_t)size)
		_exit(98);
}

static int broadcast(struct launch *launch, void *data, size_t size)
{
	struct rank *rank = launch->state;

	if (launch->rank > 0)
		get(rank->fd[0], data, size);
	for (int i = 1; launch->rank == 0 && i < launch->size; i++)
		put(rank->fd[i], data, size);
	if (rank->on_invitation && size == sizeof(struct watch_invitation))
		rank->on_invitation(rank, data);
	return 0;
}

static int agree(struct launch *launch, int value, int *largest)
{
	struct rank *rank = launch->state;

	if (launch->rank > 0) {
		put(rank->fd[0], &value, sizeof value);
		get(rank->fd[0], largest, sizeof *largest);
		return 0;
	}
	*largest = value;
	for (int i = 1; i < launch->size; i++) {
		get(rank->fd[i], &value, sizeof value);
		*largest = value > *largest ? value : *largest;
	}
	for (int i = 1; i < launch->size; i++)
		put(rank->fd[i], largest, sizeof *largest);
	return 0;
}

static void meet(struct rank *rank)
{
	int unused;

	agree(&rank->launch, 0, &unused);
}

static const struct launch_ops fake_ops = { .broadcast = broadcast, .agree = agree };

/* --- jobs --- */

static void become(struct job *job, int index, int pairs[][2], int error_fd, int (*body)(struct rank *))
{
	struct rank rank = { .timeout = job->timeout, .on_invitation = job->on_invitation, .shared = job->shared };

	dup2(error_fd, STDERR_FILENO);
	close(error_fd);
	close(job->error_fd);
	for (int i = 1; i < job->size; i++) {
		if (index == 0)
			rank.fd[i] = pairs[i][0];
		else if (i == index)
			rank.fd[0] = pairs[i][1];
		if (index != 0)
			close(pairs[i][0]);
		if (index != i)
			close(pairs[i][1]);
	}
	rank.launch = (struct launch){
		.name = "fake", .rank = index, .size = job->size, .nnodes = 1, .ops = &fake_ops, .state = &rank
	};
	_exit(body(&rank));
}

static void start(struct job *job, int (*body)(struct rank *))
{
	int pairs[MAX_RANKS][2], errors[2];

	gethostname(job->host, sizeof job->host - 1);
	assert_int_equal(pipe(errors), 0);
	job->error_fd = errors[0];
	for (int i = 1; i < job->size; i++)
		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[i]), 0);
	for (int i = 0; i < job->size; i++) {
		job->pid[i] = fork();
		assert_true(job->pid[i] >= 0);
		if (job->pid[i] == 0)
			become(job, i, pairs, errors[1], body);
	}
	close(errors[1]);
	for (int i = 1; i < job->size; i++) {
		close(pairs[i][0]);
		close(pairs[i][1]);
	}
}

/* Until the end of stderr, which the hub holds as well; or, with `line`, until the first line. A job that hangs is killed and fails. */
static void read_errors(struct job *job, bool line)
{
	size_t length = strlen(job->text);
	ssize_t got = 1;

	while (got > 0 && length < sizeof job->text - 1) {
		struct pollfd item = { .fd = job->error_fd, .events = POLLIN };

		if (line && strchr(job->text, '\n'))
			return;
		if (poll(&item, 1, 15000) != 1) {
			for (int i = 0; i < job->size; i++)
				kill(job->pid[i], SIGKILL);
			fail_msg("the job hangs; so far: %s", job->text);
		}
		got = read(job->error_fd, job->text + length, sizeof job->text - 1 - length);
		length += got > 0 ? (size_t)got : 0;
		job->text[length] = '\0';
	}
}

static void finish(struct job *job)
{
	read_errors(job, false);
	close(job->error_fd);
	for (int i = 0; i < job->size; i++) {
		int status;

		assert_int_equal(waitpid(job->pid[i], &status, 0), job->pid[i]);
		job->status[i] = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
	}
}

static void run(struct job *job, int (*body)(struct rank *))
{
	start(job, body);
	finish(job);
}

static void assert_status(const struct job *job, int first, int second, int third)
{
	const int expected[] = { first, second, third };

	for (int i = 0; i < job->size; i++)
		if (job->status[i] != expected[i])
			fail_msg("rank %d ended with %d, not %d; stderr: %s", i, job->status[i], expected[i], job->text);
}

static void assert_text(const struct job *job, const char *format, ...)
{
	char expected[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(expected, sizeof expected, format, args);
	va_end(args);
	assert_string_equal(job->text, expected);
}

/* --- how all ranks begin --- */

static void begin(struct rank *rank)
{
	rank->watch = watch_start("test", rank->timeout, false);
	if (!rank->watch || watch_connect(rank->watch, &rank->launch))
		_exit(97);
	watch_point(rank->watch, "all_reduce, 1024 bytes");
	watch_phase(rank->watch, WATCH_TIMING);
	for (int i = 0; i < 4; i++)
		watch_call(rank->watch);
	meet(rank);
}

static _Noreturn int stuck(void)
{
	while (true)
		pause();
}

#endif
