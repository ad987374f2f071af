/* SPDX-License-Identifier: Apache-2.0
 *
 * The report stage as the driver sees it.
 */
#ifndef COLLPERF_REPORT_H
#define COLLPERF_REPORT_H

/*
 * `collperf report DIR... | CSV... [-o DIR] [--alpha A --bandwidth B]`; argv[0] is "report". Prints a five-line summary and the path of index.html on
 * stdout. Returns the exit code: 0, 2 usage, 3 input or output failed, 1 when the rows hold wrong data.
 */
int report_main(int argc, char **argv);

#endif
