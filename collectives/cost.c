/* SPDX-License-Identifier: Apache-2.0
 *
 * Shapes, places, logarithms and cost models shared by the primitives; the formulas and their sources stand in cost.h.
 * Everything is reckoned in double, so sizes to 2^63 and any number of ranks are safe.
 */
#include <math.h>

#include "cost.h"
#include "cost_parts.h"

size_t coll_block(size_t total, int nranks, size_t align)
{
	size_t block = total / (size_t)nranks;

	return block - block % align;
}

int coll_log2_floor(int nranks)
{
	int log = 0;

	while (nranks >>= 1)
		log++;
	return log;
}

int coll_log2_ceil(int nranks)
{
	return coll_log2_floor(nranks) + !coll_is_power_of_two(nranks);
}

bool coll_is_power_of_two(int nranks)
{
	return (nranks & (nranks - 1)) == 0;
}

struct coll_shape coll_shape_whole(size_t total, int nranks, size_t align)
{
	(void)nranks;
	(void)align;
	return (struct coll_shape){ .send = total, .recv = total, .count = total };
}

struct coll_place coll_place_send_block(const struct coll_geom *geom)
{
	return (struct coll_place){ .send = (size_t)geom->rank * geom->count, .recv = 0 };
}

struct coll_place coll_place_recv_block(const struct coll_geom *geom)
{
	return (struct coll_place){ .send = 0, .recv = (size_t)geom->rank * geom->count };
}

double coll_bus_whole(int nranks)
{
	(void)nranks;
	return 1;
}

double coll_bus_share(int nranks)
{
	return ((double)nranks - 1) / nranks;
}

/* A reduction that combines all it receives: the same path, every byte dearer. */
static struct coll_link combining(const struct coll_link *link)
{
	return (struct coll_link){ .alpha = link->alpha, .beta = link->beta + link->gamma };
}

static double segmented(double fill, double segments, double work, double alpha)
{
	return (fill + segments) * (alpha + work / segments);
}

/*
 * The whole number of segments, at most one a byte, of which segmented() is least. It is convex in the number of
 * segments, so the whole numbers beside the real optimum decide.
 */
static double segments(double fill, double work, double bytes, double alpha)
{
	double most = fmax(1, floor(bytes));
	double best = alpha > 0 ? sqrt(fill * work / alpha) : most;
	double low = fmin(fmax(floor(best), 1), most);
	double high = fmin(fmax(ceil(best), 1), most);

	if (fill <= 0)
		return 1;
	return segmented(fill, low, work, alpha) <= segmented(fill, high, work, alpha) ? low : high;
}

double cost_message(int nranks, double bytes, const struct coll_link *link)
{
	return path(nranks, 1, bytes, 0, link);
}

double cost_broadcast_linear(int nranks, double bytes, const struct coll_link *link)
{
	return others(nranks) * cost_message(nranks, bytes, link);
}

double cost_segments_ring_pipe(int nranks, double bytes, const struct coll_link *link)
{
	return segments(others(nranks) - 1, bytes * link->beta, bytes, link->alpha);
}

double cost_broadcast_ring_pipe(int nranks, double bytes, const struct coll_link *link)
{
	double parts = cost_segments_ring_pipe(nranks, bytes, link);

	return nranks == 1 ? 0 : segmented(others(nranks) - 1, parts, bytes * link->beta, link->alpha);
}

double cost_broadcast_binomial(int nranks, double bytes, const struct coll_link *link)
{
	return coll_log2_ceil(nranks) * cost_message(nranks, bytes, link);
}

/* Half the rounds, less one, in which the first segment reaches the last rank: D / 2 - 1; 2 ranks are a chain of one link. */
static double bintree_fill(int nranks)
{
	const int after = nranks / 2 + nranks % 2, third = nranks / 3 + (nranks % 3 == 2); /* (p+1) / 2, (p+1) / 3 */

	return nranks <= 2 ? 0 : (1 + coll_log2_floor(after) + coll_log2_floor(third)) / 2.0 - 1;
}

/* Likewise L - 1 - d/2. */
static double two_tree_fill(int nranks)
{
	const double late = coll_is_power_of_two(nranks) || nranks % 4 == 3 ? 0 : 0.5;

	return nranks <= 2 ? 0 : coll_log2_ceil(nranks) - 1 - late;
}

