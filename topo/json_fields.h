/* SPDX-License-Identifier: Apache-2.0
 *
 * What a topology is in JSON: one table for writing and for reading, so that they cannot differ.
 */
#ifndef COLLPERF_TOPO_JSON_FIELDS_H
#define COLLPERF_TOPO_JSON_FIELDS_H

#include <stddef.h>

#include "topo.h"

enum topo_field_type {
	TOPO_FIELD_TEXT,  /* char *, absent when "" */
	TOPO_FIELD_INT,   /* int, absent when it is `unknown` */
	TOPO_FIELD_BYTES, /* uint64_t, absent when 0 */
	TOPO_FIELD_REAL,  /* double, absent when 0 */
	TOPO_FIELD_WORD,  /* an enum, by its word; absent where that is NULL */
	TOPO_FIELD_LINK,  /* struct topo_pcie, absent when nothing of it is known */
};

/* No rate and no speed of a link is more; what is, is no number of ours. */
#define TOPO_JSON_MOST_REAL 1e18

enum { TOPO_JSON_MOST_WAYS = 65536 };

/* An int is at least 0 and below this. */
enum topo_field_limit {
	TOPO_LIMIT_ANY,
	TOPO_LIMIT_EARLIER, /* an element before this one */
	TOPO_LIMIT_PCI,
	TOPO_LIMIT_GPUS,
	TOPO_LIMIT_ENDS, /* GPUs, then NICs */
	TOPO_LIMIT_PEER, /* as `end` says */
};

struct topo_field {
	const char *key;
	size_t offset;
	enum topo_field_type type;
	int unknown;
	enum topo_field_limit limit;
	const char *const *words; /* ends with NULL behind at least one word */
};

/* The arrays of a host, in the order in which they refer to each other. */
enum topo_part {
	TOPO_PART_CACHE,
	TOPO_PART_NUMA,
	TOPO_PART_PCI,
	TOPO_PART_GPU,
	TOPO_PART_NIC,
	TOPO_PART_NVLINK,
	TOPO_PART_GIVEN,
	TOPO_PART_RANK,
	TOPO_PARTS
};

struct topo_part_form {
	const char *key;
	const struct topo_field *fields; /* ends with a NULL key */
	size_t items, count;             /* offsets of the array and of its length in a host */
	size_t size;
};

extern const struct topo_field topo_host_fields[];
extern const struct topo_field topo_link_fields[];
extern const struct topo_part_form topo_part_forms[TOPO_PARTS];

/* The most that this int of element `index` may be, exclusive. Hosts that are like another take the other as `described`. */
long topo_field_limit(const struct topo_field *field, const struct topo_host *described, const void *element, size_t index);

#endif
