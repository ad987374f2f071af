/* SPDX-License-Identifier: Apache-2.0
 *
 * One comparison told in five ways: the verdict comes first, nothing is too wide or too long, nothing from outside gets through, all say the same.
 */
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
};

static const char *const nasty = "<script>alert(1)</script>\x1b[31m|`$(id)`\"'&\xef\xbf\xbf\xff";

static void series_make(struct tale *tale, size_t s, const char *collective)
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

static struct tale *tale_new(void)
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

static void decide(struct tale *tale)
{
	tale->story.code = gate_decide(&tale->sheet, &tale->judgement, &tale->rules, &tale->outcome);
}

static void find_with(struct tale *tale, size_t series, enum gate_kind kind, double first, double last, double ratio)
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

static char *told(const struct tale *tale, void (*tell)(FILE *, const struct gate_story *))
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	tell(out, &tale->story);
	assert_int_equal(fclose(out), 0);
	return text;
}

static json_t *told_json(const struct tale *tale)
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

static void assert_holds(const char *text, const char *words)
{
	if (!strstr(text, words))
		fail_msg("'%s' is not in:\n%s", words, text);
}

static void assert_lacks(const char *text, const char *words)
{
	if (strstr(text, words))
		fail_msg("'%s' is in:\n%s", words, text);
}

static size_t count_of(const char *text, const char *words)
{
	size_t n = 0;

	for (text = strstr(text, words); text; text = strstr(text + 1, words))
		n++;
	return n;
}

static size_t widest(const char *text)
{
	size_t most = 0, columns = 0;

	for (; *text; text++) {
		columns = *text == '\n' ? 0 : columns + (((unsigned char)*text & 0xC0) != 0x80);
		most = columns > most ? columns : most;
	}
	return most;
}

static void assert_verdict(struct tale *tale, enum gate_exit code, const char *words)
{
	decide(tale);
	assert_int_equal(tale->story.code, code);
	assert_string_equal(gate_words_verdict(&tale->story).text, words);
}

static void what_is_the_same_is_no_regression(void **state)
{
	struct tale *tale = tale_new();

	(void)state;
	assert_verdict(tale, GATE_EXIT_OK, "No regression: nothing was found to be over 5 % slower at 40 points of 2 series.");
	tale->sheet.points_only[GATE_BASE] = 3;
	assert_verdict(
		tale, GATE_EXIT_OK,
		"No regression: nothing was found to be over 5 % slower at 40 points of 2 series; NEW lacks 3 points of BASE.");
	find_with(tale, 0, GATE_LEVEL, 8, 2097152, 0.5);
	decide(tale);
	assert_int_equal(tale->story.code, GATE_EXIT_OK);
	free(tale);
}

static void a_loss_is_a_regression(void **state)
{
	struct tale *tale = tale_new();

	(void)state;
	find_with(tale, 0, GATE_LEVEL, 131072, 2097152, 1.5);
	find_with(tale, 1, GATE_POINT, 512, 512, 1.2);
	find_with(tale, 1, GATE_LEVEL, 8, 8, 0.5);
	assert_verdict(tale, GATE_EXIT_REGRESSION,
		       "Regression: all_reduce takes 1.50 times as long from 128 KiB on, the worst of 2 findings.");
	tale->judgement.blind = true;
	decide(tale);
	assert_int_equal(tale->story.code, GATE_EXIT_REGRESSION);
	free(tale);
	tale = tale_new();
	tale->verdicts[1][3].word = GATE_SLOWER;
	tale->judgement.slower = 1;
	assert_verdict(tale, GATE_EXIT_REGRESSION, "Regression: 1 point slower by more than 5 %.");
	free(tale);
}

static void what_became_less_fast_than_the_rest_is_no_loss(void **state)
{
	struct tale *tale = tale_new();
	char *text;

	(void)state;
	find_with(tale, 0, GATE_POINT, 512, 512, 1.2);
	tale->findings[0].direct = (struct gate_ratio){ 0.87, 0.84, 0.9 };
	tale->verdicts[0][3] = (struct gate_point_verdict){ GATE_SLOWER, { 0.87, 0.84, 0.9 }, 1 };
	tale->judgement.slower = 1;
	decide(tale);
	assert_int_equal(tale->story.code, GATE_EXIT_OK);
	text = told(tale, gate_tell_text);
	assert_lacks(text, "Slower");
	assert_true(strstr(text, "0.87 (0.84 to 0.90)  1.20 over others") > strstr(text, "\nFaster:\n"));
	free(text);
	text = told(tale, gate_tell_junit);
	assert_lacks(text, "<failure");
	free(text);
	tale->findings[0].direct.high = tale->verdicts[0][3].ratio.high = 1.01;
	decide(tale);
	assert_int_equal(tale->story.code, GATE_EXIT_REGRESSION);
	free(tale);
}

