/* SPDX-License-Identifier: Apache-2.0 */
/* sources: topo/topo*.c topo/json*.c topo/path*.c topo/peak*.c topo/rates*.c topo/warn*.c topo/pci.c topo/show*.c */
/*
 * Any bytes as a topology in JSON; whatever it is can be shown.
 */
#include "topo/json.h"
#include "topo/show.h"
#include "topo_check.h"

static void show_all(const struct topo *topo)
{
	FILE *out = fopen("/dev/null", "w");

	check(out != NULL, "a place to show it");
	show_tree(topo, out);
	show_matrix(topo, out);
	show_rates(topo, out);
	show_dot(topo, out);
	fclose(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct topo topo = { 0 };
	char error[512] = "";
	int rc = topo_from_text((const char *)data, size, &topo, error, sizeof error);

	if (rc == 0)
		show_all(&topo);
	check_topo(&topo, rc, error);
	return 0;
}
