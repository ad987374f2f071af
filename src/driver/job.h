/* SPDX-License-Identifier: Apache-2.0
 *
 * One command at a time: started without a shell in a process group of its own, so that a terminal's Ctrl-C reaches it once, from us.
 * Signals come in through a descriptor; there is no handler and no global state.
 */
#ifndef COLLPERF_DRIVER_JOB_H
#define COLLPERF_DRIVER_JOB_H

#include <signal.h>
#include <stdbool.h>

#include "words.h"

struct job_watch {
	int fd;       /* signalfd */
	int caught;   /* SIGINT, SIGTERM or SIGHUP came; 0: none */
	sigset_t set; /* what is blocked */
	sigset_t before;
};

struct job_end {
	int error;     /* errno of the start, 0: it ran */
	int exit_code; /* meaningful where error and signal are 0 */
	int signal;    /* that ended the command; 0: none */
	double seconds;
};

/* From here on SIGINT, SIGTERM, SIGHUP (unless ignored) and SIGCHLD only show in job_run. -1 after one line on stderr. */
int job_open(struct job_watch *watch);
void job_close(struct job_watch *watch);

/* Whether a signal asked for the end, now or before. */
bool job_is_interrupted(struct job_watch *watch);

/*
 * Runs a command found on PATH and returns when it has ended; never waits for whoever else holds its output open. `out` and `err` are
 * descriptors for its stdout and stderr, -1: ours. Its stdin is empty. A first signal is passed on to the command alone (a launcher
 * tells its ranks), a second one kills its process group; so does the end of an interrupted command.
 */
void job_run(struct job_watch *watch, const struct words *command, int out, int err, struct job_end *end);

#endif
