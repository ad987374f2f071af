/* SPDX-License-Identifier: Apache-2.0
 *
 * The sources one after another into one host. NVML is asked first of the libraries that look at GPUs, so that hwloc's own use of it costs no second start.
 */
#include "discover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "by_hwloc.h"
#include "discover_check.h"
#include "nvml.h"
#include "path_parts.h"
#include "pci.h"
#include "sysfs.h"

static int add_source(struct topo_host *host, const char *source)
{
	char text[256];

	if (source[0] == '\0')
		return 0;
	snprintf(text, sizeof text, "%s%s%s", host->from, host->from[0] ? ", " : "", source);
	return topo_set(&host->from, text);
}

static int name_host(const char *root, struct topo_host *host)
{
	char name[256] = "";

	if (root[0] == '\0' && gethostname(name, sizeof name - 1) == 0)
		return topo_set(&host->name, name);
	sysfs_read(root, name, sizeof name, "/proc/sys/kernel/hostname");
	return topo_set(&host->name, name);
}

static int count_nvidia(const struct topo_host *host)
{
	int count = 0;

	for (size_t i = 0; i < host->npci; i++)
		count += host->pci[i].kind == TOPO_GPU && host->pci[i].vendor == PCI_NVIDIA;
	return count;
}

/* *listed: GPUs that NVML told of. */
static int ask_nvml(const char *library, struct topo_host *host, int *listed)
{
	char why[256];
	struct nvml nvml;
	int failed, there = count_nvidia(host);

	if (nvml_open(&nvml, library, why, sizeof why))
		return topo_note(host, "%s", why);
	failed = nvml_gpus(&nvml, host, listed) || nvml_links(&nvml, host) || add_source(host, "NVML");
	nvml_close(&nvml);
	if (!failed && *listed < there)
		failed = topo_note(host, "NVML lists %d of %d NVIDIA GPUs on PCI%s", *listed, there,
				   *listed > 0 ? ": these alone are counted" : "");
	return failed ? -1 : 0;
}

static int ask_gpus(const char *root, const struct discover_setup *setup, struct topo_host *host)
{
	int listed = 0;

	if (!setup->no_nvml && (setup->nvml || root[0] == '\0') && ask_nvml(setup->nvml, host, &listed))
		return -1;
	/* What a job may not use is not the job's machine. */
	return sysfs_gpus(root, host, listed == 0);
}

/* Cores and caches by hwloc where it works, else by sysfs. */
static int ask_machine(const char *root, const struct discover_setup *setup, struct topo_host *host)
{
	struct topo other = { 0 };
	struct topo_host *seen;
	char why[256];
	int failed;

	if (setup->no_hwloc || root[0] != '\0')
		return sysfs_machine(root, host);
	seen = topo_add_host(&other);
	if (!seen)
		return -1;
	/* It has nothing to say of devices that is not in sysfs, but for the check of GPUs. */
	if (by_hwloc_live(seen, host->ngpus > 0, why, sizeof why))
		failed = topo_note(host, "%s", why) || sysfs_machine(root, host);
	else
		failed = add_source(host, by_hwloc_name()) || discover_check(host, seen) || discover_take(host, seen);
	topo_clear(&other);
	return failed ? -1 : 0;
}

static int fill(const char *root, const struct discover_setup *setup, struct topo_host *host)
{
	if (name_host(root, host) || add_source(host, "sysfs") || sysfs_pci(root, host) || sysfs_nics(root, host))
		return -1;
	sysfs_iommu(root, host);
	if (pci_number_roots(host) || ask_gpus(root, setup, host) || ask_machine(root, setup, host))
		return -1;
	return path_note_uneven(host) || pci_settle(host) ? -1 : 0;
}

int discover_host(struct topo *topo, const struct discover_setup *setup)
{
	static const struct discover_setup usual = { 0 };
	const struct discover_setup *how = setup ? setup : &usual;
	struct topo_host *host = topo_add_host(topo);

	if (!host || fill(how->root ? how->root : "", how, host)) {
		fprintf(stderr, "collperf: out of memory while looking at this machine\n");
		return -1;
	}
	return 0;
}
