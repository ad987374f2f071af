/* SPDX-License-Identifier: Apache-2.0
 *
 * check COLLECTIVE MODEL NRANKS: reads "bytes time_us ..." lines and compares each time with the model's on the simulated cluster
 * (alpha 2 us, 12.5 GB/s, combining is free): within 1 % or 0.05 us. Prints each line that is off, and at the end how many were read
 * and the largest deviation. 0 when there were lines and none is off.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "collectives/collective.h"

int main(int argc, char **argv)
{
	const struct coll_link link = { .alpha = 2e-6, .beta = 1 / 12.5e9, .gamma = 0 };
	const struct collective *coll = argc == 4 ? collective_find(argv[1]) : NULL;
	const struct coll_model *model = coll != NULL ? collective_model(coll, argv[2]) : NULL;
	const int nranks = argc == 4 ? atoi(argv[3]) : 0;
	double bytes, time, largest = 0;
	int lines = 0, off = 0;
	char rest[64];

	if (model == NULL || nranks < 2 || (model->holds != NULL && !model->holds(nranks))) {
		fprintf(stderr, "check: no such collective, model or number of ranks\n");
		return 2;
	}
	while (scanf("%lf %lf%63[^\n]", &bytes, &time, rest) == 3) {
		const double expected = 1e6 * model->time(nranks, bytes, &link);
		const double deviation = fabs(time - expected);

		lines++;
		largest = fmax(largest, deviation / expected);
		if (!(deviation <= fmax(0.01 * expected, 0.05))) {
			off++;
			printf("# %.0f bytes%s: %.4f us, model %.4f us\n", bytes, rest, time, expected);
		}
	}
	printf("# %d rows, %d off, largest deviation %.3f %%\n", lines, off, 100 * largest);
	return lines > 0 && off == 0 ? 0 : 1;
}
