/* SPDX-License-Identifier: Apache-2.0
 *
 * A file may be a pipe, whose length nobody knows.
 */
#include "text_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int text_file_read(const char *path, size_t most, char **text, size_t *length, char *error, size_t size)
{
	const size_t bytes = most << 20;
	char *read = malloc(bytes + 1);
	FILE *file = NULL;
	int rc = -1;

	errno = 0;
	if (read)
		file = fopen(path, "rb");
	if (file)
		*length = fread(read, 1, bytes + 1, file);
	if (!read)
		snprintf(error, size, "out of memory");
	else if (!file || ferror(file))
		snprintf(error, size, "%s", errno ? strerror(errno) : "cannot be read");
	else if (*length > bytes)
		snprintf(error, size, "more than %zu MiB", most);
	else
		rc = 0;
	if (file)
		fclose(file);
	if (rc)
		free(read);
	else
		*text = read;
	return rc;
}
