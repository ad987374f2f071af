/* SPDX-License-Identifier: Apache-2.0
 *
 * Hosts to rank 0: first a card of each process with a hash of what its host is, then the texts of hosts that differ, in equal pieces, as a gather takes the
 * same size of all.
 */
#include "topology.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../topo/discover.h"
#include "../topo/json.h"

enum {
	NAME_BYTES = 256,
	CPUS_BYTES = 512,       /* a list that is longer is not known: a part of it would be wrong */
	PIECE_BYTES = 64 << 10, /* of a process in one round */
	LEAST_PIECE = 1 << 10,
	ROUND_BYTES = 32 << 20, /* of all processes in one round */
	TEXT_BYTES = 8 << 20,   /* of a host; a larger one is not sent */
	MOST_UNLIKE = 256       /* hosts whose texts are sent */
};

/* What a process says of itself. */
struct card {
	uint64_t hash, length; /* of its host's text; no length: it is not the first of its host, or knows nothing */
	int node;
	bool first; /* of its host */
	bool large; /* the text is too long to be sent */
	char host[NAME_BYTES];
	char cpus[CPUS_BYTES];
};

/* What rank 0 wants sent. */
struct order {
	uint64_t piece, rounds;
	int failed; /* rank 0 has no memory: nothing more happens */
};

/* Everything of rank 0; `wanted` of all. */
struct gathering {
	struct card *cards;
	struct topology_rank *ranks;
	unsigned char *wanted; /* [launch->size] */
	char **texts;          /* [launch->size], of those wanted */
	char *round;           /* a piece of every process */
	int nranks;            /* of a process */
};

static uint64_t hash_of(const char *text, size_t length)
{
	uint64_t hash = 14695981039346656037u;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
	return hash;
}

/* The host without its name, so that equal machines are equal texts. NULL where it is not known. */
static char *describe_host(struct topo *own, struct card *card)
{
	char *text = NULL;

	if (own->nhosts == 1 && topo_set(&own->hosts[0].name, "") == 0)
		text = topo_to_text(own);
	if (!text)
		return NULL;
	card->length = strlen(text);
	card->hash = hash_of(text, card->length);
	card->large = card->length > TEXT_BYTES;
	if (card->large)
		card->length = 0;
	return text;
}

static char *fill_card(const struct launch *launch, struct topo *own, struct card *card)
{
	char *cpus = discover_own_cpus();

	*card = (struct card){ .node = launch->node, .first = launch->local_rank == 0 };
	if (own->nhosts == 1)
		snprintf(card->host, sizeof card->host, "%s", own->hosts[0].name);
	else if (gethostname(card->host, sizeof card->host - 1))
		card->host[0] = '\0';
	if (cpus && strlen(cpus) < sizeof card->cpus)
		snprintf(card->cpus, sizeof card->cpus, "%s", cpus);
	free(cpus);
	return card->first ? describe_host(own, card) : NULL;
}

static void forget(struct gathering *gathering, int size)
{
	for (int i = 0; gathering->texts && i < size; i++)
		free(gathering->texts[i]);
	free(gathering->texts);
	free(gathering->round);
	free(gathering->wanted);
	free(gathering->ranks);
	free(gathering->cards);
}

/* The memory that is needed before anything is known of the others. */
static int prepare(struct gathering *gathering, const struct launch *launch, int nranks)
{
	const size_t size = (size_t)launch->size;

	gathering->nranks = nranks;
	gathering->wanted = calloc(size, 1);
	if (!gathering->wanted || launch->rank != 0)
		return gathering->wanted ? 0 : -1;
	gathering->cards = calloc(size, sizeof *gathering->cards);
	gathering->ranks = calloc(size * (size_t)nranks, sizeof *gathering->ranks);
	gathering->texts = calloc(size, sizeof *gathering->texts);
	return gathering->cards && gathering->ranks && gathering->texts ? 0 : -1;
}

/* The first process with the same host, itself where there is none. */
static int first_alike(const struct card *cards, int i)
{
	int k = 0;

	while (k < i && (!cards[k].length || cards[k].hash != cards[i].hash || cards[k].length != cards[i].length))
		k++;
	return k;
}

