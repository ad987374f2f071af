/* SPDX-License-Identifier: Apache-2.0
 *
 * Jobs of forked ranks that find each other by the environment, for the tests of that launch: what each said and how it ended is kept.
 */
#ifndef COLLPERF_TESTS_LAUNCH_JOB_H
#define COLLPERF_TESTS_LAUNCH_JOB_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/launch.h"
#include "src/launch/env.h"

enum { MAX_RANKS = 5, BAD = 99 };

static const double short_limit = 1.2;

struct job {
	int processes; /* of which each says that it is rank index, unless `disguise` says otherwise */
	int size;
	int port;
	const char *token;
	double limit;
	void (*disguise)(int index); /* may be NULL; changes its environment, may wait */
	int (*body)(struct launch *launch);
	pid_t pid[MAX_RANKS];
	int error_fd[MAX_RANKS];
	int status[MAX_RANKS]; /* exit code, or -signal */
	char text[MAX_RANKS][2048];
};

static inline void set_number(const char *name, int value)
{
	char text[16];

	snprintf(text, sizeof text, "%d", value);
	setenv(name, text, 1);
}

static inline int listen_at(int port)
{
	const struct sockaddr_in address = { .sin_family = AF_INET,
					     .sin_port = htons((uint16_t)port),
					     .sin_addr = { htonl(INADDR_LOOPBACK) } };
	const int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	if (bind(fd, (const struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 64) == 0)
		return fd;
	close(fd);
	return -1;
}

static inline int knock_at(int port)
{
	const struct sockaddr_in address = { .sin_family = AF_INET,
					     .sin_port = htons((uint16_t)port),
					     .sin_addr = { htonl(INADDR_LOOPBACK) } };
	const int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (connect(fd, (const struct sockaddr *)&address, sizeof address) == 0)
		return fd;
	close(fd);
	return -1;
}

/* As many in a row that nobody has; other tests run at the same time. */
static inline int free_ports(void)
{
	static const int first = 12000, groups = 350;
	const int start = (int)getpid();

	for (int i = 0; i < groups; i++) {
		const int port = first + (start + i * 7) % groups * ENV_TRIES;
		int fds[ENV_TRIES], free = 1;

		for (int j = 0; j < ENV_TRIES; j++)
			free &= (fds[j] = listen_at(port + j)) >= 0;
		for (int j = 0; j < ENV_TRIES; j++)
			close(fds[j]);
		if (free)
			return port;
	}
	fail_msg("no free ports");
	return 0;
}

static inline _Noreturn void become(const struct job *job, int index, int error_fd)
{
	struct launch launch;
	const struct launch_setup setup = { .program = "test", .connect_timeout = job->limit > 0 ? job->limit : 20 };
	int code;

	/* Nobody outlives the test, however it ends. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(error_fd, STDERR_FILENO);
	close(error_fd);
	set_number("RANK", index);
	set_number("WORLD_SIZE", job->size > 0 ? job->size : job->processes);
	set_number("MASTER_PORT", job->port);
	setenv("MASTER_ADDR", "127.0.0.1", 1);
	if (job->token)
		setenv("COLLPERF_TOKEN", job->token, 1);
	if (job->disguise)
		job->disguise(index);
	if (launch_open_env(&launch, &setup))
		_exit(3);
	code = job->body(&launch);
	launch.ops->close(&launch);
	_exit(code);
}

static inline void start_rank(struct job *job, int index)
{
	int errors[2];

	assert_int_equal(pipe(errors), 0);
	job->pid[index] = fork();
	assert_true(job->pid[index] >= 0);
	if (job->pid[index] == 0)
		become(job, index, errors[1]);
	close(errors[1]);
	job->error_fd[index] = errors[0];
}

static inline void end_rank(struct job *job, int index)
{
	size_t used = 0;
	ssize_t got;
	int status;

	while ((got = read(job->error_fd[index], job->text[index] + used, sizeof job->text[index] - 1 - used)) > 0)
		used += (size_t)got;
	close(job->error_fd[index]);
	assert_int_equal(waitpid(job->pid[index], &status, 0), job->pid[index]);
	job->status[index] = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static inline void start_job(struct job *job)
{
	for (int i = 0; i < job->processes; i++)
		start_rank(job, i);
}

static inline void end_job(struct job *job)
{
	for (int i = 0; i < job->processes; i++)
		end_rank(job, i);
}

static inline void run_job(struct job *job)
{
	if (!job->port)
		job->port = free_ports();
	start_job(job);
	end_job(job);
}

/* One process ended so, and said one line that holds this text, or nothing. */
static inline void assert_end(const struct job *job, int index, int status, const char *text)
{
	const char *said = job->text[index], *newline = strchr(said, '\n');

	if (job->status[index] != status)
		fail_msg("process %d ended with %d, not %d: %s", index, job->status[index], status, said);
	if (!text)
		assert_string_equal(said, "");
	else if (!strstr(said, text) || !newline || newline[1] || strncmp(said, "test: ", 6) != 0)
		fail_msg("process %d said '%s', not '%s'", index, said, text);
}

/* The body of most: all are there. */
static inline int meet(struct launch *launch)
{
	int largest = -1;

	return launch->ops->agree(launch, launch->rank, &largest) || largest != launch->size - 1 ? BAD : 0;
}

/* A connection, as soon as somebody listens. */
static inline int knock_until(int port)
{
	int fd;

	for (int i = 0; i < 500; i++) {
		fd = knock_at(port);
		if (fd >= 0)
			return fd;
		env_net_wait(0.01);
	}
	fail_msg("nobody listens at port %d", port);
	return -1;
}

#endif
