/* SPDX-License-Identifier: Apache-2.0
 *
 * --pairs: the sweep for each pair of ranks, in the order of a tournament, so that what changes with time changes for all ranks alike; with --pairs=all
 * the pairs of a round are measured alone and then together, so that both are of the same minute.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch.h"
#include "memory.h"
#include "session_parts.h"

int session_pairs_open(struct session *session)
{
	struct launch *launch = session->parts->launch;
	const int nranks = session->backend.nranks;

	session->peer = calloc((size_t)nranks, sizeof *session->peer);
	session->nodes = calloc((size_t)nranks, sizeof *session->nodes);
	if (!session->peer || !session->nodes || pairs_open(&session->groups, nranks)) {
		fprintf(stderr, "%s: out of memory for the pairs of %d ranks\n", session->parts->program, nranks);
		return -1;
	}
	session->backend.groups = &session->groups;
	session->group_capacity = session->groups.count;
	launch->quiet = !launch->simulated && launch->size > 2;
	/* What every rank can do at once. */
	if (nranks > 1) {
		pairs_round(nranks, 0, session->peer);
		pairs_group(&session->groups, session->peer);
	}
	return 0;
}

void session_pairs_close(struct session *session)
{
	session->parts->launch->quiet = session->parts->launch->asleep = false;
	groups_close(&session->groups);
	free(session->peer);
	free(session->nodes);
}

uint64_t session_pairs_rows(const struct session *session)
{
	return pairs_count(session->backend.nranks) * (session->parts->options->pairs == PAIRS_ALL ? 2 : 1);
}

void session_pairs_note(struct session *session)
{
	const int nranks = session->backend.nranks;
	const int together = pairs_of_round(nranks);

	if (nranks == 2)
		notes_add(&session->before, "the two ranks exchange both ways at once");
	else
		notes_add(&session->before,
			  "each of the %llu pairs of %d ranks exchanges alone, both ways at once; the other ranks sleep",
			  (unsigned long long)pairs_count(nranks), nranks);
	if (session->parts->options->pairs == PAIRS_ALL && together < 2)
		notes_add(&session->before, "then once more: no other ranks are left to exchange meanwhile");
	else if (session->parts->options->pairs == PAIRS_ALL)
		notes_add(&session->before, "then %d at a time, in %d rounds%s", together, pairs_rounds(nranks),
			  nranks % 2 ? " from each of which one rank is left out" : "");
}

/* The two of a pair need a core each. With the others asleep that is enough to sample by; as these wake now and then, rows are flagged all the same. */
static bool shares_cores(const struct session *session)
{
	return session->oversubscribed && !(!session->load_all && memory_cores() >= 2 && session->parts->options->nthreads == 1);
}

/* The sweep for the pairs that peer[] holds. */
static int measure_pairs(struct session *session, bool all)
{
	pairs_group(&session->groups, session->peer);
	session->load_all = all;
	measure_share_cores(session->measure, shares_cores(session));
	return session_sweep(session);
}

int session_pairs(struct session *session)
{
	const int nranks = session->backend.nranks;
	int state = 0;

	for (int round = 0; round < pairs_rounds(nranks); round++) {
		for (int k = 0; k < pairs_of_round(nranks) && state == 0; k++) {
			pairs_round(nranks, round, session->peer);
			pairs_keep(nranks, k, session->peer);
			state = measure_pairs(session, false);
		}
		pairs_round(nranks, round, session->peer);
		if (state == 0 && session->parts->options->pairs == PAIRS_ALL)
			state = measure_pairs(session, true);
		if (state)
			return state;
	}
	return 0;
}

void session_pairs_name(const struct session *session, char *text, size_t size)
{
	const size_t used = strlen(text);

	if (session->load_all)
		snprintf(text + used, size - used, ", %d pairs at once", session->groups.count);
	else if (session->groups.count > 0)
		snprintf(text + used, size - used, ", ranks %d and %d alone", session->groups.first[0],
			 session->groups.peer[session->groups.first[0]]);
}

void session_pairs_fill(const struct session *session, int group, struct result *row)
{
	row->from = session->groups.first[group];
	row->to = session->groups.peer[row->from];
	row->load = session->load_all ? RESULT_TOGETHER : RESULT_ALONE;
	row->nnodes = session->nodes[row->from] == session->nodes[row->to] ? 1 : 2;
}
