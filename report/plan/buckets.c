/* SPDX-License-Identifier: Apache-2.0
 *
 * The best size of DDP's buckets. Of a line a + b x the formula tells it; of measured times, which no line describes everywhere, it is looked for among the
 * measured sizes. Between two of these, on straight lines of logarithms, T(k) is convex in the logarithm of the size, as it is everywhere of a + b x: so
 * the least is found exactly, and an end of what is nearly as good lies in one place.
 */
#include <math.h>
#include <stdlib.h>

#include "plan.h"

enum { NARROWINGS = 120, HALVINGS = 100 };

static const double usual_bytes = 25.0 * 1024 * 1024;
static const double flat_loss = 0.01;

static struct plan_bucket no_bucket(void)
{
	return (struct plan_bucket){ .bytes = NAN, .number = NAN, .time = NAN };
}

static struct plan_bucket bucket_of(const struct plan_buckets *buckets, const struct plan_timer *timer, double wanted)
{
	const double bytes = fmin(wanted, buckets->gradients), number = buckets->gradients / bytes;
	const struct curve_time one = plan_timer_time(timer, bytes);
	const struct train_buckets of = { buckets->backward, buckets->gradients, one.seconds, 0 };

	struct plan_bucket bucket = { .bytes = bytes, .number = number, .time = train_buckets_time(&of, number) };

	plan_marks_add(&bucket.marks, &one);
	return bucket;
}

static void try_bucket(const struct plan_buckets *buckets, const struct plan_timer *timer, double bytes, struct plan_bucket *best)
{
	const struct plan_bucket bucket = bucket_of(buckets, timer, bytes);

	if (!(best->time <= bucket.time))
		*best = bucket;
}

/* The next measured size on the way from one to another, or that. */
static double next_edge(const struct plan_timer *timer, double from, double to)
{
	const struct curve *curve = &timer->curve;
	double edge = to;

	for (size_t i = 0; !timer->two_level && i < curve->npoints; i++) {
		const double bytes = curve->points[i].bytes;

		if ((from < bytes && bytes < edge) || (from > bytes && bytes > edge))
			edge = bytes;
	}
	return edge;
}

static void search_piece(const struct plan_buckets *buckets, const struct plan_timer *timer, double from, double to,
			 struct plan_bucket *best)
{
	double low = log(from), high = log(to);

	try_bucket(buckets, timer, from, best);
	try_bucket(buckets, timer, to, best);
	for (int i = 0; i < NARROWINGS; i++) {
		const double third = (high - low) / 3;

		if (bucket_of(buckets, timer, exp(low + third)).time <= bucket_of(buckets, timer, exp(high - third)).time)
			high -= third;
		else
			low += third;
	}
	try_bucket(buckets, timer, fmin(fmax(exp((low + high) / 2), from), to), best);
}

static struct plan_bucket search(const struct plan_buckets *buckets, const struct plan_timer *timer, double from, double to)
{
	struct plan_bucket best = no_bucket();

	for (double at = from; at < to;) {
		const double edge = next_edge(timer, at, to);

		search_piece(buckets, timer, at, edge, &best);
		at = edge;
	}
	return best;
}

static void find_best(struct plan_buckets *buckets, const struct plan_timer *timer, const struct plan_job *job)
{
	struct train_buckets line = { buckets->backward, buckets->gradients, 0, 0 };

	buckets->best = no_bucket();
	if (buckets->measured) {
		buckets->best = search(buckets, timer, buckets->least, buckets->most);
		/* What was asked for is never better by rounding alone. */
		if (isfinite(buckets->best.time) && job->bucket >= buckets->least && job->bucket <= buckets->most)
			try_bucket(buckets, timer, job->bucket, &buckets->best);
		return;
	}
	if (!plan_timer_line(timer, &line.a, &line.b))
		return;
	buckets->no_latency = !(line.a > 0);
	if (!buckets->no_latency)
		try_bucket(buckets, timer, fmax(buckets->gradients / train_buckets_best(&line), buckets->least), &buckets->best);
}

/* How far towards `limit` sizes are as good as the best. */
static double flat_end(const struct plan_buckets *buckets, const struct plan_timer *timer, double limit)
{
	const double enough = buckets->best.time * (1 + flat_loss);
	double good = buckets->best.bytes, bad = limit;

	while (good < limit || good > limit) {
		bad = next_edge(timer, good, limit);
		if (!(bucket_of(buckets, timer, bad).time <= enough))
			break;
		good = bad;
	}
	for (int i = 0; i < HALVINGS && (good < bad || good > bad); i++) {
		const double middle = sqrt(good * bad);

		if (bucket_of(buckets, timer, middle).time <= enough)
			good = middle;
		else
			bad = middle;
	}
	return good;
}

