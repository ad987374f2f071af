/* SPDX-License-Identifier: Apache-2.0
 *
 * rawloop all_reduce|broadcast|alltoall BYTES CALLS loop|sync [WARMUP]: the barest timed loop of an MPI collective, no part of the harness,
 * to show what the harness adds to a time. One line from rank 0: collective, bytes, mode, time in microseconds, samples.
 * loop: calls back to back, the mean per rank, the largest over ranks. sync: each call from an agreed start on the host's own clock
 * (so ranks of one host only), the time of the slowest rank, the median over the calls that no rank came late to.
 */
#include <malloc.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct job {
	const char *collective;
	void (*call)(const struct job *job);
	float *send, *recv;
	int count; /* as the call takes it */
	int calls, warmup;
	int rank, nranks;
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void all_reduce(const struct job *job)
{
	MPI_Allreduce(job->send, job->recv, job->count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static void broadcast(const struct job *job)
{
	MPI_Bcast(job->rank == 0 ? job->send : job->recv, job->count, MPI_FLOAT, 0, MPI_COMM_WORLD);
}

static void alltoall(const struct job *job)
{
	MPI_Alltoall(job->send, job->count, MPI_FLOAT, job->recv, job->count, MPI_FLOAT, MPI_COMM_WORLD);
}

static double loop_time(const struct job *job)
{
	double start, mean, largest;

	MPI_Barrier(MPI_COMM_WORLD);
	start = now();
	for (int i = 0; i < job->calls; i++)
		job->call(job);
	mean = (now() - start) / job->calls;
	MPI_Reduce(&mean, &largest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	return largest;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* From one start to the next: somewhat over the mean, known to all ranks; a longer pause would let cores and caches cool. */
static double window_length(const struct job *job)
{
	double length = 1.3 * loop_time(job) + 2e-6;

	MPI_Bcast(&length, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	return length;
}

/* A late rank's sample is larger than any time can be, so that the largest over ranks is, too. */
static void run_windows(const struct job *job, double length, double *times)
{
	double start = now() + 200e-6;

	MPI_Bcast(&start, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	for (int i = 0; i < job->calls; i++, start += length) {
		double time = now();
		const int late = time > start;

		while (time < start)
			time = now();
		job->call(job);
		times[i] = late ? 1e9 : now() - start;
	}
}

static double sync_time(const struct job *job, int *samples)
{
	const double length = window_length(job);
	double *times = calloc((size_t)job->calls, sizeof *times);
	double *slowest = calloc((size_t)job->calls, sizeof *slowest);
	double median;

	run_windows(job, length, times);
	MPI_Reduce(times, slowest, job->calls, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	qsort(slowest, (size_t)job->calls, sizeof *slowest, compare);
	*samples = job->calls;
	while (*samples > 1 && slowest[*samples - 1] > 1e6)
		--*samples;
	median = (slowest[(*samples - 1) / 2] + slowest[*samples / 2]) / 2;
	free(times);
	free(slowest);
	return median;
}

static float *touched(size_t bytes)
{
	void *memory = aligned_alloc(2 << 20, (bytes + (2 << 20)) & ~(size_t)((2 << 20) - 1));

	if (memory == NULL)
		abort();
	memset(memory, 0, bytes);
	return memory;
}

/* As the harness warms up: at least 100 ms before the first point; rank 0's clock decides for all. */
static void warm_up(const struct job *job)
{
	const double until = now() + 0.1;
	int more = 1;

	while (more) {
		job->call(job);
		more = now() < until;
		MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
	}
	for (int i = 0; i < job->warmup; i++)
		job->call(job);
}

static int parse(struct job *job, int argc, char **argv, long *bytes)
{
	if (argc < 5 || (strcmp(argv[4], "loop") != 0 && strcmp(argv[4], "sync") != 0))
		return -1;
	job->collective = argv[1];
	job->call = strcmp(argv[1], "all_reduce") == 0  ? all_reduce
		    : strcmp(argv[1], "broadcast") == 0 ? broadcast
		    : strcmp(argv[1], "alltoall") == 0  ? alltoall
							: NULL;
	*bytes = atol(argv[2]);
	job->calls = atoi(argv[3]);
	job->warmup = argc > 5 ? atoi(argv[5]) : 5;
	return job->call != NULL && *bytes >= 4 && job->calls > 0 ? 0 : -1;
}

int main(int argc, char **argv)
{
	struct job job = { 0 };
	int samples, status = 2;
	long bytes;
	double time;

	mallopt(M_MMAP_THRESHOLD, 1 << 30);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job.nranks);
	if (parse(&job, argc, argv, &bytes) == 0) {
		job.count = (int)(bytes / (long)sizeof(float)) / (job.call == alltoall ? job.nranks : 1);
		job.send = touched((size_t)bytes);
		job.recv = touched((size_t)bytes);
		warm_up(&job);
		samples = job.calls;
		time = strcmp(argv[4], "loop") == 0 ? loop_time(&job) : sync_time(&job, &samples);
		if (job.rank == 0)
			printf("%s %ld %s %.4f %d\n", job.collective, bytes, argv[4], time * 1e6, samples);
		free(job.send);
		free(job.recv);
		status = 0;
	} else if (job.rank == 0) {
		fprintf(stderr, "usage: rawloop all_reduce|broadcast|alltoall BYTES CALLS loop|sync [WARMUP]\n");
	}
	MPI_Finalize();
	return status;
}
