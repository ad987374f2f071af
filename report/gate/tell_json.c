/* SPDX-License-Identifier: Apache-2.0
 *
 * A comparison as one JSON document with every figure; what is not known is null. Times are in microseconds, losses and spreads fractions.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "../text.h"
#include "words.h"

/* Takes value, which may be NULL: memory is out. */
static int set(json_t *object, const char *name, json_t *value)
{
	return json_object_set_new(object, name, value);
}

static json_t *real(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *count(size_t value)
{
	return json_integer((json_int_t)value);
}

static json_t *integer(int64_t value)
{
	return value == RESULT_NONE ? json_null() : json_integer(value);
}

static json_t *text(const char *value)
{
	char *clean = value ? text_utf8(value) : NULL;
	json_t *made = clean ? json_string(clean) : value ? NULL : json_null();

	free(clean);
	return made;
}

/* The object, or NULL where something in it failed. */
static json_t *whole(json_t *value, int rc)
{
	if (rc == 0)
		return value;
	json_decref(value);
	return NULL;
}

static json_t *texts(char *const *lines, size_t n)
{
	json_t *array = json_array();
	int rc = 0;

	for (size_t i = 0; i < n; i++)
		rc |= json_array_append_new(array, text(lines[i]));
	return whole(array, rc);
}

static json_t *ratio(const struct gate_ratio *of)
{
	json_t *object = json_object();
	int rc = 0;

	rc |= set(object, "value", real(of->value));
	rc |= set(object, "low", real(of->low));
	rc |= set(object, "high", real(of->high));
	return whole(object, rc);
}

static int smaller(const void *a, const void *b)
{
	const double one = *(const double *)a, other = *(const double *)b;

	return (one > other) - (one < other);
}

/* Median over launches, in microseconds; scratch has room for all of them. */
static double time_of(const struct gate_series *series, enum gate_side_id side, size_t point, double *scratch)
{
	size_t n = 0;

	for (size_t l = 0; series->log_time[side] && l < series->launches[side]; l++) {
		const double value = series->log_time[side][l * series->npoints + point];

		if (isfinite(value))
			scratch[n++] = exp(value) * 1e6;
	}
	if (n == 0)
		return NAN;
	qsort(scratch, n, sizeof *scratch, smaller);
	return n % 2 ? scratch[n / 2] : (scratch[n / 2 - 1] + scratch[n / 2]) / 2;
}

static json_t *point_value(const struct gate_series *series, const struct gate_series_verdict *verdicts, size_t i,
			   double *scratch)
{
	const struct gate_point *point = &series->points[i];
	const struct gate_point_verdict *verdict = &verdicts->points[i];
	const double base = time_of(series, GATE_BASE, i, scratch), new = time_of(series, GATE_NEW, i, scratch);
	json_t *object = json_object();
	int rc = 0;

	rc |= set(object, "bytes", real(point->bytes));
	rc |= set(object, "placement", json_string(point->in_place ? RESULT_IN_PLACE : RESULT_OUT_OF_PLACE));
	rc |= set(object, "class", json_string(gate_class_names[gate_class_of(series, i)]));
	rc |= set(object, "verdict", json_string(gate_words_word(verdict->word)));
	rc |= set(object, "why", verdict->word == GATE_UNDECIDED ? text(gate_words_why(point, verdict->word)) : json_null());
	rc |= set(object, "base_time_us", real(base));
	rc |= set(object, "new_time_us", real(new));
	rc |= set(object, "ratio_of_medians", real(new / base));
	rc |= set(object, "ratio", ratio(&verdict->ratio));
	rc |= set(object, "p", real(verdict->p));
	rc |= set(object, "wrong_new", json_integer(point->wrong_new));
	return whole(object, rc);
}

static json_t *points_value(const struct gate_series *series, const struct gate_series_verdict *verdict)
{
	const size_t launches = series->launches[GATE_BASE] > series->launches[GATE_NEW] ? series->launches[GATE_BASE]
											 : series->launches[GATE_NEW];
	double *scratch = malloc((launches + 1) * sizeof *scratch);
	json_t *array = json_array();
	int rc = scratch ? 0 : -1;

	for (size_t i = 0; rc == 0 && i < series->npoints; i++)
		rc = json_array_append_new(array, point_value(series, verdict, i, scratch));
	free(scratch);
	return whole(array, rc);
}

static json_t *classes_value(const struct gate_series_verdict *verdict)
{
	json_t *array = json_array();
	int rc = 0;

	for (size_t c = 0; c < GATE_CLASSES; c++) {
		const struct gate_class_verdict *of = &verdict->classes[c];
		json_t *object = of->points > 0 ? json_object() : NULL;

		if (of->points == 0)
			continue;
		rc |= set(object, "class", json_string(gate_class_names[c]));
		rc |= set(object, "points", count(of->points));
		rc |= set(object, "verdict", json_string(gate_words_word(of->word)));
		rc |= set(object, "ratio", ratio(&of->ratio));
		rc |= set(object, "visible_loss", real(of->visible));
		rc |= json_array_append_new(array, object);
	}
	return whole(array, rc);
}

static json_t *key_value(const struct result *key)
{
	json_t *object = json_object();
	int rc = 0;

	rc |= set(object, "collective", text(key->collective));
	rc |= set(object, "backend", text(key->backend));
	rc |= set(object, "path", text(key->path));
	rc |= set(object, "algo", text(key->algo));
	rc |= set(object, "group", text(key->group));
	rc |= set(object, "nranks", integer(key->nranks));
	rc |= set(object, "nnodes", integer(key->nnodes));
	rc |= set(object, "type", text(key->type));
	rc |= set(object, "redop", text(key->redop));
	rc |= set(object, "root", integer(key->root));
	if (*key->variant)
		rc |= set(object, "variant", text(key->variant));
	return whole(object, rc);
}

static json_t *series_value(const struct gate_story *story, size_t s)
{
	const struct gate_series *series = &story->sheet->series[s];
	const struct gate_series_verdict *verdict = &story->judgement->series[s];
	json_t *object = json_object();
	int rc = 0;

	rc |= set(object, "name", text(gate_words_series(story->sheet, s).text));
	rc |= set(object, "key", key_value(series->key));
	rc |= set(object, "base_launches", count(series->launches[GATE_BASE]));
	rc |= set(object, "new_launches", count(series->launches[GATE_NEW]));
	rc |= set(object, "paired", json_boolean(series->paired));
	rc |= set(object, "verdict", json_string(gate_words_word(verdict->word)));
	rc |= set(object, "classes", classes_value(verdict));
	rc |= set(object, "points", points_value(series, verdict));
	return whole(object, rc);
}

static json_t *finding_value(const struct gate_story *story, const struct gate_finding *finding)
{
	static const char *const kinds[GATE_KINDS] = { "level", "shape", "point" };
	json_t *object = json_object();
	int rc = 0;

	rc |= set(object, "series", count(finding->series));
	rc |= set(object, "name", text(gate_words_series(story->sheet, finding->series).text));
	rc |= set(object, "slower", json_boolean(gate_is_loss(finding)));
	rc |= set(object, "kind", json_string(kinds[finding->kind]));
	rc |= set(object, "sizes", text(gate_words_sizes(story->sheet, finding).text));
	rc |= set(object, "first_bytes", real(finding->first_bytes));
	rc |= set(object, "last_bytes", real(finding->last_bytes));
	rc |= set(object, "in_place", json_boolean(finding->in_place));
	rc |= set(object, "out_of_place", json_boolean(finding->out_of_place));
	rc |= set(object, "ratio", ratio(&finding->ratio));
	rc |= set(object, "against", text(gate_words_against(story->sheet, finding)));
	rc |= set(object, "ratio_to_base", ratio(&finding->direct));
	rc |= set(object, "p", real(finding->p));
	rc |= set(object, "p_adjusted", real(finding->adjusted));
	rc |= set(object, "look_at", gate_is_loss(finding) ? json_string(gate_words_hint(story->sheet, finding)) : json_null());
	return whole(object, rc);
}

static json_t *gates_value(const struct gate_story *story)
{
	json_t *array = json_array();
	int rc = 0;

	for (size_t i = 0; story->rules && i < story->rules->count; i++) {
		const struct gate_outcome *outcome = &story->outcomes[i];
		json_t *object = json_object();

		rc |= set(object, "gate", text(story->rules->items[i].text));
		rc |= set(object, "outcome", json_string(gate_words_met(outcome->met)));
		rc |= set(object, "failed", json_boolean(gate_is_missed(outcome)));
		/* Both in the gate's own unit. */
		rc |= set(object, "unit", text(story->rules->items[i].unit));
		rc |= set(object, "limit", real(story->rules->items[i].limit / story->rules->items[i].per_unit));
		rc |= set(object, "value", real(outcome->value / story->rules->items[i].per_unit));
		rc |= set(object, "words", text(outcome->words));
		rc |= json_array_append_new(array, object);
	}
	return whole(array, rc);
}

static json_t *side_value(const struct gate_story *story, const struct gate_tally *tally, enum gate_side_id side)
{
	json_t *object = json_object();
	int rc = 0;

	rc |= set(object, "name", text(story->names[side]));
	rc |= set(object, "fewest_launches", count(tally->fewest[side]));
	rc |= set(object, "most_launches", count(tally->most[side]));
	rc |= set(object, "only_here", texts(story->sheet->only[side], story->sheet->nonly[side]));
	rc |= set(object, "points_only_here", count(story->sheet->points_only[side]));
	return whole(object, rc);
}

static json_t *undecided_value(const struct gate_tally *tally)
{
	json_t *object = json_object();
	int rc = 0;

	for (size_t reason = 1; reason < GATE_REASONS; reason++) {
		if (tally->reasons[reason] > 0)
			rc |= set(object, gate_words_reason(reason), count(tally->reasons[reason]));
	}
	return whole(object, rc);
}

static json_t *counts_value(const struct gate_judgement *judgement, const struct gate_tally *tally)
{
	json_t *object = json_object();
	int rc = 0;

	rc |= set(object, "compared", count(tally->points));
	rc |= set(object, "slower", count(judgement->slower));
	rc |= set(object, "faster", count(judgement->faster));
	rc |= set(object, "same", count(judgement->same));
	rc |= set(object, "undecided", count(judgement->undecided));
	rc |= set(object, "undecided_why", undecided_value(tally));
	return whole(object, rc);
}

static json_t *method_value(const struct gate_story *story)
{
	const struct gate_judgement *judgement = story->judgement;
	json_t *object = json_object();
	int rc = 0;

	rc |= set(object, "words", text(gate_words_method(story).text));
	rc |= set(object, "ratio_is", json_string("of geometric means over launches, NEW / BASE"));
	rc |= set(object, "threshold", real(story->settings->threshold));
	rc |= set(object, "false_alarms", real(story->settings->false_alarms));
	rc |= set(object, "seed", json_integer((json_int_t)story->settings->seed));
	rc |= set(object, "statistics", json_boolean(judgement->statistics));
	rc |= set(object, "blind", json_boolean(judgement->blind));
	rc |= set(object, "launches_conclusive", real(judgement->launches));
	rc |= set(object, "launch_spread", real(judgement->launch_spread));
	rc |= set(object, "point_spread", real(judgement->point_spread));
	return whole(object, rc);
}

static int fill_lists(json_t *document, const struct gate_story *story)
{
	json_t *findings = json_array(), *series = json_array();
	int rc = 0;

	for (size_t f = 0; f < story->judgement->nfindings; f++)
		rc |= json_array_append_new(findings, finding_value(story, &story->judgement->findings[f]));
	for (size_t s = 0; s < story->sheet->nseries; s++)
		rc |= json_array_append_new(series, series_value(story, s));
	rc |= set(document, "findings", findings);
	rc |= set(document, "gates", gates_value(story));
	rc |= set(document, "series", series);
	return rc;
}

int gate_tell_json(FILE *out, const struct gate_story *story)
{
	const struct gate_tally tally = gate_story_tally(story);
	json_t *document = json_object();
	int rc = 0;

	rc |= set(document, "schema", json_integer(1));
	rc |= set(document, "program", json_string("collperf compare"));
	rc |= set(document, "version", json_string(COLLPERF_VERSION));
	rc |= set(document, "verdict", json_string(gate_words_code(story->code)));
	rc |= set(document, "exit_code", json_integer(story->code));
	rc |= set(document, "words", text(gate_words_verdict(story).text));
	rc |= set(document, "base", side_value(story, &tally, GATE_BASE));
	rc |= set(document, "new", side_value(story, &tally, GATE_NEW));
	rc |= set(document, "differences", texts(story->sheet->differences, story->sheet->ndifferences));
	rc |= set(document, "seconds_apart", real(story->sheet->apart));
	rc |= set(document, "notes", texts(story->notes, story->nnotes));
	rc |= set(document, "wrong_new", json_integer(story->sheet->wrong_new));
	rc |= set(document, "method", method_value(story));
	rc |= set(document, "points", counts_value(story->judgement, &tally));
	rc |= fill_lists(document, story);
	if (rc == 0 && (json_dumpf(document, out, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) != 0 || fputc('\n', out) == EOF) &&
	    !ferror(out))
		rc = -1;
	json_decref(document);
	return rc == 0 ? 0 : -1;
}
