/* SPDX-License-Identifier: Apache-2.0
 *
 * The directory that a report is written to, held open so that its name is looked up once.
 */
#include "outdir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array.h"
#include "escape.h"

static int complain(const char *path, const char *name, const char *what)
{
	int error = errno;

	fputs("collperf report: ", stderr);
	escape_put(stderr, ESCAPE_PLAIN, "%s%s%s: %s: %s\n", path, *name ? "/" : "", name, what, strerror(error));
	return -1;
}

int outdir_make(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		int rc;

		*slash = '\0';
		rc = mkdir(path, 0777);
		*slash = '/';
		if (rc && errno != EEXIST)
			return -1;
	}
	return mkdir(path, 0777) && errno != EEXIST ? -1 : 0;
}

static bool is_empty(int fd)
{
	int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = copy < 0 ? NULL : fdopendir(copy);
	size_t entries = 0;

	if (!dir) {
		if (copy >= 0)
			close(copy);
		return false;
	}
	for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir))
		entries += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
	closedir(dir);
	return entries == 0;
}

/* Nobody's files but an earlier report's may be overwritten. */
static bool may_write(int fd)
{
	return (faccessat(fd, "index.html", F_OK, 0) == 0 && faccessat(fd, "bounds.csv", F_OK, 0) == 0) || is_empty(fd);
}

int outdir_open(const char *path, struct outdir *dir)
{
	char *copy = strdup(path);
	int fd;

	if (!copy)
		return array_failed();
	if (outdir_make(copy)) {
		complain(path, "", "cannot be made");
		goto fail;
	}
	fd = open(copy, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		complain(path, "", "cannot be opened");
		goto fail;
	}
	if (!may_write(fd)) {
		close(fd);
		escape_put(stderr, ESCAPE_PLAIN,
			   "collperf report: %s: is not empty and holds no earlier report; name another directory with -o\n",
			   path);
		goto fail;
	}
	*dir = (struct outdir){ copy, fd };
	return 0;
fail:
	free(copy);
	return -1;
}

void outdir_close(struct outdir *dir)
{
	close(dir->fd);
	free(dir->path);
	*dir = (struct outdir){ NULL, -1 };
}

FILE *outdir_create(const struct outdir *dir, const char *name)
{
	int fd = openat(dir->fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	if (!file) {
		complain(dir->path, name, "cannot be written");
		if (fd >= 0)
			close(fd);
	}
	return file;
}

int outdir_finish(const struct outdir *dir, const char *name, FILE *file)
{
	int bad = ferror(file);

	if (fclose(file) || bad)
		return complain(dir->path, name, "cannot be written");
	return 0;
}

bool outdir_has(const struct outdir *dir, const char *name)
{
	return faccessat(dir->fd, name, F_OK, 0) == 0;
}

char *outdir_read(const struct outdir *dir, const char *name)
{
	int fd = openat(dir->fd, name, O_RDONLY | O_CLOEXEC);
	char *text = NULL;
	struct stat status;
	size_t used = 0;
	ssize_t got = 0;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		text = malloc((size_t)status.st_size + 1);
	while (text && used < (size_t)status.st_size && (got = read(fd, text + used, (size_t)status.st_size - used)) > 0)
		used += (size_t)got;
	close(fd);
	if (text)
		text[used] = '\0';
	return text;
}
