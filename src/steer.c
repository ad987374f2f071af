/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables for --path and --algo, and the one new start of the program where a library reads its environment as it is loaded.
 */
#include "steer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../topo/algo.h"
#include "../topo/discover.h"
#include "../topo/way.h"
#include "launch.h"
#include "session.h"
#include "steer_parts.h"
#include "way_taken.h"

/* All that the steps share. */
struct course {
	struct steer *steer;
	const char *program;
	const struct collective *coll;
	const struct options *options;
	const struct backend_ops *backend;
	enum way_library library;
	enum way way;
	const struct algo *algo; /* NULL: not asked for */
};

__attribute__((format(printf, 3, 4))) static int refuse(const struct course *course, int code, const char *format, ...)
{
	va_list args;

	if (launch_env_rank() != 0)
		return code;
	fprintf(stderr, "%s: ", course->program);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return code;
}

static bool is_steered(const struct options *options)
{
	return options->algo || strcmp(options->path, way_names[WAY_AUTO]) != 0;
}

/* The cost model of this name, or of a library's algorithm that is also called so. */
static const struct coll_model *find_model(const struct collective *coll, const char *name)
{
	const struct coll_model *model = collective_model(coll, name);

	for (size_t i = 0; i < algo_count && !model; i++)
		if (algos[i].coll == coll->id && algos[i].also && strcmp(algos[i].also, name) == 0)
			model = collective_model(coll, algos[i].name);
	return model;
}

/* Simulated ranks have cost models for algorithms, and no paths. */
static int choose_model(const struct course *course)
{
	const struct options *options = course->options;
	const struct coll_model *model = options->algo ? find_model(course->coll, options->algo) : NULL;
	char names[256] = "";
	size_t used = 0;

	if (strcmp(options->path, way_names[WAY_AUTO]) != 0)
		return refuse(course, SESSION_USAGE,
			      "--path %s: simulated ranks have no paths; --sim-alpha and --sim-bandwidth say what a link is",
			      options->path);
	if (!options->algo)
		return SESSION_OK;
	if (model) {
		course->steer->algo = model->name;
		return SESSION_OK;
	}
	for (model = course->coll->models; model->name && used < sizeof names; model++)
		used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", model->name);
	return refuse(course, SESSION_USAGE, "--algo: %s has no cost model '%.60s'; there are: %s", course->coll->name,
		      options->algo, names);
}

static int find_way(struct course *course)
{
	char names[96] = "";
	unsigned ways = 0;
	const int way = way_find(course->options->path);

	course->way = way < 0 ? WAY_AUTO : (enum way)way;
	if (way >= 0 && way_variables(course->library, course->way))
		return SESSION_OK;
	for (int i = 0; i < WAYS; i++)
		ways |= way_variables(course->library, (enum way)i) ? 1U << i : 0;
	way_words(ways, names);
	for (char *c = names; *c; c++)
		*c = *c == '+' ? ' ' : *c;
	return refuse(course, SESSION_USAGE, "--path %s: not with --backend %s, which has: auto %s", course->options->path,
		      course->backend->name, names);
}

static int find_algo(struct course *course)
{
	const char *name = course->options->algo;
	char names[256];

	if (!name)
		return SESSION_OK;
	course->algo = algo_find(course->library, course->coll->id, name);
	if (course->algo)
		return SESSION_OK;
	algo_names(course->library, course->coll->id, names, sizeof names);
	if (!names[0])
		return refuse(course, SESSION_USAGE, "--algo: with --backend %s nothing chooses an algorithm of %s",
			      course->backend->name, course->coll->name);
	return refuse(course, SESSION_USAGE, "--algo: %s has no algorithm '%.60s' with --backend %s; there are: %s",
		      course->coll->name, name, course->backend->name, names);
}

/* A job of a number of ranks that cannot do it fails inside the library's own start, so it does not get there. */
static int check_ranks(const struct course *course)
{
	const char *variable;
	struct algo_call call = { .nranks = launch_promised_size(&variable), .count = SIZE_MAX, .has_own_op = true };
	const char *why;

	if (!course->algo || call.nranks < 1 || course->options->split.op != SPLIT_NONE)
		return SESSION_OK;
	call.in_place = course->algo->needs & ALGO_IN_PLACE;
	why = course->library == WAY_UCX ? algo_cannot(course->algo, &call) : NULL;
	return why ? refuse(course, SESSION_NOTHING, "--algo %s: %s, there are %d", course->algo->name, why, call.nranks)
		   : SESSION_OK;
}

static int check_machine(const struct course *course)
{
	struct topo topo = { 0 };
	char reason[256];
	int code = SESSION_OK;

	/* The others need nothing that a machine may lack. */
	if (course->way == WAY_AUTO || course->way == WAY_SHM || course->way == WAY_SOCKET || course->way == WAY_TCP)
		return SESSION_OK;
	if (discover_host(&topo, NULL))
		code = SESSION_FAILED;
	else if (way_possible(topo_host_of(&topo, 0), course->library, course->way, reason, sizeof reason))
		code = refuse(course, SESSION_FAILED, "--path %s: %s", way_names[course->way], reason);
	topo_clear(&topo);
	return code;
}

