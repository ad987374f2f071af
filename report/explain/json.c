/* SPDX-License-Identifier: Apache-2.0
 *
 * An example as one JSON document.
 */
#include <jansson.h>

#include "../array.h"
#include "lore.h"
#include "show.h"
#include "words.h"

static json_t *numbers_json(const struct example *example, const uint64_t *values, const uint64_t *mask)
{
	json_t *array = json_array();

	for (int item = 0; array && item < example->schedule.nitems; item++) {
		for (int e = 0; mask[item] && values[item] && e < example_count(example, item); e++)
			json_array_append_new(array, json_real(example_number(example, values[item], item, e)));
	}
	return array;
}

static json_t *rank_json(const struct example *example, int rank)
{
	const struct schedule *schedule = &example->schedule;
	const size_t at = example_at(example, rank);
	const struct show_moved moved = show_moved(example, rank);
	const double share = schedule->share;

	return json_pack("{si so so sf sf si si}", "rank", rank, "before",
			 numbers_json(example, schedule->start + at, schedule->start + at), "after",
			 numbers_json(example, example->ended + at, schedule->wanted + at), "sent_share",
			 (double)moved.sent_size * share, "received_share", (double)moved.got_size * share, "messages_sent",
			 moved.sent_messages, "messages_received", moved.got_messages);
}

static json_t *message_json(const struct example *example, const struct schedule_message *message)
{
	json_t *items = json_array();

	for (int i = 0; items && i < message->nitems && !example_is_signal(example); i++)
		json_array_append_new(items, json_integer(message->items[i]));
	return json_pack("{si si si sb so}", "round", message->round + 1, "from", message->from, "to", message->to, "reduces",
			 *words_sign(example, message->combine) != '\0', "items", items);
}

/* What the letters of the formula are here; p too. */
static json_t *letters_json(const struct example *example, const struct lore_cost *cost)
{
	json_t *letters = json_pack("{si}", "p", example->schedule.nranks);
	char name[] = "x";
	double value;

	for (int i = 0; letters && words_letter(example, cost, i, name, &value); i++)
		json_object_set_new(letters, name, json_integer((json_int_t)value));
	return letters;
}

/* One rank has no formula. */
static json_t *cost_json(const struct example *example)
{
	const struct lore *lore = lore_find(example->schedule.coll, example->schedule.algo);
	const struct lore_cost *cost = lore ? lore_cost_of(lore, example->schedule.nranks) : NULL;
	json_t *counted;
	char words[200];

	counted = json_pack("{si sf sf sf ss}", "rounds", example->count.rounds, "wire_share", example->count.wire,
			    "reduced_share", example->count.combined, "total_share", example->count.total, "counted",
			    words_counted(example, words, sizeof words));
	if (!cost || example->schedule.nranks == 1)
		return counted;
	json_object_update_new(counted, json_pack("{ss ss so sb}", "formula", words_cost(cost, words, sizeof words), "holds",
						  show_validity(example, lore), "letters", letters_json(example, cost), "exact",
						  words_cost_fit(example, cost) == WORDS_EXACT));
	return counted;
}

/* Rows by sender. NULL: blocks do not differ. */
static json_t *blocks_json(const struct example *example)
{
	const int nranks = example->schedule.nranks;
	json_t *rows = example->schedule.sizes ? json_array() : NULL;

	for (int from = 0; rows && from < nranks; from++) {
		json_t *row = json_array();

		for (int to = 0; row && to < nranks; to++)
			json_array_append_new(row, json_integer(example_count(example, from * nranks + to)));
		json_array_append_new(rows, row);
	}
	return rows;
}

static json_t *busiest_json(const struct example *example)
{
	const struct show_busiest busiest = show_busiest(example);

	if (!example->schedule.sizes)
		return NULL;
	return json_pack("{si ss si sf}", "rank", busiest.rank, "because_it", busiest.gets ? "gets" : "sends", "numbers",
			 (int)busiest.most, "share", (double)busiest.most * example->schedule.share);
}

int show_json(FILE *out, const struct example *example)
{
	const struct schedule *schedule = &example->schedule;
	json_t *ranks = json_array(), *messages = json_array(), *document;
	int rc = 0;

	for (int rank = 0; rank < schedule->nranks; rank++)
		rc |= json_array_append_new(ranks, rank_json(example, rank));
	for (size_t i = 0; i < schedule->nmessages; i++)
		rc |= json_array_append_new(messages, message_json(example, &schedule->messages[i]));
	document = json_pack("{ss ss si si ss* si si so* so* so* so so so}", "primitive", schedule->coll->name, "algorithm",
			     schedule->algo, "nranks", schedule->nranks, "root",
			     schedule->coll->flags & COLL_HAS_ROOT ? schedule->root : -1, "op",
			     schedule->coll->flags & COLL_HAS_REDOP ? example_ops[example->op] : NULL, "segments",
			     example->segments > 0 ? schedule->nitems : 0, "items", schedule->nitems, "numbers_per_item",
			     schedule->sizes ? NULL : json_integer(example->per), "blocks", blocks_json(example), "busiest",
			     busiest_json(example), "cost", cost_json(example), "ranks", ranks, "messages", messages);
	if (rc || !document) {
		json_decref(document);
		return array_failed();
	}
	if (json_dumpf(document, out, JSON_INDENT(1) | JSON_REAL_PRECISION(16)) == 0)
		fputs("\n", out);
	json_decref(document);
	return 0;
}
