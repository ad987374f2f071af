/* SPDX-License-Identifier: Apache-2.0
 *
 * Which backends were built. The Makefile defines HAVE_MPI for this file alone.
 */
#include "../backend.h"

#if HAVE_MPI
#define MPI_OPS &backend_mpi
#define MPI_MISSING NULL
#else
#define MPI_OPS NULL
#define MPI_MISSING "built without MPI (mpicc was not found, or MPI=0)"
#endif

const struct backend_entry backends[] = {
	{ MPI_OPS, "mpi", MPI_MISSING },
	{ NULL, "nccl", "not in this version" },
	{ &backend_sim, "sim", NULL },
	{ NULL, NULL, NULL },
};
