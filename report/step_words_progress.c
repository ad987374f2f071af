/* SPDX-License-Identifier: Apache-2.0
 *
 * What is said of what moves data during compute, and of what that costs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "step_fastest.h"
#include "step_words_parts.h"

static const char *const words[] = { RESULT_DEVICE, RESULT_POLLING, RESULT_THREAD, RESULT_NOBODY };
enum { WORDS = sizeof words / sizeof *words };

/* Of what has no interval: less is no difference. */
static const double clearly = 0.05;

/* The bucketed line by that word that is told first. */
static const struct step_line *find_mover(const struct step_part *part, const char *word)
{
	const struct step_line *found = NULL;

	for (size_t l = 0; l < part->nlines; l++) {
		const struct step_line *line = &part->lines[l];

		if (step_is_strategy(line, RESULT_BUCKETED) && strcmp(line->key->progress, word) == 0 &&
		    step_precedes(part, line, found))
			found = line;
	}
	return found;
}

/* By word; absent ones NULL. */
struct movers {
	const struct step_line *lines[WORDS];
	size_t count;
	bool alike;                            /* all of one compute */
	bool open;                             /* the intervals leave open which is fastest, of those without turns */
	size_t turns;                          /* of those whose ranks took turns */
	const struct step_point *least, *most; /* by compute alone, of those without turns */
};

/* Whatever their compute alone: a progress thread may slow that, too. */
static bool takes_longer(const struct step_point *point, const struct step_point *than)
{
	return step_time_is_slower(point->time, point->low, than->time, than->high);
}

static void take_compute(struct movers *movers, const struct step_point *point)
{
	if (!movers->least || point->compute < movers->least->compute)
		movers->least = point;
	if (!movers->most || point->compute > movers->most->compute)
		movers->most = point;
}

static struct movers find_movers(const struct step_part *part)
{
	struct movers movers = { .alike = true };
	const struct step_line *best = NULL;

	for (size_t i = 0; i < WORDS; i++) {
		movers.lines[i] = find_mover(part, words[i]);
		if (!movers.lines[i])
			continue;
		movers.count++;
		movers.turns += step_best(movers.lines[i])->turns;
		if (!step_best(movers.lines[i])->turns)
			take_compute(&movers, step_best(movers.lines[i]));
		if (best)
			movers.alike = movers.alike && step_same_compute(best, movers.lines[i]);
		if (step_precedes(part, movers.lines[i], best))
			best = movers.lines[i];
	}
	for (size_t i = 0; i < WORDS; i++)
		if (movers.lines[i] && movers.lines[i] != best && !step_best(movers.lines[i])->turns)
			movers.open = movers.open || !takes_longer(step_best(movers.lines[i]), step_best(best));
	return movers;
}

/* What stands behind a time: "overlap 12 % [9 % to 15 %]". */
static struct human beside_time(const struct step_point *best)
{
	const struct human turns = { "ranks took turns" };

	return best->turns ? turns : step_words_overlap(best);
}

bool step_words_movers(const struct step_part *part, char *text, size_t size)
{
	const struct movers movers = find_movers(part);
	int n = snprintf(text, size, "best bucketed step by progress%s: ",
			 movers.alike ? "" : ", as a multiple of its compute, which is not the same");
	size_t told = 0;

	if (movers.count < 2 || movers.turns == movers.count)
		return false;
	for (size_t i = 0; i < WORDS; i++) {
		const struct step_point *best = movers.lines[i] ? step_best(movers.lines[i]) : NULL;
		const struct human beside = best ? beside_time(best) : (struct human){ "" };

		if (best)
			n += snprintf(text + n, size - (size_t)n, "%s%s %s%s%s%s%s", told++ > 0 ? ", " : "", words[i],
				      movers.alike ? human_time(best->time).text : human_ratio(step_over_compute(best)).text,
				      step_words_at_cap(best).text, *beside.text ? " (" : "", beside.text,
				      *beside.text ? ")" : "");
	}
	if (movers.turns > 0)
		n += snprintf(text + n, size - (size_t)n, "; where ranks took turns the time tells nothing of progress");
	if (movers.alike && movers.open)
		n += snprintf(text + n, size - (size_t)n, "; intervals leave open which is fastest");
	if (movers.alike && step_compute_contradicts(movers.least, movers.most))
		snprintf(text + n, size - (size_t)n, "; compute alone took %s to %s beside them",
			 human_time(movers.least->compute).text, human_time(movers.most->compute).text);
	return true;
}

