/* SPDX-License-Identifier: Apache-2.0
 *
 * What nccl-tests prints for a primitive: how size, count, type and ranks belong together, and whether there is an operation.
 */
#ifndef COLLPERF_IMPORT_NCCL_RULE_H
#define COLLPERF_IMPORT_NCCL_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../collectives/collective.h"

struct nccl_claim {
	int64_t size;  /* bytes */
	int64_t count; /* elements; below 0: not said */
	const char *type;
	const char *redop; /* "" or "none": no operation; NULL: not said */
};

/* Bytes of an element; 0: a type that is not known. */
int64_t nccl_type_size(const char *type);

/* Whether size, count and type are those of the primitive on so many ranks; false where the type is not known. */
bool nccl_size_fits(const struct collective *coll, int64_t nranks, const struct nccl_claim *claim);

/*
 * Whether a row may be of the primitive. Where it may not, `why` says why not. What was not said, and the size of a type that is not known, is not
 * judged.
 */
bool nccl_claim_holds(const struct collective *coll, int64_t nranks, const struct nccl_claim *claim, char *why, size_t room);

#endif
