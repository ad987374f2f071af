/* SPDX-License-Identifier: Apache-2.0
 *
 * The odometer over types, operations, roots, sizes and placements.
 */
#include "sweep.h"

#include <string.h>

#include "../collectives/layout.h"
#include "../topo/algo.h"

const char *const sweep_too_small = "the size is under one element, or under a block of 16 bytes a rank";
const char *const sweep_even_too_small = "spread evenly it is under a block of 16 bytes from each rank to each";

static int first_of(int choice)
{
	return choice == OPTION_ALL ? 0 : choice;
}

static bool has_exchange(const struct options *options, const struct collective *coll)
{
	return coll->id == COLL_SENDRECV && !exchange_is_plain(&options->exchange);
}

static bool has_evened(const struct options *options, const struct collective *coll)
{
	return coll->id == COLL_ALLTOALLV && options->uneven;
}

/* A pair's exchange has two buffers. A pipeline has none in place; the one with a single staging buffer stands before it, and so does an uneven one before the even one. */
static int placements(const struct options *options, const struct collective *coll)
{
	if (has_evened(options, coll))
		return 2;
	if (options->pairs || (coll->flags & COLL_OUT_OF_PLACE))
		return 1;
	return !has_exchange(options, coll) || options->exchange.buffers > 1 || exchange_has_in_place(&options->exchange) ? 2 : 1;
}

static const struct exchange *exchange_of(const struct sweep *sweep)
{
	return sweep->placement == 0 ? &sweep->options->serial : &sweep->options->exchange;
}

void sweep_begin(struct sweep *sweep, const struct options *options, const struct backend *backend, const struct collective *coll)
{
	*sweep = (struct sweep){ .options = options,
				 .backend = backend,
				 .coll = coll,
				 .type = first_of(options->type),
				 .op = coll->flags & COLL_HAS_REDOP ? first_of(options->op) : REDOP_SUM,
				 .root = coll->flags & COLL_HAS_ROOT ? first_of(options->root) : 0,
				 .placement = placements(options, coll) };
	/* NCCL tells by itself what it cannot. */
	if (options->forced && strcmp(backend->ops->name, way_library_names[WAY_UCX]) == 0)
		sweep->forced = algo_find(WAY_UCX, coll->id, options->forced);
}

/* Advances one wheel; false when it has come round. */
static bool turn(int *value, int choice, int count)
{
	if (choice == OPTION_ALL && *value + 1 < count) {
		(*value)++;
		return true;
	}
	*value = first_of(choice);
	return false;
}

static bool next_combination(struct sweep *sweep)
{
	const struct options *options = sweep->options;
	const unsigned flags = sweep->coll->flags;

	if ((flags & COLL_HAS_ROOT) && turn(&sweep->root, options->root, sweep->backend->groups->least))
		return true;
	if ((flags & COLL_HAS_REDOP) && turn(&sweep->op, options->op, REDOP_COUNT))
		return true;
	return turn(&sweep->type, options->type, DTYPE_COUNT);
}

/* What has no data is one point; a size that is not 0 says that it was there. */
static bool next_empty(struct sweep *sweep)
{
	const bool is_first = sweep->size == 0;

	sweep->size = 1;
	sweep->placement = 0;
	return is_first;
}

static bool next_size(struct sweep *sweep)
{
	if (sweep->coll->flags & COLL_NO_DATA)
		return next_empty(sweep);
	while (!options_next_size(sweep->options, &sweep->size)) {
		sweep->size = 0;
		if (!next_combination(sweep))
			return false;
	}
	sweep->placement = 0;
	return true;
}

/* The algorithm that was forced has limits of its own, and a library that refuses ends the run. */
static const char *forced_cannot(const struct sweep *sweep, const struct point *point)
{
	const struct groups *groups = sweep->backend->groups;
	const char *why = NULL;

	for (int i = 0; i < groups->count && !why; i++) {
		const struct point own = point_in_group(point, groups->size[i]);
		const struct algo_call call = { .nranks = groups->size[i],
						.count = own.shape.count,
						.reduces = (sweep->coll->flags & COLL_HAS_REDOP) != 0,
						.has_own_op = point->type != DTYPE_HALF && point->type != DTYPE_BFLOAT16,
						.in_place = point->in_place };

		why = algo_cannot(sweep->forced, &call);
	}
	return why;
}

