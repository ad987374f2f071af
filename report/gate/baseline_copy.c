/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies and removals that are seen as a whole or not at all.
 */
#include "baseline_copy.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../runs.h"

static const char making[] = ".making", removing[] = ".removing";

static int write_all(int fd, const char *data, size_t size)
{
	while (size > 0) {
		const ssize_t n = write(fd, data, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		data += n;
		size -= (size_t)n;
	}
	return 0;
}

/* -1 with errno. */
static int pour(int from, int to)
{
	char block[1 << 16];

	for (;;) {
		const ssize_t n = read(from, block, sizeof block);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || (n > 0 && write_all(to, block, (size_t)n)))
			return -1;
		if (n == 0)
			break;
	}
	return fsync(to) && errno != EINVAL ? -1 : 0;
}

static int copy_open(int from, int into, const char *name)
{
	struct stat status;
	const int to = openat(into, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
	int rc;

	if (to < 0)
		return -1;
	if (fstat(from, &status) == 0 && S_ISREG(status.st_mode)) {
		rc = pour(from, to);
	} else {
		errno = EINVAL;
		rc = -1;
	}
	return close(to) || rc ? -1 : 0;
}

/* A file that the run does not have is left out. */
static int copy_file(const char *run, int into, const char *name)
{
	char path[PATH_MAX];
	int from, rc, error;

	if (snprintf(path, sizeof path, "%s/%s", run, name) >= (int)sizeof path)
		return baseline_complain(run, strerror(ENAMETOOLONG));
	/* Without O_NONBLOCK the opening of a pipe would wait. */
	from = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (from < 0)
		return errno == ENOENT ? 0 : baseline_complain(path, strerror(errno));
	rc = copy_open(from, into, name);
	error = errno;
	close(from);
	return rc ? baseline_complain(path, strerror(error)) : 0;
}

/* What a report reads of a run. */
static int copy_files(const char *run, int into)
{
	int rc = copy_file(run, into, "run.json");

	for (size_t c = 0; rc == 0 && runs_file(c); c++) {
		char name[64];

		snprintf(name, sizeof name, "%s.csv", runs_file(c));
		rc = copy_file(run, into, name);
	}
	return rc;
}

static int complain(const struct baseline *baseline)
{
	return baseline_complain(baseline->path, strerror(errno));
}

int baseline_copy(const struct baseline *baseline, const char *run, const char *name)
{
	int into = -1, rc = -1;

	if (mkdirat(baseline->fd, making, 0777) == 0)
		into = openat(baseline->fd, making, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (into < 0)
		return complain(baseline);
	if (copy_files(run, into) == 0) {
		fsync(into);
		rc = renameat(baseline->fd, making, baseline->fd, name) ? complain(baseline) : 0;
		fsync(baseline->fd);
	}
	close(into);
	if (rc)
		baseline_clean(baseline);
	return rc;
}

/* Runs hold no folders; one that somebody put there keeps the run from being removed. -1 with errno. */
static int empty(int fd)
{
	const int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = copy < 0 ? NULL : fdopendir(copy);
	int rc = 0, error;

	if (!dir) {
		error = errno;
		if (copy >= 0)
			close(copy);
		errno = error;
		return -1;
	}
	for (const struct dirent *entry = readdir(dir); rc == 0 && entry; entry = readdir(dir)) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			rc = unlinkat(fd, entry->d_name, 0);
	}
	error = errno;
	closedir(dir);
	errno = error;
	return rc;
}

static int erase(const struct baseline *baseline, const char *name)
{
	const int fd = openat(baseline->fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	int rc, error;

	if (fd < 0)
		return errno == ENOENT ? 0 : complain(baseline);
	rc = empty(fd);
	error = errno;
	close(fd);
	errno = error;
	return rc || unlinkat(baseline->fd, name, AT_REMOVEDIR) ? complain(baseline) : 0;
}

int baseline_remove(const struct baseline *baseline, const char *name)
{
	if (renameat(baseline->fd, name, baseline->fd, removing))
		return complain(baseline);
	return erase(baseline, removing);
}

int baseline_clean(const struct baseline *baseline)
{
	return erase(baseline, making) || erase(baseline, removing) ? -1 : 0;
}
