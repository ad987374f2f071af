/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `collperf plan`.
 */
#ifndef COLLPERF_PLAN_OPTIONS_H
#define COLLPERF_PLAN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct link;

enum { PLAN_MOST_RANKS = 1 << 20, PLAN_MOST_GPUS = 1024 };

/* Numbers that were not given are 0. Texts are borrowed from argv. */
struct plan_options {
	const char *const *inputs;
	size_t ninputs;

	bool given;               /* a link: no rows are read */
	double alpha;             /* seconds; may be 0 */
	double bandwidth;         /* bytes per second */
	const struct link *known; /* its row of the table, NULL: a rate or several of one */
	double nic;               /* of one, bytes per second */
	int nics;                 /* of a node */
	int gpus_per_node;

	const char *model; /* a name or a file */
	double params;
	double layers, hidden, ffn, vocab, heads, kv_heads; /* whole numbers */
	int matrices;                                       /* of a feed-forward part: 2 or 3 */

	double tokens;          /* of a rank and step: --tokens, or --batch x --sequence */
	double batch, sequence; /* of a rank */
	double element_bytes;
	double flops; /* reached by a rank: --flops, or --peak x --mfu */
	int np;
	double bucket; /* bytes */

	const char *json, *markdown;
	bool list_models, list_links, help;
};

/* 0, or -1 after one line on stderr. argv is put in another order. */
int plan_options_parse(int argc, char **argv, struct plan_options *options);

void plan_options_help(void);

#endif