static void wrong_data_and_gates_are_regressions(void **state)
{
	static const enum gate_exit codes[] = { GATE_EXIT_OK, GATE_EXIT_REGRESSION, GATE_EXIT_REGRESSION,
						GATE_EXIT_INCONCLUSIVE };
	struct tale *tale = tale_new();

	(void)state;
	tale->judgement.blind = true;
	tale->sheet.wrong_new = 12;
	tale->points[0][4].wrong_new = 12;
	assert_verdict(tale, GATE_EXIT_REGRESSION, "Regression: wrong data in NEW (12 elements).");
	tale->sheet.wrong_new = 0;
	tale->judgement.blind = false;
	tale->rules.count = 1;
	tale->rule = (struct gate_rule){ .text = (char *)"a gate", .coll = collectives[COLL_ALL_REDUCE] };
	strcpy(tale->outcome.words, "it is 3 us");
	for (enum gate_met met = GATE_MET; met <= GATE_NOT_JUDGED; met++) {
		tale->outcome.met = met;
		decide(tale);
		assert_int_equal(tale->story.code, codes[met]);
	}
	assert_verdict(tale, GATE_EXIT_INCONCLUSIVE,
		       "Inconclusive: gate open: it is 3 us. But for gates: No regression: nothing was found to be over 5 % "
		       "slower at 40 "
		       "points of 2 series.");
	tale->outcome.met = GATE_NO_ROW;
	assert_verdict(
		tale, GATE_EXIT_REGRESSION,
		"Gate not measured: it is 3 us. But for gates: No regression: nothing was found to be over 5 % slower at 40 "
		"points of 2 series.");
	tale->outcome.met = GATE_MISSED;
	assert_verdict(tale, GATE_EXIT_REGRESSION,
		       "Gate missed: it is 3 us. But for gates: No regression: nothing was found to be over 5 % slower at 40 "
		       "points of 2 series.");
	tale->sheet.wrong_new = 12;
	assert_verdict(tale, GATE_EXIT_REGRESSION, "Regression: wrong data in NEW (12 elements); gate missed: it is 3 us.");
	free(tale);
}

static void what_cannot_be_seen_is_inconclusive(void **state)
{
	struct tale *tale = tale_new();

	(void)state;
	tale->judgement.blind = true;
	tale->judgement.launches = 23.2;
	assert_verdict(tale, GATE_EXIT_INCONCLUSIVE,
		       "Inconclusive: launches spread too widely to see a loss of 5 %; about 24 launches of each side would be "
		       "conclusive "
		       "(--repeat 24).");
	tale->judgement.launches = 23000;
	assert_verdict(tale, GATE_EXIT_INCONCLUSIVE,
		       "Inconclusive: launches spread too widely to see a loss of 5 %; about 23000 launches of each side would "
		       "be conclusive, so "
		       "look for what disturbs the machine, or use `collperf ab`.");
	tale->judgement.blind = false;
	for (size_t i = 0; i < POINTS; i++) {
		tale->points[1][i].doubt = GATE_OVERSUBSCRIBED;
		tale->points[1][i].why = "ranks shared cores";
		tale->verdicts[1][i].word = GATE_UNDECIDED;
	}
	assert_verdict(tale, GATE_EXIT_INCONCLUSIVE, "Inconclusive: ranks shared cores: no point of reduce can be judged.");
	assert_string_equal(gate_words_undecided(&tale->story).text,
			    "20: no measurement (ranks took turns, simulated on one side, or traced).");
	tale->points[1][0].doubt = GATE_NOISY;
	decide(tale);
	assert_int_equal(tale->story.code, GATE_EXIT_OK);
	tale->points[1][0].doubt = GATE_INCOMPLETE;
	for (size_t i = 0; i < POINTS; i++)
		tale->points[0][i].doubt = GATE_UNTIMED;
	assert_verdict(tale, GATE_EXIT_INCONCLUSIVE, "Inconclusive: no time at most of them: none of 40 points can be judged.");
	assert_lacks(gate_words_sight(&tale->story).text, "--repeat");
	free(tale);
}