/* One process for each different host. */
static void choose(struct gathering *gathering, int size, struct order *order)
{
	const uint64_t share = ROUND_BYTES / (uint64_t)size;
	uint64_t longest = 0;
	int chosen = 0;

	*order = (struct order){ .piece = share < LEAST_PIECE ? LEAST_PIECE : share > PIECE_BYTES ? PIECE_BYTES : share };
	for (int i = 0; i < size && chosen < MOST_UNLIKE; i++) {
		const struct card *card = &gathering->cards[i];

		if (!card->length || first_alike(gathering->cards, i) < i)
			continue;
		gathering->wanted[i] = 1;
		longest = card->length > longest ? card->length : longest;
		chosen++;
	}
	if (longest < order->piece)
		order->piece = longest;
	order->rounds = longest > 0 ? (longest + order->piece - 1) / order->piece : 0;
	gathering->round = longest > 0 ? malloc(order->piece * (uint64_t)size) : NULL;
	order->failed = longest > 0 && !gathering->round;
	for (int i = 0; i < size && !order->failed; i++) {
		/* With room for what is behind the end in the last round. */
		gathering->texts[i] = gathering->wanted[i] ? malloc(order->rounds * order->piece + 1) : NULL;
		order->failed = gathering->wanted[i] && !gathering->texts[i];
	}
}

static void keep_round(struct gathering *gathering, int size, const struct order *order, uint64_t round)
{
	for (int i = 0; i < size; i++)
		if (gathering->texts[i])
			memcpy(gathering->texts[i] + round * order->piece, gathering->round + (uint64_t)i * order->piece,
			       order->piece);
}

/* `text` is what this process has to send. */
static int send_texts(struct launch *launch, struct gathering *gathering, const struct order *order, const char *text)
{
	const size_t length = gathering->wanted[launch->rank] && text ? strlen(text) : 0;
	char *piece = malloc(order->piece);
	int failed = !piece, rc = 0;

	/* Who has no memory cannot send: then nobody does. */
	if (launch->ops->agree(launch, failed, &failed) || failed || !piece) {
		free(piece);
		return failed ? 1 : -1;
	}
	for (uint64_t round = 0; round < order->rounds && rc == 0; round++) {
		const uint64_t from = round * order->piece, left = from < length ? length - from : 0;

		memset(piece, 0, order->piece);
		if (left > 0)
			memcpy(piece, text + from, left < order->piece ? left : order->piece);
		rc = launch->ops->gather(launch, piece, order->piece, gathering->round);
		if (rc == 0 && gathering->round)
			keep_round(gathering, launch->size, order, round);
	}
	free(piece);
	return rc;
}

/* Cards and texts to rank 0. 0; 1: without memory, nothing was gathered; -1: the launch failed. */
static int gather_all(struct launch *launch, struct gathering *gathering, const struct card *card,
		      const struct topology_rank *ranks, const char *text)
{
	struct order order = { 0 };

	if (launch->ops->gather(launch, card, sizeof *card, gathering->cards) ||
	    launch->ops->gather(launch, ranks, (size_t)gathering->nranks * sizeof *ranks, gathering->ranks))
		return -1;
	if (gathering->cards)
		choose(gathering, launch->size, &order);
	if (launch->ops->broadcast(launch, &order, sizeof order) ||
	    launch->ops->broadcast(launch, gathering->wanted, (size_t)launch->size))
		return -1;
	return order.failed ? 1 : order.rounds > 0 ? send_texts(launch, gathering, &order, text) : 0;
}

static const char *why_unknown(const struct card *card)
{
	return card->large    ? "this host is not described: its description is too large"
	       : card->length ? "this host is not described: there are too many that differ"
			      : "this host could not be discovered";
}

/* A host of which only the name is known, or that is like an earlier one. */
static int add_named(struct topo *topo, const struct card *card, int alike)
{
	struct topo_host *host = topo_add_host(topo);

	if (!host || topo_set(&host->name, card->host))
		return -1;
	host->alike = alike;
	return alike == TOPO_UNKNOWN ? topo_note(host, "%s", why_unknown(card)) : 0;
}

