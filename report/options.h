/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of `collperf report`.
 */
#ifndef COLLPERF_REPORT_OPTIONS_H
#define COLLPERF_REPORT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct link;
struct system;

struct report_options {
	const char *command; /* whose messages these are: "compare"; NULL: "report" */
	char *const *inputs; /* borrowed from argv */
	size_t ninputs;
	const char *output; /* NULL: not given */
	bool given;         /* --alpha, and --bandwidth or --link */
	double alpha;       /* seconds */
	double bandwidth;   /* bytes per second; with `given`, that of the link where --bandwidth is not */

	double link;              /* --link: peak one way, bytes per second; 0: not given */
	const char *link_text;    /* as given */
	const struct link *known; /* its row of the table, NULL: a rate or several of one */
	double nic;               /* --nic: of one, bytes per second; 0: not given */
	int nics;                 /* of a node */
	const char *nic_text;     /* as given */
	int gpus_per_node;        /* 0: what the rows say */
	bool nvls;                /* switches reduce, unless the algo column says otherwise */
	const struct system *system;

	/* Of a topology, never of the command line: how the rates of link and NICs come about; NULL: they were given, or are not known. */
	const char *link_words, *nic_words;

	const char *baseline; /* --baseline: what others are compared with, see compare_names; NULL: not given */

	bool list_links, list_systems;
	bool help;
};

/* 0, or -1 after one line on stderr. */
int report_options_parse(int argc, char **argv, struct report_options *options);

void report_options_help(void);

/*
 * The grammars of the perf binaries: "5us", "1.5ms", a plain number of seconds under 1e-3; "100G", "12.5GB/s", a plain number of bytes per second
 * (decimal powers), but no plain number under 1e6. The whole text is checked, the value must be finite and > 0. -1, and *value left
 * alone, when it is not.
 */
int report_duration_parse(const char *text, double *seconds);
int report_bandwidth_parse(const char *text, double *bytes_per_second);

#endif
