/* SPDX-License-Identifier: Apache-2.0
 *
 * A topology as JSON: {"hosts": [{"name", "numa": [], "gpus": [], "nics": [], "links": [], ...}]}, rates in bytes per second; what is unknown is absent.
 * "links": one element for each pair of ends that has a path: {"from": "GPU0", "to": "NIC1", "class": "PIX", "rate": ..., "words": ...}. Written and read back
 * by the same room, so that a run's topology survives: reading gives an equal struct.
 */
#ifndef COLLPERF_TOPO_JSON_H
#define COLLPERF_TOPO_JSON_H

#include <stddef.h>

#include "topo.h"

struct json_t;

/* NULL: out of memory. To be released with json_decref. */
struct json_t *topo_to_json(const struct topo *topo);

/* From anybody's file: -1 with one line in `error` where it is no topology; what is not known in it is skipped. */
int topo_from_json(const struct json_t *json, struct topo *topo, char *error, size_t error_size);

/* The same as text, compact. To be freed; NULL: out of memory. */
char *topo_to_text(const struct topo *topo);
int topo_from_text(const char *text, size_t size, struct topo *topo, char *error, size_t error_size);

#endif
