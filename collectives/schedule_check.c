/* SPDX-License-Identifier: Apache-2.0
 *
 * A schedule played, judged and counted. Nothing here knows an algorithm.
 */
#include "schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t place(const struct schedule *schedule, int rank, int item)
{
	return (size_t)rank * (size_t)schedule->nitems + (size_t)item;
}

/* The message after the last one of the round that begins with message `first`. */
static size_t round_end(const struct schedule *schedule, size_t first)
{
	size_t end = first;

	while (end < schedule->nmessages && schedule->messages[end].round == schedule->messages[first].round)
		end++;
	return end;
}

/* Values that the busiest round carries. */
static size_t most_carried(const struct schedule *schedule)
{
	size_t most = 0;

	for (size_t first = 0, end; first < schedule->nmessages; first = end) {
		size_t carried = 0;

		end = round_end(schedule, first);
		for (size_t i = first; i < end; i++)
			carried += (size_t)schedule->messages[i].nitems;
		if (carried > most)
			most = carried;
	}
	return most;
}

static void play_round(const struct schedule *schedule, size_t first, size_t end, uint64_t *values, uint64_t *carried)
{
	size_t at = 0;

	for (size_t i = first; i < end; i++) {
		const struct schedule_message *message = &schedule->messages[i];

		for (int k = 0; k < message->nitems; k++)
			carried[at++] = values[place(schedule, message->from, message->items[k])];
	}
	at = 0;
	for (size_t i = first; i < end; i++) {
		const struct schedule_message *message = &schedule->messages[i];

		for (int k = 0; k < message->nitems; k++, at++) {
			uint64_t *value = &values[place(schedule, message->to, message->items[k])];

			*value = message->combine ? *value | carried[at] : carried[at];
		}
	}
}

int schedule_play(const struct schedule *schedule, int rounds, uint64_t *values)
{
	uint64_t *carried = malloc((most_carried(schedule) + 1) * sizeof(*carried));

	if (!carried)
		return -1;
	for (size_t first = 0, end; first < schedule->nmessages && schedule->messages[first].round < rounds; first = end) {
		end = round_end(schedule, first);
		play_round(schedule, first, end, values, carried);
	}
	free(carried);
	return 0;
}

static int wrong(char *error, size_t size, const struct schedule_message *message, const char *what)
{
	snprintf(error, size, "round %d, rank %d to rank %d: %s", message->round, message->from, message->to, what);
	return -1;
}

static bool is_rank(const struct schedule *schedule, int rank)
{
	return rank >= 0 && rank < schedule->nranks;
}

static int check_form(const struct schedule *schedule, char *error, size_t size)
{
	int round = 0;

	for (size_t i = 0; i < schedule->nmessages; i++) {
		const struct schedule_message *message = &schedule->messages[i];

		if (!is_rank(schedule, message->from) || !is_rank(schedule, message->to) || message->from == message->to)
			return wrong(error, size, message, "no such pair of ranks");
		if (message->round < round || message->round >= schedule->nrounds)
			return wrong(error, size, message, "its round is out of order");
		if (message->nitems < 1)
			return wrong(error, size, message, "an empty message");
		for (int k = 0; k < message->nitems; k++) {
			int item = message->items[k];

			if (item < 0 || item >= schedule->nitems || (k > 0 && item <= message->items[k - 1]))
				return wrong(error, size, message, "its items are not rising ones of the schedule");
			if (schedule->sizes && schedule->sizes[item] == 0)
				return wrong(error, size, message, "sends an empty block");
		}
		round = message->round;
	}
	return 0;
}

static int check_message(const struct schedule *schedule, const struct schedule_message *message, const uint64_t *values,
			 char *error, size_t size)
{
	for (int k = 0; k < message->nitems; k++) {
		uint64_t sent = values[place(schedule, message->from, message->items[k])];
		uint64_t held = values[place(schedule, message->to, message->items[k])];

		if (!sent)
			return wrong(error, size, message, "sends what it does not hold");
		if (message->combine && !held)
			return wrong(error, size, message, "is reduced into nothing");
		/* What has been heard may be told again. */
		if (message->combine && (sent & held) && !(schedule->coll->flags & COLL_NO_DATA))
			return wrong(error, size, message, "reduces a rank's data twice");
	}
	return 0;
}

