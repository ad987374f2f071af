/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of many files in blocks that never move, and what a reader should be told about them.
 */
#include "rows.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../collectives/collective.h"
#include "index.h"
#include "text.h"

enum { BLOCK_ROWS = 4096, MAX_INCOMPLETE_NOTES = 20 };

/* Of a rate that is written beside its size and time: more than the digits of either leave open. */
static const double rates_apart = 0.005;

/* Rows of the current file whose rates were put right. */
struct corrections {
	size_t count, line; /* line of the first, and what was wrong there */
	const char *rate;
	double written, computed; /* bytes per second */
	struct result first;
};

struct file {
	const char *name;
	size_t first; /* row */
};

struct rows {
	struct pool *pool;
	struct result **blocks;
	size_t nblocks;
	bool *repeat; /* of each row of the blocks */
	size_t nrepeats;
	size_t count;
	struct file *files;
	size_t nfiles;
	char **notes;
	size_t nnotes;
	struct index index; /* rows by their key */
	size_t repeats;     /* of the current file */
	size_t first_repeat_line;
	struct corrections corrections;
};

struct rows *rows_new(void)
{
	struct rows *rows = calloc(1, sizeof(*rows));

	if (!rows)
		return NULL;
	rows->pool = pool_new();
	if (!rows->pool) {
		rows_free(rows);
		return NULL;
	}
	return rows;
}

void rows_free(struct rows *rows)
{
	if (!rows)
		return;
	for (size_t i = 0; i < rows->nblocks; i++)
		free(rows->blocks[i]);
	for (size_t i = 0; i < rows->nnotes; i++)
		free(rows->notes[i]);
	free(rows->blocks);
	free(rows->repeat);
	free(rows->files);
	free(rows->notes);
	index_clear(&rows->index);
	pool_free(rows->pool);
	free(rows);
}

struct pool *rows_pool(struct rows *rows)
{
	return rows->pool;
}

size_t rows_count(const struct rows *rows)
{
	return rows->count;
}

const struct result *rows_get(const struct rows *rows, size_t i)
{
	return &rows->blocks[i / BLOCK_ROWS][i % BLOCK_ROWS];
}

bool rows_is_repeat(const struct rows *rows, size_t i)
{
	return rows->repeat[i];
}

size_t rows_distinct(const struct rows *rows)
{
	return rows->count - rows->nrepeats;
}

const char *rows_source(const struct rows *rows, size_t i)
{
	size_t low = 0;
	size_t high = rows->nfiles;

	/* The last file that starts at or before row i. */
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (rows->files[middle].first <= i)
			low = middle;
		else
			high = middle;
	}
	return rows->files[low].name;
}

size_t rows_note_count(const struct rows *rows)
{
	return rows->nnotes;
}

const char *rows_note(const struct rows *rows, size_t i)
{
	return rows->notes[i];
}

int rows_add_note(struct rows *rows, const char *format, ...)
{
	char name[256];
	char what[512];
	char **notes = realloc(rows->notes, (rows->nnotes + 1) * sizeof(*notes));
	char *note = NULL;
	va_list args;

	if (!notes)
		return -1;
	rows->notes = notes;
	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	text_escape(rows->files[rows->nfiles - 1].name, name, sizeof(name));
	if (asprintf(&note, "%s: %s", name, what) < 0)
		return -1;
	notes[rows->nnotes++] = note;
	return 0;
}

int rows_begin_file(struct rows *rows, const char *name)
{
	struct file *files = realloc(rows->files, (rows->nfiles + 1) * sizeof(*files));
	const char *kept = pool_text(rows->pool, name);

	if (files)
		rows->files = files;
	if (!files || !kept)
		return -1;
	files[rows->nfiles++] = (struct file){ kept, rows->count };
	rows->repeats = 0;
	rows->corrections = (struct corrections){ 0 };
	return 0;
}

/* What steps took and were asked for: simulated launches have one name, and cycles of a launch are launches to a report. */
static const size_t step_reals[] = { offsetof(struct result, time), offsetof(struct result, compute_asked),
				     offsetof(struct result, compute), offsetof(struct result, comm) };
enum { STEP_REALS = sizeof step_reals / sizeof *step_reals };

static uint64_t real_bits(const struct result *row, size_t i)
{
	uint64_t bits;

	memcpy(&bits, (const char *)row + step_reals[i], sizeof bits);
	return bits;
}

