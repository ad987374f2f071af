/* SPDX-License-Identifier: Apache-2.0
 *
 * Cores, caches and NUMA nodes from hwloc. Of its components those that start runtimes of accelerators, talk to a display or move the process from
 * core to core are not asked: this is the start of every process of a job.
 */
#include "by_hwloc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "by_hwloc_parts.h"
#include "pci.h"

const char *by_hwloc_name(void)
{
	return "hwloc " HWLOC_VERSION;
}

static int count(hwloc_topology_t topology, hwloc_obj_type_t type)
{
	int objects = hwloc_get_nbobjs_by_type(topology, type);

	return objects > 0 ? objects : 0;
}

/* Equal ones of a level are one element; hybrid processors have several kinds. */
static int caches(hwloc_topology_t topology, struct topo_host *host)
{
	static const hwloc_obj_type_t levels[] = { HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE,
						   HWLOC_OBJ_L5CACHE };

	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
		size_t first = host->ncaches;

		for (hwloc_obj_t obj = NULL; (obj = hwloc_get_next_obj_by_type(topology, levels[i], obj));) {
			uint64_t bytes = obj->attr->cache.size;
			size_t k = first;

			while (k < host->ncaches && host->caches[k].bytes != bytes)
				k++;
			if (k == host->ncaches && !topo_add_cache(host))
				return -1;
			host->caches[k].level = (int)i + 1;
			host->caches[k].bytes = bytes;
			host->caches[k].count++;
		}
	}
	return 0;
}

/* A node may be above its packages where there is but one of them. */
static int package_of(hwloc_topology_t topology, hwloc_obj_t node)
{
	hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, node);

	if (!package && count(topology, HWLOC_OBJ_PACKAGE) == 1)
		package = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PACKAGE, NULL);
	return package && package->os_index != HWLOC_UNKNOWN_INDEX ? (int)package->os_index : TOPO_UNKNOWN;
}

static int nodes(hwloc_topology_t topology, struct topo_host *host)
{
	for (hwloc_obj_t obj = NULL; (obj = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, obj));) {
		struct topo_numa *numa = topo_add_numa(host);
		char *list = NULL;
		int failed;

		if (!numa)
			return -1;
		numa->os = obj->os_index == HWLOC_UNKNOWN_INDEX ? (int)obj->logical_index : (int)obj->os_index;
		numa->package = package_of(topology, obj);
		numa->memory = obj->attr->numanode.local_memory;
		failed = obj->cpuset && hwloc_bitmap_list_asprintf(&list, obj->cpuset) < 0;
		failed = failed || topo_set(&numa->cpus, list);
		free(list);
		if (failed)
			return -1;
	}
	return 0;
}

static int machine(hwloc_topology_t topology, struct topo_host *host)
{
	hwloc_obj_t root = hwloc_get_root_obj(topology), package = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PACKAGE, NULL);
	const char *model = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;

	if (!model)
		model = hwloc_obj_get_info_by_name(root, "CPUModel");
	host->packages = count(topology, HWLOC_OBJ_PACKAGE);
	host->cores = count(topology, HWLOC_OBJ_CORE);
	host->threads = count(topology, HWLOC_OBJ_PU);
	host->memory = root->total_memory;
	return topo_set(&host->cpu, model) || caches(topology, host) || nodes(topology, host) ? -1 : 0;
}

static int read_all(hwloc_topology_t topology, struct topo_host *host, char *error, size_t error_size)
{
	const char *version = hwloc_obj_get_info_by_name(hwloc_get_root_obj(topology), "hwlocVersion");

	if (machine(topology, host) || by_hwloc_pci(topology, host) || pci_number_roots(host) ||
	    by_hwloc_links(topology, version ? version : HWLOC_VERSION, host) || pci_settle(host)) {
		snprintf(error, error_size, "hwloc: out of memory, or too large a machine");
		return -1;
	}
	return 0;
}

int by_hwloc_live(struct topo_host *host, bool devices, char *error, size_t error_size)
{
	static const char *const unwanted[] = { "cuda", "opencl", "gl", "levelzero", "rsmi", "x86" };
	enum hwloc_type_filter_e io = devices ? HWLOC_TYPE_FILTER_KEEP_IMPORTANT : HWLOC_TYPE_FILTER_KEEP_NONE;
	hwloc_topology_t topology;
	int failed = -1;

	if (hwloc_topology_init(&topology)) {
		snprintf(error, error_size, "hwloc: it does not start");
		return -1;
	}
	for (size_t i = 0; i < sizeof unwanted / sizeof *unwanted; i++)
		hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, unwanted[i]);
	if (hwloc_topology_set_io_types_filter(topology, io) || hwloc_topology_load(topology))
		snprintf(error, error_size, "hwloc: looking at this machine failed: %s", strerror(errno));
	else
		failed = read_all(topology, host, error, error_size);
	if (!failed && !hwloc_topology_is_thissystem(topology))
		failed = topo_note(host, "hwloc was told by its variables to describe another machine");
	hwloc_topology_destroy(topology);
	return failed ? -1 : 0;
}

static int name(hwloc_topology_t topology, struct topo_host *host)
{
	hwloc_obj_t root = hwloc_get_root_obj(topology);
	const char *own = hwloc_obj_get_info_by_name(root, "HostName"),
		   *version = hwloc_obj_get_info_by_name(root, "hwlocVersion");
	char from[128];

	if (own && topo_set(&host->name, own))
		return -1;
	snprintf(from, sizeof from, "hwloc %s", version ? version : "");
	return version ? topo_set(&host->from, from) : 0;
}

static int load_xml(hwloc_topology_t topology, const char *text, size_t size)
{
	char *copy = malloc(size + 1);
	int failed;

	if (!copy)
		return -1;
	memcpy(copy, text, size);
	copy[size] = '\0';
	failed = hwloc_topology_set_xmlbuffer(topology, copy, (int)size + 1) ||
		 hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL) || hwloc_topology_load(topology);
	free(copy);
	return failed;
}

int by_hwloc_xml(const char *text, size_t size, struct topo_host *host, char *error, size_t error_size)
{
	hwloc_topology_t topology;
	int failed = -1;

	/* The library's parser may follow entities; no export has any. */
	if (size > TOPO_MOST_BYTES || memmem(text, size, "<!ENTITY", 8)) {
		snprintf(error, error_size, "hwloc: %s",
			 size > TOPO_MOST_BYTES ? "the text is too long" : "entities are not read");
		return -1;
	}
	if (hwloc_topology_init(&topology)) {
		snprintf(error, error_size, "hwloc: it does not start");
		return -1;
	}
	if (load_xml(topology, text, size))
		snprintf(error, error_size, "hwloc: this is no export that hwloc " HWLOC_VERSION " reads");
	else
		failed = read_all(topology, host, error, error_size) || name(topology, host);
	hwloc_topology_destroy(topology);
	return failed ? -1 : 0;
}
