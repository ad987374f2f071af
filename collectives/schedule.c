/* SPDX-License-Identifier: Apache-2.0
 *
 * The algorithms as sequences of phases.
 */
#include "schedule_build.h"

#include "cost.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Into what the message is cut. */
enum cut { WHOLE, BLOCKS, OTHERS_BLOCKS, SEGMENTS, HALF_SEGMENTS, POWER, PAIRS, MESSAGES, SIGNAL };

enum { MOST_STEPS = 4 };

enum { COMBINE = SCHEDULE_COMBINE, BACK = SCHEDULE_BACK, REDUCE = SCHEDULE_BACK | SCHEDULE_COMBINE };

struct step {
	schedule_phase *phase;
	unsigned how; /* enum schedule_how */
};

struct algorithm {
	enum coll_id coll;
	const char *name;
	enum cut cut;
	struct step steps[MOST_STEPS]; /* ends with a NULL phase, or is full */
	cost_time *segments;           /* NULL: no pipeline */
};

static const struct algorithm algorithms[] = {
	{ COLL_BROADCAST, "linear", WHOLE, { { schedule_whole_linear, 0 } }, NULL },
	{ COLL_BROADCAST, "ring", WHOLE, { { schedule_whole_ring, 0 } }, NULL },
	{ COLL_BROADCAST, "ring_pipe", SEGMENTS, { { schedule_segments_ring, 0 } }, cost_segments_ring_pipe },
	{ COLL_BROADCAST, "binomial", WHOLE, { { schedule_whole_binomial, 0 } }, NULL },
	{ COLL_BROADCAST, "bintree_pipe", SEGMENTS, { { schedule_segments_bintree, 0 } }, cost_segments_bintree_pipe },
	{ COLL_BROADCAST, "two_tree", HALF_SEGMENTS, { { schedule_segments_two_tree, 0 } }, cost_segments_two_tree },
	{ COLL_BROADCAST, "round_optimal", SEGMENTS, { { schedule_segments_round_optimal, 0 } }, cost_segments_round_optimal },
	{ COLL_BROADCAST, "scatter_allgather", BLOCKS, { { schedule_blocks_binomial, 0 }, { schedule_gather_ring, 0 } }, NULL },
	{ COLL_SCATTER, "linear", BLOCKS, { { schedule_blocks_linear, 0 } }, NULL },
	{ COLL_SCATTER, "ring", BLOCKS, { { schedule_blocks_ring, 0 } }, NULL },
	{ COLL_SCATTER, "binomial", BLOCKS, { { schedule_blocks_binomial, 0 } }, NULL },
	{ COLL_GATHER, "linear", BLOCKS, { { schedule_blocks_linear, BACK } }, NULL },
	{ COLL_GATHER, "ring", BLOCKS, { { schedule_blocks_ring, BACK } }, NULL },
	{ COLL_GATHER, "binomial", BLOCKS, { { schedule_blocks_binomial, BACK } }, NULL },
	{ COLL_REDUCE, "linear", WHOLE, { { schedule_whole_linear, REDUCE } }, NULL },
	{ COLL_REDUCE, "ring", WHOLE, { { schedule_whole_ring, REDUCE } }, NULL },
	{ COLL_REDUCE, "ring_pipe", SEGMENTS, { { schedule_segments_ring, REDUCE } }, cost_segments_reduce_ring_pipe },
	{ COLL_REDUCE, "binomial", WHOLE, { { schedule_whole_binomial, REDUCE } }, NULL },
	{ COLL_REDUCE, "bintree_pipe", SEGMENTS, { { schedule_segments_bintree, REDUCE } }, cost_segments_reduce_bintree_pipe },
	{ COLL_REDUCE, "two_tree", HALF_SEGMENTS, { { schedule_segments_two_tree, REDUCE } }, cost_segments_reduce_two_tree },
	{ COLL_REDUCE,
	  "round_optimal",
	  SEGMENTS,
	  { { schedule_segments_round_optimal, REDUCE } },
	  cost_segments_reduce_round_optimal },
	{ COLL_REDUCE, "rs_gather", BLOCKS, { { schedule_reduce_ring, COMBINE }, { schedule_blocks_binomial, BACK } }, NULL },
	{ COLL_ALL_GATHER, "ring", BLOCKS, { { schedule_gather_ring, 0 } }, NULL },
	{ COLL_ALL_GATHER, "bruck", BLOCKS, { { schedule_gather_bruck, 0 } }, NULL },
	{ COLL_ALL_GATHER, "recdbl", BLOCKS, { { schedule_halving, BACK } }, NULL },
	{ COLL_ALL_GATHER, "tree", BLOCKS, { { schedule_blocks_binomial, BACK }, { schedule_whole_binomial, 0 } }, NULL },
	{ COLL_ALL_GATHER, "naive", BLOCKS, { { schedule_blocks_linear, BACK }, { schedule_whole_linear, 0 } }, NULL },
	{ COLL_REDUCE_SCATTER, "ring", BLOCKS, { { schedule_reduce_ring, COMBINE } }, NULL },
	{ COLL_REDUCE_SCATTER,
	  "rechalving",
	  BLOCKS,
	  { { schedule_fold, COMBINE }, { schedule_halving, COMBINE }, { schedule_unfold_blocks, 0 } },
	  NULL },
	{ COLL_REDUCE_SCATTER, "circulant", BLOCKS, { { schedule_gather_circulant, REDUCE } }, NULL },
	{ COLL_REDUCE_SCATTER, "tree", BLOCKS, { { schedule_whole_binomial, REDUCE }, { schedule_blocks_binomial, 0 } }, NULL },
	{ COLL_REDUCE_SCATTER, "naive", BLOCKS, { { schedule_whole_linear, REDUCE }, { schedule_blocks_linear, 0 } }, NULL },
	{ COLL_ALL_REDUCE, "ring", BLOCKS, { { schedule_reduce_ring_next, COMBINE }, { schedule_gather_ring_next, 0 } }, NULL },
	{ COLL_ALL_REDUCE, "binomial", WHOLE, { { schedule_whole_binomial, REDUCE }, { schedule_whole_binomial, 0 } }, NULL },
	{ COLL_ALL_REDUCE,
	  "two_tree",
	  HALF_SEGMENTS,
	  { { schedule_segments_two_tree, REDUCE }, { schedule_segments_two_tree, 0 } },
	  cost_segments_all_reduce_two_tree },
	{ COLL_ALL_REDUCE,
	  "recdbl",
	  WHOLE,
	  { { schedule_fold, COMBINE }, { schedule_doubling, COMBINE }, { schedule_fold, BACK } },
	  NULL },
	{ COLL_ALL_REDUCE,
	  "rabenseifner",
	  POWER,
	  { { schedule_fold, COMBINE }, { schedule_halving, COMBINE }, { schedule_halving, BACK }, { schedule_fold, BACK } },
	  NULL },
	{ COLL_ALL_REDUCE,
	  "circulant",
	  BLOCKS,
	  { { schedule_gather_circulant, REDUCE }, { schedule_gather_circulant, 0 } },
	  NULL },
	{ COLL_ALL_REDUCE, "naive", WHOLE, { { schedule_whole_linear, REDUCE }, { schedule_whole_linear, 0 } }, NULL },
	{ COLL_ALLTOALL, "pairwise", PAIRS, { { schedule_pairs_exchange, 0 } }, NULL },
	{ COLL_ALLTOALL, "linear", PAIRS, { { schedule_pairs_linear, 0 } }, NULL },
	{ COLL_ALLTOALL, "bruck", PAIRS, { { schedule_pairs_bruck, 0 } }, NULL },
	{ COLL_SENDRECV, "p2p", MESSAGES, { { schedule_shift, 0 } }, NULL },
	{ COLL_ALLTOALLV, "pairwise", PAIRS, { { schedule_pairs_exchange, 0 } }, NULL },
	{ COLL_ALLTOALLV, "linear", PAIRS, { { schedule_pairs_linear, 0 } }, NULL },
	{ COLL_BARRIER, "dissemination", SIGNAL, { { schedule_disseminate, COMBINE } }, NULL },
	{ COLL_HYPERCUBE, "recdbl", OTHERS_BLOCKS, { { schedule_halving, BACK } }, NULL },
};

