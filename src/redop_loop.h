/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops of one element type, to be included once a type, by redop.c alone. Before: ELEMENT is the type, WRAP the type in which
 * adding and multiplying it is defined for every value, LOOP and COMBINE are the names of the functions.
 * A run of REDOP_BLOCK elements has a length that the compiler knows and buffers that do not overlap: it becomes vector instructions.
 */
static inline void LOOP(enum redop op, ELEMENT *restrict into, const ELEMENT *restrict from, size_t count)
{
	switch (op) {
	case REDOP_PROD:
		for (size_t i = 0; i < count; i++)
			into[i] = (ELEMENT)((WRAP)into[i] * (WRAP)from[i]);
		break;
	case REDOP_MAX:
		for (size_t i = 0; i < count; i++)
			into[i] = into[i] > from[i] ? into[i] : from[i];
		break;
	case REDOP_MIN:
		for (size_t i = 0; i < count; i++)
			into[i] = into[i] < from[i] ? into[i] : from[i];
		break;
	default: /* sum; avg before it is divided; mulsum after it was multiplied */
		for (size_t i = 0; i < count; i++)
			into[i] = (ELEMENT)((WRAP)into[i] + (WRAP)from[i]);
		break;
	}
}

static void COMBINE(enum redop op, void *into, const void *from, size_t count)
{
	ELEMENT *to = into;
	const ELEMENT *with = from;

	for (; count >= REDOP_BLOCK; count -= REDOP_BLOCK, to += REDOP_BLOCK, with += REDOP_BLOCK)
		LOOP(op, to, with, REDOP_BLOCK);
	LOOP(op, to, with, count);
}

#undef ELEMENT
#undef WRAP
#undef LOOP
#undef COMBINE
