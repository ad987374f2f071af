/* SPDX-License-Identifier: Apache-2.0
 *
 * What readers should know of the rows that a plan was read off.
 */
#include <stdio.h>
#include <string.h>

#include "tell.h"

enum { LINE = 1200 };

void plan_each_remark(const struct plan *plan, void (*say)(void *context, const char *remark), void *context)
{
	const struct plan_network *network = plan->network;

	for (size_t i = 0; i < network->ntimers; i++) {
		const struct plan_timer *timer = network->timers[i];
		const char *passed = timer->known && !timer->two_level ? timer->curve.passed_over : "";
		bool told = false;

		for (size_t j = 0; j < i && network->rows; j++)
			told |= network->timers[j]->coll == timer->coll && network->timers[j]->known && passed[0] &&
				strcmp(network->timers[j]->curve.passed_over, passed) == 0;
		if (timer->remark[0])
			say(context, timer->remark);
		if (passed[0] && !told) {
			char line[LINE];

			snprintf(line, sizeof line, "%s, not used: %s", timer->coll->name, passed);
			say(context, line);
		}
	}
}
