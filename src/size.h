/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers as people write them on a command line. Every parser checks the whole text and leaves *value alone when it returns -1.
 * K, M, G, T are powers of 1024 in sizes and powers of 1000 in bandwidths.
 */
#ifndef COLLPERF_SIZE_H
#define COLLPERF_SIZE_H

#include <stddef.h>
#include <stdint.h>

/*
 * "8", "64K", "1.5G", "2T", "1P"; suffix of either case, optionally followed by "B" or "iB" ("4MiB", "8KB"). The value must be a whole number
 * of bytes that fits 63 bits. No sign, no exponent, no hexadecimal, no blanks, no empty text.
 */
int size_parse(const char *text, uint64_t *value);

/* A plain decimal whole number between min and max; a sign only where min < 0. */
int count_parse(const char *text, long min, long max, long *value);

/* "2.5", "1e-3": finite, decimal, >= 0. */
int real_parse(const char *text, double *value);

/* "5us", "1.5ms", "2s", "800ns", plain number: seconds. */
int duration_parse(const char *text, double *seconds);

/* "100G", "12.5GB/s", "12.5GBps", "900M", plain: bytes per second, at least 1; decimal powers. */
int bandwidth_parse(const char *text, double *bytes_per_second);

/* "2%", "2.5%", "0.025": a fraction >= 0; a plain number over 1 is an error without '%'. */
int fraction_parse(const char *text, double *fraction);

/* "8", "64K", "1.5M": exact where it can be with at most 2 decimals. `buffer` of at least 24 bytes. */
const char *size_format(uint64_t value, char *buffer, size_t size);

#endif
