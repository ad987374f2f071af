/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rows stand for the calls of a group: of its ranks and nodes as far as there are any.
 */
#include <stdio.h>
#include <string.h>

#include "network_parts.h"
#include "words.h"

static bool is_of_call(const struct result *row)
{
	return collective_find(row->collective) && !result_is_pair(row) && !result_is_step(row);
}

/* Rows that a plan may read: of all ranks that run at a time. */
static bool is_of_job(const struct result *row)
{
	return is_of_call(row) && row->nranks > 0;
}

const char *plan_network_why_useless(const struct rows *rows)
{
	bool steps = false, pairs = false;

	for (size_t i = 0; i < rows_count(rows); i++) {
		const struct result *row = rows_get(rows, i);

		if (is_of_call(row))
			return NULL;
		steps = steps || result_is_step(row);
		pairs = pairs || result_is_pair(row);
	}
	if (steps)
		return "rows of training steps tell no call's time";
	return pairs ? "rows of single pairs tell no collective's time" : "they name no collective that is known";
}

int network_gpus_of_rows(const struct rows *rows)
{
	int64_t most = 0;
	bool several = false;

	/* A job may leave GPUs of a node idle, but uses no more than there are. */
	for (size_t i = 0; i < rows_count(rows); i++) {
		const struct result *row = rows_get(rows, i);

		if (!is_of_job(row) || row->nnodes < 1 || row->nranks % row->nnodes != 0)
			continue;
		several = several || row->nnodes > 1;
		if (row->nranks / row->nnodes > most)
			most = row->nranks / row->nnodes;
	}
	return several && most <= PLAN_MOST_GPUS ? (int)most : 0;
}

/* nnodes: of rows on so many alone; 0: of all. */
static int64_t most_ranks(const struct rows *rows, int64_t nnodes)
{
	int64_t most = 0;

	for (size_t i = 0; i < rows_count(rows); i++) {
		const struct result *row = rows_get(rows, i);

		if (is_of_job(row) && (nnodes == 0 || row->nnodes == nnodes) && row->nranks > most)
			most = row->nranks;
	}
	return most;
}

int64_t network_most_ranks(const struct rows *rows)
{
	return most_ranks(rows, 0);
}

int64_t network_most_of_a_node(const struct rows *rows)
{
	return most_ranks(rows, 1);
}

static bool rows_tell_nodes(const struct rows *rows, const struct collective *coll)
{
	for (size_t i = 0; i < rows_count(rows); i++) {
		const struct result *row = rows_get(rows, i);

		if (is_of_job(row) && collective_find(row->collective) == coll && row->nnodes >= 1)
			return true;
	}
	return false;
}

static void say_placement(struct plan_timer *timer, const struct network_spread *spread)
{
	const struct result *key = timer->curve.key;

	snprintf(timer->remark, sizeof timer->remark,
		 "%s among %d ranks on %d node%s was not measured: rows of %lld ranks on %s stand in, so the time may be far too "
		 "%s",
		 timer->coll->name, timer->members.nranks, spread->nodes, spread->nodes == 1 ? "" : "s", (long long)key->nranks,
		 key->nnodes == 1  ? "one node"
		 : key->nnodes > 1 ? "several nodes"
				   : "nodes that they do not tell",
		 spread->nodes > 1 ? "short" : "long");
}

/* Rows of several nodes with more or fewer ranks on each. */
static void say_each(struct plan_timer *timer, const struct network_spread *spread)
{
	const struct result *key = timer->curve.key;

	if (!key || spread->nodes < 2 || key->nranks == spread->each * key->nnodes)
		return;
	timer->stand_in = true;
	snprintf(timer->remark, sizeof timer->remark,
		 "%s among %d ranks on %d nodes was not measured with %d rank%s a node: rows of %lld ranks on %lld nodes "
		 "stand in, so the time may be far too %s",
		 timer->coll->name, timer->members.nranks, spread->nodes, spread->each, spread->each == 1 ? "" : "s",
		 (long long)key->nranks, (long long)key->nnodes, key->nranks < spread->each * key->nnodes ? "long" : "short");
}

