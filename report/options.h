/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `collperf report`.
 */
#ifndef COLLPERF_REPORT_OPTIONS_H
#define COLLPERF_REPORT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct report_options {
	char *const *inputs; /* borrowed from argv */
	size_t ninputs;
	const char *output; /* NULL: not given */
	bool given;         /* --alpha and --bandwidth */
	double alpha;       /* seconds */
	double bandwidth;   /* bytes per second */
	bool help;
};

/* 0, or -1 after one line on stderr. */
int report_options_parse(int argc, char **argv, struct report_options *options);

void report_options_help(void);

/*
 * The grammars of the perf binaries: "5us", "1.5ms", a plain number of seconds; "100G", "12.5GB/s", a plain number of bytes per second
 * (decimal powers). The whole text is checked, the value must be finite and > 0. -1, and *value left alone, when it is not.
 */
int report_duration_parse(const char *text, double *seconds);
int report_bandwidth_parse(const char *text, double *bytes_per_second);

#endif
