/* SPDX-License-Identifier: Apache-2.0
 *
 * The machines of a launch as one topology: each host is discovered once, by its first process, and every process adds its ranks. Also for a program that
 * has a launch and no backend.
 */
#ifndef COLLPERF_TOPOLOGY_H
#define COLLPERF_TOPOLOGY_H

#include "../topo/topo.h"
#include "launch.h"

/* A rank of this process. */
struct topology_rank {
	int rank;     /* over all processes, 0 .. launch->size * nranks - 1 */
	char bus[24]; /* PCI bus id of its GPU, in any spelling that topo_bus knows; "": none, or unknown */
};

/*
 * Collective; nranks is the same in all processes. On rank 0 *topo becomes the hosts in the order of their nodes, those that are alike once, each with
 * its ranks (cpus: what their process may run on); elsewhere it is cleared. What cannot be discovered or sent is a note in the topology. 0, or -1 after one
 * line on stderr when the launch failed.
 */
int topology_gather(struct launch *launch, const struct topology_rank *ranks, int nranks, struct topo *topo);

/* The same where hosts are described already: `own` is this process's, without hosts where it is not known; of each node the first process's counts. */
int topology_gather_hosts(struct launch *launch, struct topo *own, const struct topology_rank *ranks, int nranks,
			  struct topo *topo);

#endif
