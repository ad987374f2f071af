/* SPDX-License-Identifier: Apache-2.0
 *
 * Words for numbers, items and costs.
 */
#include "words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula.h"

enum item_kind { ITEM_BLOCK, ITEM_SEGMENT, ITEM_WHOLE, ITEM_PAIR, ITEM_OWNER, ITEM_SIGNAL };

static enum item_kind kind_of(const struct example *example)
{
	const struct schedule *schedule = &example->schedule;

	if (example_is_pairs(example))
		return ITEM_PAIR;
	if (example_is_signal(example))
		return ITEM_SIGNAL;
	if (schedule->coll->id == COLL_SENDRECV)
		return ITEM_OWNER;
	if (schedule->nitems == 1)
		return ITEM_WHOLE;
	return example->segments > 0 ? ITEM_SEGMENT : ITEM_BLOCK;
}

const char *words_item_kind(const struct example *example)
{
	static const char *const names[] = { [ITEM_BLOCK] = "block", [ITEM_SEGMENT] = "segment", [ITEM_WHOLE] = "buffer",
					     [ITEM_PAIR] = "block",  [ITEM_OWNER] = "buffer",    [ITEM_SIGNAL] = "message" };

	return names[kind_of(example)];
}

/* False when it no longer fits: the end is ".." then. */
__attribute__((format(printf, 3, 4))) static bool append(char *buffer, size_t size, const char *format, ...)
{
	const size_t used = strlen(buffer);
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(buffer + used, size - used, format, args);
	va_end(args);
	if (length >= 0 && (size_t)length < size - used)
		return true;
	if (size >= 3)
		memcpy(buffer + size - 3, "..", 3);
	return false;
}

const char *words_number(double number, char *buffer, size_t size)
{
	const bool whole = number == floor(number), exact = fabs(number) <= 9007199254740992;

	if (whole && exact) {
		snprintf(buffer, size, "%.0f", number);
		return buffer;
	}
	snprintf(buffer, size, "%.15g", number);
	if (whole && strtod(buffer, NULL) != number)
		snprintf(buffer, size, "~%.15g", number);
	return buffer;
}

static const char *items_in_pairs(const struct example *example, const int *items, int nitems, char *buffer, size_t size)
{
	const int nranks = example->schedule.nranks;

	for (int i = 0; i < nitems; i++) {
		if (!append(buffer, size, "%s%d:%d", i > 0 ? " " : "", items[i] / nranks, items[i] % nranks))
			break;
	}
	return buffer;
}

/* "0-1,4" */
static const char *append_runs(const int *numbers, int count, char *buffer, size_t size)
{
	int to;

	for (int i = 0; i < count; i = to) {
		for (to = i + 1; to < count && numbers[to] == numbers[to - 1] + 1; to++)
			;
		if (!append(buffer, size, to - i > 1 ? "%s%d-%d" : "%s%d", i > 0 ? "," : "", numbers[i], numbers[to - 1]))
			break;
	}
	return buffer;
}

const char *words_ranks(uint64_t set, char *buffer, size_t size)
{
	int ranks[SCHEDULE_MOST_RANKS], count = 0;

	for (int rank = 0; rank < SCHEDULE_MOST_RANKS; rank++) {
		if (set >> rank & 1)
			ranks[count++] = rank;
	}
	*buffer = '\0';
	return append_runs(ranks, count, buffer, size);
}

const char *words_items(const struct example *example, const int *items, int nitems, char *buffer, size_t size)
{
	const enum item_kind kind = kind_of(example);

	*buffer = '\0';
	if (nitems == 0)
		append(buffer, size, "nothing");
	else if (kind == ITEM_PAIR)
		items_in_pairs(example, items, nitems, buffer, size);
	else if (kind == ITEM_WHOLE || kind == ITEM_OWNER)
		append(buffer, size, "buffer");
	else if (kind == ITEM_SIGNAL)
		append(buffer, size, "empty message");
	else
		append(buffer, size, "%s%s ", words_item_kind(example), nitems > 1 ? "s" : "");
	if (nitems > 0 && (kind == ITEM_BLOCK || kind == ITEM_SEGMENT))
		append_runs(items, nitems, buffer, size);
	return buffer;
}

