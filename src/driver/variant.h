/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run launches in each round: its collectives by each of the paths and algorithms. Starts nothing.
 */
#ifndef COLLPERF_DRIVER_VARIANT_H
#define COLLPERF_DRIVER_VARIANT_H

#include <stdbool.h>
#include <stddef.h>

#include "args.h"

enum { VARIANT_MOST = 64, VARIANT_WORDS = 160 };

/* The word for what is left to the library. */
extern const char variant_auto[];

struct variant {
	const struct collective *coll;
	const char *path, *algo; /* borrowed from the args; NULL: no option is given */
};

/* "A,B": words of topo/way.h, or what may be an algorithm's name; none twice. -1 after one line. */
int variant_read_paths(const char *list, struct words *names);
int variant_read_algos(const char *list, struct words *names);

/*
 * Those of one round, by collective, then path, then algorithm; an algorithm that a collective lacks is left out of it. `backend`: as far as it is known,
 * else NULL, and a path or an algorithm of any is one. *list is to be freed. 0, or an exit code after one line: nothing has the path, the algorithm or an
 * option that one collective alone has, or memory is short.
 */
int variant_round(const struct args *args, const char *backend, struct variant **list, size_t *count);
/* A line for each algorithm that some collectives lack. */
void variant_tell(const struct args *args, const char *backend);

/* Sizes that make curves to compare, where the words for the binaries have none: their own default is a single one. */
void variant_sizes(struct args *args);

/* "-tcp-ring_ll128" for names of files and ids; "" where there is nothing to tell apart. `text` of VARIANT_WORDS bytes. */
void variant_suffix(const struct variant *variant, char *text);
/* ", path tcp, algo ring/ll128" */
void variant_words(const struct variant *variant, char *text);

#endif
