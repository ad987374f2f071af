/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding the topologies of a run.json, in any of the places where programs leave them: "topologies", which launches name by number, the facts of a launch,
 * the facts of a perf binary's own document.
 */
#include "wiring.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../topo/json.h"
#include "../topo/path.h"
#include "array.h"

enum { MOST_TOPOLOGIES = 32, MOST_PAIRED = 64, MOST_ERROR = 400 };

struct candidates {
	const json_t *items[MOST_TOPOLOGIES];
	size_t count;
};

/* The first thing that is wrong is enough. */
static int complain(struct wiring *wiring, const char *error)
{
	if (!wiring->error && asprintf(&wiring->error, "%.*s", MOST_ERROR, error) < 0) {
		wiring->error = NULL;
		return array_failed();
	}
	return 0;
}

static void consider(struct candidates *candidates, const json_t *topology)
{
	for (size_t i = 0; i < candidates->count; i++)
		if (json_equal(candidates->items[i], topology))
			return;
	if (candidates->count < MOST_TOPOLOGIES)
		candidates->items[candidates->count++] = topology;
}

/* One that launches name by number. */
static int consider_listed(struct wiring *wiring, struct candidates *candidates, const json_t *topology, size_t number)
{
	char error[80];

	if (json_is_object(topology)) {
		consider(candidates, topology);
		return 0;
	}
	snprintf(error, sizeof error, "number %zu of \"topologies\" is no object", number);
	return complain(wiring, error);
}

/* Facts hold a topology or the number of one; null and nothing: it is not known. */
static int consider_fact(struct wiring *wiring, struct candidates *candidates, const json_t *topology, size_t listed)
{
	char error[120];

	if (json_is_object(topology)) {
		consider(candidates, topology);
		return 0;
	}
	if (!topology || json_is_null(topology) ||
	    (json_is_integer(topology) && json_integer_value(topology) >= 0 && (size_t)json_integer_value(topology) < listed))
		return 0;
	if (json_is_integer(topology))
		snprintf(error, sizeof error, "a launch has number %lld, \"topologies\" holds %zu",
			 (long long)json_integer_value(topology), listed);
	else
		snprintf(error, sizeof error, "a launch has neither a topology nor a number of one");
	return complain(wiring, error);
}

static const json_t *of_facts(const json_t *document)
{
	return json_object_get(json_object_get(document, "facts"), "topology");
}

static int find(struct wiring *wiring, struct candidates *candidates, const json_t *root)
{
	const json_t *topologies = json_object_get(root, "topologies"), *launches = json_object_get(root, "launches");
	const size_t listed = json_array_size(topologies);
	int rc = 0;

	if (topologies && !json_is_null(topologies) && !json_is_array(topologies))
		rc = complain(wiring, "\"topologies\" is no list");
	for (size_t i = 0; i < listed && rc == 0; i++)
		rc = consider_listed(wiring, candidates, json_array_get(topologies, i), i);
	if (rc == 0)
		rc = consider_fact(wiring, candidates, of_facts(root), listed);
	for (size_t i = 0; i < json_array_size(launches) && rc == 0; i++) {
		const json_t *facts = json_object_get(json_array_get(launches, i), "facts");

		rc = consider_fact(wiring, candidates, of_facts(facts), listed);
	}
	return rc;
}

/* All pairs of GPUs alike; too many to be looked at are taken as unlike. */
static bool is_even(const struct topo *topo)
{
	double rate = 0;

	for (size_t h = 0; h < topo->nhosts; h++) {
		const struct topo_host *host = &topo->hosts[h];

		if (host->alike != TOPO_UNKNOWN)
			continue;
		if (host->ngpus > MOST_PAIRED)
			return false;
		for (int a = 0; a < (int)host->ngpus; a++) {
			for (int b = a + 1; b < (int)host->ngpus; b++) {
				struct path path;

				path_between(host, a, b, &path);
				if (!(path.rate > 0) || (rate > 0 && fabs(path.rate - rate) > rate * 1e-9))
					return false;
				rate = path.rate;
			}
		}
	}
	return rate > 0;
}

static int learn_part(const struct topo *topo, bool nvlinks, struct rates *rates, bool *even)
{
	struct topo part;

	*rates = (struct rates){ 0 };
	if (wiring_part(topo, nvlinks, &part))
		return array_failed();
	if (rates_of(&part, rates))
		*rates = (struct rates){ 0 };
	rates->link = rates->link ? rates->link : "";
	*even = is_even(&part);
	topo_clear(&part);
	return 0;
}

static int count_ranks(const struct topo *topo)
{
	for (size_t h = 1; h < topo->nhosts; h++)
		if (topo->hosts[h].nranks != topo->hosts[0].nranks)
			return 0;
	return topo->nhosts > 0 ? (int)topo->hosts[0].nranks : 0;
}

static int learn(struct wiring *wiring)
{
	wiring->ranks = count_ranks(&wiring->topo);
	return learn_part(&wiring->topo, true, &wiring->best, &wiring->best_even) ||
			       learn_part(&wiring->topo, false, &wiring->pcie, &wiring->pcie_even)
		       ? -1
		       : 0;
}

static bool is_better(const struct wiring *one, const struct wiring *than)
{
	if (one->topo.nhosts != than->topo.nhosts)
		return one->topo.nhosts > than->topo.nhosts;
	if (one->best.ring != than->best.ring)
		return one->best.ring > than->best.ring;
	return one->best.nic * one->best.nics > than->best.nic * than->best.nics;
}

static int take(struct wiring *wiring, const json_t *topology)
{
	struct wiring one = { 0 };
	char error[MOST_ERROR] = "it has no hosts";

	if (topo_from_json(topology, &one.topo, error, sizeof error) || one.topo.nhosts == 0) {
		topo_clear(&one.topo);
		return complain(wiring, error);
	}
	if (learn(&one)) {
		topo_clear(&one.topo);
		return -1;
	}
	one.others = wiring->others + (wiring->topo.nhosts > 0);
	one.error = wiring->error;
	if (wiring->topo.nhosts == 0 || is_better(&one, wiring)) {
		topo_clear(&wiring->topo);
		*wiring = one;
	} else {
		topo_clear(&one.topo);
		wiring->others = one.others;
	}
	return 0;
}

int wiring_read(const json_t *root, struct wiring *wiring)
{
	struct candidates candidates = { .count = 0 };

	*wiring = (struct wiring){ 0 };
	if (find(wiring, &candidates, root))
		return -1;
	for (size_t i = 0; i < candidates.count; i++)
		if (take(wiring, candidates.items[i]))
			return -1;
	return 0;
}

void wiring_clear(struct wiring *wiring)
{
	topo_clear(&wiring->topo);
	free(wiring->error);
	*wiring = (struct wiring){ 0 };
}

bool wiring_is_topology(const char *name, const char *key)
{
	const char *dot = strrchr(name, '.');

	if (!*name)
		return strcmp(key, "topologies") == 0;
	return strcmp(key, "topology") == 0 && strcmp(dot ? dot + 1 : name, "facts") == 0;
}