/* A call that had the NICs of its nodes for itself when it was measured. */
static void say_alone(const struct plan_network *network, struct plan_timer *timer, const struct network_spread *spread)
{
	const struct result *key = timer->curve.key;
	const double groups = network_groups(network, spread);

	if (spread->nodes < 2 || groups < 2 || !key || *key->group)
		return;
	timer->stand_in = true;
	snprintf(timer->remark, sizeof timer->remark, "%s among %d ranks on %d nodes was ", timer->coll->name,
		 timer->members.nranks, spread->nodes);
	if (key->nranks != timer->members.nranks || key->nnodes != spread->nodes)
		plan_word_append(timer->remark, sizeof timer->remark,
				 "not measured but scaled from rows of %lld ranks on %lld nodes, which were ",
				 (long long)key->nranks, (long long)key->nnodes);
	plan_word_append(timer->remark, sizeof timer->remark,
			 "measured alone: in the job %.0f such groups share the NICs of a node, which may take up to %.0f times "
			 "as long",
			 groups, groups);
	if (key->nranks < spread->each * key->nnodes)
		plan_word_append(timer->remark, sizeof timer->remark,
				 "; with more ranks a node than those rows it may be shorter");
}

/* What is not known of the places of these ranks. */
static void say_unknown(const struct plan_network *network, struct plan_timer *timer, bool nodes_told)
{
	const struct plan_members *members = &timer->members;

	/* One remark says so of all of them. */
	if (network->gpus_per_node == 0)
		timer->stand_in = timer->curve.key->nnodes == 1 &&
				  members->nranks * (int64_t)members->stride > network_most_of_a_node(network->rows);
	if (network->gpus_per_node == 0 || members->nranks == 1)
		return;
	timer->stand_in = true;
	if (nodes_told)
		snprintf(timer->remark, sizeof timer->remark,
			 "%d ranks do not lie evenly on nodes of %d: %s is read off rows of any nodes", timer->members.nranks,
			 network->gpus_per_node, timer->coll->name);
	else
		snprintf(timer->remark, sizeof timer->remark,
			 "rows of %s do not tell their nodes: which of them are for %d ranks on nodes of %d is not known",
			 timer->coll->name, timer->members.nranks, network->gpus_per_node);
}

static bool read_curve(const struct plan_network *network, struct plan_timer *timer, struct curve_wish wish)
{
	wish.coll = timer->coll;
	wish.nranks = timer->members.nranks;
	wish.element_bytes = network->options->element_bytes;
	wish.facts = network->facts;
	wish.nfacts = network->nfacts;
	timer->known = curve_from_rows(network->rows, &wish, &timer->curve, timer->error, sizeof timer->error) == 0;
	return timer->known;
}

void network_time_by_rows(const struct plan_network *network, struct plan_timer *timer)
{
	const struct network_spread spread = network_spread_of(network, &timer->members);
	const bool nodes_told = rows_tell_nodes(network->rows, timer->coll), told = spread.nodes > 0 && nodes_told;
	const bool several = spread.nodes > 1;
	/* Those for ranks of one node: the more of a node take part, the less NICs slow them down. */
	const struct curve_wish here = { .nnodes = spread.nodes }, inside = { .nnodes = spread.nodes, .scale = true },
				across = { .each = several ? spread.each : network->gpus_per_node, .scale = true };

	if (told && (read_curve(network, timer, here) || read_curve(network, timer, several ? across : inside))) {
		say_each(timer, &spread);
		say_alone(network, timer, &spread);
		return;
	}
	if (!(told && !several && read_curve(network, timer, across)) &&
	    !read_curve(network, timer, (struct curve_wish){ .scale = true }))
		return;
	if (!timer->curve.key)
		return;
	timer->stand_in = told;
	if (told)
		say_placement(timer, &spread);
	else
		say_unknown(network, timer, nodes_told);
}
