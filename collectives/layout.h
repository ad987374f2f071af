/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of an uneven exchange: how large the one from a rank to a rank is, and where it lies. In its send buffer a rank's blocks stand by receiver, in its
 * receive buffer by sender, without gaps. Sums are made anew at each question: O(nranks) with cells, O(1) without.
 */
#ifndef COLLPERF_LAYOUT_H
#define COLLPERF_LAYOUT_H

#include "collective.h"

/* Elements from `from` to `to`. */
size_t coll_layout_block(const struct coll_layout *layout, int nranks, int from, int to);
/* Where it begins in the buffer of `from`, and of `to`, in elements; with to (from) = nranks the end of the last one. */
size_t coll_layout_send_at(const struct coll_layout *layout, int nranks, int from, int to);
size_t coll_layout_recv_at(const struct coll_layout *layout, int nranks, int from, int to);

/* Where element i of what `rank` receives comes from, i below coll_layout_shape's recv; COLL_UNTOUCHED beyond its own blocks, without an end. */
struct coll_origin coll_layout_origin(const struct coll_layout *layout, int nranks, int rank, size_t i);

/* Buffers of the ranks that need most; count is the largest block. */
struct coll_shape coll_layout_shape(const struct coll_layout *layout, int nranks);

/* What the busiest port carries: the most elements that a rank sends to others or gets from others, its own block left out. */
size_t coll_layout_port(const struct coll_layout *layout, int nranks);
/* Elements of all ranks, own blocks too. */
size_t coll_layout_total(const struct coll_layout *layout, int nranks);
/* Elements in or out of the busiest rank / the mean over ranks; 1 where nothing moves. */
double coll_layout_imbalance(const struct coll_layout *layout, int nranks);

/*
 * Every rank sends T elements: (1 - skew) T spread evenly over all, skew T more to rank 0, so that rank 0 receives (1 + (nranks - 1) skew) T. `total` is
 * what it may receive: its blocks are coll_block(total), the others' blocks follow from T, rounded down to a multiple of align. 0 <= skew <= 1.
 */
struct coll_layout coll_layout_skewed(double skew, size_t total, int nranks, size_t align);

/* The even exchange of as much as `layout` moves, rounded down to a multiple of align. */
struct coll_layout coll_layout_evened(const struct coll_layout *layout, int nranks, size_t align);

/* Whether all blocks are of one size. */
bool coll_layout_is_even(const struct coll_layout *layout, int nranks);

/* Whether nobody has a block of another size than others. */
bool coll_layout_is_same(const struct coll_layout *a, const struct coll_layout *b);

#endif
