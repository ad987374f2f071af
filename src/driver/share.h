/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of the words for the binaries each of them gets: an option of one primitive goes to that one alone.
 */
#ifndef COLLPERF_DRIVER_SHARE_H
#define COLLPERF_DRIVER_SHARE_H

#include <stdbool.h>

#include "../own.h"
#include "args.h"

/* Adds those that the binary of this collective gets, in their order. */
void share_words(const struct words *sweep, const struct collective *coll, struct words *words);

/* The word behind the option at word i and its value; *own where one primitive alone has it, else NULL. */
size_t share_next(const struct words *sweep, size_t i, const struct own_option **own);

/* Whether there is an option that this collective alone has. */
bool share_has_own(const struct words *sweep, const struct collective *coll);

/* Whether each option of one primitive finds it among those that run. -1 after one line. */
int share_check(const struct args *args);

#endif
