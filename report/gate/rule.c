/* SPDX-License-Identifier: Apache-2.0
 *
 * The grammar of gates: word by word, and a line that says what was expected at the first that does not fit.
 */
#include "rule.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../text.h"
#include "rule_parts.h"

enum { SHOWN = 80, BOTH_PLACEMENTS = -1 };

static const char example[] = "as in \"all_reduce busbw >= 350 GB/s at 1G\"";

/* The words of a rule, one after the other. */
struct scan {
	char *left;  /* what strtok_r goes on with */
	char *words; /* the first call's */
	const char *text;
	char *error;
	size_t error_size;
};

__attribute__((format(printf, 2, 3))) static int fail(const struct scan *scan, const char *format, ...)
{
	char shown[SHOWN + 1], what[512];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	snprintf(scan->error, scan->error_size, "gate '%s': %s", text_escape(scan->text, shown, sizeof shown), what);
	return -1;
}

/* "expected WHAT, not 'WORD'"; NULL: the text is over. */
static int expected(const struct scan *scan, const char *what, const char *word)
{
	char shown[SHOWN + 1];

	if (!word)
		return fail(scan, "expected %s where it ends, %s", what, example);
	return fail(scan, "expected %s, not '%s', %s", what, text_escape(word, shown, sizeof shown), example);
}

static const char *next(struct scan *scan)
{
	char *words = scan->words;

	scan->words = NULL;
	return strtok_r(words, " \t\r\n", &scan->left);
}

static int take_primitive(struct scan *scan, struct gate_rule *rule)
{
	const char *word = next(scan);
	char names[256] = "a primitive (";
	size_t used = strlen(names);

	rule->coll = word ? collective_find(word) : NULL;
	/* A gate holds at a size. */
	if (rule->coll && !(rule->coll->flags & COLL_NO_DATA))
		return 0;
	for (size_t c = 0; c < COLL_COUNT; c++)
		if (!(collectives[c]->flags & COLL_NO_DATA))
			used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", c > 0 ? ", " : "",
						 collectives[c]->name);
	snprintf(names + used, sizeof names - used, ")");
	return expected(scan, names, word);
}

static int take_measure(struct scan *scan, struct gate_rule *rule)
{
	static const char *const names[] = { [GATE_BUSBW] = "busbw", [GATE_ALGBW] = "algbw", [GATE_TIME] = "time" };
	const char *word = next(scan);

	for (size_t i = 0; word && i < sizeof names / sizeof *names; i++) {
		if (strcmp(word, names[i]) == 0) {
			rule->measure = (enum gate_measure)i;
			return 0;
		}
	}
	return expected(scan, "busbw, algbw or time", word);
}

static int take_order(struct scan *scan, struct gate_rule *rule)
{
	const char *word = next(scan);

	if (!word || (strcmp(word, ">=") != 0 && strcmp(word, "<=") != 0))
		return expected(scan, "\">=\" or \"<=\" between blanks", word);
	rule->at_least = *word == '>';
	return 0;
}

static int take_limit(struct scan *scan, struct gate_rule *rule)
{
	const char *word = next(scan), *name;
	const struct gate_unit *unit;
	char what[128];
	double number;

	if (!word || gate_number_parse(word, &number, &name))
		return expected(scan, "a number above 0, without sign or exponent", word);
	if (!*name)
		name = next(scan);
	unit = name ? gate_unit_find(rule->measure, name) : NULL;
	if (!unit) {
		snprintf(what, sizeof what, "the unit %s", gate_unit_names(rule->measure));
		return expected(scan, what, name);
	}
	rule->unit = unit->name;
	rule->per_unit = unit->per_unit;
	rule->limit = unit->fraction > 0 ? number / unit->fraction : number * unit->per_unit;
	return 0;
}

static int take_size(struct scan *scan, struct gate_rule *rule)
{
	const char *word = next(scan);

	if (!word || strcmp(word, "at") != 0)
		return expected(scan, "\"at\" and a size", word);
	word = next(scan);
	if (!word || strlen(word) >= sizeof rule->size || gate_size_parse(word, &rule->bytes))
		return expected(scan, "a size such as 8, 64K or 1G", word);
	memcpy(rule->size, word, strlen(word) + 1);
	return 0;
}

