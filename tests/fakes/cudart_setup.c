/* SPDX-License-Identifier: Apache-2.0
 *
 * COLLPERF_FAKE: settings and faults, as fake.h tells; and how wrong use ends. Read once, at the first call of any function.
 */
#include <ctype.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cudart_state.h"

enum { MOST_FAULTS = 64 };

static const struct {
	const char *name;
	long otherwise, least, most;
} settings[] = {
	{ "gpus", 8, 0, 64 },         { "memory", 1L << 30, 1, 1L << 40 },
	{ "cc", 90, 10, 999 },        { "driver", 13000, 0, 99999 },
	{ "drivererror", 0, 1, 999 }, { "nccl", 22809, 1000, 99999 },
	{ "slow", 0, 0, 10000000 },   { "limit", 20, 1, 3600 },
	{ "wire", 0, 0, 10000000 },   { "trace", 0, 0, 1 },
};
enum { SETTINGS = sizeof settings / sizeof settings[0] };

static const char *const fault_kinds[] = { "fail", "tell", "oom", "deaf", "async", "hang", "flip" };

struct fault {
	const char *kind;
	char name[48]; /* "": any */
	long call;     /* 0: every */
	int rank, device;
	long calls;
};

static struct {
	pthread_once_t once;
	pthread_mutex_t lock;
	long values[SETTINGS];
	struct fault faults[MOST_FAULTS];
	size_t count;
} setup = { .once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER };

void fake_fail(const char *format, ...)
{
	char line[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	/* One call a line: processes share stderr. */
	fprintf(stderr, "fake: %s\n", line);
	fflush(NULL);
	_exit(FAKE_EXIT);
}

double fake_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A whole number >= 0 with an optional unit, the whole text; -1: it is none. */
static long number_of(const char *text)
{
	static const char units[] = "KMG";
	const char *unit;
	char *end;
	long value;

	if (!isdigit((unsigned char)*text))
		return -1;
	value = strtol(text, &end, 10);
	if (*end && (unit = strchr(units, *end)) != NULL) {
		value <<= 10 * (unit - units + 1);
		end++;
	}
	return *end ? -1 : value;
}

static void read_setting(size_t i, const char *word, const char *value)
{
	long number = number_of(value);

	if (number < settings[i].least || number > settings[i].most)
		fake_fail("COLLPERF_FAKE: '%s': a number from %ld to %ld is meant", word, settings[i].least, settings[i].most);
	setup.values[i] = number;
}

static void read_condition(struct fault *fault, const char *word, const char *part)
{
	bool has_name = strcmp(fault->kind, "fail") == 0 || strcmp(fault->kind, "tell") == 0;

	if (number_of(part) > 0)
		fault->call = number_of(part);
	else if (strncmp(part, "call", 4) == 0 && number_of(part + 4) > 0)
		fault->call = number_of(part + 4);
	else if (strncmp(part, "rank", 4) == 0 && number_of(part + 4) >= 0)
		fault->rank = (int)number_of(part + 4);
	else if (strncmp(part, "device", 6) == 0 && number_of(part + 6) >= 0)
		fault->device = (int)number_of(part + 6);
	else if (has_name && !fault->name[0] && (strncmp(part, "nccl", 4) == 0 || strncmp(part, "cu", 2) == 0) &&
		 strlen(part) < sizeof fault->name)
		snprintf(fault->name, sizeof fault->name, "%s", part);
	else
		fake_fail("COLLPERF_FAKE: '%s': '%s' is not understood", word, part);
}

static void read_fault(const char *kind, const char *word, char *conditions)
{
	struct fault *fault = &setup.faults[setup.count];
	char *rest = NULL, *part;

	if (setup.count == MOST_FAULTS)
		fake_fail("COLLPERF_FAKE: more than %d faults", MOST_FAULTS);
	*fault = (struct fault){ .kind = kind, .rank = -1, .device = -1 };
	for (part = conditions ? strtok_r(conditions, ":", &rest) : NULL; part; part = strtok_r(NULL, ":", &rest))
		read_condition(fault, word, part);
	if ((strcmp(kind, "fail") == 0 || strcmp(kind, "tell") == 0) && !fault->name[0])
		fake_fail("COLLPERF_FAKE: '%s': the name of a function is missing", word);
	setup.count++;
}

static void read_word(char *text)
{
	char word[128];
	char *value = strchr(text, '=');

	snprintf(word, sizeof word, "%s", text);
	if (value)
		*value++ = '\0';
	for (size_t i = 0; i < SETTINGS; i++) {
		if (value && strcmp(text, settings[i].name) == 0) {
			read_setting(i, word, value);
			return;
		}
	}
	for (size_t i = 0; i < sizeof fault_kinds / sizeof fault_kinds[0]; i++) {
		if (strcmp(text, fault_kinds[i]) == 0) {
			read_fault(fault_kinds[i], word, value);
			return;
		}
	}
	fake_fail("COLLPERF_FAKE: '%s' is not understood", word);
}

static void read_all(void)
{
	const char *environment = getenv("COLLPERF_FAKE");
	char *copy, *rest = NULL;

	for (size_t i = 0; i < SETTINGS; i++)
		setup.values[i] = settings[i].otherwise;
	if (!environment)
		return;
	copy = strdup(environment);
	if (!copy)
		fake_fail("out of memory");
	for (char *word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
		read_word(word);
	free(copy);
}

long fake_setting(const char *name)
{
	pthread_once(&setup.once, read_all);
	for (size_t i = 0; i < SETTINGS; i++)
		if (strcmp(name, settings[i].name) == 0)
			return setup.values[i];
	fake_fail("there is no setting '%s'", name);
}

bool fake_fault(const char *kind, const char *name, int rank, int device)
{
	bool due = false;

	pthread_once(&setup.once, read_all);
	if (setup.count == 0)
		return false;
	pthread_mutex_lock(&setup.lock);
	for (size_t i = 0; i < setup.count; i++) {
		struct fault *fault = &setup.faults[i];

		if (strcmp(fault->kind, kind) != 0 || (fault->name[0] && (!name || strcmp(fault->name, name) != 0)) ||
		    (fault->rank >= 0 && fault->rank != rank) || (fault->device >= 0 && fault->device != device))
			continue;
		fault->calls++;
		due = due || fault->call == 0 || fault->call == fault->calls;
	}
	pthread_mutex_unlock(&setup.lock);
	return due;
}

bool fake_enter(const char *function, int rank, int device)
{
	if (fake_on_stream())
		fake_fail("%s was called inside of a host function", function);
	if (fake_fault("tell", function, rank, device))
		fprintf(stderr, "fake: called: %s, rank %d, device %d\n", function, rank, device);
	return fake_fault("fail", function, rank, device);
}