/* What must differ between any two rows. Texts are of one pool: their addresses stand for them. */
static uint64_t key_hash(const struct result *row)
{
	const char *texts[] = { row->run,     row->collective, row->type, row->redop,   row->placement, row->group,
				row->backend, row->path,       row->algo, row->library, row->load,      row->variant };
	uint64_t hash = index_mix(index_mix((uint64_t)row->bytes, (uint64_t)row->root), (uint64_t)row->nranks);

	hash = index_mix(index_mix(hash, (uint64_t)row->from), (uint64_t)row->to);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		hash = index_mix(hash, (uint64_t)(uintptr_t)texts[i]);
	if (*row->strategy) {
		hash = index_mix(index_mix(hash, (uint64_t)(uintptr_t)row->strategy), (uint64_t)row->bucket_cap);
		hash = index_mix(index_mix(hash, (uint64_t)row->tensors), (uint64_t)row->prefetch);
		hash = index_mix(hash, (uint64_t)(uintptr_t)row->progress);
		for (size_t i = 0; i < STEP_REALS; i++)
			hash = index_mix(hash, real_bits(row, i));
	}
	return hash;
}

/* True of rows that are of no step, too. */
static bool same_step(const struct result *a, const struct result *b)
{
	bool same = a->strategy == b->strategy && a->bucket_cap == b->bucket_cap && a->tensors == b->tensors &&
		    a->prefetch == b->prefetch && a->progress == b->progress;

	for (size_t i = 0; *a->strategy && same && i < STEP_REALS; i++)
		same = real_bits(a, i) == real_bits(b, i);
	return same;
}

/* Row `number` against the newest one, which is not in the index yet. */
static bool same_key(const void *context, size_t number)
{
	const struct rows *rows = context;
	const struct result *a = rows_get(rows, rows->count);
	const struct result *b = rows_get(rows, number);

	return a->run == b->run && a->collective == b->collective && a->type == b->type && a->redop == b->redop &&
	       a->placement == b->placement && a->group == b->group && a->backend == b->backend && a->path == b->path &&
	       a->algo == b->algo && a->library == b->library && a->bytes == b->bytes && a->root == b->root &&
	       a->nranks == b->nranks && a->nnodes == b->nnodes && a->from == b->from && a->to == b->to && a->load == b->load &&
	       a->variant == b->variant && same_step(a, b);
}

static int grow_blocks(struct rows *rows)
{
	struct result **blocks = realloc(rows->blocks, (rows->nblocks + 1) * sizeof(*blocks));
	bool *repeat;

	if (!blocks)
		return -1;
	rows->blocks = blocks;
	repeat = realloc(rows->repeat, (rows->nblocks + 1) * BLOCK_ROWS * sizeof(*repeat));
	if (!repeat)
		return -1;
	rows->repeat = repeat;
	blocks[rows->nblocks] = malloc(BLOCK_ROWS * sizeof(**blocks));
	if (!blocks[rows->nblocks])
		return -1;
	rows->nblocks++;
	return 0;
}

/* Runs without a name may be different ones: only the same time tells that a row is the same. */
static bool is_again(const struct result *first, const struct result *row)
{
	return *row->run || first->time == row->time;
}

/* Whether it was wrong; absent ones stay absent. */
static bool correct_rate(double *rate, double computed, struct corrections *corrections, const char *name)
{
	double written = *rate;

	if (isnan(written) || !isfinite(computed) || fabs(written - computed) <= rates_apart * computed)
		return false;
	*rate = computed;
	if (corrections->count == 0 && !corrections->rate) {
		corrections->rate = name;
		corrections->written = written;
		corrections->computed = computed;
	}
	return true;
}

/* Imported rows were judged by the digits of their log. A busbw of 0 stays: it tells of jobs of one rank each that are no call of many. */
static void correct_rates(struct result *row, size_t line, struct corrections *corrections)
{
	const struct collective *coll = collective_find(row->collective);
	double algbw = (double)row->bytes / row->time;
	bool wrong;

	if (!coll || row->bytes <= 0 || !(row->time > 0) || !isfinite(algbw) || row->nranks < 1 || row->nranks > INT_MAX ||
	    result_has_flag(row, RESULT_FLAG_IMPORTED) || result_has_flag(row, RESULT_FLAG_RATES))
		return;
	wrong = correct_rate(&row->algbw, algbw, corrections, "algbw");
	/* Of a matrix no more follows than that a port carries no more than S. */
	if (row->nranks >= 2 && row->busbw != 0 && !(result_is_matrix(row) && row->busbw <= algbw * (1 + rates_apart)))
		wrong |= correct_rate(&row->busbw, algbw * coll->bus_factor((int)row->nranks), corrections, "busbw");
	if (wrong && corrections->count++ == 0) {
		corrections->line = line;
		corrections->first = *row;
	}
}

