/* SPDX-License-Identifier: Apache-2.0
 *
 * The machines of a run by the topology in its run.json: what it is, and which peaks follow from it for rows. Every part of it may be missing or broken.
 */
#ifndef COLLPERF_WIRING_H
#define COLLPERF_WIRING_H

#include <stdbool.h>
#include <stddef.h>

#include "../topo/rates.h"
#include "../topo/topo.h"
#include "options.h"
#include "result.h"

struct json_t;

struct wiring {
	struct topo topo; /* without hosts: not known */
	size_t others;    /* more, different ones in the same run.json: launches that ran elsewhere, or found links asleep */
	char *error;      /* what is wrong with one, owned; NULL: nothing is */
	struct rates best,
		pcie; /* of the GPUs that ranks are on: as they are, and without NVLinks; cleared where nothing is known */
	bool best_even, pcie_even; /* all pairs of them have the same rate, so that any of them make such a ring */
	int ranks;                 /* of each host; 0: not the same on all, or not known */
};

/*
 * From the whole of a run.json: of several the one of most hosts, then of the highest rates. *wiring is to be cleared in either case. 0, also where there
 * is none or a broken one; -1 after one line on stderr when memory is out.
 */
int wiring_read(const struct json_t *root, struct wiring *wiring);
void wiring_clear(struct wiring *wiring);

/* What is no list of facts but a topology: not to be flattened. `name`: the path to the object, `key`: in it. */
bool wiring_is_topology(const char *name, const char *key);

/*
 * What the topology adds to the command line for the rows of a machine: link, NICs and their words. NULL where it adds nothing: a rate is given already,
 * rows say that they took another way, rates are unknown. *failed with NULL: memory is out, one line on stderr. To be freed by wiring_forget.
 */
struct report_options *wiring_options(const struct wiring *wiring, const struct result *key, const struct report_options *given,
				      bool *failed);
void wiring_forget(struct report_options *options);

/* A copy with the GPUs that ranks are on, with or without NVLinks. -1: out of memory. */
int wiring_part(const struct topo *topo, bool nvlinks, struct topo *part);

#endif
