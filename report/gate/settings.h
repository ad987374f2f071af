/* SPDX-License-Identifier: Apache-2.0
 *
 * The words for what a comparison is made with, for every command that makes one. Texts are checked whole; -1, and the value left alone, for what is none.
 */
#ifndef COLLPERF_GATE_SETTINGS_H
#define COLLPERF_GATE_SETTINGS_H

#include <stdint.h>

#include "judge.h"

enum { GATE_MOST_THRESHOLD = 1000, GATE_MOST_ALARMS = 50 }; /* percent */

/* 5 %, 2 %, 1. */
struct gate_settings gate_settings_default(void);

/* "5%", "2.5%", or a plain fraction under 1: "0.05". A plain 5 may mean either and is none. Over 0, at most `most` percent. */
int gate_settings_fraction(const char *text, int most, double *fraction);
int gate_settings_seed(const char *text, uint64_t *seed);

#endif
