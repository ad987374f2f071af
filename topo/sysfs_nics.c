/* SPDX-License-Identifier: Apache-2.0
 *
 * RDMA devices by their ports. A RoCE port carries what Ethernet carries, so its rate is read as a number, not by the InfiniBand name that it is given.
 */
#include "sysfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pci.h"
#include "peak.h"

#define RDMA "/sys/class/infiniband/%s"
#define PORT RDMA "/ports/%s"

static enum topo_fabric fabric_of(const char *root, const struct topo_host *host, int pci, const char *device, const char *port)
{
	char layer[64], type[64];

	if (pci != TOPO_UNKNOWN && pci_is_efa(host->pci[pci].vendor, host->pci[pci].device))
		return TOPO_EFA;
	sysfs_read(root, layer, sizeof layer, PORT "/link_layer", device, port);
	if (strcmp(layer, "InfiniBand") == 0)
		return TOPO_INFINIBAND;
	if (strcmp(layer, "Ethernet") != 0)
		return TOPO_FABRIC_UNKNOWN;
	sysfs_read(root, type, sizeof type, RDMA "/node_type", device);
	return strncmp(type, "4:", 2) == 0 ? TOPO_ETHERNET : TOPO_ROCE; /* 4: iWARP */
}

static enum topo_state state_of(const char *root, const char *device, const char *port)
{
	char state[64], physical[64];

	sysfs_read(root, state, sizeof state, PORT "/state", device, port);
	sysfs_read(root, physical, sizeof physical, PORT "/phys_state", device, port);
	if (physical[0] != '\0' && strncmp(physical, "5:", 2) != 0)
		return TOPO_DOWN;
	if (state[0] == '\0')
		return TOPO_STATE_UNKNOWN;
	return strncmp(state, "4:", 2) == 0 ? TOPO_UP : TOPO_DOWN;
}

static double rate_of(const char *root, const struct topo_nic *nic, const char *device, const char *port)
{
	char text[64];

	/* Of a port that is down the slowest rate of all stands there. */
	if (nic->state == TOPO_DOWN || sysfs_read(root, text, sizeof text, PORT "/rate", device, port))
		return 0;
	return nic->fabric == TOPO_INFINIBAND ? peak_infiniband(text, NULL) : peak_ethernet(1000 * strtod(text, NULL));
}

/* The one interface of the device, else the one of that port. */
static int set_netdev(const char *root, struct topo_nic *nic, const char *device, const char *port)
{
	struct sysfs_names names;
	char text[64];
	int failed;

	if (sysfs_read(root, text, sizeof text, PORT "/gid_attrs/ndevs/0", device, port) == 0 && text[0] != '\0')
		return topo_set(&nic->netdev, text);
	failed = sysfs_list(root, &names, RDMA "/device/net", device);
	for (size_t i = 0; i < names.count && !failed && nic->netdev[0] == '\0'; i++) {
		long number = sysfs_number(root, 0, RDMA "/device/net/%s/dev_port", device, names.items[i]);

		if (names.count == 1 || number + 1 == nic->port)
			failed = topo_set(&nic->netdev, names.items[i]);
	}
	sysfs_names_clear(&names);
	return failed;
}

static int add_port(const char *root, struct topo_host *host, int pci, const char *device, const char *port)
{
	enum topo_fabric fabric = fabric_of(root, host, pci, device, port);
	struct topo_nic *nic = topo_add_nic(host);
	char cpus[SYSFS_TEXT];

	if (!nic || topo_set(&nic->name, device))
		return -1;
	nic->fabric = fabric;
	nic->port = atoi(port);
	nic->state = state_of(root, device, port);
	nic->rate = rate_of(root, nic, device, port);
	nic->pci = pci;
	sysfs_read(root, cpus, sizeof cpus, RDMA "/device/local_cpulist", device);
	return topo_set(&nic->cpus, cpus) || set_netdev(root, nic, device, port) ? -1 : 0;
}

static int add_device(const char *root, struct topo_host *host, const char *device)
{
	struct sysfs_names ports;
	int pci = TOPO_UNKNOWN, failed;

	failed = sysfs_pci_add(root, host, TOPO_NIC, &pci, RDMA "/device", device) ||
		 sysfs_list(root, &ports, RDMA "/ports", device);
	if (failed)
		return -1;
	for (size_t i = 0; i < ports.count && !failed; i++)
		failed = add_port(root, host, pci, device, ports.items[i]);
	sysfs_names_clear(&ports);
	return failed;
}

int sysfs_nics(const char *root, struct topo_host *host)
{
	struct sysfs_names names;
	int failed = sysfs_list(root, &names, "/sys/class/infiniband"), virtual = 0;

	if (failed)
		return -1;
	for (size_t i = 0; i < names.count && !failed; i++) {
		/* The link of a virtual function is its physical one's, which is counted. */
		if (sysfs_has(root, RDMA "/device/physfn", names.items[i]))
			virtual ++;
		else
			failed = add_device(root, host, names.items[i]);
	}
	if (!failed && virtual > 0)
		failed = topo_note(host, "%d virtual functions of RDMA devices are left out beside their physical ones", virtual);
	if (!failed && names.count == 0)
		failed = topo_note(host, "no RDMA devices: neither InfiniBand, RoCE nor EFA");
	sysfs_names_clear(&names);
	return failed ? -1 : sysfs_interfaces(root, host);
}
