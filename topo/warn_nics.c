/* SPDX-License-Identifier: Apache-2.0
 *
 * NICs that are down, slower than their twins, or far from GPUs.
 */
#include <stdio.h>
#include <string.h>

#include "path_parts.h"
#include "warn_parts.h"

bool warn_carries(const struct topo_nic *nic)
{
	return nic->fabric == TOPO_INFINIBAND || nic->fabric == TOPO_ROCE || nic->fabric == TOPO_EFA || nic->rate >= 25e9 / 8;
}

static const struct topo_pci *pci_of(const struct topo_host *host, size_t nic)
{
	int pci = path_pci(host, (int)(host->ngpus + nic));

	return pci == TOPO_UNKNOWN ? NULL : &host->pci[pci];
}

/* "mlx5_" of "mlx5_10". */
static size_t class_length(const char *name)
{
	size_t length = strlen(name);

	while (length > 0 && name[length - 1] >= '0' && name[length - 1] <= '9')
		length--;
	return length;
}

static bool are_twins(const struct topo_host *host, size_t a, size_t b)
{
	const struct topo_pci *x = pci_of(host, a), *y = pci_of(host, b);
	const char *name = host->nics[a].name, *other = host->nics[b].name;
	size_t length = class_length(name);

	if (host->nics[a].fabric != host->nics[b].fabric)
		return false;
	if (x && y && x->device > 0 && y->device > 0)
		return x->vendor == y->vendor && x->device == y->device;
	return length > 0 && length == class_length(other) && strncmp(name, other, length) == 0;
}

/* Functions of one card differ in their last digit alone. */
static bool same_card(const struct topo_host *host, size_t a, size_t b)
{
	const struct topo_pci *x = pci_of(host, a), *y = pci_of(host, b);
	const char *point = x ? strrchr(x->bus, '.') : NULL;

	return x && y && (x == y || (point && strncmp(x->bus, y->bus, (size_t)(point - x->bus)) == 0));
}

/* An Ethernet port without a cable is usual, unless its twin on another card has one. */
static bool should_be_up(const struct topo_host *host, size_t i)
{
	if (host->nics[i].fabric != TOPO_ETHERNET)
		return true;
	for (size_t k = 0; k < host->nnics; k++) {
		if (k != i && host->nics[k].state == TOPO_UP && are_twins(host, i, k) && !same_card(host, i, k))
			return true;
	}
	return false;
}

static void check_state(struct warn_place *place, size_t i)
{
	char name[112];

	if (place->host->nics[i].state != TOPO_DOWN || !should_be_up(place->host, i))
		return;
	warn_end(place->host, (int)(place->host->ngpus + i), name, sizeof name);
	warn_add_device(place, WARN_NIC_DOWN, TOPO_NIC, name, "the port is down, it should be up");
}

static void check_rate(struct warn_place *place, size_t i)
{
	const struct topo_host *host = place->host;
	const struct topo_nic *nic = &host->nics[i];
	double most = nic->rate;
	char name[112];

	if (nic->state == TOPO_DOWN || nic->rate <= 0)
		return;
	for (size_t k = 0; k < host->nnics; k++) {
		if (host->nics[k].state != TOPO_DOWN && host->nics[k].rate > most && are_twins(host, i, k))
			most = host->nics[k].rate;
	}
	if (nic->rate >= most * 0.99)
		return;
	warn_end(host, (int)(host->ngpus + i), name, sizeof name);
	warn_add_device(place, WARN_NIC_SLOWER, TOPO_NIC, name, "%.3g Gb/s, its twins have %.3g Gb/s", nic->rate * 8e-9,
			most * 8e-9);
}

static int package_of(const struct topo_host *host, int end)
{
	int numa = path_numa(host, end);

	for (size_t i = 0; numa != TOPO_UNKNOWN && i < host->nnuma; i++) {
		if (host->numa[i].os == numa)
			return host->numa[i].package;
	}
	return TOPO_UNKNOWN;
}

/* Across sockets for sure. */
static bool is_far(const struct topo_host *host, int gpu, int nic)
{
	int here = package_of(host, gpu), there = package_of(host, nic);
	struct path path;

	path_between(host, gpu, nic, &path);
	return path.class == TOPO_SYS && (here == TOPO_UNKNOWN || there == TOPO_UNKNOWN || here != there);
}

static void check_distance(struct warn_place *place, int gpu)
{
	const struct topo_host *host = place->host;
	int nearest = TOPO_UNKNOWN;
	char name[112], other[112];

	for (size_t i = 0; i < host->nnics; i++) {
		int nic = (int)(host->ngpus + i);

		if (host->nics[i].state == TOPO_DOWN || !warn_carries(&host->nics[i]))
			continue;
		if (!is_far(host, gpu, nic))
			return;
		nearest = nearest == TOPO_UNKNOWN ? nic : nearest;
	}
	if (nearest == TOPO_UNKNOWN)
		return;
	warn_end(host, gpu, name, sizeof name);
	warn_end(host, nearest, other, sizeof other);
	warn_add_device(place, WARN_FAR_NIC, TOPO_GPU, name,
			"the nearest NIC, %s, is on another socket, one should be on its own", other);
}

void warn_nics(struct warn_place *place)
{
	for (size_t i = 0; i < place->host->nnics; i++) {
		check_state(place, i);
		check_rate(place, i);
	}
	for (int gpu = 0; gpu < (int)place->host->ngpus; gpu++)
		check_distance(place, gpu);
}
