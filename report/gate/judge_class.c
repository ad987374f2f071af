/* SPDX-License-Identifier: Apache-2.0
 *
 * Classes of sizes by the base's own curve: where latency rules, where bandwidth does, and between.
 */
#include "judge_parts.h"

#include <math.h>

const char *const gate_class_names[GATE_CLASSES] = { "latency", "middle", "bandwidth" };

static const double latency_times = 2, bandwidth_share = 0.5;

/* Of points of one placement: the log time of the smallest size, and the best log rate. */
struct curve {
	double bytes, time, rate;
};

static struct curve curve_of(const struct gate_series *series, bool in_place)
{
	struct curve curve = { INFINITY, NAN, -INFINITY };

	for (size_t i = 0; i < series->npoints; i++) {
		double time, bytes = series->points[i].bytes;

		if (series->points[i].in_place != in_place || isnan(time = gate_side_mean(series, GATE_BASE, i)))
			continue;
		curve.rate = fmax(curve.rate, log(bytes) - time);
		if (bytes < curve.bytes) {
			curve.bytes = bytes;
			curve.time = time;
		}
	}
	return curve;
}

static enum gate_class class_in(const struct curve *curve, double bytes, double time)
{
	if (time <= curve->time + log(latency_times))
		return GATE_LATENCY;
	return log(bytes) - time > curve->rate + log(bandwidth_share) ? GATE_BANDWIDTH : GATE_MIDDLE;
}

enum gate_class gate_class_of(const struct gate_series *series, size_t point)
{
	struct curve curve = curve_of(series, series->points[point].in_place);

	return class_in(&curve, series->points[point].bytes, gate_side_mean(series, GATE_BASE, point));
}

void gate_classes_of(const struct gate_series *series, unsigned char *classes)
{
	struct curve curves[2] = { curve_of(series, false), curve_of(series, true) };

	for (size_t i = 0; i < series->npoints; i++)
		classes[i] = (unsigned char)class_in(&curves[series->points[i].in_place], series->points[i].bytes,
						     gate_side_mean(series, GATE_BASE, i));
}
