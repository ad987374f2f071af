/* SPDX-License-Identifier: Apache-2.0
 *
 * The model that a command line names: a public one, a file, or numbers, which go before either.
 */
#ifndef COLLPERF_PLAN_MODEL_H
#define COLLPERF_PLAN_MODEL_H

#include <stdio.h>

#include "model_file.h"
#include "options.h"
#include "plan.h"

struct plan_model {
	struct train_shape shape;
	double params;                    /* 0: not known */
	const char *name, *source, *note; /* never NULL */
	struct model_file file;           /* owned; empty where none was read */
	char remark[200];                 /* that parameters and widths of the command line are far apart; else "" */
};

/*
 * 0, or the exit code after one line on stderr: 2 no such model, or heads that do not fit each other; 3 a file that cannot be used.
 */
int plan_model_find(const struct plan_options *options, struct plan_model *model);
void plan_model_clear(struct plan_model *model);

/* What plan_make starts from. Model and network are borrowed. */
void plan_model_put(struct plan *plan, const struct plan_options *options, const struct plan_model *model,
		    struct plan_network *network);

/* The table of public models with their sources. */
void plan_model_list(FILE *out);

#endif
