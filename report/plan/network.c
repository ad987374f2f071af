/* SPDX-License-Identifier: Apache-2.0
 *
 * Curves of the groups that a plan asks about, each made once.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../array.h"
#include "network_parts.h"

int plan_network_open(const struct plan_options *options, const struct rows *rows, struct plan_network *network)
{
	const int64_t most = rows && options->np == 0 ? network_most_ranks(rows) : options->np;

	if (most < 1 || most > PLAN_MOST_RANKS) {
		fputs("collperf plan: the rows tell no number of ranks: give --np\n", stderr);
		return -1;
	}
	if (options->gpus_per_node > 0 && most > options->gpus_per_node && most % options->gpus_per_node != 0) {
		fprintf(stderr, "collperf plan: %d ranks are no multiple of --gpus-per-node\n", (int)most);
		return -1;
	}
	*network = (struct plan_network){ .options = options,
					  .rows = rows,
					  .np = (int)most,
					  .gpus_per_node = options->gpus_per_node > 0 || !rows ? options->gpus_per_node
											       : network_gpus_of_rows(rows) };
	return 0;
}

void plan_network_close(struct plan_network *network)
{
	for (size_t i = 0; i < network->ntimers; i++) {
		if (network->timers[i]->known && !network->timers[i]->two_level)
			curve_clear(&network->timers[i]->curve);
		free(network->timers[i]);
	}
	free(network->timers);
	*network = (struct plan_network){ 0 };
}

struct network_spread network_spread_of(const struct plan_network *network, const struct plan_members *members)
{
	const int gpus = network->gpus_per_node;
	const int each = members->group == PLAN_STRIDE ? (gpus > members->stride ? gpus / members->stride : 1) : gpus;

	if (gpus == 0)
		return (struct network_spread){ 0 };
	if (members->nranks <= each)
		return (struct network_spread){ 1, members->nranks };
	if (members->nranks % each != 0)
		return (struct network_spread){ 0 };
	return (struct network_spread){ members->nranks / each, each };
}

double network_groups(const struct plan_network *network, const struct network_spread *spread)
{
	const double gpus = fmin(network->gpus_per_node, network->np);

	return spread->each > 0 ? fmax(1, gpus / spread->each) : 1;
}

static void time_by_link(const struct plan_network *network, struct plan_timer *timer)
{
	const struct plan_options *options = network->options;
	const struct coll_link link = { options->alpha, 1 / options->bandwidth, 0 };
	const struct network_spread spread = network_spread_of(network, &timer->members);

	if (options->nic > 0 && spread.nodes == 0) {
		snprintf(timer->error, sizeof timer->error, "%d ranks cannot lie evenly on nodes of %d", timer->members.nranks,
			 network->gpus_per_node);
		return;
	}
	if (options->nic > 0 && spread.nodes > 1) {
		timer->two_level = timer->known = true;
		timer->hier = (struct hier){ .nnodes = spread.nodes,
					     .gpus = spread.each,
					     .alpha_in = options->alpha,
					     .alpha_out = options->alpha,
					     .link = options->bandwidth,
					     .nic = options->nic * options->nics / network_groups(network, &spread),
					     .nics = 1 };
		return;
	}
	timer->known = curve_from_link(timer->coll, NULL, &link, timer->members.nranks, &timer->curve, timer->error,
				       sizeof timer->error) == 0;
}

static bool same_members(const struct plan_members *a, const struct plan_members *b)
{
	return a->group == b->group && a->nranks == b->nranks && a->stride == b->stride;
}

const struct plan_timer *plan_network_timer(struct plan_network *network, enum coll_id coll, const struct plan_members *members)
{
	struct plan_timer **grown, *timer;

	for (size_t i = 0; i < network->ntimers; i++) {
		if (network->timers[i]->coll->id == coll && same_members(&network->timers[i]->members, members))
			return network->timers[i];
	}
	grown = array_grow(network->timers, network->ntimers, sizeof(struct plan_timer *));
	if (!grown)
		return NULL;
	network->timers = grown;
	timer = calloc(1, sizeof *timer);
	if (!timer) {
		array_failed();
		return NULL;
	}
	timer->coll = collectives[coll];
	timer->members = *members;
	if (network->rows)
		network_time_by_rows(network, timer);
	else
		time_by_link(network, timer);
	if (timer->known)
		timer->error[0] = '\0';
	network->timers[network->ntimers++] = timer;
	return timer;
}

struct curve_time plan_timer_time(const struct plan_timer *timer, double bytes)
{
	struct curve_time time;

	if (!timer->two_level) {
		time = curve_time(&timer->curve, bytes);
		time.stand_in = timer->stand_in;
		return time;
	}
	return (struct curve_time){ .seconds = bytes > 0 ? hier_sequential(timer->coll->id, &timer->hier, bytes) : 0,
				    .source = CURVE_MODEL };
}

bool plan_timer_line(const struct plan_timer *timer, double *a, double *b)
{
	if (!timer->two_level)
		return curve_line(&timer->curve, a, b);
	*a = hier_sequential(timer->coll->id, &timer->hier, 0);
	/* One byte's time may vanish beside that of an empty message. */
	*b = (hier_sequential(timer->coll->id, &timer->hier, 1e15) - *a) / 1e15;
	return true;
}

const struct result *plan_timer_key(const struct plan_timer *timer)
{
	return timer->known && !timer->two_level ? timer->curve.key : NULL;
}

void plan_timer_rows(const struct plan_timer *timer, const struct curve_time *time, char *text, size_t size)
{
	const struct result *key = plan_timer_key(timer);
	char ranks[32] = "", nodes[32] = "";

	if (key)
		snprintf(ranks, sizeof ranks, ", %lld ranks", (long long)key->nranks);
	if (key && key->nnodes >= 1)
		snprintf(nodes, sizeof nodes, " on %lld node%s", (long long)key->nnodes, key->nnodes == 1 ? "" : "s");
	snprintf(text, size, "%s%s%s%s%s", timer->known ? curve_word(time->source) : "not known", ranks, nodes,
		 timer->known && time->scaled ? ", scaled" : "", timer->known && time->stand_in ? ", stand in" : "");
}

/* Whether an earlier timer reads the same rows. */
static bool is_read_before(const struct plan_network *network, size_t number)
{
	for (size_t i = 0; i < number; i++) {
		if (plan_timer_key(network->timers[i]) == plan_timer_key(network->timers[number]))
			return true;
	}
	return false;
}

struct curve_noise plan_network_noise(const struct plan_network *network)
{
	struct curve_noise sum = { 0 };

	for (size_t i = 0; i < network->ntimers; i++) {
		const struct curve_noise *noise = &network->timers[i]->curve.noise;

		if (!plan_timer_key(network->timers[i]) || is_read_before(network, i))
			continue;
		sum.rows += noise->rows;
		sum.set_aside += noise->set_aside;
		for (size_t flag = 0; flag < CURVE_FLAGS; flag++)
			sum.flagged[flag] += noise->flagged[flag];
	}
	return sum;
}

double plan_sent(const struct plan_members *members, enum coll_id coll, double bytes)
{
	return members->nranks > 1 ? collectives[coll]->bus_factor(members->nranks) * bytes : 0;
}
