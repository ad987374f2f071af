/* SPDX-License-Identifier: Apache-2.0
 *
 * What readers should know of the rows that a plan was read off.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "network_parts.h"
#include "tell.h"

enum { LINE = 1200 };

struct teller {
	const struct plan_network *network;
	void (*say)(void *context, const char *remark);
	void *context;
};

/* Rows of single nodes do not tell how many ranks a node holds, those of uneven nodes neither. */
static void say_places(const struct teller *teller)
{
	const struct plan_network *network = teller->network;
	const int64_t most = network_most_of_a_node(network->rows);
	int64_t nodes = 0;
	char line[LINE];

	for (size_t i = 0; i < rows_count(network->rows); i++) {
		if (rows_get(network->rows, i)->nnodes > nodes)
			nodes = rows_get(network->rows, i)->nnodes;
	}
	if (network->gpus_per_node > 0 || nodes < 1 || (nodes == 1 && network->np <= most))
		return;
	snprintf(line, sizeof line,
		 "rows of %s do not tell how many ranks a node has: no time is one of calls between nodes in particular",
		 nodes > 1 ? "several nodes" : "one node");
	if (most > 0 && network->np > most)
		snprintf(line + strlen(line), sizeof line - strlen(line),
			 ", and where calls of more than %lld ranks (!) leave a node, rows of one node stand in, so their "
			 "time may be far too short",
			 (long long)most);
	snprintf(line + strlen(line), sizeof line - strlen(line), "; --gpus-per-node says which calls leave a node");
	teller->say(teller->context, line);
}

static void say_noise(const struct teller *teller)
{
	const struct curve_noise noise = plan_network_noise(teller->network);
	char line[LINE] = "";
	size_t flagged = 0;

	for (size_t flag = 0; flag < CURVE_FLAGS; flag++) {
		if (noise.flagged[flag] > 0)
			snprintf(line + strlen(line), sizeof line - strlen(line), "%s %zu %s", flagged++ > 0 ? "," : "",
				 noise.flagged[flag], curve_flag_word(flag));
	}
	if (flagged > 0) {
		char all[LINE + 64];

		snprintf(all, sizeof all, "of the %zu row%s that times are read off, flags say:%s", noise.rows,
			 noise.rows == 1 ? "" : "s", line);
		teller->say(teller->context, all);
	}
	if (noise.set_aside == 0)
		return;
	snprintf(line, sizeof line, "%zu row%s late, host_bound, traced or other_path gave way to others of the same sizes",
		 noise.set_aside, noise.set_aside == 1 ? "" : "s");
	teller->say(teller->context, line);
}

/* Of one primitive: what no timer reads. */
static void say_unused(const struct teller *teller, const struct collective *coll)
{
	const struct plan_network *network = teller->network;
	const struct curve_wish wish = { .coll = coll, .facts = network->facts, .nfacts = network->nfacts };
	const struct result **used = malloc((network->ntimers + 1) * sizeof *used);
	size_t n = 0, length;
	char *text, *line;

	for (size_t i = 0; used && i < network->ntimers; i++) {
		if (network->timers[i]->coll == coll && plan_timer_key(network->timers[i]))
			used[n++] = plan_timer_key(network->timers[i]);
	}
	text = used && n > 0 ? curve_tell_unused(network->rows, &wish, used, n) : NULL;
	length = text ? strlen(text) + strlen(coll->name) + 3 : 0;
	line = text && *text ? malloc(length) : NULL;
	if (line) {
		snprintf(line, length, "%s: %s", coll->name, text);
		teller->say(teller->context, line);
	}
	free(line);
	free(text);
	free(used);
}

void plan_each_remark(const struct plan *plan, void (*say)(void *context, const char *remark), void *context)
{
	const struct teller teller = { plan->network, say, context };
	const struct plan_network *network = plan->network;

	if (network->rows)
		say_places(&teller);
	for (size_t i = 0; i < network->ntimers; i++) {
		if (network->timers[i]->remark[0])
			say(context, network->timers[i]->remark);
	}
	if (!network->rows)
		return;
	say_noise(&teller);
	for (size_t i = 0; i < rows_note_count(network->rows); i++)
		say(context, rows_note(network->rows, i));
	for (int coll = 0; coll < COLL_COUNT; coll++)
		say_unused(&teller, collectives[coll]);
}
