/* SPDX-License-Identifier: Apache-2.0
 *
 * A preloaded library for functional tests with more ranks than cores, never for timing: MPICH over UCX spins until a message
 * arrives and never yields, so each rank burns its whole time slice while its peers wait. Here a call of UCX's progress function
 * that found nothing to do gives the core to the next rank. MPI libraries without UCX do not notice it. SHIM_TEST_US makes each MPI_Testsome take so many
 * microseconds more.
 */
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef unsigned progress_function(void *worker);

typedef int test_function(int count, void *requests, int *done, int *indices, void *statuses);

unsigned ucp_worker_progress(void *worker);
/* As any MPI library has it: its handles come by address. */
int MPI_Testsome(int count, void *requests, int *done, int *indices, void *statuses);

/* Looked up each time: a lookup is short beside what is saved, and no state is kept. */
static void *real(const char *name)
{
	void *symbol = dlsym(RTLD_NEXT, name);

	if (symbol == NULL)
		abort();
	return symbol;
}

unsigned ucp_worker_progress(void *worker)
{
	void *symbol = real("ucp_worker_progress");
	progress_function *function;

	memcpy(&function, &symbol, sizeof function);
	const unsigned events = function(worker);

	if (events == 0)
		sched_yield();
	return events;
}

int MPI_Testsome(int count, void *requests, int *done, int *indices, void *statuses)
{
	const char *text = getenv("SHIM_TEST_US");
	void *symbol = real("MPI_Testsome");
	test_function *function;

	memcpy(&function, &symbol, sizeof function);
	if (text != NULL)
		usleep((useconds_t)atoi(text));
	return function(count, requests, done, indices, statuses);
}
