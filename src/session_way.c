/* SPDX-License-Identifier: Apache-2.0
 *
 * Which way the bytes go, from the library's log: once after the warm-up, and the algorithm of each point where every call was asked for.
 */
#include <stdio.h>

#include "launch.h"
#include "session_parts.h"

int session_way(struct session *session)
{
	const struct session_parts *parts = session->parts;
	struct way_taken *taken = &session->taken;

	if (way_taken_read(parts->launch, &session->backend, parts->options, parts->launch->rank == 0 ? &session->topo : NULL,
			   taken))
		return -1;
	if (taken->path[0])
		session->backend.path = taken->path;
	if (taken->note[0])
		notes_add(&session->after, "%s", taken->note);
	if (taken->note[0] && parts->launch->rank == 0)
		fprintf(stderr, "%s: warning: %s\n", parts->program, taken->note);
	return 0;
}

void session_way_point(struct session *session, const struct point *point)
{
	if (session->taken.traced)
		way_taken_algorithm(session->backend.ops->name, point->coll->name, point->bytes, session->algo,
				    sizeof session->algo);
}
