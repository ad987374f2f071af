/* SPDX-License-Identifier: Apache-2.0
 *
 * The windows through which a series is looked at.
 */
#include "judge_parts.h"

#include <math.h>
#include <stdlib.h>

#include "../array.h"

enum {
	FEW_SEGMENTS = 32,    /* up to that many every width, beyond widths that grow by a third or a half */
	LEAST_NEIGHBOURS = 2, /* segments on each side that a window is held against, or as many as it has itself */
	QUARTERS = GATE_QUARTERS
};

/* Widths 1, 2, 3, 4-5, 6-7, 8-11, 12-15, ... have something in common. */
static size_t width_class(size_t width)
{
	size_t octave = 0;

	if (width < 2)
		return 0;
	while (width >> (octave + 1))
		octave++;
	return 2 * octave - (width < 3u << (octave - 1));
}

enum { WIDTHS = 18, CUTS = 2 * WIDTHS, ACROSS = CUTS + 2 }; /* groups */

double gate_group_places(size_t group, size_t segments)
{
	size_t class = group / 2, least;

	if (group >= CUTS)
		return 1;
	least = class == 0 ? 1 : (class % 2 ? 2u : 3u) << ((class - 1) / 2);
	return fmax(1, (double)segments / (double)(3 * least));
}

void gate_level_window(size_t segments, size_t i, size_t *first, size_t *end)
{
	size_t at = ((i + 1) / 2) * segments / QUARTERS;

	*first = 0;
	*end = segments;
	if (i % 2)
		*first = at == 0 ? segments : at;
	else if (i > 0)
		*end = at;
}

static size_t next_width(size_t width, size_t segments)
{
	if (segments <= FEW_SEGMENTS || width < 4)
		return width + 1;
	return (width & (width - 1)) ? width / 3 * 4 : width / 2 * 3;
}

/* A window against its neighbours. false: that is the same as a cut, which put_row() has by itself. */
static bool put_band(struct gate_window *out, size_t segments, unsigned char row, size_t first, size_t width)
{
	size_t reach = width > LEAST_NEIGHBOURS ? width : LEAST_NEIGHBOURS, end = first + width;
	size_t low = first > reach ? first - reach : 0, high = end + reach < segments ? end + reach : segments;

	if (low == 0 && high == segments && (first == 0 || end == segments))
		return false;
	*out = (struct gate_window){ .first = (unsigned short)first, .end = (unsigned short)end, .row = row, .against = row };
	out->low = (unsigned short)low;
	out->high = (unsigned short)high;
	out->group = (unsigned char)(2 * width_class(width) + (row < 2));
	return true;
}

/* Windows of a row of a layout: half of its sizes at most, or all from a cut on. With NULL they are only counted. */
static size_t put_row(struct gate_window *out, size_t segments, unsigned char row)
{
	size_t n = 0;

	for (size_t width = 1; 2 * width <= segments; width = next_width(width, segments))
		for (size_t first = 0; first + width <= segments; first++) {
			struct gate_window one;

			if (!put_band(out ? &out[n] : &one, segments, row, first, width))
				continue;
			n++;
		}
	for (size_t first = 1; first < segments; first++, n++) {
		if (!out)
			continue;
		out[n] = (struct gate_window){ .row = row, .against = row, .group = CUTS + (row < 2), .either = true };
		out[n].first = (unsigned short)first;
		out[n].end = out[n].high = (unsigned short)segments;
	}
	return n;
}

static size_t put_windows(struct gate_window *out, size_t segments, size_t placements)
{
	size_t n = put_row(out, segments, 2);

	for (unsigned char row = 0; placements > 1 && row < 2; row++)
		n += put_row(out ? out + n : NULL, segments, row);
	if (placements > 1) {
		if (out)
			out[n] = (struct gate_window){ 0,   (unsigned short)segments, 0, (unsigned short)segments, 0, 1, ACROSS,
						       true };
		n++;
	}
	return n;
}

int gate_layout_make(struct gate_layout *layout, size_t segments, size_t placements)
{
	*layout = (struct gate_layout){ .segments = segments, .placements = placements };
	layout->nwindows = put_windows(NULL, segments, placements);
	layout->windows = malloc((layout->nwindows + 1) * sizeof *layout->windows);
	if (!layout->windows)
		return array_failed();
	put_windows(layout->windows, segments, placements);
	return 0;
}

void gate_layout_clear(struct gate_layout *layout)
{
	free(layout->windows);
	*layout = (struct gate_layout){ 0 };
}
