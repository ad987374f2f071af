/* SPDX-License-Identifier: Apache-2.0
 *
 * What the watch prints: one line each, by one write, so that lines of several processes do not mix.
 * Host names and the point's text may hold anything; what could move a terminal's cursor is replaced.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "watch_parts.h"

enum {
	LISTED = 8, /* ranks named in a line before "and N more" */
	TOLD = 64   /* ranks of a process of which an answer tells */
};

struct line {
	char text[2048];
	size_t length;
};

static const char *const phase_names[WATCH_PHASE_COUNT] = {
	[WATCH_LAUNCH] = "launch", [WATCH_PREPARE] = "preparation", [WATCH_CHECK] = "data check", [WATCH_WARMUP] = "warm-up",
	[WATCH_TIMING] = "timing", [WATCH_OUTPUT] = "output",       [WATCH_FINISH] = "finish",
};

__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format, ...)
{
	const size_t room = sizeof line->text - 1 - line->length;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(line->text + line->length, room, format, args);
	va_end(args);
	if (length > 0)
		line->length += (size_t)length < room ? (size_t)length : room - 1;
}

static void print(struct line *line)
{
	for (size_t i = 0; i < line->length; i++) {
		const unsigned char c = (unsigned char)line->text[i];

		if (c < ' ' || c == 0x7f)
			line->text[i] = '?';
	}
	line->text[line->length++] = '\n';
	if (write(STDERR_FILENO, line->text, line->length) < 0)
		return; /* nowhere left to say so */
}

/* A stopped rank may hold the lock for ever; its text is then left out. */
static bool lock_point(struct watch_shared *shared)
{
	struct timespec until;
	int error;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 1;
	error = pthread_mutex_timedlock(&shared->point_lock, &until);
	if (error == EOWNERDEAD)
		error = pthread_mutex_consistent(&shared->point_lock);
	return !error;
}

static void add_place(struct line *line, const struct watch *watch)
{
	struct watch_shared *shared = watch->shared;
	const int phase = atomic_load(&shared->phase);

	add(line, " in %s", phase >= 0 && phase < WATCH_PHASE_COUNT ? phase_names[phase] : "an unknown phase");
	if (!lock_point(shared))
		return;
	if (shared->point[0])
		add(line, " of %.*s", (int)sizeof shared->point, shared->point);
	pthread_mutex_unlock(&shared->point_lock);
}

static void begin_timeout(struct line *line, struct watch *watch)
{
	line->length = 0;
	add(line, "%s: no progress for %g s", watch->program, watch->timeout);
	add_place(line, watch);
}

static int local_ranks(const struct watch *watch)
{
	return atomic_load(&watch->shared->nlocal);
}

/* "rank 5", or of several in a process "ranks 40-47". */
static void add_process(struct line *line, const struct watch *watch, int process)
{
	const int nlocal = local_ranks(watch), first = process * nlocal;

	if (nlocal == 1)
		add(line, "rank %d", first);
	else
		add(line, "ranks %d-%d", first, first + nlocal - 1);
}

typedef bool rank_test(const struct watch *watch, int rank);

static bool is_chosen(const struct watch *watch, int rank)
{
	return watch->peers[rank / local_ranks(watch)].chosen;
}

static bool is_unfinished(const struct watch *watch, int rank)
{
	const struct watch_peer *peer = &watch->peers[rank / local_ranks(watch)];
	const int local = rank % local_ranks(watch);

	return peer->answered && local < TOLD && peer->unfinished >> local & 1;
}

/* These ranks, runs of three and more as "4-7". Returns how many they are. */
static int add_ranks(struct line *line, const struct watch *watch, rank_test *wanted)
{
	const int end = watch->shared->size * local_ranks(watch);
	int total = 0, items = 0, named = 0;

	for (int rank = 0; rank < end; rank++)
		total += wanted(watch, rank);
	add(line, total == 1 ? "rank" : "ranks");
	for (int rank = 0; rank < end && items < LISTED; rank++) {
		int last = rank;

		if (!wanted(watch, rank))
			continue;
		while (last + 1 < end && wanted(watch, last + 1))
			last++;
		if (last < rank + 2)
			last = rank;
		named += last - rank + 1;
		add(line, !items++ ? " %d" : named == total ? " and %d" : ", %d", rank);
		if (last > rank)
			add(line, "-%d", last);
		rank = last;
	}
	if (named < total)
		add(line, " and %d more", total - named);
	return total;
}

static int choose_silent(struct watch *watch)
{
	int count = 0;

	for (int rank = 0; rank < watch->shared->size; rank++) {
		struct watch_peer *peer = &watch->peers[rank];

		peer->chosen = peer->known && !peer->answered;
		count += peer->chosen;
	}
	return count;
}

/* Those with the lowest call count; the others' counts are from *low to *high. Returns how many are behind, 0 when nobody is. */
static int choose_behind(struct watch *watch, uint64_t *lowest, uint64_t *low, uint64_t *high)
{
	int behind = 0, others = 0;

	*lowest = *low = UINT64_MAX;
	*high = 0;
	for (int rank = 0; rank < watch->shared->size; rank++)
		if (watch->peers[rank].answered && watch->peers[rank].calls < *lowest)
			*lowest = watch->peers[rank].calls;
	for (int rank = 0; rank < watch->shared->size; rank++) {
		struct watch_peer *peer = &watch->peers[rank];

		peer->chosen = peer->answered && peer->calls == *lowest;
		behind += peer->chosen;
		if (!peer->answered || peer->chosen)
			continue;
		others++;
		*low = peer->calls < *low ? peer->calls : *low;
		*high = peer->calls > *high ? peer->calls : *high;
	}
	return others ? behind : 0;
}

