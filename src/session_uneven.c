/* SPDX-License-Identifier: Apache-2.0
 *
 * What uneven blocks cost: beside each uneven point the even exchange of as many bytes is measured, and both are told after the table.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "../collectives/layout.h"
#include "launch.h"
#include "session_parts.h"
#include "uneven.h"

bool session_matrix_fits(const struct session *session)
{
	const struct session_parts *parts = session->parts;
	const struct groups *groups = &session->groups;

	if (!parts->options->matrix)
		return true;
	const int nranks = parts->options->uneven->nranks;
	const bool too_few = groups->least < nranks;

	if (!too_few && groups->most == nranks)
		return true;
	if (parts->launch->rank == 0)
		fprintf(stderr, "%s: --matrix: %d rows and columns are for as many ranks, not for %d%s\n", parts->program, nranks,
			too_few ? groups->least : groups->most, groups->count > 1 ? " of a group" : "");
	return false;
}

/* On rank 0; of the first group, as for others it is the same. */
static void tell(struct session *session, const struct point *point, const struct point *even, double time, double even_time)
{
	const int nranks = session->groups.size[0];
	const struct point own = point_in_group(point, nranks), same = point_in_group(even, nranks);

	char ratio[64] = "ranks take turns, so no ratio";

	if (!(time > 0 && even_time > 0))
		return;
	if (!session->oversubscribed)
		snprintf(ratio, sizeof ratio, "uneven takes %.2f times as long", time / even_time);
	notes_add(&session->after, "%s, %zu bytes: imbalance %.3g, %.2f us; as much spread evenly, %zu bytes a rank: %.2f us; %s",
		  point->variant, own.bytes, coll_layout_imbalance(&own.layout, nranks), time * 1e6, same.bytes, even_time * 1e6,
		  ratio);
}

/* It makes no row, so what is wrong in it is said here. */
static void count_wrong(struct session *session, const struct point *even, const struct measurement *measured)
{
	int64_t wrong = 0;

	for (int group = 0; group < session->groups.count; group++)
		wrong += measured->groups[group].wrong > 0 ? measured->groups[group].wrong : 0;
	if (wrong == 0)
		return;
	session->wrong += wrong;
	notes_add(&session->after, "wrong data: even %s, %zu bytes: %" PRId64 " elements", even->coll->name, even->bytes, wrong);
	progress_wipe(&session->progress);
	fprintf(stderr, "%s: %s\n", session->parts->program, session->after.lines[session->after.count - 1]);
}

int session_evened(struct session *session, const struct point *point, double time)
{
	struct measurement measured;
	struct point even = *point;
	bool failed;

	even.evened = true;
	point_resize(&even, session->groups.most);
	if (even.shape.count == 0)
		return 0;
	const struct pattern *const *patterns = session_patterns(session, &even, &failed);

	if (failed || measure_point(session->measure, &even, patterns, &measured))
		return -1;
	if (session->parts->launch->rank > 0 || measured.stop)
		return measured.stop ? 1 : 0;
	tell(session, point, &even, time, measured.groups[0].stats.median);
	count_wrong(session, &even, &measured);
	return 0;
}
