/* SPDX-License-Identifier: Apache-2.0
 *
 * --help and --man of bucket_perf.
 */
#include "options_step.h"

static const char units[] = "In sizes K, M, G are powers of 1024; in numbers of parameters and elements they are thousands.";

static const struct option_example examples[] = {
	{ "mpiexec -n 2 ", "--params 10M --layers 12 --bucket-cap 256K..32M --csv bucket.csv",
	  "Ten million parameters in twelve layers, buckets of 256 KiB to 32 MiB." },
	{ "mpiexec -n 2 ", "--params 10M --layers 12 --strategy fsdp --prefetch 2 --progress none",
	  "Sharded weights, gathered two layers ahead, without a look at the network during compute." },
	{ NULL, NULL, NULL },
};

static void show_shared(FILE *out, void (*show)(FILE *out, const struct option_row *row))
{
	for (size_t i = 0; i < option_row_count; i++) {
		const struct option_row shown = option_step_shown(&option_rows[i]);

		if (option_step_shares(&option_rows[i]))
			show(out, &shown);
	}
}

void options_step_help(FILE *out, const char *program, const char *summary)
{
	fprintf(out, "Usage: %s [OPTION]...\n%s\n\n", program, summary);
	option_print_wrapped(out, units, 0);
	fprintf(out, "Values in brackets are defaults.\n\nThe step:\n");
	for (size_t i = 0; i < option_step_row_count; i++)
		option_print_row(out, &option_step_rows[i].shown);
	fprintf(out, "\nAs the other perf binaries have them:\n");
	show_shared(out, option_print_row);
	fprintf(out, "\nExit codes:\n");
	for (size_t i = 0; option_exit_codes[i].meaning; i++)
		fprintf(out, "  %2d  %s\n", option_exit_codes[i].code, option_exit_codes[i].meaning);
	fprintf(out, "\nExamples:\n");
	for (size_t i = 0; examples[i].launcher; i++)
		fprintf(out, "  %s\n    %s%s %s\n", examples[i].what, examples[i].launcher, program, examples[i].arguments);
}

void options_step_man(FILE *out)
{
	fputs(".TH BUCKET_PERF 1 \"\" \"collperf " COLLPERF_VERSION "\" \"User Commands\"\n"
	      ".SH NAME\nbucket_perf \\- measure training steps: gradients in buckets, overlapped with compute\n"
	      ".SH SYNOPSIS\n.RI [ launcher ]\n.B bucket_perf\n.RI [ option ]...\n.SH DESCRIPTION\n",
	      out);
	option_man_text(
		out,
		"A backward pass in miniature on real communication: gradients become ready one after another while ranks "
		"compute, and each strategy sends them in its way. A row is the median time of a step, from a start common to "
		"all ranks to the end on the slowest; beside it stand the compute alone, the communication alone, what of "
		"it was exposed, and the data are checked on every rank.");
	fputs("\n.PP\n", out);
	option_man_text(out, units);
	fputs("\n.SH OPTIONS\nValues in brackets are defaults.\n.SS The step\n", out);
	for (size_t i = 0; i < option_step_row_count; i++)
		option_man_row(out, &option_step_rows[i].shown);
	fputs(".SS As the other perf binaries have them\n", out);
	show_shared(out, option_man_row);
	fputs(".SH EXIT STATUS\nThe same on every rank.\n", out);
	for (size_t i = 0; option_exit_codes[i].meaning; i++) {
		fprintf(out, ".TP\n%d\n", option_exit_codes[i].code);
		option_man_text(out, option_exit_codes[i].meaning);
		fputc('\n', out);
	}
}
