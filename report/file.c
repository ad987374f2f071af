/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening what is to be read without waiting for whoever may write it.
 */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *file_open(const char *path, const char **why)
{
	/* Without O_NONBLOCK the opening of a pipe would wait; of a regular file it changes nothing. */
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat status;
	FILE *file = NULL;
	int error = 0;

	*why = NULL;
	if (fd < 0 || fstat(fd, &status)) {
		error = errno;
	} else if (S_ISDIR(status.st_mode)) {
		error = EISDIR;
	} else if (!S_ISREG(status.st_mode)) {
		error = EINVAL;
		*why = "is no regular file but a pipe or a device";
	} else {
		file = fdopen(fd, "rb");
		error = errno;
	}
	if (file)
		return file;
	if (fd >= 0)
		close(fd);
	*why = *why ? *why : strerror(error);
	errno = error;
	return NULL;
}
