/* SPDX-License-Identifier: Apache-2.0
 *
 * JUnit XML of a comparison: counts that agree, and a failure where the exit code is 1.
 */
#include "gate_tale.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(junit_fails_where_the_exit_code_is_1),
		cmocka_unit_test(junit_fails_the_class_of_the_placement),
		cmocka_unit_test(junit_has_a_case_a_gate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
