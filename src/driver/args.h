/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `collperf run`: one table gives parsing, --help and the man page. What the table does not know is meant for the
 * perf binaries and kept unchanged.
 */
#ifndef COLLPERF_DRIVER_ARGS_H
#define COLLPERF_DRIVER_ARGS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../collectives/collective.h"
#include "words.h"

enum args_given {
	ARGS_NP = 1,
	ARGS_BACKEND = 2,
	ARGS_COLLECTIVES = 4,
	ARGS_REPEAT = 8,
	ARGS_LAUNCHER = 16,
	ARGS_OUTPUT = 32,
	ARGS_RESUME = 64,
	ARGS_BIN = 128,
	ARGS_SEED = 256,
	ARGS_QUIET = 512,
	ARGS_HELP = 1024,
	ARGS_PATHS = 2048,
	ARGS_ALGOS = 4096,
};

enum { ARGS_MAX_NP = 1000000, ARGS_MAX_REPEAT = 1000 };

/* Texts are borrowed from argv; lists of words are owned. */
struct args {
	unsigned given;      /* enum args_given */
	int np;              /* ranks, of nccl processes; 0: auto */
	const char *backend; /* NULL: the binaries choose */
	const struct collective *colls[COLL_COUNT];
	size_t ncolls;
	struct words paths;    /* each is launched; empty: the option is not given */
	struct words algos;    /* the same */
	int repeat;            /* launches of each collective, path and algorithm */
	struct words launcher; /* empty: mpiexec -n NP */
	const char *output;    /* NULL: runs/<time> */
	const char *resume;
	const char *bin;    /* NULL: beside the driver */
	uint64_t seed;      /* below 2^63 */
	struct words sweep; /* for the binaries */
};

/* The defaults. */
void args_init(struct args *args);
void args_clear(struct args *args);

/* argv[0] is "run". 0, or -1 after one line on stderr (a usage error); *args is to be cleared in both cases. */
int args_parse(int argc, char *const *argv, struct args *args);

/* "all", which are those not marked COLL_BY_NAME, or names separated by commas, none twice. -1 after one line. */
int args_set_collectives(struct args *args, const char *list);

/* Whether these words may be handed to a binary: nothing that the driver sets itself or that does not measure. -1 after one line. */
int args_check_sweep(const struct words *sweep);

bool args_is_sim(const struct args *args);
bool args_is_nccl(const struct args *args);
/* Whether no backend is named. */
bool args_is_auto(const struct args *args);

/* Whether the words for the binaries have this option, in any spelling they take; letter '\0': none. */
bool args_sweep_has(const struct args *args, char letter, const char *name);

void args_help(FILE *out);
/* The options as man macros. */
void args_man(FILE *out);

#endif
