/* SPDX-License-Identifier: Apache-2.0
 *
 * Features that came after NCCL 2.10: which headers and libraries have them, and the calls whose types need newer headers.
 */
#include "nccl_features.h"

#include <string.h>

#include "nccl_state.h"

enum feature { PREMUL, REGISTER, FLOAT8, WINDOW, POLICY, NATIVE, FEATURES };

static const struct {
	const char *what;
	int since;
	size_t offset; /* of the function in struct nccl_api; 0: none is needed */
	const char *old_headers, *old_library;
} features[FEATURES] = {
	[PREMUL] = { "mulsum", NCCL_VERSION(2, 11, 0), offsetof(struct nccl_api, redop_create_premul),
		     "mulsum needs a build with the headers of NCCL 2.11 or newer", "mulsum needs NCCL 2.11 or newer" },
	[REGISTER] = { "-R 1", NCCL_VERSION(2, 19, 0), offsetof(struct nccl_api, comm_register),
		       "-R 1 needs a build with the headers of NCCL 2.19 or newer", "-R 1 needs NCCL 2.19 or newer" },
	[FLOAT8] = { "f8e4m3, f8e5m2", NCCL_VERSION(2, 24, 0), 0,
		     "f8e4m3 and f8e5m2 need a build with the headers of NCCL 2.24 or newer",
		     "f8e4m3 and f8e5m2 need NCCL 2.24 or newer" },
	[WINDOW] = { "-R 2", NCCL_VERSION(2, 27, 0), offsetof(struct nccl_api, window_register),
		     "-R 2 needs a build with the headers of NCCL 2.27 or newer", "-R 2 needs NCCL 2.27 or newer" },
	[POLICY] = { "-x", NCCL_VERSION(2, 27, 0), offsetof(struct nccl_api, init_rank_config),
		     "-x needs a build with the headers of NCCL 2.27 or newer", "-x needs NCCL 2.27 or newer" },
	[NATIVE] = { "ncclAlltoAll, ncclGather, ncclScatter", NCCL_VERSION(2, 28, 0), offsetof(struct nccl_api, alltoall),
		     "alltoall, gather and scatter by calls of their own need a build with the headers of NCCL 2.28 or newer: "
		     "sends and receives are used",
		     "alltoall, gather and scatter by calls of their own need NCCL 2.28 or newer: sends and receives are used" },
};

static const char *lacks(const struct nccl_api *api, enum feature feature)
{
	void *function = NULL;

	if (features[feature].offset)
		memcpy(&function, (const char *)api + features[feature].offset, sizeof function);
	if (NCCL_VERSION_CODE < features[feature].since)
		return features[feature].old_headers;
	if (api->nccl_version < features[feature].since || (features[feature].offset && !function))
		return features[feature].old_library;
	return NULL;
}

void nccl_features_list(const struct nccl_api *api, FILE *out)
{
	for (int feature = 0; feature < FEATURES; feature++)
		if (lacks(api, feature))
			fprintf(out, "  lacking: %s (%s)\n", features[feature].what, lacks(api, feature));
}

/* Old headers show ncclBfloat16 to C++ only; its number has been the same since 2.10. */
enum { BFLOAT16 = 9 };

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 24, 0)
enum { E4M3 = ncclFloat8e4m3, E5M2 = ncclFloat8e5m2 };
#else
enum { E4M3 = -1, E5M2 = -1 };
#endif

int nccl_type_of(enum dtype type)
{
	static const int types[DTYPE_COUNT] = {
		[DTYPE_INT8] = ncclInt8,      [DTYPE_UINT8] = ncclUint8,   [DTYPE_INT32] = ncclInt32,
		[DTYPE_UINT32] = ncclUint32,  [DTYPE_INT64] = ncclInt64,   [DTYPE_UINT64] = ncclUint64,
		[DTYPE_HALF] = ncclFloat16,   [DTYPE_BFLOAT16] = BFLOAT16, [DTYPE_FLOAT] = ncclFloat32,
		[DTYPE_DOUBLE] = ncclFloat64, [DTYPE_F8E4M3] = E4M3,       [DTYPE_F8E5M2] = E5M2,
	};

	return types[type];
}

const char *nccl_lacks_type(const struct nccl_state *state, enum dtype type)
{
	const char *reason = NULL;

	if (type == DTYPE_F8E4M3 || type == DTYPE_F8E5M2)
		reason = lacks(&state->api, FLOAT8);
	if (!reason && (type == DTYPE_F8E4M3 || type == DTYPE_F8E5M2) && state->capability < 90)
		reason = "f8e4m3 and f8e5m2 need GPUs of compute capability 9.0 or newer";
	return reason;
}

const char *nccl_lacks_redop(const struct nccl_state *state, enum redop op)
{
	return op == REDOP_MULSUM ? lacks(&state->api, PREMUL) : NULL;
}