static void what_was_cut_is_named_with_its_remedy(void **state)
{
	struct tale *tale = tale_new();
	char *text;

	(void)state;
	tale->keys[1] = tale->keys[0];
	tale->series[0].npoints = 12;
	tale->series[1].npoints = 4;
	tale->series[1].launches[GATE_NEW] = 3;
	for (size_t i = 0; i < 4; i++) {
		tale->points[1][i].doubt = GATE_INCOMPLETE;
		tale->points[1][i].why = "a launch was cut short before it";
		tale->verdicts[1][i].word = GATE_UNDECIDED;
	}
	tale->judgement.blind = true;
	tale->judgement.launches = 30;
	tale->sheet.cut[GATE_NEW] = 1;
	assert_verdict(tale, GATE_EXIT_INCONCLUSIVE, "Inconclusive: NEW was cut: 4 of 16 points of all_reduce cannot be judged.");
	tale->sheet.trouble[GATE_NEW] = (struct gate_trouble){ "interrupted", "all_reduce", "2", "runs/new/run.json", 8 };
	assert_verdict(tale, GATE_EXIT_INCONCLUSIVE,
		       "Inconclusive: NEW was cut, all_reduce 2 interrupted, `collperf run --resume runs/new`: 4 of 16 points of "
		       "all_reduce cannot be judged.");
	/* A CI server knows a case by its name. */
	text = told(tale, gate_tell_junit);
	assert_int_equal(count_of(text, "name=\"all_reduce, part 1 (5 and 5 launches) latency\""), 1);
	assert_int_equal(count_of(text, "name=\"all_reduce, part 2 (5 and 3 launches) latency\""), 1);
	free(text);
	free(tale);
}

static void noise_alone_bars_nothing(void **state)
{
	struct tale *tale = tale_new();

	(void)state;
	for (size_t i = 0; i < POINTS; i++) {
		tale->points[0][i].doubt = tale->points[1][i].doubt = GATE_NOISY;
		tale->verdicts[0][i].word = tale->verdicts[1][i].word = GATE_UNDECIDED;
	}
	decide(tale);
	assert_int_equal(tale->story.code, GATE_EXIT_OK);
	free(tale);
}

static void one_launch_decides_little(void **state)
{
	struct tale *tale = tale_new();
	char *text;

	(void)state;
	tale->judgement.statistics = false;
	tale->series[0].launches[GATE_NEW] = tale->series[1].launches[GATE_NEW] = 1;
	assert_verdict(
		tale, GATE_EXIT_OK,
		"No regression: nothing was found to be over 5 % slower at 40 points of 2 series; with one launch on a side no "
		"statistics stand behind it.");
	find_with(tale, 0, GATE_POINT, 512, 512, 1.99);
	tale->findings[0].ratio = tale->findings[0].direct = (struct gate_ratio){ 1.99, NAN, NAN };
	tale->findings[0].p = tale->findings[0].adjusted = NAN;
	tale->verdicts[0][3] = (struct gate_point_verdict){ GATE_SLOWER, { 1.99, NAN, NAN }, NAN };
	tale->judgement.slower = 1;
	assert_verdict(
		tale, GATE_EXIT_INCONCLUSIVE,
		"Inconclusive: 1 of 40 points are over 5 % slower, but one launch on a side cannot tell a loss from chance; use "
		"--repeat 5.");
	text = told(tale, gate_tell_text);
	assert_holds(text, "Over the threshold in single launches");
	assert_holds(text, "No statistics stand behind this");
	assert_holds(text, "no test, no correction");
	assert_holds(text, "NEW   runs/b (1 launch)");
	assert_lacks(text, "nan");
	free(text);
	text = told(tale, gate_tell_junit);
	assert_int_equal(count_of(text, "<failure"), 0);
	assert_holds(text, "1.99 times as long, but one launch on a side decides nothing");
	free(text);
	tale->findings[0].ratio.value = tale->findings[0].direct.value = tale->verdicts[0][3].ratio.value = 2;
	assert_verdict(tale, GATE_EXIT_REGRESSION, "Regression: all_reduce takes 2.00 times as long at 512 B.");
	text = told(tale, gate_tell_junit);
	assert_int_equal(count_of(text, "<failure"), 1);
	free(text);
	free(tale);
}

static void series_are_named_by_what_sets_them_apart(void **state)
{
	struct tale *tale = tale_new();

	(void)state;
	assert_string_equal(gate_words_series(&tale->sheet, 1).text, "reduce");
	tale->keys[1].collective = "all_reduce";
	tale->keys[1].path = "tcp";
	tale->keys[1].redop = "sum";
	tale->keys[0].redop = "prod";
	tale->keys[1].nranks = 8;
	assert_string_equal(gate_words_series(&tale->sheet, 1).text, "all_reduce tcp sum, 8 ranks");
	assert_string_equal(gate_words_series(&tale->sheet, 0).text, "all_reduce prod, 4 ranks");
	free(tale);
}

