/* SPDX-License-Identifier: Apache-2.0
 *
 * Network interfaces that stand for hardware and are not an RDMA device's. What an administrator has switched off is left out and told in one note: an
 * unused port is no fault.
 */
#include "sysfs.h"

#include <stdio.h>
#include <string.h>

#include "peak.h"

#define NET "/sys/class/net/%s"

enum { ETHERNET = 1, INFINIBAND = 32 }; /* values of "type" */
enum { SWITCHED_ON = 1 };               /* of "flags" */

static enum topo_state state_of(const char *root, const char *name)
{
	char text[32];

	sysfs_read(root, text, sizeof text, NET "/operstate", name);
	if (strcmp(text, "up") == 0)
		return TOPO_UP;
	if (strcmp(text, "down") == 0 || strcmp(text, "lowerlayerdown") == 0)
		return TOPO_DOWN;
	return sysfs_number(root, 0, NET "/carrier", name) == 1 ? TOPO_UP : TOPO_STATE_UNKNOWN;
}

/* Whether an RDMA device has told of this interface, or of the function that it is on, which has its name now. */
static int known(struct topo_host *host, const char *name, int pci, bool *found)
{
	*found = false;
	for (size_t i = 0; i < host->nnics; i++) {
		struct topo_nic *nic = &host->nics[i];

		if (nic->fabric == TOPO_ETHERNET && strcmp(nic->name, nic->netdev) == 0)
			continue;
		if (strcmp(nic->netdev, name) == 0)
			*found = true;
		if (pci == TOPO_UNKNOWN || nic->pci != pci)
			continue;
		*found = true;
		if (nic->netdev[0] == '\0' && topo_set(&nic->netdev, name))
			return -1;
	}
	return 0;
}

static int add_interface(const char *root, struct topo_host *host, const char *name, long type)
{
	char cpus[SYSFS_TEXT];
	struct topo_nic *nic;
	bool found;
	int pci;

	if (sysfs_pci_add(root, host, TOPO_NIC, &pci, NET "/device", name) || known(host, name, pci, &found))
		return -1;
	if (found)
		return 0;
	nic = topo_add_nic(host);
	if (!nic || topo_set(&nic->name, name) || topo_set(&nic->netdev, name))
		return -1;
	nic->fabric = type == INFINIBAND ? TOPO_INFINIBAND : TOPO_ETHERNET;
	nic->state = state_of(root, name);
	nic->pci = pci;
	if (nic->state != TOPO_DOWN)
		nic->rate = peak_ethernet((double)sysfs_number(root, 0, NET "/speed", name));
	sysfs_read(root, cpus, sizeof cpus, NET "/device/local_cpulist", name);
	return topo_set(&nic->cpus, cpus);
}

static bool is_off(const char *root, const char *name)
{
	long flags = sysfs_number(root, SWITCHED_ON, NET "/flags", name);

	return !(flags & SWITCHED_ON);
}

int sysfs_interfaces(const char *root, struct topo_host *host)
{
	struct sysfs_names names;
	char off[160] = "";
	size_t hardware = 0;
	int failed = sysfs_list(root, &names, "/sys/class/net");

	for (size_t i = 0; i < names.count && !failed; i++) {
		const char *name = names.items[i];
		long type = sysfs_number(root, 0, NET "/type", name);

		if ((type != ETHERNET && type != INFINIBAND) || !sysfs_has(root, NET "/device", name) ||
		    sysfs_has(root, NET "/device/physfn", name))
			continue;
		hardware++;
		if (!is_off(root, name))
			failed = add_interface(root, host, name, type);
		else if (strlen(off) + strlen(name) + 3 < sizeof off)
			sprintf(off + strlen(off), "%s%s", off[0] ? ", " : "", name);
	}
	if (!failed && off[0])
		failed = topo_note(host, "network interfaces that are switched off: %s", off);
	if (!failed && hardware == 0)
		failed = topo_note(host, "no network interface stands for hardware here");
	sysfs_names_clear(&names);
	return failed;
}
