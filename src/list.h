/* SPDX-License-Identifier: Apache-2.0
 *
 * What --list prints: all that a perf binary can do, and why something is missing.
 */
#ifndef COLLPERF_LIST_H
#define COLLPERF_LIST_H

#include <stdio.h>

#include "../collectives/collective.h"

void list_all(FILE *out, const struct collective *coll);

#endif
