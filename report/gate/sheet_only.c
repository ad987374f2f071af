/* SPDX-License-Identifier: Apache-2.0
 *
 * Points on one side alone in as few lines as say it: what the other side lacks altogether (a primitive, a path, a number of ranks) is one line, and
 * series that lack the same sizes share one.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../collectives/collective.h"
#include "../array.h"
#include "../escape.h"
#include "../human.h"
#include "sheet_tell.h"

enum { MOST_LINES = 24, MOST_NAMED = 3, OUT_OF_PLACE = 1, IN_PLACE = 2 };

/* What a whole key may be missing for, the most telling first. */
enum attribute {
	BY_COLLECTIVE,
	BY_BACKEND,
	BY_NRANKS,
	BY_NNODES,
	BY_PATH,
	BY_ALGO,
	BY_VARIANT,
	BY_GROUP,
	BY_TYPE,
	BY_REDOP,
	BY_ROOT,
	ATTRIBUTES
};

/* Where the sizes lie that a key lacks. */
enum relation { ALL, OVER, UNDER, AMONG };

struct group {
	const struct result *row;
	enum attribute attribute; /* ATTRIBUTES: none */
	enum relation relation;
	double bound;       /* of OVER and UNDER */
	double least, most; /* bytes */
	size_t sizes;       /* of a series */
	double named[MOST_NAMED];
	unsigned placements, primitives;
	size_t series, points;
};

struct groups {
	struct group items[MOST_LINES];
	size_t count;
	size_t series, points; /* that found no place */
};

/* The values of each attribute that a side has. */
struct values {
	const struct result *const *of; /* of each key: a row of that side, or NULL */
	struct index index[ATTRIBUTES];
};

struct seeker {
	const struct values *values;
	const struct result *row;
	enum attribute attribute;
};

static const char *text_of(const struct result *row, enum attribute attribute)
{
	switch (attribute) {
	case BY_COLLECTIVE:
		return row->collective;
	case BY_BACKEND:
		return row->backend;
	case BY_PATH:
		return row->path;
	case BY_ALGO:
		return row->algo;
	case BY_VARIANT:
		return row->variant;
	case BY_GROUP:
		return row->group;
	case BY_TYPE:
		return row->type;
	case BY_REDOP:
		return row->redop;
	default:
		return "";
	}
}

static int64_t number_of(const struct result *row, enum attribute attribute)
{
	switch (attribute) {
	case BY_NRANKS:
		return row->nranks;
	case BY_NNODES:
		return row->nnodes;
	case BY_ROOT:
		return row->root;
	default:
		return 0;
	}
}

static bool same_value(const struct result *a, const struct result *b, enum attribute attribute)
{
	return number_of(a, attribute) == number_of(b, attribute) && strcmp(text_of(a, attribute), text_of(b, attribute)) == 0;
}

static bool owns(const void *context, size_t key)
{
	const struct seeker *seeker = context;

	return same_value(seeker->values->of[key], seeker->row, seeker->attribute);
}

static bool has(const struct values *values, const struct result *row, enum attribute attribute, uint64_t *hash)
{
	struct seeker seeker = { values, row, attribute };

	*hash = index_mix(index_mix_text(0, text_of(row, attribute)), (uint64_t)number_of(row, attribute));
	return index_find(&values->index[attribute], *hash, owns, &seeker) != INDEX_NONE;
}

static int collect(struct values *values, size_t nkeys)
{
	uint64_t hash;

	for (size_t key = 0; key < nkeys; key++) {
		for (enum attribute a = 0; values->of[key] && a < ATTRIBUTES; a++) {
			if (!has(values, values->of[key], a, &hash) && index_add(&values->index[a], hash, key))
				return array_failed();
		}
	}
	return 0;
}

static enum attribute missing(const struct values *other, const struct result *row)
{
	uint64_t hash;

	for (enum attribute a = 0; a < ATTRIBUTES; a++) {
		if (!has(other, row, a, &hash))
			return a;
	}
	return ATTRIBUTES;
}

static unsigned primitive_of(const struct result *row)
{
	return 1U << collective_find(row->collective)->id;
}

/* The lone points of one key. */
static struct group describe(const struct gate_lone *lone, size_t n)
{
	struct group group = {
		.row = lone->row, .attribute = ATTRIBUTES, .least = INFINITY, .most = -INFINITY, .series = 1, .points = n
	};
	size_t out = 0, in = 0;

