/* SPDX-License-Identifier: Apache-2.0
 *
 * What is said of the fastest steps measured, and of the rows that could not be of them.
 */
#include <math.h>

#include "step_words_parts.h"

/* Sizes around the best one that are slower by little. */
static void find_flat(const struct step_line *line, size_t *first, size_t *last)
{
	const double most = step_best(line)->time * (1 + step_words_same);

	*first = *last = line->best;
	while (*first > 0 && line->points[*first - 1].time <= most && line->points[*first - 1].cap != RESULT_NONE)
		--*first;
	while (*last + 1 < line->npoints && line->points[*last + 1].time <= most)
		++*last;
}

/* The sizes whose intervals leave open that they are as fast; their number. */
static size_t find_open(const struct step_line *line, size_t *first, size_t *last)
{
	size_t open = 0;

	*first = *last = line->best;
	for (size_t i = 0; i < line->npoints; i++) {
		if (line->points[i].cap == RESULT_NONE || step_is_slower(&line->points[i], step_best(line)))
			continue;
		*first = i < *first ? i : *first;
		*last = i;
		open++;
	}
	*last = *last < line->best ? line->best : *last;
	return open;
}

static int put_flat(const struct step_line *line, char *text, size_t size)
{
	size_t first, last, from, to;
	const size_t open = find_open(line, &first, &last), of = last - first + 1;

	find_flat(line, &from, &to);
	if (open > to - from && open > 1) {
		const struct human low = human_size((double)line->points[first].cap),
				   high = human_size((double)line->points[last].cap);

		if (open == of)
			return snprintf(text, size, "; no size from %s to %s is clearly faster", low.text, high.text);
		return snprintf(text, size, "; %zu of the %zu sizes from %s to %s are not clearly slower", open, of, low.text,
				high.text);
	}
	if (to > from)
		return snprintf(text, size, "; from %s to %s a step takes at most %s more",
				human_size((double)line->points[from].cap).text, human_size((double)line->points[to].cap).text,
				human_percent(step_words_same).text);
	return 0;
}

/* ", 4 % more than its compute alone (50 ms)" */
static int put_compute(const struct step_point *point, char *text, size_t size)
{
	const struct human compute = human_time(point->compute);

	if (!(point->compute > 0))
		return 0;
	if (point->low <= point->compute)
		return snprintf(text, size, ", hardly more than its compute alone (%s)", compute.text);
	return snprintf(text, size, ", %s its compute alone (%s)", step_words_apart(point->time / point->compute).text,
			compute.text);
}

const struct step_line *step_words_fastest(const struct step_part *part)
{
	const struct step_line *found = NULL;

	for (size_t l = 0; l < part->nlines; l++)
		if (step_precedes(part, &part->lines[l], found))
			found = &part->lines[l];
	return found;
}

/* The other lines of the same compute that are not clearly slower. */
static size_t count_open(const struct step_part *part, const struct step_line *line)
{
	const struct step_point *best = step_best(line);
	size_t open = 0;

	for (size_t l = 0; l < part->nlines; l++) {
		const struct step_line *other = &part->lines[l];

		open += other != line && step_best(other)->turns == best->turns && step_same_compute(other, line) &&
			!step_is_slower(step_best(other), best);
	}
	return open;
}

/* Where nothing tells an optimum. */
static bool say_fastest(const struct step_part *part, char *text, size_t size)
{
	const struct step_line *line = step_words_fastest(part);
	const struct step_point *best;
	size_t open;
	int n;

	if (!line)
		return false;
	best = step_best(line);
	open = count_open(part, line);
	n = snprintf(text, size, "no bucketed steps tell an optimum; %s%s%s, %s a step",
		     part->nlines == 1 ? ""
		     : part->mixed     ? "the least step / compute alone is of "
				       : "the fastest are ",
		     line->label, step_words_at_cap(best).text, human_time(best->time).text);
	n += put_compute(best, text + n, size - (size_t)n);
	if (open > 0)
		snprintf(text + n, size - (size_t)n, "; %zu other%s not clearly slower", open, open == 1 ? " is" : "s are");
	return true;
}

bool step_words_best(const struct step_part *part, char *text, size_t size)
{
	const struct step_line *line = part->best;
	const struct step_point *best;
	int n;

	if (!line)
		return say_fastest(part, text, size);
	best = step_best(line);
	n = snprintf(text, size, "measured optimum: %s%s, %s a step", line->label, step_words_at_cap(best).text,
		     human_time(best->time).text);
	n += put_compute(best, text + n, size - (size_t)n);
	n += put_flat(line, text + n, size - (size_t)n);
	if (line->npoints > 1 && (line->best == 0 || line->best + 1 == line->npoints))
		snprintf(text + n, size - (size_t)n, "; this is the %s size measured: the optimum may lie beyond",
			 line->best == 0 ? "smallest" : "largest");
	return true;
}

bool step_words_wrong(const struct step_part *part, char *text, size_t size)
{
	size_t wrong = 0, rows = 0;

	for (size_t l = 0; l < part->nlines + part->nlost; l++) {
		wrong += part->lines[l].wrong;
		rows += part->lines[l].wrong + part->lines[l].taken;
	}
	if (wrong == 0)
		return false;
	if (wrong == rows)
		snprintf(text, size, "WRONG DATA in all rows (%zu): they tell no optimum, and nothing is compared", rows);
	else
		snprintf(text, size, "WRONG DATA in %zu of %zu rows: left out of all that follows", wrong, rows);
	return true;
}
