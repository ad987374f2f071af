/* SPDX-License-Identifier: Apache-2.0
 *
 * One comparison told in five ways: the verdict comes first, nothing is too wide or too long, nothing from outside gets through, all say the same.
 */
#include "gate_tale.h"

static size_t widest(const char *text)
{
	size_t most = 0, columns = 0;

	for (; *text; text++) {
		columns = *text == '\n' ? 0 : columns + (((unsigned char)*text & 0xC0) != 0x80);
		most = columns > most ? columns : most;
	}
	return most;
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

/* Two variants are called by their names wherever a side is named. */
static void variants_keep_their_names(void **state)
{
	static void (*const tellers[])(FILE *, const struct gate_story *) = { gate_tell_text, gate_tell_markdown,
									      gate_tell_html };
	char *only[] = { (char *)"reduce at 4 MiB" };
	struct tale *tale = tale_new();

	(void)state;
	tale->story.calls[GATE_BASE] = "B";
	tale->story.calls[GATE_NEW] = "A";
	for (size_t side = 0; side < GATE_SIDES; side++) {
		tale->sheet.only[side] = only;
		tale->sheet.nonly[side] = tale->sheet.points_only[side] = 1;
	}
	tale->points[0][3].doubt = GATE_WRONG_BASE;
	tale->verdicts[0][3].word = GATE_UNDECIDED;
	tale->points[1][2].wrong_new = tale->sheet.wrong_new = 7;
	decide(tale);
	for (size_t t = 0; t < sizeof tellers / sizeof *tellers; t++) {
		char *text = told(tale, tellers[t]);

		assert_holds(text, "In A alone");
		assert_holds(text, "In B alone");
		assert_holds(text, "Wrong data in A");
		assert_holds(text, "1: wrong data in B.");
		assert_lacks(text, "BASE");
		assert_lacks(text, "NEW");
		free(text);
	}
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
	assert_int_equal(count_of(text, "\nand 750 more\n"), 1);
	free(text);
	text = told(tale, gate_tell_html);
	assert_holds(text, "and 700 more");
	free(text);
	free(series);
	free(verdicts);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_text_is_short_and_narrow),
		cmocka_unit_test(the_text_says_it_all),
		cmocka_unit_test(nothing_from_outside_gets_through),
		cmocka_unit_test(variants_keep_their_names),
		cmocka_unit_test(markdown_fits_a_comment),
		cmocka_unit_test(markdown_of_many_series_stops_in_time),
		cmocka_unit_test(json_has_every_figure),
		cmocka_unit_test(a_page_says_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
