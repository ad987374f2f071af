/* SPDX-License-Identifier: Apache-2.0
 *
 * The exit code and the sentences that say why.
 */
#include "gate_tale.h"

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
	tale->series_verdicts[1].classes[GATE_BANDWIDTH].visible = 11;
	assert_verdict(tale, GATE_EXIT_OK,
		       "No regression: only losses of over 1000 % would have been seen at 40 points of 2 series.");
	tale->series_verdicts[1].classes[GATE_BANDWIDTH].visible = NAN;
	assert_holds(gate_words_sight(&tale->story).text, "none at all in 1 of 6 classes");
	free(tale);
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
