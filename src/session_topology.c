/* SPDX-License-Identifier: Apache-2.0
 *
 * The machines that a session runs on. A simulated one has none.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch.h"
#include "session_parts.h"
#include "topology.h"

enum { LONGEST_BUS = 20 };

/* Who reads a document of the run wants it, and who has to tell a GPU's links apart. */
static bool is_wanted(const struct session *session)
{
	const struct options *options = session->parts->options;

	return !session->backend.fake_clock && !session->parts->launch->simulated &&
	       (options->json || options->facts || session->backend.ops->describe);
}

/* Backends tell a rank's GPU as "[0000:0f:00] its name". */
static void find_bus(const char *detail, char *bus, size_t size)
{
	const size_t length = detail[0] == '[' ? strcspn(detail + 1, "]") : 0;

	bus[0] = '\0';
	if (length > 0 && length < LONGEST_BUS)
		snprintf(bus, size, "%.*s%s", (int)length, detail + 1, memchr(detail + 1, '.', length) ? "" : ".0");
}

int session_topology(struct session *session)
{
	struct backend *backend = &session->backend;
	struct topology_rank *ranks;
	int rc, failed;

	if (!is_wanted(session))
		return 0;
	ranks = calloc((size_t)backend->nlocal, sizeof *ranks);
	failed = !ranks;
	/* Without memory here nobody looks; what is really short says so elsewhere. */
	if (session->parts->launch->ops->agree(session->parts->launch, failed, &failed) || failed || !ranks) {
		free(ranks);
		return failed ? 0 : -1;
	}
	for (int i = 0; i < backend->nlocal; i++) {
		char detail[128] = "";
		int device = 0;

		ranks[i].rank = backend->first_rank + i;
		if (backend->ops->describe && backend->ops->describe(backend, i, &device, detail, sizeof detail) == 0)
			find_bus(detail, ranks[i].bus, sizeof ranks[i].bus);
	}
	rc = topology_gather(session->parts->launch, ranks, backend->nlocal, &session->topo);
	free(ranks);
	return rc;
}
