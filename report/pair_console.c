/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of --pairs on the console: a line a pair and size as soon as it is measured; then, as '#' lines, the matrices of up to 16 ranks, medians and worst
 * pairs, and who is slow.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "output.h"
#include "pair_words.h"
#include "text.h"
#include "writer.h"

enum { MOST_MATRIX = 16 };

struct console {
	struct output output;
	const struct run_info *info;
	struct tally tally;
	struct pair_set set;
	bool incomplete; /* memory was out: the table is whole, what follows it is not */
};

static int begin(const struct run_info *info, const char *path, void **state)
{
	struct console *console = calloc(1, sizeof(*console));

	if (!console)
		return output_error(info->program, path, "out of memory");
	if (output_open(&console->output, info->program, path) != 0) {
		free(console);
		return -1;
	}
	console->info = info;
	tally_clear(&console->tally);
	context_begin(console->output.file, info);
	fprintf(console->output.file, "#%7s%8s%8s%8s%14s%10s%12s%10s%9s%s\n", "from", "to", "hosts", "load", "size", "type",
		"time", "algbw", "#wrong", info->timestamps ? "                timestamp" : "");
	fprintf(console->output.file, "#%7s%8s%8s%8s%14s%10s%12s%10s%9s%s\n", "(rank)", "(rank)", "", "", "(B)", "", "(us)",
		"(GB/s)", "", info->timestamps ? "                    (UTC)" : "");
	if (output_flush(&console->output) != 0) {
		output_close(&console->output);
		free(console);
		return -1;
	}
	*state = console;
	return 0;
}

static int row(void *state, const struct result *result)
{
	struct console *console = state;
	FILE *file = console->output.file;
	char type[32], wrong[24], timestamp[40];

	tally_add(&console->tally, result);
	if (pair_set_add(&console->set, result) != 0)
		console->incomplete = true;
	snprintf(wrong, sizeof(wrong), "%" PRId64, result->wrong);
	fprintf(file, "%8" PRId64 "%8" PRId64 "%8s%8s%14" PRId64 "%10s%12.2f%10.2f%9s", result->from, result->to,
		result->nnodes == 2 ? "other" : "same", result->load, result->bytes,
		text_escape(result->type, type, sizeof(type)), result->time * 1e6, result->algbw * 1e-9,
		result->wrong == RESULT_NONE ? "N/A" : wrong);
	if (console->info->timestamps)
		fprintf(file, " %24s", text_escape(result->timestamp, timestamp, sizeof(timestamp)));
	fputc('\n', file);
	return output_flush(&console->output);
}

static const char *host_name(const void *context, int rank)
{
	const struct run_info *info = context;

	return (size_t)rank < info->nranks ? info->ranks[rank].host : NULL;
}

static void print_line(FILE *file, const char *text)
{
	fputs("# ", file);
	text_print(file, text);
	fputc('\n', file);
}

static void print_number(FILE *file, double value)
{
	if (!isfinite(value))
		fprintf(file, "%9s", "-");
	else if (value < 1000)
		fprintf(file, "%9.2f", value);
	else
		fprintf(file, "%9.0f", value);
}

static void print_matrix(FILE *file, const struct pair_set *set, int load, enum pair_figure figure)
{
	const struct pair_matrix *matrix = &set->matrix[load][figure];
	char bytes[24];

	if (matrix->pairs == 0)
		return;
	fprintf(file, "#\n# %s of each pair %s at %s\n# rank", figure == PAIR_LATENCY ? "time (us)" : "bandwidth each way (GB/s)",
		load == PAIR_ALONE     ? "alone"
		: pair_has_others(set) ? "while others exchange"
				       : "once more",
		pair_words_size(matrix->bytes, bytes));
	for (int to = 0; to < set->nranks; to++)
		fprintf(file, "%9d", to);
	for (int from = 0; from < set->nranks; from++) {
		fprintf(file, "\n# %4d", from);
		for (int to = 0; to < set->nranks; to++)
			print_number(file, figure == PAIR_LATENCY ? pair_time(set, matrix, from, to) * 1e6
								  : pair_rate(set, matrix, from, to) * 1e-9);
	}
	fputc('\n', file);
}

static void print_summary(FILE *file, const struct pair_set *set)
{
	char text[PAIR_WORDS];

	fputs("#\n", file);
	for (int load = 0; load < PAIR_LOADS; load++)
		for (int figure = 0; figure < PAIR_FIGURES; figure++)
			if (pair_words_summary(set, load, (enum pair_figure)figure, text, sizeof(text)))
				print_line(file, text);
	for (int figure = 0; figure < PAIR_FIGURES; figure++)
		if (pair_words_disturbance(set, (enum pair_figure)figure, text, sizeof(text)))
			print_line(file, text);
}

static void print_names(const struct console *console, const struct pair_set *set)
{
	const struct pair_hosts hosts = { host_name, console->info };
	FILE *file = console->output.file;
	char text[PAIR_WORDS];

	for (size_t i = 0; i < set->nslow && i < PAIR_MOST_NAMED; i++)
		print_line(file, pair_words_slow(set, &hosts, &set->slow[i], text, sizeof(text)));
	if (set->nslow > PAIR_MOST_NAMED)
		fprintf(file, "# %zu more are slow: see the CSV\n", set->nslow - PAIR_MOST_NAMED);
	if (pair_words_limits(set))
		print_line(file, pair_words_limits(set));
	else if (set->nslow == 0)
		fputs("# no rank, host or pair is slower than its like\n", file);
}

static int print_end(struct console *console)
{
	struct pair_set *set = &console->set;

	if (set->left_out > 0)
		fprintf(console->output.file, "# ranks from %d on are in the CSV alone\n", (int)PAIR_MOST_RANKS);
	if (set->ncells == 0)
		return 0;
	if (console->incomplete || pair_set_finish(set) != 0)
		return output_error(console->info->program, console->output.path, "out of memory for the matrices of the pairs");
	for (int load = 0; load < PAIR_LOADS && set->nranks <= MOST_MATRIX; load++)
		for (int figure = 0; figure < PAIR_FIGURES; figure++)
			print_matrix(console->output.file, set, load, (enum pair_figure)figure);
	print_summary(console->output.file, set);
	print_names(console, set);
	fputs("#\n", console->output.file);
	return 0;
}

static int end(void *state, const struct run_summary *summary)
{
	struct console *console = state;
	int rc = print_end(console);

	context_end(console->output.file, console->info, &console->tally, summary);
	if (output_close(&console->output) != 0)
		rc = -1;
	pair_set_clear(&console->set);
	free(console);
	return rc;
}

const struct writer_ops writer_pairs = {
	.name = "pairs",
	.summary = "one row a pair of ranks and size, matrices, and who is slow",
	.begin = begin,
	.row = row,
	.end = end,
};
