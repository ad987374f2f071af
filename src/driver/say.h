/* SPDX-License-Identifier: Apache-2.0
 *
 * One line on stderr. Texts may come from anybody: control characters are shown as '?'.
 */
#ifndef COLLPERF_DRIVER_SAY_H
#define COLLPERF_DRIVER_SAY_H

/* "collperf: run: " and the text. Returns -1, for callers that fail with it. */
int say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same of another command: "collperf: COMMAND: ". */
int say_as(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text alone. */
void say_plain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
