/* SPDX-License-Identifier: Apache-2.0
 *
 * Other people's programs that draw: where they are, and what they may see of our environment.
 */
#ifndef COLLPERF_PROGRAM_H
#define COLLPERF_PROGRAM_H

#include <stddef.h>

enum { PROGRAM_ENVIRONMENT = 8 };

/* The absolute name of the program on PATH, to be freed; NULL where there is none. */
char *program_find(const char *name);

/* Variables that find fonts, libraries and caches, nothing that tells a program what to do; ends with NULL. How many: each to be freed. */
size_t program_environment(char *environment[PROGRAM_ENVIRONMENT]);

#endif
