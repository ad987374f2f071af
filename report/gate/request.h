/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of `collperf compare` for the other commands that compare: ab and baseline.
 */
#ifndef COLLPERF_GATE_REQUEST_H
#define COLLPERF_GATE_REQUEST_H

#include "tell.h"

struct gate_options;

/*
 * argv[0] is whatever; options, then words. The code is 0, else NULL is returned after one line on stderr: 2 usage, 3 a file of gates cannot be read or
 * memory is out. argv is put in another order and must outlive the options.
 */
struct gate_options *gate_options_read(int argc, char **argv, enum gate_exit *code);
void gate_options_free(struct gate_options *options);

/* All but the inputs and names. */
const struct gate_request *gate_options_request(const struct gate_options *options);
/* The words that are no options. */
char *const *gate_options_words(const struct gate_options *options, size_t *count);

/* A story as the request wants it told. -1 after one line on stderr. */
int gate_tell(const struct gate_request *request, const struct gate_story *story);

/* That there is no comparison, and why, in the request's files, so that none of an earlier one is taken for it. -1 after one line on stderr. */
int gate_tell_nothing(const struct gate_request *request, const char *why);

/* Whether these are the runs of both variants of one `collperf ab`; then also what they are called there. */
bool gate_ab_sides(const struct facts *base, const struct facts *next, const char *calls[GATE_SIDES]);

#endif
