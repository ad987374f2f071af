/* SPDX-License-Identifier: Apache-2.0
 *
 * Making, checking and locking a run directory.
 */
#include "rundir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "say.h"
#include "verdict.h"

static int fail(const char *path)
{
	say("%s: %s", path, strerror(errno));
	return VERDICT_FAILED;
}

/* mkdir -p */
static int make(const char *path)
{
	char *part = strdup(path);
	int rc = 0;

	if (!part)
		return -1;
	for (char *slash = part + 1; rc == 0 && *part != '\0' && (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		if (mkdir(part, 0777) != 0 && errno != EEXIST)
			rc = -1;
		*slash = '/';
	}
	if (rc == 0 && mkdir(path, 0777) != 0 && errno != EEXIST)
		rc = -1;
	free(part);
	return rc;
}

static int is_empty(const char *path, bool *empty)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;

	if (!dir)
		return -1;
	*empty = true;
	while (*empty && (entry = readdir(dir)))
		*empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
	closedir(dir);
	return 0;
}

static int lock(const char *path, int *fd)
{
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dir < 0)
		return fail(path);
	/* Other failures than "held" are those of file systems without locks. */
	if (flock(dir, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
		close(dir);
		say("%s: another collperf run is at work there", path);
		return VERDICT_FAILED;
	}
	if (faccessat(dir, ".", W_OK | X_OK, 0) != 0) {
		close(dir);
		return fail(path);
	}
	*fd = dir;
	return 0;
}

static bool has_record(const char *path)
{
	char *record = rundir_record(path);
	bool has = record && access(record, F_OK) == 0;

	free(record);
	return has;
}

int rundir_create(const char *path, int *fd)
{
	bool empty;
	int rc, dir;

	if (make(path) != 0)
		return fail(path);
	rc = lock(path, &dir);
	if (rc != 0)
		return rc;
	if (is_empty(path, &empty) != 0) {
		rc = fail(path);
	} else if (!empty) {
		say("%s: %s", path,
		    has_record(path) ? "holds a run already (--resume continues it)" : "is not empty and holds no run");
		rc = VERDICT_USAGE;
	}
	if (rc == 0)
		*fd = dir;
	else
		close(dir);
	return rc;
}

int rundir_open(const char *path, int *fd)
{
	int dir, rc = lock(path, &dir);

	if (rc != 0)
		return rc;
	if (has_record(path)) {
		*fd = dir;
		return 0;
	}
	close(dir);
	say("%s: no run.json there", path);
	return VERDICT_FAILED;
}

char *rundir_record(const char *path)
{
	char *record;

	return asprintf(&record, "%s/run.json", path) < 0 ? NULL : record;
}
