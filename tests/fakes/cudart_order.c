/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether work may meet other work on the same memory. The streams here are ordered among each other only by a host thread that has seen work complete,
 * and by the null stream; so two streams that touch the same memory without either are a mistake whether or not they were lucky this time.
 */
#include <stdint.h>
#include <stdlib.h>

#include "cudart_state.h"

static bool overlaps(const struct fake_touched *touched, uintptr_t begin, uintptr_t end)
{
	return touched->begin < end && begin < touched->end;
}

/* The last piece of `other` that is complete before whatever is enqueued on `stream` now. */
static uint64_t ordered_until(const struct CUstream_st *stream, const struct CUstream_st *other)
{
	if (fake_ordered(stream, other))
		return other->submitted;
	/* Two streams with a piece of the null stream in between. */
	if (stream->device == other->device && stream->blocking && other->blocking && other->covered > other->observed)
		return other->covered;
	return other->observed;
}

static void check_against(const struct CUstream_st *stream, const struct fake_work *work, const struct CUstream_st *other)
{
	uint64_t until = ordered_until(stream, other);

	for (size_t i = 0; i < other->ntouched; i++) {
		const struct fake_touched *touched = &other->touched[i];

		for (size_t k = 0; touched->number > until && k < work->nranges; k++) {
			const struct fake_range *range = &work->ranges[k];
			uintptr_t begin = (uintptr_t)range->memory;

			if ((range->writes || touched->writes) && overlaps(touched, begin, begin + range->bytes))
				fake_fail("%s %s %zu bytes at %p that %s on another stream %s: nothing orders the two",
					  work->name, range->writes ? "writes" : "reads", range->bytes, range->memory,
					  touched->name, touched->writes ? "writes" : "reads");
		}
	}
}

void fake_order_check(const struct CUstream_st *stream, const struct fake_work *work)
{
	if (work->nranges == 0)
		return;
	for (const struct CUstream_st *other = fake_streams(); other; other = other->next)
		if (other != stream && other->ntouched)
			check_against(stream, work, other);
}

static struct fake_touched *touched_slot(struct CUstream_st *stream, uintptr_t begin, uintptr_t end, bool writes)
{
	for (size_t i = 0; i < stream->ntouched; i++) {
		struct fake_touched *touched = &stream->touched[i];

		if (touched->begin == begin && touched->end == end && touched->writes == writes)
			return touched;
	}
	if (stream->ntouched == stream->touched_size) {
		stream->touched_size = stream->touched_size ? 2 * stream->touched_size : 8;
		stream->touched = realloc(stream->touched, stream->touched_size * sizeof *stream->touched);
		if (!stream->touched)
			fake_fail("out of memory");
	}
	return &stream->touched[stream->ntouched++];
}

void fake_order_note(struct CUstream_st *stream, const struct fake_work *work, uint64_t number)
{
	for (size_t i = 0; i < work->nranges; i++) {
		const struct fake_range *range = &work->ranges[i];
		uintptr_t begin = (uintptr_t)range->memory, end = begin + range->bytes;

		if (range->bytes > 0)
			*touched_slot(stream, begin, end, range->writes) = (struct fake_touched){
				.begin = begin, .end = end, .writes = range->writes, .number = number, .name = work->name
			};
	}
}

void fake_order_observe(struct CUstream_st *stream, uint64_t number)
{
	size_t kept = 0;

	if (number <= stream->observed)
		return;
	stream->observed = number;
	for (size_t i = 0; i < stream->ntouched; i++)
		if (stream->touched[i].number > number)
			stream->touched[kept++] = stream->touched[i];
	stream->ntouched = kept;
	/* What the null stream ordered before was seen too. */
	for (struct CUstream_st *other = fake_streams(); other; other = other->next) {
		if (!fake_ordered(stream, other) || other == stream)
			continue;
		if (stream->null && other->covered_by != 0 && other->covered_by <= number)
			fake_order_observe(other, other->covered);
		if (other->null && stream->behind != 0 && stream->behind <= number)
			fake_order_observe(other, stream->behind_null);
	}
}

const char *fake_order_pending(const void *memory, size_t bytes)
{
	uintptr_t begin = (uintptr_t)memory;

	for (const struct CUstream_st *stream = fake_streams(); stream; stream = stream->next)
		for (size_t i = 0; i < stream->ntouched; i++)
			if (overlaps(&stream->touched[i], begin, begin + bytes))
				return stream->touched[i].name;
	return NULL;
}
