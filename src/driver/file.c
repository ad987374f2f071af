/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading and replacing whole files.
 */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "say.h"

void file_text_add(struct file_text *text, const char *data, size_t size)
{
	char *grown;

	if (size == 0)
		return;
	grown = realloc(text->data, text->size + size);
	if (!grown) {
		text->failed = true;
		return;
	}
	memcpy(grown + text->size, data, size);
	text->data = grown;
	text->size += size;
}

void file_text_clear(struct file_text *text)
{
	free(text->data);
	*text = (struct file_text){ 0 };
}

static int read_all(int fd, struct file_text *text)
{
	char block[65536];
	ssize_t n;

	while ((n = read(fd, block, sizeof(block))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		file_text_add(text, block, (size_t)n);
		if (text->failed || text->size > FILE_MAX_BYTES) {
			errno = text->failed ? ENOMEM : EFBIG;
			return -1;
		}
	}
	return 0;
}

int file_read(const char *path, struct file_text *text)
{
	struct stat status;
	/* Without O_NONBLOCK the opening of a pipe would wait. */
	int rc = -1, fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	*text = (struct file_text){ 0 };
	if (fd < 0)
		return -1;
	if (fstat(fd, &status) == 0 && !S_ISREG(status.st_mode))
		errno = EINVAL;
	else
		rc = read_all(fd, text);
	close(fd);
	if (rc != 0)
		file_text_clear(text);
	return rc;
}

static int write_all(int fd, const char *data, size_t size)
{
	while (size > 0) {
		ssize_t n = write(fd, data, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		data += n;
		size -= (size_t)n;
	}
	return fsync(fd) == 0 || errno == EINVAL ? 0 : -1;
}

static int write_new(const char *path, const char *data, size_t size)
{
	int rc, fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);

	if (fd < 0)
		return -1;
	rc = write_all(fd, data, size);
	return close(fd) == 0 ? rc : -1;
}

int file_replace(const char *path, const char *data, size_t size)
{
	char *temporary = NULL;
	int rc = 0;

	if (asprintf(&temporary, "%s.new", path) < 0)
		return say("%s: out of memory", path);
	if (write_new(temporary, data, size) != 0 || rename(temporary, path) != 0) {
		rc = say("%s: %s", path, strerror(errno));
		unlink(temporary);
	}
	free(temporary);
	return rc;
}
