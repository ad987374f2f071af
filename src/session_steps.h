/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of steps in a session share. Nobody else includes this.
 */
#ifndef COLLPERF_SESSION_STEPS_H
#define COLLPERF_SESSION_STEPS_H

#include <stdbool.h>

#include "step_measure.h"

struct session;

/* "bucketed, buckets of up to 1M" */
void session_steps_name(const struct step_row *row, char *text, size_t size);

/* Whether what --inject spoils is looked at in any row. */
bool session_steps_see_corruption(const struct session *session);

/* Rank 0: one row. 0, or -1 where output failed. */
int session_steps_row(struct session *session, const struct step_plan *plan, const struct step_row *row,
		      const struct step_measured *measured);

#endif