const char *nccl_lacks_options(const struct nccl_state *state)
{
	const char *reason = NULL;

	if (state->local_register == 1)
		reason = lacks(&state->api, REGISTER);
	else if (state->local_register == 2)
		reason = lacks(&state->api, WINDOW);
	if (!reason && state->cta_policy >= 0)
		reason = lacks(&state->api, POLICY);
	return reason;
}

bool nccl_has_native(const struct nccl_state *state, enum coll_id coll)
{
	return (coll == COLL_ALLTOALL || coll == COLL_GATHER || coll == COLL_SCATTER) && !lacks(&state->api, NATIVE);
}

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 11, 0)
static ncclResult_t create_premul(const struct nccl_api *api, ncclRedOp_t *op, void *scalar, enum dtype type, ncclComm_t comm)
{
	__typeof__(ncclRedOpCreatePreMulSum) *create;

	memcpy(&create, &api->redop_create_premul, sizeof create);
	return create(op, scalar, (ncclDataType_t)nccl_type_of(type), ncclScalarHostImmediate, comm);
}

static void destroy_premul(const struct nccl_api *api, ncclRedOp_t op, ncclComm_t comm)
{
	__typeof__(ncclRedOpDestroy) *destroy;

	memcpy(&destroy, &api->redop_destroy, sizeof destroy);
	destroy(op, comm);
}
#else
static ncclResult_t create_premul(const struct nccl_api *api, ncclRedOp_t *op, void *scalar, enum dtype type, ncclComm_t comm)
{
	(void)api, (void)op, (void)scalar, (void)type, (void)comm;
	return ncclInvalidUsage;
}

static void destroy_premul(const struct nccl_api *api, ncclRedOp_t op, ncclComm_t comm)
{
	(void)api, (void)op, (void)comm;
}
#endif

/* 1 or 2 as an element. */
static void scalar_of(enum dtype type, int value, void *scalar)
{
	const float real = (float)value;
	const double wide = value;
	const int64_t whole = value; /* little endian: the lower bytes are the narrower integer */

	if (dtype_is_narrow(type))
		dtype_narrow(type, scalar, &real, 1);
	else if (type == DTYPE_FLOAT)
		memcpy(scalar, &real, sizeof real);
	else if (type == DTYPE_DOUBLE)
		memcpy(scalar, &wide, sizeof wide);
	else
		memcpy(scalar, &whole, dtypes[type].size);
}

static int premul_of(struct nccl_state *state, struct nccl_rank *rank, enum dtype type)
{
	uint64_t scalar = 0;

	if (rank->has_premul[type])
		return 0;
	scalar_of(type, redop_factor(REDOP_MULSUM, rank->member), &scalar);
	if (nccl_check(state, rank, create_premul(&state->api, &rank->premul[type], &scalar, type, rank->comm),
		       "ncclRedOpCreatePreMulSum"))
		return -1;
	rank->has_premul[type] = true;
	return 0;
}

int nccl_redop_of(struct nccl_state *state, struct nccl_rank *rank, enum redop op, enum dtype type, ncclRedOp_t *nccl)
{
	static const ncclRedOp_t ops[REDOP_COUNT] = {
		[REDOP_SUM] = ncclSum, [REDOP_PROD] = ncclProd, [REDOP_MAX] = ncclMax,
		[REDOP_MIN] = ncclMin, [REDOP_AVG] = ncclAvg,
	};

	if (op == REDOP_MULSUM && premul_of(state, rank, type))
		return -1;
	*nccl = op == REDOP_MULSUM ? rank->premul[type] : ops[op];
	return 0;
}

void nccl_redops_close(struct nccl_state *state, struct nccl_rank *rank)
{
	for (int type = 0; type < DTYPE_COUNT; type++) {
		if (rank->has_premul[type])
			destroy_premul(&state->api, rank->premul[type], rank->comm);
		rank->has_premul[type] = false;
	}
}

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 27, 0)
ncclResult_t nccl_init_comm(struct nccl_state *state, ncclComm_t *comm, int nranks, ncclUniqueId id, int rank)
{
	ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
	__typeof__(ncclCommInitRankConfig) *init;

	if (state->cta_policy < 0)
		return state->api.init_rank(comm, nranks, id, rank);
	memcpy(&init, &state->api.init_rank_config, sizeof init);
	config.CTAPolicy = (int)state->cta_policy;
	return init(comm, nranks, id, rank, &config);
}

static ncclResult_t register_window(const struct nccl_api *api, ncclComm_t comm, struct nccl_buffer *buffer)
{
	__typeof__(ncclCommWindowRegister) *call;

	memcpy(&call, &api->window_register, sizeof call);
	/* The handle is written when the group ends. */
	return call(comm, buffer->memory, buffer->bytes, (ncclWindow_t *)&buffer->handle, NCCL_WIN_COLL_SYMMETRIC);
}

