/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the MPI backend share. Nobody else includes this.
 */
#ifndef COLLPERF_BACKEND_MPI_H
#define COLLPERF_BACKEND_MPI_H

#include <mpi.h>

#include "../backend.h"

struct mpi_state {
	MPI_Comm comm; /* of the group, and our own: measured calls never meet the launch's control messages */
	int rank;      /* inside the group */
	int nranks;    /* of the group */
	double spin;   /* seconds before a common start from which on a rank spins instead of sleeping */
	bool yield;    /* more ranks than cores: give the core away while waiting */
	int *counts; /* of reduce_scatter, nranks entries, each count_filled; or of alltoallv, four lists of nranks, of the layout */
	size_t count_filled;
	struct coll_layout layout;
	struct coll_shape layout_shape;
	MPI_Datatype types[DTYPE_COUNT];
	MPI_Op ops[REDOP_COUNT];          /* the built-in ones */
	MPI_Op half_ops[REDOP_COUNT];     /* for DTYPE_HALF */
	MPI_Op bfloat16_ops[REDOP_COUNT]; /* for DTYPE_BFLOAT16 */
	char *staging;                    /* of pipelines, as large as one needed so far */
	size_t staging_bytes;
	MPI_Request requests[EXCHANGE_MOST_BUFFERS + EXCHANGE_PIECES]; /* of pipelines */
	bool unsigned_is_signed;                                       /* MPI_MAX and MPI_MIN */
	bool reduce_in_place_crashes;                                  /* at a root other than 0 */
	char library[128];
	char headers[64];
};

/* 0, or -1 after one line that names the MPI function. */
int mpi_check(int rc, const char *call);

/* Fills types and ops; -1 after one line. */
int mpi_types_open(struct mpi_state *state);
void mpi_types_close(struct mpi_state *state);
MPI_Op mpi_op(const struct mpi_state *state, enum dtype type, enum redop op);

/* mpi_uneven.c */
backend_call_fn mpi_alltoallv, mpi_barrier, mpi_hypercube;

/* backend_ops.call */
extern backend_call_fn *const mpi_calls[COLL_COUNT];

/* backend_ops.step */
extern const struct backend_step_ops mpi_step;

/* A sendrecv that is not plain; up to 2^31 - 1 elements. */
int mpi_exchange(struct mpi_state *state, const struct backend_call *call);

/* Counts above 2^31 - 1. False where the library is older than MPI 4: the calls must not be made then. */
extern const bool mpi_has_large_counts;
int mpi_large_call(struct mpi_state *state, const struct backend_call *call, const void *send, void *recv);
int mpi_large_alltoallv(struct mpi_state *state, const struct backend_call *call);
int mpi_large_exchange(struct mpi_state *state, const struct backend_call *call, size_t count, int peer, const void *send,
		       void *recv);

#endif