enum { ALGORITHMS = sizeof(algorithms) / sizeof(algorithms[0]) };

const char *schedule_algorithm(const struct collective *coll, size_t i)
{
	for (int a = 0; a < ALGORITHMS; a++) {
		if (algorithms[a].coll == coll->id && i-- == 0)
			return algorithms[a].name;
	}
	return NULL;
}

static const struct algorithm *find(const struct collective *coll, const char *name)
{
	for (int a = 0; a < ALGORITHMS; a++) {
		if (algorithms[a].coll == coll->id && strcmp(algorithms[a].name, name) == 0)
			return &algorithms[a];
	}
	return NULL;
}

static long long items_of(enum cut cut, int nranks, int segments)
{
	switch (cut) {
	case SEGMENTS:
		return segments;
	case HALF_SEGMENTS:
		return 2LL * segments;
	case POWER:
		return 1 << coll_log2_floor(nranks);
	case PAIRS:
		return (long long)nranks * nranks;
	case BLOCKS:
	case OTHERS_BLOCKS:
	case MESSAGES:
		return nranks;
	case WHOLE:
	case SIGNAL:
		break;
	}
	return 1;
}

static double share_of(enum cut cut, int nranks, int nitems)
{
	switch (cut) {
	case MESSAGES:
		return 1;
	case SIGNAL:
		return 0;
	case PAIRS:
		return 1.0 / nranks;
	case OTHERS_BLOCKS:
		return 1.0 / (nranks - 1);
	default:
		return 1.0 / nitems;
	}
}

