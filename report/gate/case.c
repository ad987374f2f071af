/* SPDX-License-Identifier: Apache-2.0
 *
 * From the inputs of both sides to a story: rows and facts, the sheet, the judgement, the gates.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../array.h"
#include "../escape.h"
#include "../findings.h"
#include "../input.h"
#include "request.h"
#include "words.h"

enum { MOST_SAID = 5 };

static const char *command_of(const struct gate_request *request)
{
	return request->command ? request->command : "compare";
}

struct gate_case {
	struct input inputs[GATE_SIDES];
	struct findings findings[GATE_SIDES];
	char *names[GATE_SIDES];
	char **notes;
	size_t nnotes;
	struct gate_settings settings;
	bool paired;
	struct gate_sheet sheet;
	struct gate_judgement judgement;
	struct gate_outcome *outcomes;
	struct gate_story story;
};

static int note(struct gate_case *opened, enum gate_side_id side, const char *text)
{
	char **grown = array_grow(opened->notes, opened->nnotes, sizeof *grown);

	if (!grown)
		return -1;
	opened->notes = grown;
	if (asprintf(&grown[opened->nnotes], "%s: %s", gate_words_call(&opened->story, side), text) < 0)
		return array_failed();
	for (size_t i = 0; i < opened->sheet.ndifferences; i++) {
		if (strcmp(opened->sheet.differences[i], grown[opened->nnotes]) == 0) {
			free(grown[opened->nnotes]);
			return 0;
		}
	}
	opened->nnotes++;
	return 0;
}

/* What the sheet does not say already. */
static int note_side(struct gate_case *opened, enum gate_side_id side)
{
	const struct findings *findings = &opened->findings[side];
	const struct rows *rows = opened->inputs[side].rows;

	for (size_t i = 0; i < findings->count; i++) {
		if (note(opened, side, findings->items[i].text))
			return -1;
	}
	for (size_t i = 0; i < rows_note_count(rows); i++) {
		if (note(opened, side, rows_note(rows, i)))
			return -1;
	}
	return 0;
}

/* "runs/a, runs/b"; many are counted. */
static char *join(const char *const *inputs, size_t n)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < n && i < MOST_SAID; i++)
		fprintf(out, "%s%s", i > 0 ? ", " : "", inputs[i]);
	if (n > MOST_SAID)
		fprintf(out, " and %zu more", n - MOST_SAID);
	return fclose(out) == 0 ? text : NULL;
}

/* "compare: BASE": who complains of an input, and of whose. To be freed. */
static char *name_side(const struct gate_case *opened, const struct gate_request *request, enum gate_side_id side)
{
	char *name;

	if (request->beside || asprintf(&name, "%s: %s", command_of(request),
					request->calls[side] ? request->calls[side] : gate_words_call(&opened->story, side)) < 0)
		return NULL;
	return name;
}

/* A side of which a file could not be read to its end would pass for what is left of it. */
static int read_inputs(struct gate_case *opened, const struct report_options *options, enum gate_side_id side)
{
	struct findings *findings = &opened->findings[side];

	if (input_read(options, &opened->inputs[side], findings))
		return -1;
	if (opened->inputs[side].failed > 0) {
		fprintf(stderr, "collperf %s cannot be read to its end: nothing is judged\n", options->command);
		return -1;
	}
	return options->ninputs > 1 && findings_name_runs(findings) ? -1 : 0;
}

static int read_side(struct gate_case *opened, const struct gate_request *request, enum gate_side_id side)
{
	char *command = name_side(opened, request, side);
	const struct report_options options = { .command = command ? command : command_of(request),
						.inputs = (char *const *)request->inputs[side],
						.ninputs = request->ninputs[side] };
	const int rc = read_inputs(opened, &options, side);

	free(command);
	if (rc)
		return -1;
	opened->names[side] = request->names[side] ? strdup(request->names[side])
						   : join(request->inputs[side], request->ninputs[side]);
	return opened->names[side] ? 0 : array_failed();
}

/* Both variants of one `collperf ab`, looked at again. */
static void find_pairs(struct gate_case *opened, const struct gate_request *request)
{
	const struct input *base = &opened->inputs[GATE_BASE], *next = &opened->inputs[GATE_NEW];
	const char *calls[GATE_SIDES] = { request->calls[GATE_BASE], request->calls[GATE_NEW] };

	opened->paired = request->paired;
	if (!opened->paired && base->nfacts == 1 && next->nfacts == 1)
		opened->paired = gate_ab_sides(base->facts, next->facts, calls);
	memcpy(opened->story.calls, calls, sizeof calls); /* for what is said before the story is whole */
}

static int read_sides(struct gate_case *opened, const struct gate_request *request)
{
	if (read_side(opened, request, GATE_BASE) || read_side(opened, request, GATE_NEW))
		return -1;
	find_pairs(opened, request);
	return 0;
}

