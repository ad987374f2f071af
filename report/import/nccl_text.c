/* SPDX-License-Identifier: Apache-2.0
 *
 * The table that nccl-tests, rccl-tests and our own perf binaries print.
 */
#include "import.h"

static int recognise(const struct import_text *text)
{
	(void)text;
	return 0;
}

static int read_text(const struct import_text *text, const struct import_options *options, struct import_sink *sink)
{
	(void)text;
	(void)options;
	(void)sink;
	return 0;
}

const struct import_format import_nccl_text = { "nccl-text", "the table of nccl-tests, rccl-tests and collperf", recognise,
						read_text };
