/* SPDX-License-Identifier: Apache-2.0
 *
 * What was seen in curves: the worst of it is told, the rest counted.
 */
#include "finding_parts.h"

#include <stdlib.h>

#include "array.h"

/* Of a kind: a sweep that is strange everywhere is read once, not size by size. */
enum { MOST_TOLD = 4 };

int finding_sights_add(struct finding_sights *sights, const struct finding_sight *sight)
{
	struct finding_sight *grown = array_grow(sights->items, sights->count, sizeof *grown);

	if (!grown)
		return -1;
	sights->items = grown;
	grown[sights->count++] = *sight;
	return 0;
}

/* The place in the list of curves makes the order the same each time. */
static int compare_sights(const void *left, const void *right)
{
	const struct finding_sight *a = left, *b = right;

	if (a->level != b->level)
		return a->level < b->level ? -1 : 1;
	if (a->factor < b->factor || a->factor > b->factor)
		return a->factor > b->factor ? -1 : 1;
	if (a->curve != b->curve)
		return a->curve < b->curve ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

int finding_sights_tell(struct findings *findings, const struct finding_view *view, struct finding_sights *sights,
			finding_say_fn *say, const char *what)
{
	int rc = 0;

	if (sights->count > 0)
		qsort(sights->items, sights->count, sizeof *sights->items, compare_sights);
	for (size_t i = 0; rc == 0 && i < sights->count && i < MOST_TOLD; i++) {
		findings->run = view->study->runs.names[sights->items[i].curve->source->run];
		rc = say(findings, view, &sights->items[i]);
	}
	findings->run = NULL;
	if (rc == 0 && sights->count > MOST_TOLD)
		rc = findings_add(findings, sights->items[MOST_TOLD].level, "... and %zu more %s", sights->count - MOST_TOLD,
				  what);
	free(sights->items);
	*sights = (struct finding_sights){ 0 };
	return rc;
}
