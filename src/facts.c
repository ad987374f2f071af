/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts from uname, /proc and the process itself.
 */
#include "facts.h"

#include <inttypes.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "launch.h"
#include "memory.h"
#include "steer.h"

static struct run_fact *next_item(struct fact_list *list)
{
	if (list->count == list->capacity) {
		const size_t capacity = list->capacity ? 2 * list->capacity : 16;
		struct run_fact *items = realloc(list->items, capacity * sizeof *items);

		if (!items)
			return NULL;
		list->items = items;
		list->capacity = capacity;
	}
	return &list->items[list->count];
}

int facts_add(struct fact_list *list, const char *name, const char *format, ...)
{
	struct run_fact *item = next_item(list);
	char *value = NULL;
	va_list args;

	va_start(args, format);
	const int length = item ? vasprintf(&value, format, args) : -1;

	va_end(args);
	if (length < 0)
		return -1;
	item->name = strdup(name);
	item->value = value;
	if (!item->name) {
		free(value);
		return -1;
	}
	list->count++;
	return 0;
}

void facts_free(struct fact_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free((void *)(uintptr_t)list->items[i].name);
		free((void *)(uintptr_t)list->items[i].value);
	}
	free(list->items);
	*list = (struct fact_list){ 0 };
}

static void cpu_model(char *text, size_t size)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	char line[256];

	snprintf(text, size, "unknown");
	while (file && fgets(line, sizeof line, file)) {
		const char *colon = strchr(line, ':');

		if (strncmp(line, "model name", 10) == 0 && colon) {
			snprintf(text, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
			break;
		}
	}
	if (file)
		fclose(file);
}

/* The cores this process may use, as ranges: "0-3,8". */
static void binding(char *text, size_t size)
{
	cpu_set_t set;
	size_t length = 0;

	text[0] = '\0';
	if (sched_getaffinity(0, sizeof set, &set))
		return;
	for (size_t first = 0; first < CPU_SETSIZE && length + 24 < size; first++) {
		size_t last = first;

		if (!CPU_ISSET(first, &set))
			continue;
		while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set))
			last++;
		length += (size_t)snprintf(text + length, size - length, first == last ? "%s%zu" : "%s%zu-%zu", length ? "," : "",
					   first, last);
		first = last;
	}
}

static int host_facts(struct fact_list *list)
{
	struct utsname names;
	char text[512];
	int rc = 0;

	if (uname(&names) == 0) {
		rc |= facts_add(list, "host", "%s", names.nodename);
		rc |= facts_add(list, "kernel", "%s %s %s", names.sysname, names.release, names.machine);
	}
	cpu_model(text, sizeof text);
	rc |= facts_add(list, "cpu", "%s", text);
	rc |= facts_add(list, "cores", "%d", memory_cores());
	binding(text, sizeof text);
	rc |= facts_add(list, "binding_rank0", "%s", text);
	return rc;
}

int facts_collect(struct fact_list *list, const struct backend *backend, const struct launch *launch, const struct clock *clock,
		  const struct options *options)
{
	int rc = backend->fake_clock ? 0 : host_facts(list);

	rc |= facts_add(list, "backend", "%s", backend->ops->name);
	rc |= facts_add(list, "library", "%s", backend->library);
	rc |= facts_add(list, "headers", "%s", backend->headers);
	rc |= facts_add(list, "launch", "%s", launch->name);
	rc |= facts_add(list, "nranks", "%d", backend->nranks);
	rc |= facts_add(list, "nnodes", "%d", launch->nnodes);
	rc |= facts_add(list, "ranks_per_process", "%d", backend->nlocal);
	if (backend->groups->count > 1)
		rc |= facts_add(list, "groups", "%d", backend->groups->count);
	if (options->rotate)
		rc |= facts_add(list, "buffers", "rotating");
	rc |= facts_add(list, "clock", "%s", backend->fake_clock ? "fake" : "CLOCK_MONOTONIC");
	rc |= facts_add(list, "clock_cost_ns", "%.1f", clock->cost * 1e9);
	rc |= facts_add(list, "clock_step_ns", "%.1f", clock->step * 1e9);
	rc |= facts_add(list, "clock_unstable", "%s", clock->unstable ? "yes" : "no");
	rc |= facts_add(list, "malloc", "%s", options->malloc_system ? "system" : "tuned");
	rc |= facts_add(list, "timing", "%s", options->timing == TIMING_LOOP ? "loop" : "sync");
	rc |= facts_add(list, "precision", "%g %% of the median", options->ci * 100);
	rc |= facts_add(list, "max_time_s", "%g", options->max_time);
	rc |= facts_add(list, "warmup", "%ld", options->warmup);
	rc |= facts_add(list, "seed", "%" PRIu64, options->seed);
	return rc ? -1 : 0;
}

