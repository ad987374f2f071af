/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the network share.
 */
#ifndef COLLPERF_PLAN_NETWORK_PARTS_H
#define COLLPERF_PLAN_NETWORK_PARTS_H

#include "network.h"

/* How many nodes a group lies on, and how many of it on each; 0 nodes: not known. */
struct network_spread {
	int nodes, each;
};

struct network_spread network_spread_of(const struct plan_network *network, const struct plan_members *members);
/* Groups side by side on a node, which share its NICs; 1 where that is not known. */
double network_groups(const struct plan_network *network, const struct network_spread *spread);

/* The most ranks of a node, where some rows are of several nodes; 0: rows do not tell. */
int network_gpus_of_rows(const struct rows *rows);
int64_t network_most_ranks(const struct rows *rows);
/* Of rows on one node; 0: there are none. */
int64_t network_most_of_a_node(const struct rows *rows);

/* Fills timer->known, curve, error, remark and stand_in of a timer that has members and primitive. */
void network_time_by_rows(const struct plan_network *network, struct plan_timer *timer);

#endif