static int check(struct course *course, bool restarted)
{
	char reason[256];
	int code = find_way(course);

	if (code == SESSION_OK)
		code = find_algo(course);
	if (code != SESSION_OK || restarted)
		return code;
	if (is_steered(course->options) && course->backend->steerable && course->backend->steerable(reason, sizeof reason))
		code = refuse(course, SESSION_FAILED, "%s: %s", course->algo ? "--algo" : "--path", reason);
	if (code == SESSION_OK)
		code = check_ranks(course);
	return code == SESSION_OK ? check_machine(course) : code;
}

static void fill(struct steer_variable *variable, const char *name, const char *value, const char *wanted)
{
	snprintf(variable->name, sizeof variable->name, "%s", name);
	snprintf(variable->value, sizeof variable->value, "%s", value);
	snprintf(variable->wanted, sizeof variable->wanted, "%s", wanted);
}

static bool is_ours(const struct steer *steer, const char *name)
{
	for (int i = 0; i < steer->nset; i++)
		if (strcmp(steer->set[i].name, name) == 0)
			return true;
	return false;
}

static void want(struct steer *steer, const char *name, const char *value)
{
	const char *present = getenv(name);

	if (is_ours(steer, name))
		return;
	if (present && steer->nkept < STEER_MOST)
		fill(&steer->kept[steer->nkept++], name, present, strcmp(present, value) == 0 ? "" : value);
	if (present || steer->nset == STEER_MOST || setenv(name, value, 1))
		return;
	fill(&steer->set[steer->nset++], name, value, "");
}

static void want_all(struct steer *steer, const struct way_variable *variables)
{
	for (; variables->name; variables++) {
		want(steer, variables->name, variables->value);
		steer->nasked += is_ours(steer, variables->name);
	}
}

static void warn(const struct course *course)
{
	char line[STEER_LINE];

	for (int i = 0; i < course->steer->nkept && launch_env_rank() == 0; i++)
		if (steer_line(&course->steer->kept[i], line, sizeof line))
			fprintf(stderr, "%s: warning: %s\n", course->program, line);
}

/* UCX opens its log as it is loaded, which is before main; everything else is read when the library is started. */
static bool is_read_at_load(const char *name)
{
	return strncmp(name, "UCX_LOG_", strlen("UCX_LOG_")) == 0;
}

static void want_logs(struct course *course, bool restarted)
{
	struct steer *steer = course->steer;
	struct steer_variable wanted[STEER_MOST];
	const int n = way_taken_variables(course->backend->name, course->options->readback, wanted, STEER_MOST);

	for (int i = 0; i < n; i++) {
		want(steer, wanted[i].name, wanted[i].value);
		steer->again = steer->again || (!restarted && is_ours(steer, wanted[i].name) && is_read_at_load(wanted[i].name));
	}
}

/* What this process set before it started itself again; false where it did not. */
static bool take_up(struct steer *steer)
{
	const char *text = getenv(steer_mark);
	char *copy = text ? strdup(text) : NULL, *rest = copy, *name;
	bool is_own;

	if (!copy)
		return false;
	unsetenv(steer_mark);
	is_own = strtol(strsep(&rest, ":"), NULL, 10) == (long)getpid();
	while (is_own && (name = strsep(&rest, ","))) {
		const char *value = getenv(name);

		if (value && steer->nset < STEER_MOST)
			fill(&steer->set[steer->nset++], name, value, "");
	}
	free(copy);
	return is_own;
}

static const char *get_variable(const char *name)
{
	return getenv(name);
}

static void set_all(struct course *course, bool restarted)
{
	struct steer *steer = course->steer;
	const struct options *options = course->options;
	const struct algo *forced;
	char reason[256];

	want_all(steer, way_variables(course->library, course->way));
	if (course->algo)
		want_all(steer, course->algo->variables);
	if (options->readback != READBACK_OFF && !options->dry_run &&
	    !(course->backend->steerable && course->backend->steerable(reason, sizeof reason)))
		want_logs(course, restarted);
	forced = algo_by_environment(course->library, course->coll->id, get_variable);
	steer->algo = forced ? forced->name : "";
}

int steer_begin(struct steer *steer, const char *program, const struct collective *coll, const struct options *options,
		const struct backend_ops *backend)
{
	struct course course = {
		.steer = steer, .program = program, .coll = coll, .options = options, .backend = backend, .library = WAY_UCX
	};
	int code = SESSION_OK;

	*steer = (struct steer){ .path = options->path, .algo = "" };
	if (backend == &backend_sim)
		return choose_model(&course);
	if (backend->is_simulated && backend->is_simulated())
		return is_steered(options) ? refuse(&course, SESSION_USAGE,
						    "--path and --algo: a simulator of clusters has options of its own")
					   : SESSION_OK;
	if (strcmp(backend->name, way_library_names[WAY_NCCL]) == 0)
		course.library = WAY_NCCL;
	const bool restarted = take_up(steer);

	code = check(&course, restarted);
	if (code != SESSION_OK)
		return code;
	set_all(&course, restarted);
	if (!steer->again)
		warn(&course);
	return SESSION_OK;
}