static int take_word(struct scan *scan, const char *name, char **place)
{
	const char *word = next(scan);
	char what[64];

	snprintf(what, sizeof what, "a word behind %s", name);
	if (!word)
		return expected(scan, what, word);
	if (*place)
		return fail(scan, "%s stands there twice", name);
	*place = strdup(word);
	if (*place)
		return 0;
	fail(scan, "out of memory");
	return -2;
}

static int take_placement(struct scan *scan, struct gate_rule *rule, int placement)
{
	if (rule->placement != BOTH_PLACEMENTS)
		return fail(scan, "a placement stands there twice; without one both must hold");
	rule->placement = placement;
	return 0;
}

static int take_nranks(struct scan *scan, struct gate_rule *rule)
{
	const char *word = next(scan);

	if (rule->nranks > 0)
		return fail(scan, "nranks stands there twice");
	return word && gate_count_parse(word, INT_MAX, &rule->nranks) == 0 ? 0 : expected(scan, "a number of ranks", word);
}

static int take_options(struct scan *scan, struct gate_rule *rule)
{
	const char *word;
	int rc = 0;

	while (rc == 0 && (word = next(scan)) != NULL) {
		if (strcmp(word, "out-of-place") == 0)
			rc = take_placement(scan, rule, 0);
		else if (strcmp(word, "in-place") == 0)
			rc = take_placement(scan, rule, 1);
		else if (strcmp(word, "path") == 0)
			rc = take_word(scan, "path", &rule->path);
		else if (strcmp(word, "algo") == 0)
			rc = take_word(scan, "algo", &rule->algo);
		else if (strcmp(word, "type") == 0)
			rc = take_word(scan, "type", &rule->type);
		else if (strcmp(word, "nranks") == 0)
			rc = take_nranks(scan, rule);
		else
			rc = expected(scan, "in-place, out-of-place, path, algo, nranks, type or the end", word);
	}
	return rc;
}

static void clear(struct gate_rule *rule)
{
	free(rule->text);
	free(rule->path);
	free(rule->algo);
	free(rule->type);
}

static int parse(struct scan *scan, struct gate_rule *rule)
{
	if (scan->text[strspn(scan->text, " \t\r\n")] == '\0')
		return fail(scan, "it is empty: expected PRIMITIVE busbw|algbw|time >=|<= NUMBER UNIT at SIZE, %s", example);
	if (strlen(scan->text) > GATE_LONGEST_RULE)
		return fail(scan, "it is longer than %d characters", (int)GATE_LONGEST_RULE);
	if (take_primitive(scan, rule) || take_measure(scan, rule) || take_order(scan, rule) || take_limit(scan, rule) ||
	    take_size(scan, rule))
		return -1;
	return take_options(scan, rule);
}

static int append(struct gate_rules *rules, const struct gate_rule *rule)
{
	struct gate_rule *grown = realloc(rules->items, (rules->count + 1) * sizeof *grown);

	if (!grown)
		return -1;
	rules->items = grown;
	grown[rules->count++] = *rule;
	return 0;
}

int gate_rule_add(struct gate_rules *rules, const char *text, char *error, size_t error_size)
{
	struct gate_rule rule = { .placement = BOTH_PLACEMENTS, .text = strdup(text) };
	char *words = strdup(text);
	struct scan scan = { .words = words, .text = text, .error = error, .error_size = error_size };
	int rc = -2;

	if (rule.text && words)
		rc = rules->count < GATE_MOST_RULES ? parse(&scan, &rule)
						    : fail(&scan, "more than %d gates", (int)GATE_MOST_RULES);
	if (rc == 0 && append(rules, &rule))
		rc = -2;
	free(words);
	if (rc)
		clear(&rule);
	if (rc == -2)
		fail(&scan, "out of memory");
	return rc;
}

void gate_rules_cut(struct gate_rules *rules, size_t count)
{
	while (rules->count > count)
		clear(&rules->items[--rules->count]);
}

void gate_rules_clear(struct gate_rules *rules)
{
	gate_rules_cut(rules, 0);
	free(rules->items);
	*rules = (struct gate_rules){ 0 };
}
