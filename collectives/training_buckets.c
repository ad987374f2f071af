/* SPDX-License-Identifier: Apache-2.0
 *
 * When the last gradient has been reduced, if buckets of gradients are reduced one after another while the backward pass goes on.
 */
#include "training.h"

#include <math.h>

double train_buckets_time(const struct train_buckets *buckets, double k)
{
	const double all = buckets->b * buckets->bytes;

	/* The network waits for the last bucket, or the first bucket is followed by all others without a gap. */
	return fmax(buckets->backward + buckets->a + all / k, buckets->backward / k + k * buckets->a + all);
}

double train_buckets_best(const struct train_buckets *buckets)
{
	const double slack = buckets->backward - buckets->b * buckets->bytes;

	if (!(buckets->a > 0))
		return buckets->backward > 0 ? INFINITY : 1;
	return fmax(1, fmax(slack / buckets->a, sqrt(buckets->backward / buckets->a)));
}

static double sum_of(const uint64_t *elements, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (double)elements[i];
	return sum;
}

double train_buckets_replay_calls(double backward, train_call_time *time, void *context, const uint64_t *elements, size_t n,
				  double element_bytes, double cap, size_t *calls)
{
	const double all = sum_of(elements, n);
	double done = 0, end = 0;
	size_t made = 0;

	for (size_t i = 0; i < n;) {
		double bucket = (double)elements[i], ready;

		for (i++; i < n && (bucket + (double)elements[i]) * element_bytes <= cap; i++)
			bucket += (double)elements[i];
		done += bucket;
		ready = all > 0 ? backward * done / all : 0;
		end = fmax(end, ready) + time(context, bucket * element_bytes);
		made++;
	}
	if (calls)
		*calls = made;
	return fmax(end, backward);
}

static double line_time(void *context, double bytes)
{
	const struct train_buckets *buckets = context;

	return buckets->a + buckets->b * bytes;
}

double train_buckets_replay(const struct train_buckets *buckets, const uint64_t *elements, size_t n, double element_bytes,
			    double cap, size_t *calls)
{
	struct train_buckets line = *buckets;

	return train_buckets_replay_calls(line.backward, line_time, &line, elements, n, element_bytes, cap, calls);
}
