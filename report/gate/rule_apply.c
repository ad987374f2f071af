/* SPDX-License-Identifier: Apache-2.0
 *
 * Gates held against rows: of each point that a gate names the median over launches, and of these points the worst.
 */
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "../human.h"
#include "../text.h"
#include "rule_parts.h"
#include "sheet_parts.h"

static const double least_factor = 10;

/* What a point says of a rule. The worse, the higher. */
enum state { STATE_NONE, STATE_MET, STATE_NOT_JUDGED, STATE_MISSED, STATE_WRONG };

struct found {
	enum state state;
	const struct gate_cell *cells;
	size_t ncells;
	double value;
	double margin; /* how far on the good side of the limit, as a factor: under 1 it is missed */
	const char *why;
	long wrong;
	size_t points; /* that the rule names */
	/* Where there is none: what there is of its primitive. */
	double least, most; /* bytes */
	bool size_exists;
};

static bool is_asked(const char *asked, const char *text)
{
	return !asked || strcmp(asked, text) == 0;
}

/* By the size that was asked for, as split collectives move a little less. */
static bool has_size(const struct gate_rule *rule, const struct result *row)
{
	return (double)row->bytes == rule->bytes ||
	       (row->bytes_requested > 0 && !result_is_evened(row) && (double)row->bytes_requested == rule->bytes);
}

static bool names(const struct gate_rule *rule, const struct gate_cell *cell)
{
	const struct result *row = cell->row;

	return (rule->placement < 0 || (rule->placement == 1) == cell->in_place) && is_asked(rule->path, row->path) &&
	       is_asked(rule->algo, row->algo) && is_asked(rule->type, row->type) &&
	       (rule->nranks == 0 || rule->nranks == row->nranks);
}

static const char *unjudged(const struct gate_rule *rule, const struct found *point)
{
	static const struct {
		unsigned trait;
		const char *why;
	} doubts[] = {
		{ GATE_TRAIT_SIMULATED, "it is simulated" },
		{ GATE_TRAIT_TURNS, "ranks shared cores" },
		{ GATE_TRAIT_GPU_TURNS, "ranks shared a GPU" },
		{ GATE_TRAIT_TRACED, "the library wrote a line for each call" },
		{ GATE_TRAIT_RATES, "its rates do not agree with its size and time" },
		{ GATE_TRAIT_UNCHECKED, "its data was not checked" },
	};
	unsigned traits = 0;

	for (size_t i = 0; i < point->ncells; i++)
		traits |= point->cells[i].traits;
	for (size_t i = 0; i < sizeof doubts / sizeof *doubts; i++) {
		if (traits & doubts[i].trait)
			return doubts[i].why;
	}
	if (rule->measure == GATE_BUSBW && point->cells->row->nranks < 2)
		return "one rank has no bus";
	return isfinite(point->value) && point->value > 0 ? NULL : "it has no time";
}

static double measured(const struct gate_rule *rule, const struct result *row, double time)
{
	double algbw = (double)row->bytes / time;

	if (rule->measure == GATE_TIME)
		return time;
	if (rule->measure == GATE_ALGBW)
		return algbw;
	return row->nranks >= 2 && row->nranks <= INT_MAX ? algbw * rule->coll->bus_factor((int)row->nranks) : NAN;
}

/* One point of ncells >= 1. `scratch` holds as many numbers. */
static struct found judge(const struct gate_rule *rule, const struct gate_cell *cells, size_t ncells, double *scratch)
{
	struct found point = { .state = STATE_MET, .cells = cells, .ncells = ncells };

	for (size_t i = 0; i < ncells; i++) {
		scratch[i] = cells[i].time;
		point.wrong = gate_add(point.wrong, cells[i].wrong);
	}
	point.value = measured(rule, cells->row, gate_median(scratch, ncells));
	point.margin = rule->at_least ? point.value / rule->limit : rule->limit / point.value;
	point.why = unjudged(rule, &point);
	if (point.wrong > 0)
		point.state = STATE_WRONG;
	else if (point.why)
		point.state = STATE_NOT_JUDGED;
	else if (!(rule->at_least ? point.value >= rule->limit : point.value <= rule->limit))
		point.state = STATE_MISSED;
	return point;
}

static void take(struct found *worst, const struct found *point)
{
	size_t points = worst->points + 1;

	if (point->state > worst->state || (point->state == worst->state && point->margin < worst->margin))
		*worst = *point;
	worst->points = points;
}

static bool same_point(const struct gate_cell *a, const struct gate_cell *b)
{
	return a->key == b->key && a->in_place == b->in_place && a->row->bytes == b->row->bytes;
}

static struct found find(const struct gate_rule *rule, const struct gate_gathered *gathered, double *scratch)
{
	struct found worst = { .least = INFINITY, .most = -INFINITY, .value = NAN, .margin = INFINITY };
	double least = INFINITY, most = -INFINITY;
	bool size_exists = false;

	for (size_t first = 0, end; first < gathered->ncells; first = end) {
		const struct gate_cell *cell = &gathered->cells[first];
		struct found point;

		for (end = first + 1; end < gathered->ncells && same_point(cell, &gathered->cells[end]);)
			end++;
		if (strcmp(cell->row->collective, rule->coll->name) != 0)
			continue;
		least = fmin(least, (double)cell->row->bytes);
		most = fmax(most, (double)cell->row->bytes);
		if (!has_size(rule, cell->row))
			continue;
		size_exists = true;
		if (!names(rule, cell))
			continue;
		point = judge(rule, cell, end - first, scratch);
		take(&worst, &point);
	}
	worst.least = least;
	worst.most = most;
	worst.size_exists = size_exists;
	return worst;
}

