/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans over a link, made for tests.
 */
#ifndef COLLPERF_TEST_PLAN_MADE_H
#define COLLPERF_TEST_PLAN_MADE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "report/plan/plan.h"

static inline void assert_near(double value, double expected, double tolerance)
{
	if (!(fabs(value - expected) <= tolerance * fabs(expected)))
		fail_msg("%.17g is not %.17g", value, expected);
}

struct made {
	struct plan_options options;
	struct plan_network network;
	struct plan plan;
};

static const struct plan_job seven = {
	.params = 7e9, .tokens = 16384, .element_bytes = 2, .flops = 4e14, .bucket = 25.0 * 1024 * 1024
};

/* rows: NULL with a link. */
static inline struct made *make_by(const struct rows *rows, struct plan_options options, struct plan_job job)
{
	struct made *made = calloc(1, sizeof *made);

	assert_non_null(made);
	made->options = options;
	made->options.given = true;
	assert_int_equal(plan_network_open(&made->options, rows, &made->network), 0);
	made->plan.network = &made->network;
	made->plan.job = job;
	made->plan.job.np = made->network.np;
	assert_int_equal(plan_make(&made->plan), 0);
	return made;
}

static inline struct made *make(struct plan_options options, struct plan_job job)
{
	return make_by(NULL, options, job);
}

static inline void unmake(struct made *made)
{
	plan_network_close(&made->network);
	free(made);
}

static inline struct plan_job with_layers(struct plan_job job, int64_t layers, int64_t hidden)
{
	job.shape.layers = layers;
	job.shape.hidden = hidden;
	return job;
}

#endif