/* The ratio that was tested is the one that is told, and what it is to. */
static void a_ratio_to_other_sizes_is_told_so(void **state)
{
	struct tale *tale = tale_new();
	char *text;

	(void)state;
	find_with(tale, 1, GATE_SHAPE, 131072, 2097152, 1.054);
	tale->findings[0].direct = (struct gate_ratio){ 1.03, 1.01, 1.05 };
	assert_verdict(tale, GATE_EXIT_REGRESSION,
		       "Regression: reduce takes 1.05 times as long from 128 KiB on, against its other sizes.");
	text = told(tale, gate_tell_junit);
	assert_holds(text, "name=\"reduce bandwidth\" time=\"0\">\n      <failure message=\"1.05 times as long\"");
	free(text);
	tale->findings[0].first_bytes = 8;
	tale->findings[0].out_of_place = false;
	assert_verdict(tale, GATE_EXIT_REGRESSION,
		       "Regression: reduce takes 1.05 times as long at all sizes, in-place, against the other placement.");
	free(tale);
}

static void sizes_are_told_in_words(void **state)
{
	struct tale *tale = tale_new();
	struct gate_finding *finding = tale->findings;

	(void)state;
	find_with(tale, 0, GATE_LEVEL, 8, 2097152, 1.5);
	assert_string_equal(gate_words_sizes(&tale->sheet, finding).text, "at all sizes");
	assert_holds(gate_words_hint(&tale->sheet, finding), "what all calls share");
	finding->first_bytes = 512;
	assert_string_equal(gate_words_sizes(&tale->sheet, finding).text, "from 512 B on");
	assert_holds(gate_words_hint(&tale->sheet, finding), "bandwidth");
	finding->last_bytes = 8192;
	finding->in_place = false;
	assert_string_equal(gate_words_sizes(&tale->sheet, finding).text, "512 B to 8 KiB, out-of-place");
	finding->first_bytes = 8;
	assert_string_equal(gate_words_sizes(&tale->sheet, finding).text, "up to 8 KiB, out-of-place");
	assert_holds(gate_words_hint(&tale->sheet, finding), "latency");
	finding->first_bytes = 8192;
	assert_string_equal(gate_words_sizes(&tale->sheet, finding).text, "at 8 KiB, out-of-place");
	free(tale);
}

static void what_is_far_apart_may_have_drifted(void **state)
{
	struct tale *tale = tale_new();

	(void)state;
	tale->sheet.apart = 0;
	assert_string_equal(gate_words_apart(&tale->sheet).text, "");
	tale->sheet.apart = 600;
	assert_string_equal(gate_words_apart(&tale->sheet).text, "");
	tale->sheet.apart = 9 * 3600;
	assert_string_equal(gate_words_apart(&tale->sheet).text,
			    "Taken 9 hours apart: drift of the machine cannot be excluded; `collperf ab` interleaves.");
	tale->sheet.apart = 1200;
	assert_holds(gate_words_apart(&tale->sheet).text, "Taken 20 minutes apart");
	tale->sheet.apart = 12 * 7 * 86400.0;
	assert_holds(gate_words_apart(&tale->sheet).text, "Taken 84 days apart");
	tale->sheet.apart = NAN;
	assert_holds(gate_words_apart(&tale->sheet).text, "not known");
	free(tale);
}

static void what_could_be_seen_is_said(void **state)
{
	struct tale *tale = tale_new();

	(void)state;
	tale->series_verdicts[1].classes[GATE_BANDWIDTH].visible = 0.09;
	tale->judgement.blind = true;
	tale->judgement.launches = 11.3;
	assert_string_equal(
		gate_words_sight(&tale->story).text,
		"Would have been seen four times in five: a loss of 3 % (all_reduce, latency) to 9 % (reduce, bandwidth); "
		"about 12 launches of each side would be conclusive (--repeat 12).");
	tale->judgement.launches = NAN;
	tale->judgement.runs = 2;
	assert_holds(gate_words_sight(&tale->story).text, "bandwidth); two accepted runs cannot tell how much runs differ.");
	tale->judgement.blind = false;
	assert_verdict(tale, GATE_EXIT_OK, "No regression: losses over 9 % would have been seen at 40 points of 2 series.");
	tale->series_verdicts[1].classes[GATE_BANDWIDTH].visible = NAN;
	assert_holds(gate_words_sight(&tale->story).text, "none at all in 1 of 6 classes");
	free(tale);
}

