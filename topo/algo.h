/* SPDX-License-Identifier: Apache-2.0
 *
 * The algorithms that --algo names, by our cost models' names where there is a model, and how each library is told to take one. Constant tables.
 * NCCL: NCCL_ALGO and NCCL_PROTO. MPICH: MPIR_CVAR_<COLLECTIVE>_INTRA_ALGORITHM with MPIR_CVAR_COLLECTIVE_FALLBACK=error.
 */
#ifndef COLLPERF_ALGO_H
#define COLLPERF_ALGO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "../collectives/collective.h"
#include "way.h"

/* What a call must have for it, as bits. */
enum algo_need {
	ALGO_POWER_OF_TWO = 1, /* of ranks */
	ALGO_ELEMENTS = 2,     /* as many elements as the largest power of two of ranks */
	ALGO_OWN_OP = 4,       /* an operation that the library knows itself */
	ALGO_OUT_OF_PLACE = 8,
	ALGO_IN_PLACE = 16,
};

struct algo {
	enum coll_id coll;
	enum way_library library;
	const char *name;                 /* "ring", "recdbl", "rabenseifner"; for NCCL also with a protocol: "ring/ll128" */
	const char *also;                 /* another usual spelling, such as "recursive_doubling"; or NULL */
	struct way_variable variables[4]; /* ends with a NULL name */
	unsigned needs;                   /* enum algo_need */
};

struct algo_call {
	int nranks;
	size_t count;    /* elements, as handed to the library */
	bool reduces;    /* with an operation */
	bool has_own_op; /* that the library knows itself */
	bool in_place;
};

/* Why the algorithm cannot do such a call (a text that lives for ever), or NULL when it can. */
const char *algo_cannot(const struct algo *algo, const struct algo_call *call);

extern const struct algo algos[];
extern const size_t algo_count;

/* By name or other spelling, of this collective and library; NULL. */
const struct algo *algo_find(enum way_library library, enum coll_id coll, const char *name);
/* The algorithm that these variables of the environment, by getenv-like `get`, already ask for; NULL. */
const struct algo *algo_by_environment(enum way_library library, enum coll_id coll, const char *(*get)(const char *name));
/* "ring, tree, ..." of a collective, for messages. */
void algo_names(enum way_library library, enum coll_id coll, char *text, size_t size);
/* Lines for --list: name and variables. */
void algo_list(FILE *out, enum coll_id coll);

#endif
