/* SPDX-License-Identifier: Apache-2.0
 *
 * Free memory from /proc/meminfo and the cgroup, cores from the system, malloc through mallopt.
 */
#include "memory.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int read_u64(const char *path, uint64_t *value)
{
	FILE *file = fopen(path, "r");
	int found = 0;

	if (file) {
		found = fscanf(file, "%" SCNu64, value) == 1;
		fclose(file);
	}
	return found ? 0 : -1;
}

static int meminfo_available(uint64_t *bytes)
{
	FILE *file = fopen("/proc/meminfo", "r");
	char line[128];
	uint64_t kibibytes = 0;
	int found = 0;

	while (file && !found && fgets(line, sizeof line, file))
		found = sscanf(line, "MemAvailable: %" SCNu64 " kB", &kibibytes) == 1;
	if (file)
		fclose(file);
	if (!found)
		return -1;
	*bytes = kibibytes << 10;
	return 0;
}

/* The limit of the control group that this process sees as its root; "max" is no number and so no limit. */
static void cgroup_limit(uint64_t *bytes)
{
	static const char *const pairs[][2] = {
		{ "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current" },
		{ "/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes" },
	};

	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
		uint64_t limit, used;

		if (read_u64(pairs[i][0], &limit) || read_u64(pairs[i][1], &used))
			continue;
		uint64_t left = limit > used ? limit - used : 0;

		if (left < *bytes)
			*bytes = left;
	}
}

int memory_available(uint64_t *bytes)
{
	uint64_t available;

	if (meminfo_available(&available)) {
		fprintf(stderr, "memory: /proc/meminfo names no MemAvailable\n");
		return -1;
	}
	cgroup_limit(&available);
	*bytes = available;
	return 0;
}

int memory_cores(void)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	return cores < 1 ? 1 : (int)cores;
}

void memory_tune_malloc(void)
{
	mallopt(M_MMAP_THRESHOLD, 1 << 30);
	mallopt(M_TRIM_THRESHOLD, INT32_MAX);
	mallopt(M_TOP_PAD, 64 << 20);
}

void memory_touch(void *data, size_t bytes)
{
	memset(data, 0, bytes);
}