double cost_segments_bintree_pipe(int nranks, double bytes, const struct coll_link *link)
{
	return segments(bintree_fill(nranks), bytes * link->beta, bytes, link->alpha);
}

double cost_broadcast_bintree_pipe(int nranks, double bytes, const struct coll_link *link)
{
	double parts = cost_segments_bintree_pipe(nranks, bytes, link);

	/* Two ranks: the root has one child and sends every segment once. */
	if (nranks <= 2)
		return cost_message(nranks, bytes, link);
	return 2 * segmented(bintree_fill(nranks), parts, bytes * link->beta, link->alpha);
}

double cost_segments_two_tree(int nranks, double bytes, const struct coll_link *link)
{
	return segments(two_tree_fill(nranks), bytes / 2 * link->beta, bytes, link->alpha);
}

double cost_broadcast_two_tree(int nranks, double bytes, const struct coll_link *link)
{
	double parts = cost_segments_two_tree(nranks, bytes, link);

	if (nranks <= 2)
		return cost_message(nranks, bytes, link);
	return 2 * segmented(two_tree_fill(nranks), parts, bytes / 2 * link->beta, link->alpha);
}

double cost_segments_round_optimal(int nranks, double bytes, const struct coll_link *link)
{
	return segments(coll_log2_ceil(nranks) - 1, bytes * link->beta, bytes, link->alpha);
}

double cost_broadcast_round_optimal(int nranks, double bytes, const struct coll_link *link)
{
	double parts = cost_segments_round_optimal(nranks, bytes, link);

	return nranks == 1 ? 0 : segmented(coll_log2_ceil(nranks) - 1, parts, bytes * link->beta, link->alpha);
}

double cost_broadcast_scatter_allgather(int nranks, double bytes, const struct coll_link *link)
{
	return path(nranks, coll_log2_ceil(nranks) + others(nranks), 2 * share(nranks) * bytes, 0, link);
}

double cost_broadcast_lb_sum(int nranks, double bytes, const struct coll_link *link)
{
	return path(nranks, coll_log2_ceil(nranks), bytes, 0, link);
}

double cost_broadcast_lb(int nranks, double bytes, const struct coll_link *link)
{
	return largest(nranks, coll_log2_ceil(nranks), bytes, 0, link);
}

double cost_reduce_linear(int nranks, double bytes, const struct coll_link *link)
{
	struct coll_link both = combining(link);

	return cost_broadcast_linear(nranks, bytes, &both);
}

double cost_segments_reduce_ring_pipe(int nranks, double bytes, const struct coll_link *link)
{
	struct coll_link both = combining(link);

	return cost_segments_ring_pipe(nranks, bytes, &both);
}

double cost_reduce_ring_pipe(int nranks, double bytes, const struct coll_link *link)
{
	struct coll_link both = combining(link);

	return cost_broadcast_ring_pipe(nranks, bytes, &both);
}

double cost_reduce_binomial(int nranks, double bytes, const struct coll_link *link)
{
	struct coll_link both = combining(link);

	return cost_broadcast_binomial(nranks, bytes, &both);
}

double cost_segments_reduce_bintree_pipe(int nranks, double bytes, const struct coll_link *link)
{
	struct coll_link both = combining(link);

	return cost_segments_bintree_pipe(nranks, bytes, &both);
}

double cost_reduce_bintree_pipe(int nranks, double bytes, const struct coll_link *link)
{
	struct coll_link both = combining(link);

	return cost_broadcast_bintree_pipe(nranks, bytes, &both);
}

double cost_segments_reduce_two_tree(int nranks, double bytes, const struct coll_link *link)
{
	struct coll_link both = combining(link);

	return cost_segments_two_tree(nranks, bytes, &both);
}

double cost_reduce_two_tree(int nranks, double bytes, const struct coll_link *link)
{
	struct coll_link both = combining(link);

	return cost_broadcast_two_tree(nranks, bytes, &both);
}

double cost_segments_reduce_round_optimal(int nranks, double bytes, const struct coll_link *link)
{
	struct coll_link both = combining(link);

	return cost_segments_round_optimal(nranks, bytes, &both);
}

double cost_reduce_round_optimal(int nranks, double bytes, const struct coll_link *link)
{
	struct coll_link both = combining(link);

	return cost_broadcast_round_optimal(nranks, bytes, &both);
}

