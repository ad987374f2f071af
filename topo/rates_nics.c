/* SPDX-License-Identifier: Apache-2.0
 *
 * Which NICs of a host carry a job, and how fast.
 */
#include "rates_nics.h"

#include <stdio.h>
#include <string.h>

#include "path.h"
#include "path_parts.h"
#include "peak.h"

static bool is_rdma(const struct topo_nic *nic)
{
	return nic->fabric == TOPO_INFINIBAND || nic->fabric == TOPO_ROCE || nic->fabric == TOPO_EFA;
}

/* What its port and its slot let through; 0: unknown. A slot that may be asleep holds nothing back. */
static double nic_rate(const struct topo_host *host, size_t i)
{
	int pci = path_pci(host, (int)(host->ngpus + i));
	double port = host->nics[i].rate, slot = 0;

	if (pci != TOPO_UNKNOWN && host->pci[pci].now.gts > 2.5)
		slot = peak_pcie(&host->pci[pci].now);
	return slot > 0 && slot < port ? slot : port;
}

static bool counts(const struct topo_host *host, size_t i, bool rdma, double least)
{
	const struct topo_nic *nic = &host->nics[i];

	return nic->state != TOPO_DOWN && is_rdma(nic) == rdma && nic_rate(host, i) >= least;
}

static double fastest(const struct topo_host *host, bool rdma, int *count)
{
	double most = 0;

	*count = 0;
	for (size_t i = 0; i < host->nnics; i++) {
		if (!counts(host, i, rdma, 0))
			continue;
		++*count;
		most = nic_rate(host, i) > most ? nic_rate(host, i) : most;
	}
	return most;
}

static const char *fabric_name(const struct topo_host *host, bool rdma)
{
	static const char *const names[] = { "NIC", "InfiniBand", "RoCE", "Ethernet", "EFA" };
	enum topo_fabric fabric = TOPO_FABRIC_UNKNOWN;

	for (size_t i = 0; i < host->nnics; i++) {
		if (!counts(host, i, rdma, 0))
			continue;
		if (fabric != TOPO_FABRIC_UNKNOWN && fabric != host->nics[i].fabric)
			return "RDMA";
		fabric = host->nics[i].fabric;
	}
	return names[fabric];
}

static bool is_held_back(const struct topo_host *host, bool rdma, double least)
{
	for (size_t i = 0; i < host->nnics; i++) {
		if (counts(host, i, rdma, least) && nic_rate(host, i) < host->nics[i].rate)
			return true;
	}
	return false;
}

void rates_nics_find(const struct topo_host *host, struct rates_nics *found)
{
	int all;
	double most = fastest(host, true, &all), sum = 0;
	bool rdma = all > 0;
	char rate[24];

	*found = (struct rates_nics){ 0 };
	if (!rdma)
		most = fastest(host, false, &all);
	if (all == 0) {
		snprintf(found->words, sizeof found->words, "no NIC");
		return;
	}
	if (most == 0) {
		found->count = all;
		snprintf(found->words, sizeof found->words, "rate unknown: %d x %s, speed not given", all,
			 fabric_name(host, rdma));
		return;
	}
	/* Half as fast as the fastest is still one of the network's; less manages the machine. */
	for (size_t i = 0; i < host->nnics; i++) {
		if (counts(host, i, rdma, most / 2)) {
			found->count++;
			sum += nic_rate(host, i);
		}
	}
	found->rate = sum / found->count;
	path_rate_words(found->rate, rate);
	snprintf(found->words, sizeof found->words, "%d x %s: %s%s", found->count, fabric_name(host, rdma), rate,
		 is_held_back(host, rdma, most / 2) ? ", held back by PCIe" : "");
	if (found->count < all)
		snprintf(found->words + strlen(found->words), sizeof found->words - strlen(found->words),
			 "; %d slower or unknown not counted", all - found->count);
}
