/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `collperf report`.
 */
#include "options.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "command.h"
#include "link.h"
#include "system.h"

enum {
	OPTION_ALPHA = 256,
	OPTION_BANDWIDTH,
	OPTION_LINK,
	OPTION_NIC,
	OPTION_GPUS,
	OPTION_NVLS,
	OPTION_SYSTEM,
	OPTION_BASELINE,
	MOST_GPUS = 1024
};

struct unit {
	const char *name;
	double factor;
};

static const struct unit durations[] = { { "", 1 }, { "s", 1 }, { "ms", 1e-3 }, { "us", 1e-6 }, { "ns", 1e-9 }, { NULL, 0 } };
static const struct unit prefixes[] = { { "", 1 }, { "K", 1e3 }, { "M", 1e6 }, { "G", 1e9 }, { "T", 1e12 }, { NULL, 0 } };

/* Who writes 50 means 50 of some unit; no network is that slow. */
static const double least_plain_rate = 1e6;
/* Nor does an empty message take that long. */
static const double most_plain_time = 1e-3;

static const struct option long_options[] = { { "alpha", required_argument, NULL, OPTION_ALPHA },
					      { "bandwidth", required_argument, NULL, OPTION_BANDWIDTH },
					      { "link", required_argument, NULL, OPTION_LINK },
					      { "nic", required_argument, NULL, OPTION_NIC },
					      { "gpus-per-node", required_argument, NULL, OPTION_GPUS },
					      { "nvls", no_argument, NULL, OPTION_NVLS },
					      { "system", required_argument, NULL, OPTION_SYSTEM },
					      { "baseline", required_argument, NULL, OPTION_BASELINE },
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
	if (*rest == '\0' && value >= most_plain_time)
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
		if (!isfinite(value * unit->factor) || (unit->factor == 1 && value < least_plain_rate))
			return -1;
		*bytes_per_second = value * unit->factor;
		return 0;
	}
	return -1;
}

static int option_take(int letter, const char *value, void *into);

static const struct command command_line = { "report", long_options, option_take };

static int usage(const char *what, const char *text, const char *why)
{
	return command_usage(&command_line, what, text, why);
}

/* A rate, or several, in plain bytes per second. */
static bool lacks_unit(const char *text)
{
	size_t length = strspn(text, "0123456789.");

	return length > 0 && (text[length] == '\0' || text[length] == 'x');
}

static int rate_refuse(const char *what, const char *text, const char *why)
{
	return usage(what, text, lacks_unit(text) ? "' is in bytes per second: give a unit such as 50G" : why);
}

static int link_take(const char *value, struct report_options *options)
{
	int count;

	if (strcmp(value, "list") == 0) {
		options->list_links = true;
		return 0;
	}
	if (link_parse(value, &options->link, &count, &options->known))
		return rate_refuse("--link: '", value,
				   "' is no link of 'collperf report --link list' and no bandwidth (such as 50G)");
	options->link *= count;
	options->link_text = value;
	if (count > 1)
		options->known = NULL;
	return isfinite(options->link) ? 0 : usage("--link: '", value, "' is too much");
}

static int nic_take(const char *value, struct report_options *options)
{
	const struct link *known;

	if (link_parse(value, &options->nic, &options->nics, &known) || !isfinite(options->nic * options->nics))
		return rate_refuse("--nic: '", value,
				   "' is no link, or xK of them, of 'collperf report --link list' and no bandwidth");
	options->nic_text = value;
	return 0;
}

static int gpus_take(const char *value, struct report_options *options)
{
	size_t digits = strspn(value, "0123456789");

	options->gpus_per_node = digits > 0 && digits < 6 && value[digits] == '\0' ? atoi(value) : 0;
	if (options->gpus_per_node < 1 || options->gpus_per_node > MOST_GPUS)
		return usage("--gpus-per-node: '", value, "' is not a number from 1 to 1024");
	return 0;
}

static int system_take(const char *value, struct report_options *options)
{
	options->list_systems = strcmp(value, "list") == 0;
	options->system = options->list_systems ? NULL : system_find(value);
	if (!options->list_systems && !options->system)
		return usage("--system: '", value, "' is not in 'collperf report --system list'");
	return 0;
}