static ncclResult_t deregister_window(const struct nccl_api *api, ncclComm_t comm, const struct nccl_buffer *buffer)
{
	__typeof__(ncclCommWindowDeregister) *call;

	memcpy(&call, &api->window_deregister, sizeof call);
	return call(comm, buffer->handle);
}
#else
ncclResult_t nccl_init_comm(struct nccl_state *state, ncclComm_t *comm, int nranks, ncclUniqueId id, int rank)
{
	return state->api.init_rank(comm, nranks, id, rank);
}

static ncclResult_t register_window(const struct nccl_api *api, ncclComm_t comm, struct nccl_buffer *buffer)
{
	(void)api, (void)comm, (void)buffer;
	return ncclInvalidUsage;
}

static ncclResult_t deregister_window(const struct nccl_api *api, ncclComm_t comm, const struct nccl_buffer *buffer)
{
	(void)api, (void)comm, (void)buffer;
	return ncclInvalidUsage;
}
#endif

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 19, 0)
ncclResult_t nccl_mem_alloc(const struct nccl_state *state, void **memory, size_t bytes)
{
	__typeof__(ncclMemAlloc) *call;

	memcpy(&call, &state->api.mem_alloc, sizeof call);
	return call(memory, bytes);
}

ncclResult_t nccl_mem_free(const struct nccl_state *state, void *memory)
{
	__typeof__(ncclMemFree) *call;

	memcpy(&call, &state->api.mem_free, sizeof call);
	return call(memory);
}

static ncclResult_t register_buffer(const struct nccl_api *api, ncclComm_t comm, struct nccl_buffer *buffer)
{
	__typeof__(ncclCommRegister) *call;

	memcpy(&call, &api->comm_register, sizeof call);
	return call(comm, buffer->memory, buffer->bytes, &buffer->handle);
}

static ncclResult_t deregister_buffer(const struct nccl_api *api, ncclComm_t comm, const struct nccl_buffer *buffer)
{
	__typeof__(ncclCommDeregister) *call;

	memcpy(&call, &api->comm_deregister, sizeof call);
	return call(comm, buffer->handle);
}
#else
ncclResult_t nccl_mem_alloc(const struct nccl_state *state, void **memory, size_t bytes)
{
	(void)state, (void)memory, (void)bytes;
	return ncclInvalidUsage;
}

ncclResult_t nccl_mem_free(const struct nccl_state *state, void *memory)
{
	(void)state, (void)memory;
	return ncclInvalidUsage;
}

static ncclResult_t register_buffer(const struct nccl_api *api, ncclComm_t comm, struct nccl_buffer *buffer)
{
	(void)api, (void)comm, (void)buffer;
	return ncclInvalidUsage;
}

static ncclResult_t deregister_buffer(const struct nccl_api *api, ncclComm_t comm, const struct nccl_buffer *buffer)
{
	(void)api, (void)comm, (void)buffer;
	return ncclInvalidUsage;
}
#endif

ncclResult_t nccl_register(const struct nccl_state *state, const struct nccl_rank *rank, struct nccl_buffer *buffer)
{
	if (state->local_register == 2)
		return register_window(&state->api, rank->comm, buffer);
	return register_buffer(&state->api, rank->comm, buffer);
}

ncclResult_t nccl_deregister(const struct nccl_state *state, const struct nccl_rank *rank, const struct nccl_buffer *buffer)
{
	if (state->local_register == 2)
		return deregister_window(&state->api, rank->comm, buffer);
	return deregister_buffer(&state->api, rank->comm, buffer);
}

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
ncclResult_t nccl_native(const struct nccl_state *state, const struct nccl_rank *rank, enum coll_id coll, const void *send,
			 void *recv, size_t count, ncclDataType_t type, int root)
{
	__typeof__(ncclAlltoAll) *alltoall;
	__typeof__(ncclGather) *rooted;

	if (coll == COLL_ALLTOALL) {
		memcpy(&alltoall, &state->api.alltoall, sizeof alltoall);
		return alltoall(send, recv, count, type, rank->comm, rank->stream);
	}
	/* Both have the same arguments. */
	memcpy(&rooted, coll == COLL_GATHER ? &state->api.gather : &state->api.scatter, sizeof rooted);
	return rooted(send, recv, count, type, root, rank->comm, rank->stream);
}
#else
ncclResult_t nccl_native(const struct nccl_state *state, const struct nccl_rank *rank, enum coll_id coll, const void *send,
			 void *recv, size_t count, ncclDataType_t type, int root)
{
	(void)state, (void)rank, (void)coll, (void)send, (void)recv, (void)count, (void)type, (void)root;
	return ncclInvalidUsage;
}
#endif
