/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks on a circle and the messages of a round as arrows, bent to the right so that two opposite ones stand apart.
 */
#include <math.h>
#include <string.h>

#include "show.h"
#include "walk.h"
#include "words.h"

enum { SIDE = 340, LONGEST_LABEL = 10 };

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

static void put_arrow(FILE *out, const struct walk *walk, const struct schedule_message *message, bool labelled)
{
	const int nranks = walk->example->schedule.nranks;
	const struct spot a = spot_of(message->from, nranks), b = spot_of(message->to, nranks);
	const struct spot bend = { (a.x + b.x) / 2 - (b.y - a.y) * 0.13, (a.y + b.y) / 2 + (b.x - a.x) * 0.13 };
	const struct spot from = towards(a, bend, radius_of(nranks) + 2), to = towards(b, bend, radius_of(nranks) + 3);
	const char *class = *words_sign(walk->example, message->combine) ? "sum" : "copy";
	char items[24];

	fprintf(out, "<path class=\"line %s\" d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\"/>", class, from.x, from.y, bend.x, bend.y,
		to.x, to.y);
	put_head(out, bend, to, class);
	words_items(walk->example, message->items, message->nitems, items, sizeof items);
	if (!labelled || strlen(items) > LONGEST_LABEL)
		return;
	/* Nearer to the sender, as arrows cross in the middle. */
	fprintf(out, "<text class=\"label\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", 0.49 * from.x + 0.42 * bend.x + 0.09 * to.x,
		0.49 * from.y + 0.42 * bend.y + 0.09 * to.y + 4, items);
}

void show_page_picture(FILE *out, const struct walk *walk)
{
	const int nranks = walk->example->schedule.nranks;
	const bool labelled = nranks <= 8 && walk_columns(walk->example) > 1;

	if (nranks > SHOW_PAGE_RANKS)
		return;
	fprintf(out, "<div><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"who sends to whom\">\n", SIDE, SIDE);
	for (int rank = 0; rank < nranks; rank++) {
		const struct schedule_message *message = walk_sent(walk, rank);

		if (message)
			put_arrow(out, walk, message, labelled);
	}
	for (int rank = 0; rank < nranks; rank++) {
		const struct spot spot = spot_of(rank, nranks);

		fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.0f\"/><text x=\"%.1f\" y=\"%.1f\">%d</text>\n", spot.x,
			spot.y, radius_of(nranks), spot.x, spot.y + 5, rank);
	}
	fputs("</svg></div>\n", out);
}
