/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of rccl-tests to rows: times in microseconds, rates in GB/s, sizes as nccl-tests counts them. Neither roots nor counts are told.
 */
#include "rccl.h"

#include <limits.h>
#include <string.h>

static const struct {
	const char *name;
	enum rccl_column column;
} names[] = {
	{ "collective", RCCL_COLLECTIVE },
	{ "name", RCCL_COLLECTIVE },
	{ "nodes", RCCL_NODES },
	{ "ranks", RCCL_RANKS },
	{ "gpusPerRank", RCCL_GPUS_PER_RANK },
	{ "gpus", RCCL_GPUS },
	{ "size", RCCL_SIZE },
	{ "type", RCCL_TYPE },
	{ "redop", RCCL_REDOP },
	{ "inplace", RCCL_IN_PLACE },
	{ "time", RCCL_TIME },
	{ "algbw", RCCL_ALGBW },
	{ "busbw", RCCL_BUSBW },
	{ "#wrong", RCCL_WRONG },
	{ "wrong", RCCL_WRONG },
};

int rccl_column_find(struct word name)
{
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (word_is_like(name, names[i].name))
			return (int)names[i].column;
	}
	return -1;
}

/* Ranks of NCCL, one a GPU. */
static int64_t ranks_of(const struct rccl_record *record, const struct import_options *options)
{
	int64_t ranks, each = 1;

	if (word_whole(record->cell[RCCL_GPUS], &ranks))
		return ranks;
	if (!word_whole(record->cell[RCCL_RANKS], &ranks))
		return options->nranks;
	if (record->cell[RCCL_GPUS_PER_RANK].length > 0 && !word_whole(record->cell[RCCL_GPUS_PER_RANK], &each))
		return options->nranks;
	return words_multiply(ranks, each, &ranks) ? ranks : 0;
}

/* NULL: neither. */
static const char *placement_of(struct word word)
{
	if (word_is(word, "0") || word_is_like(word, "false"))
		return RESULT_OUT_OF_PLACE;
	return word_is(word, "1") || word_is_like(word, "true") ? RESULT_IN_PLACE : NULL;
}

/* Absent where there is no finite number. */
static double real_of(const struct rccl_record *record, enum rccl_column column, double scale, double *half)
{
	double value;

	*half = 0;
	if (!word_real(record->cell[column], &value, half)) {
		*half = 0;
		return NAN;
	}
	/* Numbers that lost their text: six places at best, six digits at worst. */
	if (!record->printed)
		*half = fmax(0.5e-6, 5e-6 * value);
	*half *= scale;
	return value * scale;
}

static int64_t wrong_of(struct word word)
{
	double value, half;
	int64_t wrong;

	if (word_whole(word, &wrong))
		return wrong;
	return word_real(word, &value, &half) && value < 0x1p53 ? (int64_t)value : RESULT_NONE;
}

/* No such column, or the run did not look. */
static bool is_unchecked(struct word word)
{
	return word.length == 0 || word_is_like(word, "N/A");
}

/* A text with a NUL, or "" where it is too long to be a name. */
static const char *text_of(struct word word, char *buffer, size_t size)
{
	const size_t length = word.length < size ? word.length : 0;

	memcpy(buffer, word.text, length);
	buffer[length] = '\0';
	return buffer;
}

int rccl_take(const struct rccl_record *record, const struct import_options *options, struct import_sink *sink, size_t line)
{
	const struct collective *coll = word_collective(record->cell[RCCL_COLLECTIVE]);
	const char *placement = placement_of(record->cell[RCCL_IN_PLACE]);
	char type[32], redop[32], shown[WORDS_SHOWN];
	struct import_digits digits;
	struct result row;
	int64_t nodes;

	result_clear(&row);
	row.nranks = ranks_of(record, options);
	if (!coll)
		return import_skip(sink, line, "'%s' is no primitive that is known here",
				   word_show(record->cell[RCCL_COLLECTIVE], shown));
	if (!placement)
		return import_skip(sink, line, "neither in place nor out of place: '%s'",
				   word_show(record->cell[RCCL_IN_PLACE], shown));
	if (row.nranks < 1 || row.nranks > INT_MAX)
		return import_skip(sink, line, "how many ranks ran is not in the record: --nranks is needed");
	if (!word_whole(record->cell[RCCL_SIZE], &row.bytes))
		return import_skip(sink, line, "'%s' is no size", word_show(record->cell[RCCL_SIZE], shown));
	row.collective = coll->name;
	row.backend = "nccl";
	row.library = "RCCL";
	row.nnodes = word_whole(record->cell[RCCL_NODES], &nodes) && nodes > 0 && nodes <= INT_MAX ? nodes : options->nnodes;
	row.nnodes = row.nnodes > 0 ? row.nnodes : 1;
	row.type = text_of(record->cell[RCCL_TYPE], type, sizeof type);
	row.redop = text_of(record->cell[RCCL_REDOP], redop, sizeof redop);
	if (!(coll->flags & COLL_HAS_REDOP) || strcmp(row.redop, "none") == 0)
		row.redop = "";
	row.placement = placement;
	row.time = real_of(record, RCCL_TIME, 1e-6, &digits.time);
	row.algbw = real_of(record, RCCL_ALGBW, 1e9, &digits.algbw);
	row.busbw = real_of(record, RCCL_BUSBW, 1e9, &digits.busbw);
	row.wrong = wrong_of(record->cell[RCCL_WRONG]);
	row.flags = is_unchecked(record->cell[RCCL_WRONG]) ? RESULT_FLAG_UNCHECKED : "";
	if (isnan(row.time))
		return import_skip(sink, line, "'%s' is no time", word_show(record->cell[RCCL_TIME], shown));
	return import_row(sink, &row, &digits, line);
}
