/* SPDX-License-Identifier: Apache-2.0
 *
 * What tests of libraries' logs share: single lines.
 */
#ifndef TESTS_TAKEN_LINES_H
#define TESTS_TAKEN_LINES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "topo/taken.h"

#define P2P (1U << WAY_PCIE)
#define NVLINK (1U << WAY_NVLINK)
#define SHM (1U << WAY_SHM)
#define IB (1U << WAY_IB)
#define ROCE (1U << WAY_ROCE)
#define SOCKET (1U << WAY_SOCKET)
#define TCP (1U << WAY_TCP)

static inline void feed(struct taken *taken, const char *line)
{
	assert_int_equal(taken_nccl_line(taken, line, strlen(line), WAY_PCIE), 0);
}

static inline void feed_ucx(struct taken *taken, const char *line)
{
	assert_int_equal(taken_ucx_line(taken, line, strlen(line)), 0);
}

#endif
