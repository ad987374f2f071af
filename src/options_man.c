/* SPDX-License-Identifier: Apache-2.0
 *
 * The man page of the perf binaries from the table of options. Every text goes through one function that escapes what troff reads.
 */
#include <stdio.h>

#include "../collectives/collective.h"
#include "options_table.h"

static const struct {
	const char *name;
	const char *meaning;
} variables[] = {
	{ "NCCL_*, MPIR_CVAR_*, MPICH_*, UCX_*, FI_*, OMP_NUM_THREADS, MALLOC_*, CUDA_VISIBLE_DEVICES",
	  "Read by the libraries underneath. Recorded with the run; no other variable of the environment is." },
	{ "NCCL_TESTS_SPLIT", "As --split, which wins." },
	{ "NCCL_TESTS_SPLIT_MASK", "A hexadecimal number: as --split with AND." },
	{ "NCCL_TESTS_DEVICE", "The first GPU that is taken on each host, with --backend nccl." },
	{ "PMI_SIZE, OMPI_COMM_WORLD_SIZE, SLURM_NTASKS",
	  "What the launcher promised. When the backend sees another number of ranks, nothing is measured." },
};

/* `text` in the middle of a line, or at its start: a dot or quote there would be a request. */
void option_man_text(FILE *out, const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", out);
	for (; *text; text++) {
		if (*text == '\\')
			fputs("\\e", out);
		else if (*text == '-')
			fputs("\\-", out);
		else
			fputc(*text, out);
	}
}

static void put_paragraph(FILE *out, const char *text)
{
	fputs(".PP\n", out);
	option_man_text(out, text);
	fputc('\n', out);
}

static void put_names(FILE *out)
{
	fputs(".SH NAME\n", out);
	for (int i = 0; i < COLL_COUNT; i++)
		fprintf(out, "%s%s_perf", i ? ", " : "", collectives[i]->name);
	fputs(" \\- measure collective communication\n", out);
}

static void put_synopsis(FILE *out)
{
	fputs(".SH SYNOPSIS\n.RI [ launcher ]\n.IB collective _perf\n.RI [ option ]...\n", out);
}

static void put_description(FILE *out)
{
	fputs(".SH DESCRIPTION\n", out);
	option_man_text(
		out,
		"Each program sweeps message sizes over one collective, checks the data on every rank, and prints the time of a "
		"call, "
		"algbw = bytes / time and busbw = algbw times the factor of the collective, in the table of nccl-tests.");
	fputc('\n', out);
	put_paragraph(out, "With --timing sync each call is timed alone, from a start common to all ranks to the end on the "
			   "slowest rank. The time "
			   "of a point is the median of these, with its 95 % confidence interval.");
	put_paragraph(out, option_units);
}

void option_man_row(FILE *out, const struct option_row *row)
{
	fputs(".TP\n", out);
	if (row->letter)
		fprintf(out, "\\fB\\-%c\\fR, ", row->letter);
	fputs("\\fB\\-\\-", out);
	option_man_text(out, row->name);
	fputs("\\fR", out);
	if (row->argument) {
		fputs(option_is_optional(row) ? "\\fI" : " \\fI", out);
		option_man_text(out, row->argument);
		fputs("\\fR", out);
	}
	fputc('\n', out);
	option_man_text(out, row->help);
	if (row->preset) {
		fputs(" [", out);
		option_man_text(out, row->preset);
		fputc(']', out);
	}
	fputc('\n', out);
}

static void put_options(FILE *out)
{
	fputs(".SH OPTIONS\nValues in brackets are defaults.\n", out);
	for (int group = 0; group < GROUP_COUNT; group++) {
		fputs(".SS ", out);
		option_man_text(out, option_groups[group].name);
		fputc('\n', out);
		for (size_t i = 0; i < option_row_count; i++)
			if ((int)option_rows[i].group == group)
				option_man_row(out, &option_rows[i]);
	}
}

static void put_tagged(FILE *out, const char *tag, const char *text)
{
	fputs(".TP\n", out);
	option_man_text(out, tag);
	fputc('\n', out);
	option_man_text(out, text);
	fputc('\n', out);
}

static void put_example(FILE *out, const struct option_example *example)
{
	put_paragraph(out, example->what);
	fputs(".PP\n.nf\n.RS\n", out);
	option_man_text(out, example->launcher);
	fputs("all_reduce_perf ", out);
	option_man_text(out, example->arguments);
	fputs("\n.RE\n.fi\n", out);
}

void options_man(FILE *out)
{
	char code[16];

	fputs(".TH COLLPERF 1 \"\" \"collperf " COLLPERF_VERSION "\" \"User Commands\"\n", out);
	put_names(out);
	put_synopsis(out);
	put_description(out);
	put_options(out);
	fputs(".SH EXIT STATUS\nThe same on every rank.\n", out);
	for (size_t i = 0; option_exit_codes[i].meaning; i++) {
		snprintf(code, sizeof code, "%d", option_exit_codes[i].code);
		put_tagged(out, code, option_exit_codes[i].meaning);
	}
	fputs(".SH ENVIRONMENT\n", out);
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
		put_tagged(out, variables[i].name, variables[i].meaning);
	fputs(".SH EXAMPLES\n", out);
	for (size_t i = 0; option_examples[i].launcher; i++)
		put_example(out, &option_examples[i]);
}
