/* SPDX-License-Identifier: Apache-2.0
 *
 * What ranks hold before a collective, and what it promises.
 */
#include "schedule_build.h"

static uint64_t bit(int rank)
{
	return (uint64_t)1 << rank;
}

static uint64_t all(int nranks)
{
	return nranks == 64 ? UINT64_MAX : bit(nranks) - 1;
}

static uint64_t value_before(const struct schedule *schedule, int rank, int item)
{
	switch (schedule->coll->id) {
	case COLL_BROADCAST:
	case COLL_SCATTER:
		return rank == schedule->root ? bit(rank) : 0;
	case COLL_GATHER:
	case COLL_ALL_GATHER:
	case COLL_HYPERCUBE:
	case COLL_SENDRECV:
		return item == rank ? bit(rank) : 0;
	case COLL_ALLTOALL:
	case COLL_ALLTOALLV:
		return item / schedule->nranks == rank ? bit(rank) : 0;
	default:
		return bit(rank);
	}
}

static uint64_t value_after(const struct schedule *schedule, int rank, int item)
{
	int nranks = schedule->nranks;

	switch (schedule->coll->id) {
	case COLL_BROADCAST:
		return bit(schedule->root);
	case COLL_SCATTER:
		return item == rank ? bit(schedule->root) : 0;
	case COLL_GATHER:
		return rank == schedule->root ? bit(item) : 0;
	case COLL_ALL_GATHER:
	case COLL_HYPERCUBE:
		return bit(item);
	case COLL_SENDRECV:
		return (item + 1) % nranks == rank ? bit(item) : 0;
	case COLL_ALLTOALL:
	case COLL_ALLTOALLV:
		return item % nranks == rank ? bit(item / nranks) : 0;
	case COLL_REDUCE:
		return rank == schedule->root ? all(nranks) : 0;
	case COLL_REDUCE_SCATTER:
		return item == rank ? all(nranks) : 0;
	default:
		return all(nranks);
	}
}

void schedule_set_ends(struct schedule *schedule)
{
	for (int rank = 0; rank < schedule->nranks; rank++) {
		for (int item = 0; item < schedule->nitems; item++) {
			size_t at = (size_t)rank * (size_t)schedule->nitems + (size_t)item;

			if (schedule->sizes && schedule->sizes[item] == 0)
				continue;
			schedule->start[at] = value_before(schedule, rank, item);
			schedule->wanted[at] = value_after(schedule, rank, item);
		}
	}
}
