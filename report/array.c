/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays that grow by doubling whenever their count is a power of two, so that no capacity need be kept.
 */
#include "array.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int array_failed(void)
{
	fprintf(stderr, "collperf report: out of memory\n");
	return -1;
}

void *array_grow(void *array, size_t count, size_t item_size)
{
	size_t capacity = count == 0 ? 4 : 2 * count;
	void *grown;

	if (array && (count < 4 || (count & (count - 1)) != 0))
		return array;
	if (capacity > SIZE_MAX / item_size || !(grown = realloc(array, capacity * item_size))) {
		array_failed();
		return NULL;
	}
	return grown;
}
