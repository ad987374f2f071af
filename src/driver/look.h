/* SPDX-License-Identifier: Apache-2.0
 *
 * What a perf binary says of its backends on this machine: the text of its --list.
 */
#ifndef COLLPERF_DRIVER_LOOK_H
#define COLLPERF_DRIVER_LOOK_H

#include <stdbool.h>

enum { LOOK_MAX_GPUS = 1024, LOOK_REASON = 256 };

struct look {
	bool has_mpi, has_nccl;   /* built */
	int gpus;                 /* that NCCL can use here; 0: none */
	char reason[LOOK_REASON]; /* why none, in visible ASCII; "" unless NCCL is built and gpus is 0 */
};

/* 0, or -1 where the text names no backends. Whatever else is not understood counts as no GPU. */
int look_read(const char *text, struct look *look);

#endif
