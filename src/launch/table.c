/* SPDX-License-Identifier: Apache-2.0
 *
 * Which launches were built.
 */
#include "../launch.h"

#if HAVE_MPI
#define MPI_OPEN launch_open_mpi
#define MPI_MISSING NULL
#else
#define MPI_OPEN NULL
#define MPI_MISSING "built without MPI (mpicc was not found, or MPI=0)"
#endif

const struct launch_entry launches[LAUNCH_WAYS] = {
	[LAUNCH_BY_MPI] = { MPI_OPEN, "mpi", "started by a process manager of MPI", MPI_MISSING },
	[LAUNCH_BY_ENV] = { launch_open_env, "env", "variables of torchrun or Slurm, a rendezvous over TCP", NULL },
	[LAUNCH_BY_SELF] = { launch_open_self, "self", "this process alone", NULL },
};
