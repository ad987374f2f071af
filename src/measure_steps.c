/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps that both timings and the course of a point share: one call, one check, the injected faults.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "launch.h"
#include "measure_parts.h"
#include "watch.h"

static bool injects(const struct measure *m, const struct point *point, enum inject_kind kind)
{
	const struct inject *inject = &m->parts.options->inject;

	return inject->kind == kind && (inject->bytes == 0 || inject->bytes == point->bytes_requested);
}

static bool is_local(const struct measure *m, int rank)
{
	return rank >= m->parts.backend->first_rank && rank < m->parts.backend->first_rank + m->nlocal;
}

void measure_inject_start(const struct measure *m, const struct point *point)
{
	if (!is_local(m, m->parts.options->inject.rank))
		return;
	while (injects(m, point, INJECT_HANG))
		pause();
	if (injects(m, point, INJECT_ABORT))
		raise(SIGKILL);
}

double measure_inject_delay(const struct measure *m, const struct point *point, int *rank)
{
	*rank = m->parts.options->inject.rank;
	return injects(m, point, INJECT_DELAY) ? m->parts.options->inject.seconds : 0;
}

int measure_call(struct measure *m)
{
	struct backend *backend = m->parts.backend;

	watch_call(m->parts.watch);
	return backend->ops->call[m->call.coll->id](backend, &m->call);
}

/* The sum over ranks of one check; the worst check of a point is what it reports. */
static int fold(struct measure *m, const struct check_result *mine, struct measurement *out)
{
	struct launch *launch = m->parts.launch;
	struct check_result *all = calloc((size_t)launch->size, sizeof *all);
	int64_t wrong = 0;

	if (!all) {
		fprintf(stderr, "measure: out of memory for %d check results\n", launch->size);
		return -1;
	}
	if (launch->ops->gather(launch, mine, sizeof *mine, all)) {
		free(all);
		return -1;
	}
	for (int i = 0; launch->rank == 0 && i < launch->size; i++) {
		wrong += (int64_t)all[i].wrong;
		if (all[i].wrong > 0 && out->wrong_rank < 0) {
			out->wrong_rank = all[i].rank;
			out->wrong_first = all[i].first;
		}
	}
	out->wrong = wrong > out->wrong ? wrong : out->wrong;
	free(all);
	return 0;
}

int measure_verify(struct measure *m, const struct point *point, const struct pattern *pattern, struct measurement *out)
{
	struct check_result result;

	watch_phase(m->parts.watch, WATCH_CHECK);
	if (injects(m, point, INJECT_CORRUPT) && check_corrupt(m->parts.check, point, m->parts.options->inject.rank))
		return -1;
	return check_verify(m->parts.check, point, pattern, &result) || fold(m, &result, out) ? -1 : 0;
}

int measure_check(struct measure *m, const struct point *point, const struct pattern *pattern, struct measurement *out)
{
	watch_phase(m->parts.watch, WATCH_CHECK);
	if (check_seed(m->parts.check, point, pattern) || measure_call(m))
		return -1;
	return measure_verify(m, point, pattern, out);
}
