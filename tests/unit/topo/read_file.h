/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of readers share: one reading, of a file of tests/data/topo or of a text, and questions about its host.
 */
#ifndef COLLPERF_TEST_READ_FILE_H
#define COLLPERF_TEST_READ_FILE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "topo/read.h"

typedef int reader(const char *file, const char *text, size_t size, struct topo *topo, char *error, size_t error_size);

struct reading {
	struct topo topo;
	struct topo_host *host; /* NULL after an error */
	char error[512];
};

static inline void read_bytes(struct reading *reading, reader *read, const char *file, const char *text, size_t size)
{
	int rc;

	*reading = (struct reading){ 0 };
	rc = read(file, text, size, &reading->topo, reading->error, sizeof reading->error);
	if (rc == 0) {
		assert_string_equal(reading->error, "");
		assert_int_equal(reading->topo.nhosts, 1);
		reading->host = &reading->topo.hosts[0];
	} else {
		assert_int_equal(rc, -1);
		assert_int_equal(reading->topo.nhosts, 0);
		assert_true(strlen(reading->error) > 0);
		assert_null(strchr(reading->error, '\n'));
	}
}

static inline void read_data(struct reading *reading, reader *read, const char *name)
{
	char path[128], *text = malloc(1 << 20);
	size_t size;
	FILE *file;

	snprintf(path, sizeof path, "tests/data/topo/%s", name);
	file = fopen(path, "rb");
	assert_non_null(file);
	assert_non_null(text);
	size = fread(text, 1, 1 << 20, file);
	fclose(file);
	read_bytes(reading, read, path, text, size);
	free(text);
	if (reading->host == NULL)
		fail_msg("%s", reading->error);
	assert_string_equal(reading->host->from, name);
}

static inline void read_text(struct reading *reading, reader *read, const char *text)
{
	read_bytes(reading, read, "some/file", text, strlen(text));
}

/* It is refused for exactly this. */
static inline void refused(reader *read, const char *text, const char *why)
{
	struct reading reading;

	read_text(&reading, read, text);
	assert_null(reading.host);
	assert_string_equal(reading.error, why);
}

static inline void has_note(const struct topo_host *host, const char *note)
{
	for (size_t i = 0; i < host->nnotes; i++) {
		if (strcmp(host->notes[i], note) == 0)
			return;
	}
	for (size_t i = 0; i < host->nnotes; i++)
		print_message("note: %s\n", host->notes[i]);
	fail_msg("no note: %s", note);
}

static inline void same_rate(double rate, double wanted)
{
	if (!(fabs(rate - wanted) <= 1e-9 * wanted))
		fail_msg("%.17g is not %.17g", rate, wanted);
}

static inline void is_linked(const struct topo_host *host, int pci, double gts, int width)
{
	assert_in_range(pci, 0, host->npci - 1);
	same_rate(host->pci[pci].now.gts, gts);
	assert_int_equal(host->pci[pci].now.width, width);
	same_rate(host->pci[pci].most.gts, 0);
}

#endif
