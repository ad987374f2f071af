/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks on a circle and the messages of a round as arrows, bent to the right so that two opposite ones stand apart.
 */
#include <math.h>
#include <string.h>

#include "show.h"
#include "walk.h"
#include "words.h"

enum {
	SIDE = 340,
	MOST_LABELS = 8,
	LONGEST_LABEL = 10,
	HALF_LINE = 7, /* of a label, in units of the picture */
};

static const double HALF_LETTER = 3.4;

struct spot {
	double x, y;
};

static double radius_of(int nranks)
{
	return nranks <= 8 ? 24 : 15;
}

static struct spot spot_of(int rank, int nranks)
{
	const double angle = 2 * M_PI * rank / nranks - M_PI / 2;
	const double far = SIDE / 2.0 - 34;

	if (nranks == 1)
		return (struct spot){ SIDE / 2.0, SIDE / 2.0 };
	return (struct spot){ SIDE / 2.0 + far * cos(angle), SIDE / 2.0 + far * sin(angle) };
}

static struct spot towards(struct spot from, struct spot to, double way)
{
	const double length = fmax(1e-9, hypot(to.x - from.x, to.y - from.y));

	return (struct spot){ from.x + (to.x - from.x) * way / length, from.y + (to.y - from.y) * way / length };
}

static void put_head(FILE *out, struct spot bend, struct spot end, const char *class)
{
	const struct spot back = towards(end, bend, 11);
	const double dx = (end.y - back.y) * 0.5, dy = (back.x - end.x) * 0.5;

	fprintf(out, "<path class=\"head %shead\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"/>", class, end.x, end.y, back.x + dx,
		back.y + dy, back.x - dx, back.y - dy);
}

/* Of a message: from the sender's circle by way of a bend to the receiver's. */
struct arrow {
	struct spot from, bend, to;
};

static struct arrow arrow_of(const struct schedule_message *message, int nranks)
{
	const struct spot a = spot_of(message->from, nranks), b = spot_of(message->to, nranks);
	const struct spot bend = { (a.x + b.x) / 2 - (b.y - a.y) * 0.13, (a.y + b.y) / 2 + (b.x - a.x) * 0.13 };

	return (struct arrow){ towards(a, bend, radius_of(nranks) + 2), bend, towards(b, bend, radius_of(nranks) + 3) };
}

static void put_arrow(FILE *out, const struct walk *walk, const struct schedule_message *message)
{
	const struct arrow arrow = arrow_of(message, walk->example->schedule.nranks);
	const char *class = *words_sign(walk->example, message->combine) ? "sum" : "copy";

	fprintf(out, "<path class=\"line %s\" d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\"/>", class, arrow.from.x, arrow.from.y,
		arrow.bend.x, arrow.bend.y, arrow.to.x, arrow.to.y);
	put_head(out, arrow.bend, arrow.to, class);
}

/* Labels that stand already, and heads of arrows: their middles, and half their widths. */
struct labels {
	int count;
	struct spot at[2 * MOST_LABELS];
	double half[2 * MOST_LABELS];
};

static void add_label(struct labels *labels, struct spot at, double half)
{
	labels->at[labels->count] = at;
	labels->half[labels->count++] = half;
}

/* Beside all circles and other labels, and within the picture. */
static bool is_clear(const struct labels *labels, int nranks, struct spot at, double half)
{
	if (at.x - half < 0 || at.x + half > SIDE || at.y < HALF_LINE || at.y > SIDE - HALF_LINE)
		return false;
	for (int rank = 0; rank < nranks; rank++) {
		const struct spot spot = spot_of(rank, nranks);
		const double dx = fmax(0, fabs(spot.x - at.x) - half), dy = fmax(0, fabs(spot.y - at.y) - HALF_LINE);

		if (hypot(dx, dy) < radius_of(nranks) + 1)
			return false;
	}
	for (int i = 0; i < labels->count; i++) {
		if (fabs(labels->at[i].x - at.x) < labels->half[i] + half + 2 && fabs(labels->at[i].y - at.y) < 2 * HALF_LINE)
			return false;
	}
	return true;
}

/* On the arrow or close to it, first nearer to the sender, as arrows cross in the middle. */
static bool find_place(const struct labels *labels, int nranks, const struct arrow *arrow, double half, struct spot *at)
{
	static const double ways[] = { .3, .4, .2, .5, .6, .12, .7, .8 }, asides[] = { 0, 9, -9, 17, -17, 26, -26 };
	const double dx = arrow->to.x - arrow->from.x, dy = arrow->to.y - arrow->from.y, length = fmax(1, hypot(dx, dy));

	for (size_t i = 0; i < sizeof asides / sizeof *asides; i++) {
		for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
			const double t = ways[k], u = 1 - t;

			at->x = u * u * arrow->from.x + 2 * u * t * arrow->bend.x + t * t * arrow->to.x - dy / length * asides[i];
			at->y = u * u * arrow->from.y + 2 * u * t * arrow->bend.y + t * t * arrow->to.y + dx / length * asides[i];
			if (is_clear(labels, nranks, *at, half))
				return true;
		}
	}
	return false;
}

/* Where there is no room, without the kind of the items, or not at all: the list beside the picture has them. */
static void put_label(FILE *out, const struct walk *walk, const struct schedule_message *message, struct labels *labels)
{
	const int nranks = walk->example->schedule.nranks;
	const struct arrow arrow = arrow_of(message, nranks);
	char items[24];
	const char *text = words_items(walk->example, message->items, message->nitems, items, sizeof items);
	struct spot at;

	if (strlen(text) > LONGEST_LABEL)
		return;
	if (!find_place(labels, nranks, &arrow, HALF_LETTER * (double)strlen(text), &at)) {
		text = strchr(text, ' ') && !example_is_pairs(walk->example) ? strchr(text, ' ') + 1 : text;
		if (!find_place(labels, nranks, &arrow, HALF_LETTER * (double)strlen(text), &at))
			return;
	}
	add_label(labels, at, HALF_LETTER * (double)strlen(text));
	fprintf(out, "<text class=\"label\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", at.x, at.y + 4, text);
}

static void put_labels(FILE *out, const struct walk *walk)
{
	const int nranks = walk->example->schedule.nranks;
	struct labels labels = { .count = 0 };

	for (int rank = 0; rank < nranks; rank++) {
		if (walk_sent(walk, rank)) {
			const struct arrow arrow = arrow_of(walk_sent(walk, rank), nranks);

			add_label(&labels, towards(arrow.to, arrow.bend, 5), 4);
		}
	}
	for (int rank = 0; rank < nranks; rank++) {
		if (walk_sent(walk, rank))
			put_label(out, walk, walk_sent(walk, rank), &labels);
	}
}

void show_page_picture(FILE *out, const struct walk *walk)
{
	const int nranks = walk->example->schedule.nranks;

	if (nranks > SHOW_PAGE_RANKS)
		return;
	fprintf(out, "<div><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"who sends to whom\">\n", SIDE, SIDE);
	for (int rank = 0; rank < nranks; rank++) {
		const struct schedule_message *message = walk_sent(walk, rank);

		if (message)
			put_arrow(out, walk, message);
	}
	for (int rank = 0; rank < nranks; rank++) {
		const struct spot spot = spot_of(rank, nranks);

		fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.0f\"/><text x=\"%.1f\" y=\"%.1f\">%d</text>\n", spot.x,
			spot.y, radius_of(nranks), spot.x, spot.y + 5, rank);
	}
	if (nranks <= MOST_LABELS && walk_columns(walk->example) > 1)
		put_labels(out, walk);
	fputs("</svg></div>\n", out);
}
