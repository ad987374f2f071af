/* SPDX-License-Identifier: Apache-2.0 */
/* sources: report/import/rccl_csv.c report/import/rccl.c report/import/words.c report/import/lines.c report/import/sink.c report/import/rates.c report/array.c report/columns.c report/range.c report/result.c report/rows.c report/index.c report/file.c report/reader.c report/pool.c report/text.c report/escape.c collectives/all_gather.c collectives/all_reduce.c collectives/alltoall.c collectives/alltoallv.c collectives/barrier.c collectives/hypercube.c collectives/layout.c collectives/cost_rounds.c collectives/broadcast.c collectives/gather.c collectives/reduce.c collectives/reduce_scatter.c collectives/scatter.c collectives/sendrecv.c collectives/cost.c collectives/cost_all_reduce.c collectives/table.c */
/*
 * Any bytes as the CSV of rccl-tests.
 */
#include "import_sink.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_format(&import_rccl_csv, data, size);
	return 0;
}
