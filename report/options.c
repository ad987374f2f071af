/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `collperf report`.
 */
#include "options.h"

#include <ctype.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct unit {
	const char *name;
	double factor;
};

static const struct unit durations[] = { { "", 1 }, { "s", 1 }, { "ms", 1e-3 }, { "us", 1e-6 }, { "ns", 1e-9 }, { NULL, 0 } };
static const struct unit prefixes[] = { { "", 1 }, { "K", 1e3 }, { "M", 1e6 }, { "G", 1e9 }, { "T", 1e12 }, { NULL, 0 } };

static const struct option long_options[] = { { "alpha", required_argument, NULL, 'A' },
					      { "bandwidth", required_argument, NULL, 'B' },
					      { "output", required_argument, NULL, 'o' },
					      { "help", no_argument, NULL, 'h' },
					      { NULL, 0, NULL, 0 } };

/* The number at the start of `text`, plain decimal only; *end is what follows. */
static int number_parse(const char *text, double *value, const char **end)
{
	size_t length = strspn(text, "0123456789.");
	char *stop;

	if (length == 0 || (text[0] == '.' && !isdigit((unsigned char)text[1])) || tolower((unsigned char)text[length]) == 'x')
		return -1;
	*value = strtod(text, &stop);
	*end = stop;
	return isfinite(*value) && *value > 0 ? 0 : -1;
}

int report_duration_parse(const char *text, double *seconds)
{
	const char *rest;
	double value;

	if (number_parse(text, &value, &rest))
		return -1;
	for (const struct unit *unit = durations; unit->name; unit++) {
		if (strcmp(rest, unit->name) == 0 && value * unit->factor > 0) {
			*seconds = value * unit->factor;
			return 0;
		}
	}
	return -1;
}

int report_bandwidth_parse(const char *text, double *bytes_per_second)
{
	const char *rest;
	double value;

	if (number_parse(text, &value, &rest))
		return -1;
	for (const struct unit *unit = prefixes; unit->name; unit++) {
		size_t length = strlen(unit->name);
		const char *suffix = rest + length;

		if (strncasecmp(rest, unit->name, length))
			continue;
		if (*suffix && strcmp(suffix, "B/s") && strcmp(suffix, "Bps"))
			continue;
		if (!isfinite(value * unit->factor))
			return -1;
		*bytes_per_second = value * unit->factor;
		return 0;
	}
	return -1;
}

static int usage(const char *what, const char *text, const char *why)
{
	fprintf(stderr, "collperf report: %s%s%s; try 'collperf report --help'\n", what, text, why);
	return -1;
}

static int option_take(int letter, const char *value, struct report_options *options, unsigned *seen)
{
	switch (letter) {
	case 'A':
		*seen |= 1;
		if (report_duration_parse(value, &options->alpha))
			return usage("--alpha: '", value, "' is not a duration (such as 5us, 1.5ms)");
		return 0;
	case 'B':
		*seen |= 2;
		if (report_bandwidth_parse(value, &options->bandwidth))
			return usage("--bandwidth: '", value, "' is not a bandwidth (such as 100G, 12.5GB/s)");
		return 0;
	case 'o':
		options->output = value;
		return *value ? 0 : usage("-o: ", "", "an empty name is no directory");
	case 'h':
		options->help = true;
		return 0;
	default:
		return -1;
	}
}

int report_options_parse(int argc, char **argv, struct report_options *options)
{
	struct report_options parsed = { 0 };
	unsigned seen = 0;
	int letter;

	optind = 0; /* the driver parsed its own words first */
	opterr = 0;
	while ((letter = getopt_long(argc, argv, ":o:h", long_options, NULL)) != -1) {
		if (letter == '?')
			return usage("unknown option '", argv[optind - 1], "'");
		if (letter == ':')
			return usage("'", argv[optind - 1], "' needs a value");
		if (option_take(letter, optarg, &parsed, &seen))
			return -1;
	}
	parsed.inputs = argv + optind;
	parsed.ninputs = (size_t)(argc - optind);
	if (!parsed.help && parsed.ninputs == 0)
		return usage("name a run directory or CSV files", "", "");
	if (seen == 1 || seen == 2)
		return usage("--alpha and --bandwidth describe one link: give both", "", "");
	parsed.given = seen == 3;
	*options = parsed;
	return 0;
}

void report_options_help(void)
{
	puts("Usage: collperf report DIR... | CSV... [-o DIR] [--alpha A --bandwidth B]\n"
	     "\n"
	     "Plots the rows of run directories or CSV files against the ring, tree and lower bounds of the\n"
	     "alpha-beta model, and writes index.html, report.md, bounds.csv, fit.csv and the figures.\n"
	     "\n"
	     "  -o, --output DIR   where to write (default: DIR/report for one run directory, else\n"
	     "                     ./collperf-report); it must be empty or hold an earlier report)\n"
	     "      --alpha A      time of an empty message: 5us, 1.5ms (default: fitted to the run's own sendrecv sweep)\n"
	     "      --bandwidth B  rate of the link: 100G, 12.5GB/s, decimal powers (default: fitted likewise)\n"
	     "  -h, --help         this text\n"
	     "\n"
	     "Exit codes: 0 ok, 1 the rows hold wrong data, 2 usage, 3 input or output failed or is no measurement of a job.");
}
