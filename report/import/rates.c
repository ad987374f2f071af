/* SPDX-License-Identifier: Apache-2.0
 *
 * A figure of n digits is an interval: size over the interval of the time must meet the interval of the rate.
 */
#include "rates.h"

#include <math.h>

#include "../../collectives/collective.h"

/* Rounding of the arithmetic here and there, beside that of the digits. */
static const double slack = 1e-9;

bool rates_agree(double value, double half, double amount, double time, double half_time)
{
	double low = amount / (time + half_time);
	double high = time > half_time ? amount / (time - half_time) : INFINITY;

	return value + half >= low * (1 - slack) && value - half <= high * (1 + slack);
}

/* nccl-tests gives single ranks a busbw of 0, or of algbw where the factor is 1 for any number. */
static bool complete_single(struct result *row, const struct import_digits *digits)
{
	double busbw = row->busbw;

	row->busbw = NAN;
	return isnan(busbw) || busbw <= digits->busbw ||
	       rates_agree(busbw, digits->busbw, (double)row->bytes, row->time, digits->time);
}

static bool complete_busbw(struct result *row, const struct import_digits *digits)
{
	const struct collective *coll = collective_find(row->collective);
	double factor;

	if (row->nranks < 2)
		return complete_single(row, digits);
	if (!coll)
		return true;
	factor = coll->bus_factor((int)row->nranks);
	if (isnan(row->busbw)) {
		row->busbw = row->algbw * factor;
		return true;
	}
	return rates_agree(row->busbw, digits->busbw, (double)row->bytes * factor, row->time, digits->time);
}

bool rates_complete(struct result *row, const struct import_digits *digits)
{
	bool agree = true;

	if (isnan(row->algbw))
		row->algbw = (double)row->bytes / row->time;
	else
		agree = rates_agree(row->algbw, digits->algbw, (double)row->bytes, row->time, digits->time);
	return complete_busbw(row, digits) && agree;
}