const char *words_columns(const struct example *example)
{
	static const char *const heads[] = {
		[ITEM_BLOCK] = "of block", [ITEM_SEGMENT] = "of segment", [ITEM_PAIR] = "from rank"
	};
	const enum item_kind kind = kind_of(example);

	return kind == ITEM_BLOCK || kind == ITEM_SEGMENT || kind == ITEM_PAIR ? heads[kind] : "";
}

const char *words_column(const struct example *example, int column, bool narrow, char *buffer, size_t size)
{
	const enum item_kind kind = kind_of(example);

	if (kind == ITEM_WHOLE || kind == ITEM_OWNER)
		snprintf(buffer, size, kind == ITEM_WHOLE ? "buffer" : "received");
	else if (kind == ITEM_SIGNAL)
		snprintf(buffer, size, "has heard of");
	else if (narrow)
		snprintf(buffer, size, "%d", column);
	else
		snprintf(buffer, size, "%s %d", kind == ITEM_PAIR ? "from" : words_item_kind(example), column);
	return buffer;
}

/* The numbers that fill `used` are followed by one that has no room: numbers are left out, never cut, unless there is room for none. */
static void end_numbers(char *buffer, size_t size, size_t used)
{
	size_t end = used;

	while (end > 0 && (end + 3 > size || (end < used && buffer[end] != ' ')))
		end--;
	if (end > 0)
		memcpy(buffer + end, "..", 3);
}

const char *words_values(const struct example *example, const uint64_t *values, const int *items, int nitems, char *buffer,
			 size_t size)
{
	char number[40];

	*buffer = '\0';
	if (example_is_signal(example))
		return words_ranks(values[items[0]], buffer, size);
	for (int i = 0; i < nitems; i++) {
		for (int e = 0; values[items[i]] && e < example_count(example, items[i]); e++) {
			const size_t used = strlen(buffer);

			words_number(example_number(example, values[items[i]], items[i], e), number, sizeof number);
			if (!append(buffer, size, "%s%s", used > 0 ? " " : "", number)) {
				end_numbers(buffer, size, used);
				return buffer;
			}
		}
	}
	return buffer;
}

const char *words_buffer(const struct example *example, const uint64_t *values, const uint64_t *mask, int width, char *buffer,
			 size_t size)
{
	char number[40];

	*buffer = '\0';
	for (int item = 0; item < example->schedule.nitems; item++) {
		for (int e = 0; mask[item] && values[item] && e < example_count(example, item); e++) {
			const size_t used = strlen(buffer);

			words_number(example_number(example, values[item], item, e), number, sizeof number);
			if (!append(buffer, size, "%s%*s", used > 0 ? " " : "", width, number)) {
				end_numbers(buffer, size, used);
				return buffer;
			}
		}
	}
	if (!*buffer)
		append(buffer, size, "%*s", width, "-");
	return buffer;
}

const char *words_sign(const struct example *example, bool combine)
{
	static const char *const signs[EXAMPLE_OPS] = { "+", "x", "max", "min" };

	return combine && !example_is_signal(example) ? signs[example->op] : "";
}

static const char *plural(int count)
{
	return count == 1 ? "" : "s";
}

const char *words_cut(const struct example *example, char *buffer, size_t size)
{
	const int nitems = example->schedule.nitems;

	*buffer = '\0';
	switch (kind_of(example)) {
	case ITEM_WHOLE:
		append(buffer, size, "The buffer of %d number%s is sent as a whole.", example->per, plural(example->per));
		break;
	case ITEM_OWNER:
		append(buffer, size, "A buffer is %d number%s.", example->per, plural(example->per));
		break;
	case ITEM_SIGNAL:
		append(buffer, size, "Messages carry no data. Nobody leaves before it has heard of all ranks.");
		break;
	case ITEM_PAIR:
		append(buffer, size, "Block r:c is what rank r has for rank c: ");
		if (example_smallest(example) < example->room)
			append(buffer, size, "from %d to ", example_smallest(example));
		append(buffer, size, "%d number%s.", example->room, plural(example->room));
		break;
	default:
		append(buffer, size, "The buffer is cut into %d %s%s of %d number%s", nitems, words_item_kind(example),
		       plural(nitems), example->per, plural(example->per));
		if (example_trees(example) == 2)
			append(buffer, size, ", m = %d for each tree: even ones for the first", example->segments);
		append(buffer, size, ".");
	}
	return buffer;
}

/* --- costs */

const char *words_share(const struct example *example, double value, char *buffer, size_t size)
{
	const double share = example->schedule.share;

	return formula_fraction(value, share > 0 ? (int)lround(1 / share) : 1, buffer, size);
}

