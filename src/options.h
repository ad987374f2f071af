/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of the <primitive>_perf binaries: one table of options gives parsing, --help, the man page and the checks.
 */
#ifndef COLLPERF_OPTIONS_H
#define COLLPERF_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "dtype.h"
#include "exchange.h"
#include "groups.h"
#include "pairs.h"
#include "redop.h"

struct step_options;

enum timing { TIMING_SYNC, TIMING_LOOP };
enum start { START_CLOCK, START_BARRIER };
enum format { FORMAT_NCCL, FORMAT_WIDE };
enum launch_kind { LAUNCH_AUTO, LAUNCH_MPI, LAUNCH_ENV, LAUNCH_SELF };
enum readback { READBACK_OFF, READBACK_PATH, READBACK_ALL };
enum combine { COMBINE_RANK0, COMBINE_AVG, COMBINE_MIN, COMBINE_MAX };
enum inject_kind { INJECT_NONE, INJECT_CORRUPT, INJECT_DELAY, INJECT_HANG, INJECT_ABORT, INJECT_CLOCK };
enum { OPTION_ALL = -1, OPTIONS_MAX_LABELS = 64 };

/* --inject KIND=RANK[:US][@SIZE] */
struct inject {
	enum inject_kind kind;
	int rank;
	double seconds; /* delay and clock: from microseconds */
	uint64_t bytes; /* only at this requested size; 0: at every size */
};

struct options {
	/* sizes */
	uint64_t min_bytes, max_bytes, step_bytes; /* -b -e -i */
	uint64_t step_factor;                      /* -f; 1: additive */
	/* what */
	int type; /* enum dtype or OPTION_ALL */
	int op;   /* enum redop or OPTION_ALL */
	int root; /* or OPTION_ALL */
	/* how often */
	long iters;      /* -n; 0: until the precision is reached */
	long warmup;     /* -w */
	long agg_iters;  /* -m */
	long cycles;     /* -N; 0: until interrupted */
	long check;      /* -c */
	double max_time; /* --max-time, seconds a point */
	double ci;       /* --ci, as a fraction of the median: 0.025 */
	enum timing timing;
	enum start sync;      /* --sync: what a sample of sync timing starts from */
	enum combine combine; /* -a */
	bool combine_given;
	double timeout; /* -T, seconds; 0: none */
	long unalign;   /* -u, elements */
	/* GPU side, kept for the backend that can */
	long nthreads, ngpus, blocking, graph, cpu_time, local_register; /* -t -g -z -G -C -R */
	long parallel_init, cta_policy, stream_null, memory_report;      /* -p -x (-1: NCCL's default) -y -M */
	long first_device;                                               /* NCCL_TESTS_DEVICE */
	bool hold;       /* --hold: a loop's calls wait on the device until all are queued */
	bool share_gpus; /* --share-gpus: more ranks than GPUs of a host is no error */
	/* any backend */
	long per_iter, per_iter_skip; /* -I -K */
	bool rotate;                  /* --rotate */
	enum pairs pairs;             /* --pairs */
	double skew;                  /* --skew, 0 to 1 */
	const char *matrix;           /* --matrix, a file; NULL: none. Sizes are 0 with it, unless given, until it is read */
	struct exchange exchange;     /* --mode --stride --pipeline: of sendrecv */
	struct exchange serial;       /* the same with one staging buffer, which a pipeline is compared with */
	struct split split;           /* --split, NCCL_TESTS_SPLIT, NCCL_TESTS_SPLIT_MASK */
	double connect_timeout;       /* --connect-timeout, seconds */
	/* where */
	const char *backend; /* "auto", "mpi", "nccl", "sim" */
	enum launch_kind launch;
	bool malloc_system; /* --malloc system: leave malloc alone */
	/* how the bytes go: steer.h makes it so before a library is started */
	const char *path;            /* a word of topo/way.h: "auto", "shm" ... */
	const char *algo;            /* NULL: the library's choice */
	enum readback readback;      /* what the library's log is asked for */
	const struct uneven *uneven; /* set by who reads --skew and --matrix (uneven.h); NULL: even */
	const char *variant;         /* of every point, set by who makes the calls other than plain; NULL: none */
	const char *forced;          /* our name of what the library takes for certain, set by who steers; NULL: none */
	/* output */
	const char *csv, *json, *facts; /* NULL: none; "-": stdout */
	enum format format;
	bool timestamps;                        /* -S */
	const char *labels[OPTIONS_MAX_LABELS]; /* each "K=V" */
	size_t nlabels;
	const char *run; /* --run-id; NULL: made up */
	/* sim */
	int sim_ranks;
	double sim_alpha;                          /* seconds */
	double sim_bandwidth;                      /* bytes per second */
	double sim_gamma;                          /* seconds per byte */
	const char *sim_model;                     /* NULL: the collective's ring model, else its name */
	double sim_noise_launch, sim_noise_sample; /* relative standard deviations */
	uint64_t seed;
	struct inject inject;
	const char *sim_option;    /* the last --sim-* option that was given, without its dashes; NULL: none */
	struct step_options *step; /* of bucket_perf, whose file of gradients is read later; NULL: a primitive is measured */
	long occupancy;            /* of steps: percent of a GPU's multiprocessors that compute fills */
	/* instead of measuring */
	bool help, version, list, dry_run, man;
};

/* What went wrong, in one line without the program's name. */
struct options_error {
	char text[512];
};

/*
 * Fills *options with the defaults, then from the command line. 0, or -1 with error->text. argv's texts are borrowed.
 * `has_root` and `has_redop` are of the primitive: -r and -o are accepted for every primitive (scripts pass them to all) and have no
 * effect where there is none. Prints nothing.
 */
int options_parse(int argc, char *const *argv, struct options *options, struct options_error *error);

/*
 * What nccl-tests' users put into the environment: NCCL_TESTS_SPLIT, NCCL_TESTS_SPLIT_MASK and NCCL_TESTS_DEVICE. An option on the command line wins; an
 * empty variable is none. 0, or -1 with error->text, which names the variable.
 */
int options_environment(struct options *options, struct options_error *error);

/* Every rule that joins two options or an option and the backend, general to specific; `backend` is the chosen one. 0 or -1. */
int options_check(const struct options *options, const char *backend, struct options_error *error);

/*
 * Equal for processes that will do the same: all options but those of one process alone (where to write, labels, time limits), the program and its
 * version.
 */
uint64_t options_fingerprint(const struct options *options, const char *program, const char *version);

void options_help(FILE *out, const char *program, const char *summary);
/* A man page (man macros) of the perf binaries. */
void options_man(FILE *out);

/* The sizes of the sweep, in order: starts from *bytes = 0; false at the end. Never loops for ever, never overflows. */
bool options_next_size(const struct options *options, uint64_t *bytes);

#endif
