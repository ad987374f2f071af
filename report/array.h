/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays that grow. Memory running out is one line on stderr, once.
 */
#ifndef COLLPERF_ARRAY_H
#define COLLPERF_ARRAY_H

#include <stddef.h>

/*
 * `array` (NULL at first), which holds `count` items and was only ever grown by this function, with room for one more; the old pointer
 * is then invalid. NULL after one line on stderr, and the old pointer stays valid.
 */
void *array_grow(void *array, size_t count, size_t item_size);

/* Prints the line about memory; returns -1. */
int array_failed(void);

#endif
