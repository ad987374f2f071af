/* SPDX-License-Identifier: Apache-2.0
 *
 * The record of rccl-tests' reporter, the same in its CSV and its JSON: one call, one placement.
 */
#ifndef COLLPERF_IMPORT_RCCL_H
#define COLLPERF_IMPORT_RCCL_H

#include "import.h"
#include "words.h"

enum rccl_column {
	RCCL_COLLECTIVE,
	RCCL_NODES,
	RCCL_RANKS, /* processes */
	RCCL_GPUS_PER_RANK,
	RCCL_GPUS, /* of a build without MPI, in place of the three above */
	RCCL_SIZE,
	RCCL_TYPE,
	RCCL_REDOP,
	RCCL_IN_PLACE,
	RCCL_TIME,
	RCCL_ALGBW,
	RCCL_BUSBW,
	RCCL_WRONG,
	RCCL_COLUMNS
};

/* By the names of CSV and JSON, capitals or not; -1 for others. */
int rccl_column_find(struct word name);

struct rccl_record {
	struct word cell[RCCL_COLUMNS]; /* empty: absent */
	bool printed;                   /* numbers are as in the file, not printed again */
};

/* 0, or -1 when memory is out. */
int rccl_take(const struct rccl_record *record, const struct import_options *options, struct import_sink *sink, size_t line);

#endif
