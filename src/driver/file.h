/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole files: read at once, replaced at once.
 */
#ifndef COLLPERF_DRIVER_FILE_H
#define COLLPERF_DRIVER_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum { FILE_MAX_BYTES = 1 << 28 };

struct file_text {
	char *data; /* NULL where size is 0 */
	size_t size;
	bool failed; /* out of memory: something is missing */
};

/* -1 with errno where it is no regular file, cannot be read or is larger than FILE_MAX_BYTES. Prints nothing. */
int file_read(const char *path, struct file_text *text);
void file_text_add(struct file_text *text, const char *data, size_t size);
void file_text_clear(struct file_text *text);

/* Writes `path` by way of a temporary name beside it: it holds the old contents or the new ones. -1 after one line on stderr. */
int file_replace(const char *path, const char *data, size_t size);

#endif
