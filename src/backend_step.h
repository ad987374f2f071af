/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that go on while the caller computes, for steps of training. backend.h includes this; a backend that has none leaves the member out.
 */
#ifndef COLLPERF_BACKEND_STEP_H
#define COLLPERF_BACKEND_STEP_H

#include <stddef.h>

struct backend;
struct backend_call;
struct options;

/* Calls are numbered 0, 1 ... in the order of their starts, which is the same on all ranks. All return 0, or -1 after one line on stderr. */
struct backend_step_ops {
	/* What moves data meanwhile whatever was asked for, a word of the progress column; NULL: as was asked for. */
	const char *progress;
	/* May be NULL: it can. Whether this build can, before any launch: 0, or -1 with one line for the user. */
	int (*possible)(char *reason, size_t size);
	/* Room for `calls` calls; may be opened again after its close. *state is for the other functions. */
	int (*open)(struct backend *backend, const struct options *options, size_t calls, void **state);
	void (*close)(void *state);
	/* Starts a call of all ranks (or writes it down for `finish`), out of place or, for an all-gather, in place. Its buffers are left alone until it was waited for. */
	int (*start)(void *state, size_t number, const struct backend_call *call);
	/* Lets the library go on with what is under way; never waits. NULL with `compute`: nobody asks. */
	int (*test)(void *state);
	int (*wait)(void *state, size_t number);
	/* The next call started is number 0 again. All were waited for. */
	void (*again)(void *state);
	/* May be NULL: the host computes. Computes for so many seconds, or has a device compute: then `finish` waits for it. */
	int (*compute)(void *state, double seconds);
	/* May be NULL: `compute` is over on its return. Else a device computes and calls wait for it: all are started, none is made. */
	int (*finish)(void *state);
};

#endif
