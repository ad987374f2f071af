/* SPDX-License-Identifier: Apache-2.0
 *
 * Which ranks, hosts and pairs are slow, from one time for each pair. Robust: within a class of pairs (same host, other hosts) the logarithm of a time is
 * a base + what each of the two ranks adds + the rest; medians find all three, so that a few slow ranks or pairs move nothing, and most ranks are taken
 * to be as they should. Named is only what is both clearly slower (a tenth for a rank or host, a fifth for a pair) and far outside the scatter of its
 * class, the further the more there are to choose from, so that chance names nobody. A pair is named only where its ranks do not explain it. Libc only.
 */
#ifndef COLLPERF_PAIR_JUDGE_H
#define COLLPERF_PAIR_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

struct pair_value {
	int from, to; /* from < to */
	int class;    /* 0 .. nclasses - 1 */
	double time;  /* seconds, > 0 */
	double noise; /* relative standard deviation that its own samples tell; 0: unknown */
};

struct pair_input {
	int nranks;
	int nhosts;
	const int *host; /* [nranks] 0 .. nhosts - 1 */
	int nclasses;
	const struct pair_value *values; /* each pair once at most */
	size_t nvalues;
};

enum pair_kind { PAIR_OF_HOST, PAIR_OF_RANK, PAIR_OF_PAIR };

/* Something slow. */
struct pair_name {
	enum pair_kind kind;
	int a, b;      /* a host; a rank; two ranks */
	int class;     /* of the pairs that tell it */
	size_t pairs;  /* how many of them it has */
	double factor; /* times as long as they should take: 1.22 */
};

struct pair_verdict {
	struct pair_name *names; /* by kind, then by falling factor; owned */
	size_t count;
};

/* 0, or -1 when memory is out (nothing is printed; *verdict is empty then). */
int pair_judge(const struct pair_input *input, struct pair_verdict *verdict);
void pair_verdict_clear(struct pair_verdict *verdict);

#endif
