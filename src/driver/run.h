/* SPDX-License-Identifier: Apache-2.0
 *
 * The sub-command run.
 */
#ifndef COLLPERF_DRIVER_RUN_H
#define COLLPERF_DRIVER_RUN_H

/* `program` is what the driver was started as; argv[0] is "run". Returns the exit code. */
int run_main(const char *program, int argc, char **argv);

#endif
