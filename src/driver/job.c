/* SPDX-License-Identifier: Apache-2.0
 *
 * posix_spawn, signalfd and the wait for both.
 */
#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "say.h"

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool is_ignored(int number)
{
	struct sigaction action;

	return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

int job_open(struct job_watch *watch)
{
	*watch = (struct job_watch){ .fd = -1 };
	sigemptyset(&watch->set);
	sigaddset(&watch->set, SIGCHLD);
	sigaddset(&watch->set, SIGINT);
	sigaddset(&watch->set, SIGTERM);
	/* nohup asks for exactly this. */
	if (!is_ignored(SIGHUP))
		sigaddset(&watch->set, SIGHUP);
	watch->fd = signalfd(-1, &watch->set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (watch->fd < 0)
		return say("signalfd: %s", strerror(errno));
	sigprocmask(SIG_BLOCK, &watch->set, &watch->before);
	/* Where it is ignored, which is inherited, there is no end of a child to be seen. */
	signal(SIGCHLD, SIG_DFL);
	return 0;
}

void job_close(struct job_watch *watch)
{
	sigprocmask(SIG_SETMASK, &watch->before, NULL);
	close(watch->fd);
}

/* The next signal that has come, 0: none. */
static int next_signal(const struct job_watch *watch)
{
	struct signalfd_siginfo info;

	return read(watch->fd, &info, sizeof(info)) == (ssize_t)sizeof(info) ? (int)info.ssi_signo : 0;
}

bool job_is_interrupted(struct job_watch *watch)
{
	int number;

	while ((number = next_signal(watch)) != 0) {
		if (number != SIGCHLD)
			watch->caught = number;
	}
	return watch->caught != 0;
}

static int set_attributes(posix_spawnattr_t *attributes)
{
	sigset_t defaults, none;

	sigemptyset(&none);
	sigemptyset(&defaults);
	/* A parent that ignores them (a shell's background job does) must not make the launcher deaf. SIGHUP stays as nohup left it. */
	sigaddset(&defaults, SIGINT);
	sigaddset(&defaults, SIGTERM);
	sigaddset(&defaults, SIGPIPE);
	sigaddset(&defaults, SIGCHLD);
	if (posix_spawnattr_setsigdefault(attributes, &defaults) != 0 || posix_spawnattr_setsigmask(attributes, &none) != 0 ||
	    posix_spawnattr_setpgroup(attributes, 0) != 0)
		return -1;
	return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

static int set_files(posix_spawn_file_actions_t *actions, int out, int err)
{
	/* A group that is not the terminal's foreground would be stopped when it reads. */
	int rc = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);

	if (rc == 0 && out >= 0)
		rc = posix_spawn_file_actions_adddup2(actions, out, STDOUT_FILENO);
	if (rc == 0 && err >= 0)
		rc = posix_spawn_file_actions_adddup2(actions, err, STDERR_FILENO);
	return rc;
}

/* 0 or an errno. */
static int start(const struct words *command, int out, int err, pid_t *pid)
{
	posix_spawnattr_t attributes;
	posix_spawn_file_actions_t actions;
	int rc = ENOMEM;

	if (posix_spawnattr_init(&attributes) != 0)
		return ENOMEM;
	if (posix_spawn_file_actions_init(&actions) != 0)
		goto destroy_attributes;
	if (set_attributes(&attributes) == 0 && set_files(&actions, out, err) == 0)
		rc = posix_spawnp(pid, command->list[0], &actions, &attributes, command->list, environ);
	posix_spawn_file_actions_destroy(&actions);
destroy_attributes:
	posix_spawnattr_destroy(&attributes);
	return rc;
}

static void pass_on(struct job_watch *watch, int number, pid_t pid)
{
	if (watch->caught != 0) {
		kill(-pid, SIGKILL);
		return;
	}
	watch->caught = number;
	say("%s: passed on, waiting for the launch to end (once more kills it)",
	    number == SIGINT ? "interrupted" : strsignal(number));
	kill(pid, number);
}

/* Until the command has ended; it is left as a zombie, so that its group cannot be another's yet. */
static void await(struct job_watch *watch, pid_t pid, siginfo_t *info)
{
	struct pollfd ready = { .fd = watch->fd, .events = POLLIN };

	for (;;) {
		int number;

		info->si_pid = 0;
		if (waitid(P_PID, (id_t)pid, info, WEXITED | WNOHANG | WNOWAIT) != 0 || info->si_pid == pid)
			return;
		poll(&ready, 1, -1);
		while ((number = next_signal(watch)) != 0) {
			if (number != SIGCHLD)
				pass_on(watch, number, pid);
		}
	}
}

void job_run(struct job_watch *watch, const struct words *command, int out, int err, struct job_end *end)
{
	double begin = now();
	siginfo_t info = { 0 };
	pid_t pid;

	*end = (struct job_end){ 0 };
	end->error = start(command, out, err, &pid);
	if (end->error != 0)
		return;
	await(watch, pid, &info);
	if (watch->caught != 0)
		kill(-pid, SIGKILL);
	waitpid(pid, NULL, 0);
	end->seconds = now() - begin;
	if (info.si_code == CLD_EXITED)
		end->exit_code = info.si_status;
	else
		end->signal = info.si_status;
}