/* Past one end of what was measured, by the fit. */
static void look_beyond(struct plan_buckets *buckets, const struct plan_timer *timer, double end, double limit)
{
	const double outside = end * (limit > end ? 2 : 0.5);
	const bool at_end = !(buckets->best.bytes < end) && !(buckets->best.bytes > end);
	struct plan_bucket best;

	if (!(fabs(limit - end) > 0))
		return;
	if (plan_timer_time(timer, outside).guess) {
		buckets->beyond_unknown |= at_end;
		return;
	}
	best = search(buckets, timer, fmin(end, limit), fmax(end, limit));
	if (best.time * (1 + flat_loss) < fmin(buckets->best.time, isnan(buckets->beyond.time) ? INFINITY : buckets->beyond.time))
		buckets->beyond = best;
}

static void find_flat(struct plan_buckets *buckets, const struct plan_timer *timer, double element_bytes)
{
	buckets->flat_least = buckets->flat_most = NAN;
	buckets->beyond = buckets->advised = no_bucket();
	if (!isfinite(buckets->best.time))
		return;
	buckets->flat_least = flat_end(buckets, timer, buckets->least);
	buckets->flat_most = flat_end(buckets, timer, buckets->most);
	buckets->advised = bucket_of(buckets, timer, buckets->flat_most);
	if (!buckets->measured)
		return;
	look_beyond(buckets, timer, buckets->least, fmin(element_bytes, buckets->least));
	look_beyond(buckets, timer, buckets->most, buckets->gradients);
}

struct replay {
	const struct plan_timer *timer;
	struct plan_marks marks;
};

static double replayed_time(void *context, double bytes)
{
	struct replay *replay = context;
	const struct curve_time one = plan_timer_time(replay->timer, bytes);

	plan_marks_add(&replay->marks, &one);
	return one.seconds;
}

static void replay_tensors(const struct plan_job *job, const struct plan_timer *timer, struct plan_buckets *buckets)
{
	struct replay replay = { timer, { 0 } };
	uint64_t *elements = NULL;
	size_t count = 0;
	char ignored[200];

	buckets->tensor_time = NAN;
	if (job->shape.layers == 0 || train_gradients(&job->shape, &elements, &count, ignored, sizeof ignored))
		return;
	buckets->tensor_time = train_buckets_replay_calls(buckets->backward, replayed_time, &replay, elements, count,
							  job->element_bytes, usual_bytes, &buckets->tensor_calls);
	buckets->tensor_marks = replay.marks;
	free(elements);
}

int plan_buckets_fill(struct plan *plan)
{
	const struct plan_job *job = &plan->job;
	struct plan_buckets *buckets = &plan->buckets;
	const struct plan_members all = { PLAN_EVERYBODY, job->np, 1 };
	const struct plan_timer *timer;

	if (!(job->params > 0))
		plan_missing_add(buckets->missing, sizeof buckets->missing, "--params");
	if (!(job->tokens > 0))
		plan_missing_add(buckets->missing, sizeof buckets->missing, "--tokens");
	if (!(job->flops > 0))
		plan_missing_add(buckets->missing, sizeof buckets->missing, "--flops");
	if (buckets->missing[0] || job->np == 1)
		return 0;
	timer = plan_network_timer(plan->network, COLL_ALL_REDUCE, &all);
	if (!timer)
		return -1;
	if (!timer->known)
		return 0;
	buckets->known = true;
	buckets->backward = job->compute * 2 / 3;
	buckets->gradients = job->params * job->element_bytes;
	buckets->measured = !timer->two_level && timer->curve.npoints > 0;
	buckets->least = fmax(job->element_bytes, buckets->measured ? curve_least(&timer->curve) : 0);
	buckets->most = fmin(buckets->gradients, buckets->measured ? curve_most(&timer->curve) : INFINITY);
	buckets->usual = bucket_of(buckets, timer, usual_bytes);
	buckets->asked = bucket_of(buckets, timer, job->bucket);
	find_best(buckets, timer, job);
	find_flat(buckets, timer, job->element_bytes);
	replay_tensors(job, timer, buckets);
	return 0;
}