static void say_nothing_common(const struct gate_request *request, const struct gate_case *opened)
{
	const struct gate_sheet *sheet = &opened->sheet;

	if (request->beside)
		return;
	fprintf(stderr,
		"collperf %s: no point is on both sides (same primitive, backend, path, algorithm, ranks, type, operation, "
		"placement "
		"and size)\n",
		command_of(request));
	for (size_t side = 0; side < GATE_SIDES; side++) {
		for (size_t i = 0; i < sheet->nonly[side] && i < MOST_SAID; i++)
			escape_put(stderr, ESCAPE_PLAIN, "  in %s: %s\n", gate_words_call(&opened->story, side),
				   sheet->only[side][i]);
	}
}

static int bring_together(struct gate_case *opened, const struct gate_request *request)
{
	struct gate_side sides[GATE_SIDES];

	for (size_t side = 0; side < GATE_SIDES; side++)
		sides[side] = (struct gate_side){ .name = gate_words_call(&opened->story, side),
						  .rows = opened->inputs[side].rows,
						  .facts = opened->inputs[side].facts,
						  .nfacts = opened->inputs[side].nfacts,
						  .unread = opened->inputs[side].unread,
						  .inputs = request->inputs[side],
						  .ninputs = request->ninputs[side] };
	if (gate_sheet_build(sides, opened->paired, &opened->sheet))
		return -1;
	if (opened->sheet.nseries > 0)
		return 0;
	/* Wrong data fail, whatever they are held against. */
	say_nothing_common(request, opened);
	return opened->sheet.wrong_new > 0 && !request->beside ? 0 : -1;
}

static bool is_input(const struct stat *status, const char *const *inputs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct stat other;

		if (stat(inputs[i], &other) == 0 && other.st_dev == status->st_dev && other.st_ino == status->st_ino)
			return true;
	}
	return false;
}

/* Whether NEW is held against itself, too. */
static bool is_same(const struct gate_request *request)
{
	for (size_t i = 0; i < request->ninputs[GATE_NEW]; i++) {
		struct stat status;

		if (stat(request->inputs[GATE_NEW][i], &status) == 0 &&
		    is_input(&status, request->inputs[GATE_BASE], request->ninputs[GATE_BASE]))
			return true;
	}
	return false;
}

/* The number that is printed: of losses the largest first, of gains the smallest. */
static int by_ratio(const void *left, const void *right)
{
	const struct gate_finding *a = left, *b = right;
	const bool loss = gate_is_loss(a);
	const double one = a->direct.value, other = b->direct.value;

	if (loss != gate_is_loss(b))
		return loss ? -1 : 1;
	if (one != other)
		return (one > other) == loss ? -1 : 1;
	if (a->series != b->series)
		return a->series < b->series ? -1 : 1;
	return (a->first_bytes > b->first_bytes) - (a->first_bytes < b->first_bytes);
}

static int judge(struct gate_case *opened, const struct gate_rules *rules)
{
	if (gate_judge(&opened->sheet, &opened->settings, &opened->judgement))
		return -1;
	if (opened->judgement.nfindings > 1)
		qsort(opened->judgement.findings, opened->judgement.nfindings, sizeof *opened->judgement.findings, by_ratio);
	opened->outcomes = calloc((rules ? rules->count : 0) + 1, sizeof *opened->outcomes);
	if (!opened->outcomes)
		return array_failed();
	return rules ? gate_rules_apply(rules, opened->inputs[GATE_NEW].rows, opened->outcomes) : 0;
}

static void write_story(struct gate_case *opened, const struct gate_request *request)
{
	opened->story = (struct gate_story){
		.sheet = &opened->sheet,
		.judgement = &opened->judgement,
		.settings = &opened->settings,
		.rules = request->rules,
		.outcomes = opened->outcomes,
		.names = { opened->names[GATE_BASE], opened->names[GATE_NEW] },
		.calls = { opened->story.calls[GATE_BASE], opened->story.calls[GATE_NEW] },
		.notes = opened->notes,
		.nnotes = opened->nnotes,
		.all_points = request->all_points,
		.same = is_same(request),
		.code = gate_decide(&opened->sheet, &opened->judgement, request->rules, opened->outcomes),
	};
}

struct gate_case *gate_case_open(const struct gate_request *request)
{
	struct gate_case *opened = calloc(1, sizeof *opened);

	if (!opened) {
		array_failed();
		return NULL;
	}
	opened->settings = request->settings;
	if (read_sides(opened, request) || bring_together(opened, request) || note_side(opened, GATE_BASE) ||
	    note_side(opened, GATE_NEW) || judge(opened, request->rules)) {
		gate_case_close(opened);
		return NULL;
	}
	write_story(opened, request);
	return opened;
}

const struct gate_story *gate_case_story(const struct gate_case *opened)
{
	return &opened->story;
}

void gate_case_close(struct gate_case *opened)
{
	if (!opened)
		return;
	free(opened->outcomes);
	gate_judgement_clear(&opened->judgement);
	gate_sheet_clear(&opened->sheet);
	for (size_t i = 0; i < opened->nnotes; i++)
		free(opened->notes[i]);
	free(opened->notes);
	for (size_t side = 0; side < GATE_SIDES; side++) {
		free(opened->names[side]);
		findings_clear(&opened->findings[side]);
		input_clear(&opened->inputs[side]);
	}
	free(opened);
}
