/* SPDX-License-Identifier: Apache-2.0
 *
 * What a public family of models means by its keys, and has without saying so.
 */
#ifndef COLLPERF_MODEL_FAMILY_H
#define COLLPERF_MODEL_FAMILY_H

#include <jansson.h>

#include "model_keys.h"

/* Models that the formulas are not for. */
enum model_other { MODEL_EXPERTS, MODEL_TWO_STACKS, MODEL_LATENT, MODEL_STATES, MODEL_SHARED, MODEL_NARROW };
/* What such a model is and what the formulas are for, to be told behind a key. */
const char *model_other_cause(enum model_other other);
/* That of a family whose name says it, and the key with the name; NULL: none. */
const char *model_family_fault(const json_t *object, const char **key);

/* Keys that say how many heads share keys and values, once widths are read; what is wrong with them, and the key; NULL: nothing. */
const char *model_family_kv_heads(const json_t *object, struct train_shape *shape, const char **key);

/* What the file left open, as model_file.h says, once it is known to be sound. */
void model_family_fill(const json_t *object, struct train_shape *shape, unsigned *given);

#endif