static int option_take(int letter, const char *value, void *into)
{
	struct report_options *options = into;

	switch (letter) {
	case OPTION_ALPHA:
		if (report_duration_parse(value, &options->alpha))
			return usage("--alpha: '", value, "' is not a duration (such as 5us, 1.5ms)");
		return 0;
	case OPTION_BANDWIDTH:
		if (report_bandwidth_parse(value, &options->bandwidth))
			return rate_refuse("--bandwidth: '", value, "' is not a bandwidth (such as 100G, 12.5GB/s)");
		return 0;
	case OPTION_LINK:
		return link_take(value, options);
	case OPTION_NIC:
		return nic_take(value, options);
	case OPTION_GPUS:
		return gpus_take(value, options);
	case OPTION_NVLS:
		options->nvls = true;
		return 0;
	case OPTION_SYSTEM:
		return system_take(value, options);
	case OPTION_BASELINE:
		options->baseline = value;
		return *value ? 0 : usage("--baseline: ", "", "an empty name is no series");
	case 'o':
		options->output = value;
		return *value ? 0 : usage("-o: ", "", "an empty name is no directory");
	default:
		options->help = true;
		return 0;
	}
}

/* What only makes sense with something else. */
static int options_settle(struct report_options *options)
{
	if (options->help || options->list_links || options->list_systems)
		return 0;
	if (options->ninputs == 0)
		return usage("name a run directory or CSV files", "", "");
	if (options->bandwidth > 0 && !(options->alpha > 0))
		return usage("--alpha and --bandwidth describe one link: give both", "", "");
	if (options->alpha > 0 && !(options->bandwidth > 0) && !(options->link > 0))
		return usage("--alpha and --bandwidth describe one link: give both (or --link)", "", "");
	options->given = options->alpha > 0;
	if (options->given && !(options->bandwidth > 0))
		options->bandwidth = options->link;
	if ((options->nic > 0 || options->nvls) && !(options->link > 0) && !options->given)
		return usage(options->nvls ? "--nvls" : "--nic", " needs what a GPU's own link carries: give --link", "");
	return 0;
}

int report_options_parse(int argc, char **argv, struct report_options *options)
{
	struct report_options parsed = { 0 };

	if (command_parse(&command_line, argc, argv, &parsed, &parsed.inputs, &parsed.ninputs))
		return -1;
	if (options_settle(&parsed))
		return -1;
	*options = parsed;
	return 0;
}

void report_options_help(void)
{
	puts("Usage: collperf report DIR... | CSV... [-o DIR] [--link NAME|RATE] [--nic NAME[xK]|RATE] [--system NAME]\n"
	     "                       [--alpha A --bandwidth B] [--gpus-per-node N] [--nvls] [--baseline NAME]\n"
	     "       collperf report --link list | --system list\n"
	     "\n"
	     "Plots the rows of run directories or CSV files against the ring, tree and lower bounds of the\n"
	     "alpha-beta model, and writes index.html, report.md, bounds.csv, fit.csv and the figures.\n"
	     "\n"
	     "  -o, --output DIR   where to write (default: DIR/report for one run directory, else\n"
	     "                     ./collperf-report); it must be empty or hold an earlier report\n"
	     "      --alpha A      time of an empty message: 5us, 1.5ms (default: fitted to the run's own sendrecv sweep)\n"
	     "      --bandwidth B  rate of the link: 100G, 12.5GB/s, decimal powers (default: fitted likewise)\n"
	     "      --link L       peak of a GPU's link, one way: a name (nvlink3, pcie4, ib-ndr ...) or a rate (50G). Bounds "
	     "and\n"
	     "                     efficiencies are against it; alpha is the fit's, and without one bounds are of bandwidth "
	     "alone\n"
	     "                     (default: for rows over NCCL what the topology in run.json says of link and NICs)\n"
	     "      --nic N        what enters a node: one NIC or K of them, ib-ndrx8, 50Gx8. Rows of several nodes then have\n"
	     "                     two-level bounds\n"
	     "      --gpus-per-node N  (default: what the rows say)\n"
	     "      --nvls         switches reduce, so that busbw may exceed the link (known of nvlink4 and nvlink5, and where "
	     "the\n"
	     "                     algo column says nvls)\n"
	     "      --system S     compare with what such a system was reported to reach: h100x8, a100x8 ...; under 0.9 of it is "
	     "a\n"
	     "                     warning, under 0.8 an error\n"
	     "      --baseline N   what others are compared with: a run, file, path, algorithm, group, library, type or number "
	     "of\n"
	     "                     ranks (default: the first one)\n"
	     "      --link list, --system list   the tables, with their sources\n"
	     "  -h, --help         this text\n"
	     "\n"
	     "Exit codes: 0 ok, 1 the rows hold wrong data, 2 usage, 3 input or output failed or is no measurement of a job.");
}
