/* SPDX-License-Identifier: Apache-2.0
 *
 * Primitives and algorithms by the names that people use.
 */
#ifndef COLLPERF_EXPLAIN_NAMES_H
#define COLLPERF_EXPLAIN_NAMES_H

#include <stdio.h>

#include "../../collectives/schedule.h"

/* As collective_find, but capitals, '-' and '_' make no difference: "allreduce", "All-Reduce". NULL: none. */
const struct collective *names_collective(const char *word);

/* An algorithm of `coll` that has a schedule, as the models call it; plain words such as recursive_doubling are known too. NULL: none. */
const char *names_algorithm(const struct collective *coll, const char *word);

/* The ring where there is one. NULL: no algorithm of `coll` has a schedule. */
const char *names_default(const struct collective *coll);

/* The names of the algorithms, parted by blanks, cut to size. Returns buffer. */
const char *names_algorithms(const struct collective *coll, char *buffer, size_t size);

/* The names of the primitives that have a schedule, likewise. */
const char *names_collectives(char *buffer, size_t size);

/* Both for people: a table with what each primitive does. */
void names_list(FILE *out);

#endif
