/* SPDX-License-Identifier: Apache-2.0
 *
 * Of which format a text is.
 */
#ifndef COLLPERF_IMPORT_RECOGNISE_H
#define COLLPERF_IMPORT_RECOGNISE_H

#include "import.h"

enum { IMPORT_LOOK_AT = 64 << 20 };

/* The surest format by the text's first IMPORT_LOOK_AT bytes; NULL: none. */
const struct import_format *import_recognise(const struct import_text *text);

/* Lines end as on old Macintoshes: to us all of it is one line. */
bool import_is_cr_alone(const struct import_text *text);

#endif
