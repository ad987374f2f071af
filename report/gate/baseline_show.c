/* SPDX-License-Identifier: Apache-2.0
 *
 * What a baseline holds, as a table.
 */
#include "baseline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "../escape.h"
#include "baseline_run.h"

enum { LEAST_WIDTH = 8, CELL = 40, TIME = 24 };

static int read_all(const struct baseline *baseline, struct baseline_run *runs)
{
	for (size_t i = 0; i < baseline->count; i++) {
		char *place = baseline_place(baseline, i);
		const int rc = place ? baseline_run_stored(place, baseline->names[i], &runs[i]) : -1;

		free(place);
		if (rc)
			return -1;
	}
	return 0;
}

/* In printable ASCII and cut, so that columns stay columns. */
static void put_cell(int width, const char *text)
{
	char shown[CELL];
	size_t n = 0;

	for (; text[n] && n + 1 < sizeof shown; n++)
		shown[n] = (char)(text[n] >= ' ' && text[n] <= '~' ? text[n] : '?');
	shown[n] = '\0';
	printf("%-*s  ", width, shown);
}

static int widest(size_t count, const struct baseline_run *runs, bool library, int least)
{
	int width = least;

	for (size_t i = 0; i < count; i++) {
		const size_t length = strlen(library ? runs[i].library : runs[i].host);
		const int shown = length < CELL ? (int)length : CELL - 1;

		width = shown > width ? shown : width;
	}
	return width;
}

static bool has_any(size_t count, const struct baseline_run *runs, size_t coll)
{
	for (size_t i = 0; i < count; i++) {
		if (isfinite(runs[i].peak[coll]))
			return true;
	}
	return false;
}

static int column_width(size_t coll)
{
	const int length = (int)strlen(collectives[coll]->name);

	return length > LEAST_WIDTH ? length : LEAST_WIDTH;
}

static void put_peaks(size_t count, const struct baseline_run *runs, const struct baseline_run *run)
{
	for (size_t c = 0; c < COLL_COUNT; c++) {
		const size_t id = collectives[c]->id;

		if (!has_any(count, runs, id))
			continue;
		if (!run)
			printf(" %*s", column_width(c), collectives[c]->name);
		else if (isfinite(run->peak[id]))
			printf(" %*.4g", column_width(c), run->peak[id] / 1e9);
		else
			printf(" %*s", column_width(c), "-");
	}
	putchar('\n');
}

static void put_table(size_t count, const struct baseline_run *runs)
{
	const int host = widest(count, runs, false, 4), library = widest(count, runs, true, 7);

	printf("%-*s  launches  %-*s  cores  %-*s  ", TIME, "when", host, "host", library, "library");
	put_peaks(count, runs, NULL);
	for (size_t i = 0; i < count; i++) {
		put_cell(TIME, runs[i].started);
		if (runs[i].launches > 0)
			printf("%8zu  ", runs[i].launches);
		else
			printf("%8s  ", "-");
		put_cell(host, runs[i].host);
		printf("%5ld  ", runs[i].cores);
		put_cell(library, runs[i].library);
		put_peaks(count, runs, &runs[i]);
	}
}

enum gate_exit baseline_show(const struct baseline *baseline)
{
	const size_t count = baseline->count;
	struct baseline_run *runs = calloc(count + 1, sizeof *runs);
	enum gate_exit code = GATE_EXIT_INPUT;

	if (!runs) {
		array_failed();
		return code;
	}
	if (count == 0 && baseline->lock < 0) {
		baseline_complain(baseline->path, "is no baseline; collperf baseline update makes one");
		free(runs);
		return code;
	}
	if (read_all(baseline, runs) == 0) {
		escape_put(stdout, ESCAPE_PLAIN, "%s: %zu run%s, oldest first%s\n", baseline->path, count, count == 1 ? "" : "s",
			   count > 0 ? "; peak busbw in GB/s, median over launches" : "");
		if (count > 0)
			put_table(count, runs);
		code = GATE_EXIT_OK;
	}
	for (size_t i = 0; i < count; i++)
		baseline_run_clear(&runs[i]);
	free(runs);
	return code;
}
