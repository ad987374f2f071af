/* SPDX-License-Identifier: Apache-2.0
 *
 * What of training steps must be known before they are believed.
 */
#ifndef COLLPERF_STEP_FINDINGS_H
#define COLLPERF_STEP_FINDINGS_H

#include "findings.h"
#include "step_study.h"

/* 0, or -1 after one line on stderr. */
int step_findings(struct findings *findings, const struct study *study, const struct step_study *steps);

#endif
