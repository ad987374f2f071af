/* SPDX-License-Identifier: Apache-2.0
 *
 * What not every NCCL has: nccl_features.c is the one place for #if on NCCL_VERSION_CODE. A feature is there when both the headers compiled against and
 * the library that was found have it. For the files named nccl*.c alone.
 */
#ifndef COLLPERF_NCCL_FEATURES_H
#define COLLPERF_NCCL_FEATURES_H

#include <stdio.h>

#include "../backend.h"
#include "nccl_api.h"

struct nccl_buffer;
struct nccl_rank;
struct nccl_state;

/* The type's number, -1 where the headers lack it. */
int nccl_type_of(enum dtype type);

/* Makes what the rank needs for mulsum on first use. -1 after one line. */
int nccl_redop_of(struct nccl_state *state, struct nccl_rank *rank, enum redop op, enum dtype type, ncclRedOp_t *nccl);
void nccl_redops_close(struct nccl_state *state, struct nccl_rank *rank);

/* Why this type or operation cannot be used with these headers, this library or these GPUs; NULL: it can. The same on all ranks. */
const char *nccl_lacks_type(const struct nccl_state *state, enum dtype type);
const char *nccl_lacks_redop(const struct nccl_state *state, enum redop op);
/* Why -R or -x cannot be as asked for; NULL: they can. */
const char *nccl_lacks_options(const struct nccl_state *state);

/* ncclCommInitRank, with -x ncclCommInitRankConfig. */
ncclResult_t nccl_init_comm(struct nccl_state *state, ncclComm_t *comm, int nranks, ncclUniqueId id, int rank);

/* Memory that can be registered. */
ncclResult_t nccl_mem_alloc(const struct nccl_state *state, void **memory, size_t bytes);
ncclResult_t nccl_mem_free(const struct nccl_state *state, void *memory);
/* By -R: ncclCommRegister or a symmetric window. In a group over the local ranks; buffer->handle is there after the group. */
ncclResult_t nccl_register(const struct nccl_state *state, const struct nccl_rank *rank, struct nccl_buffer *buffer);
ncclResult_t nccl_deregister(const struct nccl_state *state, const struct nccl_rank *rank, const struct nccl_buffer *buffer);

/* ncclAlltoAll, ncclGather, ncclScatter, where has_native says so. `count` is that of the call: a rank's block. */
bool nccl_has_native(const struct nccl_state *state, enum coll_id coll);
ncclResult_t nccl_native(const struct nccl_state *state, const struct nccl_rank *rank, enum coll_id coll, const void *send,
			 void *recv, size_t count, ncclDataType_t type, int root);

/* Lines for --list: what these headers or this library lack. */
void nccl_features_list(const struct nccl_api *api, FILE *out);

#endif
