/* SPDX-License-Identifier: Apache-2.0
 *
 * The largest of statistics that depend on each other has, far out, the tail of the largest of some smaller number of independent ones: that number is taken
 * from draws.
 */
#include "judge_parts.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

static double tail(struct gate_largest largest, double z)
{
	if (largest.magnitudes)
		return z > 0 ? fmin(1, 2 * gsl_cdf_ugaussian_Q(z)) : 1;
	return gsl_cdf_ugaussian_Q(z);
}

double gate_largest_p(struct gate_largest largest, double z)
{
	double p = isnan(z) || (isinf(z) && z < 0) ? 1 : tail(largest, z);

	return p >= 1 ? 1 : -expm1(largest.tests * log1p(-p));
}

double gate_largest_z(struct gate_largest largest, double p)
{
	double one = -expm1(log1p(-p) / largest.tests);

	return gsl_cdf_ugaussian_Qinv(largest.magnitudes ? one / 2 : one);
}
