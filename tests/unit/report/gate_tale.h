/* SPDX-License-Identifier: Apache-2.0
 *
 * A comparison to be told: two series without a finding, to which a test adds what it needs; and what may be asked of a text.
 */
#ifndef COLLPERF_TEST_GATE_TALE_H
#define COLLPERF_TEST_GATE_TALE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/gate/settings.h"
#include "report/gate/tell.h"
#include "report/gate/words.h"

enum { SIZES = 10, POINTS = 2 * SIZES, SERIES = 2, MANY = 60 };

/* Two series over 8 B to 2 MiB, both placements, five launches a side, all the same. */
struct tale {
	struct result keys[SERIES];
	struct gate_point points[SERIES][POINTS];
	double log_time[GATE_SIDES][SERIES][5 * POINTS];
	struct gate_series series[SERIES];
	struct gate_sheet sheet;
	struct gate_point_verdict verdicts[SERIES][POINTS];
	struct gate_series_verdict series_verdicts[SERIES];
	struct gate_finding findings[MANY];
	struct gate_judgement judgement;
	struct gate_settings settings;
	struct gate_rule rule;
	struct gate_rules rules;
	struct gate_outcome outcome;
	struct gate_story story;
	char *told; /* what was told last */
	size_t size;
};

static const char *const nasty = "<script>alert(1)</script>\x1b[31m|`$(id)`\"'&\xef\xbf\xbf\xff";

static inline void series_make(struct tale *tale, size_t s, const char *collective)
{
	struct gate_series *series = &tale->series[s];

	result_clear(&tale->keys[s]);
	tale->keys[s].collective = collective;
	tale->keys[s].backend = "sim";
	tale->keys[s].nranks = 4;
	tale->keys[s].type = "float";
	for (size_t i = 0; i < POINTS; i++) {
		struct gate_point *point = &tale->points[s][i];

		*point = (struct gate_point){ .bytes = ldexp(8, 2 * (int)(i % SIZES)), .in_place = i >= SIZES, .why = "" };
		point->row[GATE_BASE] = point->row[GATE_NEW] = &tale->keys[s];
		tale->verdicts[s][i] = (struct gate_point_verdict){ GATE_SAME, { 1, 0.97, 1.03 }, 0.5 };
		for (size_t l = 0; l < 5; l++) {
			for (size_t side = 0; side < GATE_SIDES; side++)
				tale->log_time[side][s][l * POINTS + i] = log((5 + point->bytes / 1e3) * 1e-6 *
									      (1 + 0.01 * (double)l));
		}
	}
	*series = (struct gate_series){
		.key = &tale->keys[s], .points = tale->points[s], .npoints = POINTS, .launches = { 5, 5 }
	};
	for (size_t side = 0; side < GATE_SIDES; side++)
		series->log_time[side] = tale->log_time[side][s];
	tale->series_verdicts[s] = (struct gate_series_verdict){ .word = GATE_SAME, .points = tale->verdicts[s] };
	for (size_t c = 0; c < GATE_CLASSES; c++)
		tale->series_verdicts[s].classes[c] = (struct gate_class_verdict){
			GATE_SAME, 6, { 1, 0.98, 1.02 }, 0.03 + 0.01 * (double)c
		};
}

static inline struct tale *tale_new(void)
{
	struct tale *tale = calloc(1, sizeof *tale);

	assert_non_null(tale);
	series_make(tale, 0, "all_reduce");
	series_make(tale, 1, "reduce");
	tale->settings = gate_settings_default();
	tale->sheet = (struct gate_sheet){ .series = tale->series, .nseries = SERIES };
	tale->judgement = (struct gate_judgement){ .series = tale->series_verdicts,
						   .findings = tale->findings,
						   .same = (size_t)SERIES * POINTS,
						   .statistics = true,
						   .launches = NAN,
						   .launch_spread = 0.03,
						   .point_spread = 0.012 };
	tale->rules = (struct gate_rules){ &tale->rule, 0 };
	tale->story = (struct gate_story){ .sheet = &tale->sheet,
					   .judgement = &tale->judgement,
					   .settings = &tale->settings,
					   .rules = &tale->rules,
					   .outcomes = &tale->outcome,
					   .names = { "runs/a", "runs/b" } };
	return tale;
}

