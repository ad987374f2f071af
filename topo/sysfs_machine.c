/* SPDX-License-Identifier: Apache-2.0
 *
 * Cores, caches and NUMA nodes as /sys/devices/system tells them, for builds without hwloc and machines where it fails. Each file of a cache or core is
 * read once, not once for each thread that shares it.
 */
#include "sysfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU "/sys/devices/system/cpu/cpu%d"
#define NODE "/sys/devices/system/node/%s"

static uint64_t kibibytes(const char *text)
{
	return strtoull(text, NULL, 10) << 10;
}

/* --- caches --- */

static uint64_t cache_size(const char *text)
{
	char *end;
	unsigned long long value = strtoull(text, &end, 10);

	return *end == 'K' ? value << 10 : *end == 'M' ? value << 20 : *end == 'G' ? value << 30 : value;
}

static int count_cache(struct topo_host *host, int level, uint64_t bytes)
{
	struct topo_cache *cache;

	for (size_t i = 0; i < host->ncaches; i++) {
		if (host->caches[i].level == level && host->caches[i].bytes == bytes) {
			host->caches[i].count++;
			return 0;
		}
	}
	cache = topo_add_cache(host);
	if (!cache)
		return -1;
	*cache = (struct topo_cache){ .level = level, .bytes = bytes, .count = 1 };
	return 0;
}

/* Whether this thread is the first of those that share something. */
static bool is_first(const char *list, int cpu)
{
	return list[0] == '\0' || strtol(list, NULL, 10) == cpu;
}

static int caches_of(const char *root, struct topo_host *host, int cpu)
{
	char text[SYSFS_TEXT];

	for (int i = 0; sysfs_read(root, text, sizeof text, CPU "/cache/index%d/shared_cpu_list", cpu, i) == 0; i++) {
		long level = sysfs_number(root, 0, CPU "/cache/index%d/level", cpu, i);

		if (!is_first(text, cpu) || level < 1 || level > 9)
			continue;
		if (sysfs_read(root, text, sizeof text, CPU "/cache/index%d/type", cpu, i) || strcmp(text, "Instruction") == 0)
			continue;
		if (sysfs_read(root, text, sizeof text, CPU "/cache/index%d/size", cpu, i) == 0 &&
		    count_cache(host, (int)level, cache_size(text)))
			return -1;
	}
	return 0;
}

/* --- cores and packages --- */

static int cores(const char *root, struct topo_host *host)
{
	static const char siblings[] = CPU "/topology/thread_siblings_list";
	struct sysfs_cpus online;
	unsigned char packages[SYSFS_MOST_CPUS] = { 0 };
	char text[SYSFS_TEXT];

	sysfs_read(root, text, sizeof text, "/sys/devices/system/cpu/online");
	sysfs_cpus(text, &online);
	host->threads = online.count;
	for (int cpu = 0; cpu < SYSFS_MOST_CPUS; cpu++) {
		long package;

		if (!online.has[cpu])
			continue;
		if (sysfs_read(root, text, sizeof text, siblings, cpu) == 0 && is_first(text, cpu))
			host->cores++;
		package = sysfs_number(root, TOPO_UNKNOWN, CPU "/topology/physical_package_id", cpu);
		if (package >= 0 && package < SYSFS_MOST_CPUS && !packages[package]) {
			packages[package] = 1;
			host->packages++;
		}
		if (caches_of(root, host, cpu))
			return -1;
	}
	return 0;
}

static int by_level(const void *a, const void *b)
{
	const struct topo_cache *x = a, *y = b;

	return x->level != y->level ? (x->level > y->level) - (x->level < y->level)
				    : (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

/* --- NUMA nodes --- */

static int node(const char *root, struct topo_host *host, const char *name)
{
	char text[SYSFS_TEXT], key[64], value[64];
	struct topo_numa *numa = topo_add_numa(host);

	if (!numa)
		return -1;
	numa->os = atoi(name + strlen("node"));
	sysfs_read(root, text, sizeof text, NODE "/cpulist", name);
	if (topo_set(&numa->cpus, text))
		return -1;
	if (text[0] != '\0')
		numa->package = (int)sysfs_number(root, TOPO_UNKNOWN, CPU "/topology/physical_package_id", atoi(text));
	sysfs_read(root, text, sizeof text, NODE "/meminfo", name);
	snprintf(key, sizeof key, "Node %d MemTotal", numa->os);
	sysfs_field(text, key, value, sizeof value);
	numa->memory = kibibytes(value);
	return 0;
}

static int nodes(const char *root, struct topo_host *host)
{
	struct sysfs_names names;
	int failed = sysfs_list(root, &names, "/sys/devices/system/node");

	for (size_t i = 0; i < names.count && !failed; i++) {
		const char *digits = names.items[i] + strlen("node");

		if (strncmp(names.items[i], "node", 4) == 0 && digits[0] != '\0' && digits[strspn(digits, "0123456789")] == '\0')
			failed = node(root, host, names.items[i]);
	}
	sysfs_names_clear(&names);
	return failed;
}

int sysfs_machine(const char *root, struct topo_host *host)
{
	static const char *const models[] = { "model name", "cpu", "Model", "Processor" };
	char text[SYSFS_TEXT], value[256];

	sysfs_read(root, text, sizeof text, "/proc/cpuinfo");
	for (size_t i = 0; i < sizeof models / sizeof *models && host->cpu[0] == '\0'; i++) {
		sysfs_field(text, models[i], value, sizeof value);
		if (topo_set(&host->cpu, value))
			return -1;
	}
	sysfs_read(root, text, sizeof text, "/proc/meminfo");
	sysfs_field(text, "MemTotal", value, sizeof value);
	host->memory = kibibytes(value);
	if (cores(root, host) || nodes(root, host))
		return -1;
	if (host->ncaches > 1)
		qsort(host->caches, host->ncaches, sizeof *host->caches, by_level);
	if (host->threads == 0)
		return topo_note(host, "sysfs: no hardware threads are told");
	return 0;
}
