/* SPDX-License-Identifier: Apache-2.0
 *
 * The options that bucket_perf alone has, and how their texts are read.
 */
#include <string.h>

#include "options_step.h"
#include "size.h"

enum { LONGEST = 256 };

const struct option_step_row option_step_rows[] = {
	{ { .name = "params",
	    .argument = "COUNT",
	    .help = "parameters over --layers equal layers: 10M, 7e9; K, M, G, B are thousands here" },
	  option_step_params },
	{ { .name = "layers", .argument = "N", .help = "layers of --params; or how many fsdp makes of --gradients" },
	  option_step_layers },
	{ { .name = "model", .argument = "NAME", .help = "the gradients of a public model, as --list names them" },
	  option_step_model },
	{ { .name = "gradients",
	    .argument = "FILE",
	    .help = "elements of each gradient, a line each, in the order of the backward pass" },
	  option_step_gradients },
	{ { .name = "strategy",
	    .argument = "LIST",
	    .preset = "naive,flat,bucketed",
	    .help = "naive: after the backward pass an all-reduce a gradient; flat: one of all; bucketed: one when the last "
		    "gradient of "
		    "a bucket is ready; zero: likewise a reduce-scatter, and all-gathers after the last; fsdp: an all-gather of "
		    "each "
		    "layer ahead of its compute, a reduce-scatter behind" },
	  option_step_strategy },
	{ { .name = "bucket-cap",
	    .argument = "SIZES",
	    .preset = "25M",
	    .help = "buckets of bucketed and zero: SIZE, A..B (doubled) or A..B*F, several with commas" },
	  option_step_caps },
	{ { .name = "prefetch", .argument = "N", .preset = "1", .help = "layers that fsdp gathers ahead" },
	  option_step_prefetch },
	{ { .name = "compute-ratio",
	    .argument = "R",
	    .preset = "1",
	    .help = "compute of a step, in times of one all-reduce of all gradients" },
	  option_step_ratio },
	{ { .name = "compute-ms", .argument = "MS", .help = "compute of a step, in milliseconds" }, option_step_compute },
	{ { .name = "progress",
	    .argument = "HOW",
	    .preset = "polling",
	    .help = "who moves data during compute with MPI: polling: compute stops to call MPI_Testsome; thread: MPICH's "
		    "progress "
		    "thread, which wants a core; none: nobody before the wait at the end" },
	  option_step_progress },
	{ { .name = "progress-us", .argument = "US", .preset = "50", .help = "how often polling stops compute, in microseconds" },
	  option_step_period },
	{ { .name = "occupancy",
	    .argument = "PCT",
	    .preset = "100",
	    .help = "percent of a GPU's multiprocessors that compute fills; what it leaves is room for communication" },
	  option_step_occupancy },
};

const size_t option_step_row_count = sizeof option_step_rows / sizeof *option_step_rows;

int option_step_params(const char *text, struct options_step *given, struct options_error *error)
{
	return step_count_parse(text, &given->params) ? option_fail(error, "is not a number of parameters, such as 10M or 7e9")
						      : 0;
}

int option_step_layers(const char *text, struct options_step *given, struct options_error *error)
{
	return count_parse(text, 1, 65536, &given->layers) ? option_fail(error, "is not a whole number from 1 to 65536") : 0;
}

int option_step_model(const char *text, struct options_step *given, struct options_error *error)
{
	given->model = text;
	return *text ? 0 : option_fail(error, "is empty");
}

int option_step_gradients(const char *text, struct options_step *given, struct options_error *error)
{
	given->gradients = text;
	return *text ? 0 : option_fail(error, "is empty");
}

/* Which of the words this piece of the text is, -1: none. */
static int find_piece(const char *const *words, const char *text, size_t length)
{
	for (int i = 0; words[i]; i++)
		if (strlen(words[i]) == length && strncmp(words[i], text, length) == 0)
			return i;
	return -1;
}

