/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a table that has ended: which primitive, how many ranks, which of nccl-tests' figures are what. Where the log names no primitive its rows may
 * still fit one alone: blocks or whole buffers, operation, root and the factor between the rates are of few each.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "nccl_rule.h"
#include "nccl_text.h"
#include "rates.h"

/* The time of -C is not that of the rates: it is computed from them where they are known to this. */
static const double fine_rate = 0.01;

/* Ranks of the group that a row is of. */
struct job {
	int64_t group;
	int64_t nranks;
	int64_t nnodes;
};

int nccl_row_add(struct nccl_reader *reader, const struct nccl_row *row)
{
	struct nccl_section *section = &reader->section;
	struct nccl_row *rows;

	if (section->nrows == IMPORT_MOST_ROWS)
		return import_skip(reader->sink, row->line, "one table of more than %d lines", (int)IMPORT_MOST_ROWS);
	rows = array_grow(section->rows, section->nrows, sizeof(*rows));
	if (!rows)
		return -1;
	section->rows = rows;
	rows[section->nrows++] = *row;
	return 0;
}

static int by_address(const void *one, const void *other)
{
	uintptr_t a = (uintptr_t) * (const char *const *)one;
	uintptr_t b = (uintptr_t) * (const char *const *)other;

	return a < b ? -1 : a > b;
}

/* Ranks and hosts of a group; 0 ranks when the lines of ranks are not all there. -1 when memory is out. */
static int count_ranks(const struct nccl_section *section, int64_t group, struct job *job)
{
	const struct nccl_ranks *ranks = &section->ranks;
	int64_t each = section->nthreads > 0 && section->ngpus > 0 && section->nthreads < 4096 && section->ngpus < 4096
			       ? section->nthreads * section->ngpus
			       : 1;
	const char **hosts;
	size_t n = 0;

	*job = (struct job){ .group = group };
	if (ranks->count == 0 || (int64_t)ranks->count != ranks->max + 1 || (int64_t)ranks->count % each != 0)
		return 0;
	hosts = malloc(ranks->count * sizeof(*hosts));
	if (!hosts)
		return array_failed();
	for (size_t i = 0; i < ranks->count; i++)
		if (ranks->items[i].group == group)
			hosts[n++] = ranks->items[i].host;
	qsort(hosts, n, sizeof(*hosts), by_address);
	job->nranks = (int64_t)n;
	for (size_t i = 0; i < n; i++)
		job->nnodes += i == 0 || hosts[i] != hosts[i - 1];
	free(hosts);
	return 0;
}

/* The group that a row names, else that of rank 0, whose rows nccl-tests prints. -1: none. */
static int64_t group_of(const struct nccl_section *section, const struct nccl_row *row)
{
	const struct nccl_ranks *ranks = &section->ranks;
	int64_t group = -1;

	if (*row->group)
		return word_whole((struct word){ row->group, strlen(row->group) }, &group) ? group : -1;
	return ranks->count > 0 && ranks->items[0].generation == ranks->generation ? ranks->items[0].group : 0;
}

static int find_job(const struct nccl_reader *reader, const struct nccl_row *row, struct job *job)
{
	const struct import_options *options = reader->options;
	int64_t group = group_of(&reader->section, row);

	if (job->nranks > 0 && job->group == group)
		return 0;
	if (count_ranks(&reader->section, group, job) != 0)
		return -1;
	if (job->nranks == 0) {
		job->nranks = options->nranks;
		job->nnodes = options->nnodes ? options->nnodes : 1;
	}
	return 0;
}

/*
 * Before all programs shared one table (nccl-tests 2.10: it has a root column), all_gather's had no column for an operation, and alltoall's had one that
 * was always blank.
 */
static bool fits_old_columns(enum coll_id id, const struct nccl_row *row)
{
	if (row->has_root || (id != COLL_ALL_GATHER && id != COLL_ALLTOALL))
		return true;
	return row->has_redop == (id == COLL_ALLTOALL);
}

/* Whether columns, size, count, operation, root and rates of a row are those of this primitive. */
static bool fits(const struct collective *coll, const struct nccl_row *row, int64_t nranks)
{
	const struct nccl_claim claim = { row->size, row->count, row->type, NULL };

	if (!nccl_size_fits(coll, nranks, &claim))
		return false;
	if ((row->root >= 0) != ((coll->flags & COLL_HAS_ROOT) != 0) || !fits_old_columns(coll->id, row))
		return false;
	/* nccl-tests names an operation for sendrecv too. */
	if (coll->id != COLL_SENDRECV && row->redop_blank != ((coll->flags & COLL_HAS_REDOP) == 0))
		return false;
	for (int i = 0; i < 2; i++) {
		const struct nccl_figures *figures = &row->figures[i];
		double bus_size = (double)row->size * coll->bus_factor((int)nranks);

		if (figures->there && !row->cputime && figures->time > 0 &&
		    !rates_agree(figures->busbw, figures->digits.busbw, bus_size, figures->time, figures->digits.time))
			return false;
	}
	return true;
}