static bool is_allowed(const char *variable)
{
	static const char *const prefixes[] = { "NCCL_", "MPIR_CVAR_", "MPICH_", "UCX_", "FI_", "MALLOC_" };
	static const char *const names[] = { "OMP_NUM_THREADS=", "CUDA_VISIBLE_DEVICES=" };

	for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
		if (strncmp(variable, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strncmp(variable, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

/* Splits "K=V" at the first '='. */
static int add_pair(struct fact_list *list, const char *pair)
{
	const char *equals = strchr(pair, '=');
	char *name = equals ? strndup(pair, (size_t)(equals - pair)) : strdup(pair);
	int rc = name ? facts_add(list, name, "%s", equals ? equals + 1 : "") : -1;

	free(name);
	return rc;
}

int facts_environment(struct fact_list *list, const struct steer *steer)
{
	for (char **variable = environ; *variable; variable++)
		if (is_allowed(*variable) && !(steer && steer_is_for_log(steer, *variable)) && add_pair(list, *variable))
			return -1;
	return 0;
}

int facts_labels(struct fact_list *list, const struct options *options)
{
	for (size_t i = 0; i < options->nlabels; i++)
		if (add_pair(list, options->labels[i]))
			return -1;
	return 0;
}

/* Ticks that any process of the host ran, from the first line of /proc/stat. */
static double host_cpu_seconds(void)
{
	unsigned long long user, nice, system, idle, iowait, irq, softirq;
	FILE *file = fopen("/proc/stat", "r");
	double seconds = -1;

	if (!file)
		return -1;
	if (fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system, &idle, &iowait, &irq, &softirq) == 7)
		seconds = (double)(user + nice + system + irq + softirq) / (double)sysconf(_SC_CLK_TCK);
	fclose(file);
	return seconds;
}

static double seconds_of(struct timeval time)
{
	return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

void facts_cpu(struct cpu_use *use)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	use->own = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
	use->host = host_cpu_seconds();
	use->wall = facts_wall_clock();
}

int facts_foreign_cpu(struct launch *launch, const struct cpu_use *begin, double *cores)
{
	struct cpu_use now;
	double own, *all = calloc((size_t)launch->size, sizeof *all);

	facts_cpu(&now);
	own = launch->node == 0 ? now.own - begin->own : 0;
	if (!all)
		return -1;
	const int rc = launch->ops->gather(launch, &own, sizeof own, all);

	*cores = -1;
	if (rc == 0 && launch->rank == 0 && now.host >= 0 && now.wall > begin->wall) {
		double foreign = now.host - begin->host;

		for (int i = 0; i < launch->size; i++)
			foreign -= all[i];
		*cores = foreign > 0 ? foreign / (now.wall - begin->wall) : 0;
	}
	free(all);
	return rc;
}

void facts_timestamp(double seconds, char *text)
{
	const time_t whole = (time_t)seconds;
	struct tm tm;

	gmtime_r(&whole, &tm);
	const size_t length = strftime(text, 32, "%Y-%m-%dT%H:%M:%S", &tm);

	snprintf(text + length, 32 - length, ".%03dZ", (int)((seconds - (double)whole) * 1e3));
}

double facts_wall_clock(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