static void the_text_is_short_and_narrow(void **state)
{
	char *lines[MANY], long_name[300];
	struct tale *tale = tale_new();
	char *text;

	(void)state;
	memset(long_name, 'x', sizeof long_name - 1);
	long_name[sizeof long_name - 1] = '\0';
	tale->keys[0].path = long_name;
	tale->keys[1].algo = "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc";
	tale->story.names[GATE_NEW] = long_name;
	for (size_t i = 0; i < MANY; i++) {
		find_with(tale, i % SERIES, GATE_SHAPE, 512, 8192, i % 3 ? 9 - 0.1 * (double)i : 0.5);
		lines[i] = long_name;
	}
	tale->sheet.differences = tale->sheet.only[0] = tale->sheet.only[1] = lines;
	tale->sheet.ndifferences = tale->sheet.nonly[0] = tale->sheet.nonly[1] = MANY;
	tale->story.notes = lines;
	tale->story.nnotes = MANY;
	tale->story.all_points = true;
	for (size_t c = 0; c < GATE_CLASSES; c++)
		tale->series_verdicts[0].classes[c].word = GATE_SLOWER;
	decide(tale);
	text = told(tale, gate_tell_text);
	assert_int_equal(widest(text), 100);
	tale->story.all_points = false;
	free(text);
	text = told(tale, gate_tell_text);
	assert_true(count_of(text, "\n") < 220);
	assert_holds(text, "and 28 more (--json FILE has all)");
	assert_holds(text, "  - and 52 more");
	assert_int_equal(count_of(text, "look at "), 1);
	assert_true(strstr(text, "8.90 (8.01 to 9.79)") < strstr(text, "8.80 (7.92 to 9.68)"));
	assert_lacks(text, "Points:\n");
	free(text);
	free(tale);
}

static void the_text_says_it_all(void **state)
{
	char *only[] = { (char *)"reduce at 4 MiB" };
	struct tale *tale = tale_new();
	char *text;

	(void)state;
	find_with(tale, 0, GATE_LEVEL, 131072, 2097152, 1.5);
	find_with(tale, 1, GATE_POINT, 8, 8, 0.8);
	tale->sheet.only[GATE_NEW] = only;
	tale->sheet.nonly[GATE_NEW] = tale->sheet.points_only[GATE_NEW] = 1;
	tale->sheet.apart = 9 * 3600;
	tale->series_verdicts[0].classes[GATE_BANDWIDTH].word = GATE_SLOWER;
	tale->judgement.slower = 6;
	tale->judgement.same = 34;
	tale->points[1][2].wrong_new = tale->sheet.wrong_new = 7;
	decide(tale);
	text = told(tale, gate_tell_text);
	assert_memory_equal(
		text, "Regression: wrong data in NEW (7 elements); all_reduce takes 1.50 times as long from 128 KiB on.\n", 80);
	assert_holds(text, "  BASE  runs/a (5 launches)\n");
	assert_holds(text, "Taken 9 hours apart");
	assert_holds(text, "Wrong data in NEW:\n  - reduce at 128 B, out-of-place: 7 elements\n");
	assert_holds(text, "Slower, the worst first:\n");
	assert_holds(text,
		     "  all_reduce                 from 128 KiB on           1.50 (1.35 to 1.65)  together           <1e-6\n"
		     "    look at bandwidth:");
	assert_holds(text, "\nFaster:\n");
	assert_true(strstr(text, "0.80 (0.72 to 0.88)") > strstr(text, "\nFaster:\n"));
	assert_holds(text, "  all_reduce                         bandwidth  6      1.00 (0.98 to 1.02)  slower     5 %\n");
	assert_lacks(text, "  reduce                             latency");
	assert_holds(text, "In NEW alone (1 points):\n  - reduce at 4 MiB\n");
	assert_holds(text, "Points: 6 slower, 0 faster, 34 same, 0 undecided by themselves.");
	assert_holds(text, "Benjamini-Hochberg");
	free(text);
	tale->story.all_points = true;
	text = told(tale, gate_tell_text);
	assert_int_equal(count_of(text, "\n  reduce                             "), POINTS);
	free(text);
	free(tale);
}

/* A tale whose every text is hostile. */
static struct tale *hostile(char **line)
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

