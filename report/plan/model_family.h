/* SPDX-License-Identifier: Apache-2.0
 *
 * What a public family of models means by its keys, and has without saying so.
 */
#ifndef COLLPERF_MODEL_FAMILY_H
#define COLLPERF_MODEL_FAMILY_H

#include <jansson.h>

#include "model_keys.h"

/* Keys that say how many heads share keys and values, once widths are read; what is wrong with them, and the key; NULL: nothing. */
const char *model_family_kv_heads(const json_t *object, struct train_shape *shape, const char **key);

/* What the file left open, as model_file.h says, once it is known to be sound. */
void model_family_fill(const json_t *object, struct train_shape *shape, unsigned *given);

#endif
