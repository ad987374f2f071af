/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a training job will wait for the network: what each way to spread it over ranks sends, stores and waits for. Units: seconds, bytes, tokens,
 * FLOP/s. What is not known is NAN, and `missing` names the options that would tell it.
 */
#ifndef COLLPERF_PLAN_H
#define COLLPERF_PLAN_H

#include "../../collectives/training.h"
#include "network.h"

enum plan_kind { PLAN_DDP, PLAN_ZERO1, PLAN_ZERO2, PLAN_FSDP, PLAN_TP, PLAN_MIXED, PLAN_KINDS };
/* Of compute; communication that has to be shorter runs beside it. */
enum plan_pass { PLAN_NO_PASS, PLAN_FORWARD, PLAN_BACKWARD, PLAN_BOTH };
enum { PLAN_MOST_CALLS = 4, PLAN_MOST_SPLITS = 256 };

/* The work of a step. 0 where not known. */
struct plan_job {
	struct train_shape shape; /* ffn as given, whatever `gated` */
	double params;
	double tokens; /* of a rank; with tensor parallelism a group has those of all its ranks */
	double batch, sequence;
	double element_bytes;
	double flops;
	double bucket;
	int np;
	double compute; /* forward and backward of a rank; NAN where not known */
};

/* What some call's time rests on, see curve_time. */
struct plan_marks {
	bool extrapolated, scaled, guess, stand_in;
};

/* Calls of one primitive and size in a step. */
struct plan_calls {
	const char *what; /* "gradients", "weights", "activations" */
	enum coll_id coll;
	const struct plan_timer *timer;
	double number;
	double bytes;          /* of a call, S as the primitive counts it */
	double sent;           /* by a rank, of all of them */
	struct curve_time one; /* of a call; meaningless unless timer->known */
};

struct plan_strategy {
	enum plan_kind kind;
	int nf, nt; /* ranks that share weights, ranks that share a layer: nf x nt is np but for data parallelism, where both are 0 */
	char missing[128]; /* "--hidden, --layers"; "" */
	const char *error; /* why the time of some call is not known; NULL: it is, or options are missing */
	struct plan_calls calls[PLAN_MOST_CALLS];
	size_t ncalls;
	double sent;               /* by a rank in a step */
	double communication;      /* all calls one after another */
	double ratio;              /* communication / compute */
	double exposed;            /* without overlap: all of it */
	double exposed_overlapped; /* what compute cannot hide, at best */
	double memory;             /* weights, gradients and optimizer state of a rank */
	/* Tokens of a rank at which communication takes as long as compute; backward: as long as the backward pass. 0: at any number it takes less, INFINITY:
	 * at any number it takes longer. */
	double break_even, break_even_backward;
	/* With the tokens of this step spread over more ranks: from how many on communication takes longer than the compute beside which it runs. */
	double most_ranks;
	double most_nf, most_nt;  /* of PLAN_MIXED: the split at that number */
	enum plan_pass most_pass; /* beside which it then takes longer; PLAN_NO_PASS with most_ranks */
	const char *most_error;   /* why it is not known though all options are given; else NULL */
	/* Of the times above, of those that the break-evens rest on, of those that most_ranks does; none where these are not known. */
	struct plan_marks marks, break_even_marks, most_marks;
};

/* An all-reduce of gradients in equal buckets beside the backward pass. */
struct plan_bucket {
	double bytes;
	double number; /* not rounded */
	double time;   /* from the start of the backward pass to the end of the last call */
	struct plan_marks marks;
};
struct plan_buckets {
	bool known;
	char missing[64];
	bool no_latency; /* alpha is 0: there is no best one */
	double backward, gradients;
	double least, most;           /* bytes of the buckets among which is looked: measured ones where there are rows */
	bool measured;                /* there are rows */
	struct plan_bucket best;      /* NAN where there is none, and where too few sizes were measured to tell one */
	double flat_least, flat_most; /* bytes: sizes about the best one that take at most 1 % longer; NAN likewise */
	struct plan_bucket advised;   /* the largest of these, which has the fewest calls */
	struct plan_bucket beyond;    /* by the fit, outside of what was measured, over 1 % better than the best; else NAN */
	bool beyond_unknown;          /* the best is at an end of what was measured, and the fit does not tell what lies beyond */
	struct plan_bucket usual;     /* 25 MiB, PyTorch's */
	struct plan_bucket asked;     /* --bucket */
	/* 25 MiB with the model's own tensors, which are not cut: calls and time; 0 and NAN where the shape is not known. */
	size_t tensor_calls;
	double tensor_time;
	struct plan_marks tensor_marks;
};

/* A feed-forward part of a layer by itself. */
struct plan_block {
	bool known;
	double bandwidth; /* W */
	bool levels;      /* it is of two levels, one after the other */
	double tokens;    /* B, of all ranks */
	double ffn;       /* width with three matrices of that many parameters */
	struct train_limits limits;
};

struct plan {
	struct plan_job job;
	struct plan_network *network;
	struct plan_strategy strategies[PLAN_KINDS]; /* PLAN_MIXED: the best split */
	struct plan_strategy
		splits[PLAN_MOST_SPLITS]; /* all of FSDP x TP, by rising nt, both corners included; with what is known of one */
	size_t nsplits;
	size_t least_split; /* the one with the least communication, which is best without overlap; 0 where none is known */
	struct plan_buckets buckets;
	struct plan_block block;
	double activations_flash, activations; /* of a rank's tokens, all layers; NAN */
	/* For people. Borrowed; "" where there is nothing to say. */
	const char *model_name, *model_source, *model_note, *model_remark;
};

/* Everything from job and network, which are set, to strategies and splits. 0, or -1 after one line on stderr: memory. */
int plan_make(struct plan *plan);

/* In most.c: most_ranks of a strategy whose calls are known; those of PLAN_MIXED last. 0, or -1 after one line on stderr: memory. */
int plan_most_ranks(const struct plan *plan, struct plan_strategy *strategy);
/* In strategy.c. */
int plan_strategy_fill(const struct plan *plan, enum plan_kind kind, int nf, int nt, struct plan_strategy *strategy);
void plan_marks_add(struct plan_marks *marks, const struct curve_time *time);
void plan_marks_join(struct plan_marks *marks, const struct plan_marks *others);
/* In buckets.c. */
int plan_buckets_fill(struct plan *plan);

/* "DDP" ... "FSDP x TP". */
const char *plan_kind_name(enum plan_kind kind);
/* Adds an option's name to a list of them, once. */
void plan_missing_add(char *list, size_t size, const char *option);
/* Bytes of weights, gradients and state of the optimizer (Adam: 12 bytes a parameter with a copy in fp32, 8 where weights are that themselves). */
double plan_memory(enum train_zero stage, double params, double nranks, double element_bytes);

#endif
