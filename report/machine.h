/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine of a study: what its sendrecv sweep and the command line say of its network.
 */
#ifndef COLLPERF_MACHINE_H
#define COLLPERF_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include "fit.h"
#include "options.h"
#include "result.h"

/* What the rows of one run directory, or of one file given alone, with one backend, path and number of ranks and nodes share. */
struct machine {
	const struct result *key; /* one of its rows */
	const char *folder;       /* of its files; owned */
	const char *file;         /* the only one that it is of, where that was given alone (runs.h); else NULL */
	const char *name;         /* file, else folder */
	size_t run;               /* of its first row */
	struct fit fit;           /* of its sendrecv rows; meaningless when `given` */
	size_t fit_rows;          /* sendrecv rows that could take part; 0: there is none */
	bool given;               /* alpha and bandwidth come from the command line */
	bool known;               /* alpha and bandwidth are usable */
	double alpha, bandwidth;  /* seconds, bytes per second; NAN unless known */

	/* What the command line, or a topology, says of the network. */
	const struct report_options *options;
	struct report_options *own; /* owned; what `options` is where a topology adds to the command line; else NULL */
	bool linked;                /* bandwidth is the peak of the link by --link or topology, not a fit's */
	bool bandwidth_only;        /* alpha is not known: taken as 0, so that times are lower bounds of the models */
	bool many_nodes;            /* its rows are of several nodes */
	int gpus;                   /* of each node, with several nodes and known NICs: two-level bounds; else 0 */
};

#endif
