/* SPDX-License-Identifier: Apache-2.0
 *
 * A topology as JSON: {"hosts": [{"name", "numa": [], "gpus": [], "nics": [], "links": [], ...}]}, rates in bytes per second; what is unknown is absent.
 * "links": one element for each pair of a GPU with another GPU or a NIC: {"from": "GPU0", "to": "NIC1", "class": "PIX", "rate": ..., "words": ...}; they
 * follow from the rest and are not read. Hosts that are like an earlier one have "alike": its index, and name and ranks alone. Reading gives an equal struct.
 */
#ifndef COLLPERF_TOPO_JSON_H
#define COLLPERF_TOPO_JSON_H

#include <stddef.h>

#include "topo.h"

struct json_t;

/* NULL: out of memory. To be released with json_decref. */
struct json_t *topo_to_json(const struct topo *topo);

/*
 * From anybody's file: -1 with one line in `error` where it is no topology; what is not known in it is skipped. *topo is set on success alone; what it
 * held before is not released.
 */
int topo_from_json(const struct json_t *json, struct topo *topo, char *error, size_t error_size);

/* The same as text, compact. To be freed; NULL: out of memory. */
char *topo_to_text(const struct topo *topo);
int topo_from_text(const char *text, size_t size, struct topo *topo, char *error, size_t error_size);

#endif