	for (size_t i = 0; i < n; i++) {
		double bytes = (double)lone[i].row->bytes;

		group.least = fmin(group.least, bytes);
		group.most = fmax(group.most, bytes);
		group.placements |= lone[i].in_place ? IN_PLACE : OUT_OF_PLACE;
		/* Sizes rise within each placement. */
		if (!lone[i].in_place && out++ < MOST_NAMED)
			group.named[out - 1] = bytes;
		else if (lone[i].in_place && in++ < MOST_NAMED && out == 0)
			group.named[in - 1] = bytes;
	}
	group.sizes = out > in ? out : in;
	group.primitives = primitive_of(lone->row);
	if (!lone->matched)
		return group;
	group.relation = group.least > lone->most ? OVER : group.most < lone->least ? UNDER : AMONG;
	group.bound = group.relation == OVER ? lone->most : group.relation == UNDER ? lone->least : 0;
	return group;
}

static bool same_machine(const struct result *a, const struct result *b)
{
	return a->nranks == b->nranks && a->nnodes == b->nnodes && strcmp(a->backend, b->backend) == 0 &&
	       strcmp(a->path, b->path) == 0 && strcmp(a->algo, b->algo) == 0 && strcmp(a->group, b->group) == 0 &&
	       strcmp(a->variant, b->variant) == 0;
}

static bool belongs(const struct group *group, const struct group *one)
{
	if (group->attribute != one->attribute || group->relation != one->relation)
		return false;
	if (group->attribute < ATTRIBUTES)
		return same_value(group->row, one->row, group->attribute);
	return group->placements == one->placements && group->sizes == one->sizes && group->bound == one->bound &&
	       group->least == one->least && group->most == one->most && same_machine(group->row, one->row);
}

static void take(struct groups *groups, const struct group *one)
{
	for (size_t i = 0; i < groups->count; i++) {
		struct group *group = &groups->items[i];

		if (!belongs(group, one))
			continue;
		group->least = fmin(group->least, one->least);
		group->most = fmax(group->most, one->most);
		group->placements |= one->placements;
		group->primitives |= one->primitives;
		group->series += one->series;
		group->points += one->points;
		return;
	}
	if (groups->count < MOST_LINES) {
		groups->items[groups->count++] = *one;
		return;
	}
	groups->series += one->series;
	groups->points += one->points;
}

static void put_primitives(FILE *out, unsigned primitives)
{
	size_t n = 0;

	for (size_t c = 0; c < COLL_COUNT; c++) {
		if (primitives & 1U << collectives[c]->id)
			escape_put(out, ESCAPE_PLAIN, "%s%s", n++ > 0 ? ", " : "", collectives[c]->name);
	}
}

static void put_value(FILE *out, const struct result *row, enum attribute attribute)
{
	static const char *const names[ATTRIBUTES] = { "",         "backend ", "",      "",           "path ", "algo ",
						       "variant ", "group ",   "type ", "operation ", "root " };
	const char *text = text_of(row, attribute);
	int64_t number = number_of(row, attribute);

	if (attribute == BY_NRANKS || attribute == BY_NNODES || attribute == BY_ROOT) {
		const char *unit = attribute == BY_NRANKS ? "rank" : attribute == BY_NNODES ? "node" : "";

		escape_put(out, ESCAPE_PLAIN, "%s%s%s%s%s", names[attribute],
			   number == RESULT_NONE ? "no" : human_integer(number).text, *unit ? " " : "", unit,
			   *unit && number != 1 ? "s" : "");
		return;
	}
	escape_put(out, ESCAPE_PLAIN, "%s%s", names[attribute], *text ? text : "\"\"");
}

/* "mpi, shm, 2 ranks": the words of a key behind its primitive; with its type and operation where the line is of one key alone. */
static void put_machine(FILE *out, const struct group *group)
{
	struct result row = *group->row;
	char words[256];
	const char *rest;

	if (group->series > 1) {
		row.type = row.redop = "";
		row.root = RESULT_NONE;
	}
	row.collective = "";
	rest = gate_key_words(&row, words, sizeof words);
	escape_put(out, ESCAPE_PLAIN, " (%s)", rest[0] == ',' ? rest + 2 : rest);
}