/* Numbers of ranks that the collective is not for. */
static const char *group_cannot(const struct sweep *sweep)
{
	const struct groups *groups = sweep->backend->groups;
	const char *why = NULL;

	for (int i = 0; sweep->coll->cannot && i < groups->count && !why; i++)
		why = sweep->coll->cannot(groups->size[i]);
	return why;
}

static const char *skip_reason(const struct sweep *sweep, const struct point *point)
{
	const struct backend *backend = sweep->backend;
	const char *group = group_cannot(sweep);

	if (group)
		return group;
	if (point->shape.count == 0 && !(sweep->coll->flags & COLL_NO_DATA))
		return point->evened ? sweep_even_too_small : sweep_too_small;
	if (!backend->ops->call[sweep->coll->id])
		return "the backend has no such collective";
	const char *why = backend->ops->cannot(backend, point);

	return !why && sweep->forced ? forced_cannot(sweep, point) : why;
}

static struct point point_of(const struct sweep *sweep)
{
	const bool second = sweep->placement == 1, evened = second && has_evened(sweep->options, sweep->coll);
	const bool is_plain = !has_exchange(sweep->options, sweep->coll);
	const struct exchange *exchange = exchange_of(sweep);

	struct point point = {
		.coll = sweep->coll,
		.type = (enum dtype)sweep->type,
		.op = (enum redop)sweep->op,
		.root = sweep->root,
		.in_place = second && !evened && (is_plain || exchange->buffers == 0),
		.bytes_requested = sweep->coll->flags & COLL_NO_DATA ? 0 : sweep->size,
		.exchange = is_plain ? NULL : exchange,
		.variant = is_plain ? sweep->options->variant : exchange->name,
		.uneven = sweep->coll->id == COLL_ALLTOALLV ? sweep->options->uneven : NULL,
		.evened = evened,
	};

	if (evened)
		point.variant = NULL;
	point_resize(&point, sweep->backend->groups->most);
	return point;
}

/* The even exchange that stood before it already, in every group. */
static bool is_repeated(const struct sweep *sweep, const struct point *point)
{
	const struct groups *groups = sweep->backend->groups;
	struct point uneven = *point;

	if (!point->evened)
		return false;
	uneven.evened = false;
	for (int i = 0; i < groups->count; i++) {
		const struct point own = point_in_group(&uneven, groups->size[i]);

		if (!coll_layout_is_even(&own.layout, groups->size[i]))
			return false;
	}
	return true;
}

bool sweep_next(struct sweep *sweep, struct point *point, const char **skip)
{
	do {
		if (sweep->done)
			return false;
		if (sweep->placement == placements(sweep->options, sweep->coll) && !next_size(sweep)) {
			sweep->done = true;
			return false;
		}
		*point = point_of(sweep);
		sweep->placement++;
	} while (is_repeated(sweep, point));
	*skip = skip_reason(sweep, point);
	return true;
}

static void count_skip(struct sweep_total *total, const struct point *point, const char *reason)
{
	for (size_t i = 0; i < SWEEP_SKIPS; i++) {
		struct sweep_skip *skip = &total->skips[i];

		if (!skip->reason)
			*skip = (struct sweep_skip){ .reason = reason, .first = *point };
		if (skip->reason != reason)
			continue;
		skip->points++;
		return;
	}
}

void sweep_count(const struct options *options, const struct backend *backend, const struct collective *coll,
		 struct sweep_total *total)
{
	struct sweep sweep;
	struct point point;
	const char *skip;

	*total = (struct sweep_total){ 0 };
	sweep_begin(&sweep, options, backend, coll);
	while (sweep_next(&sweep, &point, &skip)) {
		if (!skip && total->points++ == 0)
			total->smallest = point;
		total->skipped += skip != NULL;
		if (skip == sweep_too_small && point.bytes_requested > total->zero_below)
			total->zero_below = point.bytes_requested;
		if (skip && skip != sweep_too_small)
			count_skip(total, &point, skip);
		/* Groups of other sizes round otherwise, but never up. */
		const bool alike = backend->groups->least == backend->groups->most;
		const uint64_t bytes = alike ? point.bytes : point.bytes_requested;
		const uint64_t buffer = alike ? point.buffer : point.bytes_requested;

		if (!skip && bytes > total->max_bytes)
			total->max_bytes = bytes;
		if (!skip && buffer > total->max_buffer)
			total->max_buffer = buffer;
		if (point.bytes_requested > total->max_requested)
			total->max_requested = point.bytes_requested;
	}
}
