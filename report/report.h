/* SPDX-License-Identifier: Apache-2.0
 *
 * The report stage as the driver sees it.
 */
#ifndef COLLPERF_REPORT_H
#define COLLPERF_REPORT_H

/*
 * `collperf report DIR... | CSV... [-o DIR] [options]`; argv[0] is "report". Prints a five-line summary and the path of index.html on
 * stdout. Returns the exit code: 0, 2 usage, 3 input or output failed, 1 when the rows hold wrong data.
 */
int report_main(int argc, char **argv);

/*
 * `collperf import FILE... [-o CSV] [--from NAME] [--nranks N] [--nnodes N] [--collective NAME] [--run NAME]`; argv[0] is "import".
 * CSV of schema 1 to -o or stdout, what was read and what was skipped to stderr. 0; 1 when rates disagree or data were wrong in a log; 2 usage;
 * 3 nothing could be read of a file, or I/O.
 */
int import_main(int argc, char **argv);

/*
 * `collperf compare BASE... NEW [options]`; argv[0] is "compare". Says on stdout whether NEW became slower. Returns the exit code: 0, 1 regression,
 * missed gate or wrong data in NEW, 2 usage, 3 an input cannot be used or an output not be written, 4 the data cannot decide.
 */
int compare_main(int argc, char **argv);

/*
 * The same of two run directories whose launches belong together in pairs, under these names; argv[0], then options of compare alone. `dirs` NULL: only
 * looks at the options, 0, 2 or 3; `folder`: which no output may overwrite rows or records of, NULL: none.
 */
int compare_pairs(int argc, char **argv, const char *folder, const char *const *dirs, const char *const *names);
/* Writes into the files that the options name that there is no comparison, and why. */
void compare_pairs_fail(int argc, char **argv, const char *why);

/* `collperf explain [PRIMITIVE] [options]`; argv[0] is "explain". What a collective does on small numbers, on stdout or as a page. 0; 2 usage; 3 output. */
int explain_main(int argc, char **argv);

/*
 * `collperf plan [DIR | CSV]... [options]`; argv[0] is "plan". Whether training waits for the network. 0; 2 usage; 3 an input cannot be used or an output
 * not be written.
 */
int plan_main(int argc, char **argv);

/* `collperf baseline update|show|check DIR`; argv[0] is "baseline". The same codes. */
int baseline_main(int argc, char **argv);

#endif
