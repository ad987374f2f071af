/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of findings: each sentence once, with the runs that it is said of.
 */
#include "findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

static int add_run(struct finding *finding, const char *run)
{
	for (size_t r = 0; run && r < finding->nruns && r < FINDING_MOST_RUNS; r++) {
		if (strcmp(finding->runs[r], run) == 0)
			return 0;
	}
	if (run && finding->nruns < FINDING_MOST_RUNS) {
		finding->runs[finding->nruns] = strdup(run);
		if (!finding->runs[finding->nruns])
			return array_failed();
	}
	finding->nruns += run != NULL;
	return 0;
}

/* Takes the text. Behind the last one that is at least as bad. */
static int insert(struct findings *findings, enum finding_level level, char *text)
{
	struct finding *grown = array_grow(findings->items, findings->count, sizeof *grown);
	size_t at = findings->count;

	if (!grown) {
		free(text);
		return -1;
	}
	findings->items = grown;
	while (at > 0 && grown[at - 1].level > level)
		at--;
	memmove(&grown[at + 1], &grown[at], (findings->count - at) * sizeof *grown);
	grown[at] = (struct finding){ .level = level, .text = text };
	findings->count++;
	return add_run(&grown[at], findings->run);
}

int findings_add(struct findings *findings, enum finding_level level, const char *format, ...)
{
	va_list args;
	char *text;
	int length;

	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	if (length < 0)
		return array_failed();
	for (size_t i = 0; i < findings->count; i++) {
		struct finding *finding = &findings->items[i];

		if (finding->level == level && strcmp(finding->text, text) == 0) {
			free(text);
			return add_run(finding, findings->run);
		}
	}
	return insert(findings, level, text);
}

void findings_clear(struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		free(findings->items[i].text);
		for (size_t r = 0; r < findings->items[i].nruns && r < FINDING_MOST_RUNS; r++)
			free(findings->items[i].runs[r]);
	}
	for (size_t i = 0; i < findings->nhosts; i++) {
		free(findings->hosts[i].run);
		free(findings->hosts[i].host);
	}
	free(findings->hosts);
	free(findings->items);
	*findings = (struct findings){ 0 };
}

int findings_name_runs(struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		struct finding *finding = &findings->items[i];
		size_t named = finding->nruns < FINDING_MOST_RUNS ? finding->nruns : FINDING_MOST_RUNS, length;
		char *text = NULL;
		FILE *out = finding->nruns > 0 ? open_memstream(&text, &length) : NULL;

		if (finding->nruns == 0)
			continue;
		if (!out)
			return array_failed();
		for (size_t r = 0; r < named; r++)
			fprintf(out, "%s%s", r > 0 ? ", " : "", finding->runs[r]);
		if (finding->nruns > named)
			fprintf(out, " and %zu more", finding->nruns - named);
		fprintf(out, ": %s", finding->text);
		if (fclose(out)) {
			free(text);
			return array_failed();
		}
		free(finding->text);
		finding->text = text;
	}
	return 0;
}

const char *finding_word(enum finding_level level)
{
	static const char *const words[] = { "error", "warning", "note" };

	return words[level];
}
