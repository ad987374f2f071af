/* SPDX-License-Identifier: Apache-2.0
 *
 * From the rates of a topology to what --link and --nic would have said, for rows that went that way.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "link.h"
#include "wiring.h"

/* The table's rates of slots are without framing; half an NVLink less is another machine. */
static const double nvlink_tolerance = 0.01, slot_tolerance = 0.12;

/* Whether the path column names this way: "nvlink+ib", "nvlink?" (asked for, not confirmed). */
static bool names_way(const char *path, const char *way)
{
	size_t length = strlen(way);

	while (*path) {
		if (strncmp(path, way, length) == 0 && strchr("+?", path[length]))
			return true;
		path += strcspn(path, "+");
		path += *path == '+';
	}
	return false;
}

static bool is_host_way(const char *path)
{
	return names_way(path, "shm") || names_way(path, "socket") || names_way(path, "tcp");
}

/* The rates of the way between the GPUs of a host that rows took; NULL: of none that the topology knows. */
static const struct rates *rates_inside(const struct wiring *wiring, const struct result *key, int each)
{
	bool nvlink = names_way(key->path, "nvlink"), pcie = names_way(key->path, "pcie");
	const struct rates *rates = pcie && !nvlink ? &wiring->pcie : &wiring->best;
	bool even = pcie && !nvlink ? wiring->pcie_even : wiring->best_even;

	if (*key->path && !nvlink && !pcie)
		return NULL;
	if (!(rates->ring > 0) || (nvlink && !pcie && !rates->nvlink))
		return NULL;
	return each == wiring->ranks || each == rates->gpus || even ? rates : NULL;
}

static bool leaves_by_nic(const struct result *key)
{
	return !*key->path || names_way(key->path, "ib") || names_way(key->path, "roce");
}

static const struct link *known_link(const char *name, double rate)
{
	const struct link *link = *name ? link_find(name) : NULL;
	double tolerance = strncmp(name, "nvlink", strlen("nvlink")) == 0 ? nvlink_tolerance : slot_tolerance;

	return link && fabs(link->rate - rate) <= tolerance * link->rate ? link : NULL;
}

/* Options and the texts that they point to, in one piece. */
struct piece {
	struct report_options options; /* the first, so that one pointer is both */
	char link_text[40], link_words[RATES_WORDS], nic_text[40], nic_words[RATES_WORDS];
};

static void take_link(struct piece *piece, const struct rates *rates)
{
	snprintf(piece->link_text, sizeof piece->link_text, "%s", *rates->link ? rates->link : "of the topology");
	snprintf(piece->link_words, sizeof piece->link_words, "%s", rates->ring_words);
	piece->options.link = rates->ring;
	piece->options.link_text = piece->link_text;
	piece->options.link_words = piece->link_words;
	piece->options.known = known_link(rates->link, rates->ring);
	piece->options.nvls = rates->nvls && rates->nvlink;
}

static void take_nics(struct piece *piece, const struct rates *rates)
{
	snprintf(piece->nic_text, sizeof piece->nic_text, "of the topology");
	snprintf(piece->nic_words, sizeof piece->nic_words, "%s", rates->nic_words);
	piece->options.nic = rates->nic;
	piece->options.nics = rates->nics;
	piece->options.nic_text = piece->nic_text;
	piece->options.nic_words = piece->nic_words;
}

/* One GPU of each node: nothing but NICs is between them. */
static void take_nics_as_link(struct piece *piece, const struct rates *rates)
{
	take_nics(piece, rates);
	piece->options.link = rates->nic * rates->nics;
	snprintf(piece->link_words, sizeof piece->link_words, "%s", rates->nic_words);
	piece->options.link_text = piece->nic_text;
	piece->options.link_words = piece->link_words;
}

static bool fill(struct piece *piece, const struct wiring *wiring, const struct result *key)
{
	const int64_t nodes = key->nnodes > 1 ? key->nnodes : 1, each = key->nranks / nodes;
	const struct rates *inside = rates_inside(wiring, key, each <= TOPO_MOST_GPUS ? (int)each : 0);
	const bool nics = wiring->best.nics > 0 && wiring->best.nic > 0 && leaves_by_nic(key);

	if (each * nodes != key->nranks || (nodes > 1 && !nics))
		return false;
	if (nodes > 1 && each == 1) {
		take_nics_as_link(piece, &wiring->best);
		return true;
	}
	if (!inside)
		return false;
	take_link(piece, inside);
	if (nodes > 1)
		take_nics(piece, &wiring->best);
	return true;
}

struct report_options *wiring_options(const struct wiring *wiring, const struct result *key, const struct report_options *given,
				      bool *failed)
{
	struct piece *piece;

	*failed = false;
	if (given->given || given->link > 0 || given->nic > 0 || given->bandwidth > 0 || given->system ||
	    wiring->topo.nhosts == 0 || strcmp(key->backend, "nccl") || key->nranks < 2 || is_host_way(key->path))
		return NULL;
	piece = calloc(1, sizeof *piece);
	if (!piece) {
		*failed = array_failed() != 0;
		return NULL;
	}
	piece->options = *given;
	if (fill(piece, wiring, key))
		return &piece->options;
	free(piece);
	return NULL;
}

void wiring_forget(struct report_options *options)
{
	free(options);
}
