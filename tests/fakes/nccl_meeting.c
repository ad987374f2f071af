/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the ranks of a communicator meet: memory of the process that made the unique id, which the others open by the id of that process and a file
 * descriptor of it. It has no name in any file system, so nothing is left behind however the processes end.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "nccl_fake.h"

enum { SPINS = 2 };

struct unique_id {
	char magic[16];
	pid_t pid;
	int fd;
	uint64_t nonce;
};

static const char magic[16] = "collperf-fake-1";

ncclResult_t fake_meeting_make(ncclUniqueId *id)
{
	struct unique_id made = { .pid = getpid(), .fd = memfd_create("collperf-fake-nccl", MFD_CLOEXEC) };

	memcpy(made.magic, magic, sizeof(magic));
	if (made.fd < 0 || getrandom(&made.nonce, sizeof(made.nonce), 0) != sizeof(made.nonce) ||
	    pwrite(made.fd, &made.nonce, sizeof(made.nonce), offsetof(struct fake_meeting, nonce)) != sizeof(made.nonce))
		return fake_error(ncclSystemError, "no shared memory: %s", strerror(errno));
	memset(id, 0, sizeof(*id));
	memcpy(id, &made, sizeof(made));
	return ncclSuccess;
}

static size_t meeting_bytes(int nranks)
{
	size_t ranks = (size_t)nranks;

	return sizeof(struct fake_meeting) + ranks * 2 * FAKE_ROOM + ranks * ranks * sizeof(struct fake_letter);
}

static uint64_t hash_of(const char *text)
{
	uint64_t hash = 14695981039346656037u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 1099511628211u;
	return hash;
}

struct fake_seat *fake_own_seat(ncclComm_t comm)
{
	return &comm->meeting->seats[comm->rank];
}

/* NCCL takes ranks with the same NCCL_HOSTID for ranks of one host. */
static void take_seat(ncclComm_t comm)
{
	struct fake_seat *seat = fake_own_seat(comm);
	const char *host = getenv("NCCL_HOSTID");
	char name[256] = "";
	int absent = FAKE_ABSENT, any = 0;

	if (!atomic_compare_exchange_strong(&comm->meeting->nranks, &any, comm->nranks) && any != comm->nranks)
		fake_fail("ncclCommInitRank: rank %d says %d ranks, another says %d", comm->rank, comm->nranks, any);
	if (!atomic_compare_exchange_strong(&seat->presence, &absent, FAKE_ARRIVING))
		fake_fail("ncclCommInitRank: rank %d is there twice with this unique id", comm->rank);
	if (!host || !*host) {
		gethostname(name, sizeof(name) - 1);
		host = name;
	}
	seat->pid = getpid();
	seat->host = hash_of(host);
	if (cudaDeviceGetPCIBusId(seat->bus, sizeof(seat->bus), comm->device))
		fake_fail("ncclCommInitRank: device %d has no bus id", comm->device);
	atomic_store(&seat->presence, FAKE_PRESENT);
	fake_ring(&comm->meeting->bell);
}

ncclResult_t fake_meeting_open(ncclComm_t comm, const ncclUniqueId *id)
{
	size_t bytes = meeting_bytes(comm->nranks);
	struct unique_id asked;
	struct stat status;
	char path[64];
	void *memory;
	int fd;

	memcpy(&asked, id, sizeof(asked));
	if (memcmp(asked.magic, magic, sizeof(magic)))
		fake_fail("ncclCommInitRank: rank %d has a unique id that ncclGetUniqueId did not give", comm->rank);
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)asked.pid, asked.fd);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return fake_error(ncclSystemError, "the process that made the unique id cannot be reached: %s", strerror(errno));
	if (fstat(fd, &status) || ((size_t)status.st_size < bytes && ftruncate(fd, (off_t)bytes))) {
		close(fd);
		return fake_error(ncclSystemError, "no shared memory: %s", strerror(errno));
	}
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (memory == MAP_FAILED)
		return fake_error(ncclSystemError, "no shared memory: %s", strerror(errno));
	comm->meeting = (struct fake_meeting *)memory;
	comm->mapped = bytes;
	if (comm->meeting->nonce != asked.nonce)
		fake_fail("ncclCommInitRank: rank %d has a unique id of a process that is gone", comm->rank);
	take_seat(comm);
	return ncclSuccess;
}

void fake_meeting_close(ncclComm_t comm)
{
	munmap(comm->meeting, comm->mapped);
	comm->meeting = NULL;
}

unsigned char *fake_room(const struct ncclComm *comm, int rank, uint64_t step)
{
	return (unsigned char *)(comm->meeting + 1) + ((size_t)rank * 2 + step % 2) * FAKE_ROOM;
}

struct fake_letter *fake_letter(const struct ncclComm *comm, int from, int to)
{
	struct fake_letter *letters = (struct fake_letter *)(void *)fake_room(comm, comm->nranks, 0);

	return letters + (size_t)from * (size_t)comm->nranks + (size_t)to;
}

static long futex(atomic_uint *word, int what, unsigned value, const struct timespec *until)
{
	return syscall(SYS_futex, word, what, value, until, NULL, 0);
}

void fake_ring(atomic_uint *word)
{
	atomic_fetch_add(word, 1);
	futex(word, FUTEX_WAKE, INT_MAX, NULL);
}

long fake_limit(void)
{
	return fake_setting("limit");
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Whoever aborts rings; that the wait ends by itself after a while is for processes that were killed. */
bool fake_wait(ncclComm_t comm, const struct fake_wait *wait)
{
	const struct timespec nap = { 0, 200 * 1000 * 1000 };
	double late = 0;

	for (int spin = 0;; spin++) {
		unsigned value = atomic_load(wait->word);

		if (atomic_load(&comm->aborted))
			return false;
		if (wait->ready(wait->arg))
			return true;
		if (spin < SPINS) {
			sched_yield();
			continue;
		}
		if (late == 0)
			late = seconds() + (double)fake_limit();
		futex(wait->word, FUTEX_WAIT, value, &nap);
		if (wait->late && seconds() > late && !wait->ready(wait->arg))
			wait->late(wait->arg);
	}
}
