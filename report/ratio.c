/* SPDX-License-Identifier: Apache-2.0
 *
 * A wrong ratio accuses a network of what a busy machine did, so one that is in doubt is none.
 */
#include "ratio.h"

#include <math.h>
#include <stddef.h>

static const double precise = 0.025, widest = 2, same = 1.005;

static const struct {
	const char *why, *mark;
} words[] = {
	[RATIO_TOLD] = { NULL, NULL },
	[RATIO_UNKNOWN] = { "a time is not known, so no ratio", "-" },
	[RATIO_TURNS] = { "ranks take turns, so no ratio", "ranks take turns" },
	[RATIO_LATE] = { "a rank came late, so no ratio", "late" },
	[RATIO_FEW] = { "too few samples for an interval, so no ratio", "no interval" },
	[RATIO_NOISY] = { "too noisy for a ratio", "too noisy" },
	[RATIO_NOT_APART] = { NULL, "not apart" },
};

struct ratio_time ratio_time(const struct result *row)
{
	return (struct ratio_time){
		.time = row->time,
		.low = row->time_ci_low,
		.high = row->time_ci_high,
		.least = row->time_min,
		.p95 = row->time_p95,
		.turns = result_takes_turns(row),
		.late = result_has_flag(row, RESULT_FLAG_LATE),
	};
}

static bool is_known(double time)
{
	return time > 0 && isfinite(time);
}

static bool has_interval(const struct ratio_time *time)
{
	return time->low > 0 && time->time >= time->low && isfinite(time->high) && time->high >= time->time;
}

/* Of a number of samples that was asked for no row says that it is noisy. */
static bool is_precise(const struct ratio_time *time)
{
	return (time->high - time->low) / 2 <= precise * time->time;
}

/* Whether the calls of one took longer than those of the other; where no calls are known, the medians tell. */
static bool is_beyond(const struct ratio_time *one, const struct ratio_time *other)
{
	return fmin(one->least, one->low) > fmax(other->p95, other->high);
}

static bool is_noisy(const struct ratio *ratio, const struct ratio_time *one, const struct ratio_time *other)
{
	if (ratio->value > widest * ratio->low || ratio->high > widest * ratio->value)
		return true;
	/* A median that is not precise may be of other troubles than those that the ratio is about. */
	return !(is_precise(one) && is_precise(other)) && !is_beyond(one, other) && !is_beyond(other, one);
}

static enum ratio_kind kind_of(const struct ratio *ratio, const struct ratio_time *one, const struct ratio_time *other)
{
	if (!isfinite(ratio->value))
		return RATIO_UNKNOWN;
	if (one->turns || other->turns)
		return RATIO_TURNS;
	if (one->late || other->late)
		return RATIO_LATE;
	if (!isfinite(ratio->low))
		return RATIO_FEW;
	if (is_noisy(ratio, one, other))
		return RATIO_NOISY;
	if (ratio->low > same || ratio->high * same < 1 || (ratio->low * same >= 1 && ratio->high <= same))
		return RATIO_TOLD;
	return RATIO_NOT_APART;
}

struct ratio ratio_of(const struct ratio_time *one, const struct ratio_time *other)
{
	struct ratio ratio = { NAN, NAN, NAN, RATIO_UNKNOWN };

	if (is_known(one->time) && is_known(other->time))
		ratio.value = one->time / other->time;
	if (has_interval(one) && has_interval(other)) {
		ratio.low = ratio.value * exp(-hypot(log(one->time / one->low), log(other->high / other->time)));
		ratio.high = ratio.value * exp(hypot(log(one->high / one->time), log(other->time / other->low)));
	}
	ratio.kind = kind_of(&ratio, one, other);
	return ratio;
}

bool ratio_is_same(const struct ratio *ratio)
{
	return ratio->kind == RATIO_TOLD && ratio->low * same >= 1 && ratio->high <= same;
}

const char *ratio_why(enum ratio_kind kind)
{
	return words[kind].why;
}

const char *ratio_mark(enum ratio_kind kind)
{
	return words[kind].mark;
}
