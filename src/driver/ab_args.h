/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `collperf ab`: two variants, the options of run that both share, and the options of compare for the verdict.
 */
#ifndef COLLPERF_DRIVER_AB_ARGS_H
#define COLLPERF_DRIVER_AB_ARGS_H

#include <stdbool.h>
#include <stdio.h>

#include "ab_spec.h"
#include "args.h"
#include "words.h"

/* Pairs of each primitive. */
enum { AB_PAIRS = 10 };

enum ab_side { AB_A, AB_B, AB_SIDES };

/* Texts are borrowed from argv. */
struct ab_args {
	struct ab_spec spec[AB_SIDES];
	struct words words[AB_SIDES]; /* what args[] borrow from */
	struct args args[AB_SIDES];   /* of run, with the same collectives, repeat and seed; --quiet is given */
	struct words compare;         /* options of compare */
	const char *output;           /* NULL: runs/<time> */
	bool dry_run, help;
};

/* argv[0] is "ab". 0, or -1 after one line on stderr (a usage error); *ab is to be cleared in both cases. */
int ab_args_parse(int argc, char *const *argv, struct ab_args *ab);
void ab_args_clear(struct ab_args *ab);

void ab_args_help(FILE *out);
/* The options as man macros. */
void ab_args_man(FILE *out);

#endif