int option_step_strategy(const char *text, struct options_step *given, struct options_error *error)
{
	unsigned seen = 0;
	size_t count = 0;

	for (;;) {
		const size_t length = strcspn(text, ",");
		const int which = find_piece(step_strategy_names, text, length);

		if (which < 0)
			return option_fail(error, "is not a list of naive, flat, bucketed, zero, fsdp");
		if (seen & 1U << which)
			return option_fail(error, "names %s twice", step_strategy_names[which]);
		seen |= 1U << which;
		given->step.strategies[count++] = (enum step_strategy)which;
		if (text[length] == '\0')
			break;
		text += length + 1;
	}
	given->step.nstrategies = count;
	return 0;
}

static int add_cap(struct step_options *step, uint64_t cap, struct options_error *error)
{
	char text[24];

	if (step->ncaps == STEP_MOST_CAPS)
		return option_fail(error, "makes more than %d sizes", STEP_MOST_CAPS);
	for (size_t i = 0; i < step->ncaps; i++)
		if (step->caps[i] == cap)
			return option_fail(error, "names %s twice", size_format(cap, text, sizeof text));
	step->caps[step->ncaps++] = cap;
	return 0;
}

/* SIZE, A..B or A..B*F; cuts the piece up. */
static int add_caps(struct step_options *step, char *piece, struct options_error *error)
{
	static const char form[] = "is not SIZE, A..B or A..B*F, or several of these with commas between";
	char *dots = strstr(piece, ".."), *star = strchr(piece, '*');
	uint64_t from, to;
	long factor = 2;

	if (star)
		*star = '\0';
	if (dots)
		*dots = '\0';
	if ((star && !dots) || (star && star < dots) || size_parse(piece, &from))
		return option_fail(error, form);
	to = from;
	if ((dots && size_parse(dots + 2, &to)) || (star && count_parse(star + 1, 2, 1024, &factor)))
		return option_fail(error, form);
	if (from == 0 || from > to)
		return option_fail(error, from == 0 ? "has a bucket of 0 bytes" : "runs from a larger to a smaller size");
	for (;; from *= (uint64_t)factor) {
		if (add_cap(step, from, error))
			return -1;
		if (from > to / (uint64_t)factor)
			return 0;
	}
}

int option_step_caps(const char *text, struct options_step *given, struct options_error *error)
{
	char piece[LONGEST];

	given->step.ncaps = 0;
	given->caps_given = true;
	for (;;) {
		const size_t length = strcspn(text, ",");

		if (length >= sizeof piece)
			return option_fail(error, "is too long");
		memcpy(piece, text, length);
		piece[length] = '\0';
		if (add_caps(&given->step, piece, error))
			return -1;
		if (text[length] == '\0')
			return 0;
		text += length + 1;
	}
}

int option_step_prefetch(const char *text, struct options_step *given, struct options_error *error)
{
	given->prefetch_given = true;
	return count_parse(text, 0, 65536, &given->step.prefetch) ? option_fail(error, "is not a whole number from 0 to 65536")
								  : 0;
}

/* `scale` makes seconds of it. */
static int read_real(const char *text, double least, double most, double scale, double *value, struct options_error *error)
{
	double read;

	if (real_parse(text, &read) || read < least || read > most)
		return option_fail(error, "is not a number from %g to %g", least, most);
	*value = read * scale;
	return 0;
}

int option_step_ratio(const char *text, struct options_step *given, struct options_error *error)
{
	given->ratio_given = true;
	return read_real(text, 0, 1e6, 1, &given->step.ratio, error);
}

int option_step_compute(const char *text, struct options_step *given, struct options_error *error)
{
	return read_real(text, 0, 1e6, 1e-3, &given->step.compute, error);
}

int option_step_progress(const char *text, struct options_step *given, struct options_error *error)
{
	const int which = find_piece(step_progress_names, text, strlen(text));

	if (which < 0)
		return option_fail(error, "is not one of polling, thread, none");
	given->step.progress = (enum step_progress)which;
	given->step.progress_given = true;
	return 0;
}

int option_step_period(const char *text, struct options_step *given, struct options_error *error)
{
	given->step.period_given = true;
	return read_real(text, 1, 1e6, 1e-6, &given->step.period, error);
}

int option_step_occupancy(const char *text, struct options_step *given, struct options_error *error)
{
	return count_parse(text, 1, STEP_WHOLE, &given->step.occupancy)
		       ? option_fail(error, "is not a whole number from 1 to 100")
		       : 0;
}
