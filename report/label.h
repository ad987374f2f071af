/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of series: what sets each apart from the others of a list, no longer than that takes.
 */
#ifndef COLLPERF_LABEL_H
#define COLLPERF_LABEL_H

#include <stdbool.h>
#include <stddef.h>

#include "study.h"

/* Which properties take part in labels. */
struct label_parts {
	bool name, folder; /* of the file, of its folder */
	bool parent;       /* with the folder around it, as one part of the path is not enough */
	bool backend, library, path, algo, group, nranks, nnodes, timing, placement;
	bool type, redop, root, variant;
	bool machine_name, machine_folder; /* name and folder in `place`, which has fewer other parts */
};

/*
 * The parts in which the series differ. Of those that only say where a series is from (file and folder, library, nodes), what the others
 * make dispensable is left out: runs of two paths are "tcp" and "nvlink".
 */
struct label_parts label_find(const struct series *const list[], size_t n);

/* The texts of one of them, of the safe alphabet: "measured" where there is nothing to say. */
struct label {
	char place[64];
	char text[96];
};
struct label label_make(const struct series *series, struct label_parts parts);

#endif
