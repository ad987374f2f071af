/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of training steps on the console: a line a strategy and bucket size, as soon as it is measured; then the fastest step as a '#' line.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "output.h"
#include "step_fastest.h"
#include "text.h"
#include "writer.h"

struct console {
	struct output output;
	const struct run_info *info;
	struct tally tally;
	struct step_fastest fastest;
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
	fprintf(console->output.file, "#%9s%12s%7s%9s%12s%9s%12s%12s%12s%9s%9s%10s%8s%s\n", "strategy", "cap", "calls", "tensors",
		"step", "+-", "compute", "comm", "exposed", "overlap", "+-", "progress", "#wrong",
		info->timestamps ? "                timestamp" : "");
	fprintf(console->output.file, "#%9s%12s%7s%9s%12s%9s%12s%12s%12s%9s%9s%10s%8s%s\n", "", "(B)", "", "", "(ms)", "(%)",
		"(ms)", "(ms)", "(ms)", "(%)", "(points)", "", "", info->timestamps ? "                    (UTC)" : "");
	if (output_flush(&console->output) != 0) {
		output_close(&console->output);
		free(console);
		return -1;
	}
	*state = console;
	return 0;
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
	char strategy[32], progress[32], cap[24] = "-", spread[16] = "-", overlap[16] = "N/A", error[16] = "-", wrong[24] = "N/A",
					 timestamp[40];

	if (step_fastest_add(&console->fastest, result))
		return output_error(console->info->program, console->output.path, "out of memory");
	tally_check(&console->tally, result);
	if (result->bucket_cap != RESULT_NONE)
		snprintf(cap, sizeof(cap), "%" PRId64, result->bucket_cap);
	if (isfinite(result->time_ci_low) && result->time > 0)
		snprintf(spread, sizeof(spread), "%.1f", (result->time_ci_high - result->time_ci_low) / 2 / result->time * 100);
	if (result->wrong != RESULT_NONE)
		snprintf(wrong, sizeof(wrong), "%" PRId64, result->wrong);
	if (isfinite(result->overlap))
		snprintf(overlap, sizeof(overlap), "%.1f", unsigned_zero(result->overlap * 100, 0.05));
	if (isfinite(result->overlap_error))
		snprintf(error, sizeof(error), "%.1f", result->overlap_error * 100);
	fprintf(file, "%10s%12s%7" PRId64 "%9" PRId64 "%12.3f%9s%12.3f%12.3f%12.3f%9s%9s%10s%8s",
		text_escape(result->strategy, strategy, sizeof(strategy)), cap, result->calls, result->tensors,
		result->time * 1e3, spread, result->compute * 1e3, result->comm * 1e3,
		unsigned_zero(result->exposed * 1e3, 0.0005), overlap, error,
		text_escape(result->progress, progress, sizeof(progress)), wrong);
	if (console->info->timestamps)
		fprintf(file, " %24s", text_escape(result->timestamp, timestamp, sizeof(timestamp)));
	fputc('\n', file);
	return output_flush(&console->output);
}

static void tell_fastest(FILE *file, const struct step_fastest *fastest)
{
	bool clear;
	const struct step_fast *best = step_fastest_find(fastest, &clear);
	char buckets[48] = "";

	if (!best)
		return;
	fputs("# Fastest step         : ", file);
	if (fastest->turns) {
		fputs("ranks take turns, so none is told\n", file);
		return;
	}
	if (best->cap != RESULT_NONE)
		snprintf(buckets, sizeof(buckets), ", buckets of up to %" PRId64 " B", best->cap);
	fprintf(file, "%.3f ms, %s%s%s\n", best->time * 1e3, best->strategy, buckets,
		clear ? "" : "; not clearly faster than others");
}

static int end(void *state, const struct run_summary *summary)
{
	struct console *console = state;
	FILE *file = console->output.file;
	int rc;

	tell_fastest(file, &console->fastest);
	context_end(file, console->info, &console->tally, summary);
	rc = output_close(&console->output);
	step_fastest_clear(&console->fastest);
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
