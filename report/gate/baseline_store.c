/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding, locking and trimming the folder of a baseline.
 */
#include "baseline_store.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../array.h"
#include "../escape.h"
#include "../outdir.h"
#include "../runs.h"
#include "baseline_copy.h"
#include "tell.h"

static const char lock_name[] = ".lock";

int baseline_complain(const char *path, const char *why)
{
	escape_put(stderr, ESCAPE_PLAIN, "collperf baseline: %s: %s\n", path, why);
	return -1;
}

bool baseline_is_name(const char *name)
{
	static const char shape[] = "00000000T000000.000Z-";
	const size_t length = strlen(name);

	if (length < sizeof shape || length >= BASELINE_NAME)
		return false;
	for (size_t i = 0; i < length; i++) {
		const bool is_digit = isdigit((unsigned char)name[i]);
		const bool fits = i >= sizeof shape - 1 ? isalnum((unsigned char)name[i]) || name[i] == '-'
				  : shape[i] == '0'     ? is_digit
							: name[i] == shape[i];

		if (!fits)
			return false;
	}
	return true;
}

static int name_add(struct baseline *baseline, const char *name)
{
	char **grown = array_grow(baseline->names, baseline->count, sizeof *grown);

	if (!grown)
		return -1;
	baseline->names = grown;
	grown[baseline->count] = strdup(name);
	if (!grown[baseline->count])
		return array_failed();
	baseline->count++;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* 1, 0, or -1 with errno: a folder that may not be looked into is not an empty one. */
static int is_folder(int fd, const char *name)
{
	struct stat status;

	if (fstatat(fd, name, &status, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : -1;
	return S_ISDIR(status.st_mode);
}

/* What stands in folders that nobody has used: hidden files, and what a file system makes itself. */
static bool is_idle(const char *name)
{
	return name[0] == '.' || strcmp(name, "lost+found") == 0;
}

/* One name of the folder. */
static int take_entry(struct baseline *baseline, const char *name)
{
	const int folder = baseline_is_name(name) ? is_folder(baseline->fd, name) : 0;

	if (folder < 0)
		return baseline_complain(baseline->path, strerror(errno));
	baseline->others += folder == 0 && !is_idle(name);
	return folder ? name_add(baseline, name) : 0;
}

static int list(struct baseline *baseline)
{
	const int copy = openat(baseline->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = copy < 0 ? NULL : fdopendir(copy);
	int rc = 0;

	if (!dir) {
		rc = baseline_complain(baseline->path, strerror(errno));
		if (copy >= 0)
			close(copy);
		return rc;
	}
	for (const struct dirent *entry = readdir(dir); rc == 0 && entry; entry = readdir(dir))
		rc = take_entry(baseline, entry->d_name);
	closedir(dir);
	if (baseline->count > 0)
		qsort(baseline->names, baseline->count, sizeof *baseline->names, by_name);
	return rc;
}

/* 0, or -1 with errno. Other failures than "held" are those of file systems without locks. */
static int lock_within(int fd, int how, long wait)
{
	const struct timespec pause = { .tv_nsec = 50000000 };
	struct timespec now, begin;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	while (flock(fd, how | LOCK_NB) && errno == EWOULDBLOCK) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec - begin.tv_sec >= wait)
			return -1;
		nanosleep(&pause, NULL);
	}
	return 0;
}

/* Who only reads may do so where nothing can be written. */
static int lock(struct baseline *baseline, bool write, long wait)
{
	const int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;

	baseline->lock = openat(baseline->fd, lock_name, write ? O_RDWR | O_CREAT | flags : O_RDONLY | flags, 0666);
	if (baseline->lock < 0)
		return write ? baseline_complain(baseline->path, strerror(errno)) : 0;
	if (lock_within(baseline->lock, write ? LOCK_EX : LOCK_SH, wait))
		return baseline_complain(baseline->path, "another collperf baseline is at work there (--wait SECONDS)");
	return 0;
}

static void clear_names(struct baseline *baseline)
{
	for (size_t i = 0; i < baseline->count; i++)
		free(baseline->names[i]);
	free(baseline->names);
	baseline->names = NULL;
	baseline->count = baseline->others = 0;
}

int baseline_open(const char *path, bool write, long wait, struct baseline *baseline)
{
	*baseline = (struct baseline){ .path = strndup(path, runs_name_length(path)), .fd = -1, .lock = -1 };
	if (!baseline->path) {
		array_failed();
		return GATE_EXIT_INPUT;
	}
	if (write && outdir_make(baseline->path)) {
		baseline_complain(path, strerror(errno));
		return GATE_EXIT_INPUT;
	}
	baseline->fd = open(baseline->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (baseline->fd < 0) {
		baseline_complain(path, strerror(errno));
		return GATE_EXIT_INPUT;
	}
	if (faccessat(baseline->fd, "run.json", F_OK, 0) == 0) {
		baseline_complain(path, "is a run directory; a baseline is a folder of its own, named before the run");
		return GATE_EXIT_USAGE;
	}
	/* Before anything is written there. */
	if (write && list(baseline))
		return GATE_EXIT_INPUT;
	if (baseline->count == 0 && baseline->others > 0) {
		baseline_complain(path, "is not empty and holds no run of a baseline; name a folder of its own");
		return GATE_EXIT_USAGE;
	}
	clear_names(baseline);
	if (lock(baseline, write, wait) || (write && baseline_clean(baseline)) || list(baseline))
		return GATE_EXIT_INPUT;
	return GATE_EXIT_OK;
}

void baseline_close(struct baseline *baseline)
{
	clear_names(baseline);
	free(baseline->path);
	if (baseline->lock >= 0)
		close(baseline->lock);
	if (baseline->fd >= 0)
		close(baseline->fd);
	*baseline = (struct baseline){ .fd = -1, .lock = -1 };
}

bool baseline_has(const struct baseline *baseline, const char *name)
{
	for (size_t i = 0; i < baseline->count; i++) {
		if (strcmp(baseline->names[i], name) == 0)
			return true;
	}
	return false;
}

int baseline_add(struct baseline *baseline, const char *run, const char *name)
{
	if (baseline_copy(baseline, run, name) || name_add(baseline, name))
		return -1;
	qsort(baseline->names, baseline->count, sizeof *baseline->names, by_name);
	return 0;
}

int baseline_trim(struct baseline *baseline, size_t keep)
{
	while (baseline->count > keep) {
		if (baseline_remove(baseline, baseline->names[0]))
			return -1;
		free(baseline->names[0]);
		baseline->count--;
		memmove(baseline->names, baseline->names + 1, baseline->count * sizeof *baseline->names);
	}
	return 0;
}

char *baseline_place(const struct baseline *baseline, size_t i)
{
	char *path;

	if (asprintf(&path, "%s/%s", baseline->path, baseline->names[i]) < 0) {
		array_failed();
		return NULL;
	}
	return path;
}