/* What is no single factor needs parentheses before another. */
static bool is_sum(const char *formula)
{
	int depth = 0;

	for (const char *c = formula; *c; c++) {
		depth += (*c == '(') - (*c == ')');
		if (depth == 0 && (*c == '+' || *c == '-'))
			return true;
	}
	return false;
}

static void append_term(char *buffer, size_t size, const char *factor, const char *rest)
{
	const bool sum = is_sum(factor);

	if (strcmp(factor, "0") == 0)
		return;
	append(buffer, size, "%s", *buffer ? " + " : "");
	if (strcmp(factor, "1") != 0)
		append(buffer, size, sum ? "(%s) " : "%s ", factor);
	append(buffer, size, "%s", rest);
}

const char *words_cost(const struct lore_cost *cost, char *buffer, size_t size)
{
	*buffer = '\0';
	append_term(buffer, size, cost->rounds, "alpha");
	append_term(buffer, size, cost->wire, "S beta");
	append_term(buffer, size, cost->combined, "S gamma");
	if (!*buffer)
		append(buffer, size, "0");
	return buffer;
}

const char *words_counted(const struct example *example, char *buffer, size_t size)
{
	char rounds[40], wire[60], combined[60];
	struct lore_cost cost = { rounds, wire, combined };

	snprintf(rounds, sizeof rounds, "%d", example->count.rounds);
	words_share(example, example->count.wire, wire, sizeof wire);
	words_share(example, example->count.combined, combined, sizeof combined);
	return words_cost(&cost, buffer, size);
}

/* The formula less what was counted; 0: the same; HUGE_VAL: it says nothing. */
static double excess(const struct example *example, const char *formula, double counted)
{
	double value;

	if (formula_value(formula, example->schedule.nranks, example->segments > 0 ? example->segments : 1, &value))
		return HUGE_VAL;
	return fabs(value - counted) <= 1e-9 * fmax(1, fabs(counted)) ? 0 : value - counted;
}

enum words_fit words_cost_fit(const struct example *example, const struct lore_cost *cost)
{
	const double rounds = excess(example, cost->rounds, example->count.rounds),
		     wire = excess(example, cost->wire, example->count.wire),
		     combined = excess(example, cost->combined, example->count.combined);

	if (rounds == 0 && wire == 0 && combined == 0)
		return WORDS_EXACT;
	return rounds >= 0 && wire >= 0 && combined >= 0 ? WORDS_ABOVE : WORDS_BELOW;
}

static const struct {
	char letter;
	const char *meaning, *after;
} letters[] = { { 'L', "ceil(log2 p) = ", "" },
		{ 'k', "floor(log2 p) = ", "" },
		{ 'm', "segments = ", "" },
		{ 'D', "floor(log2(p+1)) + floor(log2((p+1)/3)) = ", "" },
		{ 'd', "", " (0 where p is 2^k or 4i+3, else 1)" },
		{ 'H', "sum of ceil(p/2^i), i = 1..k, = ", "" },
		{ 'W', "ones in the binary forms of 1 to p-1 = ", "" } };

enum { LETTERS = sizeof letters / sizeof *letters };

static bool has_letter(const struct lore_cost *cost, char letter)
{
	return formula_has(cost->rounds, letter) || formula_has(cost->wire, letter) || formula_has(cost->combined, letter);
}

bool words_letter(const struct example *example, const struct lore_cost *cost, int i, char *letter, double *value)
{
	for (int at = 0; at < LETTERS; at++) {
		const char name[] = { letters[at].letter, '\0' };

		if (!has_letter(cost, *name) || i-- > 0)
			continue;
		*letter = *name;
		return formula_value(name, example->schedule.nranks, example->segments, value) == 0;
	}
	return false;
}

const char *words_letters(const struct example *example, const struct lore_cost *cost, char *buffer, size_t size)
{
	char letter;
	double value;

	*buffer = '\0';
	for (int i = 0; words_letter(example, cost, i, &letter, &value); i++) {
		int at = 0;

		while (letters[at].letter != letter)
			at++;
		append(buffer, size, "%s%c = %s%.0f%s", *buffer ? ", " : "", letter,
		       letter == 'm' && example_trees(example) == 2 ? "segments for each tree = " : letters[at].meaning, value,
		       letters[at].after);
	}
	return buffer;
}
