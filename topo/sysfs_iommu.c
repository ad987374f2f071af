/* SPDX-License-Identifier: Apache-2.0
 *
 * What sends peer-to-peer traffic up to the root: access control services of bridges, and an IOMMU that translates.
 */
#include "sysfs.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
	CONFIG_EXTENDED =
		256, /* where the list of extended capabilities begins; others than the administrator read 64 bytes alone */
	CAPABILITY_ACS = 0x0d,  /* access control services */
	ACS_CONTROL = 6,        /* in it, two bytes */
	ACS_REDIRECTS = 4 | 8,  /* requests, completions between peers */
	MOST_CAPABILITIES = 64, /* of a list that may be a circle */
};

static int word(int fd, unsigned at, unsigned *value)
{
	unsigned char bytes[2];

	if (pread(fd, bytes, sizeof bytes, (off_t)at) != sizeof bytes)
		return -1;
	*value = (unsigned)bytes[0] | (unsigned)bytes[1] << 8;
	return 0;
}

/* Word by word: the whole space takes milliseconds to read, in virtual machines above all. */
static enum topo_yes acs_of(int fd)
{
	unsigned at = CONFIG_EXTENDED, id, next, control;

	/* Functions of conventional PCI end here, and may be read this far. */
	if (word(fd, at, &id))
		return word(fd, at - 2, &id) ? TOPO_MAYBE : TOPO_NO;
	for (int i = 0; i < MOST_CAPABILITIES && at >= CONFIG_EXTENDED && word(fd, at, &id) == 0; i++) {
		if (id == CAPABILITY_ACS && word(fd, at + ACS_CONTROL, &control) == 0)
			return control & ACS_REDIRECTS ? TOPO_YES : TOPO_NO;
		if (word(fd, at + 2, &next))
			break;
		at = next >> 4;
	}
	return TOPO_NO;
}

enum topo_yes sysfs_acs(const char *directory)
{
	char path[SYSFS_TEXT + 8];
	enum topo_yes acs;
	int fd;

	snprintf(path, sizeof path, "%s/config", directory);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return TOPO_MAYBE;
	acs = acs_of(fd);
	close(fd);
	return acs;
}

static enum topo_yes translates(const char *root, const char *bus)
{
	char type[32];

	if (sysfs_read(root, type, sizeof type, "/sys/bus/pci/devices/%s/iommu_group/type", bus))
		return TOPO_MAYBE;
	return strncmp(type, "DMA", 3) == 0 ? TOPO_YES : strcmp(type, "identity") == 0 ? TOPO_NO : TOPO_MAYBE;
}

void sysfs_iommu(const char *root, struct topo_host *host)
{
	struct sysfs_names units, groups;
	size_t passed = 0, devices = 0;

	host->iommu = TOPO_MAYBE;
	if (!sysfs_has(root, "/sys/class/iommu") && !sysfs_has(root, "/sys/kernel/iommu_groups"))
		return;
	if (sysfs_list(root, &units, "/sys/class/iommu"))
		return;
	if (sysfs_list(root, &groups, "/sys/kernel/iommu_groups") == 0 && units.count == 0 && groups.count == 0)
		host->iommu = TOPO_NO;
	sysfs_names_clear(&units);
	sysfs_names_clear(&groups);
	for (size_t i = 0; i < host->npci && host->iommu == TOPO_MAYBE; i++) {
		enum topo_yes yes = host->pci[i].kind == TOPO_BRIDGE ? TOPO_MAYBE : translates(root, host->pci[i].bus);

		devices += host->pci[i].kind != TOPO_BRIDGE;
		passed += yes == TOPO_NO;
		if (yes == TOPO_YES)
			host->iommu = TOPO_YES;
	}
	if (host->iommu == TOPO_MAYBE && devices > 0 && passed == devices)
		host->iommu = TOPO_NO;
}
