/* SPDX-License-Identifier: Apache-2.0
 *
 * A build without the hwloc library.
 */
#include <stdio.h>

#include "by_hwloc.h"

static int none(char *error, size_t error_size)
{
	snprintf(error, error_size, "hwloc: collperf was built without it");
	return -1;
}

const char *by_hwloc_name(void)
{
	return "";
}

int by_hwloc_live(struct topo_host *host, bool devices, char *error, size_t error_size)
{
	(void)host;
	(void)devices;
	return none(error, error_size);
}

int by_hwloc_xml(const char *text, size_t size, struct topo_host *host, char *error, size_t error_size)
{
	(void)text;
	(void)size;
	(void)host;
	return none(error, error_size);
}
