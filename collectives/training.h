/* SPDX-License-Identifier: Apache-2.0
 *
 * What a training step computes, stores and sends: shapes of models, gradients in the order of the backward pass, and the formulas of data-parallel,
 * sharded and tensor-parallel steps. Arithmetic only. Units: seconds, bytes, elements, FLOP/s.
 * [Z] Rajbhandari, Rasley, Ruwase, He: ZeRO: Memory Optimizations Toward Training Trillion Parameter Models, SC 2020
 * [K] Korthikanti et al.: Reducing Activation Recomputation in Large Transformer Models, MLSys 2023
 * [H] Hoffmann et al.: Training Compute-Optimal Large Language Models, 2022 (6 FLOP a parameter and token)
 */
#ifndef COLLPERF_TRAINING_H
#define COLLPERF_TRAINING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A transformer. 0: not known. */
struct train_shape {
	const char *name;
	double params;
	int64_t layers;
	int64_t hidden;
	int64_t ffn; /* width of the feed-forward part */
	int64_t vocab;
	int64_t heads, kv_heads;
	int64_t head_dim;    /* width of a head where heads of it are not as wide as hidden */
	int64_t positions;   /* learned rows beside those of the vocabulary: of positions, of segments */
	bool gated;          /* three matrices hidden x ffn a layer, not two */
	bool tied;           /* input and output embedding are one matrix */
	bool embedding_norm; /* one more norm, behind the embeddings */
	const char *source;  /* where the shape was published */
};

/* Public models; ends with a NULL name. Their params are what the widths make, to the last one. */
extern const struct train_shape train_shapes[];
/* By name in any case of letters, or NULL. */
const struct train_shape *train_shape_find(const char *name);
/* Parameters that the widths make; 0 where layers, hidden, ffn or vocab is missing. Without a gate there are biases. Heads of tasks are left out. */
double train_shape_params(const struct train_shape *shape);
/* Width of the queries of all heads (hidden where head_dim is 0), and of their keys: the same where kv_heads is not known. */
int64_t train_shape_query_width(const struct train_shape *shape);
int64_t train_shape_key_width(const struct train_shape *shape);

/*
 * Elements of each gradient, in the order in which the backward pass yields them (output side first). Without widths: `params` over `layers` equal
 * layers (at most 65536), each with the tensors of a plain transformer layer, nothing else. The sum is shape->params rounded (where it is given and
 * the widths make another number, the widths hold). *elements is the caller's to free(). 0, or -1 with one line in `error`.
 */
int train_gradients(const struct train_shape *shape, uint64_t **elements, size_t *count, char *error, size_t size);

/* Seconds of forward and backward: 6 FLOP a parameter and token, a third of it forward [H]. */
double train_compute(double params, double tokens, double flops);

/* Data parallel: 2(p-1)/p * bytes / bandwidth, and tokens a rank at which that equals forward and backward (or backward alone). */
double train_ddp_time(double params, double element_bytes, int nranks, double bandwidth);
double train_ddp_break_even(double element_bytes, int nranks, double bandwidth, double flops, bool backward_only);

enum train_zero { TRAIN_DDP, TRAIN_ZERO1, TRAIN_ZERO2, TRAIN_ZERO3, TRAIN_ZEROS };
/* Bytes of weights, gradients and optimizer state on a rank, mixed precision with Adam (2 + 2 + 12 bytes a parameter) [Z]. */
double train_memory(enum train_zero stage, double params, int nranks);
/* Elements that a rank sends a step: 2qN, but 3qN at stage 3. */
double train_traffic(enum train_zero stage, double params, int nranks);
/*
 * Bytes of one layer's activations without recomputation [K]: s b h (34 + 5 a s / h); flash: 34 s b h. Of the 34, 8 are queries, keys, values and what
 * attention makes of them, which are `attention` wide (usually h).
 */
double train_activations(double sequence, double batch, double hidden, double attention, double heads, bool flash);

/* A feed-forward block of three matrices D x F, B tokens over all ranks, 2 bytes an element, W = bandwidth of a rank, C = FLOP/s. */
struct train_block {
	double tokens, hidden, ffn; /* B, D, F */
	double bandwidth, flops;    /* W, C */
};
/* Seconds of a pass. Forward: 6 B D F / (n C); backward twice that. */
double train_block_compute(const struct train_block *block, double n, bool backward);
double train_block_dp(const struct train_block *block, double n, bool backward);
double train_block_fsdp(const struct train_block *block, double nf, double nt, bool backward);
double train_block_tp(const struct train_block *block, double nf, double nt, bool backward);
/* The largest numbers of ranks at which communication is no longer than compute. */
struct train_limits {
	double data, fsdp;          /* 1 + B W / C */
	double tp_forward;          /* 1 + 3 F W / (2 C) */
	double tp_backward;         /* 1 + 3 F W / C */
	double both;                /* FSDP x TP, each overlapped with compute: the product of its own two */
	double nf, nt, both_serial; /* FSDP x TP one after the other: the best split and its product, corners included */
};
struct train_limits train_block_limits(const struct train_block *block);

/* Buckets. `backward` seconds yield `bytes` of gradients evenly; a call of x bytes takes a + b x. */
struct train_buckets {
	double backward;
	double bytes;
	double a, b;
};
/* T(k) of k equal buckets: max(Tb + a + b G / k, Tb / k + k a + b G), the end of the last call. k >= 1. */
double train_buckets_time(const struct train_buckets *buckets, double k);
/* The k that makes it least, not rounded: max(1, (Tb - b G) / a, sqrt(Tb / a)); INFINITY where a call costs nothing by itself (a = 0). */
double train_buckets_best(const struct train_buckets *buckets);
/*
 * The same for tensors that are not equal: elements[n] in backward order, each ready when its share of `backward` is done; a bucket closes when
 * adding the next tensor would take it over `cap` bytes, calls run one after another. Seconds until the last ends; *calls: their number, may be NULL.
 * buckets->bytes is not looked at.
 */
double train_buckets_replay(const struct train_buckets *buckets, const uint64_t *elements, size_t n, double element_bytes,
			    double cap, size_t *calls);
/* Seconds of a call. */
typedef double train_call_time(void *context, double bytes);
/* The same of calls that no line describes. */
double train_buckets_replay_calls(double backward, train_call_time *time, void *context, const uint64_t *elements, size_t n,
				  double element_bytes, double cap, size_t *calls);

#endif