static void nothing_from_outside_gets_through(void **state)
{
	static void (*const tellers[])(FILE *, const struct gate_story *) = { gate_tell_verdict, gate_tell_text,
									      gate_tell_markdown, gate_tell_html,
									      gate_tell_junit };
	char *line;
	struct tale *tale = hostile(&line);
	json_t *json;

	(void)state;
	for (size_t t = 0; t < sizeof tellers / sizeof *tellers; t++) {
		char *text = told(tale, tellers[t]);

		for (const char *c = text; *c; c++)
			assert_true((unsigned char)*c >= ' ' || *c == '\n');
		assert_lacks(text, "\xff");
		assert_lacks(text, "\xef\xbf\xbf");
		if (tellers[t] != gate_tell_verdict && tellers[t] != gate_tell_text) {
			assert_lacks(text, "<script");
			assert_holds(text, "&lt;script&gt;");
			assert_lacks(text, "`$(");
		}
		free(text);
	}
	json = told_json(tale);
	assert_non_null(json_object_get(json, "words"));
	json_decref(json);
	free(tale);
}

static void markdown_fits_a_comment(void **state)
{
	char *line;
	struct tale *tale = hostile(&line);
	char *text;

	(void)state;
	tale->judgement.same = 0;
	for (size_t i = 0; i < 58; i++)
		find_with(tale, i % SERIES, GATE_LEVEL, 8, 512, 3);
	for (size_t i = 0; i < POINTS; i++)
		tale->verdicts[0][i].word = tale->verdicts[1][i].word = GATE_UNDECIDED;
	text = told(tale, gate_tell_markdown);
	assert_true(strlen(text) < 65000);
	assert_int_equal(count_of(text, "<details>"), count_of(text, "</details>"));
	assert_int_equal(count_of(text, "<details>"), 2);
	assert_holds(text, "and 39 more");
	assert_memory_equal(text, "### Regression: ", 16);
	/* A blank line before each table, or it is none. */
	for (const char *table = strstr(text, "|---"); table; table = strstr(table + 1, "\n|---")) {
		const char *head = table - (table[0] != '\n');

		while (head > text && head[-1] != '\n')
			head--;
		if (table[0] == '\n')
			assert_true(head > text + 1 && head[-2] == '\n');
	}
	free(text);
	free(tale);
}

static void markdown_of_many_series_stops_in_time(void **state)
{
	enum { COUNT = 300 };
	struct gate_series *series = calloc(COUNT, sizeof *series);
	struct gate_series_verdict *verdicts = calloc(COUNT, sizeof *verdicts);
	char *line;
	struct tale *tale = hostile(&line);
	char *text;

	(void)state;
	assert_true(series && verdicts);
	for (size_t s = 0; s < COUNT; s++) {
		series[s] = tale->series[s % SERIES];
		verdicts[s] = tale->series_verdicts[s % SERIES];
	}
	tale->sheet.series = series;
	tale->sheet.nseries = COUNT;
	tale->judgement.series = verdicts;
	for (size_t i = 0; i < POINTS; i++)
		tale->verdicts[0][i].word = tale->verdicts[1][i].word = GATE_UNDECIDED;
	text = told(tale, gate_tell_markdown);
	assert_true(strlen(text) < 65000);
	assert_int_equal(count_of(text, "<details>"), count_of(text, "</details>"));
	assert_holds(text, "and 5");
	free(text);
	free(series);
	free(verdicts);
	free(tale);
}

/* The number in the first attribute of that name at or after `text`. */
static size_t attribute(const char *text, const char *name)
{
	char sought[32];
	const char *at;

	snprintf(sought, sizeof sought, " %s=\"", name);
	at = strstr(text, sought);
	assert_non_null(at);
	return strtoul(at + strlen(sought), NULL, 10);
}

static void assert_counts(const char *text)
{
	size_t tests = 0, failures = 0, skipped = 0;

	assert_int_equal(attribute(text, "tests"), count_of(text, "<testcase"));
	assert_int_equal(attribute(text, "failures"), count_of(text, "<failure"));
	assert_int_equal(attribute(text, "skipped"), count_of(text, "<skipped"));
	for (const char *suite = strstr(text, "<testsuite "); suite; suite = strstr(suite + 1, "<testsuite ")) {
		tests += attribute(suite, "tests");
		failures += attribute(suite, "failures");
		skipped += attribute(suite, "skipped");
	}
	assert_int_equal(attribute(text, "tests"), tests);
	assert_int_equal(attribute(text, "failures"), failures);
	assert_int_equal(attribute(text, "skipped"), skipped);
}

