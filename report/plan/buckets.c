/* SPDX-License-Identifier: Apache-2.0
 *
 * The best size of DDP's buckets. Of a line a + b x the formula tells it; of measured times, which no line describes everywhere, it is looked for.
 */
#include <math.h>
#include <stdlib.h>

#include "plan.h"

enum { TRIALS = 400 };

static const double usual_bytes = 25.0 * 1024 * 1024;
static const double flat_loss = 0.01;

static double end_of(const struct plan_buckets *buckets, const struct plan_timer *timer, double number)
{
	const struct train_buckets of = { buckets->backward, buckets->gradients,
					  plan_timer_time(timer, buckets->gradients / number).seconds, 0 };

	return train_buckets_time(&of, number);
}

static struct plan_bucket bucket_of(const struct plan_buckets *buckets, const struct plan_timer *timer, double bytes)
{
	const double number = fmax(1, buckets->gradients / bytes);

	return (struct plan_bucket){ buckets->gradients / number, number, end_of(buckets, timer, number) };
}

static void try_bucket(struct plan_buckets *buckets, const struct plan_timer *timer, double bytes)
{
	const struct plan_bucket bucket = bucket_of(buckets, timer, bytes);

	if (!(buckets->best.time <= bucket.time))
		buckets->best = bucket;
}

static void find_best(struct plan_buckets *buckets, const struct plan_timer *timer, double element_bytes)
{
	struct train_buckets line = { buckets->backward, buckets->gradients, 0, 0 };
	const bool has_line = plan_timer_line(timer, &line.a, &line.b);

	buckets->best = (struct plan_bucket){ NAN, NAN, NAN };
	buckets->no_latency = has_line && !(line.a > 0);
	if (buckets->no_latency)
		return;
	if (has_line)
		try_bucket(buckets, timer,
			   buckets->gradients / fmin(train_buckets_best(&line), buckets->gradients / element_bytes));
	if (!timer->two_level && timer->curve.npoints > 0) {
		const double least = fmin(curve_least(&timer->curve), buckets->gradients);

		for (int i = 0; i <= TRIALS; i++)
			try_bucket(buckets, timer, least * pow(buckets->gradients / least, (double)i / TRIALS));
	}
}

/* How far from the best size others are as good, step by step. */
static double flat_end(const struct plan_buckets *buckets, const struct plan_timer *timer, double bytes, double limit)
{
	const double step = pow(limit / bytes, 1.0 / TRIALS);
	double reached = bytes;

	for (int i = 1; i <= TRIALS; i++) {
		const double next = i == TRIALS ? limit : bytes * pow(step, i);

		if (!(bucket_of(buckets, timer, next).time <= buckets->best.time * (1 + flat_loss)))
			break;
		reached = next;
	}
	return reached;
}

static void find_flat(struct plan_buckets *buckets, const struct plan_timer *timer, double element_bytes)
{
	buckets->flat_least = buckets->flat_most = NAN;
	if (!isfinite(buckets->best.time))
		return;
	buckets->flat_least = flat_end(buckets, timer, buckets->best.bytes, fmin(element_bytes, buckets->best.bytes));
	buckets->flat_most = flat_end(buckets, timer, buckets->best.bytes, buckets->gradients);
}

static void replay_tensors(const struct plan_job *job, const struct plan_timer *timer, struct plan_buckets *buckets)
{
	struct train_buckets line = { buckets->backward, buckets->gradients, 0, 0 };
	uint64_t *elements = NULL;
	size_t count = 0;
	char ignored[200];

	buckets->tensor_time = NAN;
	if (job->shape.layers == 0 || !plan_timer_line(timer, &line.a, &line.b) ||
	    train_gradients(&job->shape, &elements, &count, ignored, sizeof ignored))
		return;
	buckets->tensor_time = train_buckets_replay(&line, elements, count, job->element_bytes, usual_bytes,
						    &buckets->tensor_calls);
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
	buckets->usual = bucket_of(buckets, timer, usual_bytes);
	buckets->asked = bucket_of(buckets, timer, job->bucket);
	find_best(buckets, timer, job->element_bytes);
	find_flat(buckets, timer, job->element_bytes);
	replay_tensors(job, timer, buckets);
	return 0;
}