/* What goes in or out of the busiest rank. */
static long long busiest(const int *sizes, int nranks)
{
	long long most = 0;

	for (int rank = 0; rank < nranks; rank++) {
		long long out = 0, in = 0;

		for (int peer = 0; peer < nranks; peer++) {
			out += sizes[rank * nranks + peer];
			in += sizes[peer * nranks + rank];
		}
		most = out > most ? out : most;
		most = in > most ? in : most;
	}
	return most;
}

int schedule_segment_items(const struct collective *coll, const char *algo)
{
	const struct algorithm *algorithm = find(coll, algo);

	if (!algorithm || !algorithm->segments)
		return 0;
	return (int)items_of(algorithm->cut, 2, 1);
}

static int by_round(const void *left, const void *right)
{
	const struct schedule_move *a = left, *b = right;

	if (a->round != b->round)
		return a->round - b->round;
	if (a->from != b->from)
		return a->from - b->from;
	return a->to != b->to ? a->to - b->to : a->item - b->item;
}

static bool one_message(const struct schedule_move *a, const struct schedule_move *b)
{
	return a->round == b->round && a->from == b->from && a->to == b->to;
}

/* By rounds, senders and receivers; rounds in which nobody sends are closed up. Returns how many rounds there are. */
static int order_moves(struct schedule_build *build)
{
	int rounds = 0, last = -1;

	if (build->nmoves > 0)
		qsort(build->moves, build->nmoves, sizeof(*build->moves), by_round);
	for (size_t i = 0; i < build->nmoves; i++) {
		rounds += build->moves[i].round != last;
		last = build->moves[i].round;
		build->moves[i].round = rounds - 1;
	}
	return rounds;
}

/* The parts lie in one piece of memory: values, messages, items, sizes. */
static int take_moves(struct schedule_build *build, struct schedule *schedule)
{
	size_t values = (size_t)build->nranks * (size_t)build->nitems, nmessages = 0;
	size_t nsizes = build->sizes ? (size_t)build->nitems : 0;
	int *items;

	schedule->nrounds = order_moves(build);
	for (size_t i = 0; i < build->nmoves; i++)
		nmessages += i == 0 || !one_message(&build->moves[i - 1], &build->moves[i]);
	schedule->memory = calloc(1, 2 * values * sizeof(uint64_t) + nmessages * sizeof(struct schedule_message) +
					     (build->nmoves + nsizes) * sizeof(int));
	if (build->failed || !schedule->memory)
		return -1;
	schedule->start = schedule->memory;
	schedule->wanted = schedule->start + values;
	schedule->messages = (struct schedule_message *)(schedule->wanted + values);
	items = (int *)(schedule->messages + nmessages);
	if (build->sizes)
		schedule->sizes = memcpy(items + build->nmoves, build->sizes, nsizes * sizeof(int));
	for (size_t i = 0; i < build->nmoves; i++) {
		const struct schedule_move *move = &build->moves[i];

		items[i] = move->item;
		if (i == 0 || !one_message(&build->moves[i - 1], move)) {
			schedule->messages[schedule->nmessages++] = (struct schedule_message){ .round = move->round,
											       .from = move->from,
											       .to = move->to,
											       .combine = move->combine,
											       .items = &items[i] };
		}
		schedule->messages[schedule->nmessages - 1].nitems++;
	}
	return 0;
}

static int refuse(char *error, size_t size, const struct collective *coll, const char *algo, const char *why)
{
	snprintf(error, size, "%s has no schedule of '%s'%s%s", coll->name, algo, *why && !strchr(" :", *why) ? ": " : "", why);
	return -1;
}