static int add_described(struct topo *topo, const struct card *card, const char *text)
{
	struct topo one = { 0 };
	char error[256];
	int rc;

	if (topo_from_text(text, card->length, &one, error, sizeof error) || one.nhosts != 1) {
		topo_clear(&one);
		return add_named(topo, card, TOPO_UNKNOWN);
	}
	rc = topo_set(&one.hosts[0].name, card->host) || topo_merge(topo, &one) ? -1 : 0;
	topo_clear(&one);
	return rc;
}

/* host_of[process] is the host that its text became. */
static int add_host(struct topo *topo, const struct gathering *gathering, int i, int *host_of)
{
	const struct card *card = &gathering->cards[i];
	const int like = card->length ? first_alike(gathering->cards, i) : i;

	host_of[i] = (int)topo->nhosts;
	if (gathering->texts[i])
		return add_described(topo, card, gathering->texts[i]);
	if (like == i || !gathering->texts[like])
		return add_named(topo, card, TOPO_UNKNOWN);
	return add_named(topo, card, (int)(topo_host_of(topo, (size_t)host_of[like]) - topo->hosts));
}

static int find_gpu(const struct topo_host *host, const char *bus)
{
	const int pci = *bus ? topo_find_pci(host, bus) : TOPO_UNKNOWN;

	for (size_t g = 0; g < host->ngpus && pci != TOPO_UNKNOWN; g++)
		if (host->gpus[g].pci == pci)
			return (int)g;
	return TOPO_UNKNOWN;
}

static int add_ranks(struct topo *topo, size_t host, const struct card *card, const struct topology_rank *ranks, int nranks)
{
	for (int i = 0; i < nranks; i++) {
		struct topo_rank *rank = topo_add_rank(&topo->hosts[host]);

		if (!rank || topo_set(&rank->cpus, card->cpus))
			return -1;
		rank->rank = ranks[i].rank;
		rank->gpu = find_gpu(topo_host_of(topo, host), ranks[i].bus);
	}
	return 0;
}

/* Nodes are numbered by their lowest rank, and that is who describes them: hosts come in the order of nodes. */
static int build(struct topo *topo, const struct gathering *gathering, int size)
{
	int *host_of = calloc((size_t)size, sizeof *host_of);
	int rc = host_of ? 0 : -1;

	for (int i = 0; i < size && rc == 0; i++)
		if (gathering->cards[i].first)
			rc = add_host(topo, gathering, i, host_of);
	for (int i = 0; i < size && rc == 0; i++) {
		const struct card *card = &gathering->cards[i];

		if (card->node >= 0 && (size_t)card->node < topo->nhosts)
			rc = add_ranks(topo, (size_t)card->node, card, gathering->ranks + (size_t)i * (size_t)gathering->nranks,
				       gathering->nranks);
	}
	free(host_of);
	return rc;
}

int topology_gather_hosts(struct launch *launch, struct topo *own, const struct topology_rank *ranks, int nranks,
			  struct topo *topo)
{
	struct gathering gathering = { 0 };
	struct card card;
	char *text = fill_card(launch, own, &card);
	int failed = prepare(&gathering, launch, nranks) != 0;

	*topo = (struct topo){ 0 };
	int rc = launch->ops->agree(launch, failed, &failed) ? -1 : failed;

	if (rc == 0)
		rc = gather_all(launch, &gathering, &card, ranks, text);
	if (rc == 0 && gathering.cards)
		rc = build(topo, &gathering, launch->size) ? 1 : 0;
	if (rc == 1 && launch->rank == 0)
		fputs("topology: out of memory: it is left out\n", stderr);
	if (rc != 0)
		topo_clear(topo);
	forget(&gathering, launch->size);
	free(text);
	return rc < 0 ? -1 : 0;
}

int topology_gather(struct launch *launch, const struct topology_rank *ranks, int nranks, struct topo *topo)
{
	struct topo own = { 0 };
	int rc;

	if (launch->local_rank == 0 && discover_host(&own, NULL))
		topo_clear(&own);
	rc = topology_gather_hosts(launch, &own, ranks, nranks, topo);
	topo_clear(&own);
	return rc;
}
