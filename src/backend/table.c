/* SPDX-License-Identifier: Apache-2.0
 *
 * Which backends were built. The Makefile defines HAVE_MPI and HAVE_NCCL for the files table.c alone.
 */
#include "../backend.h"

#if HAVE_MPI
#define MPI_OPS &backend_mpi
#define MPI_MISSING NULL
#else
#define MPI_OPS NULL
#define MPI_MISSING "built without MPI (mpicc was not found, or MPI=0)"
#endif

#if HAVE_NCCL
#define NCCL_OPS &backend_nccl
#define NCCL_MISSING NULL
#else
#define NCCL_OPS NULL
#define NCCL_MISSING "built without NCCL (nccl.h or cuda_runtime_api.h was not found, or NCCL=0)"
#endif

/* --backend auto takes the first that this machine can run and that is no simulation. */
const struct backend_entry backends[] = {
	{ NCCL_OPS, "nccl", NCCL_MISSING },
	{ MPI_OPS, "mpi", MPI_MISSING },
	{ &backend_sim, "sim", NULL },
	{ NULL, NULL, NULL },
};
