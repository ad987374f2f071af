/* SPDX-License-Identifier: Apache-2.0
 *
 * What run.json says of launches: those that did not end well, those that have no rows, and what other programs did meanwhile.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../escape.h"
#include "../human.h"
#include "sheet_tell.h"

/* A tenth of a core is what a desktop or an agent takes now and then. */
static const double disturbing_cores = 0.1;

/* The value of the fact beside this one: "launches.3.repeat" of "launches.3.status". "" where there is none. */
static const char *beside(const struct facts *facts, size_t at, const char *name)
{
	const char *dot = strrchr(facts->items[at].name, '.');
	const size_t length = (size_t)(dot - facts->items[at].name) + 1;

	for (size_t i = 0; i < facts->count; i++) {
		if (strncmp(facts->items[i].name, facts->items[at].name, length) == 0 &&
		    strcmp(facts->items[i].name + length, name) == 0)
			return facts->items[i].value;
	}
	return "";
}

static void take_status(struct gate_sheet *sheet, size_t side, const struct facts *facts, size_t i)
{
	const char *end = facts->file ? strrchr(facts->file, '/') : NULL;

	if (sheet->failed[side]++ > 0)
		return;
	sheet->trouble[side] = (struct gate_trouble){ .status = facts->items[i].value,
						      .collective = beside(facts, i, "collective"),
						      .repeat = beside(facts, i, "repeat"),
						      .file = facts->file,
						      .folder_length = end ? (size_t)(end - facts->file) : 0 };
}

static bool has_rows(const struct gate_gathered *gathered, const char *run)
{
	for (size_t i = 0; i < gathered->nlaunches; i++) {
		if (strcmp(gathered->launches[i].run, run) == 0)
			return true;
	}
	return false;
}

/* Of launches and the machine. */
struct seen {
	double foreign;
	size_t missing;
	const char *first; /* of these */
};

static struct seen look(struct gate_sheet *sheet, const struct gate_gathered *gathered, size_t side)
{
	struct seen seen = { 0 };

	for (size_t f = 0; f < gathered->side->nfacts; f++) {
		const struct facts *facts = &gathered->side->facts[f];

		for (size_t i = 0; i < facts->count; i++) {
			const struct fact *fact = &facts->items[i];
			const char *run;

			if (gate_fact_ends(fact->name, "foreign_cpu_cores"))
				seen.foreign = fmax(seen.foreign, strtod(fact->value, NULL));
			if (!gate_fact_ends(fact->name, "launches.#.status") || strcmp(fact->value, "skipped") == 0)
				continue;
			if (strcmp(fact->value, "ok") != 0) {
				take_status(sheet, side, facts, i);
				continue;
			}
			run = beside(facts, i, "run");
			if (*run && !has_rows(gathered, run) && seen.missing++ == 0)
				seen.first = run;
		}
	}
	return seen;
}

/* One side of `collperf ab` is not resumed alone. */
static bool is_variant(const struct gate_gathered *gathered)
{
	for (size_t f = 0; f < gathered->side->nfacts; f++) {
		if (facts_find(&gathered->side->facts[f], "ab.variant"))
			return true;
	}
	return false;
}

static int tell_status(struct gate_sheet *sheet, const struct gate_gathered *gathered, size_t side)
{
	const struct gate_trouble *trouble = &sheet->trouble[side];
	char folder[PATH_MAX];
	struct gate_line line;

	if (!trouble->status)
		return 0;
	if (gate_line_open(&line))
		return -1;
	escape_put(line.out, ESCAPE_PLAIN, "%s: %zu launches did not end well (first: %s", gathered->name, sheet->failed[side],
		   trouble->status);
	if (*trouble->collective)
		escape_put(line.out, ESCAPE_PLAIN, ", %s %s", trouble->collective, trouble->repeat);
	fputc(')', line.out);
	if (trouble->folder_length > 0 && !is_variant(gathered)) {
		snprintf(folder, sizeof folder, "%.*s", (int)trouble->folder_length, trouble->file);
		escape_put(line.out, ESCAPE_PLAIN, "; `collperf run --resume %s` makes up for them", folder);
	}
	return gate_line_close(&line, &sheet->differences, &sheet->ndifferences);
}

static int tell_missing(struct gate_sheet *sheet, const struct gate_gathered *gathered, const struct seen *seen)
{
	struct gate_line line;

	if (seen->missing == 0)
		return 0;
	if (gate_line_open(&line))
		return -1;
	escape_put(line.out, ESCAPE_PLAIN, "%s is incomplete: %zu launch%s of run.json ha%s no rows (first: %s)", gathered->name,
		   seen->missing, seen->missing == 1 ? "" : "es", seen->missing == 1 ? "s" : "ve", seen->first);
	return gate_line_close(&line, &sheet->differences, &sheet->ndifferences);
}

static int tell_foreign(struct gate_sheet *sheet, const struct gate_gathered *gathered, double foreign)
{
	struct gate_line line;

	if (!(foreign >= disturbing_cores) || !isfinite(foreign))
		return 0;
	if (gate_line_open(&line))
		return -1;
	escape_put(line.out, ESCAPE_PLAIN, "%s: ", gathered->name);
	fprintf(line.out, "other programs used up to %.2g cores of a host during the run: times are disturbed", foreign);
	return gate_line_close(&line, &sheet->differences, &sheet->ndifferences);
}

int gate_differences_of_launches(struct gate_sheet *sheet, const struct gate_gathered gathered[GATE_SIDES])
{
	for (size_t side = 0; side < GATE_SIDES; side++) {
		const struct seen seen = look(sheet, &gathered[side], side);

		if (tell_status(sheet, &gathered[side], side) || tell_missing(sheet, &gathered[side], &seen) ||
		    tell_foreign(sheet, &gathered[side], seen.foreign))
			return -1;
	}
	return 0;
}

/* Of NEW. */
int gate_differences_of_wrong(struct gate_sheet *sheet, const struct gate_lone *lone, size_t nlone)
{
	long compared = 0;
	struct gate_line line;

	for (size_t s = 0; s < sheet->nseries; s++) {
		for (size_t i = 0; i < sheet->series[s].npoints; i++)
			compared = gate_add(compared, sheet->series[s].points[i].wrong_new);
	}
	if (compared >= sheet->wrong_new)
		return 0;
	if (gate_line_open(&line))
		return -1;
	fprintf(line.out, "wrong data at points that are not compared: %ld elements", sheet->wrong_new - compared);
	for (size_t i = 0; i < nlone; i++) {
		if (lone[i].row->wrong > 0) {
			escape_put(line.out, ESCAPE_PLAIN, ", such as %s at %s, %s", lone[i].row->collective,
				   human_size((double)lone[i].row->bytes).text, lone[i].row->placement);
			break;
		}
	}
	return gate_line_close(&line, &sheet->differences, &sheet->ndifferences);
}