double cost_reduce_rs_gather(int nranks, double bytes, const struct coll_link *link)
{
	double part = share(nranks) * bytes;

	return path(nranks, coll_log2_ceil(nranks) + others(nranks), 2 * part, part, link);
}

double cost_reduce_lb_sum(int nranks, double bytes, const struct coll_link *link)
{
	return path(nranks, coll_log2_ceil(nranks), bytes, share(nranks) * bytes, link);
}

double cost_reduce_lb(int nranks, double bytes, const struct coll_link *link)
{
	return largest(nranks, coll_log2_ceil(nranks), bytes, share(nranks) * bytes, link);
}

double cost_blocks_ring(int nranks, double bytes, const struct coll_link *link)
{
	return path(nranks, others(nranks), share(nranks) * bytes, 0, link);
}

double cost_blocks_log(int nranks, double bytes, const struct coll_link *link)
{
	return path(nranks, coll_log2_ceil(nranks), share(nranks) * bytes, 0, link);
}

double cost_blocks_lb(int nranks, double bytes, const struct coll_link *link)
{
	return largest(nranks, coll_log2_ceil(nranks), share(nranks) * bytes, 0, link);
}

double cost_all_gather_tree(int nranks, double bytes, const struct coll_link *link)
{
	int log = coll_log2_ceil(nranks);

	return path(nranks, 2.0 * log, (share(nranks) + log) * bytes, 0, link);
}

double cost_all_gather_naive(int nranks, double bytes, const struct coll_link *link)
{
	return path(nranks, 2 * others(nranks), others(nranks) * (bytes / nranks + bytes), 0, link);
}

/* Blocks a rank forwards in Bruck's all-to-all: how often each bit is set in 1..nranks-1, over all bits. */
static double bruck_blocks(int nranks)
{
	unsigned long long n = (unsigned long long)nranks, blocks = 0;

	for (unsigned long long bit = 1; bit < n; bit <<= 1) {
		unsigned long long rest = n % (2 * bit);

		blocks += n / (2 * bit) * bit + (rest > bit ? rest - bit : 0);
	}
	return (double)blocks;
}

double cost_alltoall_bruck(int nranks, double bytes, const struct coll_link *link)
{
	return path(nranks, coll_log2_ceil(nranks), bruck_blocks(nranks) * (bytes / nranks), 0, link);
}

double cost_reduce_scatter_ring(int nranks, double bytes, const struct coll_link *link)
{
	double part = share(nranks) * bytes;

	return path(nranks, others(nranks), part, part, link);
}

/*
 * Blocks that recursive halving moves when some of the 2^k ranks answer for two of them: in each round the larger half of
 * what is left, where the two halves differ by at most one.
 */
static double halving_blocks(int nranks)
{
	int blocks = 0, left = nranks;

	for (int rounds = coll_log2_floor(nranks); rounds > 0; rounds--) {
		left -= left / 2;
		blocks += left;
	}
	return blocks;
}

double cost_reduce_scatter_rechalving(int nranks, double bytes, const struct coll_link *link)
{
	double halves = halving_blocks(nranks) * (bytes / nranks);

	if (coll_is_power_of_two(nranks))
		return cost_reduce_scatter_circulant(nranks, bytes, link);
	return path(nranks, coll_log2_floor(nranks) + 2, bytes + halves + bytes / nranks, bytes + halves, link);
}

double cost_reduce_scatter_circulant(int nranks, double bytes, const struct coll_link *link)
{
	double part = share(nranks) * bytes;

	return path(nranks, coll_log2_ceil(nranks), part, part, link);
}

double cost_reduce_scatter_tree(int nranks, double bytes, const struct coll_link *link)
{
	int log = coll_log2_ceil(nranks);

	return path(nranks, 2.0 * log, (share(nranks) + log) * bytes, log * bytes, link);
}

double cost_reduce_scatter_naive(int nranks, double bytes, const struct coll_link *link)
{
	double rest = others(nranks);

	return path(nranks, 2 * rest, rest * (bytes + bytes / nranks), rest * bytes, link);
}

double cost_reduce_scatter_lb(int nranks, double bytes, const struct coll_link *link)
{
	double part = share(nranks) * bytes;

	return largest(nranks, coll_log2_ceil(nranks), part, part, link);
}
