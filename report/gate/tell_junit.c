/* SPDX-License-Identifier: Apache-2.0
 *
 * A comparison as JUnit XML: a suite for each primitive, a case for each class of sizes of a series and for each gate, and one suite for what is of the whole.
 * Whatever makes the exit code 1 is a failure of some case, and nothing else is. Cases are walked twice, as a suite begins with its counts.
 */
#include <math.h>
#include <string.h>

#include "../escape.h"
#include "../human.h"
#include "sheet_parts.h"
#include "words.h"

enum outcome { PASSED, FAILED, SKIPPED };

enum { MOST_TOLD = 20 };

struct test {
	const char *suite, *name; /* may hold any bytes */
	enum outcome outcome;
	const char *message;
};

struct walk {
	FILE *out; /* NULL: only counts */
	size_t tests, failures, skipped;
};

/* What may be told of a class beside its message: the series and which of its findings; NULL: nothing. */
struct detail {
	const struct gate_story *story;
	size_t series;
	enum gate_class which;
};

static bool is_of_class(const struct gate_series *series, const struct gate_finding *finding, enum gate_class which)
{
	for (size_t i = 0; i < series->npoints; i++) {
		const struct gate_point *point = &series->points[i];

		if (point->bytes >= finding->first_bytes && point->bytes <= finding->last_bytes &&
		    (point->in_place ? finding->in_place : finding->out_of_place) && gate_class_of(series, i) == which)
			return true;
	}
	return false;
}

/* Whether finding f is a loss of that class. */
static bool is_loss(const struct detail *detail, size_t f)
{
	const struct gate_finding *finding = &detail->story->judgement->findings[f];

	return finding->series == detail->series && gate_is_loss(finding) &&
	       is_of_class(&detail->story->sheet->series[detail->series], finding, detail->which);
}

static bool is_lost_point(const struct detail *detail, size_t i)
{
	return gate_is_lost(&detail->story->judgement->series[detail->series].points[i]) &&
	       gate_class_of(&detail->story->sheet->series[detail->series], i) == detail->which;
}

static void tell_losses(FILE *out, const struct detail *detail)
{
	const struct gate_story *story = detail->story;
	const struct gate_series *series = &story->sheet->series[detail->series];
	size_t told = 0;

	for (size_t f = 0; f < story->judgement->nfindings; f++) {
		const struct gate_finding *finding = &story->judgement->findings[f];

		if (!is_loss(detail, f) || told++ >= MOST_TOLD)
			continue;
		escape_put(out, ESCAPE_HTML, "\n%s: %s times as long, seen %s", gate_words_sizes(story->sheet, finding).text,
			   gate_words_ratio(&finding->direct).text, gate_words_seen(finding).text);
		escape_put(out, ESCAPE_HTML, "; look at %s", gate_words_hint(story->sheet, finding));
	}
	for (size_t i = 0; i < series->npoints; i++) {
		if (is_lost_point(detail, i) && told++ < MOST_TOLD)
			escape_put(out, ESCAPE_HTML, "\n%s, %s: %s times as long", human_size(series->points[i].bytes).text,
				   series->points[i].in_place ? RESULT_IN_PLACE : RESULT_OUT_OF_PLACE,
				   gate_words_ratio(&story->judgement->series[detail->series].points[i].ratio).text);
	}
	if (told > MOST_TOLD)
		fprintf(out, "\nand %zu more", told - MOST_TOLD);
	putc('\n', out);
}

static void take(struct walk *walk, const struct test *test, const struct detail *detail)
{
	walk->tests++;
	walk->failures += test->outcome == FAILED;
	walk->skipped += test->outcome == SKIPPED;
	if (!walk->out)
		return;
	escape_put(walk->out, ESCAPE_HTML, "    <testcase classname=\"collperf.%s\" name=\"%s\" time=\"0\"", test->suite,
		   test->name);
	if (test->outcome == PASSED) {
		fputs("/>\n", walk->out);
		return;
	}
	if (test->outcome == SKIPPED) {
		escape_put(walk->out, ESCAPE_HTML, ">\n      <skipped message=\"%s\"/>\n    </testcase>\n", test->message);
		return;
	}
	escape_put(walk->out, ESCAPE_HTML, ">\n      <failure message=\"%s\" type=\"regression\">%s", test->message,
		   test->message);
	if (detail)
		tell_losses(walk->out, detail);
	fputs("</failure>\n    </testcase>\n", walk->out);
}

