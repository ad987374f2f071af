/* SPDX-License-Identifier: Apache-2.0
 *
 * The keys of a model's file.
 */
#ifndef COLLPERF_MODEL_KEYS_H
#define COLLPERF_MODEL_KEYS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "../../collectives/training.h"

/* What the file itself says. */
enum model_given { MODEL_GIVES_GATED = 1, MODEL_GIVES_TIED = 2, MODEL_GIVES_FFN = 4 };

bool model_key_is_known(const char *key);

/* What is wrong with the heads of a shape (kv_heads must divide heads, which must divide hidden or have a width, and not be over hidden; a width
 * needs heads), and the key; NULL: nothing. */
const char *model_heads_fault(const struct train_shape *shape, const char **key);

/*
 * Fills a shape that is all 0 from an object, what is not given as model_file.h says. 0, or -1 with key and cause in `why`: then the shape may be
 * half filled.
 */
int model_keys_read(const json_t *object, struct train_shape *shape, unsigned *given, char *why, size_t size);

#endif
