/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables that steer libraries and were not the same on both sides. run.json holds those of an allow-list alone.
 */
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "../escape.h"
#include "sheet_tell.h"

enum { MOST_TOLD = 16 };

struct variable {
	const char *name;
	struct gate_set values[GATE_SIDES];
};

struct variables {
	struct variable *items;
	size_t count;
};

/* What the launcher and this program set for each launch anew. */
static bool is_idle(const char *name)
{
	static const char *const idle[] = { "MPIR_CVAR_CH3_INTERFACE_HOSTNAME", "UCX_LOG_FILE", "NCCL_DEBUG_FILE" };

	for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
		if (strcmp(name, idle[i]) == 0)
			return true;
	}
	return false;
}

/* The variable of "launches.0.facts.environment.NCCL_ALGO", NULL of another fact. */
static const char *variable_of(const char *fact)
{
	static const char word[] = "environment.";
	const char *found = strstr(fact, word);

	return found && (found == fact || found[-1] == '.') ? found + strlen(word) : NULL;
}

static int take(struct variables *variables, size_t side, const char *name, const char *value)
{
	struct variable *grown;

	for (size_t i = 0; i < variables->count; i++) {
		if (strcmp(variables->items[i].name, name) == 0) {
			gate_set_add(&variables->items[i].values[side], *value ? value : "\"\"");
			return 0;
		}
	}
	grown = array_grow(variables->items, variables->count, sizeof *grown);
	if (!grown)
		return -1;
	variables->items = grown;
	grown[variables->count] = (struct variable){ .name = name };
	gate_set_add(&grown[variables->count++].values[side], *value ? value : "\"\"");
	return 0;
}

static int collect(struct variables *variables, const struct gate_gathered *gathered, size_t side)
{
	for (size_t f = 0; f < gathered->side->nfacts; f++) {
		const struct facts *facts = &gathered->side->facts[f];

		for (size_t i = 0; i < facts->count; i++) {
			const char *name = variable_of(facts->items[i].name);

			if (name && !is_idle(name) && take(variables, side, name, facts->items[i].value))
				return -1;
		}
	}
	return 0;
}

static int tell(struct gate_sheet *sheet, const struct gate_gathered gathered[GATE_SIDES], const struct variable *variable)
{
	struct gate_line line;

	if (gate_line_open(&line))
		return -1;
	escape_put(line.out, ESCAPE_PLAIN, "%s: ", variable->name);
	for (size_t side = 0; side < GATE_SIDES; side++) {
		if (side > 0)
			fputs(", ", line.out);
		if (variable->values[side].count > 0)
			gate_set_put(line.out, &variable->values[side]);
		else
			fputs("not set", line.out);
		escape_put(line.out, ESCAPE_PLAIN, " in %s", gathered[side].name);
	}
	return gate_line_close(&line, &sheet->differences, &sheet->ndifferences);
}

static int tell_all(struct gate_sheet *sheet, const struct gate_gathered gathered[GATE_SIDES], const struct variables *variables)
{
	size_t n = 0;
	struct gate_line line;

	for (size_t i = 0; i < variables->count; i++) {
		const struct variable *variable = &variables->items[i];

		if (!gate_set_equal(&variable->values[GATE_BASE], &variable->values[GATE_NEW]) && n++ < MOST_TOLD &&
		    tell(sheet, gathered, variable))
			return -1;
	}
	if (n <= MOST_TOLD)
		return 0;
	if (gate_line_open(&line))
		return -1;
	escape_put(line.out, ESCAPE_PLAIN, "%zu more variables", n - MOST_TOLD);
	return gate_line_close(&line, &sheet->differences, &sheet->ndifferences);
}

int gate_differences_of_environment(struct gate_sheet *sheet, const struct gate_gathered gathered[GATE_SIDES])
{
	struct variables variables = { 0 };
	int rc = 0;

	/* Where nothing is known, nothing is "not set". */
	for (size_t side = 0; side < GATE_SIDES; side++) {
		if (gathered[side].side->nfacts == 0)
			return 0;
	}
	for (size_t side = 0; rc == 0 && side < GATE_SIDES; side++)
		rc = collect(&variables, &gathered[side], side);
	if (rc == 0)
		rc = tell_all(sheet, gathered, &variables);
	free(variables.items);
	return rc;
}
