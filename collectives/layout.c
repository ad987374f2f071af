/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of uneven blocks.
 */
#include "layout.h"

__extension__ typedef unsigned __int128 product;

static size_t scaled(const struct coll_layout *layout, uint64_t cell)
{
	const uint64_t bytes = layout->bytes == layout->busiest ? cell
								: (uint64_t)((product)cell * layout->bytes / layout->busiest);

	return (size_t)bytes / layout->element;
}

size_t coll_layout_block(const struct coll_layout *layout, int nranks, int from, int to)
{
	if (layout->cells)
		return scaled(layout, layout->cells[(size_t)from * (size_t)nranks + (size_t)to]);
	return to == 0 ? layout->hot : layout->cold;
}

size_t coll_layout_send_at(const struct coll_layout *layout, int nranks, int from, int to)
{
	size_t sum = 0;

	if (!layout->cells)
		return to == 0 ? 0 : layout->hot + (size_t)(to - 1) * layout->cold;
	for (int peer = 0; peer < to; peer++)
		sum += coll_layout_block(layout, nranks, from, peer);
	return sum;
}

size_t coll_layout_recv_at(const struct coll_layout *layout, int nranks, int from, int to)
{
	size_t sum = 0;

	if (!layout->cells)
		return (size_t)from * coll_layout_block(layout, nranks, 0, to);
	for (int peer = 0; peer < from; peer++)
		sum += coll_layout_block(layout, nranks, peer, to);
	return sum;
}

/* The sender whose block has element i; nranks: it is beyond the last. */
static int sender_of(const struct coll_layout *layout, int nranks, int rank, size_t i, size_t *begin)
{
	const size_t block = coll_layout_block(layout, nranks, 0, rank);
	int from = 0;

	*begin = 0;
	if (!layout->cells && block > 0)
		from = i / block < (size_t)nranks ? (int)(i / block) : nranks;
	if (!layout->cells) {
		*begin = block * (size_t)from;
		return block > 0 ? from : nranks;
	}
	for (; from < nranks; from++) {
		const size_t length = coll_layout_block(layout, nranks, from, rank);

		if (i < *begin + length)
			break;
		*begin += length;
	}
	return from;
}

struct coll_origin coll_layout_origin(const struct coll_layout *layout, int nranks, int rank, size_t i)
{
	size_t begin;
	const int from = sender_of(layout, nranks, rank, i, &begin);

	/* What only busier ranks receive; how much that is the caller knows, and here it would be a sum over all cells. */
	if (from == nranks)
		return (struct coll_origin){ .rank = COLL_UNTOUCHED, .run = SIZE_MAX - i };
	return (struct coll_origin){
		.rank = from,
		.index = coll_layout_send_at(layout, nranks, from, rank) + i - begin,
		.run = begin + coll_layout_block(layout, nranks, from, rank) - i,
	};
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

struct coll_shape coll_layout_shape(const struct coll_layout *layout, int nranks)
{
	struct coll_shape shape = { 0, 0, 0 };

	if (!layout->cells)
		return (struct coll_shape){ .send = coll_layout_send_at(layout, nranks, 0, nranks),
					    .recv = larger(layout->hot, layout->cold) * (size_t)nranks,
					    .count = larger(layout->hot, layout->cold) };
	for (int rank = 0; rank < nranks; rank++) {
		shape.send = larger(shape.send, coll_layout_send_at(layout, nranks, rank, nranks));
		shape.recv = larger(shape.recv, coll_layout_recv_at(layout, nranks, nranks, rank));
		for (int to = 0; to < nranks; to++)
			shape.count = larger(shape.count, coll_layout_block(layout, nranks, rank, to));
	}
	return shape;
}

size_t coll_layout_port(const struct coll_layout *layout, int nranks)
{
	const size_t others = (size_t)(nranks - 1);
	size_t most = 0;

	/* Rank 0 gets hot blocks from all others; of those who send one none sends more than that. */
	if (!layout->cells)
		return others * larger(layout->hot, layout->cold);
	for (int rank = 0; rank < nranks; rank++) {
		const size_t own = coll_layout_block(layout, nranks, rank, rank);

		most = larger(most, coll_layout_send_at(layout, nranks, rank, nranks) - own);
		most = larger(most, coll_layout_recv_at(layout, nranks, nranks, rank) - own);
	}
	return most;
}

size_t coll_layout_total(const struct coll_layout *layout, int nranks)
{
	size_t total = 0;

	for (int rank = 0; rank < nranks; rank++)
		total += coll_layout_send_at(layout, nranks, rank, nranks);
	return total;
}

double coll_layout_imbalance(const struct coll_layout *layout, int nranks)
{
	const struct coll_shape shape = coll_layout_shape(layout, nranks);
	const size_t total = coll_layout_total(layout, nranks);

	return total > 0 ? (double)larger(shape.send, shape.recv) * nranks / (double)total : 1;
}

struct coll_layout coll_layout_skewed(double skew, size_t total, int nranks, size_t align)
{
	const size_t hot = coll_block(total, nranks, align);
	const double share = (1 - skew) / (1 - skew + skew * nranks);
	size_t cold = skew > 0 ? (size_t)((double)hot * share) : hot;

	if (cold > hot)
		cold = hot;
	return (struct coll_layout){ .hot = hot, .cold = cold / align * align };
}

struct coll_layout coll_layout_evened(const struct coll_layout *layout, int nranks, size_t align)
{
	const size_t block = coll_layout_total(layout, nranks) / (size_t)nranks / (size_t)nranks / align * align;

	return (struct coll_layout){ .hot = block, .cold = block };
}

bool coll_layout_is_even(const struct coll_layout *layout, int nranks)
{
	return coll_layout_total(layout, nranks) == coll_layout_shape(layout, nranks).count * (size_t)nranks * (size_t)nranks;
}

bool coll_layout_is_same(const struct coll_layout *a, const struct coll_layout *b)
{
	return a->hot == b->hot && a->cold == b->cold && a->cells == b->cells && a->busiest == b->busiest &&
	       a->bytes == b->bytes && a->element == b->element;
}
