/* SPDX-License-Identifier: Apache-2.0
 *
 * Words of a command that is shown, to be pasted into a POSIX shell.
 */
#ifndef COLLPERF_DRIVER_QUOTE_H
#define COLLPERF_DRIVER_QUOTE_H

#include <stdio.h>

/* The text as one word that the shell reads back unchanged; in quotes unless it is of letters, digits and _./+- alone. */
void quote_word(FILE *out, const char *text);

/* The same for the name of a file, which must not look like an option: ./ comes before a dash. */
void quote_path(FILE *out, const char *path);

#endif
