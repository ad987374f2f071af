/* SPDX-License-Identifier: Apache-2.0
 *
 * Which steps may be held against each other, which of two is faster, and which rows of steps cannot be.
 */
#include <math.h>
#include <string.h>

#include "step_fastest.h"
#include "step_study.h"

/* Of the compute asked for: what is the same, and what one ratio makes in launches that follow each other. */
static const double same = 0.01, near = 0.1;
/* Of compute alone, where rows do not say what was asked for. */
static const double near_measured = 0.25;
/* Rows have nine digits. */
static const double rounding = 1e-6;
/* Seconds; beyond these squares and ratios leave the range of a double. */
static const double shortest = 1e-12, longest = 1e12;

static bool are_near(double left, double right, double share)
{
	return fabs(left - right) <= share * fmax(left, right);
}

bool step_near_compute(const struct result *left, const struct result *right)
{
	if (isfinite(left->compute_asked) && isfinite(right->compute_asked))
		return are_near(left->compute_asked, right->compute_asked, near);
	/* Simulated launches have one name. */
	if (left->run == right->run && !result_has_flag(left, RESULT_FLAG_SIMULATED))
		return true;
	return !(isfinite(left->compute) && isfinite(right->compute)) || are_near(left->compute, right->compute, near_measured);
}

bool step_same_compute(const struct step_line *left, const struct step_line *right)
{
	const double one = left->points[left->best].asked, other = right->points[right->best].asked;

	if (isfinite(one) && isfinite(other))
		return are_near(one, other, same);
	if (*left->key->run && strcmp(left->key->run, right->key->run) == 0 && !result_has_flag(left->key, RESULT_FLAG_SIMULATED))
		return true;
	return !(isfinite(left->compute_low) && isfinite(right->compute_low)) ||
	       (left->compute_low <= (1 + rounding) * right->compute_high &&
		right->compute_low <= (1 + rounding) * left->compute_high);
}

double step_over_compute(const struct step_point *point)
{
	return point->compute > 0 ? point->time / point->compute : NAN;
}

bool step_compute_contradicts(const struct step_point *point, const struct step_point *than)
{
	return point->compute > 0 && than->compute > 0 && !are_near(point->compute, than->compute, near);
}

double step_ratio(const struct step_point *point, const struct step_point *than)
{
	return step_compute_contradicts(point, than) ? step_over_compute(point) / step_over_compute(than)
						     : point->time / than->time;
}

bool step_is_slower(const struct step_point *point, const struct step_point *than)
{
	const double drift = step_drift(point->compute, than->compute);

	return step_time_is_slower(point->time, point->low, than->time * drift, than->high * drift);
}

bool step_precedes(const struct step_part *part, const struct step_line *line, const struct step_line *other)
{
	const struct step_point *one = step_best(line), *two = other ? step_best(other) : NULL;
	const double left = step_over_compute(one), right = two ? step_over_compute(two) : NAN;

	if (!two || one->turns != two->turns)
		return !two || two->turns;
	return part->mixed && isfinite(left) && isfinite(right) ? left < right : one->time < two->time;
}

const struct step_line *step_find_beside(const struct step_part *part, const char *strategy, const struct step_line *line)
{
	const struct step_line *found = NULL;

	for (size_t l = 0; l < part->nlines; l++) {
		const struct step_line *own = &part->lines[l];

		if (step_is_strategy(own, strategy) && (!line || step_same_compute(own, line)) && step_precedes(part, own, found))
			found = own;
	}
	return found;
}

const struct step_line *step_find(const struct step_part *part, const char *strategy)
{
	return step_find_beside(part, strategy, NULL);
}

/* Absent: nothing to be said against it. */
static bool is_out_of_reach(double time)
{
	return isfinite(time) && time > longest;
}

/* Older rows have exposed cut at 0, and overlap at 0 and 1. */
static bool is_exposed_wrong(const struct result *row)
{
	const double exposed = row->time - row->compute;

	return isfinite(exposed) && isfinite(row->exposed) &&
	       !(fabs(row->exposed - exposed) <= rounding * row->time ||
		 (exposed < 0 && fabs(row->exposed) <= rounding * row->time));
}

static bool is_overlap_wrong(const struct result *row)
{
	const double overlap = 1 - row->exposed / row->comm, cut = fmin(1, fmax(0, overlap));
	const double error = rounding * (1 + row->time / row->comm);

	return isfinite(overlap) && isfinite(row->overlap) &&
	       !(fabs(row->overlap - overlap) <= error || fabs(row->overlap - cut) <= error);
}

const char *step_contradiction(const struct result *row)
{
	if (!(row->time >= shortest && row->time <= longest) || is_out_of_reach(row->compute) || is_out_of_reach(row->comm) ||
	    is_out_of_reach(row->exposed) || is_out_of_reach(row->compute_asked) || is_out_of_reach(row->time_ci_high))
		return "a time that no step takes";
	if (row->time_ci_low > row->time * (1 + rounding) || row->time_ci_high < row->time * (1 - rounding))
		return "a time that is not within its interval";
	if (is_exposed_wrong(row))
		return "an exposed time that is not the step's less its compute";
	return is_overlap_wrong(row) ? "an overlap that is not 1 - exposed / communication" : NULL;
}
