/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan, told: for people, for a pull request, for programs. All say the same; none decides.
 */
#ifndef COLLPERF_PLAN_TELL_H
#define COLLPERF_PLAN_TELL_H

#include <stdio.h>

#include "plan.h"

/* -1 after one line on stderr: memory. */
int plan_tell(FILE *out, const struct plan *plan, bool markdown);
/* One object, see --help; numbers that are not known are null. -1 likewise. */
int plan_tell_json(FILE *out, const struct plan *plan);

/* What readers should know of the rows, one line each: remarks and what was passed over; each once. */
void plan_each_remark(const struct plan *plan, void (*say)(void *context, const char *remark), void *context);

#endif
