/* SPDX-License-Identifier: Apache-2.0
 *
 * The sub-command run.
 */
#ifndef COLLPERF_DRIVER_RUN_H
#define COLLPERF_DRIVER_RUN_H

/* argv[0] is "run". Returns the exit code. */
int run_main(int argc, char **argv);

#endif
