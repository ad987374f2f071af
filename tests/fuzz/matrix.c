/* SPDX-License-Identifier: Apache-2.0 */
/* sources: src/uneven.c src/text_file.c src/size.c collectives/layout.c collectives/cost.c collectives/alltoallv.c */
/*
 * Any bytes as a matrix of --matrix: refused with one line of plain text, or square, within its limits, and such that blocks tile both buffers.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../../collectives/layout.h"
#include "../../src/uneven.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_refusal(const char *error)
{
	assert(strlen(error) > 0 && strlen(error) < 255);
	for (; *error; error++)
		assert(*error >= ' ' && *error <= '~');
}

static void check_blocks(const struct uneven *uneven, uint64_t bytes, size_t element)
{
	const int n = uneven->nranks;
	const struct coll_layout layout = uneven_layout(uneven, bytes, element, n, 1);
	const struct coll_shape shape = coll_layout_shape(&layout, n);
	size_t total = 0;

	assert(shape.send * element <= bytes && shape.recv * element <= bytes && shape.count <= shape.send);
	for (int from = 0; from < n; from++) {
		total += coll_layout_send_at(&layout, n, from, n);
		assert(coll_layout_send_at(&layout, n, from, n) <= shape.send &&
		       coll_layout_recv_at(&layout, n, n, from) <= shape.recv);
	}
	assert(total == coll_layout_total(&layout, n));
	assert(coll_layout_port(&layout, n) <= (shape.send > shape.recv ? shape.send : shape.recv));
	assert(coll_layout_imbalance(&layout, n) >= 1 - 1e-9 && coll_layout_imbalance(&layout, n) <= n + 1e-9);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct uneven uneven = { 0 };
	char error[256] = "";

	if (uneven_parse((const char *)data, size, &uneven, error, sizeof error)) {
		assert(!uneven.cells);
		check_refusal(error);
		return 0;
	}
	assert(uneven.nranks > 0 && uneven.nranks <= UNEVEN_MOST_RANKS && uneven.busiest > 0);
	check_blocks(&uneven, uneven.busiest, 1);
	check_blocks(&uneven, 4096, 4);
	uneven_close(&uneven);
	return 0;
}
