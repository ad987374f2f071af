/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of training steps on the console: a line a strategy and bucket size, as soon as it is measured; then the fastest step as a '#' line.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "output.h"
#include "text.h"
#include "writer.h"

struct console {
	struct output output;
	const struct run_info *info;
	struct tally tally;
	double best; /* seconds; NAN: no row yet */
	int64_t best_cap;
	char best_strategy[16];
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
	console->best = NAN;
	tally_clear(&console->tally);
	context_begin(console->output.file, info);
	fprintf(console->output.file, "#%9s%12s%7s%9s%12s%9s%12s%12s%12s%9s%10s%8s%s\n", "strategy", "cap", "calls", "tensors",
		"step", "+-", "compute", "comm", "exposed", "overlap", "progress", "#wrong",
		info->timestamps ? "                timestamp" : "");
	fprintf(console->output.file, "#%9s%12s%7s%9s%12s%9s%12s%12s%12s%9s%10s%8s%s\n", "", "(B)", "", "", "(ms)", "(%)", "(ms)",
		"(ms)", "(ms)", "(%)", "", "", info->timestamps ? "                    (UTC)" : "");
	if (output_flush(&console->output) != 0) {
		output_close(&console->output);
		free(console);
		return -1;
	}
	*state = console;
	return 0;
}

static void remember(struct console *console, const struct result *result)
{
	if (!isfinite(result->time) || console->best <= result->time)
		return;
	console->best = result->time;
	console->best_cap = result->bucket_cap;
	text_escape(result->strategy, console->best_strategy, sizeof(console->best_strategy));
}

/* No "-0.0". */
static double unsigned_zero(double value, double half_digit)
{
	return fabs(value) < half_digit ? 0 : value;
}

static int row(void *state, const struct result *result)
{
	struct console *console = state;
	FILE *file = console->output.file;
	char strategy[32], progress[32], cap[24] = "-", spread[16] = "-", overlap[16] = "N/A", wrong[24] = "N/A", timestamp[40];

	remember(console, result);
	tally_check(&console->tally, result);
	if (result->bucket_cap != RESULT_NONE)
		snprintf(cap, sizeof(cap), "%" PRId64, result->bucket_cap);
	if (isfinite(result->time_ci_low) && result->time > 0)
		snprintf(spread, sizeof(spread), "%.1f", (result->time_ci_high - result->time_ci_low) / 2 / result->time * 100);
	if (result->wrong != RESULT_NONE)
		snprintf(wrong, sizeof(wrong), "%" PRId64, result->wrong);
	if (isfinite(result->overlap))
		snprintf(overlap, sizeof(overlap), "%.1f", unsigned_zero(result->overlap * 100, 0.05));
	fprintf(file, "%10s%12s%7" PRId64 "%9" PRId64 "%12.3f%9s%12.3f%12.3f%12.3f%9s%10s%8s",
		text_escape(result->strategy, strategy, sizeof(strategy)), cap, result->calls, result->tensors,
		result->time * 1e3, spread, result->compute * 1e3, result->comm * 1e3,
		unsigned_zero(result->exposed * 1e3, 0.0005), overlap, text_escape(result->progress, progress, sizeof(progress)),
		wrong);
	if (console->info->timestamps)
		fprintf(file, " %24s", text_escape(result->timestamp, timestamp, sizeof(timestamp)));
	fputc('\n', file);
	return output_flush(&console->output);
}

static int end(void *state, const struct run_summary *summary)
{
	struct console *console = state;
	FILE *file = console->output.file;
	int rc;

	if (isfinite(console->best) && console->best_cap != RESULT_NONE)
		fprintf(file, "# Fastest step         : %.3f ms, %s, buckets of up to %" PRId64 " B\n", console->best * 1e3,
			console->best_strategy, console->best_cap);
	else if (isfinite(console->best))
		fprintf(file, "# Fastest step         : %.3f ms, %s\n", console->best * 1e3, console->best_strategy);
	context_end(file, console->info, &console->tally, summary);
	rc = output_close(&console->output);
	free(console);
	return rc;
}

const struct writer_ops writer_buckets = {
	.name = "buckets",
	.summary = "a line a strategy and bucket size",
	.begin = begin,
	.row = row,
	.end = end,
};
