/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the files that a comparison writes are none of those that it reads.
 */
#ifndef COLLPERF_GATE_OUTPUTS_H
#define COLLPERF_GATE_OUTPUTS_H

#include "tell.h"

/*
 * Of the request's outputs none may be another one, an input, a file of gates, or, in the folder of an input (at any depth), rows, a log, run.json or
 * ab.json: by device and inode, by path where there is no such file yet, through links. Inputs need not exist. Nothing is written. 0, or -1 after one line
 * on stderr.
 */
int gate_outputs_check(const struct gate_request *request);

#endif