struct words {
	char *text;
	size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void put(struct words *words, const char *format, ...)
{
	va_list args;
	int n;

	if (words->used >= words->size)
		return;
	va_start(args, format);
	n = vsnprintf(words->text + words->used, words->size - words->used, format, args);
	va_end(args);
	words->used += n > 0 ? (size_t)n : 0;
}

static void put_number(struct words *words, const struct gate_rule *rule, double value)
{
	const double units = value / rule->per_unit;

	/* No exponent: what is far from the limit is to be read as easily. */
	if (units > 0 && units < 1e-4 && units >= 1e-9)
		put(words, "%.*f %s", 3 - (int)floor(log10(units)), units, rule->unit);
	else
		put(words, units >= 9999.5 && units < 1e12 ? "%.0f %s" : "%.4g %s", units, rule->unit);
}

static void put_limit(struct words *words, const struct gate_rule *rule)
{
	put(words, "%.10g %s", rule->limit / rule->per_unit, rule->unit);
}

/* " is 2.5 % under ", " is 75 times under ": from a factor on, no percents. */
static void put_distance(struct words *words, double ratio)
{
	const double factor = fmax(ratio, 1 / ratio);

	if (factor >= least_factor && factor < 1e12)
		put(words, factor < 9.95 ? " is %.2g times %s " : " is %.0f times %s ", factor, ratio < 1 ? "under" : "over");
	else
		put(words, " is %s %s ", human_percent(fabs(ratio - 1)).text, ratio < 1 ? "under" : "over");
}

/* "(out-of-place, tcp, 8 ranks, median of 5 launches)" */
static void put_point(struct words *words, const struct found *found)
{
	const struct result *row = found->cells->row;
	char path[48], algo[48], variant[64];

	put(words, " (");
	if (found->points > 1)
		put(words, "worst of %zu points: ", found->points);
	put(words, "%s", found->cells->in_place ? RESULT_IN_PLACE : RESULT_OUT_OF_PLACE);
	if (*row->path)
		put(words, ", %s", text_escape(row->path, path, sizeof path));
	if (*row->algo)
		put(words, ", %s", text_escape(row->algo, algo, sizeof algo));
	if (*row->variant)
		put(words, ", %s", text_escape(row->variant, variant, sizeof variant));
	put(words, ", %lld rank%s", (long long)row->nranks, row->nranks == 1 ? "" : "s");
	if (found->ncells > 1)
		put(words, ", median of %zu launches)", found->ncells);
	else
		put(words, ", one launch)");
}

static void put_nothing(struct words *words, const struct gate_rule *rule, const struct found *found)
{
	if (!(found->least <= found->most))
		put(words, "nothing was measured: there is no row of %s", rule->coll->name);
	else if (!found->size_exists)
		put(words, "nothing was measured: sizes of %s are %s to %s", rule->coll->name, human_size(found->least).text,
		    human_size(found->most).text);
	else
		put(words,
		    "nothing was measured: rows of this size are of another placement, path, algo, type or number of ranks");
}

static void tell(const struct gate_rule *rule, const struct found *found, struct gate_outcome *outcome)
{
	static const char *const measures[] = { [GATE_BUSBW] = "busbw", [GATE_ALGBW] = "algbw", [GATE_TIME] = "time" };
	struct words words = { outcome->words, sizeof outcome->words, 0 };
	double off = found->value / rule->limit - 1;

	put(&words, "%s %s at %s: ", rule->coll->name, measures[rule->measure], rule->size);
	if (found->state == STATE_NONE) {
		put_nothing(&words, rule, found);
		return;
	}
	if (found->state == STATE_WRONG) {
		put(&words, "wrong data, %ld elements", found->wrong);
	} else if (found->state == STATE_NOT_JUDGED) {
		if (isfinite(found->value))
			put_number(&words, rule, found->value);
		else
			put(&words, "it");
		put(&words, " is not judged: %s", found->why);
	} else {
		put_number(&words, rule, found->value);
		if (off != 0) {
			put_distance(&words, found->value / rule->limit);
			put_limit(&words, rule);
		} else {
			put(&words, " is just the limit");
		}
	}
	put_point(&words, found);
}

static void settle(const struct gate_rule *rule, const struct found *found, struct gate_outcome *outcome)
{
	static const enum gate_met met[] = { [STATE_NONE] = GATE_NO_ROW,
					     [STATE_MET] = GATE_MET,
					     [STATE_NOT_JUDGED] = GATE_NOT_JUDGED,
					     [STATE_MISSED] = GATE_MISSED,
					     [STATE_WRONG] = GATE_MISSED };

	*outcome = (struct gate_outcome){ .met = met[found->state], .value = isfinite(found->value) ? found->value : NAN };
	if (found->state != STATE_NONE)
		outcome->row = found->cells->row;
	tell(rule, found, outcome);
}

int gate_rules_apply(const struct gate_rules *rules, const struct rows *rows, struct gate_outcome *outcomes)
{
	struct gate_side side = { .rows = rows };
	struct gate_gathered gathered = { 0 };
	struct gate_keys keys = { 0 };
	double *scratch = NULL;
	int rc = gate_gather(&side, GATE_NEW, &keys, &gathered);

	if (rc == 0) {
		scratch = malloc((gathered.ncells + 1) * sizeof *scratch);
		if (!scratch)
			rc = array_failed();
	}
	for (size_t i = 0; scratch && i < rules->count; i++) {
		struct found found = find(&rules->items[i], &gathered, scratch);

		settle(&rules->items[i], &found, &outcomes[i]);
	}
	free(scratch);
	gate_gathered_clear(&gathered);
	gate_keys_clear(&keys);
	return rc;
}