static void put_sizes(FILE *out, const struct group *group)
{
	const char *sizes = group->sizes == 1 ? "size" : "sizes";

	if (group->relation == OVER)
		escape_put(out, ESCAPE_PLAIN, "%zu %s over %s", group->sizes, sizes, human_size(group->bound).text);
	else if (group->relation == UNDER)
		escape_put(out, ESCAPE_PLAIN, "%zu %s under %s", group->sizes, sizes, human_size(group->bound).text);
	else if (group->sizes > MOST_NAMED)
		escape_put(out, ESCAPE_PLAIN, "%zu sizes, %s to %s", group->sizes, human_size(group->least).text,
			   human_size(group->most).text);
	else
		for (size_t i = 0; i < group->sizes; i++)
			escape_put(out, ESCAPE_PLAIN, "%s%s", i > 0 ? ", " : "", human_size(group->named[i]).text);
	if (group->placements == IN_PLACE)
		fputs(", in-place", out);
	else if (group->placements == OUT_OF_PLACE && group->relation != ALL)
		fputs(", out-of-place", out);
}

static void tell_group(FILE *out, const struct group *group)
{
	if (group->attribute == ATTRIBUTES) {
		put_primitives(out, group->primitives);
		put_machine(out, group);
		fputs(": ", out);
		put_sizes(out, group);
	} else {
		put_value(out, group->row, group->attribute);
		fputs(": ", out);
		if (group->attribute != BY_COLLECTIVE) {
			put_primitives(out, group->primitives);
			fputs(", ", out);
		}
		escape_put(out, ESCAPE_PLAIN, "all of it, %s", human_size(group->least).text);
		if (group->most > group->least)
			escape_put(out, ESCAPE_PLAIN, " to %s", human_size(group->most).text);
	}
	if (group->series > 1)
		escape_put(out, ESCAPE_PLAIN, " (%zu points in %zu series)", group->points, group->series);
	else if (group->points > 1)
		escape_put(out, ESCAPE_PLAIN, " (%zu points)", group->points);
}

static int tell_uncompared(struct gate_sheet *sheet, enum gate_side_id id, size_t rows, const char *of)
{
	struct gate_line line;

	if (rows == 0)
		return 0;
	if (gate_line_open(&line))
		return -1;
	escape_put(line.out, ESCAPE_PLAIN, "%zu rows of %s are not compared", rows, of);
	return gate_line_close(&line, &sheet->only[id], &sheet->nonly[id]);
}

static int tell(struct gate_sheet *sheet, enum gate_side_id id, const struct groups *groups, const struct gate_gathered *gathered)
{
	struct gate_line line;

	for (size_t i = 0; i < groups->count; i++) {
		if (gate_line_open(&line))
			return -1;
		tell_group(line.out, &groups->items[i]);
		if (gate_line_close(&line, &sheet->only[id], &sheet->nonly[id]))
			return -1;
	}
	if (groups->series > 0) {
		if (gate_line_open(&line))
			return -1;
		escape_put(line.out, ESCAPE_PLAIN, "and %zu points in %zu more series", groups->points, groups->series);
		if (gate_line_close(&line, &sheet->only[id], &sheet->nonly[id]))
			return -1;
	}
	if (tell_uncompared(sheet, id, gathered->pairs, "pairs of ranks") ||
	    tell_uncompared(sheet, id, gathered->steps, "training steps"))
		return -1;
	if (gathered->foreign == 0)
		return 0;
	if (gate_line_open(&line))
		return -1;
	escape_put(line.out, ESCAPE_PLAIN, "%zu rows of no known primitive (such as '%s') are not compared", gathered->foreign,
		   gathered->foreign_name);
	return gate_line_close(&line, &sheet->only[id], &sheet->nonly[id]);
}

int gate_only_tell(struct gate_sheet *sheet, enum gate_side_id id, const struct gate_keys *keys,
		   const struct gate_gathered *gathered, const struct gate_lone *lone, size_t nlone)
{
	struct values other = { .of = keys->of[id == GATE_BASE ? GATE_NEW : GATE_BASE] };
	struct groups groups = { 0 };
	int rc = nlone > 0 ? collect(&other, keys->count) : 0;

	for (size_t first = 0, end; rc == 0 && first < nlone; first = end) {
		struct group group;

		for (end = first + 1; end < nlone && lone[end].key == lone[first].key;)
			end++;
		group = describe(lone + first, end - first);
		if (!lone[first].matched)
			group.attribute = missing(&other, lone[first].row);
		take(&groups, &group);
	}
	for (enum attribute a = 0; a < ATTRIBUTES; a++)
		index_clear(&other.index[a]);
	return rc ? -1 : tell(sheet, id, &groups, gathered);
}