/* The largest loss in the class; NAN: none. */
static double loss_of(const struct detail *detail)
{
	const struct gate_judgement *judgement = detail->story->judgement;
	double loss = NAN;

	for (size_t f = 0; f < judgement->nfindings; f++) {
		if (is_loss(detail, f))
			loss = fmax(loss, judgement->findings[f].ratio.value);
	}
	for (size_t i = 0; i < detail->story->sheet->series[detail->series].npoints; i++) {
		if (is_lost_point(detail, i))
			loss = fmax(loss, judgement->series[detail->series].points[i].ratio.value);
	}
	return loss;
}

/* How many series of that key there are, of which how many come before this one. */
static size_t namesakes(const struct detail *detail, size_t *before)
{
	const struct gate_sheet *sheet = detail->story->sheet;
	size_t all = 0;

	*before = 0;
	for (size_t s = 0; s < sheet->nseries; s++) {
		if (!gate_key_same(sheet->series[s].key, sheet->series[detail->series].key, false))
			continue;
		*before += s < detail->series;
		all++;
	}
	return all;
}

/* CI servers know a case by its name: sizes that some launches lack are a series of their own. */
static struct gate_words unique_name(const struct detail *detail)
{
	const struct gate_series *series = &detail->story->sheet->series[detail->series];
	struct gate_words name = gate_words_series(detail->story->sheet, detail->series);
	size_t before, used;

	if (namesakes(detail, &before) < 2)
		return name;
	used = strlen(name.text);
	snprintf(name.text + used, sizeof name.text - used, ", part %zu (%zu and %zu launches)", before + 1,
		 series->launches[GATE_BASE], series->launches[GATE_NEW]);
	return name;
}

static void walk_class(struct walk *walk, const struct detail *detail)
{
	const struct gate_story *story = detail->story;
	const struct gate_class_verdict *verdict = &story->judgement->series[detail->series].classes[detail->which];
	const struct gate_words series = unique_name(detail);
	const double loss = loss_of(detail);
	struct test test = { .suite = story->sheet->series[detail->series].key->collective };
	char name[768], message[768];

	snprintf(name, sizeof name, "%s %s", series.text, gate_class_names[detail->which]);
	test.name = name;
	test.message = message;
	if (gate_fails(story->judgement, loss) && !isnan(loss)) {
		test.outcome = FAILED;
		snprintf(message, sizeof message, "%s times as long", human_ratio(loss).text);
	} else if (!isnan(loss)) {
		test.outcome = SKIPPED;
		snprintf(message, sizeof message, "%s times as long, but one launch on a side decides nothing",
			 human_ratio(loss).text);
	} else if (verdict->word == GATE_UNDECIDED) {
		test.outcome = SKIPPED;
		snprintf(message, sizeof message, "undecided: visible would be a loss of %s",
			 gate_words_loss(verdict->visible).text);
	}
	take(walk, &test, detail);
}

/* The same gate given twice. */
static size_t gates_before(const struct gate_rules *rules, size_t i)
{
	size_t n = 0;

	for (size_t before = 0; before < i; before++)
		n += strcmp(rules->items[before].text, rules->items[i].text) == 0;
	return n;
}

static void walk_gates(struct walk *walk, const struct gate_story *story, const char *suite)
{
	for (size_t i = 0; story->rules && i < story->rules->count; i++) {
		const struct gate_outcome *outcome = &story->outcomes[i];
		const size_t before = gates_before(story->rules, i);
		char name[GATE_LONGEST_RULE + 40];
		const struct test test = { suite, name,
					   gate_is_missed(outcome)           ? FAILED
					   : outcome->met == GATE_NOT_JUDGED ? SKIPPED
									     : PASSED,
					   outcome->words };

		if (strcmp(story->rules->items[i].coll->name, suite) != 0)
			continue;
		if (before > 0)
			snprintf(name, sizeof name, "%s #%zu", story->rules->items[i].text, before + 1);
		else
			snprintf(name, sizeof name, "%s", story->rules->items[i].text);
		take(walk, &test, NULL);
	}
}

