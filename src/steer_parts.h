/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of steering share. Nobody else includes this.
 */
#ifndef COLLPERF_STEER_PARTS_H
#define COLLPERF_STEER_PARTS_H

#include "steer.h"

/* "PID:NAME,NAME", a variable for the program that this process becomes. A child of it has another process id, and does not believe it. */
extern const char steer_mark[];

enum { STEER_LINE = 400 };

/* What to say of a variable that is kept; whether there is anything to say. */
bool steer_line(const struct steer_variable *kept, char *text, size_t size);

#endif
