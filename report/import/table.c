/* SPDX-License-Identifier: Apache-2.0
 *
 * The formats that can be imported: a new one is one line here.
 */
#include "import.h"

const struct import_format *const import_formats[] = {
	&import_nccl_text, &import_nccl_json, &import_rccl_csv, &import_rccl_json, &import_osu, &import_imb,
};

const size_t import_format_count = sizeof(import_formats) / sizeof(import_formats[0]);