static void junit_fails_where_the_exit_code_is_1(void **state)
{
	struct tale *tale = tale_new();
	char *text;

	(void)state;
	decide(tale);
	text = told(tale, gate_tell_junit);
	assert_counts(text);
	assert_int_equal(attribute(text, "failures"), 0);
	/* Three classes of each series, and two cases of the whole. */
	assert_int_equal(attribute(text, "tests"), 8);
	assert_int_equal(count_of(text, "<testsuite "), 3);
	assert_holds(text, "classname=\"collperf.reduce\" name=\"reduce bandwidth\"");
	free(text);
	find_with(tale, 0, GATE_LEVEL, 2097152, 2097152, 1.5);
	decide(tale);
	text = told(tale, gate_tell_junit);
	assert_counts(text);
	assert_int_equal(attribute(text, "failures"), 1);
	assert_holds(
		text,
		"name=\"all_reduce bandwidth\" time=\"0\">\n      <failure message=\"1.50 times as long\" type=\"regression\">");
	assert_holds(text, "at 2 MiB: 1.50 (1.35 to 1.65) times as long, seen together; look at ");
	free(text);
	tale->findings[0].slower = false;
	tale->series_verdicts[1].classes[GATE_LATENCY].word = GATE_UNDECIDED;
	decide(tale);
	text = told(tale, gate_tell_junit);
	assert_counts(text);
	assert_int_equal(attribute(text, "failures"), 0);
	assert_int_equal(attribute(text, "skipped"), 1);
	free(text);
	tale->judgement.blind = true;
	decide(tale);
	text = told(tale, gate_tell_junit);
	assert_int_equal(attribute(text, "skipped"), 2);
	assert_holds(text, "name=\"conclusive\" time=\"0\">\n      <skipped message=\"Inconclusive");
	free(text);
	free(tale);
}

static void junit_fails_the_class_of_the_placement(void **state)
{
	struct tale *tale = tale_new();
	char *text;

	(void)state;
	/* In-place 2 MiB takes as long as 8 B: it is of another class than out-of-place. */
	for (size_t i = 0; i < 5; i++)
		for (size_t k = SIZES; k < POINTS; k++)
			tale->log_time[GATE_BASE][0][i * POINTS + k] = log(5e-6);
	find_with(tale, 0, GATE_POINT, 2097152, 2097152, 1.5);
	tale->findings[0].out_of_place = false;
	decide(tale);
	text = told(tale, gate_tell_junit);
	assert_int_equal(attribute(text, "failures"), 1);
	assert_holds(text, "name=\"all_reduce latency\" time=\"0\">\n      <failure ");
	free(text);
	free(tale);
}

static void junit_has_a_case_a_gate(void **state)
{
	char *line;
	struct tale *tale = hostile(&line);
	char *text = told(tale, gate_tell_junit);

	(void)state;
	assert_counts(text);
	assert_holds(text, "<testsuite name=\"gather\" tests=\"1\" failures=\"1\"");
	assert_holds(text, "wrong data in NEW: 7 elements");
	assert_int_equal(attribute(text, "failures"), 3);
	free(text);
	tale->outcome.met = GATE_NOT_JUDGED;
	text = told(tale, gate_tell_junit);
	assert_holds(text, "<testsuite name=\"gather\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\"");
	free(text);
	free(tale);
}

static void json_has_every_figure(void **state)
{
	struct tale *tale = tale_new();
	json_t *json, *point;
	double ratio, base;

	(void)state;
	find_with(tale, 1, GATE_POINT, 512, 512, 1.2);
	tale->verdicts[1][3].ratio = (struct gate_ratio){ 1.2, NAN, INFINITY };
	tale->verdicts[1][3].p = NAN;
	tale->sheet.apart = NAN;
	decide(tale);
	json = told_json(tale);
	assert_string_equal(json_string_value(json_object_get(json, "verdict")), "regression");
	assert_int_equal(json_integer_value(json_object_get(json, "exit_code")), 1);
	assert_true(json_is_null(json_object_get(json, "seconds_apart")));
	assert_int_equal(json_array_size(json_object_get(json, "series")), SERIES);
	point = json_array_get(json_object_get(json_array_get(json_object_get(json, "series"), 1), "points"), 3);
	base = json_real_value(json_object_get(point, "base_time_us"));
	assert_true(fabs(base - (5 + 512 / 1e3) * 1.02) < 1e-6);
	ratio = json_real_value(json_object_get(point, "new_time_us")) / base;
	assert_true(ratio > 0 && fabs(json_real_value(json_object_get(point, "ratio_of_medians")) - ratio) < 1e-6);
	ratio = json_real_value(json_object_get(json_object_get(point, "ratio"), "value"));
	assert_true(fabs(ratio - 1.2) < 1e-9);
	assert_true(json_is_null(json_object_get(json_object_get(point, "ratio"), "low")));
	assert_true(json_is_null(json_object_get(json_object_get(point, "ratio"), "high")));
	assert_true(json_is_null(json_object_get(point, "p")));
	assert_string_equal(json_string_value(json_object_get(json_array_get(json_object_get(json, "findings"), 0), "sizes")),
			    "at 512 B");
	assert_string_equal(json_string_value(json_object_get(json_array_get(json_object_get(json, "findings"), 0), "against")),
			    "its other sizes");
	json_decref(json);
	free(tale);
}

