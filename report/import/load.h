/* SPDX-License-Identifier: Apache-2.0
 *
 * A whole log in memory.
 */
#ifndef COLLPERF_IMPORT_LOAD_H
#define COLLPERF_IMPORT_LOAD_H

#include "import.h"

/*
 * Reads a file ("-": stdin) of at most IMPORT_MOST_BYTES; a byte order mark of UTF-8 is not part of the text. 0, or -1 after one line on stderr: it
 * cannot be read, is too large, empty, compressed, or UTF-16. *memory is to be freed.
 */
int load_text(const char *name, struct import_text *text, char **memory);

#endif
