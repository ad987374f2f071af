/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs gnuplot.
 */
#include "gnuplot.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../topo/program.h"
#include "array.h"
#include "escape.h"

static const char *const scripts[] = { "style.gp", "sizes.gp", "times.gp",   "models.gp", "latency.gp",
				       "busbw.gp", "ratio.gp", "scaling.gp", "pairs.gp",  "steps.gp" };

/* From the directory of the running binary: installed, built, built with sanitizers, a test. */
static const char *const script_places[] = { "../share/collperf/plots", "../plots", "../../plots", "../../../plots",
					     "../../../../plots" };

char *gnuplot_find(void)
{
	return program_find("gnuplot");
}

/* The first line that gnuplot wrote which is not a bare pointer to a place in the script. */
static void complain(FILE *log, const char *script)
{
	char line[256];
	const char *text = "no message";

	rewind(log);
	while (fgets(line, sizeof line, log)) {
		line[strcspn(line, "\n")] = '\0';
		if (line[strspn(line, " \t^")]) {
			text = line;
			break;
		}
	}
	fprintf(stderr, "collperf report: gnuplot %s failed: ", script);
	escape_put(stderr, ESCAPE_PLAIN, "%s\n", text);
}

static int spawn(const char *program, const struct outdir *dir, const char *script, char **environment, int log, pid_t *pid)
{
	/* -d: neither ~/.gnuplot nor the site's start-up file. */
	char *const args[] = { (char *)"gnuplot", (char *)"-d", (char *)script, NULL };
	posix_spawn_file_actions_t actions;
	int rc = posix_spawn_file_actions_init(&actions);

	if (rc)
		return rc;
	rc = posix_spawn_file_actions_addfchdir_np(&actions, dir->fd);
	if (!rc)
		rc = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", 0, 0);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&actions, log, STDOUT_FILENO);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&actions, log, STDERR_FILENO);
	if (!rc)
		rc = posix_spawn(pid, program, &actions, NULL, args, environment);
	posix_spawn_file_actions_destroy(&actions);
	return rc;
}

int gnuplot_run(const char *program, const struct outdir *dir, const char *script)
{
	char *environment[PROGRAM_ENVIRONMENT];
	size_t n = program_environment(environment);
	FILE *log = tmpfile();
	int status = -1, rc = errno;
	pid_t pid;

	if (log)
		rc = spawn(program, dir, script, environment, fileno(log), &pid);
	while (n > 0)
		free(environment[--n]);
	if (!log || rc) {
		fprintf(stderr, "collperf report: gnuplot cannot be started: %s\n", strerror(rc));
		if (log)
			fclose(log);
		return -1;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (status != 0)
		complain(log, script);
	fclose(log);
	return status == 0 ? 0 : -1;
}

static FILE *open_script(const char *name)
{
	char self[PATH_MAX], path[PATH_MAX + 64];
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	char *slash;

	if (length <= 0)
		return NULL;
	self[length] = '\0';
	slash = strrchr(self, '/');
	if (!slash)
		return NULL;
	*slash = '\0';
	for (size_t i = 0; i < sizeof script_places / sizeof *script_places; i++) {
		FILE *file;

		snprintf(path, sizeof path, "%s/%s/%s", self, script_places[i], name);
		file = fopen(path, "re");
		if (file)
			return file;
	}
	return NULL;
}

static int copy_script(const struct outdir *dir, const char *name)
{
	FILE *from = open_script(name);
	FILE *to;
	int c;

	if (!from) {
		fprintf(stderr, "collperf report: plots/%s is not where this binary looks for it\n", name);
		return -1;
	}
	to = outdir_create(dir, name);
	while (to && (c = getc(from)) != EOF)
		putc(c, to);
	fclose(from);
	return to ? outdir_finish(dir, name, to) : -1;
}

int gnuplot_copy_scripts(const struct outdir *dir)
{
	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
		if (copy_script(dir, scripts[i]))
			return -1;
	}
	return 0;
}
