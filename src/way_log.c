/* SPDX-License-Identifier: Apache-2.0
 *
 * Logs of libraries. A file in memory is reached by its descriptor's name under /proc, so that nothing is left on a disk even by a process that is killed.
 */
#include "way_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A descriptor out of everybody's way, and the same in all runs: its number is in their facts. */
enum { MOST_BYTES = 64 << 20, DESCRIPTOR = 100 };

static const char directory[] = "/proc/self/fd/", label[] = "collperf-log";

int way_log_make(char *name, size_t size)
{
	const int made = memfd_create(label, 0);
	int log = made < 0 ? -1 : fcntl(made, F_DUPFD, DESCRIPTOR);

	if (log < 0)
		log = made;
	else
		close(made);
	if (log < 0)
		return -1;
	snprintf(name, size, "%s%d", directory, log);
	if (access(name, R_OK | W_OK) == 0)
		return log;
	close(log);
	return -1;
}

int way_log_own(const char *name)
{
	char target[64], rest;
	int log;
	ssize_t length;

	if (strncmp(name, directory, strlen(directory)) != 0 || sscanf(name + strlen(directory), "%9d%c", &log, &rest) != 1)
		return -1;
	length = readlink(name, target, sizeof target - 1);
	if (length < 0)
		return -1;
	target[length] = '\0';
	return strncmp(target, "/memfd:", 7) == 0 && strncmp(target + 7, label, strlen(label)) == 0 ? log : -1;
}

/* Up to `size` bytes from `at`; how many. */
static size_t read_at(int file, char *text, size_t size, off_t at)
{
	size_t used = 0;

	while (used < size) {
		const ssize_t got = pread(file, text + used, size - used, at + (off_t)used);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		used += (size_t)got;
	}
	return used;
}

static char *read_from(int file, off_t at, size_t *size)
{
	struct stat state;
	char *text;

	if (fstat(file, &state) || !S_ISREG(state.st_mode) || state.st_size <= at)
		return NULL;
	*size = state.st_size - at > MOST_BYTES ? MOST_BYTES : (size_t)(state.st_size - at);
	text = malloc(*size);
	if (text)
		*size = read_at(file, text, *size, at);
	return text;
}

char *way_log_read(int log, size_t *size)
{
	const off_t at = lseek(log, 0, SEEK_CUR);
	const char *last;
	char *text;

	/* UCX's stream is in this process, and keeps what it has until it ends. */
	fflush(NULL);
	text = at < 0 ? NULL : read_from(log, at, size);
	if (!text)
		return NULL;
	last = memrchr(text, '\n', *size);
	if (!last) {
		free(text);
		return NULL;
	}
	*size = (size_t)(last + 1 - text);
	lseek(log, at + (off_t)*size, SEEK_SET);
	fallocate(log, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, at + (off_t)*size);
	return text;
}

/* %h and %p; -1 for others, which only the library knows. */
static int expand(const char *pattern, char *name, size_t size)
{
	char host[256] = "", number[24];
	size_t used = 0;

	gethostname(host, sizeof host - 1);
	snprintf(number, sizeof number, "%ld", (long)getpid());
	for (; *pattern; pattern++) {
		const char own[2] = { *pattern, '\0' }, *piece = own;

		if (*pattern == '%') {
			pattern++;
			piece = *pattern == 'h' ? host : *pattern == 'p' ? number : NULL;
		}
		if (!piece || used + strlen(piece) >= size)
			return -1;
		memcpy(name + used, piece, strlen(piece) + 1);
		used += strlen(piece);
	}
	return used > 0 ? 0 : -1;
}

char *way_log_read_named(const char *pattern, size_t *size)
{
	char name[4096];
	char *text = NULL;
	int file;

	if (strncmp(pattern, "file:", 5) == 0)
		pattern += 5;
	if (expand(pattern, name, sizeof name))
		return NULL;
	fflush(NULL);
	/* A pipe must not hold us up, and a terminal is no file. */
	file = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (file >= 0) {
		text = read_from(file, 0, size);
		close(file);
	}
	return text;
}

static bool is_warning(const char *line, size_t length, int all)
{
	static const char *const seen[] = { " UCX  WARN ", " UCX  ERROR ", " UCX  FATAL " };

	for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
		if (memmem(line, length, seen[i], strlen(seen[i])))
			return true;
	return all && memmem(line, length, "NCCL WARN ", 10);
}

void way_log_pass_on(const char *text, size_t size, int all)
{
	for (const char *end = text + size, *next; text < end; text = next) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));

		next = newline ? newline + 1 : end;
		if (is_warning(text, (size_t)(next - text), all))
			fwrite(text, 1, (size_t)(next - text), stderr);
	}
}

static void at_exit(int status, void *arg)
{
	size_t size;
	char *text = way_log_read((int)(intptr_t)arg, &size);

	if (text)
		way_log_pass_on(text, size, status != 0);
	free(text);
}

void way_log_pass_on_at_exit(int log)
{
	on_exit(at_exit, (void *)(intptr_t)log);
}
