/* SPDX-License-Identifier: Apache-2.0
 *
 * The verdict that a report of two runs shows.
 */
#include "../compare.h"
#include "../study.h"
#include "settings.h"
#include "tell.h"

/* Whether --baseline means rows of the second run and none of the first. */
static bool names_second(const struct study *study)
{
	size_t named[2] = { 0 };

	for (size_t i = 0; study->options->baseline && i < rows_count(study->rows); i++)
		named[study->runs.of[i]] += compare_names(study->options->baseline, rows_source(study->rows, i),
							  rows_get(study->rows, i));
	return named[1] > 0 && named[0] == 0;
}

struct gate_case *gate_case_beside(const struct study *study)
{
	const char *const *names = (const char *const *)study->runs.names;
	struct gate_request request = {
		.command = "report", .ninputs = { 1, 1 }, .settings = gate_settings_default(), .beside = true
	};
	size_t base;

	if (study->runs.count != 2)
		return NULL;
	base = names_second(study);
	request.inputs[GATE_BASE] = &names[base];
	request.inputs[GATE_NEW] = &names[1 - base];
	return gate_case_open(&request);
}
