/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays of one narrow float to and from float, to be included once a type, by dtype.c alone. Before: ELEMENT holds the bits of one, WIDEN_ONE and
 * NARROW_ONE convert it, WIDEN and NARROW are the names of the functions.
 * A run of BLOCK elements has a length that the compiler knows and arrays that do not overlap: it becomes vector instructions.
 */
static void WIDEN(float *restrict to, const void *restrict data, size_t count)
{
	const ELEMENT *restrict from = data;

	for (; count >= BLOCK; count -= BLOCK, to += BLOCK, from += BLOCK)
		for (size_t i = 0; i < BLOCK; i++)
			to[i] = WIDEN_ONE(from[i]);
	for (size_t i = 0; i < count; i++)
		to[i] = WIDEN_ONE(from[i]);
}

static void NARROW(void *restrict data, const float *restrict from, size_t count)
{
	ELEMENT *restrict to = data;

	for (; count >= BLOCK; count -= BLOCK, to += BLOCK, from += BLOCK)
		for (size_t i = 0; i < BLOCK; i++)
			to[i] = NARROW_ONE(from[i]);
	for (size_t i = 0; i < count; i++)
		to[i] = NARROW_ONE(from[i]);
}

#undef ELEMENT
#undef WIDEN_ONE
#undef NARROW_ONE
#undef WIDEN
#undef NARROW
