/* SPDX-License-Identifier: Apache-2.0 */
/* sources: src/options.c src/options_table.c src/options_values.c src/options_check.c src/options_pairs.c src/options_exchange.c src/options_uneven.c src/options_inject.c src/exchange.c src/options_environment.c src/options_help.c src/size.c src/dtype.c src/redop.c src/groups.c */
/*
 * Any bytes as a command line, one word a line: what is accepted can be swept, what is refused says so in one printable line.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/options.h"

enum { MAX_WORDS = 256, MAX_SIZES = 1000000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int split(char *text, size_t size, char **words)
{
	char *end = text + size;
	int n = 0;

	words[n++] = (char *)"fuzz_perf";
	for (char *word = text; word < end && n < MAX_WORDS - 1; word += strlen(word) + 1) {
		char *line_end = strchr(word, '\n');

		if (line_end)
			*line_end = '\0';
		words[n++] = word;
	}
	words[n] = NULL;
	return n;
}

static void check_error(const struct options_error *error)
{
	size_t length = strnlen(error->text, sizeof error->text);

	assert(length > 0 && length < sizeof error->text);
	for (size_t i = 0; i < length; i++)
		assert(error->text[i] >= ' ' && error->text[i] <= '~');
}

static void check_values(const struct options *options)
{
	assert(options->type >= OPTION_ALL && options->type < DTYPE_COUNT);
	assert(options->op >= OPTION_ALL && options->op < REDOP_COUNT);
	assert(options->root >= OPTION_ALL && options->iters >= 0 && options->warmup >= 0 && options->check >= 0);
	assert(options->cycles >= 0 && options->agg_iters >= 1 && options->unalign >= 0 &&
	       options->nlabels <= OPTIONS_MAX_LABELS);
	assert(options->ci > 0 && options->ci < 1 && isfinite(options->max_time) && options->max_time >= 0);
	assert(isfinite(options->timeout) && options->timeout >= 0 && options->combine <= COMBINE_MAX);
	assert(options->sim_ranks >= 1 && isfinite(options->sim_alpha) && isfinite(options->sim_gamma));
	assert(isfinite(1 / options->sim_bandwidth) && isfinite(options->sim_bandwidth));
	assert(options->sim_noise_launch >= 0 && options->sim_noise_launch <= 1 && options->sim_noise_sample <= 1);
	assert(options->parallel_init >> 1 == 0 && options->stream_null >> 1 == 0 && options->memory_report >> 1 == 0);
	assert(options->cta_policy >= -1 && options->cta_policy <= 2 && options->per_iter >> 1 == 0 &&
	       options->per_iter_skip >= 0);
	assert(options->connect_timeout > 0 && isfinite(options->connect_timeout) && options->split.op <= SPLIT_DIV);
	assert(options->split.value > 0 || (options->split.op != SPLIT_MOD && options->split.op != SPLIT_DIV));
	assert(options->inject.rank >= 0 && isfinite(options->inject.seconds));
}

static void check_sweep(const struct options *options)
{
	uint64_t bytes = 0, before = 0;
	long n = 0;

	assert(options->min_bytes >= 1 && options->min_bytes <= options->max_bytes);
	while (options_next_size(options, &bytes)) {
		assert(bytes > before && bytes >= options->min_bytes && bytes <= options->max_bytes);
		assert(++n <= MAX_SIZES);
		before = bytes;
	}
	assert(n >= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const backends[] = { "mpi", "nccl", "sim" };
	char *text = malloc(size + 1), *words[MAX_WORDS];
	struct options_error error;
	struct options options;

	assert(text);
	memcpy(text, data, size);
	text[size] = '\0';
	if (options_parse(split(text, size, words), words, &options, &error)) {
		check_error(&error);
		free(text);
		return 0;
	}
	check_values(&options);
	for (size_t i = 0; i < sizeof backends / sizeof *backends; i++) {
		if (options_check(&options, backends[i], &error))
			check_error(&error);
		else if (i == 0)
			check_sweep(&options);
	}
	free(text);
	return 0;
}
