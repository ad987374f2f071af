/* SPDX-License-Identifier: Apache-2.0
 *
 * The '#' lines around a table on the console. Scripts look for "Out of bounds values" as the end of the table and for
 * "Avg bus bandwidth" behind it, so our own lines come after both.
 */
#include "context.h"

#include <inttypes.h>
#include <string.h>

#include "text.h"

static void point_set(struct tally_point *point, double value, const struct result *result)
{
	point->value = value;
	point->bytes = result->bytes;
	snprintf(point->placement, sizeof(point->placement), "%s", result->placement);
}

void tally_clear(struct tally *tally)
{
	*tally = (struct tally){ .peak = { .value = NAN }, .latency = { .value = NAN } };
}

void tally_check(struct tally *tally, const struct result *result)
{
	tally->checked += result->wrong != RESULT_NONE;
}

void tally_add(struct tally *tally, const struct result *result)
{
	tally_check(tally, result);
	if (isfinite(result->busbw)) {
		tally->busbw_sum += result->busbw;
		tally->busbw_count++;
		if (isnan(tally->peak.value) || result->busbw > tally->peak.value)
			point_set(&tally->peak, result->busbw, result);
	}
	if (result->bytes > 0 && isfinite(result->time) && (isnan(tally->latency.value) || result->bytes < tally->latency.bytes))
		point_set(&tally->latency, result->time, result);
}

static void print_line(FILE *file, const char *head, const char *text)
{
	fprintf(file, "# %s", head);
	text_print(file, text);
	fputc('\n', file);
}

static void print_rank(FILE *file, const struct run_rank *rank)
{
	char host[1024];

	text_escape(rank->host, host, sizeof(host));
	fprintf(file, "#  Rank %2d Group %2d Pid %6ld on %10s device %2d", rank->rank, rank->group, rank->pid, host,
		rank->device);
	if (rank->detail[0]) {
		fputc(' ', file);
		text_print(file, rank->detail);
	}
	fputc('\n', file);
}

void context_begin(FILE *file, const struct run_info *info)
{
	fprintf(file, "# collperf version %s headers=", info->version);
	text_print(file, info->headers);
	fputs(" library=", file);
	text_print(file, info->library);
	fputc('\n', file);
	print_line(file, "Collective test starting: ", info->program);
	fprintf(file,
		"# nThread %d nGpus %d minBytes %" PRIu64 " maxBytes %" PRIu64 " step: %" PRIu64
		"(%s) warmup iters: %ld iters: %ld agg iters: %ld validation: %ld graph: %ld unalign: %ld\n",
		info->nthreads, info->ngpus, info->min_bytes, info->max_bytes, info->step,
		info->step_is_factor ? "factor" : "bytes", info->warmup, info->iters, info->agg_iters, info->check, info->graph,
		info->unalign);
	fputs("#\n# Using devices\n", file);
	for (size_t i = 0; i < info->nranks; i++)
		print_rank(file, &info->ranks[i]);
	for (size_t i = 0; i < info->nnotes; i++)
		print_line(file, "", info->notes[i]);
	fputs("#\n", file);
}

static void print_point(FILE *file, const char *head, double value, const char *unit, const struct tally_point *point)
{
	if (!isnan(value))
		fprintf(file, "# %s: %g %s at %" PRId64 " B, %s\n", head, value, unit, point->bytes, point->placement);
}

void context_end(FILE *file, const struct run_info *info, const struct tally *tally, const struct run_summary *summary)
{
	int64_t wrong = summary->wrong > 0 ? summary->wrong : 0;

	if (tally->checked > 0 || wrong > 0)
		fprintf(file, "# Out of bounds values : %" PRId64 " %s\n", wrong, wrong ? "FAILED" : "OK");
	else
		fputs("# Out of bounds values : N/A not checked\n", file);
	if (tally->busbw_count > 0)
		fprintf(file, "# Avg bus bandwidth    : %g \n", tally->busbw_sum / (double)tally->busbw_count * 1e-9);
	else
		fputs("# Avg bus bandwidth    : n/a \n", file);
	print_point(file, "Peak bus bandwidth   ", tally->peak.value * 1e-9, "GB/s", &tally->peak);
	print_point(file, "Latency              ", tally->latency.value * 1e6, "us", &tally->latency);
	for (size_t i = 0; i < summary->nnotes; i++)
		print_line(file, "", summary->notes[i]);
	if (!summary->complete)
		print_line(file, "Incomplete           : ", summary->why);
	fputs("#\n", file);
	print_line(file, "Collective test concluded: ", info->program);
}