static int count_bits(uint64_t bits)
{
	int count = 0;

	for (; bits; bits &= bits - 1)
		count++;
	return count;
}

enum unfinished { NONE_UNFINISHED, SOME_UNFINISHED, ALL_UNFINISHED };

/* Which ranks have not finished their call, as far as the answers tell. */
static enum unfinished who_is_unfinished(const struct watch *watch)
{
	const int told = local_ranks(watch) < TOLD ? local_ranks(watch) : TOLD;
	int unfinished = 0, all = 0;

	for (int process = 0; process < watch->shared->size; process++) {
		const struct watch_peer *peer = &watch->peers[process];

		if (!peer->answered || !peer->tells_unfinished)
			continue;
		unfinished += count_bits(peer->unfinished);
		all += told;
	}
	return unfinished == 0 ? NONE_UNFINISHED : unfinished < all ? SOME_UNFINISHED : ALL_UNFINISHED;
}

/* Nobody lags: those still in the call, or nobody in particular. */
static void add_unfinished(struct line *line, const struct watch *watch, uint64_t call)
{
	const enum unfinished who = who_is_unfinished(watch);

	if (who != SOME_UNFINISHED) {
		add(line, ": no rank %s (call %" PRIu64 ")", who == ALL_UNFINISHED ? "had finished" : "is behind the others",
		    call);
		return;
	}
	add(line, ": ");
	add_ranks(line, watch, is_unfinished);
	add(line, local_ranks(watch) > TOLD ? " and perhaps others" : "");
	add(line, " had not finished (call %" PRIu64 ")", call);
}

static void add_behind(struct line *line, struct watch *watch)
{
	uint64_t lowest, low, high;

	if (!choose_behind(watch, &lowest, &low, &high)) {
		add_unfinished(line, watch, lowest);
		return;
	}
	add(line, ": ");
	add(line, add_ranks(line, watch, is_chosen) == 1 ? " is missing" : " are missing");
	add(line, " (reached call %" PRIu64 ", the others %" PRIu64, lowest, low);
	if (high > low)
		add(line, " to %" PRIu64, high);
	add(line, ")");
}

static void add_unknown(struct line *line, struct watch *watch)
{
	int count = 0;

	for (int rank = 0; rank < watch->shared->size; rank++) {
		watch->peers[rank].chosen = !watch->peers[rank].known;
		count += watch->peers[rank].chosen;
	}
	if (!count)
		return;
	add(line, "; nothing is known of ");
	add_ranks(line, watch, is_chosen);
	add(line, " (no connection)");
}

void watch_text_lone_timeout(struct watch *watch)
{
	const uint64_t call = atomic_load(&watch->shared->calls);
	struct line line;

	begin_timeout(&line, watch);
	if (watch_loop_state(watch) == WATCH_ALONE) {
		add(&line, ": process %ld on host %s had no connection to the others yet", (long)getpid(), watch->host);
	} else if (local_ranks(watch) == 1) {
		add(&line, ": this is the only rank (call %" PRIu64 ")", call);
	} else {
		watch->peers[0].answered = true;
		watch->peers[0].tells_unfinished = watch_hooks_unfinished(watch, &watch->peers[0].unfinished);
		add_unfinished(&line, watch, call);
	}
	print(&line);
}

void watch_text_no_order(struct watch *watch)
{
	struct line line;

	begin_timeout(&line, watch);
	add(&line, ": ");
	add_process(&line, watch, watch->shared->rank);
	add(&line, " reached call %lu; which ranks are missing is not known (", atomic_load(&watch->shared->calls));
	add(&line, watch->peers[0].fd >= 0 ? "no answer from rank 0's host)" : "no connection to rank 0's host)");
	print(&line);
}

void watch_text_timeout(struct watch *watch)
{
	struct line line;

	begin_timeout(&line, watch);
	if (choose_silent(watch)) {
		add(&line, ": ");
		add(&line, add_ranks(&line, watch, is_chosen) == 1 ? " is missing (no answer)" : " are missing (no answer)");
	} else {
		add_behind(&line, watch);
	}
	add_unknown(&line, watch);
	print(&line);
}

static void add_lost(struct line *line, const struct watch *watch)
{
	int named = 0, more = 0;

	for (size_t i = 0; i < watch->peer_count; i++) {
		const struct watch_peer *peer = &watch->peers[i];

		if (!peer->lost)
			continue;
		if (named == LISTED) {
			more++;
			continue;
		}
		add(line, named++ ? ", " : " ");
		add_process(line, watch, (int)i);
		add(line, " on host %s", peer->host);
	}
	if (more)
		add(line, " and %d more", more);
}

void watch_text_loss(struct watch *watch)
{
	struct line line = { .length = 0 };

	add(&line, "%s:", watch->program);
	add_lost(&line, watch);
	add(&line, " died");
	add_place(&line, watch);
	print(&line);
}

void watch_text_interrupted(struct watch *watch, int process, bool second_signal)
{
	struct line line = { .length = 0 };

	add(&line, "%s: interrupted", watch->program);
	add_place(&line, watch);
	add(&line, ": ");
	if (process >= 0)
		add_process(&line, watch, process);
	else
		add(&line, "process %ld on host %s", (long)getpid(), watch->host);
	add(&line, second_signal ? " got a second signal" : " did not finish within 5 s of the signal");
	print(&line);
}
