/* SPDX-License-Identifier: Apache-2.0
 *
 * What the primitives share: shapes, places, busbw factors and the cost models, each a time in seconds of a call of
 * `bytes` (the S of the primitive) on the one-port, full-duplex machine of Hockney (Parallel Computing 20, 1994).
 * All hold for every nranks unless their line says otherwise; all are 0 for one rank. What is no bound or ideal is counted
 * on a schedule of the algorithm (schedule.h), message by message, and equal to it.
 * p = nranks, L = ceil(log2 p), k = floor(log2 p), q = (p-1)/p; a, b, g = alpha, beta, gamma.
 *
 * [C]  Chan, Heimlich, Purkayastha, van de Geijn: Collective communication: theory, practice, and experience,
 *      Concurrency and Computation: Practice and Experience 19 (2007)
 * [T]  Thakur, Rabenseifner, Gropp: Optimization of collective communication operations in MPICH, IJHPCA 19 (2005)
 * [P]  Patarasuk, Yuan: Bandwidth optimal all-reduce algorithms for clusters of workstations, JPDC 69 (2009)
 * [S]  Sanders, Speck, Traeff: Two-tree algorithms for full bandwidth broadcast, reduction and scan,
 *      Parallel Computing 35 (2009)
 * [R]  Rabenseifner: Optimization of collective reduction operations, ICCS 2004
 * [B]  Bruck, Ho, Kipnis, Upfal, Weathersby: Efficient algorithms for all-to-all communications in multiport
 *      message-passing systems, IEEE TPDS 8 (1997)
 * [Tr] Traeff: circulant reduce-scatter and all-reduce, arXiv 2410.14234; round-optimal broadcast, arXiv 2407.18004
 */
#ifndef COLLPERF_COST_H
#define COLLPERF_COST_H

#include "collective.h"

/* The shape where every rank's buffer holds the whole message: send, recv and count are total. */
struct coll_shape coll_shape_whole(size_t total, int nranks, size_t align);

/* In place, a rank's own block stands at its place by rank in the larger buffer: as its input, or as its result. */
struct coll_place coll_place_send_block(const struct coll_geom *geom);
struct coll_place coll_place_recv_block(const struct coll_geom *geom);

/* busbw factors: 1, and q = (nranks - 1) / nranks. */
double coll_bus_whole(int nranks);
double coll_bus_share(int nranks);
/* 0: nothing moves. */
double coll_bus_none(int nranks);

typedef double cost_time(int nranks, double bytes, const struct coll_link *link);

/* Send/recv: a + S b. */
cost_time cost_message;

/*
 * Broadcast. Pipelines use the best whole number of segments, from 1 to one a byte.
 *
 * bintree_pipe: (D+2(m-1))(a + S b/m), D = floor(log2(p+1)) + floor(log2((p+1)/3)). The children of rank n-1 are 2n-1 and 2n; what it gets goes to
 * the first in the next round and to the second in the one after, and another segment comes every second round. So the first segment takes a round for
 * each binary digit of n after the leading one, and one more for each of them that is 1: at most D for n <= p. [S] has 2(k+m-1), which is as much
 * for p = 2^(k+1)-1, up to 2 rounds more else.
 *
 * two_tree: (2(L+m-1)-d)(a + S b/(2m)). Either tree is L deep; an edge whose sender and receiver have both ports in use has every second round, so that
 * a segment waits 1 or 2 rounds at each rank: 2L rounds for the first one where p is 2^k or 4i+3 (d = 0), else one less (d = 1), as counted for
 * 3 to 64 ranks (and by another program to 1299). [S] has 2(L+m), 2 or 3 rounds more.
 *
 * Both for p = 2, where m segments follow each other in m rounds: a + S b.
 */
cost_time cost_broadcast_linear;            /* [C] (p-1)(a + S b); also hop by hop around a ring */
cost_time cost_broadcast_ring_pipe;         /* [C] chain of m segments: (p-2+m)(a + S b/m) */
cost_time cost_broadcast_binomial;          /* [C] [T] L(a + S b) */
cost_time cost_broadcast_bintree_pipe;      /* [S] one binary tree */
cost_time cost_broadcast_two_tree;          /* [S] m segments in each of two trees */
cost_time cost_broadcast_round_optimal;     /* [Tr] (m-1+L)(a + S b/m) */
cost_time cost_broadcast_scatter_allgather; /* [C] binomial scatter, ring all-gather: (L+p-1)a + 2q S b */
cost_time cost_broadcast_lb_sum;            /* [C] L a + S b, a sum of bounds */
cost_time cost_broadcast_lb;                /* [C] the larger of these terms */