/* The largest cap of buckets too few for all gradients, so that a tensor is larger than it. */
static double cut_cap(const struct step_part *part, const struct step_line *line)
{
	double cut = 0;

	for (size_t i = 0; i < line->npoints; i++) {
		const double cap = (double)line->points[i].cap;

		if (cap > 0 && cap * (double)line->points[i].calls < (double)part->key->bytes)
			cut = fmax(cut, cap);
	}
	return cut;
}

/* Medians over a line's points of time / model, which intervals and whole tensors leave open; NAN where there is none. */
struct over {
	double least, most;
	bool vague; /* some have no interval */
};

static struct over over_model(const struct step_part *part, const struct step_line *line)
{
	double *least = malloc(line->npoints * sizeof *least), *most = malloc(line->npoints * sizeof *most);
	struct over over = { NAN, NAN, false };
	const double cut = cut_cap(part, line);
	size_t n = 0;

	for (size_t i = 0; least && most && i < line->npoints; i++) {
		const struct step_point *point = &line->points[i];
		const struct step_span span = step_model_span(part, line, point);
		const bool known = isfinite(point->low - point->high);

		least[n] = (known ? point->low : point->time) / span.most;
		most[n] = (known ? point->high : point->time) / span.least;
		if (point->turns || (double)point->cap <= cut || !isfinite(least[n]) || !isfinite(most[n]) || least[n] <= 0)
			continue;
		over.vague = over.vague || !known;
		n++;
	}
	if (n > 0)
		over = (struct over){ step_median(least, n), step_median(most, n), over.vague };
	free(least);
	free(most);
	return over;
}

/* What steps by each word take against the model. */
struct price {
	char ratios[STEP_LABEL * 2]; /* "12 % to 14 % more with progress thread, at most 5 % more with progress polling" */
	size_t told;
	bool apart; /* one of them clearly */
	size_t rows, disturbed;
};

static void add_price(struct price *price, struct over over, double same, const char *word)
{
	const size_t length = strlen(price->ratios), size = sizeof price->ratios - length;
	const bool apart = over.least > 1 + (over.vague ? fmax(same, clearly) : same);
	struct human from = { "at most " }, to = human_percent(fmax(over.most - 1, same));

	if (apart) {
		from = human_percent(over.least - 1);
		snprintf(from.text + strlen(from.text), sizeof from.text - strlen(from.text), " to ");
		if (strncmp(from.text, to.text, strlen(to.text)) == 0)
			from = (struct human){ "" };
	}
	snprintf(price->ratios + length, size, "%s%s%s more with progress %s", price->told++ > 0 ? ", " : "", from.text, to.text,
		 word);
	price->apart = price->apart || apart;
}

/* A device and a simulated network move data by themselves; what ranks that took turns wait for is not progress's. */
static struct price find_price(const struct step_part *part)
{
	const double same = fmax(step_words_same, part->model.residual);
	struct price price = { 0 };

	for (size_t i = 0; i < WORDS && !result_has_flag(part->key, RESULT_FLAG_SIMULATED); i++) {
		const struct step_line *line = strcmp(words[i], RESULT_DEVICE) ? find_mover(part, words[i]) : NULL;
		const struct over over = line ? over_model(part, line) : (struct over){ NAN, NAN, false };

		if (!line || !isfinite(over.least))
			continue;
		add_price(&price, over, same, words[i]);
		price.rows += line->taken;
		price.disturbed += line->disturbed;
	}
	return price;
}

/* Compute alone does not poll: what polling takes from compute and what it leaves undone is seen in the steps alone. */
bool step_words_price(const struct step_part *part, char *text, size_t size)
{
	const struct price price = find_price(part);

	if (!price.apart)
		return false;
	snprintf(text, size,
		 "what progress costs: against the model, where data moves by itself, with the compute and communication alone "
		 "of the "
		 "same rows, bucketed steps take %s (medians over the sizes of buckets; intervals and whole tensors leave a "
		 "range, and one over the cap would add to it%s)",
		 price.ratios,
		 price.disturbed * 2 > price.rows
			 ? "; most of these rows are late or noisy, so other programs may have part in it"
			 : "");
	return true;
}

/* Compute alone / what was asked for, over points. Compute has no interval: that of its step stands for it. */
struct asked {
	double middle, low, high; /* NAN where no row says it */
	bool vague;               /* some have no interval, or ranks took turns */
};

typedef bool takes(const struct step_line *line, const struct step_line *of);

static bool takes_itself(const struct step_line *line, const struct step_line *of)
{
	return line == of;
}

static bool takes_all(const struct step_line *line, const struct step_line *of)
{
	return line && !of;
}

