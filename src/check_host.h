/* SPDX-License-Identifier: Apache-2.0
 *
 * Seeding and checking by the host, for backends whose device does not do it: in place where the host sees the memory, else through a staging buffer
 * of at most CHECK_PIECE bytes.
 */
#ifndef COLLPERF_CHECK_HOST_H
#define COLLPERF_CHECK_HOST_H

#include "backend.h"

enum { CHECK_PIECE = 64 << 20 };

extern const struct backend_device check_host;

#endif
