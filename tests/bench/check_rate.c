/* SPDX-License-Identifier: Apache-2.0
 *
 * How fast the data checks are beside memcpy on buffers of the same size: two simulated ranks, so no MPI in the way. A line per collective,
 * type and size; 1 when a check found wrong data or reads at less than a quarter of memcpy's rate.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/backend/sim.h"
#include "src/check.h"
#include "src/groups.h"
#include "src/launch.h"
#include "src/options.h"

enum { NRANKS = 2, REPEATS = 7 };

struct rates {
	double seed, verify, copy; /* bytes per second */
	uint64_t wrong;
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The best of some repeats: rates, not their spread, are asked for. */
static void keep_best(double *rate, double bytes, double start)
{
	const double this = bytes / (now() - start);

	if (this > *rate)
		*rate = this;
}

static void copy_rate(size_t bytes, double *rate)
{
	char *from = malloc(bytes), *to = malloc(bytes);

	if (from == NULL || to == NULL)
		abort();
	memset(from, 1, bytes);
	memset(to, 2, bytes);
	for (int i = 0; i < REPEATS; i++) {
		const double start = now();

		memcpy(to, from, bytes);
		keep_best(rate, (double)bytes, start);
		from[(size_t)i] = to[bytes - 1];
	}
	free(from);
	free(to);
}

static int rates_of(struct backend *backend, const struct point *point, struct rates *rates)
{
	const struct pattern *pattern = pattern_new(point->type, point->op, (point->coll->flags & COLL_HAS_REDOP) != 0, NRANKS,
						    1);
	struct check *check = check_open(backend, point->bytes, 0);
	const struct pattern *const patterns[] = { pattern };
	const double bytes = (double)(point->shape.recv * dtypes[point->type].size * NRANKS);
	struct check_result results[NRANKS];
	struct backend_call call;
	void *scratch = malloc(point->bytes);
	int failed = pattern == NULL || check == NULL || scratch == NULL;

	for (int i = 0; i < REPEATS && !failed; i++) {
		double start = now();

		failed = check_seed(check, point, patterns);
		keep_best(&rates->seed, (double)(point->shape.send * dtypes[point->type].size * NRANKS) + bytes, start);
		check_call(check, point, &call);
		sim_move(&call, NRANKS, scratch);
		start = now();
		failed |= check_verify(check, point, patterns, results);
		keep_best(&rates->verify, bytes, start);
		rates->wrong += results[0].wrong + results[1].wrong;
	}
	free(scratch);
	if (check != NULL)
		check_close(check);
	pattern_free((struct pattern *)pattern);
	return failed ? -1 : 0;
}

static int show(struct backend *backend, const char *collective, const char *type, size_t bytes)
{
	struct point point = { .coll = collective_find(collective), .op = REDOP_SUM, .bytes = bytes, .bytes_requested = bytes };
	struct rates rates = { 0 };

	point.type = (enum dtype)dtype_find(type);
	point.shape = point.coll->shape(bytes / dtypes[point.type].size, NRANKS, point_align(point.type));
	copy_rate(bytes, &rates.copy);
	if (rates_of(backend, &point, &rates) != 0)
		return 3;
	printf("%-11s %-8s %9zu B: seeding %6.2f, checking %6.2f, memcpy %6.2f GB/s: checking at %.2f of memcpy%s\n", collective,
	       type, bytes, rates.seed / 1e9, rates.verify / 1e9, rates.copy / 1e9, rates.verify / rates.copy,
	       rates.wrong ? ", WRONG DATA" : "");
	return rates.wrong != 0 || rates.verify < rates.copy / 4;
}

int main(void)
{
	char *arguments[] = { "check_rate", "--backend", "sim", "--sim-ranks", "2", NULL };
	static const char *const collectives_shown[] = { "all_reduce", "alltoall" };
	static const char *const types_shown[] = { "int8", "half", "float" };
	struct options_error error;
	struct options options;
	const struct split whole = { .op = SPLIT_NONE };
	struct groups groups;
	struct launch launch;
	struct backend backend;
	int status = 0;

	if (options_parse(5, arguments, &options, &error) != 0 || launch_open_self(&launch, NULL) != 0 ||
	    groups_open(&groups, &whole, NRANKS) != 0 || backend_sim.open(&backend, &launch, &options, &groups) != 0)
		return 3;
	for (size_t bytes = 1 << 20; bytes <= 64 << 20; bytes *= 8)
		for (size_t c = 0; c < sizeof collectives_shown / sizeof *collectives_shown; c++)
			for (size_t t = 0; t < sizeof types_shown / sizeof *types_shown; t++)
				status |= show(&backend, collectives_shown[c], types_shown[t], bytes);
	backend_sim.close(&backend);
	groups_close(&groups);
	launch.ops->close(&launch);
	return status;
}