/* What nobody was to blame for, beside a line. */
static bool takes_nobody(const struct step_line *line, const struct step_line *of)
{
	return strcmp(line->key->progress, RESULT_NOBODY) == 0 && strcmp(line->source, of->source) == 0 &&
	       step_same_compute(line, of);
}

static void add_asked(struct asked *asked, const struct step_line *line, double *values, size_t *n)
{
	for (size_t i = 0; i < line->npoints; i++) {
		const struct step_point *point = &line->points[i];
		const double ratio = point->compute / point->asked;

		if (!(isfinite(ratio) && ratio > 0))
			continue;
		asked->vague = asked->vague || point->turns || !isfinite(point->low - point->high);
		if (point->turns) /* which are what it takes longer by */
			continue;
		values[(*n)++] = ratio;
		asked->low = fmin(asked->low, fmin(ratio, ratio * point->low / point->time));
		asked->high = fmax(asked->high, fmax(ratio, ratio * point->high / point->time));
	}
}

static struct asked find_asked(const struct step_part *part, takes *take, const struct step_line *of)
{
	struct asked asked = { NAN, NAN, NAN, false };
	size_t most = 0, n = 0;
	double *values;

	for (size_t l = 0; l < part->nlines; l++)
		most += part->lines[l].npoints;
	values = malloc((most + 1) * sizeof *values);
	for (size_t l = 0; values && l < part->nlines; l++)
		if (take(&part->lines[l], of))
			add_asked(&asked, &part->lines[l], values, &n);
	if (n > 0)
		asked.middle = step_median(values, n);
	free(values);
	return asked;
}

/* What the library's thread takes of compute alone, against rows of the same file without it; NAN where they are not clearly apart. */
static double thread_takes(const struct step_part *part)
{
	const struct step_line *line = find_mover(part, RESULT_THREAD);

	if (!line)
		return NAN;
	const struct asked own = find_asked(part, takes_itself, line), base = find_asked(part, takes_nobody, line);
	const double ratio = own.middle / base.middle;

	if (own.vague || base.vague || !(fabs(ratio - 1) > clearly) || (own.low <= base.high && base.low <= own.high))
		return NAN;
	return ratio;
}

/* Compute alone does not poll: what it takes longer is no progress's but a thread's. */
bool step_words_asked(const struct step_part *part, char *text, size_t size)
{
	static const char rate[] = " (what a thread takes all the time is in the rate by which compute is asked for)";
	const double ratio = find_asked(part, takes_all, NULL).middle;
	const char *const more = find_mover(part, RESULT_THREAD) ? rate : "";
	const double thread = thread_takes(part);

	if (isfinite(thread))
		snprintf(text, size,
			 "compute alone takes %s with progress thread, against rows of the same file with progress none%s",
			 step_words_more(thread).text, more);
	else if (fabs(ratio - 1) > clearly)
		snprintf(text, size, "compute alone took %s was asked for: other programs or clocks were in the way%s",
			 step_words_apart(ratio).text, more);
	else
		return false;
	return true;
}

/* Of communication alone at the sizes that both have: the median ratio, and whether all are to one side of 1. */
static double comm_ratio(const struct step_line *line, const struct step_line *base, bool *all)
{
	double *ratios = malloc(line->npoints * sizeof *ratios), ratio = NAN;
	size_t n = 0;

	for (size_t i = 0, k = 0; ratios && i < line->npoints && k < base->npoints;) {
		const struct step_point *one = &line->points[i], *other = &base->points[k];

		if (one->cap == other->cap && !one->turns && !other->turns && one->comm > 0 && other->comm > 0)
			ratios[n++] = one->comm / other->comm;
		i += one->cap <= other->cap;
		k += other->cap <= one->cap;
	}
	if (n > 0) {
		ratio = step_median(ratios, n);
		*all = ratios[0] > 1 || ratios[n - 1] < 1;
	}
	free(ratios);
	return ratio;
}

/* A library with a thread takes locks. */
bool step_words_thread(const struct step_part *part, char *text, size_t size)
{
	const struct step_line *thread = find_mover(part, RESULT_THREAD), *nobody = find_mover(part, RESULT_NOBODY);
	const struct step_line *base = nobody ? nobody : find_mover(part, RESULT_POLLING);
	bool all = false;
	const double ratio = thread && base ? comm_ratio(thread, base, &all) : NAN;

	if (!isfinite(ratio) || !all || fabs(ratio - 1) <= clearly)
		return false;
	snprintf(text, size, "what the progress thread costs communication: alone it takes %s with progress %s",
		 step_words_apart(ratio).text, base->key->progress);
	return true;
}