static void a_page_says_the_same(void **state)
{
	struct tale *tale = tale_new();
	char *text;

	(void)state;
	find_with(tale, 0, GATE_LEVEL, 131072, 2097152, 1.5);
	decide(tale);
	text = told(tale, gate_tell_html);
	assert_holds(text,
		     "<li class=\"error\"><b>verdict</b>Regression: all_reduce takes 1.50 times as long from 128 KiB on.</li>");
	assert_holds(text, "<a href=\"#all_reduce\">");
	assert_int_equal(count_of(text, "<table>"), count_of(text, "</table>"));
	assert_int_equal(count_of(text, "<details>"), count_of(text, "</details>"));
	free(text);
	free(tale);
}

static void fractions_are_checked_whole(void **state)
{
	static const char *const bad[] = { "",
					   "5",
					   "5 %",
					   "%",
					   "0%",
					   "0",
					   "-5%",
					   "+5%",
					   "5%%",
					   "5%x",
					   "1e-2",
					   "0x5%",
					   ".5%",
					   "5.%",
					   "1.2.3%",
					   "1",
					   "1001%",
					   "nan%",
					   "inf%",
					   " 5%",
					   "5,0%",
					   "1.0",
					   "00000000000000000000000000000005%" };
	double value = 7;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		if (gate_settings_fraction(bad[i], GATE_MOST_THRESHOLD, &value) != -1)
			fail_msg("'%s' is taken for %g", bad[i], value);
		assert_true(value == 7);
	}
	assert_int_equal(gate_settings_fraction("5%", GATE_MOST_THRESHOLD, &value), 0);
	assert_true(fabs(value - 0.05) < 1e-12);
	assert_int_equal(gate_settings_fraction("0.05", GATE_MOST_THRESHOLD, &value), 0);
	assert_true(fabs(value - 0.05) < 1e-12);
	assert_int_equal(gate_settings_fraction("1000%", GATE_MOST_THRESHOLD, &value), 0);
	assert_int_equal(gate_settings_fraction("51%", GATE_MOST_ALARMS, &value), -1);
	assert_int_equal(gate_settings_fraction("0.6", GATE_MOST_ALARMS, &value), -1);
}

static void seeds_are_checked_whole(void **state)
{
	static const char *const bad[] = { "", "-1", "+1", "1x", " 1", "9223372036854775808", "99999999999999999999999", "1.0" };
	uint64_t seed = 7;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(gate_settings_seed(bad[i], &seed), -1);
	assert_int_equal(seed, 7);
	assert_int_equal(gate_settings_seed("9223372036854775807", &seed), 0);
	assert_true(seed == INT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_the_same_is_no_regression),
		cmocka_unit_test(a_loss_is_a_regression),
		cmocka_unit_test(what_became_less_fast_than_the_rest_is_no_loss),
		cmocka_unit_test(wrong_data_and_gates_are_regressions),
		cmocka_unit_test(what_cannot_be_seen_is_inconclusive),
		cmocka_unit_test(what_was_cut_is_named_with_its_remedy),
		cmocka_unit_test(noise_alone_bars_nothing),
		cmocka_unit_test(one_launch_decides_little),
		cmocka_unit_test(series_are_named_by_what_sets_them_apart),
		cmocka_unit_test(a_ratio_to_other_sizes_is_told_so),
		cmocka_unit_test(sizes_are_told_in_words),
		cmocka_unit_test(what_is_far_apart_may_have_drifted),
		cmocka_unit_test(what_could_be_seen_is_said),
		cmocka_unit_test(the_text_is_short_and_narrow),
		cmocka_unit_test(the_text_says_it_all),
		cmocka_unit_test(nothing_from_outside_gets_through),
		cmocka_unit_test(markdown_fits_a_comment),
		cmocka_unit_test(markdown_of_many_series_stops_in_time),
		cmocka_unit_test(junit_fails_where_the_exit_code_is_1),
		cmocka_unit_test(junit_fails_the_class_of_the_placement),
		cmocka_unit_test(junit_has_a_case_a_gate),
		cmocka_unit_test(json_has_every_figure),
		cmocka_unit_test(a_page_says_the_same),
		cmocka_unit_test(fractions_are_checked_whole),
		cmocka_unit_test(seeds_are_checked_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
