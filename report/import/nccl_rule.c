/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether what a row says of itself can be of its primitive: tables of several programs get mixed, and digits get lost.
 */
#include "nccl_rule.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int64_t nccl_type_size(const char *type)
{
	static const struct {
		const char *name;
		int64_t size;
	} types[] = {
		{ "int8", 1 },     { "uint8", 1 }, { "char", 1 },    { "f8e4m3", 1 },   { "f8e5m2", 1 }, { "fp8_e4m3", 1 },
		{ "fp8_e5m2", 1 }, { "half", 2 },  { "float16", 2 }, { "bfloat16", 2 }, { "int32", 4 },  { "int", 4 },
		{ "uint32", 4 },   { "float", 4 }, { "int64", 8 },   { "uint64", 8 },   { "double", 8 },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i].name, type) == 0)
			return types[i].size;
	return 0;
}

/* Whether count is of a block, of which each rank has one. */
static bool counts_blocks(const struct collective *coll, int64_t nranks)
{
	return coll->shape(64 * (size_t)nranks, (int)nranks, 1).count == 64;
}

bool nccl_size_fits(const struct collective *coll, int64_t nranks, const struct nccl_claim *claim)
{
	int64_t size;

	if (nranks < 1 || nranks >= 1 << 24 || __builtin_mul_overflow(claim->count, nccl_type_size(claim->type), &size))
		return false;
	if (nranks > 1 && counts_blocks(coll, nranks) && __builtin_mul_overflow(size, nranks, &size))
		return false;
	return size == claim->size;
}

bool nccl_claim_holds(const struct collective *coll, int64_t nranks, const struct nccl_claim *claim, char *why, size_t room)
{
	bool named = claim->redop && *claim->redop && strcmp(claim->redop, "none") != 0;
	bool reduces = (coll->flags & COLL_HAS_REDOP) != 0;

	if (claim->count >= 0 && nccl_type_size(claim->type) > 0 && !nccl_size_fits(coll, nranks, claim)) {
		if (nranks > 1 && counts_blocks(coll, nranks))
			snprintf(why, room, "size and count are not those of %s on %" PRId64 " ranks", coll->name, nranks);
		else
			snprintf(why, room, "size and count are not those of %s", coll->name);
		return false;
	}
	/* nccl-tests names an operation for sendrecv too. */
	if (!claim->redop || coll->id == COLL_SENDRECV || named == reduces)
		return true;
	snprintf(why, room, "%s has %s operation, the row has %s", coll->name, reduces ? "an" : "no", named ? "one" : "none");
	return false;
}
