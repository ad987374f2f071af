/* SPDX-License-Identifier: Apache-2.0
 *
 * The one way by which files of a command line or of a run directory are opened to be read.
 */
#ifndef COLLPERF_FILE_H
#define COLLPERF_FILE_H

#include <stdio.h>

/*
 * A regular file (a link to one is one), to be closed. NULL with errno, and *why: it is none (a pipe or a terminal would be waited for, a device may have no
 * end), or what errno says. *why is static or strerror's.
 */
FILE *file_open(const char *path, const char **why);

#endif