static inline void decide(struct tale *tale)
{
	tale->story.code = gate_decide(&tale->sheet, &tale->judgement, &tale->rules, &tale->outcome);
}

static inline void find_with(struct tale *tale, size_t series, enum gate_kind kind, double first, double last, double ratio)
{
	tale->findings[tale->judgement.nfindings++] = (struct gate_finding){ .series = series,
									     .kind = kind,
									     .slower = ratio > 1,
									     .first_bytes = first,
									     .last_bytes = last,
									     .in_place = true,
									     .out_of_place = true,
									     .ratio = { ratio, ratio * 0.9, ratio * 1.1 },
									     .direct = { ratio, ratio * 0.9, ratio * 1.1 },
									     .p = 1e-9,
									     .adjusted = 3e-8 };
}

/* To be freed. */
static inline char *told(struct tale *tale, void (*tell)(FILE *, const struct gate_story *))
{
	FILE *out = open_memstream(&tale->told, &tale->size);

	assert_non_null(out);
	tell(out, &tale->story);
	assert_int_equal(fclose(out), 0);
	return tale->told;
}

static inline json_t *told_json(const struct tale *tale)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	json_t *made;

	assert_int_equal(gate_tell_json(out, &tale->story), 0);
	fclose(out);
	made = json_loads(text, 0, NULL);
	assert_non_null(made);
	free(text);
	return made;
}

static inline void assert_holds(const char *text, const char *words)
{
	if (!strstr(text, words))
		fail_msg("'%s' is not in:\n%s", words, text);
}

static inline void assert_lacks(const char *text, const char *words)
{
	if (strstr(text, words))
		fail_msg("'%s' is in:\n%s", words, text);
}

static inline size_t count_of(const char *text, const char *words)
{
	size_t n = 0;

	for (text = strstr(text, words); text; text = strstr(text + 1, words))
		n++;
	return n;
}

static inline void assert_verdict(struct tale *tale, enum gate_exit code, const char *words)
{
	decide(tale);
	assert_int_equal(tale->story.code, code);
	assert_string_equal(gate_words_verdict(&tale->story).text, words);
}

/* A tale whose every text is hostile. */
static inline struct tale *hostile(char **line)
{
	struct tale *tale = tale_new();

	tale->keys[0].path = nasty;
	tale->keys[1].algo = nasty;
	tale->story.names[GATE_BASE] = tale->story.names[GATE_NEW] = nasty;
	*line = (char *)nasty;
	tale->sheet.differences = tale->sheet.only[0] = tale->sheet.only[1] = line;
	tale->sheet.ndifferences = tale->sheet.nonly[0] = tale->sheet.nonly[1] = 1;
	tale->story.notes = line;
	tale->story.nnotes = 1;
	tale->rules.count = 1;
	tale->rule = (struct gate_rule){ .text = (char *)nasty, .coll = collectives[COLL_GATHER] };
	tale->outcome.met = GATE_NO_ROW;
	snprintf(tale->outcome.words, sizeof tale->outcome.words, "%s", nasty);
	tale->points[0][1].doubt = GATE_OVERSUBSCRIBED;
	tale->points[0][1].why = nasty;
	tale->verdicts[0][1].word = GATE_UNDECIDED;
	tale->points[1][2].wrong_new = 7;
	tale->sheet.wrong_new = 7;
	find_with(tale, 0, GATE_LEVEL, 131072, 2097152, 1.5);
	find_with(tale, 1, GATE_LEVEL, 131072, 2097152, 0.5);
	decide(tale);
	return tale;
}

#endif
