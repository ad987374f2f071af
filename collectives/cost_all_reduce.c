/* SPDX-License-Identifier: Apache-2.0
 *
 * Cost models of all-reduce; the formulas and their sources stand in cost.h.
 */
#include "cost.h"
#include "cost_parts.h"

double cost_all_reduce_ring(int nranks, double bytes, const struct coll_link *link)
{
	double part = share(nranks) * bytes;

	return path(nranks, 2 * others(nranks), 2 * part, part, link);
}

double cost_all_reduce_binomial(int nranks, double bytes, const struct coll_link *link)
{
	double log = coll_log2_ceil(nranks);

	return path(nranks, 2 * log, 2 * log * bytes, log * bytes, link);
}

double cost_all_reduce_tree_ideal(int nranks, double bytes, const struct coll_link *link)
{
	return path(nranks, 2.0 * coll_log2_ceil(nranks), 2 * bytes, bytes, link);
}

/* Both phases as one broadcast over a link of twice the latency. */
static struct coll_link there_and_back(const struct coll_link *link)
{
	return (struct coll_link){ .alpha = 2 * link->alpha, .beta = 2 * link->beta + link->gamma };
}

double cost_segments_all_reduce_two_tree(int nranks, double bytes, const struct coll_link *link)
{
	struct coll_link both = there_and_back(link);

	return cost_segments_two_tree(nranks, bytes, &both);
}

double cost_all_reduce_two_tree(int nranks, double bytes, const struct coll_link *link)
{
	struct coll_link both = there_and_back(link);

	return cost_broadcast_two_tree(nranks, bytes, &both);
}

double cost_all_reduce_recdbl(int nranks, double bytes, const struct coll_link *link)
{
	double log = coll_log2_floor(nranks);

	if (coll_is_power_of_two(nranks))
		return path(nranks, log, log * bytes, log * bytes, link);
	return path(nranks, log + 2, (log + 2) * bytes, (log + 1) * bytes, link);
}

double cost_all_reduce_rabenseifner(int nranks, double bytes, const struct coll_link *link)
{
	int log = coll_log2_floor(nranks);
	double part = share(1 << log) * bytes;

	if (coll_is_power_of_two(nranks))
		return cost_all_reduce_circulant(nranks, bytes, link);
	return path(nranks, 2 * log + 2, 2 * (bytes + part), bytes + part, link);
}

double cost_all_reduce_circulant(int nranks, double bytes, const struct coll_link *link)
{
	double part = share(nranks) * bytes;

	return path(nranks, 2.0 * coll_log2_ceil(nranks), 2 * part, part, link);
}

double cost_all_reduce_naive(int nranks, double bytes, const struct coll_link *link)
{
	double rest = others(nranks);

	return path(nranks, 2 * rest, 2 * rest * bytes, rest * bytes, link);
}

double cost_all_reduce_lb_sum(int nranks, double bytes, const struct coll_link *link)
{
	double part = share(nranks) * bytes;

	return path(nranks, coll_log2_ceil(nranks), 2 * part, part, link);
}

double cost_all_reduce_lb(int nranks, double bytes, const struct coll_link *link)
{
	double part = share(nranks) * bytes;

	return largest(nranks, coll_log2_ceil(nranks), 2 * part, part, link);
}
