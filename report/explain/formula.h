/* SPDX-License-Identifier: Apache-2.0
 *
 * Formulas that are both shown and computed, so that what is shown is what was counted. Letters: p ranks, L = ceil(log2 p), k = floor(log2 p), m segments (of two
 * trees: for each), W the ones in the binary forms of 1 to p-1 together, H the sum of ceil(p/2^i) for i = 1..k, D and d as in collectives/cost.h. Numbers, + - * / ^, parentheses; "2(p-1)" and "2q" multiply.
 */
#ifndef COLLPERF_EXPLAIN_FORMULA_H
#define COLLPERF_EXPLAIN_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

/* 0, or -1: not such a formula, or not finite. */
int formula_value(const char *text, int nranks, int segments, double *value);

/* Whether the letter is in it. */
bool formula_has(const char *text, char letter);

/* "3/2", "6", "0" of a multiple of 1 / denominator. Returns buffer. */
const char *formula_fraction(double value, int denominator, char *buffer, size_t size);

#endif