static int check_round(const struct schedule *schedule, size_t first, size_t end, const uint64_t *values, char *error,
		       size_t size)
{
	uint64_t senders = 0, receivers = 0;

	for (size_t i = first; i < end; i++) {
		const struct schedule_message *message = &schedule->messages[i];
		uint64_t from = (uint64_t)1 << message->from, to = (uint64_t)1 << message->to;

		if (senders & from)
			return wrong(error, size, message, "the sender sends two messages");
		if (receivers & to)
			return wrong(error, size, message, "the receiver receives two messages");
		senders |= from;
		receivers |= to;
		if (check_message(schedule, message, values, error, size))
			return -1;
	}
	return 0;
}

static int check_end(const struct schedule *schedule, const uint64_t *values, char *error, size_t size)
{
	for (int rank = 0; rank < schedule->nranks; rank++) {
		for (int item = 0; item < schedule->nitems; item++) {
			size_t at = place(schedule, rank, item);

			if (schedule->wanted[at] && values[at] != schedule->wanted[at]) {
				snprintf(error, size, "at the end: rank %d lacks what is promised of item %d", rank, item);
				return -1;
			}
		}
	}
	return 0;
}

int schedule_check(const struct schedule *schedule, char *error, size_t size)
{
	size_t bytes = (size_t)schedule->nranks * (size_t)schedule->nitems * sizeof(uint64_t);
	uint64_t *values, *carried;
	int status = 0;

	if (check_form(schedule, error, size))
		return -1;
	values = malloc(bytes);
	carried = malloc((most_carried(schedule) + 1) * sizeof(*carried));
	if (!values || !carried) {
		snprintf(error, size, "out of memory");
		status = -1;
	} else {
		memcpy(values, schedule->start, bytes);
	}
	for (size_t first = 0, end; !status && first < schedule->nmessages; first = end) {
		end = round_end(schedule, first);
		status = check_round(schedule, first, end, values, error, size);
		if (!status)
			play_round(schedule, first, end, values, carried);
	}
	if (!status)
		status = check_end(schedule, values, error, size);
	free(values);
	free(carried);
	return status;
}

long long schedule_size(const struct schedule *schedule, const struct schedule_message *message)
{
	long long sum = 0;

	if (!schedule->sizes)
		return message->nitems;
	for (int k = 0; k < message->nitems; k++)
		sum += schedule->sizes[message->items[k]];
	return sum;
}

static double largest_of(const long long *counts, int nranks)
{
	long long most = 0;

	for (int rank = 0; rank < nranks; rank++) {
		if (counts[rank] > most)
			most = counts[rank];
	}
	return (double)most;
}

struct schedule_count schedule_count(const struct schedule *schedule)
{
	long long sent[SCHEDULE_MOST_RANKS] = { 0 }, received[SCHEDULE_MOST_RANKS] = { 0 }, total = 0, wire = 0, combined = 0;

	for (size_t first = 0, end; first < schedule->nmessages; first = end) {
		long long largest = 0, reduced = 0;

		end = round_end(schedule, first);
		for (size_t i = first; i < end; i++) {
			const struct schedule_message *message = &schedule->messages[i];
			const long long length = schedule_size(schedule, message);

			sent[message->from] += length;
			received[message->to] += length;
			total += length;
			if (length > largest)
				largest = length;
			if (message->combine && length > reduced)
				reduced = length;
		}
		wire += largest;
		combined += reduced;
	}
	return (struct schedule_count){
		.rounds = schedule->nrounds,
		.sent_most = largest_of(sent, schedule->nranks) * schedule->share,
		.received_most = largest_of(received, schedule->nranks) * schedule->share,
		.total = (double)total * schedule->share,
		.wire = (double)wire * schedule->share,
		.combined = (double)combined * schedule->share,
	};
}

double schedule_time(const struct schedule *schedule, double bytes, const struct coll_link *link)
{
	struct schedule_count count = schedule_count(schedule);

	return count.rounds * link->alpha + count.wire * bytes * link->beta + count.combined * bytes * link->gamma;
}
