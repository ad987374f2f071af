/* SPDX-License-Identifier: Apache-2.0 */
/* sources: topo/read_nccl*.c topo/read_xml.c topo/read_text.c topo/topo*.c topo/json*.c topo/path*.c topo/peak*.c topo/rates*.c topo/warn*.c topo/pci.c */
/*
 * Any bytes as a topology of NCCL.
 */
#include "topo/read.h"
#include "topo_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct topo topo = { 0 };
	char error[512] = "";
	int rc = read_nccl_xml("fuzz\n", (const char *)data, size, &topo, error, sizeof error);

	check_topo(&topo, rc, error);
	return 0;
}
