/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that the binaries read, among the words for them (--matrix FILE): a run that is resumed, from whatever folder, reads the same.
 */
#ifndef COLLPERF_DRIVER_INPUTS_H
#define COLLPERF_DRIVER_INPUTS_H

#include "words.h"

struct json_t;

/* Names become absolute. -1 after one line, a usage error: also of what is there and no regular file. */
int inputs_resolve(struct words *sweep);

/* Digests of what is in the files by their names, those that can be read; to be released with json_decref. NULL: there are none. */
struct json_t *inputs_digests(const struct words *sweep);

/* Whether the files have the digests that they had. -1 after one line. */
int inputs_check(const struct words *sweep, const struct json_t *digests);

#endif