static void walk_primitive(struct walk *walk, const struct gate_story *story, const char *suite)
{
	for (size_t s = 0; s < story->sheet->nseries; s++) {
		struct detail detail = { story, s, GATE_LATENCY };

		if (strcmp(story->sheet->series[s].key->collective, suite) != 0)
			continue;
		for (; detail.which < GATE_CLASSES; detail.which++) {
			if (story->judgement->series[s].classes[detail.which].points > 0)
				walk_class(walk, &detail);
		}
	}
	walk_gates(walk, story, suite);
}

static void walk_whole(struct walk *walk, const struct gate_story *story, const char *suite)
{
	const struct gate_words verdict = gate_words_verdict(story);
	char message[80];
	const struct test data = { suite, "data of NEW", story->sheet->wrong_new > 0 ? FAILED : PASSED, message };
	const struct test conclusive = { suite, "conclusive", story->code == GATE_EXIT_INCONCLUSIVE ? SKIPPED : PASSED,
					 verdict.text };

	snprintf(message, sizeof message, "wrong data in %s: %ld elements", gate_words_call(story, GATE_NEW),
		 story->sheet->wrong_new);
	take(walk, &data, NULL);
	take(walk, &conclusive, NULL);
}

static void suite_put(FILE *out, const struct gate_story *story, const char *suite, struct walk *total,
		      void (*step)(struct walk *, const struct gate_story *, const char *))
{
	struct walk count = { 0 }, print = { .out = out };

	step(&count, story, suite);
	total->tests += count.tests;
	total->failures += count.failures;
	total->skipped += count.skipped;
	if (!out || count.tests == 0)
		return;
	escape_put(out, ESCAPE_HTML,
		   "  <testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" time=\"0\">\n", suite,
		   count.tests, count.failures, count.skipped);
	step(&print, story, suite);
	fputs("  </testsuite>\n", out);
}

static bool has_series(const struct gate_sheet *sheet, size_t before, const char *suite)
{
	for (size_t s = 0; s < before; s++) {
		if (strcmp(sheet->series[s].key->collective, suite) == 0)
			return true;
	}
	return false;
}

static bool has_gate(const struct gate_rules *rules, size_t before, const char *suite)
{
	for (size_t i = 0; i < before; i++) {
		if (strcmp(rules->items[i].coll->name, suite) == 0)
			return true;
	}
	return false;
}

static struct walk suites_put(FILE *out, const struct gate_story *story)
{
	const struct gate_sheet *sheet = story->sheet;
	struct walk total = { 0 };

	suite_put(out, story, "comparison", &total, walk_whole);
	for (size_t s = 0; s < sheet->nseries; s++) {
		if (!has_series(sheet, s, sheet->series[s].key->collective))
			suite_put(out, story, sheet->series[s].key->collective, &total, walk_primitive);
	}
	/* Gates of what nothing was measured for. */
	for (size_t i = 0; story->rules && i < story->rules->count; i++) {
		const char *suite = story->rules->items[i].coll->name;

		if (!has_series(sheet, sheet->nseries, suite) && !has_gate(story->rules, i, suite))
			suite_put(out, story, suite, &total, walk_primitive);
	}
	return total;
}

void gate_tell_junit(FILE *out, const struct gate_story *story)
{
	const struct walk total = suites_put(NULL, story);

	escape_put(out, ESCAPE_HTML,
		   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"collperf compare\" tests=\"%zu\" "
		   "failures=\"%zu\" "
		   "errors=\"0\" skipped=\"%zu\" time=\"0\">\n",
		   total.tests, total.failures, total.skipped);
	suites_put(out, story);
	fputs("</testsuites>\n", out);
}
