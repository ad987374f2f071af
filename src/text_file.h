/* SPDX-License-Identifier: Apache-2.0
 *
 * A small file of text, whole.
 */
#ifndef COLLPERF_TEXT_FILE_H
#define COLLPERF_TEXT_FILE_H

#include <stddef.h>

/* At most `most` MiB. 0 with *text to be freed by the caller, or -1 with why in `error`. */
int text_file_read(const char *path, size_t most, char **text, size_t *length, char *error, size_t size);

#endif
