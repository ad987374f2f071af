/* SPDX-License-Identifier: Apache-2.0
 *
 * Files, pipes and stdin as one text with a NUL behind it.
 */
#include "load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../text.h"

enum { FIRST_ROOM = 1 << 16 };

static const struct {
	const char *bytes;
	size_t length;
	const char *why;
} not_text[] = {
	{ "\x1f\x8b", 2, "is compressed (gzip): unpack it first" },
	{ "\x28\xb5\x2f\xfd", 4, "is compressed (zstd): unpack it first" },
	{ "\xfd"
	  "7zXZ",
	  5, "is compressed (xz): unpack it first" },
	{ "BZh", 3, "is compressed (bzip2): unpack it first" },
	{ "PK\x03\x04", 4, "is a zip archive: unpack it first" },
	{ "\xff\xfe", 2, "is UTF-16: convert it to UTF-8 first" },
	{ "\xfe\xff", 2, "is UTF-16: convert it to UTF-8 first" },
};

static int refuse(const char *name, const char *why)
{
	char shown[300];

	fprintf(stderr, "collperf import: %s: %s\n", text_escape(name, shown, sizeof(shown)), why);
	return -1;
}

/* All of a stream and one byte of room; NULL with errno set, EFBIG when it is too large. */
static char *read_all(FILE *file, size_t *size)
{
	size_t room = FIRST_ROOM;
	size_t used = 0;
	char *data = malloc(room + 1);

	while (data) {
		char *grown;

		used += fread(data + used, 1, room - used, file);
		if (used < room && !ferror(file)) {
			*size = used;
			return data;
		}
		if (!ferror(file))
			errno = used > IMPORT_MOST_BYTES ? EFBIG : 0;
		if (errno != 0 || !(grown = realloc(data, 2 * room + 1)))
			break;
		data = grown;
		room *= 2;
	}
	free(data);
	return NULL;
}

static char *read_file(const char *name, size_t *size)
{
	struct stat status;
	bool is_stdin = strcmp(name, "-") == 0;
	FILE *file = is_stdin ? stdin : fopen(name, "rb");
	char *data = NULL;

	if (!file)
		return NULL;
	if (fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode))
		errno = EISDIR;
	else
		data = read_all(file, size);
	if (!is_stdin) {
		int error = errno;

		fclose(file);
		errno = error;
	}
	return data;
}

/* Why it is no log, or NULL. */
static const char *check(const char *data, size_t size)
{
	if (size > IMPORT_MOST_BYTES)
		return "is larger than 1 GiB";
	if (size == 0)
		return "is empty";
	for (size_t i = 0; i < sizeof(not_text) / sizeof(not_text[0]); i++)
		if (size >= not_text[i].length && memcmp(data, not_text[i].bytes, not_text[i].length) == 0)
			return not_text[i].why;
	return NULL;
}

int load_text(const char *name, struct import_text *text, char **memory)
{
	size_t size;
	size_t mark;
	char *data = read_file(name, &size);
	const char *why;

	if (!data)
		return refuse(name, errno == EFBIG ? "is larger than 1 GiB" : strerror(errno ? errno : ENOMEM));
	why = check(data, size);
	if (why) {
		free(data);
		return refuse(name, why);
	}
	data[size] = '\0';
	mark = size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	*text = (struct import_text){ name, data + mark, size - mark };
	*memory = data;
	return 0;
}
