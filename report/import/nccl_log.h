/* SPDX-License-Identifier: Apache-2.0
 *
 * `collperf import --nccl-log`: what NCCL's own log says of paths, channels and algorithms, for people. No rows come of it.
 */
#ifndef COLLPERF_IMPORT_NCCL_LOG_H
#define COLLPERF_IMPORT_NCCL_LOG_H

#include "options.h"

/* All inputs are logs of one job. The exit code: 0, or 3 after one line on stderr for each file that cannot be read or has no line of such a log. */
int nccl_log_summary(const struct import_command *command);

#endif
