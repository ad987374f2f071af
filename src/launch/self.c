/* SPDX-License-Identifier: Apache-2.0
 *
 * The launch of a single process: every collective act is its own answer.
 */
#include <stdlib.h>
#include <string.h>

#include "../launch.h"

static int self_barrier(struct launch *launch)
{
	(void)launch;
	return 0;
}

static int self_broadcast(struct launch *launch, void *data, size_t size)
{
	(void)launch, (void)data, (void)size;
	return 0;
}

static int self_gather(struct launch *launch, const void *mine, size_t size, void *all)
{
	(void)launch;
	if (size > 0)
		memcpy(all, mine, size);
	return 0;
}

static int self_agree(struct launch *launch, int value, int *largest)
{
	(void)launch;
	*largest = value;
	return 0;
}

static int self_clock_offset(struct launch *launch, double (*now)(void *), void *arg, double *offset, double *error)
{
	(void)launch, (void)now, (void)arg;
	*offset = 0;
	*error = 0;
	return 0;
}

static void self_abort(struct launch *launch, int code)
{
	(void)launch;
	_Exit(code);
}

static void self_close(struct launch *launch)
{
	(void)launch;
}

static const struct launch_ops self_ops = {
	.barrier = self_barrier,
	.broadcast = self_broadcast,
	.gather = self_gather,
	.agree = self_agree,
	.clock_offset = self_clock_offset,
	.abort = self_abort,
	.close = self_close,
};

int launch_open_self(struct launch *launch, const struct launch_setup *setup)
{
	(void)setup;
	*launch = (struct launch){ .name = "self", .size = 1, .local_size = 1, .nnodes = 1, .ops = &self_ops };
	return 0;
}