bool schedule_suits(const struct collective *coll, const char *algo, int nranks)
{
	const struct coll_model *model = collective_model(coll, algo);

	if (!find(coll, algo) || nranks < 1 || nranks > SCHEDULE_MOST_RANKS)
		return false;
	return (!coll->cannot || !coll->cannot(nranks)) && (!model || !model->holds || model->holds(nranks));
}

/* Says for which it is: "1, 2, 4, 8", "1-64". */
static int refuse_ranks(char *error, size_t size, const struct collective *coll, const char *algo, int nranks)
{
	const char *why = nranks >= 1 && coll->cannot ? coll->cannot(nranks) : NULL;
	char numbers[3 * SCHEDULE_MOST_RANKS + 20] = "";
	int used = 0, to;

	for (int from = 1; from <= SCHEDULE_MOST_RANKS; from = to > from ? to : from + 1) {
		for (to = from; schedule_suits(coll, algo, to); to++)
			;
		to -= to - from == 2;
		if (to > from)
			used += snprintf(numbers + used, sizeof(numbers) - (size_t)used, to - from > 2 ? "%s%d-%d" : "%s%d",
					 used > 0 ? ", " : "", from, to - 1);
	}
	snprintf(error, size, "%s has no schedule of '%s' for %d rank%s, only for %s%s%s", coll->name, algo, nranks,
		 nranks == 1 ? "" : "s", numbers, why ? ": " : "", why ? why : "");
	return -1;
}

/* Why there is none, or NULL. */
static const char *objection(const struct algorithm *algorithm, const struct schedule_build *build)
{
	const int nranks = build->nranks;

	if (build->root < 0 || build->root >= nranks)
		return " with this root";
	if (build->segments < 1 || items_of(algorithm->cut, nranks, build->segments) > SCHEDULE_MOST_ITEMS)
		return " in so many segments";
	if (build->sizes && (algorithm->coll != COLL_ALLTOALLV || busiest(build->sizes, nranks) == 0))
		return " of such blocks";
	return NULL;
}

static int make(const struct collective *coll, const char *algo, struct schedule_build *build, struct schedule *schedule,
		char *error, size_t size)
{
	const struct algorithm *algorithm = find(coll, algo);
	const char *why = "";
	struct schedule made = { .coll = coll, .nranks = build->nranks, .root = build->root };
	int status;

	if (algorithm && !schedule_suits(coll, algo, build->nranks))
		return refuse_ranks(error, size, coll, algo, build->nranks);
	if (algorithm)
		why = objection(algorithm, build);
	if (why)
		return refuse(error, size, coll, algo, why);
	build->nitems = (int)items_of(algorithm->cut, build->nranks, build->segments);
	for (int i = 0; i < MOST_STEPS && algorithm->steps[i].phase && build->nranks > 1; i++)
		schedule_run(build, algorithm->steps[i].phase, algorithm->steps[i].how);
	made.algo = algorithm->name;
	made.nitems = build->nitems;
	made.share = build->sizes ? 1.0 / (double)busiest(build->sizes, build->nranks)
				  : share_of(algorithm->cut, build->nranks, build->nitems);
	status = take_moves(build, &made);
	free(build->moves);
	if (status) {
		schedule_clear(&made);
		return refuse(error, size, coll, algo, ": out of memory");
	}
	schedule_set_ends(&made);
	*schedule = made;
	return 0;
}

int schedule_make(const struct collective *coll, const char *algo, int nranks, int root, int segments, struct schedule *schedule,
		  char *error, size_t size)
{
	struct schedule_build build = { .nranks = nranks, .root = coll->flags & COLL_HAS_ROOT ? root : 0, .segments = segments };

	return make(coll, algo, &build, schedule, error, size);
}

int schedule_make_uneven(const struct collective *coll, const char *algo, int nranks, const int *sizes, struct schedule *schedule,
			 char *error, size_t size)
{
	struct schedule_build build = { .nranks = nranks, .segments = 1, .sizes = sizes };

	return make(coll, algo, &build, schedule, error, size);
}

void schedule_clear(struct schedule *schedule)
{
	free(schedule->memory);
	*schedule = (struct schedule){ .memory = NULL };
}

int schedule_segments(const struct collective *coll, const char *algo, int nranks, double bytes, const struct coll_link *link)
{
	const struct algorithm *algorithm = find(coll, algo);
	double segments = algorithm && algorithm->segments ? algorithm->segments(nranks, bytes, link) : 1;

	return segments < INT_MAX ? (int)segments : INT_MAX;
}
