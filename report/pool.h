/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts kept once each: a million rows name the same few types, hosts and flags. Equal texts of one pool are equal pointers.
 */
#ifndef COLLPERF_POOL_H
#define COLLPERF_POOL_H

struct pool;

/* NULL when memory is out. */
struct pool *pool_new(void);
void pool_free(struct pool *pool);

/* The pool's own copy of text, which lives as long as the pool; NULL when memory is out. */
const char *pool_text(struct pool *pool, const char *text);

#endif
