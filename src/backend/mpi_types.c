/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI types and operations of ours. MPI has no 16-bit floating types: they are two opaque bytes with operations that use the same arithmetic as
 * the data check's reference.
 */
#include <stdio.h>
#include <string.h>

#include "mpi.h"

int mpi_check(int rc, const char *call)
{
	char text[MPI_MAX_ERROR_STRING];
	int length = 0;

	if (rc == MPI_SUCCESS)
		return 0;
	MPI_Error_string(rc, text, &length);
	fprintf(stderr, "mpi: %s: %.*s\n", call, length, text);
	return -1;
}

static void half_sum(void *from, void *into, int *count, MPI_Datatype *type)
{
	(void)type;
	redop_combine(REDOP_SUM, DTYPE_HALF, into, from, (size_t)*count);
}

static void half_prod(void *from, void *into, int *count, MPI_Datatype *type)
{
	(void)type;
	redop_combine(REDOP_PROD, DTYPE_HALF, into, from, (size_t)*count);
}

static void half_max(void *from, void *into, int *count, MPI_Datatype *type)
{
	(void)type;
	redop_combine(REDOP_MAX, DTYPE_HALF, into, from, (size_t)*count);
}

static void half_min(void *from, void *into, int *count, MPI_Datatype *type)
{
	(void)type;
	redop_combine(REDOP_MIN, DTYPE_HALF, into, from, (size_t)*count);
}

static void bfloat16_sum(void *from, void *into, int *count, MPI_Datatype *type)
{
	(void)type;
	redop_combine(REDOP_SUM, DTYPE_BFLOAT16, into, from, (size_t)*count);
}

static void bfloat16_prod(void *from, void *into, int *count, MPI_Datatype *type)
{
	(void)type;
	redop_combine(REDOP_PROD, DTYPE_BFLOAT16, into, from, (size_t)*count);
}

static void bfloat16_max(void *from, void *into, int *count, MPI_Datatype *type)
{
	(void)type;
	redop_combine(REDOP_MAX, DTYPE_BFLOAT16, into, from, (size_t)*count);
}

static void bfloat16_min(void *from, void *into, int *count, MPI_Datatype *type)
{
	(void)type;
	redop_combine(REDOP_MIN, DTYPE_BFLOAT16, into, from, (size_t)*count);
}

static int create_ops(MPI_Op *ops, MPI_User_function *const *functions)
{
	for (int op = REDOP_SUM; op < REDOP_AVG; op++)
		if (mpi_check(MPI_Op_create(functions[op], 1, &ops[op]), "MPI_Op_create"))
			return -1;
	ops[REDOP_AVG] = ops[REDOP_SUM];
	return 0;
}

static int create_type(MPI_Datatype *type)
{
	if (mpi_check(MPI_Type_contiguous(2, MPI_BYTE, type), "MPI_Type_contiguous"))
		return -1;
	return mpi_check(MPI_Type_commit(type), "MPI_Type_commit");
}

int mpi_types_open(struct mpi_state *state)
{
	MPI_User_function *const half[] = { half_sum, half_prod, half_max, half_min };
	MPI_User_function *const bfloat16[] = { bfloat16_sum, bfloat16_prod, bfloat16_max, bfloat16_min };
	const MPI_Datatype types[DTYPE_COUNT] = {
		[DTYPE_INT8] = MPI_INT8_T,     [DTYPE_UINT8] = MPI_UINT8_T, [DTYPE_INT32] = MPI_INT32_T,
		[DTYPE_UINT32] = MPI_UINT32_T, [DTYPE_INT64] = MPI_INT64_T, [DTYPE_UINT64] = MPI_UINT64_T,
		[DTYPE_HALF] = MPI_BYTE,       [DTYPE_BFLOAT16] = MPI_BYTE, [DTYPE_FLOAT] = MPI_FLOAT,
		[DTYPE_DOUBLE] = MPI_DOUBLE,   [DTYPE_F8E4M3] = MPI_BYTE,   [DTYPE_F8E5M2] = MPI_BYTE,
	};
	/* avg is a sum; the division follows in the same timed call. */
	const MPI_Op ops[REDOP_COUNT] = { MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_SUM, MPI_OP_NULL };

	memcpy(state->types, types, sizeof types);
	memcpy(state->ops, ops, sizeof ops);
	if (create_type(&state->types[DTYPE_HALF]) || create_type(&state->types[DTYPE_BFLOAT16]))
		return -1;
	return create_ops(state->half_ops, half) || create_ops(state->bfloat16_ops, bfloat16) ? -1 : 0;
}

void mpi_types_close(struct mpi_state *state)
{
	MPI_Type_free(&state->types[DTYPE_HALF]);
	MPI_Type_free(&state->types[DTYPE_BFLOAT16]);
	for (int op = REDOP_SUM; op < REDOP_AVG; op++) {
		MPI_Op_free(&state->half_ops[op]);
		MPI_Op_free(&state->bfloat16_ops[op]);
	}
}

MPI_Op mpi_op(const struct mpi_state *state, enum dtype type, enum redop op)
{
	if (type == DTYPE_HALF)
		return state->half_ops[op];
	return type == DTYPE_BFLOAT16 ? state->bfloat16_ops[op] : state->ops[op];
}