static int note_corrections(struct rows *rows)
{
	const struct corrections *found = &rows->corrections;

	if (found->count == 0)
		return 0;
	return rows_add_note(
		rows,
		"%zu rows have an algbw or busbw that is over %.3g %% off what follows from their size and time (first on "
		"line %zu: %s of %lld bytes, %lld ranks, %s %.4g GB/s instead of %.4g): what follows is shown",
		found->count, rates_apart * 100, found->line, found->first.collective, (long long)found->first.bytes,
		(long long)found->first.nranks, found->rate, found->written / 1e9, found->computed / 1e9);
}

int rows_add(struct rows *rows, const struct result *result, size_t line)
{
	uint64_t hash = key_hash(result);
	struct result *row;
	size_t first;

	if (rows->count == rows->nblocks * BLOCK_ROWS && grow_blocks(rows) != 0)
		return -1;
	row = &rows->blocks[rows->count / BLOCK_ROWS][rows->count % BLOCK_ROWS];
	*row = *result;
	correct_rates(row, line, &rows->corrections);
	first = index_find(&rows->index, hash, same_key, rows);
	if (first == INDEX_NONE && index_add(&rows->index, hash, rows->count) != 0)
		return -1;
	rows->repeat[rows->count] = first != INDEX_NONE && is_again(rows_get(rows, first), result);
	rows->nrepeats += rows->repeat[rows->count++];
	if (first != INDEX_NONE && rows->repeats++ == 0)
		rows->first_repeat_line = line;
	return 0;
}

static int by_sweep(const void *one, const void *other)
{
	const struct result *a = *(const struct result *const *)one;
	const struct result *b = *(const struct result *const *)other;

	if (a->run != b->run)
		return strcmp(a->run, b->run);
	return a->collective == b->collective ? 0 : strcmp(a->collective, b->collective);
}

/* `first` .. `end` of the sorted rows are one sweep; 1 when it lacks rows and was noted. */
static int note_sweep(struct rows *rows, const struct result *const *first, const struct result *const *end, bool silent)
{
	char collective[64];
	char run[128];
	int64_t points = 0;

	for (const struct result *const *row = first; row < end; row++)
		if ((*row)->points > points)
			points = (*row)->points;
	if (points <= end - first)
		return 0;
	if (silent)
		return 1;
	if (rows_add_note(rows, "incomplete: %zu of %lld rows of %s, run '%s'", (size_t)(end - first), (long long)points,
			  text_escape((*first)->collective, collective, sizeof(collective)),
			  text_escape((*first)->run, run, sizeof(run))) != 0)
		return -1;
	return 1;
}

static int note_incomplete(struct rows *rows, const struct result **sorted, size_t n)
{
	size_t incomplete = 0;

	for (size_t first = 0, end; first < n; first = end) {
		int rc;

		for (end = first + 1; end < n && by_sweep(&sorted[first], &sorted[end]) == 0;)
			end++;
		rc = note_sweep(rows, sorted + first, sorted + end, incomplete >= MAX_INCOMPLETE_NOTES);
		if (rc < 0)
			return -1;
		incomplete += (size_t)rc;
	}
	if (incomplete > MAX_INCOMPLETE_NOTES)
		return rows_add_note(rows, "%zu more sweeps are incomplete", incomplete - MAX_INCOMPLETE_NOTES);
	return 0;
}

int rows_end_file(struct rows *rows)
{
	size_t first = rows->files[rows->nfiles - 1].first;
	size_t n = rows->count - first;
	const struct result **sorted = malloc((n + 1) * sizeof(*sorted));
	int rc;

	if (!sorted)
		return -1;
	for (size_t i = 0; i < n; i++)
		sorted[i] = rows_get(rows, first + i);
	qsort(sorted, n, sizeof(*sorted), by_sweep);
	rc = note_incomplete(rows, sorted, n);
	free(sorted);
	if (rc == 0 && rows->repeats > 0)
		rc = rows_add_note(rows,
				   "%zu rows repeat an earlier one (first on line %zu): same run, collective, type, redop, root, "
				   "placement, bytes and group",
				   rows->repeats, rows->first_repeat_line);
	if (rc == 0)
		rc = note_corrections(rows);
	return rc;
}
