/* SPDX-License-Identifier: Apache-2.0
 *
 * What the launches have in common: which host a process is on, and how far two clocks are apart.
 */
#include "parts.h"

#include <stdio.h>
#include <string.h>

void parts_host_key(char *key, size_t size, const char *name)
{
	char boot[40] = "";
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");

	if (file) {
		if (!fgets(boot, sizeof boot, file))
			boot[0] = '\0';
		fclose(file);
	}
	boot[strcspn(boot, "\n")] = '\0';
	memset(key, 0, size);
	/* A long name loses its end, never the boot id. */
	const size_t room = size - 1 - strlen(boot), length = strnlen(name, room);

	memcpy(key, name, length);
	memcpy(key + length, boot, strlen(boot) + 1);
}

int parts_number_hosts(const char *keys, size_t size, int nranks, int *host)
{
	int count = 0;

	for (int i = 0; i < nranks; i++) {
		int first = 0;

		while (memcmp(keys + (size_t)first * size, keys + (size_t)i * size, size) != 0)
			first++;
		host[i] = first == i ? count++ : host[first];
	}
	return count;
}

void parts_place(const int *host, int nranks, int rank, int *local_rank, int *local_size)
{
	*local_rank = *local_size = 0;
	for (int i = 0; i < nranks; i++) {
		*local_size += host[i] == host[rank];
		*local_rank += i < rank && host[i] == host[rank];
	}
}

void parts_ping(struct parts_clock *clock, double sent, double seen, double back)
{
	if (back - sent >= clock->best)
		return;
	clock->best = back - sent;
	clock->offset = seen - (sent + back) / 2;
	clock->error = clock->best / 2;
}

void parts_clock_read(const struct parts_clock *clock, bool same_host, double *offset, double *error)
{
	const bool noise = same_host && clock->offset <= clock->error && clock->offset >= -clock->error;

	*offset = noise ? 0 : clock->offset;
	*error = noise ? 0 : clock->error;
}