/* The primitives that all rows fit; how many, and their names. */
static size_t candidates(const struct nccl_section *section, int64_t nranks, const struct collective **last, char *list,
			 size_t size)
{
	size_t count = 0;

	*list = '\0';
	for (size_t c = 0; c < COLL_COUNT && nranks > 1 && nranks < 1 << 24; c++) {
		size_t used = 0;
		size_t i = 0;

		/* Rare ones are told by name: uneven exchanges look like even ones. */
		if (collectives[c]->flags & COLL_BY_NAME)
			continue;
		for (; i < section->nrows; i++) {
			if (section->rows[i].size == 0)
				continue;
			used++;
			if (!fits(collectives[c], &section->rows[i], nranks))
				break;
		}
		if (i < section->nrows || used == 0)
			continue;
		*last = collectives[c];
		snprintf(list + strlen(list), size - strlen(list), "%s%s", count++ ? ", " : "", collectives[c]->name);
	}
	return count;
}

/* The section's rows cannot be used. */
static int leave_out(struct nccl_reader *reader, const char *why)
{
	const struct nccl_section *section = &reader->section;

	for (size_t i = 0; i < section->nrows; i++)
		if (import_skip(reader->sink, section->rows[i].line, "%s", why) != 0)
			return -1;
	return 0;
}

/* *name stays NULL, and the rows are skipped, where it is not known. */
static int find_collective(struct nccl_reader *reader, int64_t nranks, const char **name)
{
	const struct nccl_section *section = &reader->section;
	const struct collective *only = NULL;
	char list[200];
	char why[280];

	if (*section->other) {
		snprintf(why, sizeof(why), "two programs' tables in one: %s and %s", section->collective, section->other);
		return leave_out(reader, why);
	}
	*name = *section->collective ? section->collective : reader->options->collective;
	if (*section->collective && reader->options->collective && strcmp(*name, reader->options->collective) != 0)
		return import_note(reader->sink, "the log says %s: --collective is for logs that do not say", *name);
	if (*name)
		return 0;
	if (candidates(section, nranks, &only, list, sizeof(list)) == 1) {
		*name = only->name;
		return import_note(reader->sink,
				   "the log names no collective; columns, sizes, counts and rates are those of %s alone", *name);
	}
	snprintf(why, sizeof(why), "the log does not name the collective%s%s: say it with --collective",
		 *list ? ", it may be " : "", list);
	return leave_out(reader, why);
}

/* "2025-06-07T08:09:10.123Z": other stamps are of an unknown zone. */
static bool is_utc(const char *stamp)
{
	size_t length = strlen(stamp);

	return length >= 20 && stamp[10] == 'T' && stamp[length - 1] == 'Z';
}

static const char *backend(const struct nccl_section *section)
{
	if (!section->ours || strncmp(section->library, "NCCL ", 5) == 0)
		return "nccl";
	return strncmp(section->library, "simulat", 7) == 0 ? "sim" : "mpi";
}

static struct result common(const struct nccl_reader *reader, const struct nccl_row *row, const char *collective,
			    const struct job *job)
{
	const struct nccl_section *section = &reader->section;
	const struct collective *coll = collective_find(collective);
	struct result result;
	int64_t iters = section->iters > 0 ? section->iters : RESULT_NONE;

	result_clear(&result);
	if (iters > 0 && section->agg_iters > 1 && !words_multiply(iters, section->agg_iters, &iters))
		iters = RESULT_NONE;
	result.collective = collective;
	result.backend = backend(section);
	result.library = section->library;
	result.group = row->group;
	result.nranks = job->nranks;
	result.nnodes = job->nnodes;
	result.type = row->type;
	result.redop = coll && !(coll->flags & COLL_HAS_REDOP) ? "" : row->redop;
	result.root = row->root < 0 || (coll && !(coll->flags & COLL_HAS_ROOT)) ? RESULT_NONE : row->root;
	result.bytes = row->size;
	result.count = row->count;
	result.iters = iters;
	result.timestamp = is_utc(row->timestamp) ? row->timestamp : "";
	return result;
}

/* The time that belongs to the rates of a row of -C; NAN when they are too coarse. */
static double time_by_rate(const struct nccl_figures *figures, int64_t size, double *half)
{
	double relative = figures->digits.algbw / figures->algbw;

	if (!(figures->algbw > 0) || relative > fine_rate)
		return NAN;
	*half = (double)size / figures->algbw * relative;
	return (double)size / figures->algbw;
}

static int64_t wrong_of(const struct nccl_section *section, const struct nccl_figures *figures)
{
	/* The old deviation is an error only where the footer says so. */
	if (figures->inexact && section->footers > 0 && section->failed_footers == 0)
		return 0;
	return figures->wrong;
}

