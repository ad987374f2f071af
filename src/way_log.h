/* SPDX-License-Identifier: Apache-2.0
 *
 * The file that a library writes its log to: ours, in memory and without a name, or one of the user's. Ours is read on from where the last reading ended, by
 * whoever asks first; its place is kept with the file.
 */
#ifndef COLLPERF_WAY_LOG_H
#define COLLPERF_WAY_LOG_H

#include <stddef.h>

enum { WAY_LOG_NAME = 32 };

/* Makes one, inherited by what this process executes. Its descriptor and the name, in WAY_LOG_NAME bytes, that a library may open; -1: it cannot be had here. */
int way_log_make(char *name, size_t size);
/* The descriptor of a name that way_log_make gave, -1 for any other. */
int way_log_own(const char *name);
/* Whole lines since the last reading, which are let go of there; NULL: none, or out of memory. To be freed. */
char *way_log_read(int log, size_t *size);
/* All of a file whose name may have %h for the host and %p for the process; NULL where it cannot be read. To be freed. */
char *way_log_read_named(const char *pattern, size_t *size);
/* What libraries warn of, to stderr: UCX's as it would be seen, NCCL's, which is silent without its log, where `all`. */
void way_log_pass_on(const char *text, size_t size, int all);
/* Does so with the rest when the process ends in an ordered way. */
void way_log_pass_on_at_exit(int log);

#endif
