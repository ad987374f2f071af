/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs Graphviz's dot: no shell, no file of its own, an environment that tells it nothing but where things are.
 */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command_parts.h"
#include "program.h"

enum { PATIENCE_SECONDS = 60, STEP_MILLISECONDS = 10, MOST_PICTURE = 256 << 20 };

/* The graph goes in and the picture comes out by files in memory, so that neither side can wait for the other. */
struct dot_run {
	int in, out, err; /* -1: none */
	pid_t pid;
};

static void close_files(struct dot_run *run)
{
	if (run->in >= 0)
		close(run->in);
	if (run->out >= 0)
		close(run->out);
	if (run->err >= 0)
		close(run->err);
}

static int fill(int file, const char *text, size_t size)
{
	while (size > 0) {
		const ssize_t done = write(file, text, size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return -1;
		text += done;
		size -= (size_t)done;
	}
	return lseek(file, 0, SEEK_SET) == 0 ? 0 : -1;
}

static int open_files(struct dot_run *run, const char *graph, size_t size)
{
	run->in = memfd_create("graph", MFD_CLOEXEC);
	run->out = memfd_create("picture", MFD_CLOEXEC);
	run->err = memfd_create("words", MFD_CLOEXEC);
	return run->in >= 0 && run->out >= 0 && run->err >= 0 ? fill(run->in, graph, size) : -1;
}

/* An errno, or 0. */
static int start(struct dot_run *run, const char *program)
{
	char *const args[] = { (char *)"dot", (char *)"-Tsvg", NULL };
	char *environment[PROGRAM_ENVIRONMENT];
	posix_spawn_file_actions_t actions;
	int rc = posix_spawn_file_actions_init(&actions);

	if (rc)
		return rc;
	program_environment(environment);
	rc = posix_spawn_file_actions_adddup2(&actions, run->in, STDIN_FILENO);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&actions, run->out, STDOUT_FILENO);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&actions, run->err, STDERR_FILENO);
	if (!rc)
		rc = posix_spawn(&run->pid, program, &actions, NULL, args, environment);
	posix_spawn_file_actions_destroy(&actions);
	for (size_t i = 0; environment[i]; i++)
		free(environment[i]);
	return rc;
}

/* Large graphs can take for ever. Whether it ended well. */
static bool wait_for_end(const struct dot_run *run, const char **why)
{
	const struct timespec step = { .tv_nsec = STEP_MILLISECONDS * 1000000L };
	int status = 0;
	pid_t ended = 0;

	for (long waited = 0; ended == 0 && waited < PATIENCE_SECONDS * 1000L; waited += STEP_MILLISECONDS) {
		ended = waitpid(run->pid, &status, WNOHANG);
		if (ended < 0 && errno == EINTR)
			ended = 0;
		if (ended == 0)
			nanosleep(&step, NULL);
	}
	if (ended == 0) {
		kill(run->pid, SIGKILL);
		while (waitpid(run->pid, &status, 0) < 0 && errno == EINTR)
			;
		*why = "it took longer than 60 s";
		return false;
	}
	*why = "it failed";
	return ended > 0 && status == 0;
}

/* The first line of what dot said, as it may be printed. */
static void read_words(int file, char *text, size_t size)
{
	ssize_t length = pread(file, text, size - 1, 0);

	text[length > 0 ? length : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	for (char *c = text; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
}

static char *read_picture(int file, size_t *size)
{
	const off_t end = lseek(file, 0, SEEK_END);
	char *text = end > 0 && end < MOST_PICTURE ? malloc((size_t)end + 1) : NULL;

	if (!text)
		return NULL;
	*size = 0;
	while (*size < (size_t)end) {
		const ssize_t got = pread(file, text + *size, (size_t)end - *size, (off_t)*size);

		if (got <= 0) {
			free(text);
			return NULL;
		}
		*size += (size_t)got;
	}
	text[*size] = '\0';
	return text;
}

static int run_dot(struct dot_run *run, const char *program, const char *graph, size_t graph_size, char **picture, size_t *size)
{
	const char *why = "it drew nothing";
	char words[200] = "";
	int rc = open_files(run, graph, graph_size) ? errno : start(run, program);

	if (rc) {
		fprintf(stderr, "collperf topo: dot cannot be started: %s\n", strerror(rc));
		return -1;
	}
	if (wait_for_end(run, &why)) {
		why = "it drew nothing";
		*picture = read_picture(run->out, size);
		if (*picture)
			return 0;
	}
	read_words(run->err, words, sizeof words);
	fprintf(stderr, "collperf topo: dot: %s%s%s\n", why, *words ? ": " : "", words);
	return -1;
}

enum topo_drawn topo_draw(const char *graph, size_t graph_size, char **picture, size_t *size)
{
	struct dot_run run = { -1, -1, -1, 0 };
	char *program = program_find("dot");
	int rc;

	if (!program)
		return TOPO_NO_DOT;
	rc = run_dot(&run, program, graph, graph_size, picture, size);
	close_files(&run);
	free(program);
	return rc == 0 ? TOPO_DRAWN : TOPO_NOT_DRAWN;
}