static int emit(struct nccl_reader *reader, const struct nccl_row *row, const struct result *shared, int placement)
{
	const struct nccl_figures *figures = &row->figures[placement];
	struct import_digits digits = figures->digits;
	struct result result = *shared;

	result.placement = placement ? RESULT_IN_PLACE : RESULT_OUT_OF_PLACE;
	result.time = figures->time;
	result.algbw = figures->algbw;
	result.busbw = figures->busbw;
	result.time_min = figures->min;
	result.time_max = figures->max;
	result.time_p99 = figures->p99;
	result.wrong = wrong_of(&reader->section, figures);
	result.flags = figures->unchecked ? RESULT_FLAG_UNCHECKED : "";
	if (row->cputime && row->size > 0) {
		result.enqueue = figures->time;
		result.time = time_by_rate(figures, row->size, &digits.time);
		if (isnan(result.time))
			return import_skip(reader->sink, row->line, "of -C: the rates have too few digits for a time");
	}
	return import_row(reader->sink, &result, &digits, row->line);
}

/* *type is the last one that was noted as not known. */
static int note_type(struct nccl_reader *reader, const struct nccl_row *row, const char **type)
{
	if (nccl_type_size(row->type) > 0 || (*type && strcmp(*type, row->type) == 0))
		return 0;
	*type = row->type;
	return import_note(reader->sink,
			   "line %zu: the size of type '%s' is not known: sizes and counts of its rows are not compared",
			   row->line, row->type);
}

static int emit_row(struct nccl_reader *reader, const struct nccl_row *row, const struct result *shared)
{
	const struct collective *coll = collective_find(shared->collective);
	const struct nccl_claim claim = { row->size, row->count, row->type, row->has_redop ? row->redop : NULL };
	char why[120];

	if (coll && !nccl_claim_holds(coll, shared->nranks, &claim, why, sizeof(why)))
		return import_skip(reader->sink, row->line, "%s", why);
	for (int placement = 0; placement < 2; placement++)
		if (row->figures[placement].there && emit(reader, row, shared, placement) != 0)
			return -1;
	return 0;
}

static int emit_rows(struct nccl_reader *reader, const char *collective, struct job *job)
{
	const struct nccl_section *section = &reader->section;
	const char *type = NULL;

	for (size_t i = 0; i < section->nrows; i++) {
		const struct nccl_row *row = &section->rows[i];
		struct result shared;

		if (find_job(reader, row, job) != 0)
			return -1;
		if (job->nranks == 0) {
			if (import_skip(reader->sink, row->line,
					"the log does not say how many ranks there were: say it with --nranks") != 0)
				return -1;
			continue;
		}
		shared = common(reader, row, collective, job);
		if (note_type(reader, row, &type) != 0 || emit_row(reader, row, &shared) != 0)
			return -1;
	}
	return 0;
}

static int tell(struct nccl_reader *reader, const struct job *job)
{
	const struct nccl_section *section = &reader->section;
	bool cputime = false;

	for (size_t i = 0; i < section->nrows; i++)
		cputime |= section->rows[i].cputime;
	if (section->footers == 0 &&
	    import_note(reader->sink, "the table of line %zu has no footer: incomplete, rows may be missing",
			section->header_line) != 0)
		return -1;
	if (cputime &&
	    import_note(reader->sink, "-C: times are computed from the rates, the log's own are those of queueing a call") != 0)
		return -1;
	if (reader->options->nranks && job->nranks != reader->options->nranks && job->nranks > 0)
		return import_note(reader->sink, "the log says %" PRId64 " ranks: --nranks is for logs that do not say",
				   job->nranks);
	return 0;
}

int nccl_flush(struct nccl_reader *reader)
{
	struct nccl_section *section = &reader->section;
	struct job job = { 0 };
	const char *collective = NULL;

	if (section->nrows == 0)
		return 0;
	if (find_job(reader, &section->rows[0], &job) != 0 || find_collective(reader, job.nranks, &collective) != 0)
		return -1;
	if (collective && (emit_rows(reader, collective, &job) != 0 || tell(reader, &job) != 0))
		return -1;
	free(section->rows);
	section->rows = NULL;
	section->nrows = 0;
	return 0;
}

void nccl_section_clear(struct nccl_section *section)
{
	struct nccl_ranks ranks = section->ranks;

	*section = (struct nccl_section){
		.ranks = ranks, .nthreads = RESULT_NONE, .ngpus = RESULT_NONE, .iters = RESULT_NONE, .agg_iters = RESULT_NONE
	};
	nccl_ranks_restart(&section->ranks);
}

int nccl_section_begin(struct nccl_reader *reader)
{
	struct nccl_section *section = &reader->section;

	if (section->nrows == 0 && !section->concluded && section->footers == 0)
		return 0;
	if (nccl_flush(reader) != 0)
		return -1;
	nccl_section_clear(section);
	return 0;
}