/* Reduce: broadcast run backwards, every byte sent is also reduced (b + g for b). */
cost_time cost_reduce_linear;        /* [C] */
cost_time cost_reduce_ring_pipe;     /* [C] */
cost_time cost_reduce_binomial;      /* [C] [T] */
cost_time cost_reduce_bintree_pipe;  /* [S] */
cost_time cost_reduce_two_tree;      /* [S] */
cost_time cost_reduce_round_optimal; /* [Tr] */
cost_time cost_reduce_rs_gather;     /* [C] [R] reduce-scatter, gather: (L+p-1)a + 2q S b + q S g */
cost_time cost_reduce_lb_sum;        /* [C] L a + S b + q S g */
cost_time cost_reduce_lb;            /* [C] */

/* Scatter, gather, all-gather, all-to-all: each rank's port carries q S. */
cost_time cost_blocks_ring; /* [C] [T] one block a step, (p-1)a + q S b: ring, linear and pairwise exchange */
cost_time cost_blocks_log;  /* [C] [B] L a + q S b: binomial scatter and gather, Bruck; their sum of bounds */
cost_time cost_blocks_lb;   /* [C] [B] the larger of L a, q S b */

cost_time cost_all_gather_tree;  /* [C] binomial gather, binomial broadcast: 2L a + (q+L) S b */
cost_time cost_all_gather_naive; /* a root gathers and sends back one rank at a time: (p-1)(2a + S b/p + S b) */
cost_time cost_alltoall_bruck;   /* [B] L a + (S/p) W b, W = sum of popcounts of 1..p-1 */

/*
 * Reduce-scatter. rechalving, p = 2^k: L a + q S(b+g); else (k+2)a + (1+h+1/p)S b + (1+h)S g, h = sum of ceil(p/2^i) / p
 * over i = 1..k, as halves of blocks are not equal ([T] takes q for h).
 */
cost_time cost_reduce_scatter_ring;       /* [C] [P] (p-1)a + q S(b+g) */
cost_time cost_reduce_scatter_rechalving; /* [T] */
cost_time cost_reduce_scatter_circulant;  /* [Tr] L a + q S(b+g), the sum of bounds */
cost_time cost_reduce_scatter_tree;       /* [C] binomial reduce, scatter: 2L a + L S(b+g) + q S b */
cost_time cost_reduce_scatter_naive;      /* a root reduces and sends back: (p-1)(2a + S(b+g) + S b/p) */
cost_time cost_reduce_scatter_lb;         /* [C] */

/* All-reduce. */
cost_time cost_all_reduce_ring;         /* [P] 2(p-1)a + 2q S b + q S g */
cost_time cost_all_reduce_binomial;     /* [C] reduce, broadcast: 2L(a + S b) + L S g */
cost_time cost_all_reduce_tree_ideal;   /* [S] trees pipelined without loss: 2L a + 2S b + S g */
cost_time cost_all_reduce_two_tree;     /* [S] two-tree reduce, two-tree broadcast, both of the same m segments */
cost_time cost_all_reduce_recdbl;       /* [T] p = 2^k: L(a + S b + S g), else (k+2)(a + S b) + (k+1)S g */
cost_time cost_all_reduce_rabenseifner; /* [R] [T] as circulant on 2^k ranks, the others fold in before and out after */
cost_time cost_all_reduce_circulant;    /* [Tr] 2L a + 2q S b + q S g */
cost_time cost_all_reduce_naive;        /* through a root, one rank at a time: 2(p-1)(a + S b) + (p-1)S g */
cost_time cost_all_reduce_lb_sum;       /* [P] L a + 2q S b + q S g, not attained */
cost_time cost_all_reduce_lb;           /* [P] the largest of these terms */

/* The whole number of segments (m above) that the pipelines take, of both trees together 2m; 1 for 2 ranks. */
cost_time cost_segments_ring_pipe;
cost_time cost_segments_bintree_pipe;
cost_time cost_segments_two_tree;
cost_time cost_segments_round_optimal;
cost_time cost_segments_reduce_ring_pipe;
cost_time cost_segments_reduce_bintree_pipe;
cost_time cost_segments_reduce_two_tree;
cost_time cost_segments_reduce_round_optimal;
cost_time cost_segments_all_reduce_two_tree;

/* After k rounds a rank has heard of 2^k ranks at most: L a. Hypercube, whose S leaves the own block out: L a + S b; the larger of these terms. */
cost_time cost_barrier, cost_hypercube, cost_hypercube_lb;

/* For pairs by the bits of their numbers: why there are none, or NULL. */
const char *coll_cannot_hypercube(int nranks);

#endif
